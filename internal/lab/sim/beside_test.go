package sim

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// Every game can be shown on a hard table, round after round; its calls keep their times' order,
// and at the end of each round there lies what the script has there. A house has less of all that
// a hard table has. What a hard cloth bears, which takes longest to print, is shown by TestPrints.
func TestEveryGameUnderConditions(t *testing.T) {
	if testing.Short() {
		t.Skip("sets up all tables")
	}
	const rounds = 2
	on := set(t, condition.Hard)
	on.Felt = condition.Felt{}
	for i, game := range Games() {
		tab := newTable(t, Config{Game: game, Seed: uint64(13 + i), Size: [2]int{320, 180}, FPS: 2, Faults: 0.3,
			Condition: on, Plaques: i%3 == 0})
		l := ledger{}
		l.follow(tab.dir.round)
		var last time.Time
		truths := 0
		for n := 0; truths < rounds && n < 1600; n++ {
			l.checkAtEnd(t, tab)
			f := step(t, tab)
			for _, c := range f.Calls {
				if c.Time.Before(last) || c.Time.After(f.At) {
					t.Fatalf("%s: call at %v after %v in the picture of %v", game, c.Time, last, f.At)
				}
				last = c.Time
			}
			if f.Truth != nil {
				truths++
				l.follow(tab.dir.round)
			}
		}
		if truths < rounds {
			t.Errorf("%s: %d rounds in 800 s", game, truths)
		}
	}
}

// ledger is what lies by the acts alone: chips from the felt upwards, and cards.
type ledger map[int]string

func (l ledger) follow(r script.Round) {
	for _, a := range r.Acts {
		for _, tag := range a.Lift {
			delete(l, tag)
		}
		for _, p := range a.Piles {
			chips := slices.Sorted(slices.Values(p.Chips))
			l[p.Tag] = fmt.Sprint(chips)
		}
		for _, c := range a.Cards {
			l[c.Tag] = fmt.Sprint(c.Card, c.Down)
		}
		for k, f := range a.Dice {
			l[a.Tag+k] = fmt.Sprint(f)
		}
	}
}

// checkAtEnd holds the table against the ledger when the next picture begins a round.
func (l ledger) checkAtEnd(t *testing.T, tab *Table) {
	t.Helper()
	d := tab.dir
	if float64(tab.n)/tab.cfg.FPS-tab.began < d.round.Length {
		return
	}
	if d.next < len(d.round.Acts) || len(d.beside) > 0 {
		t.Fatalf("%s: an act was not shown", d.stage.game)
	}
	got := ledger{}
	for tag, want := range l {
		th := d.lying(tag)
		switch {
		case th == nil:
			t.Fatalf("%s: tag %d, %s, does not lie there at the end of the round", d.stage.game, tag, want)
		case th.fallen:
			t.Fatalf("%s: a pile lies about at the end of the round", d.stage.game)
		case th.chips != nil:
			got[tag] = fmt.Sprint(slices.Sorted(slices.Values(th.chips)))
		case th.card != nil:
			got[tag] = fmt.Sprint(th.card.Card, th.card.Down)
		default:
			got[tag] = want // a die
		}
	}
	if !maps.Equal(got, l) || len(d.things) != len(l) {
		t.Fatalf("%s: %v lie there, %d things in all, want %v", d.stage.game, got, len(d.things), l)
	}
}

// Whatever hands do beside the play, what lies there after a round is what its acts
// have left; a stake is taken up while bets are open only; nothing is set down where
// something lies; nobody's hand is asked for at two places at once. All of it comes up.
func TestHandsChangeNothing(t *testing.T) {
	busy := condition.Hands{Rest: 4, Lean: 2, Restack: 6, Cup: 3, Squeeze: 1, Topple: 1}
	seen := map[string]int{}
	for _, game := range []string{"blackjack", "ruleta_francesa", "treinta_cuarenta", "poker_con_descarte", "dados_craps"} {
		c := set(t, condition.Hard)
		c.Hands = busy
		tab := newTable(t, Config{Game: game, Seed: 17, Size: [2]int{320, 180}, FPS: 4, Condition: c})
		l := ledger{}
		l.follow(tab.dir.round)
		checkPaths(t, tab.dir)
		for range 4 * 250 {
			now := float64(tab.n) / tab.cfg.FPS
			l.checkAtEnd(t, tab)
			f := step(t, tab)
			if f.Truth != nil {
				l.follow(tab.dir.round)
				checkPaths(t, tab.dir)
			}
			watchHands(t, tab, now, seen)
		}
	}
	t.Log(seen)
	for _, what := range []string{"restack", "fallen", "squeezed", "vessel", "sip", "rest", "lean"} {
		if seen[what] == 0 {
			t.Errorf("no %s in 20 minutes", what)
		}
	}
}

