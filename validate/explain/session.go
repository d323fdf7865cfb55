package explain

import (
	"encoding/json"
	"fmt"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/session"
)

// Happening says what a finding of a table's session found; the article stands beside it.
func Happening(lang, table string, f *session.Finding) string {
	say := text(finding.Of(f.Code).Session.Said)
	if say.ES == "" {
		return string(f.Code)
	}
	lasted := int64(0)
	if f.From != nil && f.To != nil {
		lasted = *f.To - *f.From
	}
	return strings.NewReplacer("{t}", table, "{j}", f.Jefe, "{o}", f.Table, "{r}", f.Role, "{c}", f.Card, "{w}", f.What,
		"{e€}", sum(f.Expected), "{a€}", sum(f.Observed), "{e}", plainValue(f.Expected), "{a}", plainValue(f.Observed),
		"{s}", fmt.Sprint(lasted)).Replace(say.in(lang))
}

// sum is an amount as money, anything else as it is.
func sum(v any) string {
	if n, ok := v.(int64); ok {
		return money.Cents(n).String()
	}
	return plainValue(v)
}

func plainValue(v any) string {
	if raw, ok := v.(json.RawMessage); ok && string(raw) == string(round.Null) || v == nil {
		return "–"
	}
	return fmt.Sprint(v)
}
