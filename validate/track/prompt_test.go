package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// statesOf are the states that an alert of a code goes through; raised it must be
// between two times after a mark, seconds.
func statesOf(
	t *testing.T,
	outs []track.Out,
	emitted []time.Time,
	code finding.Code,
	mark time.Time,
	from, to float64,
) (states []track.State) {
	t.Helper()
	for i, o := range outs {
		a, ok := o.(*track.Alert)
		if !ok || a.Code != code {
			continue
		}
		states = append(states, a.State)
		if d := emitted[i].Sub(mark).Seconds(); a.State == track.Raised && (d < from || d > to) {
			t.Errorf("raised after %.2f s, want %.1f to %.1f", d, from, to)
		}
	}
	return states
}

// What was omitted is raised when it can be known, not when the round is handed
// out: a second after the cards are gone, or two after chips moved without a
// closing call. So is a call that is not what lies there.
func TestOmissionsAreRaisedWhenTheyCanBeKnown(t *testing.T) {
	left := func(p *play) float64 {
		p.lay("seat:1 banca", "e5", 4)
		cards := p.naturalPunto()
		p.lift(cards...)
		return p.now
	}
	for name, c := range map[string]struct {
		game   string
		code   finding.Code
		least  float64 // seconds from the mark to the alert
		play   func(p *play) (mark float64)
		states []track.State
	}{
		"a loser is left": {"punto_banco", finding.LoserNotCollected, 0.9, left, []track.State{track.Raised, track.Confirmed}},
		"a winner is not paid": {"punto_banco", finding.PayoutMissing, 0.9, func(p *play) float64 {
			p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			p.lift(cards...)
			return p.now
		}, []track.State{track.Raised, track.Confirmed}},
		"he is paid after all": {"punto_banco", finding.PayoutMissing, 0.9, func(p *play) float64 {
			p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			p.lift(cards...)
			mark := p.now
			p.wait(1)
			p.lay("seat:1 punto", "e5", 4)
			return mark
		}, []track.State{track.Raised, track.Corrected}},
		"nobody closed the bets": {"ruleta_francesa", finding.AnnouncementMissing, 1.9, func(p *play) float64 {
			p.call("hagan_juego")
			lost := p.lay("pleno:20", "color2", 1)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
			mark := p.now
			p.lift(lost)
			p.wait(6)
			return mark
		}, []track.State{track.Raised, track.Confirmed}},
		"another number is called": {"ruleta_francesa", finding.AnnouncementWrong, 0.9, func(p *play) float64 {
			p.call("hagan_juego")
			lost := p.lay("pleno:20", "color2", 1)
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "34", "color", "rojo", "parity", "par", "half", "pasa")
			mark := p.now
			p.lift(lost)
			p.wait(4)
			return mark
		}, []track.State{track.Raised, track.Confirmed}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			mark := tracktest.Start.Add(time.Second).Add(time.Duration(c.play(p) * float64(time.Second)))
			p.wait(4)
			outs, emitted := followed(trackerOf(t, c.game, nil), session(c.game, p))
			var states []track.State
			for i, o := range outs {
				a, ok := o.(*track.Alert)
				if !ok || a.Code != c.code {
					continue
				}
				states = append(states, a.State)
				if d := emitted[i].Sub(mark).Seconds(); a.State == track.Raised && (d < c.least || d > c.least+0.6) {
					t.Errorf("raised after %.2f s, want %.1f to %.1f", d, c.least, c.least+0.6)
				}
			}
			if !slices.Equal(states, c.states) {
				t.Errorf("alerts %v, want %v", states, c.states)
			}
		})
	}
}

// More cards put aside than prescribed, by the shoe's count, are no fewer later: that is
// told while the round runs.
func TestTooManyCardsAreBurnt(t *testing.T) {
	p := &play{}
	p.lay("seat:1 banca", "e5", 4)
	p.say("burn", map[string]any{"count": 4.0})
	burnt := p.now
	cards := p.naturalPunto()
	p.wait(6)
	p.lift(cards...)
	p.wait(4)
	mark := tracktest.Start.Add(time.Second).Add(time.Duration(burnt * float64(time.Second)))
	outs, emitted := followed(trackerOf(t, "punto_banco", nil), session("punto_banco", p))
	states := statesOf(t, outs, emitted, finding.BurnWrong, mark, 0.4, 1.3)
	if !slices.Equal(states, []track.State{track.Raised, track.Confirmed}) {
		t.Errorf("alerts %v", states)
	}
}

