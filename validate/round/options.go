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

// Bool is an option true or false.
func (o Options) Bool(name string, standard bool) (bool, error) {
	raw, ok := o[name]
	if !ok {
		return standard, nil
	}
	v := standard
	if json.Unmarshal(raw, &v) != nil || isNull(raw) {
		return v, Malformed(optionPath(name), "write true or false", "%s is no boolean", clip(raw))
	}
	return v, nil
}

// Int is an integer option from low to high.
func (o Options) Int(name string, standard, low, high int) (int, error) {
	raw, ok := o[name]
	if !ok {
		return standard, nil
	}
	var v int
	err := small(raw, optionPath(name), int64(low), int64(high), &v)
	return v, err
}

// OneInt is an integer option out of a list.
func (o Options) OneInt(name string, standard int, allowed ...int) (int, error) {
	v, err := o.Int(name, standard, -1<<30, 1<<30)
	if err == nil && !slices.Contains(allowed, v) {
		err = Malformed(optionPath(name), "write one of "+strings.Trim(fmt.Sprint(allowed), "[]"), "%d is not allowed", v)
	}
	return v, err
}

// Cents is an amount option; 0 when absent and standard is 0.
func (o Options) Cents(name string, standard money.Cents) (money.Cents, error) {
	raw, ok := o[name]
	if !ok {
		return standard, nil
	}
	v := int64(standard)
	err := integer(raw, optionPath(name), 0, int64(MaxAmount), &v)
	return money.Cents(v), err
}

// Word is a string option out of a list; an empty list allows any.
func (o Options) Word(name, standard string, allowed ...string) (string, error) {
	raw, ok := o[name]
	if !ok {
		return standard, nil
	}
	v := standard
	if err := str(raw, optionPath(name), &v); err != nil {
		return v, err
	}
	if len(allowed) > 0 && !slices.Contains(allowed, v) {
		return v, Malformed(optionPath(name), "write one of "+strings.Join(allowed, ", "), "%q is not allowed", v)
	}
	return v, nil
}

// Float is a number option from low to high (confidences; never money).
func (o Options) Float(name string, standard, low, high float64) (float64, error) {
	raw, ok := o[name]
	if !ok {
		return standard, nil
	}
	v := standard
	err := number(raw, optionPath(name), low, high, &v)
	return v, err
}

// Decode reads an option of any shape into v, refusing unknown fields, and
// reports whether it is there.
func (o Options) Decode(name string, v any) (bool, error) {
	raw, ok := o[name]
	if !ok {
		return false, nil
	}
	if isNull(raw) {
		return true, Malformed(optionPath(name), "write its value, or leave it out", "is null")
	}
	return true, Strict(raw, optionPath(name), v)
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

// Bool reads as Options.Bool does.
func (r *OptionReader) Bool(name string, standard bool) bool {
	v, err := r.o.Bool(name, standard)
	r.Keep(err)
	return v
}

// Int reads as Options.Int does.
func (r *OptionReader) Int(name string, standard, low, high int) int {
	v, err := r.o.Int(name, standard, low, high)
	r.Keep(err)
	return v
}

// OneInt reads as Options.OneInt does.
func (r *OptionReader) OneInt(name string, standard int, allowed ...int) int {
	v, err := r.o.OneInt(name, standard, allowed...)
	r.Keep(err)
	return v
}

// Cents reads as Options.Cents does.
func (r *OptionReader) Cents(name string, standard money.Cents) money.Cents {
	v, err := r.o.Cents(name, standard)
	r.Keep(err)
	return v
}

// Float reads as Options.Float does.
func (r *OptionReader) Float(name string, standard, low, high float64) float64 {
	v, err := r.o.Float(name, standard, low, high)
	r.Keep(err)
	return v
}

// Word reads as Options.Word does.
func (r *OptionReader) Word(name, standard string, allowed ...string) string {
	v, err := r.o.Word(name, standard, allowed...)
	r.Keep(err)
	return v
}

// Decode reads as Options.Decode does.
func (r *OptionReader) Decode(name string, v any) bool {
	there, err := r.o.Decode(name, v)
	r.Keep(err)
	return there
}
