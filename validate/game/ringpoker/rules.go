// Package ringpoker judges círculo poker, in which the players play against one
// another: five-card draw, the studs, hold'em, the Omahas, doble hold'em and
// póquer sintético. The house pays nothing; what is checked is the deal, turn
// and size of the bets, the pots, the rake, the reading of the hands and who
// gets how much.
//
// A hand (hand.go) is one pass over the record: cards.go, deal.go and streets.go follow the
// cards, turn.go who speaks, betting.go and sizes.go the chips, calls.go the words.
// showdown.go reads the hands, pots.go divides the chips, verdict.go compares them with what
// was paid and puts it together. What differs between games and norms is data of the rulebook.
package ringpoker

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"vision/validate/game/hands"
)

// Rules are the rules of one game of the family in one norm.
type Rules struct {
	Articles map[string]string `yaml:"articles" json:"articles"` // article by topic, after the norm's code; "game" is cited where a topic has none

	Packs     []int    `yaml:"packs" json:"packs"` // lowest rank of the packs that may be used, the usual first: 2, 7, 8
	Players   Players  `yaml:"players" json:"players"`
	Direction string   `yaml:"direction" json:"direction"`          // of deal and turn: cw, ccw
	Postre    bool     `yaml:"postre" json:"postre,omitempty"`      // the marca lies before the postre; the mano is the next clockwise
	DealLeft  bool     `yaml:"deal_left" json:"dealLeft"`           // the deal starts at the seat after the mano instead of at the mano
	Own       string   `yaml:"own" json:"own"`                      // the cards dealt to each seat at first: d down, u up
	Streets   string   `yaml:"streets" json:"streets,omitempty"`    // stud: the face of each later card of a seat
	Board     *Board   `yaml:"board" json:"board,omitempty"`        // common cards; nil: none
	Draw      bool     `yaml:"draw" json:"draw,omitempty"`          // cards are changed once
	Burn      string   `yaml:"burn" json:"burn"`                    // before each street: one, none, any
	Use       int      `yaml:"use" json:"use,omitempty"`            // exactly so many own cards make a hand; 0: any
	Low       bool     `yaml:"low" json:"low,omitempty"`            // the lowest hand has half of the pot
	Figuras   bool     `yaml:"figuras" json:"figuras,omitempty"`    // is a combination
	First     First    `yaml:"first" json:"first"`                  //
	Limits    Limits   `yaml:"limits" json:"limits"`                //
	Forced    []string `yaml:"forced" json:"forced"`                // compulsory bets that the table may have, the usual first: ante, ciegas, none
	AnteMin   bool     `yaml:"ante_min" json:"anteMin,omitempty"`   // the ante is the table minimum; else half of it
	AnteMost  bool     `yaml:"ante_most" json:"anteMost,omitempty"` // the ante is at most half the table minimum
	Rake      Rake     `yaml:"rake" json:"rake"`                    //
	Calls     Calls    `yaml:"calls" json:"calls"`                  //
	ShowOrder bool     `yaml:"show_order" json:"showOrder"`         // the last bettor shows first
	Misdeal   Misdeal  `yaml:"misdeal" json:"misdeal"`              //
	Errors    Errors   `yaml:"errors" json:"errors"`                //
}

// Players bounds the number of seats that take part in a hand.
type Players struct {
	Min int `yaml:"min" json:"min,omitempty"` // 0: not printed
	Max int `yaml:"max" json:"max"`
}

// Board is how the common cards come.
type Board struct {
	Streets  []int `yaml:"streets" json:"streets"`    // cards of each street, on each line
	Lines    int   `yaml:"lines" json:"lines"`        // 1, or 2 in doble hold'em
	WithDeal int   `yaml:"with_deal" json:"withDeal"` // common cards laid with the deal
	Turned   bool  `yaml:"turned" json:"turned"`      // all are laid with the deal, the first up; later streets turn the others
}

