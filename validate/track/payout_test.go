package track_test

import (
	"slices"
	"strings"
	"testing"

	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
)

// A seat is pushed the same sum twice, once for the bet that won and once for
// one that lost. Which push was for which bet nobody sees: the mistake is an
// alert, and that the payments came in the wrong order, which follows from only
// one of the two, is none. Where it follows from both it is.
func TestPushesOfTheSameSum(t *testing.T) {
	for name, c := range map[string]struct {
		between, order bool
	}{"one before the other seat's": {true, false}, "both before the other seat's": {false, true}} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("docena:3", "color1", 4)
			p.lay("falta", "color1", 4)
			p.lay("columna:2", "color2", 4)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			push := func(zone string, chips int) {
				p.lay(zone, "e5", chips)
				p.wait(1)
				p.lift(p.tag)
			}
			push("seat:1 pay", 4)
			if !c.between {
				push("seat:1 pay", 4)
			}
			push("seat:2 pay", 8)
			if c.between {
				push("seat:1 pay", 4)
			}
			var alerts, doubts []finding.Code
			for _, f := range only(t, perform(t, "ruleta_americana", nil, p)).Findings {
				paid := f.Code == finding.PayoutToLoser
				if paid && !slices.ContainsFunc(f.With, func(o round.Finding) bool {
					return o.Code == finding.LoserNotCollected && o.Seat == f.Seat && o.Spot == f.Spot
				}) {
					t.Errorf("a loser is paid and left: two incidents, with %+v", f.With)
				}
				if f.Alert {
					alerts = append(alerts, f.Code)
				} else {
					doubts = append(doubts, f.Code)
				}
			}
			slices.Sort(alerts)
			want := []finding.Code{finding.LoserNotCollected, finding.PayoutToLoser}
			if c.order {
				want = []finding.Code{finding.LoserNotCollected, finding.PayoutOrderWrong, finding.PayoutToLoser}
			}
			if !slices.Equal(alerts, want) {
				t.Errorf("alerts %q, notes %q; want alerts %q", alerts, doubts, want)
			}
		})
	}
}

// A seat has a bet that won and one that lost and was left lying, and is pushed
// what the winner is not due. Until the winner is paid, or the round is over,
// it may have been for either: nothing is raised that may have to be taken back.
func TestPushWhileALoserLies(t *testing.T) {
	for name, c := range map[string]struct {
		pushes []int // chips of five euros to the first seat
		left   bool  // the losing bet is not collected
		want   []finding.Code
		soon   bool // an alert comes before the round has ended
	}{
		"the loser, then the winner":    {[]int{4, 8}, true, []finding.Code{finding.LoserNotCollected, finding.PayoutToLoser}, true},
		"the loser, more than is due":   {[]int{12, 8}, true, []finding.Code{finding.LoserNotCollected, finding.PayoutToLoser}, true},
		"the winner wrongly":            {[]int{6}, true, []finding.Code{finding.LoserNotCollected, finding.PayoutUnder}, false},
		"the winner, no loser is there": {[]int{6}, false, []finding.Code{finding.PayoutUnder}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("columna:2", "color1", 4) // 20 euros, 40 due
			lost := p.lay("docena:3", "color1", 4)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			p.wait(1)
			if !c.left {
				p.lift(lost)
			}
			for _, n := range c.pushes {
				p.lay("seat:1 pay", "e5", n)
				p.wait(3)
				p.lift(p.tag)
			}
			outs := perform(t, "ruleta_americana", nil, p)
			r := only(t, outs)
			var raised []finding.Code
			soon := false
			for _, a := range alerts(outs) {
				if a.State != track.Raised {
					continue
				}
				soon = true
				if raised = append(raised, a.Code); !slices.Contains(c.want, a.Code) {
					t.Errorf("raised %s at seat %d, %s: %v got %v", a.Code, a.Seat, a.Spot, a.Expected, a.Observed)
				}
			}
			if got := codes(r); !slices.Equal(slices.Sorted(slices.Values(got)), c.want) || soon != c.soon {
				t.Errorf("found %q, raised early %q; want %q", got, raised, c.want)
			}
			for _, f := range r.Findings {
				if !f.Alert {
					t.Errorf("%s is only a note, p %.2f", f.Code, f.P)
				}
			}
		})
	}
}

// A seat is pushed what neither of its two winning bets is due. While both may be
// meant nothing is raised that may have to be taken back; a sum that is far from
// one of them is told at once.
func TestPushThatFitsNoneOfTwo(t *testing.T) {
	for name, c := range map[string]struct {
		column int // chips of five euros on the column, of which twice as much is due
		pushes []int
		want   []string
		soon   bool // told before the round has ended
	}{
		"nearer to the other":       {4, []int{6, 5}, []string{"payout_under columna:2"}, true},
		"the other is never paid":   {4, []int{6}, []string{"payout_missing columna:2", "payout_over falta"}, false},
		"far from the other":        {12, []int{20}, []string{"payout_missing falta", "payout_under columna:2"}, true},
		"both as they should be":    {4, []int{8, 5}, nil, false},
		"both at once, as they are": {4, []int{13}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("columna:2", "color1", c.column)
			p.lay("falta", "color1", 5)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			p.wait(1)
			for _, n := range c.pushes {
				p.lay("seat:1 pay", "e5", n)
				p.wait(3)
				p.lift(p.tag)
			}
			outs := perform(t, "ruleta_americana", nil, p)
			soon := false
			for _, a := range alerts(outs) {
				if a.State == track.Corrected {
					t.Errorf("%s at %s was taken back", a.Code, a.Spot)
				}
				soon = soon || a.State == track.Raised
			}
			var recorded []string
			for _, f := range only(t, outs).Findings {
				if !f.Alert {
					t.Errorf("%s is only a note, p %.2f", f.Code, f.P)
				}
				recorded = append(recorded, string(f.Code)+" "+f.Spot)
			}
			slices.Sort(recorded)
			if !slices.Equal(recorded, c.want) || soon != c.soon {
				t.Errorf("told %q, some before the end %v; want %q, %v", recorded, soon, c.want, c.soon)
			}
		})
	}
}

