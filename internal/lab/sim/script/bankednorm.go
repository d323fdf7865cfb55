package script

import (
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/script/poker"
)

// What the norms say of the bets of the pokers against the house: who wins what,
// when the bank plays, and what an error of the dealing annuls. All odds are n to 1.
// Lines are those of the norms' texts: cantabria-2010 (Decreto 6/2010) and
// castilla-y-leon-2013 (Orden PRE/651/2013).

// showdown is one player's hand against the bank's.
type showdown struct {
	hand, bank   poker.Hand
	low, bankLow poker.Hand  // pai gow
	own, bankOwn []card.Card // dealt to the player, to the bank
	board        []card.Card
	enters       bool // the bank plays
	folded       bool
}

// against is who wins where the hands are compared.
func (s showdown) against() result { return resultOf(poker.Compare(s.hand, s.bank)) }

func resultOf(cmp int) result {
	switch {
	case cmp > 0:
		return wins
	case cmp < 0:
		return loses
	}
	return pushes
}

// ruling decides one bet: what becomes of it and, if it wins, the odds.
type ruling func(showdown) (result, int)

// bankedNorm is what a norm says of one game.
type bankedNorm struct {
	ranking poker.Ranking
	plays   int                   // cards of a hand
	enters  func(poker.Hand) bool // nil: the bank always plays
	bets    map[string]ruling
	// prizes are paid on the ante without a stake of their own: the odds, 0 for none.
	prizes map[string]func(showdown) int
	// miscount and exposed tell what a wrong number of cards, or one card shown, of
	// a player annuls.
	miscount, exposed annulment
}

// annulment is how much of a round an error annuls.
type annulment int

const (
	nothing annulment = iota
	thatHand
	allHands
)

var bankedNorms = map[string]bankedNorm{
	// A.14.1: VI.4-6, L3890-3917; errors L3919-3922.
	"poker_sin_descarte": {ranking: poker.Banked, plays: 5, miscount: allHands, exposed: allHands,
		enters: aceKing, // L3896-3900
		bets: map[string]ruling{
			"ante":       whereEntering(even),
			"second":     whereNotEntering(pushes, byTable(secondTable)),
			"seguro":     unfolded(byHand(seguroTable)),
			"progresivo": ownPrize,
		}},
	// A.14.2: V.2, L4118-4139; errors L4245-4252.
	"poker_trijoker": {ranking: poker.Trijoker, plays: 5, miscount: allHands, exposed: allHands,
		bets: map[string]ruling{"apuesta_1": trijoker, "apuesta_2": trijoker, "apuesta_3": trijoker}},
	// A.14.4: VI, L4709-4832; errors L4834-4839.
	"tripoker": {ranking: poker.Three, plays: 3, miscount: allHands, exposed: allHands,
		enters: queenHigh, // L4709-4713
		bets: map[string]ruling{
			"ante":        whereEntering(even),
			"second":      whereNotEntering(pushes, even),
			"pareja_plus": unfolded(byHand(parejaPlusTable)),
		},
		prizes: map[string]func(showdown) int{"bonus": func(s showdown) int { return bonusTable[s.hand.Category] }}},
	// A.14.3: VI.6, L4505-4548. Errors of the dealing are not printed; a wrong number
	// voids here as in the sister games.
	"pai_gow_poker": {ranking: poker.PaiGow, plays: 5, miscount: allHands, bets: map[string]ruling{"apuesta": twoHands}},
	// A.14.5: VI, L5062-5118; errors VII.4, L5144-5151: the hand of that player only.
	"poker_holdem_bonus": holdem(map[string]ruling{"bonus": holdemBonus}),
	// A.14.6: L5366-5414, the same without the bonus.
	"poker_holdem_banca": holdem(nil),
	// Arts. 43.4-12, L654-700. No article of errors: a misdealt round is dealt again.
	"poker_cuatro_cartas": {ranking: poker.Four, plays: 4, miscount: allHands, exposed: allHands,
		bets:   map[string]ruling{"ante": tieWins, "play": tieWins, "ases": unfolded(aces)},
		prizes: map[string]func(showdown) int{"bono_ante": func(s showdown) int { return bonoTable[s.hand.Category] }}},
	// Arts. 48, 50, 51; errors art. 52.1, L863.
	"poker_con_descarte": {ranking: poker.Banked, plays: 5, miscount: allHands, exposed: allHands,
		enters: pairOf(8), // L802
		bets: map[string]ruling{
			"ante":    whereEntering(even),
			"second":  whereNotEntering(pushes, byTable(drawTable)),
			"jackpot": ownPrize,
		}},
	// Arts. 56, 57; errors art. 59.1.b, L968; 59.4, L982: shown cards stay valid.
	"texas_poker": {ranking: poker.Banked, plays: 5, miscount: allHands,
		enters: pairOf(4), // L942
		bets: map[string]ruling{
			"ante":   texasAnte,
			"second": whereNotEntering(pushes, even),
			"txb":    unfolded(texasBonus),
		}},
}