// A decision that is called before its card is right or wrong by what is dealt
// then: it is not raised before the card can have come.
func TestACallAheadOfItsCardWaits(t *testing.T) {
	p := &play{}
	p.lay("seat:1 banca", "e5", 4)
	p.call("no_va_mas")
	p.call("cartas")
	for _, c := range [][2]string{{"punto", "3h"}, {"banca", "7c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
		p.card(c[0], c[1], false)
	}
	p.call("puntos", "zone", "punto", "points", 3.0)
	p.call("puntos", "zone", "banca", "points", 7.0)
	p.call("carta", "zone", "punto")
	p.wait(1.2)
	p.card("punto", "2s", false)
	p.call("puntos", "zone", "punto", "points", 5.0)
	p.wait(3)
	for _, a := range alerts(perform(t, "punto_banco", nil, p)) {
		if a.Code == finding.AnnouncementWrong {
			t.Errorf("raised %+v", a)
		}
	}
}

// lateBet is a round with a bet so many seconds after the closing call, and when it lay.
func lateBet(game string, after float64, then func(p *play, late int)) (p *play, lay float64) {
	p = &play{}
	p.call("hagan_juego")
	zone, chip := "seat:2 field", "e5"
	if game != "dados_craps" {
		chip = "color2"
		zone = map[string]string{"ruleta_francesa": "pleno:20", "sic_bo": "grande"}[game]
	}
	p.lay(zone, map[bool]string{true: "color1", false: chip}[chip == "color2"], 1)
	p.call("no_va_mas")
	p.wait(after - 1)
	late := p.lay(zone, chip, 2)
	lay = p.now
	if then != nil {
		then(p, late)
	}
	p.wait(4)
	switch game {
	case "ruleta_francesa":
		p.say("ball", map[string]any{"pocket": "20"})
		p.call("number", "number", "20", "color", "negro", "parity", "par", "half", "pasa")
	case "dados_craps":
		p.rollDice(3, 1)
		p.call("total", "points", 4.0)
	default:
		p.rollDice(6, 5, 2)
	}
	p.wait(4)
	return p, lay
}

// A bet after the closing call is late whatever falls: it is raised while the ball
// runs, unless it is pushed back at once, as it should be.
func TestLateBetsAreRaisedWhileTheThrowRuns(t *testing.T) {
	stands := []track.State{track.Raised, track.Confirmed}
	for name, c := range map[string]struct {
		game   string
		after  float64
		then   func(p *play, late int)
		states []track.State
	}{
		"at a wheel":          {"ruleta_francesa", 2.6, nil, stands},
		"at dice":             {"dados_craps", 2.6, nil, stands},
		"under a shaker":      {"sic_bo", 2.6, nil, stands},
		"pushed back at once": {"ruleta_francesa", 2.6, func(p *play, late int) { p.lift(late) }, nil},
		"pushed back late": {"ruleta_francesa", 2.6, func(p *play, late int) {
			p.wait(1.5)
			p.lift(late)
		}, []track.State{track.Raised, track.Corrected}},
		"under way at the call": {"ruleta_francesa", 0.2, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, lay := lateBet(c.game, c.after, c.then)
			mark := tracktest.Start.Add(time.Duration((1 + lay) * float64(time.Second)))
			outs, emitted := followed(trackerOf(t, c.game, nil), session(c.game, p))
			states := statesOf(t, outs, emitted, finding.LateBet, mark, 0.9, 1.5)
			if !slices.Equal(states, c.states) {
				t.Errorf("alerts %v, want %v", states, c.states)
			}
		})
	}
}

