package trial

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"vision/internal/lab/sim/script"
	"vision/internal/wilson"
	"vision/validate/finding"
)

// Score sums up trials of one game.
type Score struct {
	Game       string  `json:"game"`
	Rounds     int     `json:"rounds"`
	Minutes    float64 `json:"minutes"`     // of the tables' time
	Exact      int     `json:"exact"`       // records told exactly
	Dark       int     `json:"dark"`        // rounds not verifiable
	Clean      int     `json:"clean"`       // rounds without a discrepancy
	FalseClean int     `json:"false_clean"` // of those, with a false alert
	Wanted     int     `json:"wanted"`
	Found      int     `json:"found"` // raised with code, seat, spot and amounts
	Noted      int     `json:"noted"` // of those not raised: found as a note
	False      int     `json:"false"` // alerts that are not in the truth
	Stray      int     `json:"stray"`
	Disputed   int     `json:"disputed"` // findings on which simulator and rules differ
	// Codes are the same per finding code.
	Codes map[finding.Code]*Code `json:"codes"`
	// Mishaps are the clean rounds to which one came, by its name.
	Mishaps map[script.Mishap]*Mishap `json:"mishaps,omitempty"`
	// P50 and P95 are the delay from rest to alert in seconds of the table's time, Known95
	// is that from when it can be known.
	P50     float64 `json:"p50"`
	P95     float64 `json:"p95"`
	Known95 float64 `json:"known95"`

	delays, since []float64
}

// Code is the score of one finding code.
type Code struct {
	Wanted int     `json:"wanted"`
	Found  int     `json:"found"`
	Noted  int     `json:"noted"`
	False  int     `json:"false"`
	P50    float64 `json:"p50"`
	P95    float64 `json:"p95"`
	// Known95 is counted from when it can be known.
	Known95 float64 `json:"known95"`

	delays, since []float64
}

// Mishap is the score of the clean rounds to which one came.
type Mishap struct {
	Rounds int `json:"rounds"`
	Exact  int `json:"exact"`
	Back   int `json:"back"` // alerts of what lay wrong, taken back when it was put right
	False  int `json:"false"`
}

// Sum adds results up, one score per game in the order they come, and of several
// games one of all of them.
func Sum(results []*Result) []*Score {
	var out []*Score
	all := &Score{Game: "all", Codes: map[finding.Code]*Code{}, Mishaps: map[script.Mishap]*Mishap{}}
	for _, r := range results {
		all.add(r)
		i := slices.IndexFunc(out, func(s *Score) bool { return s.Game == r.Game })
		if i < 0 {
			i = len(out)
			out = append(out, &Score{Game: r.Game, Codes: map[finding.Code]*Code{}, Mishaps: map[script.Mishap]*Mishap{}})
		}
		out[i].add(r)
	}
	if len(out) > 1 {
		out = append(out, all)
	}
	for _, s := range out {
		s.P50, s.P95, s.Known95 = quantile(s.delays, 0.5), quantile(s.delays, 0.95), quantile(s.since, 0.95)
		for _, c := range s.Codes {
			c.P50, c.P95, c.Known95 = quantile(c.delays, 0.5), quantile(c.delays, 0.95), quantile(c.since, 0.95)
		}
	}
	return out
}

func (s *Score) code(name finding.Code) *Code {
	if s.Codes[name] == nil {
		s.Codes[name] = &Code{}
	}
	return s.Codes[name]
}

func (s *Score) add(r *Result) {
	s.Stray += len(r.Stray)
	s.Disputed += len(r.Disputed)
	for _, one := range r.Rounds {
		s.Rounds++
		s.Minutes += one.Took / 60
		if one.Exact {
			s.Exact++
		}
		if one.Dark != "" {
			s.Dark++
		}
		for _, w := range one.Want {
			s.want(w, one)
		}
		wrong := 0
		for _, g := range one.Got {
			if !slices.ContainsFunc(one.Want, g.Same) {
				wrong++
				s.code(g.Code).False++
			}
		}
		s.False += wrong
		s.upset(one, wrong)
		if len(one.Want) == 0 {
			s.Clean++
			s.FalseClean += min(wrong, 1)
		}
	}
}

