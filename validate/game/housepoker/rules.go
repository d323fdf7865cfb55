// Package housepoker judges the poker games against the house (póquer de
// contrapartida): sin descarte, trijoker, tripóquer, pai gow, hold'em, cuatro
// cartas, con descarte and texas.
//
// A round is read in one walk (walk.go) into cards by zone, chips by spot
// (stakes.go) and what each seat decided (actions.go). Then come, by topic, the
// deal, the faces of cards, misdeals, draws, the setting of pai gow's hands, the
// values of hands, prizes and meters, the settlement, the money and its order, the
// calls. What a game deals, offers, pays and annuls is data of the rulebook.
package housepoker

import (
	"errors"
	"fmt"

	"vision/internal/money"
	"vision/validate/game/hands"
)

// Rules are the rules of one game of the family in one norm.
type Rules struct {
	Seats     int               `yaml:"seats" json:"seats"`                       // most boxes of a table
	Articles  map[string]string `yaml:"articles" json:"articles"`                 // section of the norm by topic or spot, after the game's label
	Calls     map[string]Call   `yaml:"calls" json:"calls"`                       // the calls that the norm prints
	Hand      hands.Spec        `yaml:"hand" json:"hand"`                         // how hands rank
	Low       *hands.Spec       `yaml:"low_hand" json:"low_hand,omitempty"`       // pai gow: the hand of two
	Carrusel  *hands.Spec       `yaml:"carrusel_hand" json:"carrusel,omitempty"`  // tripóquer: own cards with the two common ones
	Deal      Deal              `yaml:"deal" json:"deal"`                         //
	Actions   []string          `yaml:"actions" json:"actions,omitempty"`         // decisions that the game gives its players
	Second    string            `yaml:"second" json:"second,omitempty"`           // the spot whose chips say that a seat goes on
	Qualify   *Least            `yaml:"qualify" json:"qualify,omitempty"`         // least hand with which the bank plays
	Spots     map[string]*Spot  `yaml:"spots" json:"spots"`                       // what may be bet on
	Absent    []string          `yaml:"absent" json:"absent,omitempty"`           // spots of the game that this norm does not have
	Misdeal   Misdeal           `yaml:"misdeal" json:"misdeal"`                   // what annuls the round
	Blind     string            `yaml:"blind" json:"blind,omitempty"`             // "second_first": a box played blind lays its second stake before the close
	Discloses bool              `yaml:"disclosure_loses" json:"discloses"`        // who tells or shows his cards loses his bets
	FoldFirst bool              `yaml:"fold_before_bank" json:"fold_before_bank"` // a folded ante is taken before the bank's cards are shown
	// "descending", "ascending" seats; "spots" as in SpotOrder; "before_turn" for the Texas Bonus
	PayOrder  string      `yaml:"pay_order" json:"pay_order,omitempty"`
	SpotOrder [][]string  `yaml:"spot_order" json:"spot_order,omitempty"` // spots of one seat in the order of payment
	Collect   bool        `yaml:"collect_first" json:"collect_first"`     // losing bets are taken before any is paid
	MeterEach bool        `yaml:"meter_each" json:"meter_each,omitempty"` // equal straight flushes take their share each, of the initial meter
	MaxTimes  money.Cents `yaml:"max_times" json:"max_times,omitempty"`   // maximum as a multiple of the minimum where the table has none
	Defaults  Defaults    `yaml:"options" json:"options"`                 // house options where the table says nothing
}

// Call is one call that the norm prints.
type Call struct {
	Mandatory bool   `yaml:"mandatory" json:"mandatory,omitempty"` // its lack is a finding
	Words     string `yaml:"words" json:"words,omitempty"`         // as the norm prints it
}

// Deal says what is dealt.
type Deal struct {
	Own     int      `yaml:"own" json:"own"`                   // cards of a seat
	Bank    int      `yaml:"bank" json:"bank,omitempty"`       // cards of the bank; 0: none
	Up      int      `yaml:"up" json:"up,omitempty"`           // the bank's card that is dealt face up, counted from 1
	Commons []string `yaml:"commons" json:"commons,omitempty"` // trijoker: a card to each after each pass but the last
	Board   int      `yaml:"board" json:"board,omitempty"`     // common cards of the board
	Burns   bool     `yaml:"burns" json:"burns,omitempty"`     // one card is burnt before each street
	Streets bool     `yaml:"streets" json:"streets,omitempty"` // bets at the turn and the river
	Hands   bool     `yaml:"hands" json:"hands,omitempty"`     // pai gow: whole hands, started by three dice
	Draw    bool     `yaml:"draw" json:"draw,omitempty"`       // cards are exchanged, by the bank too
	InDeal  bool     `yaml:"board_in_deal" json:"in_deal"`     // texas: the first board cards belong to the deal
}

