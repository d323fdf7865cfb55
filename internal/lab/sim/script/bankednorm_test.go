package script

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
	"vision/internal/lab/sim/script/poker"
	"vision/internal/money"
)

func cards(t *testing.T, s string) (list []card.Card) {
	t.Helper()
	for _, name := range strings.Fields(s) {
		c, err := card.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// meeting is a showdown at a game of hands, each written "own | bank | board"; pai
// gow's hands are "high / low".
func meeting(t *testing.T, game, written string) showdown {
	t.Helper()
	n := bankedNorms[game]
	part := append(strings.Split(written, "|"), "", "")
	var s showdown
	if game == "pai_gow_poker" {
		own, bank := strings.Split(part[0], "/"), strings.Split(part[1], "/")
		s = showdown{hand: n.ranking.Of(cards(t, own[0])), low: poker.Two.Of(cards(t, own[1])),
			bank: n.ranking.Of(cards(t, bank[0])), bankLow: poker.Two.Of(cards(t, bank[1]))}
	} else {
		s = showdown{own: cards(t, part[0]), bankOwn: cards(t, part[1]), board: cards(t, part[2])}
		s.hand = n.ranking.Best(n.plays, slices.Concat(s.own, s.board))
		s.bank = n.ranking.Best(n.plays, slices.Concat(s.bankOwn, s.board))
	}
	s.enters = n.enters == nil || n.enters(s.bank)
	return s
}

const (
	royal    = "As Ks Qs Js Ts"
	run      = "9s 8h 7d 6c 5s"
	aceKingQ = "Ah Kd Qc 4s 2h" // plays at sin descarte
	aceQueen = "Ah Qd Jc 4s 2h" // does not
)

func TestRulings(t *testing.T) {
	for _, c := range []struct {
		article, game, spot, hands string
		want                       result
		odds                       int // of a bet that wins
	}{
		{"A.14.1 V.1", "poker_sin_descarte", "second", royal + "|" + aceKingQ, wins, 100},
		{"A.14.1 V.1", "poker_sin_descarte", "second", "9s 8s 7s 6s 5s|" + aceKingQ, wins, 25},
		{"A.14.1 V.1", "poker_sin_descarte", "second", "2s 2h 2d 2c 5s|" + aceKingQ, wins, 20},
		{"A.14.1 V.1", "poker_sin_descarte", "second", "2s 2c 2d 5c 5s|" + aceKingQ, wins, 7},
		{"A.14.1 V.1", "poker_sin_descarte", "second", "2s 4s 6s 8s Ts|" + aceKingQ, wins, 5},
		{"A.14.1 V.1", "poker_sin_descarte", "second", run + "|" + aceKingQ, wins, 4},
		{"A.14.1 V.1", "poker_sin_descarte", "second", "2s 2c 2d 5c 6s|" + aceKingQ, wins, 3},
		{"A.14.1 V.1", "poker_sin_descarte", "second", "2s 2c 5d 5c 6s|" + aceKingQ, wins, 2},
		{"A.14.1 V.1", "poker_sin_descarte", "second", "2s 2c 5d 7c 6s|" + aceKingQ, wins, 1},
		{"A.14.1 V.1, as y rey", "poker_sin_descarte", "second", "As Kh Qd 5c 2s|" + aceKingQ, wins, 1},
		{"A.14.1 V.1, empate", "poker_sin_descarte", "second", "As Kh Qd 4c 2s|" + aceKingQ, pushes, 0},
		{"A.14.1 V.1, empate", "poker_sin_descarte", "ante", "As Kh Qd 4c 2s|" + aceKingQ, pushes, 0},
		{"A.14.1 VI", "poker_sin_descarte", "ante", "3s 3h Qd 4c 2s|As Ah 2d 3c 4s", loses, 0},
		{"A.14.1 VI, the bank does not play", "poker_sin_descarte", "ante", "3s 5h Qd 4c 2s|" + aceQueen, wins, 1},
		{"A.14.1 VI, the bank does not play", "poker_sin_descarte", "second", royal + "|" + aceQueen, pushes, 0},
		{"A.14.1 VI, a pair plays", "poker_sin_descarte", "second", "As Ks Qh 4s 3s|2s 2h 3d 4c 5s", loses, 0},
		{"A.14.1 VII", "poker_sin_descarte", "seguro", royal + "|" + aceQueen, wins, 2000},
		{"A.14.1 VII", "poker_sin_descarte", "seguro", "9s 8s 7s 6s 5s|" + royal, wins, 1000},
		{"A.14.1 VII", "poker_sin_descarte", "seguro", "2s 2h 2d 2c 5s|" + aceQueen, wins, 300},
		{"A.14.1 VII", "poker_sin_descarte", "seguro", "2s 2c 2d 5c 5s|" + aceQueen, wins, 100},
		{"A.14.1 VII", "poker_sin_descarte", "seguro", "2s 4s 6s 8s Ts|" + aceQueen, loses, 0},

		{"A.14.2 V.2", "poker_trijoker", "apuesta_3", royal, wins, 500},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_3", "9s 8s 7s 6s 5s", wins, 200},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_1", "2s 2h 2d 2c 5s", wins, 50},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_1", "2s 2c 2d 5c 5s", wins, 11},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_2", "2s 4s 6s 8s Ts", wins, 8},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_2", run, wins, 5},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_2", "2s 2c 2d 5c 6s", wins, 3},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_2", "2s 2c 5d 5c 6s", wins, 2},
		{"A.14.2 V.2", "poker_trijoker", "apuesta_2", "Js Jc 5d 2c 6s", wins, 1},
		{"A.14.2 V.2, pareja de J", "poker_trijoker", "apuesta_2", "Ts Tc 5d 2c 6s", loses, 0},
		{"A.14.2 II.1, no low ace", "poker_trijoker", "apuesta_2", "As 2c 3d 4c 5s", loses, 0},

		{"A.14.4 VI", "tripoker", "ante", "Qs 5h 3d|Jh 9d 2c", wins, 1},
		{"A.14.4 VI, queen high plays", "tripoker", "ante", "Js Th 3d|Qh 3c 2d", loses, 0},
		{"A.14.4 VI, the bank does not play", "tripoker", "second", "2s 2h 3d|Jh Td 2c", pushes, 0},
		{"A.14.4 VI", "tripoker", "second", "2s 2h 3d|Qh Td 2c", wins, 1},
		{"A.14.4 VI, empate", "tripoker", "second", "Qs 9h 3d|Qh 9d 3c", pushes, 0},
		{"A.14.4 VI, table 1", "tripoker", "pareja_plus", "As Ks Qs|As Ah Ad", wins, 50},
		{"A.14.4 VI, table 1", "tripoker", "pareja_plus", "As 2s 3s|Ah Kd Qc", wins, 40},
		{"A.14.4 VI, table 1", "tripoker", "pareja_plus", "4s 4h 4d|Ah Kd Qc", wins, 30},
		{"A.14.4 VI, table 1", "tripoker", "pareja_plus", "4s 5h 6d|Ah Kd Qc", wins, 6},
		{"A.14.4 VI, table 1", "tripoker", "pareja_plus", "4s 5s 9s|Ah Kd Qc", wins, 3},
		{"A.14.4 VI, table 1", "tripoker", "pareja_plus", "4s 4h 9s|Ah Kd Qc", wins, 1},
		{"A.14.4 VI", "tripoker", "pareja_plus", "As Kh 9s|Ah Kd Qc", loses, 0},

		{"A.14.3 VI.6, case 1", "pai_gow_poker", "apuesta", "Ks Kh 9d 8c 7s / As Qh | Qs Qd 9h 8h 7h / Ac Jh", wins, 1},
		{"A.14.3 VI.6, case 2", "pai_gow_poker", "apuesta", "Ks Kh 9d 8c 7s / 5s 4h | Qs Qd 9h 8h 7h / Ac Jh", pushes, 0},
		{"A.14.3 VI.6, case 3", "pai_gow_poker", "apuesta", "Ks Kh 9d 8c 7s / As Jd | Qs Qd 9h 8h 7h / Ac Jh", pushes, 0},
		{"A.14.3 VI.6, case 4", "pai_gow_poker", "apuesta", "Js Jh 9d 8c 7s / As Jd | Qs Qd 9h 8h 7h / Ac Jh", loses, 0},
		{"A.14.3 VI.6, case 5", "pai_gow_poker", "apuesta", "Qh Qc 9d 8c 7s / As Jd | Qs Qd 9h 8h 7h / Ac Jh", loses, 0},

		{"A.14.5 VI, straight", "poker_holdem_bonus", "ante", "9s 8h|Ah Kd|7d 6c 5s Qh Qd", wins, 1},
		{"A.14.5 VI, below a straight", "poker_holdem_bonus", "ante", "As Ah|Kh Kd|7d 6c 2s Qh 9d", pushes, 0},
		{"A.14.5 VI", "poker_holdem_bonus", "flop", "As Ah|Kh Kd|7d 6c 2s Qh 9d", wins, 1},
		{"A.14.5 VI, empate", "poker_holdem_bonus", "river", "3s 2h|3h 2d|As Kd Qh Js 9c", pushes, 0},
		{"A.14.5 VI", "poker_holdem_banca", "turn", "3s 2h|Ah 2d|7s Kd Qh Js 9c", loses, 0},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "As Ah|Ad Ac|2d 6c 2s Qh 9d", wins, 1000},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "As Ah|Ad Kc|2d 6c 2s Qh 9d", wins, 30},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "As Ks|Ad Kc|2d 6c 2s Qh 9d", wins, 25},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "Js As|Ad Kc|2d 6c 2s Qh 9d", wins, 20},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "Kh As|Ad Kc|2d 6c 2s Qh 9d", wins, 15},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "Jh Js|Ad Kc|2d 6c 2s Qh 9d", wins, 10},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "Qh As|Ad Kc|2d 6c 2s Qh 9d", wins, 5},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "Th Ts|Ad Kc|2d 6c 2s Qh 9d", wins, 3},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "Th As|Ad Kc|2d 6c 2s Qh 9d", loses, 0},
		{"A.14.5 VI, bonus", "poker_holdem_bonus", "bonus", "Kh Qh|Ad Kc|2d 6c 2s Qh 9d", loses, 0},

		{"art. 43.8, a tie wins", "poker_cuatro_cartas", "play", "2s 2h 9d 9c 3s|2d 2c 9s 9h 3d 4c", wins, 1},
		{"art. 43.6", "poker_cuatro_cartas", "ante", "2s 2h 9d 9c 3s|2d 2c Ts Th 3d 4c", loses, 0},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "2s 2h 2d 2c 3s|Kd Kc Ks Kh 3d 4c", wins, 40},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "As 2s 3s 4s Kh|Kd Kc Ks Kh 3d 4c", wins, 30},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "2s 2h 2d Kc 3s|Kd Kc Ks Kh 3d 4c", wins, 7},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "2s 8s 9s Ks 3h|Kd Kc Ks Kh 3d 4c", wins, 6},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "2s 3s 4h 5s Kh|Kd Kc Ks Kh 3d 4c", wins, 4},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "2s 2h 3d 3s Kh|Kd Kc Ks Kh 3d 4c", wins, 2},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "As Ah 3d 9s Kh|Kd Kc Ks Kh 3d 4c", wins, 1},
		{"art. 43.4", "poker_cuatro_cartas", "ases", "Ks Kh 3d 9s 4h|2d 3c 4s 9h Jd Qc", loses, 0},

		{"art. 50.3, pair of eights", "poker_con_descarte", "ante", "9s 9h 3d 5s 4h|8d 8c 4s 9d Jd", wins, 1},
		{"art. 50.3, below it", "poker_con_descarte", "ante", "2s Kh 3d 5s 4h|7d 7c 4s 9h Jd", wins, 1},
		{"art. 50.3, below it", "poker_con_descarte", "second", "9s 9h 3d 5s 4h|7d 7c 4s 9d Jd", pushes, 0},
		{"art. 48.1", "poker_con_descarte", "second", "2s 3h 4d 5s 6h|8d 8c 4s 9d Jd", wins, 3},
		{"art. 48.1", "poker_con_descarte", "second", "2s 2h 2d 5s 6h|8d 8c 4s 9d Jd", wins, 2},
		{"art. 48.1", "poker_con_descarte", "second", "2s 2h 5d 5s 6h|8d 8c 4s 9d Jd", wins, 1},
		{"art. 48.1", "poker_con_descarte", "second", royal + "|8d 8c 4s 9d Jd", wins, 100},

		{"art. 57.3, pair of fours", "texas_poker", "second", "Ks Kh|4d 4c|2s 7h 9d Jc Qs", wins, 1},
		{"art. 57.3, below it", "texas_poker", "second", "Ks Kh|3d 3c|2s 7h 9d Jc Qs", pushes, 0},
		{"art. 57.3, without comparing", "texas_poker", "ante", "6s 5h|3d 3c|2s 7h 9d Jc Qs", wins, 1},
		{"art. 56.1", "texas_poker", "ante", "As Ks|3d 3c|Qs Js Ts Jc 4h", wins, 100},
		{"art. 56.1", "texas_poker", "ante", "9s 8s|3d 3c|Qs Js Ts Jc 4h", wins, 20},
		{"art. 56.1", "texas_poker", "ante", "9s 9h|3d 3c|9d 9c Ts Jc 4h", wins, 10},
		{"art. 56.1", "texas_poker", "ante", "9s 9h|3d 3c|9d Tc Ts Jc 4h", wins, 3},
		{"art. 56.1", "texas_poker", "ante", "9s 2s|3d 3c|4s 6s Ts Jc 4h", wins, 2},
		{"art. 57.3, same cards", "texas_poker", "ante", "3s 2h|3h 2d|As Ad Qh Js 9c", pushes, 0},
		{"art. 57.3", "texas_poker", "ante", "3s 2h|Kh 2d|As Ad Qh Js 9c", loses, 0},
		{"art. 56.2", "texas_poker", "txb", "As 2h|Kh 2d|Ad 9h 5s Js 9c", wins, 7},
		{"art. 56.2, flop alone", "texas_poker", "txb", "Ks 2h|Kh 2d|Ad 9h 5s As 9c", loses, 0},
		{"art. 56.2", "texas_poker", "txb", "Ks 2s|Kh 2d|As 9s 5s Ad 9c", wins, 25},
		{"art. 56.2", "texas_poker", "txb", "3s 2s|Kh 2d|Ah 4s 5s Ad 9c", wins, 7},
	} {
		got, odds := bankedNorms[c.game].bets[c.spot](meeting(t, c.game, c.hands))
		if got != c.want || got == wins && odds != c.odds {
			t.Errorf("%s: %s %s of %s: %v at %d, want %v at %d", c.article, c.game, c.spot, c.hands, got, odds, c.want, c.odds)
		}
	}
}

