package supervision

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Room is what a norm and its house say of jefes and staff, for whoever follows
// tables through time instead of judging one record.
type Room struct {
	norm    *rulebook.Norm
	rules   *Rules
	options room.Options
}

// RoomOf is the room of a norm; its error is that the norm has no section on supervision.
func RoomOf(norm *rulebook.Norm, o room.Options) (Room, *round.Error) {
	rules, ok := norm.Supervision.(*Rules)
	if !ok {
		return Room{}, round.Malformed("norm", "add one to "+norm.File, "%s has no section on supervision", norm.Code)
	}
	return Room{norm: norm, rules: rules, options: o}, nil
}

// Variant is the variant of a table, the game's first where none is named. It
// refuses games and variants that the norm does not have; at is the path of the
// table in its record, with a full stop.
func (j Room) Variant(at, game, variant string) (string, *round.Error) {
	allowed := j.rules.Variants[game]
	switch {
	case j.norm.Games[game] == nil:
		return "", round.Malformed(at+"game", "write a game of the norm", "%s has no game %q", j.norm.Code, game)
	case variant == "" && len(allowed) > 0:
		return allowed[0], nil
	case variant != "" && len(allowed) == 0:
		return "", round.Malformed(at+"variant", "leave it out", "%s has no variants in %s", game, j.norm.Code)
	case variant != "" && !slices.Contains(allowed, variant):
		return "", round.Malformed(at+"variant", "write one of "+strings.Join(allowed, ", "), "unknown variant %q", variant)
	}
	return variant, nil
}

// NeedsJefe reports whether a table of a game needs a jefe de mesa.
func (j Room) NeedsJefe(game string) bool {
	return !j.rules.Jefe.Nowhere && !slices.Contains(j.rules.Jefe.Except, game)
}

// Counts reports whether a table of a game counts among those that a jefe has:
// those that need one, and all of them where the norm asks for none.
func (j Room) Counts(game string) bool { return j.rules.Jefe.Nowhere || j.NeedsJefe(game) }

// Nowhere reports whether the norm asks for no jefe at any table.
func (j Room) Nowhere() bool { return j.rules.Jefe.Nowhere }

// Group judges the open tables of one jefe that count. Besides its findings it
// gives the rule of the class, or of the span, by which they were judged; "" where
// there is none.
func (j Room) Group(jefe string, tables []*room.Table) (found []room.Finding, class string) {
	x := &examination{Room: j}
	x.group(room.Assignment{Jefe: jefe}, tables)
	return x.found, x.class
}

// Recorded reports whether a state of recording counts as recorded.
func (j Room) Recorded(state room.Recording) bool { return j.recorded(&room.Table{Recording: state}) }

// Need is the least number of persons of one role at a table.
type Need struct {
	Role  string
	Least int
	Rule  string
}

// Least is the least staff of a table by role, in the order of room.Roles; what the
// Dirección de juegos dispenses with is taken off.
func (j Room) Least(t *room.Table) []Need {
	row := j.rules.staff(t)
	if row == nil {
		return nil
	}
	rule := cmp.Or(row.Rule, j.gameRule(t))
	var needs []Need
	for _, role := range room.Roles {
		least := row.Least[role]
		if w, ok := row.Waived[role]; ok && slices.Contains(t.Waived, role) {
			least = w
		}
		if least > 0 {
			needs = append(needs, Need{role, least, j.cite(rule)})
		}
	}
	return needs
}

// Minimum demands that of a game's open tables one is at the authorised minimum.
type Minimum struct {
	Game string `yaml:"game" json:"game,omitempty"`
	Rule string `yaml:"rule" json:"rule,omitempty"`
}

// minimumGames refuses games that the norm does not have.
func (x *examination) minimumGames() *round.Error {
	for _, game := range slices.Sorted(maps.Keys(x.rec.AuthorisedMin)) {
		if x.norm.Games[game] == nil {
			return round.Malformed("authorised_min."+game, "write a game of the norm", "%s has no game %q", x.norm.Code, game)
		}
	}
	for i, game := range x.rec.WaivedMinimum {
		if x.norm.Games[game] == nil {
			return round.Malformed(fmt.Sprintf("waived_minimum[%d]", i), "write a game of the norm", "%s has no game %q", x.norm.Code, game)
		}
	}
	return nil
}

// minimum finds games of which no open table stands at the authorised minimum. A
// game is judged only when the minimum of each of its open tables is known.
func (x *examination) minimum() {
	seen := map[string]bool{}
	for i := range x.tables {
		game := x.tables[i].Game
		if seen[game] {
			continue
		}
		seen[game] = true
		at := slices.IndexFunc(x.rules.Minimum, func(m Minimum) bool { return m.Game == game })
		authorised, known := x.rec.AuthorisedMin[game]
		lowest, all := x.lowest(game)
		if at < 0 || !known || !all || lowest <= authorised || slices.Contains(x.rec.WaivedMinimum, game) {
			continue
		}
		x.add(room.Finding{Code: finding.MinimumNotOffered, Game: game, Limit: &authorised, Actual: &lowest,
			Rule: x.cite(x.rules.Minimum[at].Rule)})
	}
}

// lowest is the lowest minimum of a game's open tables; all tells that there are
// some, and that the minimum of each is known.
func (x *examination) lowest(game string) (lowest int, all bool) {
	for i := range x.tables {
		t := &x.tables[i]
		switch {
		case !t.Open || t.Game != game:
		case t.Min == nil:
			return 0, false
		case !all || *t.Min < lowest:
			lowest, all = *t.Min, true
		}
	}
	return lowest, all
}
