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
		"\u00a0=1", "\u3000@x", "\ufeff+1+1", "\u200b-1+1", "\v=1", "＝1+1", "x;＠y", "a,=1", "−1+1", "-Inf", "+0x1p-2", "-1,2,3",
	} {
		got := harmless(cell)
		for _, part := range strings.FieldsFunc(got, func(r rune) bool { return strings.ContainsRune(",;|\t\r\n", r) }) {
			if part = strings.TrimLeft(part, " \u00a0\u3000\ufeff\u200b\v"); part != "" && strings.ContainsAny(string([]rune(part)[:1]), "=+-@＝＋－＠−") {
				t.Errorf("%q: %q begins a formula with %q", cell, got, part)
			}
		}
		if strings.ReplaceAll(got, "'", "") != strings.ReplaceAll(cell, "'", "") {
			t.Errorf("%q: %q loses something", cell, got)
		}
	}
	for _, cell := range []string{"", "-1250", "+3", "-12,50", "-12.50", "2026-11-29T03:00:00+01:00", "seat 3 - main", "a; b", "1=1"} {
		if got := harmless(cell); got != cell {
			t.Errorf("%q became %q", cell, got)
		}
	}
}