// First is who speaks first: mano, blind (after the big blind), left (of the
// mano), opener, bettor (the highest of the previous interval), low, high (of
// the cards shown).
type First struct {
	Opening string `yaml:"opening" json:"opening"`
	Later   string `yaml:"later" json:"later"`
	Forced  bool   `yaml:"forced" json:"forced,omitempty"`              // the first decision of a hand must be a bet
	NoFold  bool   `yaml:"no_fold" json:"noFold,omitempty"`             // nor may the first of intervals 2 to 4 fold
	Tie     string `yaml:"tie" json:"tie,omitempty"`                    // equal cards shown: suit, left, right (of the mano)
	TieLast string `yaml:"tie_last" json:"tieLast,omitempty"`           // the same in the last interval
	Folded  string `yaml:"opener_folded" json:"openerFolded,omitempty"` // who begins for an opener that folded: right, left
}

// Limits are the ways of limiting bets that a table may choose.
type Limits struct {
	Modes    []string `yaml:"modes" json:"modes"`                // the usual first: none, fixed, pot, split_limit, bote_limitado
	Double   []string `yaml:"double" json:"double,omitempty"`    // modes in which a raise at least doubles and short all-ins do not reopen
	PerHand  []string `yaml:"per_hand" json:"perHand,omitempty"` // modes of three raises in an interval
	PerSeat  []string `yaml:"per_seat" json:"perSeat,omitempty"` // modes of three raises of each player in an interval
	FlatBets bool     `yaml:"flat" json:"flat,omitempty"`        // fixed bets never rise to the high level
}

// Rake is what the house may keep.
type Rake struct {
	Modes []string `yaml:"modes" json:"modes"`         // besides none: percent, session, fixed
	Most  int64    `yaml:"most" json:"most,omitempty"` // highest percentage, in basis points; 0: no limit printed
	Band  bool     `yaml:"band" json:"band,omitempty"` // a session's fee is 10 to 20 % of its base
}

// Calls are the announcements that the game demands.
type Calls struct {
	NoVa   bool `yaml:"no_va" json:"noVa,omitempty"`    // of each fold
	Gana   bool `yaml:"gana" json:"gana,omitempty"`     // of each winner at the showdown
	Stud   bool `yaml:"stud" json:"stud,omitempty"`     // «hagan sus apuestas», «última carta»
	Number bool `yaml:"number" json:"number,omitempty"` // of the cards changed
}

// When a cause annuls the hand: always, or early (fewer than two decisions made).
const (
	always = "always"
	early  = "early"
)

// Misdeal says which causes annul the hand, and when; "" is never.
type Misdeal struct {
	Order     string `yaml:"order" json:"order,omitempty"`
	Count     string `yaml:"count" json:"count,omitempty"`
	Seen      string `yaml:"wrong_card_seen" json:"wrongCardSeen,omitempty"`
	Looked    string `yaml:"card_seen" json:"cardSeen,omitempty"`
	Up        string `yaml:"up" json:"up,omitempty"`                   // cards seen in the deal
	UpFirst   int    `yaml:"up_first" json:"upFirst,omitempty"`        // one of the first so many cards of the deal is enough
	UpCards   int    `yaml:"up_cards" json:"upCards,omitempty"`        // or so many of all
	Floor     bool   `yaml:"floor" json:"floor,omitempty"`             // among them those that fell off the table
	UpOwn     string `yaml:"up_own_first" json:"upOwnFirst,omitempty"` // a player's first card
	Foreign   string `yaml:"foreign" json:"foreign,omitempty"`         // and a defective deck
	Back      string `yaml:"foreign_back" json:"foreignBack,omitempty"`
	Duplicate string `yaml:"duplicate" json:"duplicate,omitempty"`
	Marca     string `yaml:"marca" json:"marca,omitempty"`
}