// checkPaths holds that a person's hand has time from one place to the next.
func checkPaths(t *testing.T, d *director) {
	t.Helper()
	for who, path := range d.paths {
		for i := 1; i < len(path); i++ {
			a, b := path[i-1], path[i]
			touch := len(a.act.Lift)+len(a.act.Piles)+len(a.act.Cards)+len(a.act.Dice) == 0 ||
				len(b.act.Lift)+len(b.act.Piles)+len(b.act.Cards)+len(b.act.Dice) == 0
			if gap := b.at - a.at; touch && gap < 0.75 {
				t.Fatalf("%s: %d's hand is at two places within %.2f s", d.stage.game, who, gap)
			}
		}
	}
}

func watchHands(t *testing.T, tab *Table, now float64, seen map[string]int) {
	t.Helper()
	d, u := tab.dir, tab.upset
	if len(d.held) > 0 {
		seen["restack"]++
		if from, to := d.round.Open(); now-tab.began < from || now-tab.began > to {
			t.Fatalf("%s: a stake is up at %.1f, bets are open from %.1f to %.1f", d.stage.game, now-tab.began, from, to)
		}
	}
	count := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	count("vessel", u.vessel.id != 0)
	count("sip", u.vessel.id == 0 && u.vessel.next > 1 && u.vessel.next < len(u.vessel.stops))
	count("rest", u.rest.done && now > u.rest.from && now < u.rest.to)
	count("lean", u.lean.done && now > u.lean.from && now < u.lean.to)
	zones := map[string][]*thing{}
	for tag := range d.things {
		th := d.lying(tag)
		if th == nil {
			continue
		}
		count("fallen", th.fallen)
		if th.card != nil {
			zones[th.card.Zone] = append(zones[th.card.Zone], th)
		}
		if near := apart(th.at, u.vessel.at); u.vessel.id != 0 && near < scene.VesselReach(u.vessel.kind)+15 {
			t.Fatalf("%s: a %s stands %.0f mm from what lies there", d.stage.game, u.vessel.kind, near)
		}
	}
	for _, cards := range zones {
		for i := range cards {
			for k := range i {
				count("squeezed", apart(cards[i].at, cards[k].at) < 40)
			}
		}
	}
}

// Vessels that stand in the way of what is laid in the next round are taken away first.
func TestVesselGivesWay(t *testing.T) {
	c := condition.Set{Hands: condition.Hands{Cup: 1}}
	tab := newTable(t, Config{Game: "punto_banco", Seed: 3, Size: [2]int{320, 180}, FPS: 4, Condition: c})
	step(t, tab)
	u := tab.upset
	at, err := tab.stage.cardAt("punto", 0, false)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tab.scene.Vessel("glass", at[0], at[1], 0)
	if err != nil {
		t.Fatal(err)
	}
	u.cup.occasion = occasion{from: -5, to: 90, who: 1, done: true}
	u.vessel = vessel{
		kind:   "glass",
		sprite: sp,
		at:     at,
		high:   98,
		stops:  []float64{-4, 30, 34, 89},
		next:   1,
		id:     tab.scene.Lay(sp, true, at),
	}
	u.giveWay(0)
	dealt := 0.0
	for _, a := range tab.dir.round.Acts {
		if len(a.Cards) > 0 {
			dealt = a.At
			break
		}
	}
	if n := len(u.vessel.stops); n != 2 || u.vessel.stops[1] > dealt-1 || u.cup.to > dealt {
		t.Errorf("taken up at %v, gone at %.1f; the card comes at %.1f", u.vessel.stops, u.cup.to, dealt)
	}
	for range int(4 * dealt) {
		step(t, tab)
	}
	if u.vessel.id != 0 {
		t.Error("it still stands where the card is dealt")
	}
	now := float64(tab.n) / tab.cfg.FPS
	u.cup.occasion = occasion{from: now, to: now + 60, who: 1, done: true} // it is on its way there
	u.vessel.stops, u.vessel.next = []float64{now + carryCup, now + 60 - carryCup}, 0
	u.clearBy(now + carryCup)
	if len(u.vessel.stops) > 0 || u.cup.to > now {
		t.Errorf("it is put down at %v and gone at %.1f", u.vessel.stops, u.cup.to)
	}
	step(t, tab)
	if u.vessel.id != 0 {
		t.Error("it was put down where it was in the way")
	}
}
