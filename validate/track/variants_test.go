package track_test

import (
	"slices"
	"testing"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/lab/sim/script"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/tracktest"
)

// under plays by hand at a table of another norm.
func under(
	t *testing.T,
	game, norm string,
	options map[string]any,
	zones []calibration.Zone,
	plays ...*play,
) []track.Out {
	t.Helper()
	if zones == nil {
		zones = tracktest.Zones(game, seats)
	}
	var rs []script.Round
	for _, p := range plays {
		rs = append(rs, p.round())
	}
	s := tracktest.Perform(rs, zones, tracktest.Palette(seats), 1, tracktest.Disorder{Jitter: 0.5})
	return follow(trackerOf(t, game, func(c *track.Config) { c.Norm, c.Options, c.Zones = norm, options, zones }), s)
}

// rollDice throws dice and returns what lifts them.
func (p *play) rollDice(faces ...int) (tags []int) {
	for range faces {
		p.tag++
		tags = append(tags, p.tag)
	}
	p.act(script.Act{Dice: faces, Tag: tags[0]})
	return tags
}

// The wheel of fortune of Baleares and Andalucía has positions and two figures.
func TestFortuneByPositions(t *testing.T) {
	for _, norm := range []string{"balears-2005", "andalucia-2010"} {
		t.Run(norm, func(t *testing.T) {
			l, err := layout.New("ruleta_fortuna", layout.Dims{Seats: seats, Norm: norm})
			if err != nil {
				t.Fatal(err)
			}
			p := &play{}
			p.call("hagan_juego")
			p.lay("pos:24", "color1", 4)
			lost := p.lay("figura:2", "color2", 1)
			p.call("no_va_mas")
			p.wait(4)
			p.say("ball", map[string]any{"pocket": "24"})
			p.call("combination", "combination", "24")
			p.lift(lost)
			paid := p.lay("seat:1 pay", "e5", 4)
			p.wait(1)
			p.lift(paid)
			want(t, only(t, under(t, "ruleta_fortuna", norm, nil, l.Zones, p)))
		})
	}
}

// At the reduced craps table of Baleares the croupier calls null throws too.
func TestReducedCraps(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("seat:1 win", "e5", 2)
	p.call("no_va_mas")
	dice := p.rollDice(2, 3)
	p.call("null_throw")
	p.lift(dice...)
	p.call("no_va_mas")
	dice = p.rollDice(3, 4)
	paid := p.lay("seat:1 win", "e5", 2)
	p.wait(1)
	p.lift(paid, 1)
	p.lift(dice...)
	r := only(t, under(t, "dados_craps", "balears-2005", map[string]any{"reduced": true}, nil, p))
	want(t, r)
	if !slices.ContainsFunc(
		r.Verdict.Settlement,
		func(s round.Settlement) bool { return s.Spot == "win" && s.Outcome == round.Win && s.Pays == 1000 },
	) {
		t.Errorf("settlement %+v, want win paid", r.Verdict.Settlement)
	}
}

// The short roulette of Andalucía has no simple chances, and its call no more
// than the number.
func TestShortRoulette(t *testing.T) {
	for name, extra := range map[string][]finding.Code{"numbers only": nil, "a simple chance": {finding.BetNotAllowed}} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("pleno:17", "color1", 2)
			if extra != nil {
				p.lay("rojo", "color2", 2)
			}
			p.call("no_va_mas")
			p.wait(3)
			p.say("ball", map[string]any{"pocket": "17"})
			p.call("number", "number", "17")
			paid := p.lay("seat:1 pay", "e25", 14)
			p.wait(1)
			p.lift(paid)
			r := only(t, under(t, "ruleta_francesa", "andalucia-2010", map[string]any{"abreviada": true}, nil, p))
			want(t, r, extra...)
		})
	}
}

// Without an opening call, chips laid between two throws of sic bo are bets of
// the next one.
func TestSicBoWithoutOpeningCall(t *testing.T) {
	p, q := &play{}, &play{tag: 100}
	p.lay("pequena", "color1", 2)
	dice := p.rollDice(1, 2, 4)
	paid := p.lay("seat:1 pay", "e5", 2)
	p.lift(paid)
	p.wait(2)
	lost := q.lay("total:9", "color2", 1)
	q.wait(2)
	q.act(script.Act{Lift: dice, Dice: []int{5, 5, 1}, Tag: 150})
	q.lift(lost)
	q.wait(1)
	q.lift(1)
	rs := rounds(under(t, "sic_bo", script.Norm, nil, nil, p, q))
	if len(rs) != 2 {
		t.Fatalf("%d rounds, want 2", len(rs))
	}
	want(t, rs[0])
	want(t, rs[1])
}

