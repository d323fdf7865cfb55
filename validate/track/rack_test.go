package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// wonAndPaid is a round in which punto wins, and seat 1 is paid so many chips of 5 € for its four; the rack,
// of one tube of such chips, was read before and after it unless left is 0. sure: of the payment's count the
// reader is sure.
func wonAndPaid(t *testing.T, paid, left int, sure bool) *track.Round {
	t.Helper()
	s, before, after := wonAndCounted(paid, sure)
	if left != 0 {
		read(s, fact.Tube{Rest: before.Add(-time.Second)},
			fact.Tube{Rest: after, Since: before.Add(-time.Second), Change: []fact.Change{{N: -left}, {N: 1 - left, LogP: -9}}})
	}
	return only(t, follow(trackerOf(t, "punto_banco", func(c *track.Config) {
		c.Racks = track.Racks{"front": {500}}
	}), s))
}

// wonAndCounted are the facts of such a round without a rack, and when the payments began and were done.
func wonAndCounted(paid int, sure bool) (s *tracktest.Session, before, after time.Time) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("seat:1 punto", "e5", 4)
	p.lay("seat:2 punto", "e5", 4)
	cards := p.naturalPunto()
	p.wait(2)
	began := p.now
	p.lay("seat:1 punto", "e5", paid)
	p.wait(2)
	p.lay("seat:2 punto", "e5", 4)
	p.wait(3)
	done := p.now
	p.wait(1)
	p.lift(cards...)
	s = session("punto_banco", p)
	at := func(seconds float64) time.Time { return s.Starts[0].Add(time.Duration(seconds * float64(time.Second))) }
	before, after = at(began), at(done)
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && o.Zone == "seat:1 punto" && o.Time.After(before) && !sure {
			for k := range o.Chips {
				if c := &o.Chips[k]; len(c.Chips) == paid {
					c.P, c.High = 0.95, paid+1
					c.Others = []fact.Content{{Chips: append(slices.Clone(c.Chips), "e5"), P: 0.05}}
				}
			}
		}
	}
	return s, before, after
}

// evidence of a finding of a round; false where it is not found.
func evidenceOf(r *track.Round, c finding.Code) (float64, bool) {
	for _, f := range r.Findings {
		if f.Code == c {
			return f.Evidence, true
		}
	}
	return 0, false
}

// A payment that is counted one chip short is a mistake the surer if just so many have left the rack, and
// none if one more has.
func TestTheRackWeighsAMiscount(t *testing.T) {
	alone, ok := evidenceOf(wonAndPaid(t, 3, 0, false), finding.PayoutUnder)
	with, same := evidenceOf(wonAndPaid(t, 3, 7, false), finding.PayoutUnder)
	if !ok || !same || with < alone+0.5 {
		t.Errorf("evidence %.1f without the rack, %.1f where it has the same", alone, with)
	}
	for left, want := range map[int]money.Cents{7: -3500, 0: 0} {
		f := wonAndPaid(t, 3, left, false).Findings[0]
		if (f.Rack != nil) != (left > 0) || f.Rack != nil && *f.Rack != want {
			t.Errorf("with %d chips gone from the rack %v are told", left, f.Rack)
		}
	}
	if r := wonAndPaid(t, 3, 8, false); len(r.Findings) > 0 {
		t.Errorf("four have left the rack: found %+v", r.Findings[0])
	}
}

// Where felt and rack are sure and differ, the rack does not balance; where one is not, nothing is reported.
func TestTheRackVaries(t *testing.T) {
	for _, c := range []struct {
		name       string
		paid, left int
		sure       bool
		want       []finding.Code
	}{
		{"they agree", 4, 8, true, nil},
		{"nobody read it", 4, 0, true, nil},
		{"two chips more have left it", 4, 10, true, []finding.Code{finding.RackVariance}},
	} {
		r := wonAndPaid(t, c.paid, c.left, c.sure)
		if got := codes(r); !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", c.name, got, c.want)
			continue
		}
		if c.want == nil {
			continue
		}
		f := r.Findings[0]
		if f.Expected != money.Cents(-4000) || f.Observed != money.Cents(-5000) || *f.Delta != -1000 || f.Seat != 0 ||
			f.Severity != finding.Major || f.Evidence < 0.5 || !f.From.Before(f.To) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

// A stake that nobody could count and that was collected is as large as what the rack grew by, beside what was paid.
func TestTheRackTellsAnUncountedStake(t *testing.T) {
	for _, c := range []struct {
		name  string
		grew  int         // chips of 5 €, 0: the rack is not read
		stake money.Cents // as recorded; 0: it is not
	}{
		{"not read", 0, 0}, {"three chips more than were paid", 3 - 4, 1500}, {"no more than was paid", -4, 0},
	} {
		p := &play{}
		p.call("hagan_juego")
		p.lay("seat:1 punto", "e5", 4)
		lost := p.lay("seat:2 banca", "e5", 3)
		cards := p.naturalPunto()
		p.wait(2)
		p.lift(lost)
		p.wait(2)
		p.lay("seat:1 punto", "e5", 4)
		p.wait(3)
		after := p.now
		p.wait(1)
		p.lift(cards...)
		s := session("punto_banco", p)
		for i := range s.Inputs {
			if o := s.Inputs[i].Seen; o != nil && o.Zone == "seat:2 banca" {
				for k := range o.Chips {
					o.Chips[k] = fact.Stack{Abstain: fact.Unread, High: 20, At: o.Chips[k].At}
				}
			}
		}
		at := func(seconds float64) time.Time { return s.Starts[0].Add(time.Duration(seconds * float64(time.Second))) }
		if c.grew != 0 {
			read(s, fact.Tube{Rest: at(0.5)}, fact.Tube{Rest: at(after), Since: at(0.5), Change: []fact.Change{{N: c.grew}}})
		}
		r := only(t, follow(trackerOf(t, "punto_banco", func(c *track.Config) { c.Racks = track.Racks{"front": {500}} }), s))
		var bet, collected money.Cents
		for _, e := range r.Record.Events {
			if e.Seat == 2 && e.Type == round.Bet {
				bet += e.Amount
			}
			if e.Seat == 2 && e.Type == round.Collect {
				collected += e.Amount
			}
		}
		if bet != c.stake || collected != c.stake {
			t.Errorf("%s: a stake of %v is told, of which %v were collected; want %v", c.name, bet, collected, c.stake)
		}
	}
}

// read adds readings of the rack, of one tube, to a session.
func read(s *tracktest.Session, tubes ...fact.Tube) {
	for _, u := range tubes {
		o := &fact.Observation{Kind: fact.Rack, Camera: "front", Zone: calibration.RackZone, Since: u.Rest,
			Time: u.Rest.Add(500 * time.Millisecond), Tubes: []fact.Tube{u}}
		s.Inputs = append(s.Inputs, tracktest.Input{Arrives: o.Time, Seen: o})
	}
	slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
}