// A bet that croupier and jefe accepted before the call is in time, and that they
// did may be heard late.
func TestThatALateBetWasAcceptedMayBeHeardLate(t *testing.T) {
	var chip int64
	for _, c := range tracktest.Palette(seats) {
		if c.ID == "color2" {
			chip = c.Value
		}
	}
	p := &play{}
	p.call("hagan_juego")
	for _, by := range []string{round.Croupier, round.Jefe} {
		p.now -= 0.9
		p.say(
			"announce",
			map[string]any{
				"call":   "accepted_bet",
				"by":     by,
				"seat":   2,
				"spot":   "pleno:20",
				"amount": float64(2 * chip),
			},
		)
	}
	p.now -= 0.9
	p.call("no_va_mas")
	p.now -= 0.5
	p.lay("pleno:20", "color2", 2)
	p.wait(4)
	p.say("ball", map[string]any{"pocket": "17"})
	p.wait(2)
	s := session("ruleta_francesa", p)
	for i := range s.Inputs {
		if h := s.Inputs[i].Heard; h != nil && h.Args["call"] == "accepted_bet" {
			s.Inputs[i].Arrives = h.Time.Add(1950 * time.Millisecond)
		}
	}
	slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
	for _, a := range alerts(follow(trackerOf(t, "ruleta_francesa", nil), s)) {
		if a.Code == finding.LateBet {
			t.Errorf("%s: %+v", a.State, a.Judged)
		}
	}
}

// Chips that are laid when the dice may lie already, where nobody has read them yet,
// may be a payment.
func TestChipsLaidBesideUnreadDiceAreNoLateBet(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("seat:1 field", "e5", 1)
	p.call("no_va_mas")
	p.wait(1)
	p.rollDice(3, 1)
	p.call("total", "points", 4.0)
	p.lay("seat:1 field", "e5", 1)
	p.wait(6)
	s := session("dados_craps", p)
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && o.Kind == fact.Stable && len(o.Dice) == 2 { // a hand lies over them
			o.Time = o.Time.Add(4 * time.Second)
			s.Inputs[i].Arrives = s.Inputs[i].Arrives.Add(4 * time.Second)
		}
	}
	slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
	if as := alerts(follow(trackerOf(t, "dados_craps", nil), s)); len(as) > 0 {
		t.Errorf("alerts %+v", as)
	}
}

// Who is paid while several losing bets lie there is paid before they are collected,
// and that is told then; one may have been forgotten when the others were collected,
// and where hands are at them they may be gone.
func TestPayingFirstIsRaisedWhenItIsDone(t *testing.T) {
	stands := []track.State{track.Raised, track.Confirmed}
	for name, c := range map[string]struct {
		losers []string
		raked  bool    // before the payment, and hands lie over the layout until after it
		after  float64 // of the payment it is raised
		states []track.State
	}{
		"two losers lie there": {[]string{"pleno:5", "pleno:9"}, false, 1, stands},
		"one":                  {[]string{"pleno:5"}, false, 5, stands},
		"seen late":            {[]string{"pleno:5", "pleno:9"}, true, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("pleno:20", "color1", 1)
			var lost []int
			for _, l := range c.losers {
				lost = append(lost, p.lay(l, "color2", 1))
			}
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "20"})
			p.call("number", "number", "20", "color", "negro", "parity", "par", "half", "pasa")
			start := p.now + 1
			if c.raked {
				p.lift(lost...)
			}
			p.lay("seat:1 pay", "e25", 7)
			mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
			p.wait(4)
			if !c.raked {
				p.lift(lost...)
			}
			p.wait(4)
			s := session("ruleta_francesa", p)
			for i := range s.Inputs {
				o := s.Inputs[i].Seen
				if c.raked && o != nil && o.Kind == fact.Stable && o.Zone == "layout" &&
					o.Time.After(tracktest.Start.Add(time.Duration(start*float64(time.Second)))) {
					o.Time = o.Time.Add(3500 * time.Millisecond)
					s.Inputs[i].Arrives = s.Inputs[i].Arrives.Add(3500 * time.Millisecond)
				}
			}
			slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
			outs, emitted := followed(trackerOf(t, "ruleta_francesa", nil), s)
			states := statesOf(t, outs, emitted, finding.PaidBeforeCollect, mark, c.after-0.1, c.after+0.6)
			if !slices.Equal(states, c.states) {
				t.Errorf("alerts %v, want %v", states, c.states)
			}
		})
	}
}

