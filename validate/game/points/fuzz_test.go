package points_test

import (
	"testing"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate"
	"vision/validate/round"
)

// words are what a game's records are made of.
type words struct {
	norm, game            string
	zones, spots          []string
	calls, actions, kinds []string
}

var vocabulary = []words{
	{"cantabria-2010", "blackjack", []string{"bank", "seat:1", "seat:2", "seat:1/2", "seat:1/3", "discard"},
		[]string{"main", "main:1", "main:2", "split:2", "split:3", "double", "double:2", "seguro", "jackpot", "bolsa"},
		[]string{"seguro", "puntos_mano", "puntos_banca", "ultima_jugada"}, []string{"hit", "stand", "double", "split", "surrender", "even_money"}, []string{"card_faceup_in_shoe"}},
	{"nacional-1979", "treinta_cuarenta", []string{"negro", "rojo"},
		[]string{"negro", "rojo", "color", "inverso", "seguro:negro", "seguro:color", "prison:rojo"},
		[]string{"puntos", "suertes"}, []string{"prison"}, []string{"card_faceup_in_shoe"}},
	{"andalucia-2010", "punto_banco", []string{"punto", "banca", "discard"}, []string{"punto", "banca", "empate"},
		[]string{"no_va_mas", "cartas", "puntos", "planta", "carta", "ganador"}, nil, []string{"card_faceup_in_shoe"}},
	{"cantabria-2010", "baccara_chemin_de_fer", []string{"punto", "banca", "discard"},
		[]string{"banca", "asociado", "abono", "punto", "banco", "mesa", "raya"},
		[]string{"hay_banca", "no_va_mas", "carta", "no", "abate", "puntos", "ganador", "cartas_pasan"}, []string{"cuadro", "garaje"},
		[]string{"cards_stuck", "misdeal", "card_floor", "card_exposed", "advice", "croupier_carta_error", "fifth_card", "card_into_basket"}},
	{"cantabria-2010", "baccara_dos_panos", []string{"pano1", "pano2", "banca", "discard"},
		[]string{"banca", "pano1", "pano2", "caballo", "raya:1", "raya:2", "banco"},
		[]string{"no_va_mas", "carta", "no", "puntos", "hay_banca"}, []string{"cuadro"},
		[]string{"cards_stuck", "card_floor", "card_exposed", "wrong_cloth_card", "wrong_player", "card_into_basket"}},
	{"andalucia-2010", "casino_monte", []string{"bank", "seat:1", "seat:2", "seat:1/revancha", "bank/revancha"},
		[]string{"inicial", "empate", "revancha"}, []string{"no_va_mas", "ultima_jugada"}, []string{"surrender"}, []string{"card_faceup_in_shoe"}},
	{"andalucia-2010", "monte_banca", []string{"emplazado:1", "emplazado:2", "emplazado:3", "emplazado:4", "descubiertas"},
		[]string{"vis:1", "camo:2", "anti:3", "viudo:4", "salto:1", "cartas:1-2", "cartas:13-24", "cartas:1-4", "s2/viudo:3", "s2/cartas:3-4"},
		[]string{"primera_carta", "segunda_carta", "tercera_carta", "cuarta_carta", "hagan_juego", "no_va_mas"}, nil, []string{"card_faceup_in_shoe"}},
}

// tape turns fuzz bytes into choices; it gives 0 when it is used up.
type tape struct{ data []byte }

func (t *tape) n(max int) int {
	if len(t.data) == 0 || max == 0 {
		return 0
	}
	v := int(t.data[0]) % max
	t.data = t.data[1:]
	return v
}

func (t *tape) of(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[t.n(len(list))]
}

func (t *tape) card(spanish bool) card.Card {
	if n := t.n(60); spanish {
		return card.Card(54 + n%40)
	} else if n < 54 {
		return card.Card(n)
	}
	return card.Joker
}

var speakers = []string{round.Croupier, round.Player, round.Banquero}

