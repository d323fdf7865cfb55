package script

import (
	"cmp"
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/script/poker"
)

// What the norms say of the pokers among the players: cards, directions, who speaks
// first. Lines are those of the text of andalucia-2010 (Orden de 4 de febrero de
// 2010, I.1.10) or, for seven stud, of castilla-y-leon-2013 (arts. 66-69).

// circuloNorm is one game as its norm has it.
type circuloNorm struct {
	norm    string
	own     string // the cards dealt at once to each: d face down, u face up
	later   string // one more for each at every street (stud)
	first   int    // common cards laid with the deal
	board   []int  // common cards of each street, on each line
	lines   int    // of common cards; 0 means 1
	draw    bool   // cards are exchanged after the first interval
	burns   bool   // a card before every street
	ciegas  bool   // blinds instead of antes
	ccw     bool   // anticlockwise
	marcado bool   // the marca lies before the mano, not before the postre
	phases  bool   // intervals are called: hagan sus apuestas, última carta
	silent  bool   // neither who leaves nor who wins is called
	ranking poker.Ranking
	exactly bool // two own cards and three common ones
	low     bool // half the pot to the lowest hand
	speaks  func(*circuloHand) int
	opening bool // who speaks first must bet
}

// Andalucia is the norm that has all these games.
const Andalucia = "andalucia-2010"

// circulo are the games by their norm.
var circulo = map[string]circuloNorm{
	// B.6 L6572-6608, as Omaha with two cards and any five of the seven; VIII.2.b L5385-5395.
	"holdem_circulo": board(circuloNorm{own: "dd", ciegas: true}),
	// B.3 L6328-6375.
	"omaha_circulo": board(circuloNorm{own: "dddd", exactly: true}),
	// B.4 L6469-6519.
	"omaha_5_circulo": board(circuloNorm{own: "ddddd", exactly: true}),
	// B.5 L6521-6571.
	"omaha_hilo_circulo": board(circuloNorm{own: "dddd", exactly: true, low: true}),
	// B.7 L6610-6681.
	"doble_holdem_circulo": board(circuloNorm{own: "dd", lines: 2}),
	// B.8 L6682-6779; the marca shows the mano, L5001-5004.
	"poker_sintetico": {
		norm:    Andalucia,
		own:     "dd",
		first:   1,
		board:   []int{1, 1, 1, 1},
		ccw:     true,
		marcado: true,
		ranking: poker.Short,
		exactly: true,
		speaks:  bettorSpeaks,
	},
	// B.2 L6272-6323, and as seven stud.
	"poker_descubierto_5": {norm: Andalucia, own: "du", later: "uuu", burns: true, ranking: poker.Circle, speaks: openCardsSpeak, opening: true},
	// Arts. 66-69 L1058-1116.
	"poker_descubierto_7": {norm: CastillaLeon, own: "ddu", later: "uuud", burns: true, marcado: true, phases: true, silent: true,
		ranking: poker.Circle, speaks: openCardsSpeak, opening: true},
	// A L5846-5963.
	"poker_cubierto_5": {norm: Andalucia, own: "ddddd", draw: true, ranking: poker.Covered, speaks: openerSpeaks},
}

// board completes a game of flop, turn and river, in which the mano speaks first (B.3 II.3, L6353-6358).
func board(n circuloNorm) circuloNorm {
	n.norm, n.board, n.burns, n.ranking = Andalucia, []int{3, 1, 1}, true, poker.Circle
	n.speaks = func(h *circuloHand) int { return h.mano }
	return n
}

// streets are how often cards are dealt between two intervals.
func (n circuloNorm) streets() int {
	if n.draw {
		return 1
	}
	return len(n.board) + len(n.later)
}

// Who speaks first in an interval; where he is out, whoever follows him.

// bettorSpeaks: at first the mano, then whoever made the highest bet of the interval
// before (B.8 V.4-5, L6758-6776); where nobody has bet, the mano.
func bettorSpeaks(h *circuloHand) int {
	return cmp.Or(h.highest, h.mano)
}

// openerSpeaks: the mano and, once the cards are exchanged, who has opened; if he has
// retired, whoever is at his right (A II.9, L5953-5958).
func openerSpeaks(h *circuloHand) int {
	seat := h.opener
	if h.interval == 0 || seat == 0 {
		return h.mano
	}
	for !h.in[seat] {
		seat = h.after(seat, -1)
	}
	return seat
}

// openCardsSpeak: the lowest open card, then the highest open cards. A tie goes to
// whoever is nearest to the mano, himself included: clockwise, or in the fifth
// interval of Castilla y León anticlockwise (art. 68.1, L1084-1092); in Andalucía the
// suits decide between lowest cards (B.1 II.3, clubs the lowest).
func openCardsSpeak(h *circuloHand) int {
	seats := h.around(h.mano)
	if h.interval == 0 {
		lowest := func(a, b int) int {
			x, y := h.open(a)[0], h.open(b)[0]
			if d := poker.Rank(x) - poker.Rank(y); d != 0 || h.g.norm != Andalucia {
				return d
			}
			return suitOf(y) - suitOf(x)
		}
		return slices.MinFunc(seats, lowest)
	}
	if h.interval == 4 {
		seats = h.near(-1)
	}
	return slices.MaxFunc(seats, func(a, b int) int {
		return poker.Compare(poker.Showing.Of(h.open(a)), poker.Showing.Of(h.open(b)))
	})
}

// suitOf numbers the suits from the highest: picas, corazones, diamantes, tréboles.
func suitOf(c card.Card) int { return (int(c) - 1) / 13 }