// Chips that a player lays for «banco» are that bet, and the bank's money is
// taken for what the croupier said it is when the terminal gives no figure.
func TestBancoIsSpoken(t *testing.T) {
	p := &play{}
	bank := p.lay("seat:1 banca", "e100", 1)
	p.call("banco", "by", "player", "seat", 3)
	p.lay("seat:3 punto", "e100", 1)
	p.call("hay_banca")
	p.call("no_va_mas")
	var tags []int
	for _, c := range [][2]string{{"punto", "9h"}, {"banca", "7c"}, {"punto", "Kd"}, {"banca", "Qs"}} {
		tags = append(tags, p.card(c[0], c[1], true))
	}
	p.turn("punto", []string{"9h", "Kd"}, tags[0], tags[2])
	p.turn("banca", []string{"7c", "Qs"}, tags[1], tags[3])
	p.lift(bank)
	p.lay("seat:3 punto", "e100", 1)
	p.wait(2)
	p.lift(tags...)
	r := only(t, perform(t, "baccara_chemin_de_fer", nil, p))
	want(t, r)
	if !slices.ContainsFunc(
		r.Verdict.Settlement,
		func(s round.Settlement) bool { return s.Seat == 3 && s.Spot == "banco" && s.Pays == 10000 },
	) {
		t.Errorf("settlement %+v, want banco paid", r.Verdict.Settlement)
	}
}

// One movement that settles both cloths of a stake is told as both.
func TestCaballoSettledInOne(t *testing.T) {
	p := &play{}
	p.lay("seat:1 banca", "e500", 2)
	p.lay("seat:2 caballo", "e25", 3) // three units: two on the first cloth, one on the second
	p.call("no_va_mas")
	deal := [][2]string{
		{"pano1", "9h"},
		{"pano2", "6c"},
		{"banca", "7c"},
		{"pano1", "Kd"},
		{"pano2", "Kh"},
		{"banca", "Qs"},
	}
	tags := map[string][]int{}
	faces := map[string][]string{}
	var all []int
	for _, c := range deal {
		tag := p.card(c[0], c[1], true)
		tags[c[0]], faces[c[0]], all = append(tags[c[0]], tag), append(faces[c[0]], c[1]), append(all, tag)
	}
	p.turn("pano1", faces["pano1"], tags["pano1"]...)
	p.call("no", "by", "player", "zone", "pano2")
	p.turn("pano2", faces["pano2"], tags["pano2"]...)
	p.turn("banca", faces["banca"], tags["banca"]...)
	p.call("puntos", "zone", "pano1", "points", 9.0)
	p.call("puntos", "zone", "pano2", "points", 6.0)
	p.call("puntos", "zone", "banca", "points", 7.0)
	p.lay("seat:2 caballo", "e25", 1) // 50 € won, 25 € lost
	p.wait(2)
	p.lift(all...)
	want(t, only(t, perform(t, "baccara_dos_panos", nil, p)))
}

// A ball that leaves the wheel is null and spun again; a table that counts it
// all the same is found out.
func TestNullBall(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	lost := p.lay("pleno:20", "color2", 1)
	p.lay("pleno:17", "color1", 1)
	p.call("no_va_mas")
	p.wait(3)
	p.say("incident", map[string]any{"kind": "ball_out"})
	counted := *p
	counted.acts = slices.Clone(p.acts)

	p.call("null_throw", "by", "jefe")
	late := p.lay("docena:1", "color3", 2) // the betting is open again
	spin(p, "17", true)
	p.lift(lost)
	p.lift(late)
	paid := p.lay("seat:1 pay", "e25", 7)
	p.wait(1)
	p.lift(paid)
	r := only(t, perform(t, "ruleta_americana", nil, p))
	want(t, r)

	q := &counted
	q.say("ball", map[string]any{"pocket": "20"})
	q.call("number", "number", "20", "color", "negro", "parity", "par", "half", "pasa")
	q.lift(2)
	q.lay("seat:2 pay", "e25", 7)
	q.wait(1)
	r = only(t, perform(t, "ruleta_americana", nil, q))
	if got := codes(r); !slices.Contains(got, finding.NullBallCounted) ||
		!slices.Contains(got, finding.VoidRoundSettled) {
		t.Errorf("findings %v, want null_ball_counted and void_round_settled", got)
	}
}

