package validate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vision/internal/money"
	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// sources are the records that the properties are held against: those of the engines' own
// tests, and those of the contract where they stand beside the checkout.
func sources(t *testing.T) map[string][]*round.Record {
	t.Helper()
	out := map[string][]*round.Record{}
	files, err := filepath.Glob("game/*/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no records of the engines' tests", err)
	}
	for _, f := range files {
		out[f] = rounds.File(t, f)
	}
	t.Run("contract", func(t *testing.T) {
		for _, f := range []string{"wheels-dice", "point-cards", "banked-poker", "circle-poker"} {
			for _, c := range readCases(t, shared.Dir(t, "cases", f+".jsonl")) {
				if rec, err := round.Parse(c.Record); err == nil && c.Expect["exit"] != 2.0 {
					out[f] = append(out[f], rec)
				}
			}
		}
	})
	return out
}

// changed is a record with other events, each with the index of the event of the first
// record that it stands for.
type changed struct {
	rec *round.Record
	of  []int
	// apart is a place where chips lie that are no bet: a settlement may give them back too
	apart game.Place
}

func change(rec *round.Record, i int, instead ...round.Event) changed {
	c := changed{rec: new(round.Record)}
	*c.rec = *rec
	c.rec.Events = slices.Concat(rec.Events[:i], instead, rec.Events[i+1:])
	for k := range rec.Events {
		n := 1
		if k == i {
			n = len(instead)
		}
		for range n {
			c.of = append(c.of, k)
		}
	}
	return c
}

// summed are the findings that are raised for each movement.
var summed = []finding.Code{finding.LateBet, finding.LateWithdrawal}

// said is all that a verdict says but some codes, with the events of the first record.
func said(t *testing.T, c changed, but ...finding.Code) (string, error) {
	t.Helper()
	v, err := validate.Check(books.Shipped(t), c.rec)
	if err != nil {
		return "", err
	}
	sums := map[string]money.Cents{}
	var lines []string
	for _, f := range v.Findings {
		if c.of != nil {
			f.Event = c.of[f.Event]
		}
		if slices.Contains(but, f.Code) {
			continue
		}
		if slices.Contains(summed, f.Code) {
			amount, _ := f.Observed.(money.Cents)
			sums[fmt.Sprint(f.Code, f.Seat, f.Spot)] += amount
			continue
		}
		raw, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(raw))
	}
	for _, k := range slices.Sorted(maps.Keys(sums)) {
		lines = append(lines, fmt.Sprint(k, " ", sums[k]))
	}
	slices.Sort(lines)
	v.Findings = nil
	for i := range v.Settlement {
		if x := &v.Settlement[i]; x.Seat == c.apart.Seat && x.Spot == c.apart.Spot {
			x.Returns = 0
		}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw) + "\n" + strings.Join(lines, "\n"), nil
}