// The tables of odds.
var (
	// second bet of sin descarte: V.1, L3713-3766.
	secondTable = map[poker.Category]int{poker.EscaleraReal: 100, poker.EscaleraColor: 25, poker.Poquer: 20, poker.Full: 7,
		poker.Color: 5, poker.Escalera: 4, poker.Trio: 3, poker.DoblePareja: 2, poker.Pareja: 1, poker.CartaAlta: 1}
	// VII, L3960-3969.
	seguroTable = map[poker.Category]int{
		poker.Full:          100,
		poker.Poquer:        300,
		poker.EscaleraColor: 1000,
		poker.EscaleraReal:  2000,
	}
	// V.2, L4118-4139; of the pairs only jacks or higher.
	trijokerTable = map[poker.Category]int{
		poker.EscaleraReal:  500,
		poker.EscaleraColor: 200,
		poker.Poquer:        50,
		poker.Full:          11,
		poker.Color:         8,
		poker.Escalera:      5,
		poker.Trio:          3,
		poker.DoblePareja:   2,
	}
	// VI, L4723-4732; the royal straight is a straight flush that has a name of its own.
	bonusTable = map[poker.Category]int{poker.EscaleraReal: 5, poker.EscaleraColor: 5, poker.Trio: 4, poker.Escalera: 1}
	// The first of the three tables, L4795-4806.
	parejaPlusTable = map[poker.Category]int{
		poker.EscaleraReal:  50,
		poker.EscaleraColor: 40,
		poker.Trio:          30,
		poker.Escalera:      6,
		poker.Color:         3,
		poker.Pareja:        1,
	}
	// Art. 43.4, L656-686; of the pairs only aces.
	acesTable = map[poker.Category]int{
		poker.Poquer:        40,
		poker.EscaleraColor: 30,
		poker.Trio:          7,
		poker.Color:         6,
		poker.Escalera:      4,
		poker.DoblePareja:   2,
	}
	// Art. 43.12, L697-700: the one table printed.
	bonoTable = map[poker.Category]int{poker.Poquer: 20, poker.EscaleraColor: 15, poker.Trio: 2}
	// Art. 48.1, L748-756.
	drawTable = map[poker.Category]int{poker.EscaleraReal: 100, poker.EscaleraColor: 25, poker.Poquer: 20, poker.Full: 7,
		poker.Color: 5, poker.Escalera: 3, poker.Trio: 2, poker.DoblePareja: 1, poker.Pareja: 1}
	// Art. 56.1, L912-922; what is not named pays 1.
	texasTable = map[poker.Category]int{
		poker.EscaleraReal:  100,
		poker.EscaleraColor: 20,
		poker.Poquer:        10,
		poker.Full:          3,
		poker.Color:         2,
	}
)

// holdem is A.14.5 VI: flop, turn and river are paid 1:1 and the ante only from a
// straight on (L5074-5082).
func holdem(side map[string]ruling) bankedNorm {
	n := bankedNorm{ranking: poker.Banked, plays: 5, miscount: thatHand, bets: map[string]ruling{
		"flop": even, "turn": even, "river": even,
		"ante": func(s showdown) (result, int) {
			if s.against() == wins && !poker.Banked.AtLeast(s.hand, poker.Escalera) {
				return pushes, 0
			}
			return s.against(), 1
		},
	}}
	for spot, r := range side {
		n.bets[spot] = r
	}
	return n
}

// Rulings of several games. Whoever gave up has lost what is compared.

func even(s showdown) (result, int) { return lostIf(s.folded, s.against()), 1 }

func lostIf(folded bool, otherwise result) result {
	if folded {
		return loses
	}
	return otherwise
}

// byTable pays a higher hand than the bank's by a table.
func byTable(odds map[poker.Category]int) ruling {
	return func(s showdown) (result, int) { return lostIf(s.folded, s.against()), odds[s.hand.Category] }
}