// A bet on the line, which loses half, lies there to be collected as the others do.
func TestPayingBeforeTheHalfOfALineIsCollected(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string // losing bets
		want  float64  // seconds after the payment at which it is raised
	}{
		"a loser and a line": {[]string{"grande", "grande_linea"}, 1},
		"a line":             {[]string{"grande_linea"}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("pequeno", "color1", 4)
			var lost []int
			for _, l := range c.lines {
				lost = append(lost, p.lay(l, "color2", 4))
			}
			p.call("no_va_mas")
			p.wait(2)
			p.rollDice(3, 1, 2)
			p.call("chance", "winner", "pequeno")
			p.lay("seat:1 pay", "e5", 4)
			mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
			p.wait(4)
			p.lift(lost...)
			p.lay("grande_linea", "color2", 2) // what is left of it
			p.wait(4)
			outs, emitted := followed(trackerOf(t, "banca_francesa_dados", nil), session("banca_francesa_dados", p))
			states := statesOf(t, outs, emitted, finding.PaidBeforeCollect, mark, c.want-0.1, c.want+1.6)
			if !slices.Equal(states, []track.State{track.Raised, track.Confirmed}) {
				t.Errorf("alerts %v", states)
			}
		})
	}
}

// A card too many is told a second after it lies there, while the others are dealt: all
// of them are seen.
func TestACardTooManyIsRaisedAtOnce(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("seat:1 ante", "e5", 2)
	p.call("no_va_mas")
	var cards []int
	for range 6 {
		cards = append(cards, p.card("seat:1", "??", true))
	}
	mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
	for range 5 {
		cards = append(cards, p.card("bank", "??", true))
	}
	p.lay("seat:1 second", "e5", 4)
	p.wait(6)
	p.lift(cards...)
	p.wait(3)
	outs, emitted := followed(trackerOf(t, "poker_sin_descarte", nil), session("poker_sin_descarte", p))
	states := statesOf(t, outs, emitted, finding.CardCountWrong, mark, 0, 1.5)
	if !slices.Equal(states, []track.State{track.Raised, track.Confirmed}) {
		t.Errorf("alerts %v", states)
	}
}

// The arm that deals the second row lies over the first, of which cards are read late:
// until it leaves nobody knows that the rows were dealt in the wrong order.
func TestCardsUnderTheDealingArmAreNotOutOfOrder(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("seat:1 negro", "e5", 2)
	p.call("no_va_mas")
	for _, c := range []string{"9s", "8h", "7d", "6c", "5s"} {
		p.card("negro", c, false)
	}
	for _, c := range []string{"Ks", "9d", "8c", "6h"} {
		p.card("rojo", c, false)
	}
	p.wait(8)
	s := session("treinta_cuarenta", p)
	var under []int
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && o.Kind == fact.Stable && o.Zone == "negro" && len(o.Cards) > 2 {
			under = append(under, i)
		}
	}
	for k, i := range under {
		o := s.Inputs[i].Seen
		if k < len(under)-1 {
			*o = fact.Observation{Camera: o.Camera, Kind: fact.MotionStarted, Zone: o.Zone, Time: o.Time}
			continue
		}
		o.Since, o.Time = o.Since.Add(5*time.Second), o.Time.Add(5*time.Second)
		s.Inputs[i].Arrives = s.Inputs[i].Arrives.Add(5 * time.Second)
	}
	slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
	for _, a := range alerts(follow(trackerOf(t, "treinta_cuarenta", nil), s)) {
		t.Errorf("%s: %s", a.State, a.Code)
	}
}