func diff(t *testing.T, what string, rec *round.Record, c changed, but ...finding.Code) {
	t.Helper()
	want, err := said(t, changed{rec: rec, apart: c.apart}, but...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := said(t, c, but...)
	if err != nil {
		t.Errorf("%s %s %s: %s: %v", rec.ID, rec.Norm, rec.Game, what, err)
		return
	}
	if got != want {
		a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
		out := func(s string) bool { return slices.Contains(a, s) && slices.Contains(b, s) }
		t.Errorf("%s %s %s: %s\n  was %s\n  is  %s", rec.ID, rec.Norm, rec.Game, what,
			strings.Join(slices.DeleteFunc(slices.Clone(a), out), "\n      "), strings.Join(slices.DeleteFunc(slices.Clone(b), out), "\n      "))
	}
}

// declared is a record in which the player says how much he puts into the pot before he does, and
// where he does then: chips without a word are a decision, and more of them a bet in cascade
// (Andalucía I.1.10.V.n).
func declared(rec *round.Record, i int) (*round.Record, int) {
	c, e := *rec, rec.Events[i]
	c.Events = slices.Clone(rec.Events)
	if i > 0 && c.Events[i-1].Type == round.Action && c.Events[i-1].Seat == e.Seat {
		if before := &c.Events[i-1]; before.Action != "call" {
			before.Amount = max(before.Amount, e.Amount)
		}
		return &c, i
	}
	bet := round.Event{T: e.T, Type: round.Action, Action: "bet", Seat: e.Seat, Amount: e.Amount}
	c.Events = slices.Insert(c.Events, i, bet)
	return &c, i + 1
}

// TestActsInTwoMovements: an act in two movements of the same total is judged as one.
func TestActsInTwoMovements(t *testing.T) {
	for name, recs := range sources(t) {
		for _, plain := range recs {
			for i, e := range plain.Events {
				rec := plain
				if e.Type == round.Bet && e.Spot == "bote" {
					rec, i = declared(plain, i)
				}
				a, b := e, e
				switch {
				case e.Type == round.Burn && e.Count > 1:
					a.Count, b.Count = 1, e.Count-1
					b.Card = 0
				case e.Type != round.Announce && e.Type != round.Action && e.Amount > 1:
					a.Amount = e.Amount / 2
					b.Amount -= a.Amount
				default:
					continue
				}
				diff(t, fmt.Sprintf("%s: event %d %s split", name, i, e.Type), rec, change(rec, i, a, b))
			}
		}
	}
}

// TestSecondReadings: what is observed twice is judged as observed once.
func TestSecondReadings(t *testing.T) {
	for name, recs := range sources(t) {
		for _, rec := range recs {
			for i, e := range rec.Events {
				switch e.Type {
				case round.Reveal,
					round.Ball,
					round.Dice,
					round.Incident,
					round.Arrange,
					round.Clear,
					round.CutCard,
					round.Shuffle,
					round.Cut:
					diff(t, fmt.Sprintf("%s: event %d %s %s again", name, i, e.Type, e.Kind), rec, change(rec, i, e, e))
				}
			}
		}
	}
}

// TestSecondReadingsOfTheirKind: what was read is read again after calls, and the same thing
// that happens again is no second reading.
func TestSecondReadingsOfTheirKind(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []finding.Code
	}{
		{"the ball after its call", `{"schema":"round/1","id":"a","norm":"cantabria-2010","game":"ruleta_americana","table":{"id":"R"},"events":[
{"t":0,"type":"bet","seat":1,"spot":"pleno:7","amount":500},{"t":1,"type":"announce","by":"croupier","call":"no_va_mas"},
{"t":2,"type":"ball","pocket":"8"},{"t":3,"type":"announce","by":"croupier","call":"number","number":"8","color":"negro","parity":"par","half":"falta"},
{"t":4,"type":"ball","pocket":"8"},{"t":5,"type":"collect","seat":1,"spot":"pleno:7","amount":500},{"t":6,"type":"clear"}]}`, nil},
		{"another number", `{"schema":"round/1","id":"b","norm":"cantabria-2010","game":"ruleta_americana","table":{"id":"R"},"events":[
{"t":1,"type":"announce","by":"croupier","call":"no_va_mas"},{"t":2,"type":"ball","pocket":"8"},{"t":2.5,"type":"ball","pocket":"9"},
{"t":3,"type":"announce","by":"croupier","call":"number","number":"8","color":"negro","parity":"par","half":"falta"},{"t":6,"type":"clear"}]}`,
			[]finding.Code{finding.OtherProcedure}},
		{"a throw off the table, read twice", `{"schema":"round/1","id":"c","norm":"nacional-1979","game":"dados_craps","table":{"id":"D"},"events":[
{"t":1,"type":"announce","by":"stickman","call":"no_va_mas"},{"t":2,"type":"dice","faces":[3,3],"irregular":"off_table"},{"t":2.2,"type":"dice","faces":[3,3],"irregular":"off_table"},
{"t":3,"type":"announce","by":"stickman","call":"null_throw"},{"t":4,"type":"announce","by":"stickman","call":"no_va_mas"},{"t":5,"type":"dice","faces":[3,3]},{"t":6,"type":"clear"}]}`, nil},
		{"a ball of bingo that comes again after its call was drawn again", `{"schema":"round/1","id":"d","norm":"nacional-1979","game":"bingo","table":{"id":"B"},"events":[
{"t":1,"type":"ball","pocket":"5"},{"t":1.1,"type":"ball","pocket":"5"},{"t":2,"type":"announce","by":"croupier","call":"number","number":"5"},
{"t":3,"type":"ball","pocket":"5"},{"t":4,"type":"announce","by":"croupier","call":"number","number":"5"},{"t":6,"type":"clear"}]}`,
			[]finding.Code{finding.OtherProcedure}},
	} {
		rec, err := round.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(c.name, err)
		}
		v, err := validate.Check(books.Shipped(t), rec)
		if err != nil {
			t.Fatal(c.name, err)
		}
		var got []finding.Code
		for _, f := range v.Findings {
			got = append(got, f.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestAcceptedBetInSeveralMovements: A L459-469 and C L438-443: what croupier and jefe
// accepted is laid before the ball rests, in as many movements as it takes; what is beyond it
// came too late.
func TestAcceptedBetInSeveralMovements(t *testing.T) {
	for laid, want := range map[string]int{"600": 0, "200 400": 0, "100 200 300": 0, "200 300": 2, "600 100": 1, "300 300 100": 1} {
		for _, norm := range []string{"andalucia-2010", "cantabria-2010"} {
			rec := &round.Record{ID: laid, Norm: norm, Game: "ruleta_americana", Table: round.Table{ID: "R"}}
			for _, by := range []string{round.Croupier, round.Jefe} {
				rec.Events = append(rec.Events, round.Event{Type: round.Announce, By: by, Call: "accepted_bet", Seat: 2, Spot: "rojo", Amount: 600})
			}
			rec.Events = append(rec.Events, round.Event{Type: round.Announce, By: round.Croupier, Call: "no_va_mas"})
			for part := range strings.FieldsSeq(laid) {
				var n money.Cents
				if _, err := fmt.Sscan(part, (*int64)(&n)); err != nil {
					t.Fatal(err)
				}
				rec.Events = append(
					rec.Events,
					round.Event{Type: round.Bet, Seat: 2, Spot: "rojo", Amount: n},
					round.Event{
						Type:   round.Bet,
						Seat:   3,
						Spot:   "negro",
						Amount: 100,
					},
					round.Event{Type: round.Return, Seat: 3, Spot: "negro", Amount: 100},
				)
			}
			rec.Events = append(rec.Events, round.Event{Type: round.Ball, Pocket: "8"},
				round.Event{Type: round.Announce, By: round.Croupier, Call: "number", Number: "8", Color: "negro", Parity: "par", Half: "falta"})
			v, err := validate.Check(books.Shipped(t), rec)
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Findings) != want {
				t.Errorf("%s: %s: %+v, want %d late bets", norm, laid, v.Findings, want)
			}
		}
	}
}

// closing is the event after which chips come too late: the closing call or the first card,
// dice or ball, whichever is later of those before the settlement; -1 where there is none.
func closing(rec *round.Record) int {
	at := -1
	for i := range rec.Events {
		switch e := &rec.Events[i]; {
		case e.Movement():
			return at
		case e.Is("no_va_mas"), e.Type == round.CardDealt && e.Zone != "discard":
			if at = i; e.Type == round.CardDealt {
				return at
			}
		}
	}
	return at
}

// TestLateChips: chips that come too late at a bet are no part of it. Whether they stay, go
// back at once or in the course of the settlement, or are collected with a losing bet, they
// raise nothing but that they were late.
func TestLateChips(t *testing.T) {
	const late = 300
	for name, recs := range sources(t) {
		for _, rec := range recs {
			at := closing(rec)
			if at < 0 || at+1 >= len(rec.Events) || strings.HasPrefix(name, "circle") {
				continue
			}
			v, err := validate.Check(books.Shipped(t), rec)
			if err != nil {
				t.Fatal(err)
			}
			done := map[string]bool{}
			for _, e := range rec.Events[:at] {
				k := slices.IndexFunc(v.Settlement, func(s round.Settlement) bool { return s.Seat == e.Seat && s.Spot == e.Spot })
				taken := func(x round.Event) bool { return x.Type == round.Withdraw && game.PlaceOf(&x) == game.PlaceOf(&e) }
				wrong := func(f round.Finding) bool { return f.Seat == e.Seat && f.Spot == e.Spot }
				if e.Type != round.Bet || k < 0 || v.Settlement[k].Outcome == round.Void ||
					slices.ContainsFunc(v.Findings, wrong) ||
					slices.ContainsFunc(rec.Events, taken) ||
					done[fmt.Sprint(e.Seat, e.Spot)] {
					continue
				}
				done[fmt.Sprint(e.Seat, e.Spot)] = true
				what := fmt.Sprintf("%s: seat %d %s %s", name, e.Seat, e.Spot, v.Settlement[k].Outcome)
				chips := func(kind round.Type, t float64) round.Event {
					return round.Event{T: t, Type: kind, Seat: e.Seat, Spot: e.Spot, Amount: late}
				}
				laid := change(rec, at, rec.Events[at], chips(round.Bet, rec.Events[at].T))
				laid.apart = game.PlaceOf(&e)
				diff(t, what+": late chips stay", rec, laid, finding.LateBet)
				back := change(rec, at, rec.Events[at], chips(round.Bet, rec.Events[at].T), chips(round.Withdraw, rec.Events[at].T))
				back.apart = laid.apart
				diff(t, what+": late chips taken back at once", rec, back, finding.LateBet)
				again := func(i int, e round.Event) changed {
					c := change(laid.rec, i, e)
					c.of, c.apart = laid.of, laid.apart
					return c
				}
				for i := range laid.rec.Events {
					switch x := laid.rec.Events[i]; {
					case game.PlaceOf(&x) != laid.apart:
					case x.Type == round.Collect && v.Settlement[k].Outcome == round.Lose, x.Type == round.Return:
						x.Amount += late
						diff(t, what+": late chips go with "+string(x.Type), rec, again(i, x), finding.LateBet)
					}
				}
				end := len(laid.rec.Events) - 1
				if game.Closed(rec) && rec.Events[len(rec.Events)-1].Type == round.Clear {
					back := changed{
						rec:   new(round.Record),
						of:    slices.Insert(slices.Clone(laid.of), end, laid.of[end]),
						apart: laid.apart,
					}
					*back.rec = *laid.rec
					back.rec.Events = slices.Insert(slices.Clone(laid.rec.Events), end, chips(round.Return, rec.Events[end-1].T))
					diff(t, what+": late chips given back at the end", rec, back, finding.LateBet)
				}
			}
		}
	}
}

// TestBetsTakenBackAtTrijoker: a bet is taken back whole, in as many movements as it takes,
// and what came too late is no part of it (N, B 13.VII; clarified for all norms).
func TestBetsTakenBackAtTrijoker(t *testing.T) {
	for taken, want := range map[string]string{
		"600": "", "400 200": "", "100 200 300": "", "500": "player_action_not_allowed", "200 300": "player_action_not_allowed",
		"+300 600": "late_bet", "+300 400 200": "late_bet", "+300 900": "late_bet", "+300 500 400": "late_bet", "+300 300": "late_bet",
		"+300 700": "late_bet player_action_not_allowed",
	} {
		for _, norm := range []string{"balears-2005", "andalucia-2010", "cantabria-2010", "castilla-y-leon-2013"} {
			var ev []string
			add := func(s string, args ...any) {
				ev = append(ev, fmt.Sprintf(`{"t":%d,`, len(ev))+fmt.Sprintf(s, args...)+"}")
			}
			for n := 1; n <= 3; n++ {
				add(`"type":"bet","seat":2,"spot":"apuesta_%d","amount":600`, n)
			}
			add(`"type":"announce","by":"croupier","call":"no_va_mas"`)
			for _, common := range []string{"comun_izq", "comun_der", ""} {
				add(`"type":"card","zone":"seat:2","card":"??","face":"down"`)
				if common != "" {
					add(`"type":"card","zone":%q,"card":"??","face":"down"`, common)
				}
			}
			for part := range strings.FieldsSeq(taken) {
				if late, ok := strings.CutPrefix(part, "+"); ok {
					add(`"type":"bet","seat":2,"spot":"apuesta_1","amount":%s`, late)
					continue
				}
				add(`"type":"withdraw","seat":2,"spot":"apuesta_1","amount":%s`, part)
			}
			rec, err := round.Parse([]byte(`{"schema":"round/1","id":"t","norm":"` + norm + `","game":"poker_trijoker","table":{"id":"T","min":500,"max":12500},"events":[` +
				strings.Join(ev, ",") + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			v, err := validate.Check(books.Shipped(t), rec)
			if err != nil {
				t.Errorf("%s %s: %v", norm, taken, err)
				continue
			}
			var got []string
			for _, f := range v.Findings {
				if f.Spot == "apuesta_1" && f.Code != finding.NotObservable {
					got = append(got, string(f.Code))
				}
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%s: taken back %s: %v, want %s", norm, taken, got, want)
			}
		}
	}
}
