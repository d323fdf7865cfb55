package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"vision/internal/lab/sim/script"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// Result of one table's trial.
type Result struct {
	Game string `json:"game"`
	Seed uint64 `json:"seed"`
	// Conditions is the name of those under which it was played.
	Conditions string `json:"conditions,omitempty"`
	// Commit is that of the program, where the measurement is kept.
	Commit string  `json:"commit,omitempty"`
	Rounds []Round `json:"rounds"`
	// Stray are alerts and rounds that belong to no round played.
	Stray []string `json:"stray,omitempty"`
	// Disputed is what the simulator and the rules say differently of a true record.
	Disputed []string `json:"disputed,omitempty"`
}

// Round is one round played, against what was told of it.
type Round struct {
	Fault string `json:"fault,omitempty"`
	// Mishap is what came to a clean round; of an abandoned one nothing is to be told.
	Mishap script.Mishap `json:"mishap,omitempty"`
	Took   float64       `json:"took"`  // seconds of the table's time
	Told   int           `json:"told"`  // rounds told of it: 1 where all is well
	Exact  bool          `json:"exact"` // the record is the true one, times apart
	Dark   string        `json:"dark,omitempty"`
	Want   []Finding     `json:"want"`  // what the rules find in the true record
	Got    []Finding     `json:"got"`   // what was raised as an alert, once each
	Notes  []Finding     `json:"notes"` // found, and too unsure for an alert
	// Back is what was raised while a payment lay wrong, and taken back when it was put right.
	Back []Finding `json:"back,omitempty"`
	// Played and Record are the events, one line of JSON each; empty where equal.
	Played []string `json:"played,omitempty"`
	Record []string `json:"record,omitempty"`
}

// Finding is one finding, with what is compared of it.
type Finding struct {
	Code     finding.Code `json:"code"`
	Seat     int          `json:"seat,omitempty"`
	Spot     string       `json:"spot,omitempty"`
	Zone     string       `json:"zone,omitempty"`
	Expected string       `json:"expected,omitempty"`
	Observed string       `json:"observed,omitempty"`
	P        float64      `json:"p,omitempty"`
	// Raised is how often it was raised; more than once is a mistake.
	Raised int `json:"raised,omitempty"`
	// Rest and Alert are seconds since the start of the trial: of the act that
	// made it so, and of the alert. At is when the tracker has it that it was done.
	// Known is the soonest moment at which one who sees and hears the whole table can know
	// it: that act, or one that came later.
	Rest  float64 `json:"rest,omitempty"`
	Known float64 `json:"known,omitempty"`
	Alert float64 `json:"alert,omitempty"`
	At    float64 `json:"at,omitempty"`
}

// Same tells that two findings say the same of the same money.
func (f Finding) Same(o Finding) bool {
	return f.about() == o.about() && f.Expected == o.Expected && f.Observed == o.Observed
}

func (f Finding) about() string { return fmt.Sprint(f.Code, "/", f.Seat, "/", f.Spot, "/", f.Zone) }

func (f Finding) String() string {
	return fmt.Sprintf("%s want %s got %s p %.2f", f.about(), f.Expected, f.Observed, f.P)
}

func findingOf(f round.Finding) Finding {
	return Finding{Code: f.Code, Seat: f.Seat, Spot: f.Spot, Zone: f.Zone, Expected: text(f.Expected),
		Observed: text(f.Observed)}
}

