package round

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"vision/internal/card"
)

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// clip is a value as an error message may show it.
func clip(raw []byte) string {
	const most = 40
	s := string(bytes.ToValidUTF8(bytes.TrimSpace(raw), []byte("?")))
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

func readObject(raw []byte, path string) (object, error) {
	var o object
	if err := json.Unmarshal(raw, &o); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, Malformed(path, "write one JSON object per line", "no JSON: %v at byte %d", err, syntax.Offset)
		}
		return nil, Malformed(path, "write a JSON object", "%s is no object", clip(raw))
	}
	if o == nil {
		return nil, Malformed(path, "write a JSON object", "is null")
	}
	return o, nil
}

// known refuses the first field of an object that is none of those named.
func known(o object, prefix string, names ...string) error {
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, k) {
			return unknownField(prefix+k, names)
		}
	}
	return nil
}

func unknownField(path string, allowed []string) *Error {
	fix := "the object has no fields: remove it"
	if len(allowed) > 0 {
		fix = "remove it or write one of " + strings.Join(slices.Sorted(slices.Values(allowed)), ", ")
	}
	return Malformed(path, fix, "unknown field")
}

func text(o object, name, prefix string, p *string) error {
	raw, ok := o[name]
	if !ok {
		return Malformed(prefix+name, "add it as a string", "missing")
	}
	return str(raw, prefix+name, p)
}

func str(raw json.RawMessage, path string, p *string) error {
	if json.Unmarshal(raw, p) != nil || isNull(raw) {
		return Malformed(path, "write a string", "%s is no string", clip(raw))
	}
	if *p == "" {
		return Malformed(path, "write a value or drop the field", "is empty")
	}
	return nil
}

func integer(raw json.RawMessage, path string, low, high int64, p *int64) error {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(raw)), 10, 64)
	if err != nil {
		return Malformed(path, "write an integer", "%s is no integer", clip(raw))
	}
	if n < low || n > high {
		return Malformed(path, fmt.Sprintf("write an integer from %d to %d", low, high), "%d is out of range", n)
	}
	*p = n
	return nil
}

func small(raw json.RawMessage, path string, low, high int64, p *int) error {
	var n int64
	err := integer(raw, path, low, high, &n)
	*p = int(n)
	return err
}

func number(raw json.RawMessage, path string, low, high float64, p *float64) error {
	if json.Unmarshal(raw, p) != nil || isNull(raw) {
		return Malformed(path, "write a number", "%s is no number", clip(raw))
	}
	if *p < low || *p > high {
		return Malformed(path, fmt.Sprintf("write a number from %g to %g", low, high), "%g is out of range", *p)
	}
	return nil
}

func numberText(raw json.RawMessage, path string, p *Text) error {
	var s string
	if json.Unmarshal(raw, &s) == nil && s != "" {
		*p = Text(s)
		return nil
	}
	var n int64
	if err := integer(raw, path, -9999, 9999, &n); err != nil {
		return Malformed(path, `write a number as "17" or 17`, "%s is no number", clip(raw))
	}
	*p = Text(strconv.FormatInt(n, 10))
	return nil
}

func array(raw json.RawMessage, path string) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || list == nil {
		return nil, Malformed(path, "write an array", "%s is no array", clip(raw))
	}
	return list, nil
}

func ints(raw json.RawMessage, path string, low, high int64, p *[]int) error {
	return elements(raw, path, p, func(r json.RawMessage, at string, p *int) error { return small(r, at, low, high, p) })
}

// elements reads an array, each element with its path.
func elements[T any](raw json.RawMessage, path string, p *[]T, read func(json.RawMessage, string, *T) error) error {
	list, err := array(raw, path)
	if err != nil {
		return err
	}
	*p = make([]T, len(list))
	for i, r := range list {
		if err := read(r, fmt.Sprintf("%s[%d]", path, i), &(*p)[i]); err != nil {
			return err
		}
	}
	return nil
}

func oneCard(raw json.RawMessage, path string, p *card.Card) error {
	var s string
	if err := str(raw, path, &s); err != nil {
		return err
	}
	c, err := card.Parse(s)
	if err != nil {
		return Malformed(path, "write rank and suit like As, Td, 1O, or Jk, ??", "unknown card %q", s)
	}
	*p = c
	return nil
}

func cards(raw json.RawMessage, path string, p *[]card.Card) error {
	return elements(raw, path, p, oneCard)
}

// MaxRecord is the longest record that is read, in bytes.
const MaxRecord = 8 << 20

// ReadLines calls do for each record of a stream, in order, with the number of the
// line on which it begins, from 1, and its bytes. The stream is JSON Lines, or records indented over
// several lines each of which begins with { and ends with } at the left margin;
// a broken record never swallows the next one. It stops at the first error of
// reading or of do.
func ReadLines(r io.Reader, do func(n int, raw []byte) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var held []byte // an indented record whose end is not reached
	from := 0
	flush := func(raw []byte) error {
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			return nil
		}
		return do(from, raw)
	}
	for n := 1; ; n++ {
		line, readErr := in.ReadBytes('\n')
		if len(held) > 0 && (bytes.HasPrefix(line, []byte("{")) || len(held) > MaxRecord) {
			if err := flush(held); err != nil {
				return err
			}
			held = nil
		}
		if len(bytes.TrimSpace(held)) == 0 {
			from = n
		}
		held = append(held, line...)
		if complete(held, line) || readErr != nil {
			if err := flush(held); err != nil {
				return err
			}
			held = nil
		}
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// complete reports whether line ends the record that held holds.
func complete(held, line []byte) bool {
	if len(held) > len(line) {
		return bytes.HasPrefix(line, []byte("}"))
	}
	line = bytes.TrimSpace(line)
	return !bytes.HasPrefix(line, []byte("{")) || bytes.HasSuffix(line, []byte("}"))
}

// Error says what is wrong with a record, where, and how to correct it.
type Error struct {
	Record  string // id of the record, empty when it could not be read
	Path    string // JSON path, "events[3].amount"
	Problem string
	Fix     string
}

// Error writes one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Record != "" {
		fmt.Fprintf(&b, "record %q: ", e.Record)
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Problem)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return b.String()
}

// Malformed makes an Error; the record's id is added by whoever knows it.
func Malformed(path, fix, format string, args ...any) *Error {
	return &Error{Path: path, Fix: fix, Problem: fmt.Sprintf(format, args...)}
}

// At is the path of a field of an event: At(3, "spot") is "events[3].spot".
func At(event int, field string) string { return fmt.Sprintf("events[%d].%s", event, field) }

// Unread is the Error of JSON under a path that could not be read into a value: it
// names the field by its path in the record, not by its type in this program.
func Unread(path, fix string, err error) *Error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return Malformed(path, fix, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	for name := range strings.SplitSeq(kind.Field, ".") {
		if name != "" && strings.ToLower(name) == name { // the decoder names embedded types, too
			path = strings.TrimPrefix(path+"."+name, ".")
		}
	}
	return Malformed(path, fix, "%s is no %s", kind.Value, kindOf(kind.Type))
}

// kindOf is what a record calls the values of a type.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float64:
		return "number"
	}
	return "integer"
}
