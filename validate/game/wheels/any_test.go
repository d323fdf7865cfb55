package wheels_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/game/wheels"
	"vision/validate/round"
)

// anyEvent draws one event of any sort that the game's vocabulary has.
func anyEvent(t *rapid.T, s stage, calls []string) round.Event {
	e := round.Event{Seat: rapid.IntRange(1, 3).Draw(t, "seat"), Spot: rapid.SampledFrom(s.spots).Draw(t, "spot"),
		Amount: money.Cents(rapid.IntRange(1, 999).Draw(t, "amount"))}
	kind := rapid.SampledFrom([]round.Type{round.Bet, round.Bet, round.Bet, round.Withdraw, round.Collect, round.Pay,
		round.Return, round.Commission, round.Move, round.Announce, round.Announce, round.Action, round.Incident, round.Ball,
		round.Clear}).Draw(t, "type")
	switch kind {
	case round.Ball:
		e = s.shot(t)
		if rapid.IntRange(0, 3).Draw(t, "irregular") == 0 && e.Type == round.Dice {
			e.Irregular = rapid.SampledFrom([]string{"off_table", "cocked", "one_wall", "near_half"}).Draw(t, "how")
			e.Faces = e.Faces[:rapid.IntRange(1, len(e.Faces)).Draw(t, "dice")]
		}
		return e
	case round.Move:
		return round.Event{Type: kind, Seat: e.Seat, From: e.Spot, To: rapid.SampledFrom(s.spots).Draw(t, "to"), Amount: e.Amount}
	case round.Announce:
		return anyCall(t, rapid.SampledFrom(calls).Draw(t, "call"), e)
	case round.Action:
		return round.Event{Type: kind, Seat: e.Seat, Spot: e.Spot, Action: rapid.SampledFrom([]string{"half", "prison", "shoot", "hit"}).Draw(t, "action")}
	case round.Incident:
		return round.Event{Type: kind, By: rapid.SampledFrom([]string{"", round.Jefe, round.Player}).Draw(t, "by"),
			Kind: rapid.SampledFrom([]string{"ball_out", "foreign_object", "ball_stuck", "dice_changed", "dice_touched", "die_in_cup", "on_peg"}).Draw(t, "kind")}
	case round.Clear:
		return round.Event{Type: kind}
	}
	e.Type = kind
	return e
}

func anyCall(t *rapid.T, call string, bet round.Event) round.Event {
	e := round.Event{Type: round.Announce, Call: call,
		By: rapid.SampledFrom([]string{round.Croupier, round.Jefe, round.Stickman}).Draw(t, "by")}
	n := rapid.IntRange(0, 20).Draw(t, "n")
	switch call {
	case "number":
		e.Number, e.Color = round.Text(fmt.Sprint(n)), rapid.SampledFrom([]string{"", "rojo", "negro"}).Draw(t, "color")
	case "total":
		e.Points = &n
	case "chance":
		e.Winner = rapid.SampledFrom([]string{"ases", "pequeno", "grande"}).Draw(t, "winner")
	case "combination":
		e.Combination = fmt.Sprint(n)
	case "accepted_bet":
		e.Seat, e.Spot, e.Amount = bet.Seat, bet.Spot, bet.Amount
	}
	return e
}

// scene is a game with everything that may happen at it.
type scene struct {
	stage
	calls []string
}

