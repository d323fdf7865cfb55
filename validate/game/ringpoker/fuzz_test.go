package ringpoker_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
)

var games = [][2]string{
	{"andalucia-2010", "holdem_circulo"}, {"cantabria-2010", "omaha_circulo"}, {"castilla-y-leon-2013", "doble_holdem_circulo"},
	{"andalucia-2010", "omaha_hilo_circulo"}, {"balears-2005", "poker_sintetico"}, {"cantabria-2010", "poker_sintetico"},
	{"andalucia-2010", "poker_cubierto_5"}, {"cantabria-2010", "poker_cubierto_5"}, {"andalucia-2010", "poker_descubierto_7"},
	{"castilla-y-leon-2013", "poker_descubierto_7"}, {"cantabria-2010", "poker_descubierto_5"}, {"andalucia-2010", "omaha_5_circulo"},
}

// conserved: what is won, kept by the house, given back and left for the next
// hand is what was put and carried, unless the outcome is unknown. Chips that
// were taken back or only declared are owed: such records are left out.
func conserved(rec *round.Record, v round.Verdict) error {
	var put, out money.Cents
	owed := false
	for _, e := range rec.Events {
		owed = owed || e.Type == round.Withdraw
	}
	for _, f := range v.Findings {
		owed = owed || f.Code == finding.OtherProcedure && f.Spot == "bote"
	}
	for _, s := range v.Settlement {
		if s.Outcome == round.Unknown {
			return nil
		}
		put += s.Stake
		out += s.Pays + s.Returns
	}
	var state struct {
		Bote money.Cents `json:"bote"`
	}
	if rec.Carry != nil {
		if err := json.Unmarshal(rec.Carry, &state); err != nil {
			return err
		}
	}
	put += state.Bote
	carry, err := v.Carry()
	if err != nil {
		return err
	}
	state.Bote = 0
	if err := json.Unmarshal(carry, &state); err != nil {
		return err
	}
	out += state.Bote
	if r, ok := v.Result.(map[string]any); ok {
		out += r["rake"].(money.Cents)
	}
	if put != out && !owed {
		return fmt.Errorf("%d was put, %d came out", put, out)
	}
	return nil
}

// randomHand plays events of any sort at a table of three.
func randomHand(t *rapid.T) *round.Record {
	g := rapid.SampledFrom(games).Draw(t, "game")
	options := round.Options{"marca": json.RawMessage("3"), "players": json.RawMessage("[1,2,3]")}
	if rapid.Bool().Draw(t, "stacks") {
		options["stacks"] = json.RawMessage(`{"1":900,"2":1500,"3":4000}`)
	}
	if rapid.Bool().Draw(t, "rake") {
		options["rake"] = json.RawMessage(`{"mode":"percent","rate_bp":300,"cap":60}`)
	}
	rec := &round.Record{Schema: round.Schema, ID: "r", Norm: g[0], Game: g[1],
		Table: round.Table{ID: "C", Min: 200, Options: options}}
	cards := cardNames()
	n := rapid.IntRange(0, 40).Draw(t, "events")
	for range n {
		rec.Events = append(rec.Events, randomEvent(t, g[1], cards))
	}
	return rec
}

func TestAnyHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec := randomHand(t)
		v, judged := rounds.Sound(t, rec)
		if !judged {
			t.Fatalf("refused: %s", rounds.JSON(rec))
		}
		if err := conserved(rec, v); err != nil {
			t.Fatalf("%v: %s\n%s", err, rounds.JSON(rec), rounds.JSON(v))
		}
	})
}

// FuzzHand: no record panics, and chips are conserved.
func FuzzHand(f *testing.F) {
	for _, s := range [][2]string{{he3, open + "b1 300; raise2 900; b2 900; fold3; call1; b1 600; burn; bd Ah Kd 2c; chk1; chk2"},
		{"andalucia-2010 poker_cubierto_5 1,2,3 m3", "ante 100; c1 ?? ?? ?? ?? ??; b1 200; b2 200; num1 1; draw1 pot ??; c1 ??; stand2; show1 Ks Kd 2c 3c 4d"},
		{"balears-2005 poker_sintetico 1,2,3,4 m4", "ante 200; bd Ah -?? -?? -?? -??; b4 200; show1 Ks Kd"},
		{"cantabria-2010 poker_descubierto_7 1,2,3,4 m4", "ante 100; c1 ?? ?? Ah; bd Kd; burn; sit_out1; inc cards_touch seat:1 \"with\":[2]"}} {
		f.Add([]byte(rounds.JSON(script(f, s[0], s[1]))))
	}
	b := books.Shipped(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := round.Parse(data)
		if err != nil {
			return
		}
		v, err := validate.Check(b, rec)
		if err != nil {
			return
		}
		if _, g, err := b.Game(rec.Norm, rec.Game); err == nil && g.Family == "circle" {
			if err := conserved(rec, v); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// BenchmarkVerdict is the time of one verdict of a hold'em hand played to the end.
func BenchmarkVerdict(b *testing.B) {
	rec := script(b, he3+`"rake":{"mode":"percent","rate_bp":500}`, open+"b1 300; b2 300; b3 300; burn; bd Ah Kd 2c; chk1; b2 500; b3 500; b1 500; burn; bd 5s; chk1; chk2; chk3; burn; bd 9s; chk1; chk2; chk3; show2 Ac 3c; show3 Qc 3h; show1 Kc 3d; gana2; rake 135; pay2 2565")
	all := books.Shipped(b)
	for b.Loop() {
		if _, err := validate.Check(all, rec); err != nil {
			b.Fatal(err)
		}
	}
}
