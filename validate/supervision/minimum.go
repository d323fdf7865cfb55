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
func (j *judge) minimumGames() *round.Error {
	for _, game := range slices.Sorted(maps.Keys(j.rec.AuthorisedMin)) {
		if j.norm.Games[game] == nil {
			return round.Malformed("authorised_min."+game, "write a game of the norm", "%s has no game %q", j.norm.Code, game)
		}
	}
	for i, game := range j.rec.WaivedMinimum {
		if j.norm.Games[game] == nil {
			return round.Malformed(fmt.Sprintf("waived_minimum[%d]", i), "write a game of the norm", "%s has no game %q", j.norm.Code, game)
		}
	}
	return nil
}

// minimum finds games of which no open table stands at the authorised minimum. A
// game is judged only when the minimum of each of its open tables is known.
func (j *judge) minimum() {
	seen := map[string]bool{}
	for i := range j.tables {
		game := j.tables[i].Game
		if seen[game] {
			continue
		}
		seen[game] = true
		at := slices.IndexFunc(j.rules.Minimum, func(m Minimum) bool { return m.Game == game })
		authorised, known := j.rec.AuthorisedMin[game]
		lowest, all := j.lowest(game)
		if at < 0 || !known || !all || lowest <= authorised || slices.Contains(j.rec.WaivedMinimum, game) {
			continue
		}
		j.add(room.Finding{Code: finding.MinimumNotOffered, Game: game, Limit: &authorised, Actual: &lowest, Rule: j.cite(j.rules.Minimum[at].Rule)})
	}
}

// lowest is the lowest minimum of a game's open tables; all tells that there are
// some, and that the minimum of each is known.
func (j *judge) lowest(game string) (lowest int, all bool) {
	for i := range j.tables {
		t := &j.tables[i]
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
