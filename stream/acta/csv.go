package acta

import (
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"vision/internal/money"
)

// Parts of an acta that a spreadsheet takes.
var Parts = []string{"findings", "condition", "supervision", "recordings", "rounds"}

// part is one of them: the names of its columns after the table's, and its rows of a table.
type part struct {
	names []string
	rows  func(t *Table, add func(cells ...string))
}

var parts = map[string]part{
	"findings": {[]string{"at", "kind", "code", "severity", "rule", "round", "seat", "spot", "amount", "probability",
		"raised", "resolved", "acknowledged", "by", "outcome", "note"}, func(t *Table, add func(...string)) {
		for _, f := range t.Findings {
			add(stamp(f.At), f.Kind, f.Code, f.Severity, f.Rule, f.Round, strconv.Itoa(f.Seat), f.Spot, cents(f.Amount),
				strconv.FormatFloat(f.Probability, 'f', 3, 64), stamp(f.Raised), stamp(f.Resolved), stamp(f.Acknowledged), f.By,
				f.Outcome, f.Note)
		}
	}},
	"condition": {[]string{"from", "to", "state", "recorded", "breaches"}, func(t *Table, add func(...string)) {
		for _, c := range t.Condition {
			var b []string
			for _, x := range c.Breaches {
				b = append(b, x.Code+" ("+x.Rule+")")
			}
			add(stamp(c.From), stamp(c.To), string(c.State), strconv.FormatBool(c.Recorded), strings.Join(b, "; "))
		}
	}},
	"supervision": {[]string{"from", "to", "known", "open", "jefe", "tables"}, func(t *Table, add func(...string)) {
		for _, s := range t.Supervision {
			add(stamp(s.From), stamp(s.To), strconv.FormatBool(s.Known), strconv.FormatBool(s.Open), s.Jefe,
				strconv.Itoa(s.Tables))
		}
	}},
	"recordings": {[]string{"camera", "what", "from", "to"}, func(t *Table, add func(...string)) {
		spans := func(camera, what string, list ...Span) {
			for _, s := range list {
				add(camera, what, stamp(s.From), stamp(s.To))
			}
		}
		for _, c := range t.Cameras {
			spans(c.Camera, "gap", c.Gaps...)
			spans(c.Camera, "pending", c.Pending...)
			spans(c.Camera, "removed", c.Removed...)
		}
		for _, u := range t.Unread {
			spans(u.Camera, "unread", u.Span)
		}
	}},
	"rounds": {[]string{"judged", "in_order", "with_findings", "not_verifiable", "collected", "paid", "commission",
		"for_house", "against_house"}, func(t *Table, add func(...string)) {
		r, m := &t.Rounds, &t.Money
		add(strconv.Itoa(r.Judged), strconv.Itoa(r.InOrder), strconv.Itoa(r.WithFindings), strconv.Itoa(r.NotVerifiable),
			cents(m.Collected), cents(m.Paid), cents(m.Commission), cents(m.ForHouse), cents(m.AgainstHouse))
	}},
}

// WriteCSV writes one part of an acta as comma-separated values with a line of names.
// Times are RFC 3339, amounts cents.
func (a *Acta) WriteCSV(w io.Writer, name string) error {
	p, ok := parts[name]
	if !ok {
		return fmt.Errorf("acta: part %q: want one of %v", name, Parts)
	}
	rows := [][]string{append([]string{"table"}, p.names...)}
	for i := range a.Tables {
		p.rows(&a.Tables[i], func(cells ...string) { rows = append(rows, append([]string{a.Tables[i].ID}, cells...)) })
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = harmless(cell)
		}
	}
	c := csv.NewWriter(w)
	if err := c.WriteAll(rows); err != nil {
		return fmt.Errorf("acta %s: %w", a.ID, err)
	}
	return nil
}

// formula is where a spreadsheet may begin one (OWASP, CSV Injection): at the beginning of a cell,
// and after what divides cells where a file is opened with another separator; after blanks of any
// kind and quotes, which such a file doubles and the spreadsheet takes for its own, and in full
// width too.
var formula = regexp.MustCompile(`(^|[,;|\t\r\n])([\s"\p{Z}\p{Cc}\p{Cf}]*)([=+\-@＝＋－＠﹦﹢﹣﹫−])`)

// plain is a number with a mark of decimals, which is no formula.
var plain = regexp.MustCompile(`^[+-]?[0-9]+([.,][0-9]+)?$`)

// harmless keeps a spreadsheet from taking a person's words for a formula: an apostrophe stands
// before what would begin one.
func harmless(cell string) string {
	if plain.MatchString(cell) {
		return cell
	}
	return formula.ReplaceAllString(cell, "$1$2'$3")
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func cents(c money.Cents) string { return strconv.FormatInt(int64(c), 10) }
