package models

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// readers.json holds what was fitted on data beside the networks: by reader, in groups, each
// with the data, the command that fits it, and the values.
//
//go:embed readers.json
var fitted []byte

// ErrFitted is what every refusal of fitted values is (errors.Is).
var ErrFitted = errors.New("unusable fitted values")

// group is what readers.json says of values that were fitted together.
type group struct {
	On     string          `json:"on"` // the data
	By     string          `json:"by"` // the command or test that fits them, or that there is none
	Values json.RawMessage `json:"values"`
}

// Fitted reads a reader's fitted values into a structure of groups, each a structure of
// values. A group or value that is missing or unknown is an error that names it; all values
// are zero then.
func Fitted[T any](reader string) (*T, error) { return fittedIn[T](fitted, reader) }

func fittedIn[T any](data []byte, reader string) (*T, error) {
	fail := func(err error) (*T, error) {
		return new(T), fmt.Errorf("%w of the reader of %s: readers.json: %w", ErrFitted, reader, err)
	}
	var readers map[string]map[string]json.RawMessage
	if err := json.Unmarshal(data, &readers); err != nil {
		return fail(err)
	}
	groups, ok := readers[reader]
	if !ok {
		return fail(errors.New("missing"))
	}
	out := new(T)
	if err := eachField(reflect.ValueOf(out).Elem(), groups, func(name string, raw json.RawMessage, to reflect.Value) error {
		var g group
		if err := strict(raw, &g); err != nil {
			return err
		}
		if g.On == "" || g.By == "" {
			return errors.New("on and by: want the data and what fits it")
		}
		var values map[string]json.RawMessage
		if err := json.Unmarshal(g.Values, &values); err != nil {
			return fmt.Errorf("values: %w", err)
		}
		return eachField(to, values, func(_ string, raw json.RawMessage, to reflect.Value) error {
			if bytes.Equal(raw, []byte("null")) {
				return errors.New("null")
			}
			if to.Kind() == reflect.Array { // encoding/json takes one of another length
				var all []json.RawMessage
				if err := json.Unmarshal(raw, &all); err != nil || len(all) != to.Len() {
					return fmt.Errorf("want %d numbers", to.Len())
				}
			}
			return strict(raw, to.Addr().Interface())
		})
	}); err != nil {
		return fail(err)
	}
	return out, nil
}

// eachField hands over what is given for each field of a structure. The fields are named as
// in Go, but for a small first letter; one that is missing, or unknown, is an error.
func eachField(to reflect.Value, given map[string]json.RawMessage, take func(name string, raw json.RawMessage, to reflect.Value) error) error {
	known := map[string]bool{}
	for i := range to.NumField() {
		name := to.Type().Field(i).Name
		name = strings.ToLower(name[:1]) + name[1:]
		known[name] = true
		raw, ok := given[name]
		if !ok {
			return fmt.Errorf("%s: missing", name)
		}
		if err := take(name, raw, to.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name := range given {
		if !known[name] {
			return fmt.Errorf("%s: unknown", name)
		}
	}
	return nil
}

// strict decodes JSON that holds no unknown field.
func strict(raw json.RawMessage, to any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(to)
}
