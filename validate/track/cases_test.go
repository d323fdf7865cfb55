package track_test

import (
	"slices"
	"testing"
	"time"

	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/script"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// play is a round made by hand, one act every second or as told.
type play struct {
	acts []script.Act
	now  float64
	tag  int
	slot map[string]int
}

func (p *play) wait(s float64) *play { p.now += s; return p }

func (p *play) act(a script.Act) {
	p.now++
	a.At = p.now
	p.acts = append(p.acts, a)
}

// lay puts n chips on a zone and returns what lifts them.
func (p *play) lay(zone, chip string, n int) int {
	p.tag++
	if p.slot == nil {
		p.slot = map[string]int{}
	}
	p.act(script.Act{Piles: []script.Pile{{Tag: p.tag, Zone: zone, Slot: p.slot[zone], Chips: script.Alike(chip, n)}}})
	p.slot[zone]++
	return p.tag
}

func (p *play) lift(tags ...int) { p.act(script.Act{Lift: tags}) }

func (p *play) card(zone, label string, down bool) int {
	c, err := card.Parse(label)
	if err != nil {
		panic(err)
	}
	p.tag++
	if p.slot == nil {
		p.slot = map[string]int{}
	}
	p.act(script.Act{Cards: []script.Placed{{Tag: p.tag, Zone: zone, Slot: p.slot[zone], Card: c, Down: down}}})
	p.slot[zone]++
	return p.tag
}

// turn shows the faces of cards that lie face down from the left of a zone.
func (p *play) turn(zone string, labels []string, tags ...int) {
	a := script.Act{Lift: tags}
	for i, label := range labels {
		c, err := card.Parse(label)
		if err != nil {
			panic(err)
		}
		a.Cards = append(a.Cards, script.Placed{Tag: tags[i], Zone: zone, Slot: i, Card: c})
	}
	p.act(a)
}

func (p *play) say(kind string, args map[string]any) {
	source := "terminal"
	if kind == "ball" {
		source = "wheel"
	}
	if kind == "card" {
		source = "shoe"
	}
	p.act(script.Act{Sensed: []fact.Sensed{{Source: source, Kind: kind, Args: args}}})
}

func (p *play) call(call string, args ...any) {
	m := map[string]any{"call": call, "by": "croupier"}
	for i := 0; i+1 < len(args); i += 2 {
		m[args[i].(string)] = args[i+1]
	}
	p.say("announce", m)
}

func (p *play) round() script.Round { return script.Round{Acts: p.acts, Length: p.now + 1} }

func perform(t *testing.T, game string, change func(*track.Config), plays ...*play) []track.Out {
	t.Helper()
	return follow(trackerOf(t, game, change), session(game, plays...))
}

func session(game string, plays ...*play) *tracktest.Session {
	var rs []script.Round
	for _, p := range plays {
		rs = append(rs, p.round())
	}
	return tracktest.Perform(
		rs,
		tracktest.Zones(game, seats),
		tracktest.Palette(seats),
		1,
		tracktest.Disorder{Jitter: 0.5},
	)
}

// naturalPunto plays punto 9 against banca 8 after the bets were laid.
func (p *play) naturalPunto() (cards []int) {
	p.call("no_va_mas")
	p.call("cartas")
	for _, c := range [][2]string{{"punto", "9h"}, {"banca", "8c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
		cards = append(cards, p.card(c[0], c[1], false))
	}
	p.call("puntos", "zone", "punto", "points", 9.0)
	p.call("puntos", "zone", "banca", "points", 8.0)
	p.call("ganador", "winner", "punto")
	return cards
}

func only(t *testing.T, outs []track.Out) *track.Round {
	t.Helper()
	rs := rounds(outs)
	if len(rs) != 1 {
		t.Fatalf("%d rounds, want 1", len(rs))
	}
	return rs[0]
}

func codes(r *track.Round) (out []finding.Code) {
	for _, f := range r.Findings {
		out = append(out, f.Code)
	}
	return out
}

func notes(r *track.Round) (out []string) {
	for _, n := range r.Notes {
		out = append(out, n.Code)
	}
	return out
}

func alerts(outs []track.Out) (as []*track.Alert) {
	for _, o := range outs {
		if a, ok := o.(*track.Alert); ok {
			as = append(as, a)
		}
	}
	return as
}

// A winner paid 30 for 20, noticed and put right, is one note.
func TestCorrectedPaymentIsANote(t *testing.T) {
	for name, pause := range map[string]float64{"at once": 0, "after it was raised": 1.5} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			wrong := p.lay("seat:1 punto", "e5", 6)
			p.wait(pause)
			p.lift(wrong)
			p.lay("seat:1 punto", "e5", 4)
			p.wait(3)
			p.lift(cards...)
			outs := perform(t, "punto_banco", nil, p)
			r := only(t, outs)
			if len(r.Findings) > 0 || !slices.Equal(notes(r), []string{track.NoteCorrected}) {
				t.Errorf("findings %v, notes %v; want none and one correction", codes(r), notes(r))
			}
			var states []track.State
			for _, a := range alerts(outs) {
				states = append(states, a.State)
			}
			want := []track.State(nil)
			if pause > 0 {
				want = []track.State{track.Raised, track.Corrected}
			}
			if !slices.Equal(states, want) {
				t.Errorf("alerts %v, want %v", states, want)
			}
		})
	}
}