// upset takes in a round to which a mishap came.
func (s *Score) upset(one Round, wrong int) {
	if one.Mishap == "" {
		return
	}
	m := s.Mishaps[one.Mishap]
	if m == nil {
		m = &Mishap{}
		s.Mishaps[one.Mishap] = m
	}
	m.Rounds++
	m.Back += len(one.Back)
	m.False += wrong
	if one.Exact {
		m.Exact++
	}
}

func (s *Score) want(w Finding, one Round) {
	c := s.code(w.Code)
	s.Wanted++
	c.Wanted++
	if i := slices.IndexFunc(one.Got, w.Same); i >= 0 {
		delay := one.Got[i].Alert - w.Rest
		s.Found++
		c.Found++
		since := delay
		if w.Known > w.Rest && one.Got[i].Alert >= w.Known { // what was known sooner all the same counts from the act
			since = one.Got[i].Alert - w.Known
		}
		s.delays, c.delays = append(s.delays, delay), append(c.delays, delay)
		s.since, c.since = append(s.since, since), append(c.since, since)
	} else if slices.ContainsFunc(one.Notes, w.Same) {
		s.Noted++
		c.Noted++
	}
}

// quantile of a list, 0 for an empty one.
func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[int(q*float64(len(list)-1)+0.5)]
}

// Print writes scores as tables for people.
func Print(w io.Writer, scores []*Score) error {
	_, err := fmt.Fprintf(w, "%-27s %6s %6s %6s %5s %6s | %7s %6s %6s | %6s %11s | %5s %5s %9s\n", "game", "rounds", "hours",
		"exact", "dark", "clean", "planted", "found", "noted", "false", "/1000 clean", "p50 s", "p95 s", "p95 known")
	for _, s := range scores {
		_, err = fmt.Fprintf(w, "%-27s %6d %6.2f %6d %5d %6d | %7d %6d %6d | %6d %11.1f | %5.1f %5.1f %9.1f\n", s.Game, s.Rounds, s.Minutes/60,
			s.Exact, s.Dark, s.Clean, s.Wanted, s.Found, s.Noted, s.False, 1000*float64(s.FalseClean)/float64(max(1, s.Clean)),
			s.P50, s.P95, s.Known95)
	}
	for _, s := range scores {
		for _, name := range slices.Sorted(maps.Keys(s.Codes)) {
			c := s.Codes[name]
			_, err = fmt.Fprintf(w, "  %-27s %-24s planted %3d found %3d noted %3d false %3d  p50 %5.1f p95 %5.1f known %5.1f\n",
				s.Game, name, c.Wanted, c.Found, c.Noted, c.False, c.P50, c.P95, c.Known95)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Mishaps)) {
			m := s.Mishaps[name]
			_, err = fmt.Fprintf(w, "  %-27s %-24s rounds  %3d exact %3d taken back %3d false %3d\n", s.Game, name, m.Rounds, m.Exact, m.Back, m.False)
		}
	}
	if len(scores) > 0 && err == nil {
		_, err = fmt.Fprint(w, scores[len(scores)-1].shares())
	}
	return err
}

// shares are the figures of a score by which it is judged, with their intervals.
func (s *Score) shares() string {
	out := fmt.Sprintf("records exact                    %s\nclean rounds with a false alert  %s\nmistakes found                   %s\nalerts that are right            %s\n",
		wilson.Percent(s.Exact, s.Rounds), wilson.PerMille(s.FalseClean, s.Clean), wilson.Percent(s.Found, s.Wanted),
		wilson.Percent(s.Found, s.Found+s.False))
	if s.Stray+s.Disputed > 0 {
		out += fmt.Sprintf("belong to no round: %d; simulator and rules differ: %d\n", s.Stray, s.Disputed)
	}
	return out
}
