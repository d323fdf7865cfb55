package supervision

import (
	"fmt"
	"maps"
	"slices"

	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
)

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