// A hand over 21 has lost whatever the bank draws: who pays it is told at once.
func TestAPaymentToAHandOver21IsRaisedBeforeTheBankDraws(t *testing.T) {
	p := &play{}
	p.lay("seat:1 main", "e5", 2)
	p.lay("seat:2 main", "e5", 2)
	p.dealBlackjack([5]string{"Th", "9d", "6c", "6s", "8c"}, [2]float64{16, 17})
	p.card("seat:1", "Kd", false)
	p.call("puntos_mano", "zone", "seat:1", "points", 26.0)
	p.lay("seat:1 main", "e5", 2)
	mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
	p.wait(6)
	p.card("bank", "Tc", false)
	p.card("bank", "5h", false)
	p.wait(4)
	outs, emitted := followed(trackerOf(t, "blackjack", nil), session("blackjack", p))
	for i, o := range outs {
		if a, ok := o.(*track.Alert); ok && a.Code == finding.PayoutToLoser {
			if d := emitted[i].Sub(mark).Seconds(); a.Seat != 1 || d < 0.9 || d > 1.5 {
				t.Errorf("raised at seat %d after %.2f s, want seat 1 after 0.9 to 1.5", a.Seat, d)
			}
			return
		}
	}
	t.Error("no payment to a loser is told")
}

// A second stake that is not what the first demands is told while the round runs, a
// few seconds after it lies, and does not wait for the bank's hand.
func TestAWrongRaiseIsRaisedWhenItLies(t *testing.T) {
	for _, game := range []string{"tripoker", "texas_poker", "poker_con_descarte"} {
		t.Run(game, func(t *testing.T) {
			cfg := scriptOf(game, 5)
			cfg.Faults, cfg.Only = 1, []script.Fault{script.WrongRaise}
			s, err := tracktest.Play(cfg, tracktest.Zones(game, seats), 6, readings["fair"])
			if err != nil {
				t.Fatal(err)
			}
			outs, emitted := followed(trackerOf(t, game, nil), s)
			raised := map[string]time.Time{}
			for i, o := range outs {
				if a, ok := o.(*track.Alert); ok && a.State == track.Raised && a.Code == finding.RaiseWrong {
					raised[a.Round] = emitted[i]
				}
			}
			planted := 0
			for i, r := range rounds(outs) {
				for _, f := range r.Verdict.Findings {
					if f.Code != finding.RaiseWrong || r.Record.Events[f.Event].Type != round.Bet {
						continue
					}
					planted++
					laid := s.Starts[i].Add(time.Duration(s.Rounds[i].Record.Events[f.Event].T * float64(time.Second)))
					if late := raised[r.Record.ID].Sub(laid); late < 0 || late > 4*time.Second {
						t.Errorf("round %d: raised %v after the stake was laid", i+1, late)
					}
				}
			}
			if planted == 0 {
				t.Error("no round had one")
			}
		})
	}
}