// play makes a record of arbitrary events of a game.
func (w words) play(data []byte) *round.Record {
	t := &tape{data}
	rec := &round.Record{Schema: round.Schema, ID: "fuzz", Norm: w.norm, Game: w.game, Table: round.Table{ID: "F1", Min: 500, Max: 50000}}
	spanish := w.game == "monte_banca"
	bet := func(kind round.Type, spot string) round.Event {
		return round.Event{Type: kind, Seat: 1 + t.n(4), Spot: spot, Amount: money.Cents(1 + 500*t.n(20))}
	}
	if w.spots[0] == "banca" {
		rec.Events = append(rec.Events, round.Event{Type: round.Bet, Seat: 9, Spot: "banca", Amount: 50000})
	}
	for len(t.data) > 0 && len(rec.Events) < 80 {
		var e round.Event
		switch t.n(14) {
		case 0, 1:
			if spot := t.of(w.spots); spot != "banca" {
				e = bet(round.Bet, spot)
			} else {
				continue
			}
		case 2:
			e = bet(round.Pay, t.of(w.spots))
		case 3:
			e = bet(round.Collect, t.of(w.spots))
		case 4:
			e = round.Event{Type: round.Action, Seat: 1 + t.n(3), Action: t.of(w.actions), Zone: []string{"", t.of(w.zones)}[t.n(2)]}
		case 5, 6:
			points := t.n(40) - 5
			e = round.Event{Type: round.Announce, By: t.of(speakers), Call: t.of(w.calls), Zone: t.of(w.zones), Points: &points, Amount: money.Cents(500 * t.n(9))}
		case 7:
			e = round.Event{Type: round.Reveal, Zone: t.of(w.zones)}
			for range t.n(5) {
				e.Cards = append(e.Cards, t.card(spanish))
			}
		case 8:
			e = round.Event{Type: round.Incident, Kind: t.of(w.kinds), By: t.of(speakers), Zone: t.of(w.zones), Count: t.n(3), Card: t.card(spanish)}
		case 9:
			e = round.Event{Type: []round.Type{round.Shuffle, round.Cut, round.CutCard, round.Clear}[t.n(4)]}
		case 10:
			e = round.Event{Type: round.Burn, Count: t.n(12), Card: t.card(spanish)}
		default:
			e = round.Event{Type: round.CardDealt, Zone: t.of(w.zones), Card: t.card(spanish), Face: []string{"up", "down"}[t.n(2)]}
		}
		e.T = float64(len(rec.Events))
		rec.Events = append(rec.Events, e)
	}
	return rec
}

// check judges arbitrary events: no panic, no outcome outside the books, every
// finding with code, rule and a place in the record.
func (w words) check(t *testing.T, data []byte) {
	rec := w.play(data)
	v, err := validate.Check(books(t), rec)
	if err != nil {
		return // one clear error is an answer
	}
	for _, f := range v.Findings {
		if f.Code == "" || f.Rule == "" || f.Severity == "" || f.Event < 0 || f.Event > max(0, len(rec.Events)-1) {
			t.Fatalf("finding %+v", f)
		}
	}
	for _, s := range v.Settlement {
		if s.Outcome == "" || s.Rule == "" || s.Pays < 0 || s.Commission < 0 || s.Returns < 0 || s.Returns > s.Stake {
			t.Fatalf("settlement %+v", s)
		}
	}
}

func fuzz(f *testing.F, game string) {
	books(f) // read once, before inputs are timed
	for _, w := range vocabulary {
		if w.game != game {
			continue
		}
		for seed := range byte(40) {
			data := make([]byte, 400)
			x := uint32(seed)*2654435761 + 12345
			for i := range data {
				x = x*1664525 + 1013904223
				data[i] = byte(x >> 24)
			}
			f.Add(data)
		}
		f.Fuzz(w.check)
	}
}

func FuzzBlackjack(f *testing.F)   { fuzz(f, "blackjack") }
func FuzzTreinta(f *testing.F)     { fuzz(f, "treinta_cuarenta") }
func FuzzPuntoBanco(f *testing.F)  { fuzz(f, "punto_banco") }
func FuzzChemin(f *testing.F)      { fuzz(f, "baccara_chemin_de_fer") }
func FuzzPanos(f *testing.F)       { fuzz(f, "baccara_dos_panos") }
func FuzzCasinoMonte(f *testing.F) { fuzz(f, "casino_monte") }
func FuzzMonteBanca(f *testing.F)  { fuzz(f, "monte_banca") }
