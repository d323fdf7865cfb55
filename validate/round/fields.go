package round

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/internal/money"
	words "vision/internal/text"
)

// Fields reads one JSON object field by field for the records of other packages,
// as strictly as rounds are read: a field that is missing, has no such value, or
// is not asked for is an *Error with its path. The first error is kept; after it
// the readers give zero values.
type Fields struct {
	at   string // path of the object; "" for the whole record
	o    object
	read map[string]bool
	err  *Error
}

// ReadFields reads an object; at is its path.
func ReadFields(raw []byte, at string) *Fields {
	f := &Fields{at: at, read: map[string]bool{}}
	var err error
	if f.o, err = readObject(raw, at); err != nil {
		f.fail(err)
	}
	return f
}

func (f *Fields) fail(err error) {
	if e := placed(err); e != nil && f.err == nil {
		f.err = e
	}
}

// Path is the path of a field.
func (f *Fields) Path(name string) string {
	if f.at == "" {
		return name
	}
	return f.at + "." + name
}

// Refuse keeps an error about a field.
func (f *Fields) Refuse(name, fix, format string, args ...any) {
	f.fail(Malformed(f.Path(name), fix, format, args...))
}

// Err is the first error so far.
func (f *Fields) Err() *Error { return f.err }

// Done is the first error, an unknown field among them.
func (f *Fields) Done() *Error {
	for _, name := range slices.Sorted(maps.Keys(f.o)) {
		if !f.read[name] {
			f.fail(unknownField(f.Path(name), slices.Collect(maps.Keys(f.read))))
		}
	}
	return f.err
}

// Has reports whether a field is there; null counts as there.
func (f *Fields) Has(name string) bool { return f.o[name] != nil }

// Need refuses an object that lacks a field.
func (f *Fields) Need(name, fix string) {
	if f.err == nil && !f.Has(name) {
		f.Refuse(name, fix, "missing")
	}
}

// raw is a field's value, nil when it is not there or an error has been met.
func (f *Fields) raw(name string) json.RawMessage {
	f.read[name] = true
	if f.err != nil {
		return nil
	}
	return f.o[name]
}

// Text reads a string; "" when it is not there. An empty string is refused.
func (f *Fields) Text(name string) string {
	var s string
	if raw := f.raw(name); raw != nil {
		f.fail(str(raw, f.Path(name), &s))
	}
	return s
}

// Word reads one of a few words; the first of them when the field is not there.
func (f *Fields) Word(name string, words ...string) string {
	s := f.Text(name)
	switch {
	case s == "":
		return words[0]
	case !slices.Contains(words, s):
		f.Refuse(name, "write one of "+strings.Join(words, ", "), "unknown word %q", s)
	}
	return s
}

// Int reads an integer from low to MaxAmount; nil when it is not there.
func (f *Fields) Int(name string, low int64) *int64 {
	raw := f.raw(name)
	if raw == nil {
		return nil
	}
	n := new(int64)
	f.fail(integer(raw, f.Path(name), low, int64(MaxAmount), n))
	return n
}

// Count reads an integer of 0 or more; otherwise is its value when it is not there.
func (f *Fields) Count(name string, otherwise int64) int64 {
	if n := f.Int(name, 0); n != nil {
		return *n
	}
	return otherwise
}

// IntOrNull reads an integer of 0 or more, or null: both null and a field that is
// not there give nil.
func (f *Fields) IntOrNull(name string) *int64 {
	if raw := f.raw(name); raw == nil || isNull(raw) {
		return nil
	}
	return f.Int(name, 0)
}

// Bool reads true or false; otherwise when it is not there.
func (f *Fields) Bool(name string, otherwise bool) bool {
	if b := f.Flag(name); b != nil {
		return *b
	}
	return otherwise
}

// Flag reads true or false; nil when it is not there.
func (f *Fields) Flag(name string) *bool {
	raw := f.raw(name)
	if raw == nil {
		return nil
	}
	b := new(bool)
	if json.Unmarshal(raw, b) != nil || isNull(raw) {
		f.Refuse(name, "write true or false", "%s is no boolean", clip(raw))
	}
	return b
}

// Object reads an object of named fields; nil when it is not there.
func (f *Fields) Object(name string) *Fields {
	raw := f.raw(name)
	if raw == nil {
		return nil
	}
	sub := ReadFields(raw, f.Path(name))
	f.fail(sub.err)
	return sub
}

// Close ends the reading of an object that Object gave, nil too.
func (f *Fields) Close(sub *Fields) {
	if sub != nil {
		f.fail(sub.Done())
	}
}

// Counts reads an object of counts of 0 or more by name; nil when it is not there.
func (f *Fields) Counts(name string) map[string]int64 {
	sub := f.Object(name)
	if sub == nil {
		return nil
	}
	counts := map[string]int64{}
	for _, k := range slices.Sorted(maps.Keys(sub.o)) {
		counts[k] = sub.Count(k, 0)
	}
	f.Close(sub)
	return counts
}