// A loser who was paid, and the payment taken back, is one note.
func TestPaymentTakenBackFromALoserIsANote(t *testing.T) {
	p := &play{}
	stake := p.lay("seat:2 banca", "e5", 4)
	cards := p.naturalPunto()
	wrong := p.lay("seat:2 banca", "e5", 4)
	p.lift(wrong)
	p.lift(stake)
	p.lift(cards...)
	r := only(t, perform(t, "punto_banco", nil, p))
	if len(r.Findings) > 0 || !slices.Equal(notes(r), []string{track.NoteCorrected}) {
		t.Errorf("findings %v, notes %v; want none and one correction", codes(r), notes(r))
	}
}

// A wrong payment is raised about a second after the chips' coming to rest,
// once, and confirmed at the end.
func TestWrongPaymentIsRaisedAtOnce(t *testing.T) {
	p := &play{}
	p.lay("seat:1 punto", "e5", 4)
	cards := p.naturalPunto()
	p.lay("seat:1 punto", "e5", 6)
	rested := tracktest.Start.Add(time.Second).Add(time.Duration(p.now * float64(time.Second)))
	p.wait(6)
	p.lift(cards...)
	tr := trackerOf(t, "punto_banco", nil)
	s := session("punto_banco", p)
	clock, raised, states := tracktest.Start, time.Time{}, []track.State(nil)
	i := 0
	for end := s.End.Add(10 * time.Second); clock.Before(end); clock = clock.Add(50 * time.Millisecond) {
		for ; i < len(s.Inputs) && !s.Inputs[i].Arrives.After(clock); i++ {
			if in := s.Inputs[i]; in.Seen != nil {
				tr.Observe(*in.Seen)
			} else {
				tr.Hear(*in.Heard)
			}
		}
		for _, a := range alerts(tr.Advance(clock)) {
			states = append(states, a.State)
			if a.State == track.Raised {
				raised = clock
			}
			if a.Code != finding.PayoutOver || a.Seat != 1 || a.Spot != "punto" || !a.From.Before(a.At) ||
				a.To.Before(a.At) {
				t.Errorf("raised %+v", a)
			}
		}
	}
	if !slices.Equal(states, []track.State{track.Raised, track.Confirmed}) {
		t.Fatalf("alerts %v, want raised and confirmed", states)
	}
	if d := raised.Sub(rested); d < 700*time.Millisecond || d > 1200*time.Millisecond {
		t.Errorf("raised %v after the chips came to rest", d)
	}
}

