package round

import (
	"fmt"
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
