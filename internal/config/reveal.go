package config

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
)

// Secrets need not stand in the file: a field that is tagged `secret` may hold
// references, which are looked up at every start and every reading of the file.
// The tag says what the field is: "text"; "url", within which what is looked up is
// escaped; "path", where a credential stands for its file.
var reference = regexp.MustCompile(`\$\{(file|env|credential):([^{}]+)\}`)

// credentials is the variable that names the folder of credentials that the
// service's manager has handed over (systemd.exec(5), LoadCredential).
const credentials = "CREDENTIALS_DIRECTORY"

// maxSecret bounds what is read of a file.
const maxSecret = 64 << 10

// reveal puts what references stand for in their place and remembers what the file
// said. dir is the file's folder. Nothing that is looked up is quoted in an error.
func (c *Config) reveal(dir string) error {
	var errs []error
	c.said = map[string]string{}
	each(reflect.ValueOf(c).Elem(), "", func(at string, f reflect.StructField, v reflect.Value) {
		kind := f.Tag.Get("secret")
		if kind == "" || v.Kind() != reflect.String || !reference.MatchString(v.String()) {
			return
		}
		raw := v.String()
		c.said[at] = raw
		v.SetString(reference.ReplaceAllStringFunc(raw, func(ref string) string {
			m := reference.FindStringSubmatch(ref)
			s, err := lookUp(dir, m[1], m[2])
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", at, ref, err))
			}
			if m[1] == "credential" && kind == "path" {
				return filepath.Join(os.Getenv(credentials), m[2])
			}
			if kind == "url" && ref != raw {
				s = strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
			}
			return s
		}))
	})
	return errors.Join(errs...)
}

func lookUp(dir, kind, name string) (string, error) {
	path := name
	switch kind {
	case "env":
		s := os.Getenv(name)
		if s == "" {
			return "", errors.New("the variable is not set")
		}
		return s, nil
	case "credential":
		from := os.Getenv(credentials)
		if from == "" || name != filepath.Base(name) {
			return "", errors.New("no credentials were handed over; name them with LoadCredential= in the service's unit")
		}
		path = filepath.Join(from, name)
	default:
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", errors.Unwrap(err) // the name stands before it
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSecret))
	s := strings.TrimRight(string(b), "\r\n")
	switch {
	case err != nil:
		return "", err
	case s == "":
		return "", errors.New("it is empty")
	}
	return s, nil
}

// each calls do for every field below v that holds a value, by the names that the
// file has for it: tables[0].cameras[1].url. What is no field is passed over.
func each(v reflect.Value, at string, do func(at string, f reflect.StructField, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), at, do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			each(v.Index(i), fmt.Sprintf("%s[%d]", at, i), do)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name := f.Tag.Get("yaml")
			if name == "" {
				continue
			}
			path := strings.TrimPrefix(at+"."+name, ".")
			if k := deepest(f.Type).Kind(); k == reflect.Struct {
				each(v.Field(i), path, do)
				continue
			}
			do(path, f, v.Field(i))
		}
	}
}

// deepest is what a type is made of, behind pointers and slices.
func deepest(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}
