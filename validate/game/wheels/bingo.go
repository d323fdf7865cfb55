package wheels

import (
	"fmt"
	"slices"
	"strconv"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// Bingo is read for its drawing and its claims only; it moves no money here.
type Bingo struct {
	Balls      int            `yaml:"balls" json:"balls"`
	Prizes     map[string]int `yaml:"prizes" json:"prizes"`                   // numbers of each prize
	Correction bool           `yaml:"correction" json:"correction,omitempty"` // a wrong call may be set right before the next ball
}

func (b *Bingo) check() error {
	if b.Balls < 1 {
		return fmt.Errorf("bingo.balls: want a positive number")
	}
	return nil
}

func (*Bingo) play(settings) play { return nil }

// drawn is one ball and the events until the next.
type drawn struct {
	ball       string
	event, end int
}

// bingo judges a whole drawing.
func (t *table) bingo(r *Bingo) (round.Verdict, error) {
	var balls []drawn
	for i, e := range game.Each(t.ev, round.Ball) {
		if n, err := strconv.Atoi(e.Pocket); e.Pocket != "??" &&
			(err != nil || n < 1 || n > r.Balls || strconv.Itoa(n) != e.Pocket) {
			return round.Verdict{}, round.Malformed(round.At(i, "pocket"), fmt.Sprintf("write 1 to %d", r.Balls), "no such ball %q", e.Pocket)
		}
		if len(balls) > 0 {
			balls[len(balls)-1].end = i
		}
		balls = append(balls, drawn{e.Pocket, i, len(t.ev)})
	}
	seen := map[string]bool{}
	for _, d := range balls {
		if t.unread(d) {
			t.At(d.event, finding.NotObservable)
			continue
		}
		if seen[d.ball] {
			t.At(d.event, finding.OtherProcedure)
		}
		seen[d.ball] = true
		t.ballCall(r, d)
	}
	err := t.claims(r)
	return round.Verdict{Result: map[string]any{"balls": len(seen)}, Findings: t.List()}, err
}

func (t *table) unread(d drawn) bool {
	return d.ball == "??" || t.ev[d.event].Confidence() < t.set.minConf
}

// ballCall judges how one ball was called before the next.
func (t *table) ballCall(r *Bingo, d drawn) {
	called := false
	var wrong []int
	for i := d.event + 1; i < d.end; i++ {
		e := &t.ev[i]
		if !e.Is("number") {
			continue
		}
		if !called {
			t.speaker(i)
		}
		called = true
		if string(e.Number) == d.ball {
			if r.Correction {
				wrong = nil
			}
		} else {
			wrong = append(wrong, i)
		}
	}
	for _, i := range wrong {
		t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.AnnouncementWrong, Event: i, Expected: d.ball,
			Observed: string(t.ev[i].Number)})
	}
	pending := d.end == len(t.ev) && !t.closed // the last ball may still be called
	if !called && !pending && t.rules.Calls["number"].Mandatory {
		t.missing("number", t.rules.Articles.Conduct)
	}
}

// claims compares what the jefe says of a claim with the balls drawn so far.
func (t *table) claims(r *Bingo) error {
	type key struct {
		seat  int
		prize string
	}
	claimed := map[key][]int{}
	var out []string
	blind := false
	for i := range t.ev {
		e := &t.ev[i]
		k := key{e.Seat, e.Prize}
		switch {
		case e.Type == round.Ball:
			blind = blind || t.unread(drawn{ball: e.Pocket, event: i})
			out = append(out, e.Pocket)
		case e.Is("claim"):
			if n, ok := r.Prizes[e.Prize]; !ok || len(e.Numbers) != n {
				return round.Malformed(round.At(i, "numbers"), "a line has 5 numbers and a bingo 15", "%d numbers for the prize %q", len(e.Numbers), e.Prize)
			}
			for j, n := range e.Numbers {
				if n < 1 || n > r.Balls || slices.Contains(e.Numbers[:j], n) {
					return round.Malformed(fmt.Sprintf("%s[%d]", round.At(i, "numbers"), j), fmt.Sprintf("write distinct numbers from 1 to %d", r.Balls), "%d is no such number", n)
				}
			}
			claimed[k] = e.Numbers
		case e.Is("claim_result"):
			if e.OK == nil {
				return round.Malformed(round.At(i, "ok"), "write true or false", "missing")
			}
			numbers, ok := claimed[k]
			if !ok || blind {
				continue
			}
			good := !slices.ContainsFunc(numbers, func(n int) bool { return !slices.Contains(out, strconv.Itoa(n)) })
			if good != *e.OK {
				t.add(t.rules.Articles.Conduct, round.Finding{Code: finding.AnnouncementWrong, Event: i, Seat: e.Seat,
					Expected: good, Observed: *e.OK})
			}
		}
	}
	return nil
}
