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

// WriteCSV writes one part of an acta as comma-separated values with a line of names.
// Times are RFC 3339, amounts cents.
func (a *Acta) WriteCSV(w io.Writer, part string) error {
	rows, err := a.rows(part)
	if err != nil {
		return err
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

func (a *Acta) rows(part string) ([][]string, error) {
	var rows [][]string
	add := func(cells ...string) { rows = append(rows, cells) }
	switch part {
	case "findings":
		add("table", "at", "kind", "code", "severity", "rule", "round", "seat", "spot", "amount", "probability", "raised", "resolved", "acknowledged", "by", "outcome", "note")
	case "condition":
		add("table", "from", "to", "state", "recorded", "breaches")
	case "supervision":
		add("table", "from", "to", "known", "open", "jefe", "tables")
	case "recordings":
		add("table", "camera", "what", "from", "to")
	case "rounds":
		add("table", "judged", "in_order", "with_findings", "not_verifiable", "collected", "paid", "commission", "for_house", "against_house")
	default:
		return nil, fmt.Errorf("acta: part %q: want one of %v", part, Parts)
	}
	for i := range a.Tables {
		t := &a.Tables[i]
		switch part {
		case "findings":
			for _, f := range t.Findings {
				add(t.ID, stamp(f.At), f.Kind, f.Code, f.Severity, f.Rule, f.Round, strconv.Itoa(f.Seat), f.Spot, cents(f.Amount),
					strconv.FormatFloat(f.Probability, 'f', 3, 64), stamp(f.Raised), stamp(f.Resolved), stamp(f.Acknowledged), f.By,
					f.Outcome, f.Note)
			}
		case "condition":
			for _, c := range t.Condition {
				var b []string
				for _, x := range c.Breaches {
					b = append(b, x.Code+" ("+x.Rule+")")
				}
				add(t.ID, stamp(c.From), stamp(c.To), string(c.State), strconv.FormatBool(c.Recorded), strings.Join(b, "; "))
			}
		case "supervision":
			for _, s := range t.Supervision {
				add(t.ID, stamp(s.From), stamp(s.To), strconv.FormatBool(s.Known), strconv.FormatBool(s.Open), s.Jefe,
					strconv.Itoa(s.Tables))
			}
		case "recordings":
			for _, c := range t.Cameras {
				for _, g := range c.Gaps {
					add(t.ID, c.Camera, "gap", stamp(g.From), stamp(g.To))
				}
				for _, g := range c.Pending {
					add(t.ID, c.Camera, "pending", stamp(g.From), stamp(g.To))
				}
				for _, g := range c.Removed {
					add(t.ID, c.Camera, "removed", stamp(g.From), stamp(g.To))
				}
			}
			for _, u := range t.Unread {
				add(t.ID, u.Camera, "unread", stamp(u.From), stamp(u.To))
			}
		case "rounds":
			r, m := &t.Rounds, &t.Money
			add(t.ID, strconv.Itoa(r.Judged), strconv.Itoa(r.InOrder), strconv.Itoa(r.WithFindings),
				strconv.Itoa(r.NotVerifiable), cents(m.Collected), cents(m.Paid), cents(m.Commission), cents(m.ForHouse),
				cents(m.AgainstHouse))
		}
	}
	return rows, nil
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func cents(c money.Cents) string { return strconv.FormatInt(int64(c), 10) }
