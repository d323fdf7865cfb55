package models

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
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
	Fits   map[string]Fit  `json:"fits,omitempty"` // by value, where a command fits them
}

// Fit is how a command fitted a value.
type Fit struct {
	Sets     []string  `json:"sets"` // of pictures it was fitted on, with their seeds
	Readings int       `json:"readings"`
	Wrong    int       `json:"wrong"`  // of those readings
	Fitted   []float64 `json:"fitted"` // what the data say; the value changes nothing where they do not tell that from it
	// Intervals are those of the numbers of Fitted, 95 %.
	Intervals [][2]float64 `json:"intervals"`
	Held      *Held        `json:"held,omitempty"`
}

// Held is what a value makes of readings that it was not fitted on: the expected
// calibration errors before and after, with their 95 % intervals.
type Held struct {
	Sets     []string   `json:"sets"`
	Readings int        `json:"readings"`
	Wrong    int        `json:"wrong"`
	Before   [3]float64 `json:"before"`
	After    [3]float64 `json:"after"`
}

// Fitted reads a reader's fitted values into a structure of groups, each a structure of
// values. A group or value that is missing or unknown is an error that names it, as is a
// file that is not the manifest's; all values are zero then.
func Fitted[T any](reader string) (*T, error) {
	if err := CheckFitted(); err != nil {
		return new(T), err
	}
	return fittedIn[T](fitted, reader)
}

// CheckFitted reports whether the fitted values are those that the manifest registers: nil,
// or an ErrFitted that says what is wrong.
func CheckFitted() error {
	if err := sealed(); err != nil {
		return fmt.Errorf("%w: %w", ErrFitted, err)
	}
	return nil
}

// sealed reports whether readers.json has the SHA-256 that the manifest registers.
var sealed = sync.OnceValue(func() error {
	raw, err := shipped.ReadFile("manifest.json")
	if err != nil {
		return err
	}
	return sealedBy(raw, fitted)
})

// readersEntry is what the manifest calls readers.json.
const readersEntry = "readers"

func sealedBy(manifest, data []byte) error {
	var entries map[string]*Entry
	if err := json.Unmarshal(manifest, &entries); err != nil {
		return fmt.Errorf("manifest.json: %w", err)
	}
	e := entries[readersEntry]
	if e == nil {
		return fmt.Errorf("manifest.json: no entry %q of readers.json", readersEntry)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != e.SHA256 {
		return fmt.Errorf("readers.json is not the file of manifest.json (SHA-256 %x): restore it, or register it with VISION_UPDATE=1 go test ./models", sum)
	}
	return nil
}

// Register gives the manifest with the SHA-256 of other fitted values.
func Register(manifest, readers []byte) ([]byte, error) {
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(manifest, &entries); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	sum := sha256.Sum256(readers)
	e, err := json.Marshal(map[string]string{"file": "readers.json", "sha256": hex.EncodeToString(sum[:])})
	if err != nil {
		return nil, err
	}
	entries[readersEntry] = e
	return Indented(entries)
}

// Indented is how the manifest and readers.json are written.
func Indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Refitted gives readers.json with a group of one reader put in or replaced.
func Refitted(readers []byte, reader, name, on, by string, values any, fits map[string]Fit) ([]byte, error) {
	var all map[string]map[string]json.RawMessage
	if err := json.Unmarshal(readers, &all); err != nil {
		return nil, fmt.Errorf("readers.json: %w", err)
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	g, err := json.Marshal(group{On: on, By: by, Values: raw, Fits: fits})
	if err != nil {
		return nil, err
	}
	if all[reader] == nil {
		return nil, fmt.Errorf("readers.json: no reader of %s", reader)
	}
	all[reader][name] = g
	return Indented(all)
}

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
	fill := func(_ string, raw json.RawMessage, to reflect.Value) error {
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
	}
	if err := eachField(reflect.ValueOf(out).Elem(), groups, fill); err != nil {
		return fail(err)
	}
	return out, nil
}

// eachField hands over what is given for each field of a structure. The fields are named as
// in Go, but for a small first letter; one that is missing, or unknown, is an error.
func eachField(to reflect.Value, given map[string]json.RawMessage,
	take func(name string, raw json.RawMessage, to reflect.Value) error) error {
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