// The prizes on the ante: A.14.4 VI, L4723-4742; art. 43.12.
func TestPrizes(t *testing.T) {
	for _, c := range []struct {
		game, spot, hands string
		want              int
	}{
		{"tripoker", "bonus", "As Ks Qs|As Ah Ad", 5},
		{"tripoker", "bonus", "5s 4s 3s|As Ah Ad", 5},
		{"tripoker", "bonus", "4s 4h 4d|Ah Jd 9c", 4},
		{"tripoker", "bonus", "4s 5h 6d|Jh 9d 2c", 1},
		{"tripoker", "bonus", "4s 5s 9s|Jh 9d 2c", 0},
		{"poker_cuatro_cartas", "bono_ante", "2s 2h 2d 2c 3s|Kd Kc Ks Kh 3d 4c", 20},
		{"poker_cuatro_cartas", "bono_ante", "As 2s 3s 4s Kh|Kd Kc Ks Kh 3d 4c", 15},
		{"poker_cuatro_cartas", "bono_ante", "2s 2h 2d Kc 3s|Kd Kc Ks Kh 3d 4c", 2},
		{"poker_cuatro_cartas", "bono_ante", "2s 8s 9s Ks 3h|Kd Kc Ks Kh 3d 4c", 0},
	} {
		if got := bankedNorms[c.game].prizes[c.spot](meeting(t, c.game, c.hands)); got != c.want {
			t.Errorf("%s %s of %s: %d, want %d", c.game, c.spot, c.hands, got, c.want)
		}
	}
}

