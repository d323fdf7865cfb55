package wheels_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/money"
	"vision/internal/testkit/rounds"
	"vision/validate/round"
)

// stage is a game with spots to bet on and shots to decide it, for the properties.
type stage struct {
	norm, game string
	spots      []string
	shot       func(*rapid.T) round.Event
	result     func(v round.Verdict) *round.Event // the result call, nil where there is none
	open, ask  string                             // who makes the calls, "" where there are none
}

func stages() []stage {
	ball := func(last int) func(*rapid.T) round.Event {
		return func(t *rapid.T) round.Event {
			return round.Event{Type: round.Ball, Pocket: fmt.Sprint(rapid.IntRange(1, last).Draw(t, "pocket"))}
		}
	}
	dice := func(n int) func(*rapid.T) round.Event {
		return func(t *rapid.T) round.Event {
			return round.Event{Type: round.Dice, Faces: rapid.SliceOfN(rapid.IntRange(1, 6), n, n).Draw(t, "faces")}
		}
	}
	number := func(v round.Verdict) *round.Event {
		r := v.Result.(map[string]any)
		e := round.Event{Type: round.Announce, By: round.Croupier, Call: "number", Number: round.Text(r["number"].(string))}
		if c, ok := r["color"]; ok {
			e.Color, e.Parity, e.Half = c.(string), r["parity"].(string), r["half"].(string)
		}
		return &e
	}
	none := func(round.Verdict) *round.Event { return nil }
	roulette := []string{"pleno:0", "pleno:17", "caballo:17-20", "transversal:16-17-18", "cuadro:17-18-20-21", "seisena:13-18",
		"columna:2", "docena:2", "doble_columna:1-2", "doble_docena:1-2", "rojo", "negro", "par", "impar", "falta", "pasa"}
	return []stage{
		{"andalucia-2010", "ruleta_francesa", roulette, ball(36), number, "", ""},
		{"andalucia-2010", "ruleta_americana", roulette, ball(36), number, "", ""},
		{"cantabria-2010", "boule", []string{"numero:1", "numero:5", "rojo", "negro", "par", "falta", "pasa"}, ball(9), number, round.Jefe, round.Croupier},
		{"cantabria-2010", "dados_craps", []string{"win", "dont_win", "field", "big:6", "hard:4", "juego:7", "horn", "place:6", "place_wrong:9", "under_7"}, dice(2), none, "", ""},
		{"cantabria-2010", "sic_bo", []string{"triple:2", "doble:3", "total:11", "pequena", "grande", "combinacion:1-4", "unica:6"}, dice(3), none, "", ""},
	}
}

// draw makes a round that is played without a mistake, and its verdict.
func (s stage) draw(t *rapid.T) (*round.Record, round.Verdict) {
	rec := &round.Record{Schema: round.Schema, ID: "p", Norm: s.norm, Game: s.game, Table: round.Table{ID: "T"}}
	say := func(by, call string) {
		if by != "" {
			rec.Events = append(rec.Events, round.Event{Type: round.Announce, By: by, Call: call})
		}
	}
	say(s.open, "hagan_juego")
	for range rapid.IntRange(1, 9).Draw(t, "bets") {
		rec.Events = append(rec.Events, round.Event{Type: round.Bet, Seat: rapid.IntRange(1, 7).Draw(t, "seat"),
			Spot: rapid.SampledFrom(s.spots).Draw(t, "spot"), Amount: money.Cents(rapid.IntRange(1, 100_000).Draw(t, "amount"))})
	}
	say(s.ask, "hechas_apuestas")
	say(round.Croupier, "no_va_mas")
	rec.Events = append(rec.Events, s.shot(t))
	decided := rounds.Verdict(t, rec)
	if call := s.result(decided); call != nil {
		rec.Events = append(rec.Events, *call)
	}
	rounds.Settle(rec, decided)
	return rec, rounds.Verdict(t, rec)
}

func eachStage(t *testing.T, property func(*rapid.T, stage)) {
	for _, s := range stages() {
		t.Run(s.game, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { property(t, s) })
		})
	}
}