// Least is a least hand: a combination with the ranks that decide.
type Least struct {
	Category hands.Category `yaml:"category" json:"category"`
	Ranks    []int          `yaml:"ranks" json:"ranks"`
}

// How a spot is decided.
const (
	AgainstBank  = "bank"  // by comparison with the bank's hand
	AgainstTwo   = "two"   // pai gow: both hands
	AgainstTable = "table" // by the own hand and the table of prizes
	AgainstHole  = "hole"  // hold'em bonus: by the two own cards
	AgainstMeter = "meter" // by the own hand, out of a meter
	AgainstFlop  = "flop"  // Texas Bonus: by the own cards and the flop
	Virtual      = "virtual"
)

// Spot is one place to bet on.
type Spot struct {
	Against    string           `yaml:"against" json:"against"`
	Base       bool             `yaml:"base" json:"base,omitempty"`                     // chips here have the seat dealt in
	NeedsAnte  bool             `yaml:"needs_ante" json:"needs_ante,omitempty"`         // only with chips on the ante
	Limits     string           `yaml:"limits" json:"limits,omitempty"`                 // "both", "max": which of the table's limits hold
	Times      int              `yaml:"times" json:"times,omitempty"`                   // prescribed multiple of the ante
	UpTo       int              `yaml:"up_to" json:"up_to,omitempty"`                   // greatest multiple of the ante; the least is once
	From       string           `yaml:"from" json:"from,omitempty"`                     // event that opens it after the deal: deal, board3, board4
	To         string           `yaml:"to" json:"to,omitempty"`                         // event that closes it: bank, draw, board1, board4, board5
	Pays       map[string]int64 `yaml:"pays" json:"pays,omitempty"`                     // n to one by combination; "any": all others
	PairFrom   int              `yaml:"pair_from" json:"pair_from,omitempty"`           // lowest pair that is paid, as a rank 2 to 14
	Tables     []string         `yaml:"tables" json:"tables,omitempty"`                 // rows "combination n n n" where the house chooses a table
	Prizes     map[string]Prize `yaml:"prizes" json:"prizes,omitempty"`                 // of the meter
	Changed    map[string]Prize `yaml:"changed" json:"changed,omitempty"`               // of the meter, for a hand with exchanged cards
	Unequal    string           `yaml:"not_qualified" json:"not_qualified,omitempty"`   // "win", "push", "table" where the bank does not qualify
	TieWins    bool             `yaml:"tie_wins" json:"tie_wins,omitempty"`             // an equal hand is paid
	FoldLoses  bool             `yaml:"fold_loses" json:"fold_loses,omitempty"`         // a fold takes it too
	FoldShows  bool             `yaml:"fold_shows" json:"fold_shows,omitempty"`         // the folded cards must be shown
	HalfMin    bool             `yaml:"half_min" json:"half_min,omitempty"`             // at most half the table minimum
	TenMin     int              `yaml:"min_times" json:"min_times,omitempty"`           // at most so many times the table minimum
	Commission int              `yaml:"commission_bp" json:"commission_bp,omitempty"`   // deducted from winnings, in hundredths of a per cent; the house may take less
	BackFrom   string           `yaml:"back_from" json:"back_from,omitempty"`           // trijoker: may be taken back whole after this: "deal" or a common zone shown
	BackTo     string           `yaml:"back_to" json:"back_to,omitempty"`               // and before this common zone is shown
	House      bool             `yaml:"interconnected" json:"interconnected,omitempty"` // only judged at an interconnected table
}

// Prize is a part of the meter in hundredths of a per cent, or a multiple of the stake.
type Prize struct {
	Share int64 `yaml:"share" json:"share,omitempty"`
	Times int64 `yaml:"times" json:"times,omitempty"`
}

// Consequences of an irregularity.
const (
	voids     = "void"    // the round
	voidsSeat = "seat"    // the seat's bets
	voidsOpen = "open"    // the round, until the last board card while a seat is in play
	voidsDeal = "board"   // the round, until the last board card
	figures   = "figures" // the round, when the card is a J, Q, K or A
)