// What nothing that still comes can change is told soon: most of it within 1.3 s of the
// act, and what was left out half a second after the next round is opened, here 2.3 s
// after the last act.
func TestWhatStandsIsToldSoon(t *testing.T) {
	for _, c := range []struct {
		fault script.Fault
		code  finding.Code
		games []string
		most  float64 // seconds after the act, of four in five
	}{
		{script.WrongDeal, finding.CardCountWrong, []string{"poker_sin_descarte", "poker_trijoker", "pai_gow_poker", "texas_poker"}, 1.3},
		{script.FaceUp, finding.FaceWrong, []string{"poker_cuatro_cartas", "poker_trijoker"}, 1.3},
		{script.WrongRaise, finding.RaiseWrong, []string{"poker_cuatro_cartas", "tripoker"}, 1.3},
		{script.WrongCall, finding.AnnouncementWrong, []string{"poker_sintetico", "omaha_hilo_circulo", "poker_cubierto_5"}, 1.3},
		{script.WrongCall, finding.AnnouncementWrong, []string{"baccara_chemin_de_fer", "punto_banco"}, 1.3},
		{script.RakeOver, finding.CommissionWrong, []string{"holdem_circulo", "poker_descubierto_7"}, 1.3},
		{script.PayUnder, finding.PayoutUnder, []string{"punto_banco", "blackjack"}, 1.3},
		{script.WrongDraw, finding.DrewMustStand, []string{"punto_banco", "blackjack"}, 1.3},
		{script.WrongStand, finding.StoodMustDraw, []string{"punto_banco", "blackjack"}, 1.3},
		{script.WrongDeal, finding.IrregularityIgnored, []string{"poker_holdem_banca", "poker_holdem_bonus"}, 1.3},
		{script.WrongOrder, finding.OtherProcedure, []string{"banca_francesa_dados"}, 1.3},
		{script.MissingCall, finding.AnnouncementMissing, []string{"dados_craps"}, 1.3},
		{script.PayPush, finding.NoQualifyIgnored, []string{"texas_poker", "poker_sin_descarte", "tripoker", "poker_con_descarte", "poker_holdem_banca"}, 1.3},
		{script.KeepLoser, finding.LoserNotCollected, []string{"boule", "sic_bo", "ruleta_fortuna"}, 3.3},
	} {
		t.Run(string(c.code)+" "+c.games[0], func(t *testing.T) {
			sum := newTally()
			for _, game := range c.games {
				cfg := scriptOf(game, 7000)
				cfg.Faults, cfg.Only = 1, []script.Fault{c.fault}
				if recorded := follows(t, []*tally{sum}, cfg, variant{}, 12, tracktest.Disorder{}); recorded != 12 {
					t.Errorf("%s: %d rounds told, 12 played", game, recorded)
				}
			}
			d := slices.Sorted(slices.Values(sum.delays[c.code]))
			if s := sum.total(); len(d) < 3 || s.wrong > 0 || sum.takenBack > 0 {
				t.Fatalf("told after %.1f s; %d false, %d taken back", d, s.wrong, sum.takenBack)
			}
			if d[4*(len(d)-1)/5] > c.most {
				t.Errorf("told after %.2f s", d)
			}
		})
	}
}

// A losing bet that still lies when somebody is paid is told a second after the payment
// if others were collected before, or if it was itself paid: nobody collects it then. What
// lies alone may be collected next, and where hands are at it nothing is known.
func TestALoserThatNobodyWillCollectIsRaisedAtOnce(t *testing.T) {
	stands := []track.State{track.Raised, track.Confirmed}
	for name, c := range map[string]struct {
		game      string
		collected bool // another loser, before the payment
		pay       int  // the seat that is paid
		late      bool // the loser is collected after all
		hands     bool // over the layout since the payment
		states    []track.State
	}{
		"others were collected": {"ruleta_francesa", true, 1, false, false, stands},
		"it is collected late":  {"ruleta_francesa", true, 1, true, false, []track.State{track.Raised, track.Corrected}},
		"it lies alone":         {"ruleta_francesa", false, 1, true, false, nil},
		"hands are there":       {"ruleta_francesa", true, 1, true, true, nil},
		"it was paid":           {"sic_bo", false, 2, false, false, stands},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			spots := map[string][]string{"ruleta_francesa": {"pleno:20", "pleno:5", "pleno:9"}, "sic_bo": {"grande", "triple:3"}}[c.game]
			p.lay(spots[0], "color1", 1)
			lost, other := p.lay(spots[1], "color2", 1), 0
			if c.collected {
				other = p.lay(spots[2], "color3", 1)
			}
			p.call("no_va_mas")
			p.wait(3)
			if c.game == "sic_bo" {
				p.rollDice(6, 5, 2)
			} else {
				p.say("ball", map[string]any{"pocket": "20"})
				p.call("number", "number", "20", "color", "negro", "parity", "par", "half", "pasa")
			}
			if c.collected {
				p.lift(other)
			}
			p.wait(2)
			p.lay(map[int]string{1: "seat:1 pay", 2: "seat:2 pay"}[c.pay], "e5", 4)
			mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
			p.wait(4)
			if c.late {
				p.lift(lost)
			}
			p.wait(4)
			s := session(c.game, p)
			if c.hands {
				s.Inputs = append(
					s.Inputs,
					tracktest.Input{
						Arrives: mark,
						Seen:    &fact.Observation{Kind: fact.MotionStarted, Zone: "layout", Time: mark},
					},
				)
				slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
			}
			outs, emitted := followed(trackerOf(t, c.game, nil), s)
			states := statesOf(t, outs, emitted, finding.LoserNotCollected, mark, 0.9, 1.6)
			if !slices.Equal(states, c.states) {
				t.Errorf("alerts %v, want %v", states, c.states)
			}
		})
	}
}