func text(v any) string {
	if v == nil {
		return ""
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// compare holds what was told against the truth, round by round.
func compare(cfg Config, books *rulebook.Books, truths []truth, said []told, opened []time.Time) (*Result, error) {
	r := &Result{Game: cfg.Game, Seed: cfg.Seed, Conditions: cfg.Condition.Name}
	var carry json.RawMessage
	for _, t := range truths {
		one := Round{Took: t.to.Sub(t.from).Seconds(), Fault: string(t.Fault), Mishap: t.Mishap,
			Played: lines(t.Record.Events)}
		if t.Mishap == script.Abandoned {
			one.Exact = true // unless it is told
			r.Rounds = append(r.Rounds, one)
			continue
		}
		rec := t.Record
		rec.Carry = carry
		v, err := validate.Check(books, &rec)
		if err != nil {
			return nil, fmt.Errorf("the true record of round %d: %w", len(r.Rounds)+1, err)
		}
		r.Disputed = append(r.Disputed, disputed(t.Truth, v.Findings)...)
		if carry, err = v.Carry(); err != nil {
			return nil, err
		}
		for _, f := range v.Findings {
			w := findingOf(f)
			w.Rest = t.from.Sub(Start).Seconds() + rec.Events[f.Event].T
			w.Known = known(t, rec, f, opened)
			one.Want = append(one.Want, w)
		}
		r.Rounds = append(r.Rounds, one)
	}
	ids := map[string]int{} // of the records, to the round played
	for _, s := range said {
		if got, ok := s.out.(*track.Round); ok {
			r.told(got, s.at, truths, ids)
		}
	}
	back := map[string]bool{}
	for _, s := range said {
		if a, ok := s.out.(*track.Alert); ok && a.State == track.Corrected {
			back[a.Round+findingOf(a.Finding).about()] = true
		}
	}
	for _, s := range said {
		if a, ok := s.out.(*track.Alert); ok && a.State == track.Raised {
			r.alerted(a, back[a.Round+findingOf(a.Finding).about()], s.at, truths, ids)
		}
	}
	for i := range r.Rounds {
		if one := &r.Rounds[i]; one.Exact {
			one.Played, one.Record = nil, nil
		}
	}
	return r, nil
}

// known is when a finding of a true record can be known first, in seconds since the start
// of the trial: with its act. But that something was left out is known where no cards are
// taken up when the croupier goes on to the next round, for nothing is seen of the end of
// this one; that a hand should have stood when the cards that lie face down are turned; and
// that what was pushed to a seat was for a bet that lost when all of the seat's winning bets
// are paid: until then it may be theirs, paid wrongly or in parts.
func known(t truth, rec round.Record, f round.Finding, opened []time.Time) float64 {
	since, e := t.from.Sub(Start).Seconds(), rec.Events[f.Event]
	dealt := slices.ContainsFunc(rec.Events, func(e round.Event) bool { return e.Type == round.CardDealt })
	switch {
	case f.Code == finding.PayoutToLoser && !dealt && rec.Game != "dados_craps": // there it lies beside its bet
		for _, p := range slices.Backward(rec.Events[f.Event+1:]) {
			if p.Type == round.Pay && p.Seat == f.Seat {
				return since + p.T
			}
		}
	case e.Type == round.Clear && !dealt:
		for _, at := range opened {
			if next := at.Sub(Start).Seconds(); next > since+e.T {
				return next
			}
		}
	case f.Code == finding.DrewMustStand:
		for _, r := range rec.Events[f.Event:] {
			if r.Type == round.Reveal && r.Zone == f.Zone {
				return since + r.T
			}
		}
	}
	return since + e.T
}

// told takes in a finished round.
func (r *Result) told(got *track.Round, at time.Time, truths []truth, ids map[string]int) {
	i := overlap(got.Start, got.End, truths)
	if i < 0 {
		if !got.Start.Before(truths[len(truths)-1].to.Add(-time.Second)) {
			return // the beginning of a round that is not played to its end
		}
		r.Stray = append(r.Stray, "round "+got.Record.ID)
		return
	}
	ids[got.Record.ID] = i
	one := &r.Rounds[i]
	one.Told++
	one.Dark = got.NotVerifiable
	one.Record = lines(got.Record.Events)
	one.Exact = one.Told == 1 && one.Mishap != script.Abandoned && slices.Equal(one.Record, one.Played)
	for _, f := range got.Findings {
		if f.Alert {
			r.raise(i, f, at)
		} else {
			n := findingOf(f.Finding)
			n.P = f.P
			one.Notes = append(one.Notes, n)
		}
	}
}

// alerted takes in an alert of a running round, and whether it was taken back.
func (r *Result) alerted(a *track.Alert, back bool, at time.Time, truths []truth, ids map[string]int) {
	i, ok := ids[a.Round]
	if !ok {
		if !a.At.Before(truths[len(truths)-1].to) {
			return // of a round that is not played to its end: its truth is not known
		}
		r.Stray = append(r.Stray, fmt.Sprint("alert of ", a.Round, ": ", findingOf(a.Finding)))
		return
	}
	if one := &r.Rounds[i]; back && one.Mishap == script.PutRight {
		one.Back = append(one.Back, findingOf(a.Finding))
		return
	}
	r.raise(i, a.Judged, at)
}

// raise takes in an alert; one that is raised early and stands in the finished
// round too is the same.
func (r *Result) raise(i int, j track.Judged, at time.Time) {
	f := findingOf(j.Finding)
	f.P, f.Raised, f.Alert, f.At = j.P, 1, at.Sub(Start).Seconds(), j.At.Sub(Start).Seconds()
	one := &r.Rounds[i]
	for k := range one.Got {
		if g := &one.Got[k]; g.about() == f.about() {
			g.Alert = min(g.Alert, f.Alert)
			if g.Expected != f.Expected || g.Observed != f.Observed {
				g.Raised++
			}
			return
		}
	}
	one.Got = append(one.Got, f)
}

// overlap is the round played that shares the most time with a span; -1: none.
func overlap(from, to time.Time, truths []truth) int {
	best, most := -1, time.Duration(0)
	for i, t := range truths {
		a, b := from, to
		if t.from.After(a) {
			a = t.from
		}
		if t.to.Before(b) {
			b = t.to
		}
		if d := b.Sub(a); d > most {
			best, most = i, d
		}
	}
	return best
}

// lines are events without times and confidences. Bets that follow one another,
// like collections and payments, are sorted: a hand lays several at once, and no
// camera sees in which order; nor have dice any.
func lines(events []round.Event) []string {
	var out []string
	from := 0
	for i, e := range events {
		if i > 0 && (e.Type != events[from].Type || !loose(e.Type)) {
			slices.Sort(out[from:])
			from = i
		}
		e.T, e.Conf, e.Faces = 0, nil, slices.Sorted(slices.Values(e.Faces))
		out = append(out, text(e))
	}
	slices.Sort(out[from:])
	return out
}

func loose(t round.Type) bool {
	return t == round.Bet || t == round.Withdraw || t == round.Collect || t == round.Pay
}
