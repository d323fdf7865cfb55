package config

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"reflect"
	"slices"
)

// Differs are the settings of the first level, by their names in the file, in which two
// configurations differ: "tables", "push". What is written in another way and means the same
// does not differ.
func (c *Config) Differs(o *Config) (out []string) {
	a, b := reflect.ValueOf(c).Elem(), reflect.ValueOf(o).Elem()
	for i := range a.NumField() {
		name := a.Type().Field(i).Tag.Get("yaml")
		if name != "" && !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			out = append(out, name)
		}
	}
	return out
}

// Same reports whether a table is configured as another is.
func (t Table) Same(o Table) bool { return reflect.DeepEqual(t, o) }

// Files is the digest of the files that a node reads only when it starts: norms and authorities.
// They may change under the same name. A file that cannot be read counts as empty.
func (c *Config) Files() (sum [sha256.Size]byte) {
	files := []string{c.Trust.CA}
	if c.Norms != "" {
		norms, _ := filepath.Glob(filepath.Join(c.Norms, "*.yaml")) // the pattern is right
		slices.Sort(norms)
		files = append(files, norms...)
	}
	h := sha256.New()
	for _, f := range files {
		if f == "" {
			continue
		}
		b, _ := os.ReadFile(f) // who starts with it says what is wrong with it
		one := sha256.Sum256(b)
		h.Write(append([]byte(f+"\x00"), one[:]...))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