// Whoever gives up loses what is compared, whether the bank plays or not.
func TestWhoGivesUpLoses(t *testing.T) {
	for game, n := range bankedNorms {
		if n.enters == nil {
			continue
		}
		for _, bank := range []string{royal, "2s 3h 5d 6c 8s"} {
			hands := map[string]string{"tripoker": "As Ah Ad|2s 3h 5d", "texas_poker": "As Ah|2s 3h|7d 8c Ts Jd Qc"}[game]
			if hands == "" {
				hands = "As Ah Ad Ac 2h|" + bank
			}
			s := meeting(t, game, hands)
			s.folded = true
			for spot, rule := range n.bets {
				if got, _ := rule(s); got != loses {
					t.Errorf("%s %s: %v", game, spot, got)
				}
			}
		}
	}
}

// A.14.1 VII, L3986-3991; art. 51.2, 51.4.c-d, L822-851.
func TestTheMeterIsPaidFromTheHighestHand(t *testing.T) {
	for _, c := range []struct {
		name, slot string
		hands      []string
		want       map[int]money.Cents
		left       money.Cents
	}{
		{"nobody", "jackpot", nil, nil, 1000000},
		{"poker", "jackpot", []string{"2s 2h 2d 2c 3s"}, map[int]money.Cents{1: 50000}, 950000},
		{"the lower of what is left", "jackpot", []string{"2s 2h 2d 2c 3s", "3h 4h 5h 6h 7h"}, map[int]money.Cents{1: 45000, 2: 100000}, 855000},
		{"equal escaleras of the first amount", "jackpot", []string{"3s 4s 5s 6s 7s", "3h 4h 5h 6h 7h"}, map[int]money.Cents{1: 100000, 2: 100000}, 800000},
		{"equal escaleras divide", "progresivo", []string{"3s 4s 5s 6s 7s", "3h 4h 5h 6h 7h"}, map[int]money.Cents{1: 50000, 2: 50000}, 900000},
		{"royal straights divide all", "jackpot", []string{royal, "Ah Kh Qh Jh Th"}, map[int]money.Cents{1: 500000, 2: 500000}, 0},
		{"nothing is left", "progresivo", []string{royal, "3h 4h 5h 6h 7h"}, map[int]money.Cents{1: 1000000, 2: 0}, 0},
	} {
		var in []player
		for i, hand := range c.hands {
			in = append(in, player{i + 1, poker.Banked.Of(cards(t, hand))})
		}
		if got, left := cascade(c.slot, 1000000, in); !maps.Equal(got, c.want) || left != c.left {
			t.Errorf("%s: %v, left %v, want %v, left %v", c.name, got, left, c.want, c.left)
		}
	}
}