// List reads an array, calling each with an element's index, path and bytes. It
// reports whether the field is there.
func (f *Fields) List(name string, each func(i int, at string, raw json.RawMessage) *Error) bool {
	raw := f.raw(name)
	if raw == nil {
		return false
	}
	list, err := array(raw, f.Path(name))
	if err != nil {
		f.fail(err)
		return true
	}
	for i, r := range list {
		if f.err == nil {
			f.fail(each(i, fmt.Sprintf("%s[%d]", f.Path(name), i), r))
		}
	}
	return true
}

// Texts reads an array of strings; nil when it is not there.
func (f *Fields) Texts(name string) []string {
	var out []string
	if f.List(name, func(_ int, at string, raw json.RawMessage) *Error {
		var s string
		if err := str(raw, at, &s); err != nil {
			return placed(err)
		}
		out = append(out, s)
		return nil
	}) && out == nil {
		out = []string{}
	}
	return out
}

// SchemaOf is what a JSON object says that it is; "" when it does not.
func SchemaOf(data []byte) string {
	var o struct {
		Schema string `json:"schema"`
	}
	if json.Unmarshal(bytes.TrimSpace(data), &o) != nil {
		return ""
	}
	return o.Schema
}

// placed is the Error in err, which every error of reading is; nil where err holds none.
func placed(err error) *Error {
	var e *Error
	errors.As(err, &e)
	return e
}

// Options are the house options of a table, by name.
type Options map[string]json.RawMessage

func optionPath(name string) string { return "table.options." + name }

// Known refuses options other than the named ones.
func (o Options) Known(names ...string) error {
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, k) {
			if near := words.Nearest(k, names); near != "" {
				return Malformed(optionPath(k), "did you mean "+near+"? This game knows: "+strings.Join(names, ", "), "unknown or misplaced option")
			}
			return Malformed(optionPath(k), "this game knows: "+strings.Join(names, ", "), "unknown or misplaced option")
		}
	}
	return nil
}

// OptionReader reads one option after the other and keeps the first error.
type OptionReader struct {
	o   Options
	err error
}

// Reader begins to read options.
func (o Options) Reader() *OptionReader { return &OptionReader{o: o} }

// Only begins to read the options of these names; any other is an error.
func (o Options) Only(names ...string) *OptionReader {
	r := o.Reader()
	r.Keep(o.Known(names...))
	return r
}

// Err is the first error of what was read.
func (r *OptionReader) Err() error { return r.err }

// Keep keeps an error of a value that was checked elsewhere.
func (r *OptionReader) Keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Has reports whether an option is there.
func (r *OptionReader) Has(name string) bool { return r.o[name] != nil }

// read reads an option that is there.
func (r *OptionReader) read(name string, read func(raw json.RawMessage, path string) error) {
	if raw, ok := r.o[name]; ok {
		r.Keep(read(raw, optionPath(name)))
	}
}

// Bool is an option true or false.
func (r *OptionReader) Bool(name string, standard bool) bool {
	r.read(name, func(raw json.RawMessage, path string) error {
		if json.Unmarshal(raw, &standard) != nil || isNull(raw) {
			return Malformed(path, "write true or false", "%s is no boolean", clip(raw))
		}
		return nil
	})
	return standard
}

// Int is an integer option from low to high.
func (r *OptionReader) Int(name string, standard, low, high int) int {
	r.read(name, func(raw json.RawMessage, path string) error {
		return small(raw, path, int64(low), int64(high), &standard)
	})
	return standard
}

// OneInt is an integer option out of a list.
func (r *OptionReader) OneInt(name string, standard int, allowed ...int) int {
	v := r.Int(name, standard, -1<<30, 1<<30)
	if r.err == nil && !slices.Contains(allowed, v) {
		r.Keep(Malformed(optionPath(name), "write one of "+strings.Trim(fmt.Sprint(allowed), "[]"), "%d is not allowed", v))
	}
	return v
}

// Cents is an amount option; 0 when absent and standard is 0.
func (r *OptionReader) Cents(name string, standard money.Cents) money.Cents {
	v := int64(standard)
	r.read(name, func(raw json.RawMessage, path string) error { return integer(raw, path, 0, int64(MaxAmount), &v) })
	return money.Cents(v)
}

// Word is a string option out of a list; an empty list allows any.
func (r *OptionReader) Word(name, standard string, allowed ...string) string {
	r.read(name, func(raw json.RawMessage, path string) error {
		if err := str(raw, path, &standard); err != nil || len(allowed) == 0 || slices.Contains(allowed, standard) {
			return err
		}
		return Malformed(path, "write one of "+strings.Join(allowed, ", "), "%q is not allowed", standard)
	})
	return standard
}

// Float is a number option from low to high (confidences; never money).
func (r *OptionReader) Float(name string, standard, low, high float64) float64 {
	r.read(name, func(raw json.RawMessage, path string) error { return number(raw, path, low, high, &standard) })
	return standard
}

// Decode reads an option of any shape into v, refusing unknown fields, and
// reports whether it is there.
func (r *OptionReader) Decode(name string, v any) bool {
	r.read(name, func(raw json.RawMessage, path string) error {
		if isNull(raw) {
			return Malformed(path, "write its value, or leave it out", "is null")
		}
		return Strict(raw, path, v)
	})
	return r.Has(name)
}