// Misdeal says what annuls the round.
type Misdeal struct {
	Option     bool   `yaml:"option" json:"option,omitempty"`             // no article: the house option misdeal_void rules
	Player     string `yaml:"player_count" json:"player_count,omitempty"` // wrong number of cards at a player
	Bank       string `yaml:"bank_count" json:"bank_count,omitempty"`     // at the bank or in common
	PlayerSeen string `yaml:"player_seen" json:"player_seen,omitempty"`   // a player's card exposed
	BankSeen   string `yaml:"bank_seen" json:"bank_seen,omitempty"`       // a bank's card exposed
	CommonSeen string `yaml:"common_seen" json:"common_seen,omitempty"`   // a common card exposed
	Order      string `yaml:"order" json:"order,omitempty"`               // dealt in the wrong order
	Defective  string `yaml:"defective" json:"defective,omitempty"`       // a card missing, twice or foreign
	Shoe       bool   `yaml:"shoe" json:"shoe,omitempty"`                 // hold'em: cards face up in the pack
	Touch      bool   `yaml:"touch" json:"touch,omitempty"`               // players whose cards touch lose
	EarlyBank  string `yaml:"bank_early" json:"bank_early,omitempty"`     // the bank's cards turned before all have decided
}

// Defaults are the house options where the table says nothing.
type Defaults struct {
	Upcard     string `yaml:"upcard" json:"upcard,omitempty"`
	Progresivo string `yaml:"progresivo_hand" json:"progresivo_hand,omitempty"`
}

var noSpot Spot

// spot is a place to bet on; one that the game does not have is empty.
func (r *Rules) spot(name string) *Spot {
	if s := r.Spots[name]; s != nil {
		return s
	}
	return &noSpot
}

// Check says what the schema cannot.
func (r *Rules) Check() error {
	if _, err := hands.New(r.Hand); err != nil {
		return fmt.Errorf("hand: %w", err)
	}
	for _, s := range []*hands.Spec{r.Low, r.Carrusel} {
		if s != nil {
			if _, err := hands.New(*s); err != nil {
				return fmt.Errorf("low_hand, carrusel_hand: %w", err)
			}
		}
	}
	if r.Seats < 1 || r.Deal.Own < 1 || len(r.Spots) == 0 {
		return errors.New("seats, deal.own, spots: missing")
	}
	base := false
	for name, s := range r.Spots {
		if s == nil {
			return fmt.Errorf("spots.%s: empty", name)
		}
		base = base || s.Base
		if err := s.check(); err != nil {
			return fmt.Errorf("spots.%s.%w", name, err)
		}
	}
	if !base {
		return errors.New("spots: mark the bet that has a seat dealt in as base")
	}
	return nil
}

func (s *Spot) check() error {
	switch s.Against {
	case AgainstBank, AgainstTwo, AgainstTable, AgainstHole, AgainstMeter, AgainstFlop, Virtual:
	default:
		return fmt.Errorf("against: %q: want bank, two, table, hole, meter, flop or virtual", s.Against)
	}
	for _, m := range []string{s.From, s.To} {
		switch m {
		case "", "deal", "bank", "draw", "board1", "board3", "board4", "board5":
		default:
			return fmt.Errorf("from, to: unknown moment %q", m)
		}
	}
	for name, n := range s.Pays {
		if n < 0 || name != "any" && s.Against != AgainstHole && !isCategory(name) {
			return fmt.Errorf("pays.%s: no combination, or odds below 0", name)
		}
	}
	for _, row := range s.Tables {
		if _, _, err := tableRow(row, 1); err != nil {
			return fmt.Errorf("tables: %w", err)
		}
	}
	for _, table := range []map[string]Prize{s.Prizes, s.Changed} {
		for name, p := range table {
			if !isCategory(name) || p.Share < 0 || p.Share > 10000 || p.Times < 0 || (p.Share > 0) == (p.Times > 0) {
				return fmt.Errorf("prizes.%s: want a combination with a share of 1 to 10000, or a multiple", name)
			}
		}
	}
	return nil
}

func isCategory(name string) bool {
	_, err := hands.ParseCategory(name)
	return err == nil
}

// tableRow reads the k-th figure (from 1) of "trio 30 30 33".
func tableRow(row string, k int) (string, int64, error) {
	var name string
	n := make([]int64, 3)
	if _, err := fmt.Sscan(row, &name, &n[0], &n[1], &n[2]); err != nil || !isCategory(name) {
		return "", 0, fmt.Errorf("%q: want a combination and three figures", row)
	}
	return name, n[k-1], nil
}
