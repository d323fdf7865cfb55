package script

import (
	"maps"
	"strings"
	"testing"

	"vision/internal/money"
)

// handWith is a hand at its end: the cards of the seats from 1 on and the common ones.
func handWith(t *testing.T, game string, pot money.Cents, board string, seats ...string) *circuloHand {
	t.Helper()
	h := &circuloHand{
		table: &table{Game: &Game{}, hands: map[string][]Placed{}},
		g:     circulo[game],
		mano:  1,
		dir:   1,
		pot:   pot,
		in:    map[int]bool{},
	}
	h.opener = 1
	lay := func(zone, names string) {
		for _, c := range cards(t, names) {
			h.hands[zone] = append(h.hands[zone], Placed{Zone: zone, Card: c})
		}
	}
	for i, names := range seats {
		h.seats = append(h.seats, i+1)
		h.in[i+1] = names != ""
		lay(seatZone(i+1), names)
	}
	if h.g.lines == 2 {
		first, second, _ := strings.Cut(board, "/")
		lay("board1", first)
		lay("board2", second)
	} else {
		lay("board", board)
	}
	return h
}

func TestAwards(t *testing.T) {
	const high = "Ks Qh 9d 8c 7s" // no low hand with it
	for _, c := range []struct {
		name, game string
		pot        money.Cents
		bettor     int
		board      string
		seats      []string
		want       map[int]money.Cents
	}{
		{"IX.9 L5511: the last one in", "holdem_circulo", 10000, 0, high, []string{"", "2s 3h"}, map[int]money.Cents{2: 9500}},
		{"IX.19: the highest hand", "holdem_circulo", 10000, 0, high, []string{"Ad 2c", "Kd 2s", "Js Th"}, map[int]money.Cents{3: 9500}},
		{"IX.24: equal hands", "holdem_circulo", 10000, 0, high, []string{"As 2c", "Ah 2s", "3s 4h"}, map[int]money.Cents{1: 4750, 2: 4750}},
		{"IX.24: the odd chip to the last bet", "holdem_circulo", 1000, 2, high, []string{"As 2c", "Ah 2s", "3s 4h"}, map[int]money.Cents{1: 450, 2: 500}},
		{"IX.24: without a bet from the mano on", "holdem_circulo", 1000, 0, high, []string{"As 2c", "Ah 2s", "3s 4h"}, map[int]money.Cents{1: 500, 2: 450}},
		{"IX.24: no more than one odd chip each", "holdem_circulo", 1150, 3, high, []string{"As 2c", "Ah 2s", "Ad 3h"}, map[int]money.Cents{1: 350, 2: 350, 3: 400}},
		{"B.3: two of the own cards", "omaha_circulo", 10000, 0, "Ks Qs 9s 8s 7s", []string{"As 2c 3c 4c", "Jd Js 2s 3h"}, map[int]money.Cents{2: 9500}},
		{"B.5: half to the lowest", "omaha_hilo_circulo", 10000, 0, "2s 3h 8d Kc Ks", []string{"Kh Qc Qs Jd", "As 4h Td 9c"}, map[int]money.Cents{1: 4750, 2: 4750}},
		{"B.5: both halves", "omaha_hilo_circulo", 10000, 0, "2s 3h 5d Kc Ks", []string{"Kh Qc Qs Jd", "As 4h Td 9c"}, map[int]money.Cents{2: 9500}},
		{"B.5: no low hand", "omaha_hilo_circulo", 10000, 0, high, []string{"Kh Qc 2s Jd", "As 4h 3d 2c"}, map[int]money.Cents{1: 9500}},
		{"B.5: the odd chip to the high half", "omaha_hilo_circulo", 1000, 0, "2s 3h 8d Kc Ks", []string{"Kh Qc Qs Jd", "As 4h Td 9c"}, map[int]money.Cents{1: 500, 2: 450}},
		{"B.7 II.6: a half for each line", "doble_holdem_circulo", 10000, 0, high + "/Kd 4d 9h 3c 2s", []string{"Ah Ad", "Jh Td"}, map[int]money.Cents{1: 4750, 2: 4750}},
		{"B.7 II.6: one may win both", "doble_holdem_circulo", 10000, 0, high + "/Kd Qd 9h 3c 2s", []string{"Ah Ad", "4h 5d"}, map[int]money.Cents{1: 9500}},
		{"B.8 IV: color beats full", "poker_sintetico", 10000, 0, "As Ks 9s Ah Ad", []string{"Qs Ts", "Kh Kd"}, map[int]money.Cents{1: 9500}},
		{"A, VI.1.h: figuras", "poker_cubierto_5", 10000, 0, "", []string{"Ts Th 9d 9c As", "Js Jh Qd Kc Ah"}, map[int]money.Cents{2: 9500}},
		{"art. 66: five of seven", "poker_descubierto_7", 10000, 0, "", []string{"2s 2h 2d 3c 4s 9h Th", "9s 8h 7d 6c 5s Ah Ac"}, map[int]money.Cents{2: 9500}},
	} {
		h := handWith(t, c.game, c.pot, c.board, c.seats...)
		h.bettor = c.bettor
		if got := h.awards(); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// II.4.a, L5012-5019: 5 % at most, in whole chips.
func TestRake(t *testing.T) {
	for pot, want := range map[money.Cents]money.Cents{750: 0, 1000: 50, 1950: 50, 2000: 100, 6500: 300, 10000: 500} {
		if got := (&circuloHand{pot: pot}).rake(); got != want {
			t.Errorf("%v of %v, want %v", got, pot, want)
		}
	}
}

// Who speaks first.
func TestWhoSpeaks(t *testing.T) {
	for _, c := range []struct {
		name, game string
		interval   int
		mano       int
		seats      []string
		with       func(*circuloHand)
		want       int
	}{
		{"B.3 II.3: the mano", "omaha_circulo", 2, 2, []string{"x", "x", "x"}, nil, 2},
		{"B.8 V.4: the mano", "poker_sintetico", 0, 2, []string{"x", "x", "x"}, nil, 2},
		{"B.8 V.5: the highest bet before", "poker_sintetico", 1, 2, []string{"x", "x", "x"}, func(h *circuloHand) { h.highest = 3 }, 3},
		{"A II.9: the opener", "poker_cubierto_5", 1, 1, []string{"x", "x", "x"}, func(h *circuloHand) { h.opener = 3 }, 3},
		{"A II.9: who is at his right", "poker_cubierto_5", 1, 1, []string{"x", "", "", "x"}, func(h *circuloHand) { h.opener = 3 }, 1},
		{"art. 68.1: the lowest card", "poker_descubierto_7", 0, 1, []string{"Ks", "2h", "As"}, nil, 2},
		{"art. 68.1: of two the nearest at the left of the mano", "poker_descubierto_7", 0, 3, []string{"2s", "2h", "As"}, nil, 1},
		{"art. 68.1: the highest pair", "poker_descubierto_7", 1, 1, []string{"As Kh", "2h 2s", "Qs Jd"}, nil, 2},
		{"art. 68.1: the highest card", "poker_descubierto_7", 2, 1, []string{"Qs Kh 3d", "2h Ts As", "Qc Jd 4s"}, nil, 2},
		{"art. 68.1: of two, clockwise", "poker_descubierto_7", 3, 2, []string{"As Kh 3d", "5h 2s 3c", "Ac Kd 3s"}, nil, 3},
		{"art. 68.1: in the fifth interval anticlockwise", "poker_descubierto_7", 4, 2, []string{"As Kh 3d", "5h 2s 3c", "Ac Kd 3s"}, nil, 1},
		{"B.2 III.3, B.1 II.3: the suits decide", "poker_descubierto_5", 0, 1, []string{"2s", "2c", "2d"}, nil, 2},
		{"B.1 II.4: of two the nearest to the mano", "poker_descubierto_5", 1, 3, []string{"As 2c", "3h 4c", "Ad 2d"}, nil, 3},
	} {
		seats := append([]string(nil), c.seats...)
		for i := range seats {
			seats[i] = strings.ReplaceAll(seats[i], "x", "2s") // cards do not matter
		}
		h := handWith(t, c.game, 0, "", seats...)
		h.mano, h.interval = c.mano, c.interval
		if c.with != nil {
			c.with(h)
		}
		if got := h.g.speaks(h); got != c.want {
			t.Errorf("%s: seat %d, want %d", c.name, got, c.want)
		}
	}
}

// What a hand leaves: the marca one place on, in the game's direction, unless it is
// dealt again; the pot of a hand that nobody opened (A II.3, L5887-5900).
func TestWhatAHandLeaves(t *testing.T) {
	for _, c := range []struct {
		game string
		with func(*circuloHand)
		want string
	}{
		{"omaha_circulo", func(*circuloHand) {}, `{"marca":3}`},
		{"omaha_circulo", func(h *circuloHand) { h.misdealt = true }, `{"bote":0,"marca":2}`},
		{"poker_sintetico", func(h *circuloHand) { h.dir = -1 }, `{"marca":1}`},
		{"poker_cubierto_5", func(h *circuloHand) { h.carried.Bote, h.carried.Blanks = 750, 1 }, `{"blank_hands":0,"bote":0,"marca":3}`},
		{"poker_cubierto_5", func(h *circuloHand) { h.opener, h.carried.Blanks = 0, 1 }, `{"blank_hands":2,"bote":1500,"marca":3}`},
	} {
		h := handWith(t, c.game, 1500, "", "2s", "3s", "4s")
		h.marca = 2
		c.with(h)
		if got := string(h.leaves()); got != c.want {
			t.Errorf("%s: %s, want %s", c.game, got, c.want)
		}
	}
	for blanks, want := range []int{11, 12, 13, 14, 14} {
		h := &circuloHand{carried: carried{Blanks: blanks}}
		if h.required() != want {
			t.Errorf("after %d blank hands a pair of %d opens, want %d", blanks, h.required(), want)
		}
	}
}