// What a gap, a moved camera or a replaced reader hides is not verifiable and
// raises nothing, whatever was paid.
func TestUnseenRoundIsNotVerifiable(t *testing.T) {
	cases := map[string]func(tr *track.Tracker, at time.Time){
		"gap": func(tr *track.Tracker, at time.Time) {
			tr.Observe(fact.Observation{Kind: fact.Gap, Since: at.Add(-time.Second), Time: at})
		},
		"blind": func(tr *track.Tracker, at time.Time) {
			tr.Observe(fact.Observation{Kind: fact.Blind, Since: at.Add(-2 * time.Second), Time: at})
		},
		"moved": func(tr *track.Tracker, at time.Time) {
			tr.Observe(fact.Observation{Kind: fact.Moved, Time: at})
			tr.Observe(fact.Observation{Kind: fact.Moved, OK: true, Time: at.Add(200 * time.Millisecond)})
		},
		"reader replaced": func(tr *track.Tracker, at time.Time) { tr.Lost(at, "the reader was replaced") },
	}
	for name, hide := range cases {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			p.lay("seat:1 punto", "e5", 6)
			p.wait(3)
			p.lift(cards...)
			tr, s := trackerOf(t, "punto_banco", nil), session("punto_banco", p)
			half := s.Inputs[:len(s.Inputs)/2]
			outs := follow(tr, &tracktest.Session{Inputs: half, End: tracktest.Start})
			_ = outs
			tr = trackerOf(t, "punto_banco", nil)
			middle := half[len(half)-1].Arrives
			outs = nil
			for _, in := range s.Inputs {
				if !middle.IsZero() && in.Arrives.After(middle) {
					hide(tr, middle)
					middle = time.Time{}
				}
				if in.Seen != nil {
					tr.Observe(*in.Seen)
				} else {
					tr.Hear(*in.Heard)
				}
				outs = append(outs, tr.Advance(in.Arrives)...)
			}
			for d := time.Second; d < 20*time.Second; d += time.Second {
				outs = append(outs, tr.Advance(s.End.Add(d))...)
			}
			r := only(t, outs)
			if r.NotVerifiable == "" || !slices.Equal(codes(r), []finding.Code{finding.NotObservable}) ||
				r.Findings[0].Alert ||
				r.Findings[0].Rule == "" {
				t.Errorf("not verifiable %q, findings %+v", r.NotVerifiable, r.Findings)
			}
			if as := alerts(outs); len(as) > 0 {
				t.Errorf("alerts %+v", as[0])
			}
		})
	}
}

// Cards dealt face down are told as such, and revealed hand by hand.
func TestFaceDownCardsAreRevealed(t *testing.T) {
	p := &play{}
	p.lay("seat:1 punto", "e5", 4)
	p.call("no_va_mas")
	p.call("cartas")
	var tags []int
	for _, c := range [][2]string{{"punto", "9h"}, {"banca", "8c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
		tags = append(tags, p.card(c[0], c[1], true))
	}
	p.turn("punto", []string{"9h", "Kd"}, tags[0], tags[2])
	p.call("puntos", "zone", "punto", "points", 9.0)
	p.turn("banca", []string{"8c", "Qs"}, tags[1], tags[3])
	p.call("puntos", "zone", "banca", "points", 8.0)
	p.call("ganador", "winner", "punto")
	p.lay("seat:1 punto", "e5", 4)
	p.wait(2)
	p.lift(tags...)
	r := only(t, perform(t, "punto_banco", func(c *track.Config) { c.Options["mesa"] = "grande" }, p))
	if len(r.Findings) > 0 {
		t.Errorf("findings %+v", r.Findings)
	}
	var recorded []string
	for _, e := range r.Record.Events {
		if e.Type == round.CardDealt || e.Type == round.Reveal {
			recorded = append(recorded, string(e.Type)+" "+e.Zone+" "+e.Face)
		}
	}
	want := []string{
		"card punto down",
		"card banca down",
		"card punto down",
		"card banca down",
		"reveal punto ",
		"reveal banca ",
	}
	if !slices.Equal(recorded, want) {
		t.Errorf("told %q, want %q", recorded, want)
	}
}

// A payment whose count may be a misreading is no alert, and right where that is likelier
// than a mistake.
func TestADoubtfulCountIsNoAlert(t *testing.T) {
	for name, c := range map[string]struct {
		p     float64
		alert bool
	}{"sure": {1, true}, "doubtful": {0.97, false}, "likelier misread": {0.7, false}} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.lay("seat:1 punto", "e5", 4)
			cards := p.naturalPunto()
			p.lay("seat:1 punto", "e5", 5)
			p.wait(3)
			p.lift(cards...)
			s := session("punto_banco", p)
			for i := range s.Inputs {
				if o := s.Inputs[i].Seen; o != nil && o.Zone == "seat:1 punto" && len(o.Chips) == 2 {
					o.Chips[1].P = c.p
					o.Chips[1] = tracktest.Between(o.Chips[1], 4, 5)
				}
			}
			r := only(t, follow(trackerOf(t, "punto_banco", nil), s))
			if c.p < 0.8 {
				if len(r.Findings) > 0 {
					t.Errorf("findings %+v; want none", r.Findings)
				}
				return
			}
			if len(r.Findings) != 1 || r.Findings[0].Code != finding.PayoutOver || r.Findings[0].Alert != c.alert {
				t.Errorf("findings %+v; want payout_over with alert %v", r.Findings, c.alert)
			}
		})
	}
}

