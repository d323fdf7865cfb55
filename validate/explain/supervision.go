package explain

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"vision/validate/supervision"
)

// duties are what the findings of supervision say: {j} the jefe de mesa, {t}
// the table, {r} the role, {l} the limit and {a} what was seen.
var duties = map[string]text{
	"recording_required": {"La mesa {t}, a cargo de {j} con otras, no se graba",
		"Table {t}, under {j} together with others, is not recorded"},
	"not_contiguous": {"Las mesas a cargo de {j} no son contiguas", "The tables under {j} do not stand side by side"},
	"mixed_games_not_allowed": {"{j} tiene a su cargo mesas de juegos que no pueden ir juntos",
		"{j} is in charge of tables of games that may not go together"},
	"not_homogeneous": {"{j} tiene a su cargo mesas de un mismo juego que no pueden ir juntas",
		"{j} is in charge of tables of one game that may not go together"},
	"too_many_tables": {"{j} tiene a su cargo {a} mesas; el máximo es {l}", "{j} is in charge of {a} tables; the maximum is {l}"},
	"no_jefe":         {"La mesa {t} está abierta y nadie la tiene a su cargo", "Table {t} is open and nobody is in charge of it"},
	"staff_missing":   {"En la mesa {t} hay {a} de {r}; el mínimo es {l}", "Table {t} has {r}: {a}; the minimum is {l}"},
	"staff_excess":    {"En la sala hay {a} de {r}; el máximo es {l}", "The room has {r}: {a}; the maximum is {l}"},
}

// DutyCodes are the codes of supervision, sorted.
func DutyCodes() []string { return slices.Sorted(maps.Keys(duties)) }

// room says it where no table is named.
var room = map[string]text{
	"staff_missing": {"En la sala hay {a} de {r}; el mínimo es {l}", "The room has {r}: {a}; the minimum is {l}"},
}

// Duty says what a finding of supervision found and by which article:
// «ana tiene a su cargo 5 mesas; el máximo es 4 (cantabria-2010 A.4 L736-742)».
func Duty(lang string, f *supervision.Finding) string {
	say, ok := duties[f.Code]
	if other, there := room[f.Code]; there && f.Table == "" {
		say = other
	}
	if !ok {
		say = text{f.Code, f.Code}
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	s := strings.NewReplacer("{j}", f.Jefe, "{t}", f.Table, "{r}", f.Role, "{l}", number(f.Limit), "{a}", number(f.Actual)).Replace(say.in(lang))
	if f.Rule != "" {
		s += " (" + f.Rule + ")"
	}
	return s
}
