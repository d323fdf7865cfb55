package acta

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
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

// sheet is how a spreadsheet takes a file apart that it opens with a separator: a quote
// counts at the beginning of a cell, and what follows the closing one is of the cell too.
func sheet(file string, separator rune) (cells []string) {
	const quote = '"'
	var cell []rune
	text := []rune(file)
	for i := 0; i < len(text); i++ {
		switch r := text[i]; {
		case r == quote && len(cell) == 0:
			for i++; i < len(text); i++ {
				if text[i] == quote {
					if i+1 >= len(text) || text[i+1] != quote {
						break
					}
					i++
				}
				cell = append(cell, text[i])
			}
		case r == separator || r == '\n' || r == '\r':
			cells, cell = append(cells, string(cell)), nil
		default:
			cell = append(cell, r)
		}
	}
	return append(cells, string(cell))
}

// begins reports whether a spreadsheet may take a cell for a formula.
func begins(cell string) bool {
	cell = strings.TrimLeftFunc(cell, func(r rune) bool {
		return r == '"' || unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf)
	})
	first, _ := utf8.DecodeRuneInString(cell)
	return strings.ContainsRune("=+-@＝＋－＠﹦﹢﹣﹫−", first) && !plain.MatchString(cell)
}

// Whatever people write: with every separator no cell of the file begins a formula, and with
// its own the words come back.
func FuzzCSV(f *testing.F) {
	for _, cell := range []string{
		"=1+1", "paid; +1+1", "x\t-2+3", "a|@SUM(A1)", "\r=1", "\r\n=1", ";\"=1+1\"", "\"=1", "a;\"\"=1", "-12,50", "-5;=1", "'=1", "a,\u200b＝1",
	} {
		f.Add(cell, "jefe")
	}
	f.Fuzz(func(t *testing.T, note, by string) {
		note, by = strings.ToValidUTF8(note, ""), strings.ToValidUTF8(by, "")
		a := &Acta{ID: "A", Tables: []Table{{ID: "R1", Findings: []Finding{{Kind: "finding", Note: note, By: by, Amount: -250}}}}}
		var b bytes.Buffer
		if err := a.WriteCSV(&b, "findings"); err != nil {
			t.Fatal(err)
		}
		for _, separator := range ",;\t|" {
			for _, cell := range sheet(b.String(), separator) {
				if begins(cell) {
					t.Errorf("%q: by %q the cell %q begins a formula", note, separator, cell)
				}
			}
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != len(rows[0]) {
			t.Fatalf("%q, %v", rows, err)
		}
		words := func(s string) string { return strings.NewReplacer("'", "", "\r\n", "\n").Replace(s) }
		for name, want := range map[string]string{"note": note, "by": by, "amount": "-250", "table": "R1"} {
			if got := rows[1][slices.Index(rows[0], name)]; words(got) != words(want) {
				t.Errorf("%s: %q became %q", name, want, got)
			}
		}
	})
}