// Where the call that closes the bets is heard after the ball, it came too late: that is
// told a second after the ball.
func TestAClosingAfterTheBallIsRaisedOnceItIsHeard(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("pleno:5", "color2", 1)
	p.wait(3)
	p.say("ball", map[string]any{"pocket": "20"})
	mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
	p.now -= 0.4
	p.call("no_va_mas")
	p.wait(8)
	outs, emitted := followed(trackerOf(t, "ruleta_francesa", nil), session("ruleta_francesa", p))
	if states := statesOf(t, outs, emitted, finding.DealtBeforeClose, mark, 0.4, 1.3); !slices.Equal(
		states,
		[]track.State{track.Raised, track.Confirmed},
	) {
		t.Errorf("alerts %v", states)
	}
}

// A call that was not made where one is due before chips move is told two seconds after
// they did: the closing of the bets while the round runs, another when the cards are gone.
func TestACallThatWasNotMadeIsRaisedOnceChipsMoved(t *testing.T) {
	for name, call := range map[string]string{"nobody closed the bets": "no_va_mas", "the winner is not named": "ganador"} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			lost := p.lay("seat:1 banca", "e5", 4)
			from := len(p.acts)
			cards := p.naturalPunto()
			p.acts = slices.Concat(
				p.acts[:from],
				slices.DeleteFunc(slices.Clone(p.acts[from:]), func(a script.Act) bool {
					return len(a.Sensed) == 1 && a.Sensed[0].Args["call"] == call
				}),
			)
			p.wait(1)
			p.lift(lost)
			mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
			p.wait(map[string]float64{"no_va_mas": 6, "ganador": 1}[call])
			p.lift(cards...)
			p.wait(6)
			outs, emitted := followed(trackerOf(t, "punto_banco", nil), session("punto_banco", p))
			if states := statesOf(t, outs, emitted, finding.AnnouncementMissing, mark, 1.9, 2.6); !slices.Equal(
				states,
				[]track.State{track.Raised, track.Confirmed},
			) {
				t.Errorf("alerts %v", states)
			}
		})
	}
}

// What is left at a wheel is told when the next round is opened and every camera has
// looked since.
func TestWhatIsLeftAtAWheelIsToldWhenAllHaveLooked(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("pleno:5", "color2", 1)
	p.call("no_va_mas")
	p.wait(3)
	p.say("ball", map[string]any{"pocket": "20"})
	p.call("number", "number", "20", "color", "negro", "parity", "par", "half", "pasa")
	p.wait(4)
	p.call("hagan_juego")
	mark := tracktest.Start.Add(time.Duration((1 + p.now) * float64(time.Second)))
	p.wait(4)
	for looks, want := range map[bool][2]float64{true: {0, 0.4}, false: {0.4, 0.7}} {
		s := session("ruleta_francesa", p)
		for at := tracktest.Start; looks && at.Before(mark.Add(3*time.Second)); at = at.Add(200 * time.Millisecond) {
			s.Inputs = append(
				s.Inputs,
				tracktest.Input{
					Arrives: at.Add(100 * time.Millisecond),
					Seen:    &fact.Observation{Kind: fact.Watermark, Time: at},
				},
			)
		}
		slices.SortStableFunc(s.Inputs, func(a, b tracktest.Input) int { return a.Arrives.Compare(b.Arrives) })
		outs, emitted := followed(trackerOf(t, "ruleta_francesa", nil), s)
		if states := statesOf(t, outs, emitted, finding.LoserNotCollected, mark, want[0], want[1]); len(states) == 0 ||
			states[0] != track.Raised {
			t.Errorf("looked %v: alerts %v", looks, states)
		}
	}
}
