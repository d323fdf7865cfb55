package round

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

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
