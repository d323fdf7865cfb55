package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	words "vision/internal/text"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
	"vision/validate/rulebook"
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

// Charge is what a jefe de mesa has in charge; empty where it is not known.
type Charge struct{ Tables, Games []string }

// ChargeOf is what a jefe has in charge by a record: his open tables, and the
// games played at them.
func ChargeOf(rec *room.Record, jefe string) Charge {
	var c Charge
	for _, t := range rec.Tables {
		mine := slices.ContainsFunc(rec.Assignments, func(a room.Assignment) bool {
			return a.Jefe == jefe && slices.Contains(a.Tables, t.ID)
		})
		if !t.Open || !mine {
			continue
		}
		c.Tables = append(c.Tables, t.ID)
		if !slices.Contains(c.Games, t.Game) {
			c.Games = append(c.Games, t.Game)
		}
	}
	return c
}

// Duties says what findings of supervision found; games are named as their norm names them.
type Duties struct{ Books *rulebook.Books }

// Say says a finding with what the jefe has in charge by the record that was judged.
func (d Duties) Say(lang string, rec *room.Record, f *room.Finding) string {
	return duty(lang, f, ChargeOf(rec, f.Jefe), func(code string) string { return d.game(lang, rec.Norm, code) })
}

// game is the name of a norm's game; of one that the norm does not have, its code in words.
func (d Duties) game(lang, norm, code string) string {
	_, g, err := d.Books.Game(norm, code)
	if err != nil {
		return strings.ReplaceAll(code, "_", " ")
	}
	return words.Text(g.Name).In(lang)
}

// several stands for the tables in charge where they are not known.
var several = text{"sus mesas", "their tables"}

// cents writes a number of cents as money, "" where there is none.
func cents(lang string, n *int) string {
	if n == nil {
		return ""
	}
	return Amount(lang, money.Cents(*n))
}

// duty says what a finding of supervision found; the article stands beside it, named
// names a game: «ana tiene 5 mesas (B1, B2, B3, B4, B5) y la norma le permite 4».
func duty(lang string, f *room.Finding, c Charge, named func(game string) string) string {
	k := finding.Of(f.Code)
	say := text(k.Room.Said)
	if k.Room.Whole.ES != "" && f.Table == "" {
		say = text(k.Room.Whole)
	}
	if say.ES == "" {
		return string(f.Code)
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	bracketed := func(list []string) string {
		if len(list) == 0 {
			return ""
		}
		return " (" + strings.Join(list, ", ") + ")"
	}
	these := several.in(lang)
	if len(c.Tables) > 0 {
		these = strings.Join(c.Tables, ", ")
	}
	games := make([]string, len(c.Games))
	for i, g := range c.Games {
		games[i] = named(g)
	}
	return strings.NewReplacer("{j}", f.Jefe, "{t}", f.Table, "{g}", named(f.Game),
		"{l€}", cents(lang, f.Limit), "{a€}", cents(lang, f.Actual), "{r}", f.Role, "{l}", number(f.Limit), "{a}", number(f.Actual),
		"{these}", these, "{(these)}", bracketed(c.Tables), "{(games)}", bracketed(games)).Replace(say.in(lang))
}
