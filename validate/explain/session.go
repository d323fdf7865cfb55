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
	value := func(v any) string { return inWords(lang, plainValue(v)) }
	if f.What == "min" { // of an announcement: money
		value = func(v any) string { return sum(lang, v) }
	}
	return strings.NewReplacer("{t}", table, "{j}", f.Jefe, "{o}", f.Table, "{r}", inWords(lang, f.Role), "{c}", f.Card,
		"{w}", inWords(lang, f.What), "{e€}", sum(lang, f.Expected), "{a€}", sum(lang, f.Observed), "{e}", value(f.Expected),
		"{a}", value(f.Observed), "{s}", fmt.Sprint(lasted)).Replace(say.in(lang))
}

// sum is an amount as money, anything else as it is.
func sum(lang string, v any) string {
	if n, ok := v.(int64); ok {
		return Amount(lang, money.Cents(n))
	}
	return plainValue(v)
}

func plainValue(v any) string {
	if raw, ok := v.(json.RawMessage); ok && string(raw) == string(round.Null) || v == nil {
		return "–"
	}
	return fmt.Sprint(v)
}

// happenings has the words of the contract that findings of sessions are about.
var happenings = map[string]text{
	"last_rounds": {"las últimas jugadas", "the last rounds"}, "limits_change": {"el cambio de mínimo", "the change of the minimum"},
	"first_round": {"la primera jugada con el nuevo mínimo", "the first round at the new minimum"},
	"last":        {"jugadas que quedan", "rounds left"}, "min": {"mínimo", "minimum"},
	"time": {"duración, s", "time, s"}, "hands": {"manos", "hands"},
	"packs": {"barajas", "packs"}, "backs": {"dorsos", "backs"}, "indices": {"índices", "indices"}, "new": {"por estrenar", "new"},
	"replacement": {"carta de repuesto", "replacement"}, "count": {"dados", "dice"}, "set": {"juego de dados", "set of dice"},
	"closed": {"cerrada", "closed"}, "open": {"abierta", "open"}, "true": {"sí", "yes"}, "false": {"no", "no"},
	"locked": {"cerrado", "locked"}, "unlocked": {"sin cerrar", "unlocked"}, "removed": {"retirado", "removed"},
	"jefe": {"jefe de mesa", "jefe de mesa"}, "any": {"personal", "staff"},
}

var or = text{" o ", " or "}

// inWords says a word of the contract, or several of which one is right: "50|100".
func inWords(lang, word string) string {
	list := strings.Split(word, "|")
	for i, x := range list {
		if w, ok := happenings[x]; ok {
			list[i] = w.in(lang)
		}
	}
	if last := len(list) - 1; last > 0 {
		return strings.Join(list[:last], ", ") + or.in(lang) + list[last]
	}
	return list[0]
}