// scenes are the games of the family.
func scenes(t testing.TB) []scene {
	t.Helper()
	zero := func(t *rapid.T) round.Event {
		return round.Event{Type: round.Ball, Pocket: rapid.SampledFrom([]string{"0", "0", "17", "8", "??"}).Draw(t, "pocket")}
	}
	all := append(stages(),
		stage{"cantabria-2010", "banca_francesa_dados", []string{"ases", "pequeno", "grande", "grande_linea"}, stages()[4].shot, nil, "", ""},
		stage{"balears-2005", "ruleta_francesa", append(stages()[0].spots, "prison:rojo", "pleno:00", "tercio"), zero, nil, "", ""},
		stage{"nacional-1979", "ruleta_francesa", []string{"rojo", "negro", "prison:rojo"}, zero, nil, "", ""},
		stage{"nacional-1979", "dados_craps", []string{"win", "dont_win", "odds_win", "odds_dont_win", "come", "dont_come:4", "odds_dont_come:4"},
			stages()[3].shot, nil, "", ""})
	var out []scene
	for _, s := range all {
		_, g, err := books.Shipped(t).Game(s.norm, s.game)
		if err != nil {
			t.Fatal(err)
		}
		var calls []string
		for c := range g.Rules.(*wheels.Rules).Calls {
			calls = append(calls, c)
		}
		slices.Sort(calls)
		out = append(out, scene{s, calls})
	}
	return out
}

// anyCarry draws what a round before may have left, as little likely as it may be.
func anyCarry(t *rapid.T, s stage) json.RawMessage {
	spot := func() string { return rapid.SampledFrom(s.spots).Draw(t, "carried spot") }
	amount := rapid.SampledFrom([]int{1, 399, 400, 1001, int(round.MaxAmount)}).Draw(t, "carried")
	switch rapid.IntRange(0, 3).Draw(t, "carry") {
	case 0:
		zeros := rapid.SampledFrom([]int{1, 2, 40, 41, 63, 64, 9999, math.MaxInt}).Draw(t, "zeros")
		return fmt.Appendf(nil, `{"prison":[{"seat":1,"spot":%q,"stake":%d,"zeros":%d}]}`, spot(), amount, zeros)
	case 1:
		point := rapid.SampledFrom([]int{0, 4, 5, 6}).Draw(t, "point")
		return fmt.Appendf(nil, `{"point":%d,"bets":[{"seat":1,"spot":%q,"amount":%d},{"seat":2,"spot":%q,"amount":100}]}`,
			point, spot(), amount, spot())
	case 2:
		return fmt.Appendf(nil, `{"bets":[{"seat":1,"spot":%q,"amount":%d}]}`, spot(), amount)
	}
	return nil
}

// play judges a round of any events: it is judged or refused with a path, the
// verdict is the same each time, its order is the contract's, and no code
// stands twice for the same thing.
func (s scene) play(t *rapid.T) {
	rec := &round.Record{Schema: round.Schema, ID: "a", Norm: s.norm, Game: s.game,
		Table: round.Table{ID: "T", Min: 100, Max: 500}, Carry: anyCarry(t, s.stage)}
	for range rapid.IntRange(0, 20).Draw(t, "events") {
		rec.Events = append(rec.Events, anyEvent(t, s.stage, s.calls))
	}
	if v, judged := rounds.Sound(t, rec); judged {
		inOrder(t, v)
	}
}

// TestAnyRecord: whatever happens at the table, nothing panics, and what play says holds.
func TestAnyRecord(t *testing.T) {
	for _, s := range scenes(t) {
		t.Run(s.game+" "+s.norm, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { s.play(t) })
		})
	}
}

// FuzzWheels: the same for rounds of wheels and dice that the fuzzer thinks of.
func FuzzWheels(f *testing.F) {
	books.Shipped(f) // read once, before inputs are timed
	all := scenes(f)
	rounds.Seeds(f, 64, 512)
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		all[rapid.IntRange(0, len(all)-1).Draw(t, "game")].play(t)
	}))
}

func inOrder(t *rapid.T, v round.Verdict) {
	seen := map[string]bool{}
	for i, f := range v.Findings {
		id := fmt.Sprint(f.Code, "|", f.Event, "|", f.Seat, "|", f.Spot)
		if seen[id] && f.Code != finding.AnnouncementMissing {
			t.Fatalf("twice: %s in %s", id, brief(v.Findings))
		}
		seen[id] = true
		if i == 0 {
			continue
		}
		if p := v.Findings[i-1]; p.Event > f.Event || p.Event == f.Event && p.Code > f.Code {
			t.Fatalf("out of order: %s", brief(v.Findings))
		}
	}
}
