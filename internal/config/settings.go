package config

import (
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"

	"vision/internal/redact"
)

// Setting is one value of the configuration in force, for showing.
type Setting struct {
	Key     string `json:"key"`   // as the file has it: tables[0].cameras[1].url
	Value   string `json:"value"` // secrets are hidden; what the file refers to elsewhere stands as in the file
	Default bool   `json:"default"`
	Secret  bool   `json:"secret"`
}

// Hidden stands for a secret.
const Hidden = "••••••"

// File is the file that the configuration was read from, "" where there is none.
func (c *Config) File() string { return c.file }

// Same reports whether another reading of the file gave the same, and what it refers to
// is the same too.
func (c *Config) Same(o *Config) bool {
	return c.sum == o.sum && maps.Equal(c.referred(), o.referred())
}

// referred is what the file's references stand for, by key.
func (c *Config) referred() map[string]string {
	out := map[string]string{}
	each(reflect.ValueOf(c).Elem(), "", func(at string, _ reflect.StructField, v reflect.Value) {
		if _, ok := c.said[at]; ok {
			out[at] = v.String()
		}
	})
	return out
}

// Settings are all values of the configuration, in the order of the file's manual.
func (c *Config) Settings() (out []Setting) {
	each(reflect.ValueOf(c).Elem(), "", func(at string, f reflect.StructField, v reflect.Value) {
		s := Setting{Key: at, Default: !c.given[at], Secret: f.Tag.Get("secret") == "text"}
		raw, referred := c.said[at]
		switch {
		case referred:
			s.Value = raw
		case v.IsZero():
		case s.Secret:
			s.Value = Hidden
		default:
			s.Value = written(v)
		}
		out = append(out, s)
	})
	return out
}

// written is a value as people may read it.
func written(v reflect.Value) string {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch k := v.Kind(); k {
	case reflect.String:
		return redact.URL(v.String())
	case reflect.Slice, reflect.Map:
		shown := v.Interface()
		if list, ok := shown.([]string); ok {
			masked := make([]string, len(list))
			for i, s := range list {
				masked[i] = redact.URL(s)
			}
			shown = masked
		}
		b, err := yaml.MarshalWithOptions(shown, yaml.Flow(true))
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(b))
	}
	return fmt.Sprint(v.Interface())
}

// keysOf are the names of all that a file gives.
func keysOf(b []byte) map[string]bool {
	var tree any
	if yaml.Unmarshal(b, &tree) != nil {
		return nil // its reading into a Config has said so
	}
	out := map[string]bool{}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		out[at] = true
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(strings.TrimPrefix(at+"."+k, "."), x)
			}
		case []any:
			for i, x := range v {
				walk(fmt.Sprintf("%s[%d]", at, i), x)
			}
		}
	}
	walk("", tree)
	return out
}