// Errors says what follows from other irregularities.
type Errors struct {
	TakeBack   bool `yaml:"take_back" json:"takeBack,omitempty"`     // cards shown early must be taken back
	Touch      bool `yaml:"touch" json:"touch,omitempty"`            // hands that touch are void
	Mucked     bool `yaml:"mucked" json:"mucked,omitempty"`          // a protected hand taken away is paid back
	Added      bool `yaml:"added" json:"added,omitempty"`            // chips may not be added
	HoleUp     bool `yaml:"hole_up" json:"holeUp,omitempty"`         // seven stud's rules for cards seen
	BothUp     bool `yaml:"both_up" json:"bothUp,omitempty"`         // of two players left both get the last card up; else they do not bet
	SkipFolded bool `yaml:"skip_folded" json:"skipFolded,omitempty"` // cards of folded seats do not count
}

// streets is the number of streets after the deal.
func (r *Rules) streets() int {
	switch {
	case r.Board != nil:
		return len(r.Board.Streets)
	case r.Draw:
		return 1
	}
	return len(r.Streets)
}

func (r *Rules) stud() bool { return r.Streets != "" }

// seven reports whether the game is seven stud.
func (r *Rules) seven() bool { return len(r.Streets) == 4 }

// ordinary is the order of the combinations, from the lowest.
var ordinary = []hands.Category{hands.CartaMayor, hands.Pareja, hands.DoblePareja, hands.Trio, hands.Escalera,
	hands.Color, hands.Full, hands.Poquer, hands.EscaleraColor, hands.EscaleraReal}

// ranking values hands of a pack by the order of the combinations.
func ranking(lowest int, colorOverFull, figuras bool) (*hands.Ranking, error) {
	order := slices.Clone(ordinary)
	if figuras {
		order = slices.Insert(order, slices.Index(order, hands.Trio), hands.Figuras)
	}
	if colorOverFull {
		c, f := slices.Index(order, hands.Color), slices.Index(order, hands.Full)
		order[c], order[f] = order[f], order[c]
	}
	return hands.New(hands.Spec{Size: 5, Order: order, Lowest: lowest, AceLow: true})
}

// Check implements rulebook.Rules.
func (r *Rules) Check() error {
	forms := 0
	for _, is := range []bool{r.Board != nil, r.Draw, r.stud()} {
		if is {
			forms++
		}
	}
	switch {
	case forms != 1:
		return errors.New("want one of board, draw, streets")
	case len(r.Packs) == 0:
		return errors.New("packs: missing")
	case r.Own == "" || strings.Trim(r.Own+r.Streets, "du") != "":
		return errors.New("own, streets: write d and u for cards dealt down and up")
	case r.Articles["game"] == "":
		return errors.New("articles.game: missing")
	}
	for _, w := range []struct {
		name    string
		values  []string
		allowed []string
	}{
		{"direction", []string{r.Direction}, []string{"cw", "ccw"}},
		{"burn", []string{r.Burn}, []string{"one", "none", "any"}},
		{"first.opening", []string{r.First.Opening}, []string{"mano", "blind", "low", "high"}},
		{"first.later", []string{r.First.Later}, []string{"mano", "left", "opener", "bettor", "high"}},
		{"limits.modes", r.Limits.Modes, limitModes},
		{"forced", r.Forced, []string{"ante", "ciegas", "none"}},
		{"rake.modes", r.Rake.Modes, []string{"percent", "session", "fixed"}},
		{"misdeal", r.Misdeal.times(), []string{"", always, early}},
	} {
		if len(w.values) == 0 && w.name != "rake.modes" {
			return fmt.Errorf("%s: missing", w.name)
		}
		for _, v := range w.values {
			if !slices.Contains(w.allowed, v) {
				return fmt.Errorf("%s: unknown %q: known are %s", w.name, v, strings.Join(w.allowed, ", "))
			}
		}
	}
	return nil
}

func (m *Misdeal) times() []string {
	return []string{m.Order, m.Count, m.Seen, m.Looked, m.Up, m.UpOwn, m.Foreign, m.Back, m.Duplicate, m.Marca}
}