// Dice of banca francesa that are touched before the call still pay, and nobody
// loses: a stake collected all the same is found.
func TestTouchedDice(t *testing.T) {
	for name, collected := range map[string]bool{"left": false, "collected": true} {
		t.Run(name, func(t *testing.T) {
			p := &play{}
			p.call("hagan_juego")
			p.lay("grande", "color1", 2)
			lost := p.lay("pequeno", "color2", 2)
			dice := p.rollDice(5, 5, 5)
			p.say("incident", map[string]any{"kind": "dice_touched"})
			p.call("chance", "winner", "grande")
			if collected {
				p.lift(lost)
			}
			paid := p.lay("seat:1 pay", "e5", 2)
			p.wait(1)
			p.lift(paid)
			p.lift(dice...)
			got := codes(only(t, perform(t, "banca_francesa_dados", nil, p)))
			if slices.Contains(got, finding.PushCollected) != collected {
				t.Errorf("findings %v with the stake collected: %v", got, collected)
			}
		})
	}
}

// What falls before the throw that decides need not be read: it was thrown again. The round is
// judged, and a loser that is left is found.
func TestAnUnreadThrowThatIsMadeAgain(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	p.lay("grande", "color1", 2) // it is left lying
	p.lay("pequeno", "color2", 2)
	p.call("no_va_mas")
	p.wait(3)
	gone := p.rollDice(2, 2, 6)
	p.wait(2)
	p.lift(gone...)
	gone = p.rollDice(1, 2, 3)
	p.call("chance", "winner", "pequeno")
	paid := p.lay("seat:2 pay", "e5", 2)
	p.wait(4)
	p.lift(paid)
	p.lift(gone...)
	p.wait(10)
	s := session("banca_francesa_dados", p)
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && len(o.Dice) == 3 && o.Dice[0].Guesses[0].Label == "2" {
			o.Dice = slices.Clone(o.Dice)
			o.Dice[0].Guesses, o.Dice[0].Abstain = nil, "unsure"
		}
	}
	r := only(t, follow(trackerOf(t, "banca_francesa_dados", nil), s))
	if got := codes(r); r.NotVerifiable != "" || !slices.Equal(got, []finding.Code{finding.LoserNotCollected}) {
		t.Errorf("%q: findings %v", r.NotVerifiable, got)
	}
}

// What a throw decided that nobody could read is not known: no bet of its round is one
// of the next, but what still lies there then.
func TestNothingIsHeldOverFromUnreadDice(t *testing.T) {
	p := &play{}
	p.call("hagan_juego")
	lost := p.lay("grande", "color1", 2)
	won := p.lay("pequeno", "color2", 2)
	p.call("no_va_mas")
	p.wait(3)
	gone := p.rollDice(2, 2, 6)
	p.wait(2)
	p.lift(gone...)
	gone = p.rollDice(1, 2, 3)
	p.call("chance", "winner", "pequeno")
	p.lift(lost)
	paid := p.lay("pequeno", "color2", 2)
	p.wait(4)
	p.lift(won, paid)
	p.lift(gone...)
	p.call("hagan_juego")
	lost = p.lay("pequeno", "color1", 3)
	p.call("no_va_mas")
	p.wait(3)
	p.rollDice(3, 5, 6)
	p.call("chance", "winner", "grande")
	p.lift(lost)
	p.wait(4)
	s := session("banca_francesa_dados", p)
	for i := range s.Inputs {
		if o := s.Inputs[i].Seen; o != nil && len(o.Dice) == 3 && o.Dice[0].Guesses[0].Label == "1" {
			o.Dice = slices.Clone(o.Dice)
			o.Dice[0].Guesses, o.Dice[0].Abstain = nil, "unsure"
		}
	}
	outs := follow(trackerOf(t, "banca_francesa_dados", nil), s)
	if as := alerts(outs); len(as) > 0 {
		t.Errorf("%d alerts: %+v", len(as), as[0])
	}
	if rs := rounds(outs); len(rs) != 2 || rs[0].NotVerifiable == "" || rs[1].NotVerifiable != "" ||
		len(rs[1].Findings) > 0 {
		t.Errorf("%d rounds: %+v", len(rs), rs)
	}
}