func spin(p *play, pocket string, sensor bool) {
	p.call("no_va_mas")
	p.wait(3)
	if sensor {
		p.say("ball", map[string]any{"pocket": pocket})
	}
	args := []any{"number", pocket}
	if pocket == "17" {
		args = append(args, "color", "negro", "parity", "impar", "half", "falta")
	}
	p.call("number", args...)
}

// Without a wheel sensor the call is the ball.
func TestCalledNumberIsTheBall(t *testing.T) {
	p := &play{}
	p.lay("pleno:17", "color1", 2)
	lost := p.lay("pleno:20", "color2", 1)
	spin(p, "17", false)
	p.lift(lost)
	pay := p.lay("seat:1 pay", "e25", 14)
	p.wait(2)
	p.lift(pay)
	r := only(t, perform(t, "ruleta_francesa", nil, p))
	if len(r.Findings) > 0 ||
		!slices.ContainsFunc(
			r.Record.Events,
			func(e round.Event) bool { return e.Type == round.Ball && e.Pocket == "17" },
		) {
		t.Errorf("findings %+v in %v", r.Findings, lines(t, r.Record.Events))
	}
}

// Wheel and call are two readings of one fact; so are shoe and camera.
func TestVariances(t *testing.T) {
	p := &play{}
	p.lay("pleno:20", "color2", 1)
	p.call("no_va_mas")
	p.say("ball", map[string]any{"pocket": "20"})
	p.call("number", "number", "17", "color", "negro", "parity", "impar", "half", "falta")
	q := &play{}
	q.lay("seat:1 punto", "e5", 4)
	q.call("no_va_mas")
	q.call("cartas")
	for _, c := range [][2]string{{"punto", "9h"}, {"banca", "8c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
		shoe := c[1]
		if shoe == "Kd" {
			shoe = "5d"
		}
		q.say("card", map[string]any{"zone": c[0], "card": shoe})
		q.card(c[0], c[1], false)
	}
	q.lift(1, 2, 3, 4, 5)
	for game, c := range map[string]struct {
		play *play
		fact string
	}{"ruleta_francesa": {p, "number"}, "punto_banco": {q, "card"}} {
		var got []string
		for _, o := range perform(t, game, nil, c.play) {
			if v, ok := o.(*track.Variance); ok {
				got = append(got, v.Fact)
			}
		}
		if !slices.Equal(got, []string{c.fact}) {
			t.Errorf("%s: variances %q, want one of %q", game, got, c.fact)
		}
	}
}

// After a restart the running round is not verifiable, the next one is, and
// what was carried over is known.
func TestRestart(t *testing.T) {
	for name, x := range map[string]struct {
		pushed bool
		back   time.Duration
	}{
		"": {}, "while the camera is displaced, and confirmed then": {pushed: true},
		"because the clock was set back": {back: time.Hour},
	} {
		t.Run(name, func(t *testing.T) { restart(t, x.pushed, x.back) })
	}
}

func restart(t *testing.T, pushed bool, back time.Duration) {
	s, err := tracktest.Play(
		scriptOf("dados_craps", 4),
		tracktest.Zones("dados_craps", seats),
		10,
		tracktest.Disorder{Jitter: 1},
	)
	if err != nil {
		t.Fatal(err)
	}
	cut := s.Starts[4].Add(6 * time.Second)
	var outs []track.Out
	tr := trackerOf(t, "dados_craps", nil)
	done := false
	for _, in := range s.Inputs {
		if !done && in.Arrives.After(cut) {
			if pushed {
				tr.Observe(fact.Observation{Kind: fact.Moved, Time: cut})
				tr.Advance(cut)
			}
			state := tr.Snapshot()
			tr = trackerOf(t, "dados_craps", nil)
			if err := tr.Restore(state, in.Arrives.Add(-back)); err != nil {
				t.Fatal(err)
			}
			done = true
		}
		if done {
			in = earlier(in, back)
		}
		if in.Seen != nil {
			tr.Observe(*in.Seen)
		} else {
			tr.Hear(*in.Heard)
		}
		outs = append(outs, tr.Advance(in.Arrives)...)
	}
	for d := time.Second; d < 40*time.Second; d += time.Second {
		outs = append(outs, tr.Advance(s.End.Add(d-back))...)
	}
	got := rounds(outs)
	if len(got) != 10 {
		t.Fatalf("%d rounds, want 10", len(got))
	}
	for i, r := range got {
		if (r.NotVerifiable != "") != (i == 4) {
			t.Errorf("round %d: not verifiable %q", i, r.NotVerifiable)
		}
		if i != 4 && len(r.Findings) > 0 {
			t.Errorf("round %d: %+v", i, r.Findings)
		}
	}
}

// earlier is the input by a clock that is so far behind.
func earlier(in tracktest.Input, by time.Duration) tracktest.Input {
	in.Arrives = in.Arrives.Add(-by)
	if in.Heard != nil {
		heard := *in.Heard
		heard.Time = heard.Time.Add(-by)
		in.Heard = &heard
	}
	if in.Seen != nil {
		seen := *in.Seen
		seen.Time = seen.Time.Add(-by)
		if !seen.Since.IsZero() {
			seen.Since = seen.Since.Add(-by)
		}
		in.Seen = &seen
	}
	return in
}

// A repeated line counts once; a line for a finished round is noted.
func TestLines(t *testing.T) {
	tr := trackerOf(t, "dados_craps", nil)
	at := tracktest.Start
	say := func(id, kind string, args map[string]any, at time.Time) {
		tr.Hear(fact.Sensed{Source: "terminal", ID: id, Kind: kind, Args: args, Time: at})
	}
	say("1", "announce", map[string]any{"call": "no_va_mas", "by": "stickman"}, at)
	say("1", "announce", map[string]any{"call": "no_va_mas", "by": "stickman"}, at)
	say("2", "announce", map[string]any{"seat": "left"}, at)
	// A word that is none of the game would make the whole round impossible to judge.
	say("3", "announce", map[string]any{"call": "total", "by": "the cook", "number": 7}, at)
	var live *track.Live
	var refused int
	for _, o := range tr.Advance(at) {
		switch o := o.(type) {
		case *track.Live:
			live = o
		case *track.Note:
			if o.Code == track.NoteRefused {
				refused++
			}
		}
	}
	if live == nil || len(live.Record.Events) != 1 || refused != 2 {
		t.Errorf("live %+v, %d lines refused; want one event and two refusals", live, refused)
	}
}

func BenchmarkFact(b *testing.B) {
	s, err := tracktest.Play(
		scriptOf("ruleta_francesa", 1),
		tracktest.Zones("ruleta_francesa", seats),
		20,
		tracktest.Disorder{Jitter: 1},
	)
	if err != nil {
		b.Fatal(err)
	}
	books(b)
	for b.Loop() {
		tr := trackerOf(b, "ruleta_francesa", nil)
		for _, in := range s.Inputs {
			if in.Seen != nil {
				tr.Observe(*in.Seen)
			} else {
				tr.Hear(*in.Heard)
			}
			tr.Advance(in.Arrives)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(s.Inputs)), "ns/fact")
}

// dealBlackjack deals two boxes and the bank: seat 1, seat 2, bank, seat 1,
// seat 2, and calls the hands.
func (p *play) dealBlackjack(cards [5]string, points [2]float64) (tags []int) {
	for i, zone := range []string{"seat:1", "seat:2", "bank", "seat:1", "seat:2"} {
		tags = append(tags, p.card(zone, cards[i], false))
	}
	p.call("puntos_mano", "zone", "seat:1", "points", points[0])
	p.call("puntos_mano", "zone", "seat:2", "points", points[1])
	return tags
}

func want(t *testing.T, r *track.Round, findings ...finding.Code) {
	t.Helper()
	if r.NotVerifiable != "" || !slices.Equal(codes(r), findings) {
		t.Errorf(
			"%s findings %v, want %v in\n%s",
			r.NotVerifiable,
			codes(r),
			findings,
			sideBySide(lines(t, r.Record.Events), nil),
		)
	}
}

// Insurance, even money and surrender, as the terminal says them and the chips
// show them.
func TestBlackjackDecisions(t *testing.T) {
	p := &play{}
	p.lay("seat:1 main", "e5", 4)
	one := p.tag
	p.lay("seat:2 main", "e5", 4)
	two := p.tag
	tags := p.dealBlackjack([5]string{"As", "9c", "Ah", "Kd", "8c"}, [2]float64{21, 17})
	p.call("seguro")
	seguro := p.lay("seat:2 seguro", "e5", 2)
	p.say("action", map[string]any{"seat": 1.0, "action": "even_money"})
	paid := p.lay("seat:1 main", "e5", 4)
	p.wait(1)
	p.lift(one, paid)
	tags = append(tags, p.card("bank", "7d", false))
	p.call("puntos_banca", "points", 18.0)
	p.lift(seguro)
	p.lift(two)
	p.wait(1)
	p.lift(tags...)
	want(t, only(t, perform(t, "blackjack", nil, p)))

	q := &play{}
	q.lay("seat:1 main", "e5", 4)
	q.lay("seat:2 main", "e5", 2)
	half := q.lay("seat:2 main", "e5", 2)
	tags = q.dealBlackjack([5]string{"Ts", "9c", "9h", "Kd", "7c"}, [2]float64{20, 16})
	q.say("action", map[string]any{"seat": 2.0, "action": "surrender"})
	q.lift(half)
	tags = append(tags, q.card("bank", "Td", false))
	q.call("puntos_banca", "points", 19.0)
	q.lay("seat:1 main", "e5", 4)
	q.wait(1)
	q.lift(tags...)
	want(t, only(t, perform(t, "blackjack", nil, q)))
}

// A payment to a hand over 21 is found although the bank has not drawn yet.
func TestBustHandPaid(t *testing.T) {
	p := &play{}
	p.lay("seat:1 main", "e5", 4)
	p.lay("seat:2 main", "e5", 4)
	tags := p.dealBlackjack([5]string{"Ts", "9c", "9h", "6d", "8c"}, [2]float64{16, 17})
	tags = append(tags, p.card("seat:1", "Kc", false))
	p.call("puntos_mano", "zone", "seat:1", "points", 26.0)
	p.lay("seat:1 main", "e5", 4)
	p.wait(1)
	tags = append(tags, p.card("bank", "Td", false))
	p.call("puntos_banca", "points", 19.0)
	p.wait(1)
	p.lift(tags...)
	r := only(t, perform(t, "blackjack", nil, p))
	if !slices.Contains(codes(r), finding.PayoutToLoser) {
		t.Errorf("findings %v, want payout_to_loser among them", codes(r))
	}
}

// A come bet travels to its number, stays there over the next throw, and wins.
func TestComeBetTravels(t *testing.T) {
	throw := func(p *play, a, b int) {
		p.act(
			script.Act{
				Sensed: []fact.Sensed{
					{Source: "terminal", Kind: "announce", Args: map[string]any{"call": "no_va_mas", "by": "stickman"}},
				},
			},
		)
		p.tag += 2
		p.act(script.Act{Dice: []int{a, b}, Tag: p.tag - 1})
	}
	away := func(p *play) { p.lift(p.tag-1, p.tag) }
	first, second, third := &play{}, &play{tag: 100}, &play{tag: 200}
	first.lay("seat:1 win", "e5", 2)
	throw(first, 4, 4)
	away(first)
	second.call("hagan_juego")
	come := second.lay("seat:1 come", "e5", 1)
	throw(second, 3, 3)
	dice := []int{second.tag - 1, second.tag}
	second.tag++
	on := second.tag
	second.act(
		script.Act{Lift: []int{come}, Piles: []script.Pile{{Tag: on, Zone: "seat:1 come:6", Chips: []string{"e5"}}}},
	)
	second.lift(dice...)
	third.call("hagan_juego")
	throw(third, 5, 1)
	dice = []int{third.tag - 1, third.tag}
	third.tag++
	paid := third.tag
	third.act(script.Act{Piles: []script.Pile{{Tag: paid, Zone: "seat:1 come:6", Slot: 1, Chips: []string{"e5"}}}})
	third.wait(1)
	third.lift(on, paid)
	third.lift(dice...)
	rs := rounds(perform(t, "dados_craps", nil, first, second, third))
	if len(rs) != 3 {
		t.Fatalf("%d rounds, want 3", len(rs))
	}
	for _, r := range rs {
		want(t, r)
	}
	if !slices.ContainsFunc(rs[1].Record.Events, func(e round.Event) bool {
		return e.Type == round.Move && e.From == "come" && e.To == "come:6" && e.Amount == 500
	}) {
		t.Errorf("no move told in %v", lines(t, rs[1].Record.Events))
	}
	if !slices.ContainsFunc(
		rs[2].Verdict.Settlement,
		func(s round.Settlement) bool { return s.Spot == "come:6" && s.Outcome == round.Win },
	) {
		t.Errorf("settlement %+v, want come:6 won", rs[2].Verdict.Settlement)
	}
}

// Zero at the French roulette: one stake goes to prison and is carried over
// where it lies, while a new bet beside it is a bet.
func TestPrisonIsCarriedOver(t *testing.T) {
	first, second := &play{}, &play{tag: 100}
	held := first.lay("rojo", "color1", 2)
	spin(first, "0", true)
	second.call("hagan_juego")
	lost := second.lay("pleno:20", "color2", 1)
	spin(second, "17", true)
	second.lift(lost)
	second.lift(held)
	rs := rounds(perform(t, "ruleta_francesa", nil, first, second))
	if len(rs) != 2 {
		t.Fatalf("%d rounds, want 2", len(rs))
	}
	want(t, rs[0])
	want(t, rs[1])
	if !slices.ContainsFunc(
		rs[1].Verdict.Settlement,
		func(s round.Settlement) bool { return s.Spot == "prison:rojo" && s.Outcome == round.Lose },
	) {
		t.Errorf("settlement %+v, want the prisoner lost", rs[1].Verdict.Settlement)
	}
}

// A round whose bets were closed and that came to nothing is noted.
func TestAbandonedRound(t *testing.T) {
	p := &play{}
	stake := p.lay("seat:1 punto", "e5", 4)
	p.call("no_va_mas")
	p.lift(stake)
	p.say("round", nil)
	outs := perform(t, "punto_banco", nil, p)
	if len(rounds(outs)) != 0 {
		t.Errorf("a round was told: %+v", rounds(outs)[0].Record)
	}
	noted := slices.ContainsFunc(
		outs,
		func(o track.Out) bool { n, ok := o.(*track.Note); return ok && n.Code == track.NoteAbandoned },
	)
	if !noted {
		t.Error("the abandoned round was not noted")
	}
}
