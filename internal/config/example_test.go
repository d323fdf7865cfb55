package config

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// example is the manual of the configuration.
const example = "../../docs/vision.example.yaml"

var (
	// off is a setting that the example switches off: "#key:" or "#- {…}". A comment has
	// a space after its mark.
	off = regexp.MustCompile(`(?m)^( *)#([a-z_]+:|- )`)
	// quoted is a setting whose comment says its default.
	quoted = regexp.MustCompile(`(?m)^( *)([a-z_]+|- [a-z_]+): .*?# default: (.+)$`)
)

// exampleText is the example, with the variables and credentials set that it refers to.
func exampleText(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\$\{env:(\w+)\}`).FindAllStringSubmatch(string(b), -1) {
		t.Setenv(m[1], "set-for-the-example")
	}
	creds := t.TempDir()
	for _, m := range regexp.MustCompile(`\$\{credential:([\w.]+)\}`).FindAllStringSubmatch(string(b), -1) {
		if err := os.WriteFile(creds+"/"+m[1], []byte("a secret of thirty-two characters or more"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(credentials, creds)
	return string(b)
}

// on is the example with every setting that it switches off.
func on(text string) string { return off.ReplaceAllString(text, "$1$2") }

// The manual is a configuration that can be used, as it stands and with every
// setting in it; it leaves none out.
func TestTheExampleIsWhole(t *testing.T) {
	b, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(b); err != nil { // without any secret that is kept elsewhere
		t.Fatalf("as it stands: %v", err)
	}
	text := exampleText(t)
	c, err := Parse([]byte(on(text)))
	if err != nil {
		t.Fatalf("with everything: %v", err)
	}
	given := map[string]bool{}
	index := regexp.MustCompile(`\[\d+\]`)
	for key := range c.given {
		given[index.ReplaceAllString(key, "[]")] = true
	}
	keys := keysOfType(reflect.TypeFor[Config](), "")
	if len(keys) < 80 {
		t.Fatalf("only %d keys were found: the search is wrong", len(keys))
	}
	for _, key := range keys {
		if !given[key] {
			t.Errorf("%s is not in the manual", key)
		}
	}
}

// The README's configuration can be used.
func TestTheReadmesExample(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindSubmatch(b)
	if m == nil {
		t.Fatal("no example")
	}
	if _, err := Parse(m[1]); err != nil {
		t.Error(err)
	}
}

// keysOfType are the names of all that a file may give, lists as key[].
func keysOfType(typ reflect.Type, at string) (out []string) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch {
	case typ.Kind() == reflect.Slice:
		return append([]string{at}, keysOfType(typ.Elem(), at+"[]")...)
	case typ.Kind() != reflect.Struct:
		return []string{at}
	}
	for i := range typ.NumField() {
		if name := typ.Field(i).Tag.Get("yaml"); name != "" {
			out = append(out, keysOfType(typ.Field(i).Type, strings.TrimPrefix(at+"."+name, "."))...)
		}
	}
	return out
}

// What the manual says that holds where a key is left out is what holds, and every
// key that has a default says it.
func TestTheExamplesDefaultsAreTrue(t *testing.T) {
	text := on(exampleText(t))
	left := values(t, quoted.ReplaceAllString(text, ""))
	said := values(t, quoted.ReplaceAllString(text, "$1$2: $3"))
	for key, v := range left {
		if said[key] != v {
			t.Errorf("%s: the default is %q, the manual has %q", key, v, said[key])
		}
	}
	if len(said) != len(left) {
		t.Errorf("%d values with the defaults written, %d without", len(said), len(left))
	}
	c, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		names = append(names, strings.TrimPrefix(m[2], "- "))
	}
	for _, s := range c.Settings() {
		name := s.Key[strings.LastIndexByte(s.Key, '.')+1:]
		if s.Default && s.Value != "" && !slices.Contains(names, name) {
			t.Errorf("%s is %s where it is left out: the manual does not say so", s.Key, s.Value)
		}
	}
}

// values are all values of a configuration, by key.
func values(t *testing.T, text string) map[string]string {
	t.Helper()
	c, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, s := range c.Settings() {
		out[s.Key] = s.Value
	}
	return out
}
