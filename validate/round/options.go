package round

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/internal/money"
	words "vision/internal/text"
)

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
