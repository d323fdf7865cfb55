package acta

import (
	"strings"
	"testing"
)

// No part of a cell begins a formula, with whatever separator a spreadsheet opens the file, and
// numbers and plain words stay as they are.
func TestHarmless(t *testing.T) {
	for _, cell := range []string{
		"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", ";=cmd|'/c calc'!A1", "paid; =1+1", "a;b;\t@x", "x\n=1", " =1", "\tx",
	} {
		got := harmless(cell)
		for _, part := range strings.FieldsFunc(got, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }) {
			if part = strings.TrimLeft(part, " "); part != "" && strings.ContainsRune("=+-@", rune(part[0])) {
				t.Errorf("%q: %q begins a formula with %q", cell, got, part)
			}
		}
		if strings.ReplaceAll(got, "'", "") != strings.ReplaceAll(cell, "'", "") {
			t.Errorf("%q: %q loses something", cell, got)
		}
	}
	for _, cell := range []string{"", "-1250", "+3", "2026-11-29T03:00:00+01:00", "seat 3 - main", "a; b", "1=1"} {
		if got := harmless(cell); got != cell {
			t.Errorf("%q became %q", cell, got)
		}
	}
}