// A payment of two stacks, one counted roughly and the other surely and wrong by a chip: of
// what it may be something is due, and nothing is raised.
func TestAPaymentIsRoughAndMiscounted(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("docena:2", "color1", 7) // 35 euros, 70 due
	p.call("no_va_mas")
	p.wait(3)
	p.say("ball", map[string]any{"pocket": "17"})
	p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
	p.wait(1)
	p.tag += 2
	p.act(script.Act{Piles: []script.Pile{
		{Tag: p.tag - 1, Zone: "seat:1 pay", Chips: script.Alike("e25", 2)},
		{Tag: p.tag, Zone: "seat:1 pay", Slot: 1, Chips: script.Alike("e5", 3)}, // they were four
	}})
	p.wait(4)
	p.lift(p.tag-1, p.tag)
	s := session("ruleta_americana", p)
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && o.Zone == "seat:1 pay" {
			for k := range o.Chips {
				switch c := &o.Chips[k]; len(c.Chips) {
				case 2:
					c.High, c.P, c.Abstain = 3, 0.55, "unsure"
				case 3:
					c.High, c.P = 4, 0.92
				}
			}
		}
	}
	if as := alerts(follow(trackerOf(t, "ruleta_americana", nil), s)); len(as) > 0 {
		t.Errorf("%d alerts: %+v", len(as), as[0].Judged)
	}
}

// A bet that is counted only roughly all the time is what it was paid for.
func TestARoughBetIsWhatItIsPaidFor(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("docena:2", "color1", 3)
	lost := p.lay("docena:1", "color2", 3)
	p.call("no_va_mas")
	p.wait(3)
	p.say("ball", map[string]any{"pocket": "17"})
	p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
	p.wait(1)
	p.lift(lost)
	p.wait(1)
	paid := p.lay("seat:1 pay", "e5", 4) // of two chips
	p.wait(4)
	p.lift(paid)
	s := session("ruleta_americana", p)
	for i := range s.Inputs {
		o := s.Inputs[i].Seen
		if o == nil || o.Kind != fact.Stable || o.Zone != "layout" {
			continue
		}
		for k := range o.Chips {
			if c := &o.Chips[k]; c.Chips[0] == "color1" {
				c.Low, c.P, c.Abstain = 2, 0.7, "unsure"
			}
		}
		if len(o.Chips) == 1 {
			o.Hands = []string{fact.Bank}
		}
	}
	r := only(t, follow(trackerOf(t, "ruleta_americana", nil), s))
	if recorded := lines(t, r.Record.Events); len(r.Findings) > 0 || !slices.ContainsFunc(recorded, func(l string) bool {
		return strings.Contains(l, `"bet"`) && strings.Contains(l, "1000") && strings.Contains(l, "docena:2")
	}) {
		t.Errorf("findings %+v, told %v", r.Findings, recorded)
	}
}

// What is left of the winnings may have been pushed and taken up under the hands that took up
// the first of them, if the house's were among them.
func TestWinningsPushedUnderTheHandsThatTakeThemUp(t *testing.T) {
	for name, c := range map[string]struct {
		hands []string
		want  []finding.Code
	}{
		"both sides' hands": {[]string{fact.Bank, fact.Players}, nil},
		"players' hands":    {[]string{fact.Players}, []finding.Code{finding.PayoutMissing}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("docena:2", "color1", 2)
			p.lay("negro", "color1", 2)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			p.wait(1)
			paid := p.lay("seat:1 pay", "e5", 4) // for the dozen
			p.wait(2)
			p.lift(paid)
			p.wait(4)
			s := session("ruleta_americana", p)
			for i := range s.Inputs {
				o := s.Inputs[i].Seen
				if o != nil && o.Kind == fact.Stable && o.Zone == "seat:1 pay" && len(o.Chips) == 0 {
					o.Hands = c.hands
				}
			}
			r := only(t, follow(trackerOf(t, "ruleta_americana", nil), s))
			var got []finding.Code
			for _, f := range r.Findings {
				if f.Alert {
					got = append(got, f.Code)
				}
			}
			recorded := strings.Join(lines(t, r.Record.Events), "")
			if both := strings.Count(recorded, `"pay"`) == 2; !slices.Equal(got, c.want) || both != (c.want == nil) {
				t.Errorf("alerts %v, want %v; told %s", got, c.want, recorded)
			}
		})
	}
}