// byHand pays the player's hand by a table, whatever the bank has.
func byHand(odds map[poker.Category]int) ruling {
	return func(s showdown) (result, int) { return paidIf(odds[s.hand.Category]) }
}

func paidIf(odds int) (result, int) {
	if odds == 0 {
		return loses, 0
	}
	return wins, odds
}

// whereEntering wins 1:1 where the bank does not play.
func whereEntering(then ruling) ruling { return whereNotEntering(wins, then) }

func whereNotEntering(out result, then ruling) ruling {
	return func(s showdown) (result, int) {
		if !s.enters && !s.folded {
			return out, 1
		}
		return then(s)
	}
}

// unfolded is a bet that giving up loses: where the norm does not take it, nobody
// sees the hand.
func unfolded(then ruling) ruling {
	return func(s showdown) (result, int) {
		if s.folded {
			return loses, 0
		}
		return then(s)
	}
}

// ownPrize is a share of a meter: see meter.
func ownPrize(showdown) (result, int) { return loses, 0 }

// When the bank plays.

func aceKing(h poker.Hand) bool {
	return h.Category != poker.CartaAlta || slices.Equal(poker.Ranks(h.Cards)[:2], []int{poker.Ace, 13})
}

func queenHigh(h poker.Hand) bool {
	return h.Category != poker.CartaAlta || poker.Ranks(h.Cards)[0] >= 12
}

func pairOf(least int) func(poker.Hand) bool {
	return func(h poker.Hand) bool {
		switch h.Category {
		case poker.CartaAlta:
			return false
		case poker.Pareja:
			return poker.PairOf(h.Cards) >= least
		}
		return true
	}
}

// Rulings of one game.

func trijoker(s showdown) (result, int) {
	if s.hand.Category == poker.Pareja && poker.PairOf(s.hand.Cards) >= 11 {
		return wins, 1
	}
	return paidIf(trijokerTable[s.hand.Category])
}

// twoHands: the bank wins all ties; one hand won and one not is null.
func twoHands(s showdown) (result, int) {
	high, low := poker.Compare(s.hand, s.bank) > 0, poker.Compare(s.low, s.bankLow) > 0
	switch {
	case high && low:
		return wins, 1
	case high || low:
		return pushes, 0
	}
	return loses, 0
}

// holdemBonus looks at the two own cards alone, also of who gave up (L4989-4996, L5084-5118).
func holdemBonus(s showdown) (result, int) {
	ranks, suited := poker.Ranks(s.own), s.own[0].Suit() == s.own[1].Suit()
	pair := poker.PairOf(s.own)
	switch {
	case pair == poker.Ace && poker.PairOf(s.bankOwn) == poker.Ace:
		return wins, 1000
	case pair == poker.Ace:
		return wins, 30
	case pair >= 11:
		return wins, 10
	case pair > 0:
		return wins, 3
	case ranks[0] < poker.Ace || ranks[1] < 11:
		return loses, 0
	case ranks[1] == 13 && suited:
		return wins, 25
	case ranks[1] == 13:
		return wins, 15
	case suited:
		return wins, 20
	}
	return wins, 5
}

// tieWins: an equal hand wins (art. 43.8, L691).
func tieWins(s showdown) (result, int) {
	if s.folded || s.against() == loses {
		return loses, 0
	}
	return wins, 1
}

// aces pays from a pair of aces on (art. 43.4).
func aces(s showdown) (result, int) {
	if s.hand.Category == poker.Pareja && poker.PairOf(s.hand.Cards) == poker.Ace {
		return wins, 1
	}
	return paidIf(acesTable[s.hand.Category])
}

// texasAnte is paid by the player's hand, without comparing where the bank does not
// play (art. 57.3, L942-950).
func texasAnte(s showdown) (result, int) {
	odds := max(1, texasTable[s.hand.Category])
	if !s.enters && !s.folded {
		return wins, odds
	}
	return lostIf(s.folded, s.against()), odds
}

// texasBonus looks at the own cards and the flop: a pair of aces and more (art. 56.2, 57.2).
func texasBonus(s showdown) (result, int) {
	h := poker.Banked.Of(slices.Concat(s.own, s.board[:3]))
	switch {
	case poker.Banked.AtLeast(h, poker.Color):
		return wins, 25
	case poker.Banked.AtLeast(h, poker.DoblePareja), poker.PairOf(h.Cards) == poker.Ace:
		return wins, 7
	}
	return loses, 0
}