// TestCleanRound: a round that is settled as the verdict says has no finding,
// and no cent appears or vanishes: stakes are what is collected and what stays.
func TestCleanRound(t *testing.T) {
	eachStage(t, func(t *rapid.T, s stage) {
		rec, v := s.draw(t)
		if got := v.Findings; len(got) > 0 {
			t.Fatalf("findings %s of %s", brief(got), rounds.JSON(rec))
		}
		var laid, taken, kept money.Cents
		for _, e := range rec.Events {
			switch e.Type {
			case round.Bet:
				laid += e.Amount
			case round.Collect:
				taken += e.Amount
			}
		}
		for _, l := range v.Settlement {
			kept += l.Returns
			if l.Outcome == round.Stay || l.Outcome == round.Prison {
				kept += l.Stake
			}
			if l.Pays < 0 || l.Returns < 0 || l.Returns > l.Stake {
				t.Fatalf("impossible line %+v", l)
			}
		}
		if laid != taken+kept {
			t.Fatalf("laid %d, taken %d, kept %d in %s", laid, taken, kept, rounds.JSON(rec))
		}
	})
}

// TestOnePayChanged: one payment changed by d raises exactly one finding, with delta d.
func TestOnePayChanged(t *testing.T) {
	eachStage(t, func(t *rapid.T, s stage) {
		rec, _ := s.draw(t)
		var pays []int
		for i, e := range rec.Events {
			if e.Type == round.Pay {
				pays = append(pays, i)
			}
		}
		if len(pays) == 0 {
			t.Skip("nobody won")
		}
		i := rapid.SampledFrom(pays).Draw(t, "pay")
		due := rec.Events[i].Amount
		d := money.Cents(rapid.IntRange(1, 5000).Draw(t, "d"))
		if rapid.Bool().Draw(t, "less") {
			d = -min(d, due-1)
		}
		if d == 0 {
			t.Skip("one cent cannot be paid in part")
		}
		rec.Events[i].Amount += d
		v := rounds.Verdict(t, rec)
		if len(v.Findings) != 1 || v.Findings[0].Delta == nil || *v.Findings[0].Delta != d || v.Findings[0].Event != i {
			t.Fatalf("pay %d changed by %d: %s", i, d, brief(v.Findings))
		}
	})
}

// TestSeatsDoNotMatter: the same round at other seats has the same verdict at other seats.
func TestSeatsDoNotMatter(t *testing.T) {
	eachStage(t, func(t *rapid.T, s stage) {
		rec, _ := s.draw(t)
		for i := range rec.Events { // any mistakes will do
			if e := &rec.Events[i]; e.Type == round.Pay && rapid.Bool().Draw(t, "wrong") {
				e.Amount += 7
			}
		}
		seats := append([]int{0}, rapid.Permutation([]int{1, 2, 3, 4, 5, 6, 7}).Draw(t, "seats")...)
		moved := *rec
		moved.Events = slices.Clone(rec.Events)
		for i := range moved.Events {
			moved.Events[i].Seat = seats[moved.Events[i].Seat]
		}
		want, got := rounds.Verdict(t, rec), rounds.Verdict(t, &moved)
		for i := range want.Settlement {
			want.Settlement[i].Seat = seats[want.Settlement[i].Seat]
		}
		for i := range want.Findings {
			want.Findings[i].Seat = seats[want.Findings[i].Seat]
		}
		slices.SortFunc(want.Settlement, func(a, b round.Settlement) int {
			return cmp.Or(cmp.Compare(a.Seat, b.Seat), strings.Compare(a.Spot, b.Spot))
		})
		if !reflect.DeepEqual(want.Settlement, got.Settlement) || brief(want.Findings) != brief(got.Findings) {
			t.Fatalf("want %s %s\ngot  %s %s", lines(want), brief(want.Findings), lines(got), brief(got.Findings))
		}
	})
}

// TestReplay: the same record gives the same bytes, also read back from its own JSON.
func TestReplay(t *testing.T) {
	eachStage(t, func(t *rapid.T, s stage) {
		rec, v := s.draw(t)
		again := rounds.Parse(t, rounds.JSON(rec))
		if a, b := rounds.JSON(v), rounds.JSON(rounds.Verdict(t, again)); a != b {
			t.Fatalf("%s\n%s", a, b)
		}
	})
}
