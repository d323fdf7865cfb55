package explain

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/supervision"
)

// Charge is what a jefe de mesa has in charge; empty where it is not known.
type Charge struct{ Tables, Games []string }

// ChargeOf is what a jefe has in charge by a record: his open tables, and the
// games played at them.
func ChargeOf(rec *supervision.Record, jefe string) Charge {
	var c Charge
	for _, t := range rec.Tables {
		mine := slices.ContainsFunc(rec.Assignments, func(a supervision.Assignment) bool {
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

// duties are what the findings of supervision say: {j} the jefe de mesa, {t}
// the table, {g} the game, {r} the role, {l} the limit, {a} what was seen, {l€} and
// {a€} the same as money; {these} the tables
// in charge, {(these)} and {(games)} the same in brackets, where they are known.
var duties = map[finding.Code]text{
	finding.RecordingRequired: {"La mesa {t} no se graba: sin grabación de cada mesa {j} no puede supervisar {these}",
		"Table {t} is not recorded: without a recording of each table {j} may not supervise {these}"},
	finding.NotContiguous: {"Las mesas de {j}{(these)} no son contiguas, y la norma lo exige",
		"The tables of {j}{(these)} do not adjoin each other, as the norm demands"},
	finding.MixedGamesNotAllowed: {"{j} no puede supervisar juntas {these}: la norma no deja unir esos juegos{(games)}",
		"{j} may not supervise {these} together: the norm does not let these games be joined{(games)}"},
	finding.NotHomogeneous: {"{j} no puede supervisar juntas {these}: son variantes distintas de un juego",
		"{j} may not supervise {these} together: they are different variants of one game"},
	finding.TooManyTables: {"{j} tiene {a} mesas{(these)} y la norma le permite {l}", "{j} has {a} tables{(these)}; the norm allows {l}"},
	finding.NoJefe:        {"La mesa {t} está abierta sin jefe de mesa", "Table {t} is open without a jefe de mesa"},
	finding.StaffMissing:  {"Falta personal en la mesa {t}: {r} {a}, mínimo {l}", "Staff is missing at table {t}: {r} {a}, at least {l}"},
	finding.MinimumNotOffered: {"Ninguna mesa abierta de {g} ofrece el mínimo autorizado, {l€}: el más bajo es {a€}",
		"No open table of {g} offers the authorised minimum, {l€}: the lowest is {a€}"},
	finding.StaffExcess: {"Sobra personal en la sala: {r} {a}, máximo {l}", "Too many staff in the room: {r} {a}, at most {l}"},
}

// DutyCodes are the codes of supervision, sorted.
func DutyCodes() []finding.Code { return slices.Sorted(maps.Keys(duties)) }

// room says it where no table is named.
var room = map[finding.Code]text{
	finding.StaffMissing: {"Falta personal en la sala: {r} {a}, mínimo {l}", "Staff is missing in the room: {r} {a}, at least {l}"},
}

// several stands for the tables in charge where they are not known.
var several = text{"sus mesas", "their tables"}

// cents writes a number of cents as money, "" where there is none.
func cents(n *int) string {
	if n == nil {
		return ""
	}
	return money.Cents(*n).String()
}

// Duty says what a finding of supervision found; the article stands beside it:
// «ana tiene 5 mesas (B1, B2, B3, B4, B5) y la norma le permite 4».
func Duty(lang string, f *supervision.Finding, c Charge) string {
	say, ok := duties[f.Code]
	if other, there := room[f.Code]; there && f.Table == "" {
		say = other
	}
	if !ok {
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
		games[i] = strings.ReplaceAll(g, "_", " ")
	}
	return strings.NewReplacer("{j}", f.Jefe, "{t}", f.Table, "{g}", strings.ReplaceAll(f.Game, "_", " "), "{l€}", cents(f.Limit), "{a€}", cents(f.Actual), "{r}", f.Role, "{l}", number(f.Limit), "{a}", number(f.Actual),
		"{these}", these, "{(these)}", bracketed(c.Tables), "{(games)}", bracketed(games)).Replace(say.in(lang))
}
