package session

import (
	"errors"
	"fmt"
	"slices"

	"vision/validate/rulebook"
)

// Clause is a rule with the games that it holds for, and for each the lines of
// the norm in which it is printed.
type Clause struct {
	Games map[string]string `yaml:"games"` // lines by game: "L388-405"
}

// has reports whether a clause holds for a game, and gives the lines.
func (c Clause) has(game string) (lines string, ok bool) {
	lines, ok = c.Games[game]
	return lines, ok
}

func (c Clause) check() error {
	if len(c.Games) == 0 {
		return errors.New("games: missing")
	}
	for game, lines := range c.Games {
		if lines == "" {
			return fmt.Errorf("games.%s: write the lines of the norm", game)
		}
	}
	return nil
}

// Rules are what a norm says of a table between its rounds.
type Rules struct {
	LimitChange []LimitChange     `yaml:"limit_change"`
	Ratio       []Ratio           `yaml:"ratio"`
	Minimum     []Minimum         `yaml:"minimum"`
	Sign        *Clause           `yaml:"sign"` // the minimum in force, or the authorised one, is on show
	Turn        *Turn             `yaml:"turn"`
	HalfFloat   *Clause           `yaml:"half_float"` // two cloths, one of them open: half the float
	Change      map[string]string `yaml:"change"`     // lines on changes of money, by game; elsewhere they are the house's control
	Packs       []Packs           `yaml:"packs"`
	Replaced    *Clause           `yaml:"replaced"` // a card is replaced by one of its value
	Talla       []Talla           `yaml:"talla"`
	PlayerCut   []PlayerCut       `yaml:"player_cut"`
	Control     *Clause           `yaml:"control"` // on request the cards are checked at the end of the talla
	Dice        *Dice             `yaml:"dice"`
	LastRounds  []LastRounds      `yaml:"last_rounds"`
	Charge      *Charge           `yaml:"charge"`
	Cover       *Clause           `yaml:"cover"` // the wheel is covered over night
	ShoeLeft    []ShoeLeft        `yaml:"shoe_left"`
	Meters      []Meter           `yaml:"meters"`
	Permanent   []Permanent       `yaml:"permanent"`
}

// The directions in which a minimum may be changed in the session.
const (
	Never = "never"
	Up    = "up"
	Free  = "free"
)

// LimitChange is what a change of the minimum must keep to.
type LimitChange struct {
	Clause     `yaml:",inline"`
	Direction  string `yaml:"direction"`   // never, up, free
	Once       bool   `yaml:"once"`        // once a session
	Last       int    `yaml:"last"`        // rounds at the old limit that are announced and played; 0: any number
	FirstRound bool   `yaml:"first_round"` // the first round at the new limit is announced
	Float      bool   `yaml:"float"`       // the float is completed before the next round
	Reopening  bool   `yaml:"reopening"`   // opening anew with another minimum is a change too
	Told       bool   `yaml:"told"`        // a previous announcement is all that is asked for; the change is not counted
}

// The bases of a maximum.
const (
	OfTable      = "table"
	OfAuthorised = "authorised"
	OfBand       = "band"
)

// Ratio is what a maximum may be: one of a few multiples of the base, or
// anything from the first to the second of Band.
type Ratio struct {
	Clause `yaml:",inline"`
	Base   string  `yaml:"base"` // table, authorised, band
	Times  []int64 `yaml:"times"`
	Band   []int64 `yaml:"band"`
}

// Minimum ties the minimum of a table to the authorised one.
type Minimum struct {
	Clause `yaml:",inline"`
	Twice  bool `yaml:"twice"` // the authorised one or twice it; otherwise not below it
}

// Turn is the change of game on a reversible cloth.
type Turn struct {
	Clause   `yaml:",inline"`
	Variants map[string][]string `yaml:"variants"` // of a game's variants only these
	Once     bool                `yaml:"once"`     // once a jornada
}

// Packs are the packs that a game is played with.
type Packs struct {
	Clause  `yaml:",inline"`
	Packs   int64  `yaml:"packs"`
	Backs   string `yaml:"backs"` // halves, one
	Indices *bool  `yaml:"indices"`
	New     *bool  `yaml:"new"`
}

// Talla is how the cards of a shoe are prepared.
type Talla struct {
	Clause  `yaml:",inline"`
	Below   int64 `yaml:"below"`    // cards below the cut card
	AtLeast bool  `yaml:"at_least"` // so many or more
}

// PlayerCut is how many cards a player has to lift.
type PlayerCut struct {
	Clause `yaml:",inline"`
	Least  int64 `yaml:"least"`
}

// Dice are the dice at the table's disposal; the set of the last session is not used again.
type Dice struct {
	Clause `yaml:",inline"`
	Count  int64 `yaml:"count"`
}

// LastRounds are the last rounds of the day.
type LastRounds struct {
	Clause `yaml:",inline"`
	By     string `yaml:"by"`
	Last   int    `yaml:"last"`
}

// Charge is the charge per session at circle poker.
type Charge struct {
	Family  string `yaml:"family"`
	Lines   string `yaml:"lines"`
	Seconds int64  `yaml:"seconds"` // duration of a session; 0: as the house has marked it
	Hands   int    `yaml:"hands"`   // last hands after it
}

// ShoeLeft is where the shoe may be over night.
type ShoeLeft struct {
	Clause `yaml:",inline"`
	Allow  []string `yaml:"allow"`
	Kinds  []string `yaml:"kinds"` // of shoe; empty: any
}

// Meter is what a progressive or fixed prize starts with, or grows by.
type Meter struct {
	Clause     `yaml:",inline"`
	Start      int64 `yaml:"start"`    // times the coin, where the meter starts
	Always     int64 `yaml:"always"`   // times the coin, at any time
	Fixed      int64 `yaml:"fixed"`    // times the coin, at any time, of a fixed prize
	SharePerMy int64 `yaml:"share_bp"` // hundredths of a per cent of the coins go into the sum
}

// Permanent is staff that must be there all the time, so that no grace is given.
type Permanent struct {
	Clause   `yaml:",inline"`
	Family   string `yaml:"family"`   // all games of a family, instead of games
	Lines    string `yaml:"lines"`    // with family
	Croupier bool   `yaml:"croupier"` // only the croupier
}

// New is a new, empty value for a rulebook to be read into.
func New() rulebook.Rules { return &Rules{} }

// Check implements rulebook.Rules.
func (r *Rules) Check() error {
	for name, clauses := range r.clauses() {
		for i, c := range clauses {
			if err := c.check(); err != nil {
				return fmt.Errorf("%s[%d]: %w", name, i, err)
			}
		}
	}
	return errors.Join(r.checkLimits(), r.checkCards())
}

// clauses are all clauses by the name of their part.
func (r *Rules) clauses() map[string][]Clause {
	out := map[string][]Clause{}
	add := func(name string, c Clause) { out[name] = append(out[name], c) }
	for _, x := range r.LimitChange {
		add("limit_change", x.Clause)
	}
	for _, x := range r.Ratio {
		add("ratio", x.Clause)
	}
	for _, x := range r.Minimum {
		add("minimum", x.Clause)
	}
	for _, x := range r.Packs {
		add("packs", x.Clause)
	}
	for _, x := range r.Talla {
		add("talla", x.Clause)
	}
	for _, x := range r.PlayerCut {
		add("player_cut", x.Clause)
	}
	for _, x := range r.LastRounds {
		add("last_rounds", x.Clause)
	}
	for _, x := range r.ShoeLeft {
		add("shoe_left", x.Clause)
	}
	for _, x := range r.Meters {
		add("meters", x.Clause)
	}
	for _, x := range r.Permanent {
		if x.Family == "" {
			add("permanent", x.Clause)
		}
	}
	for name, c := range map[string]*Clause{"sign": r.Sign, "half_float": r.HalfFloat, "replaced": r.Replaced, "control": r.Control, "cover": r.Cover} {
		if c != nil {
			add(name, *c)
		}
	}
	if r.Turn != nil {
		add("turn", r.Turn.Clause)
	}
	if r.Dice != nil {
		add("dice", r.Dice.Clause)
	}
	return out
}

func (r *Rules) checkLimits() error {
	for i, x := range r.LimitChange {
		if !slices.Contains([]string{Never, Up, Free}, x.Direction) {
			return fmt.Errorf("limit_change[%d]: direction: want never, up or free", i)
		}
		if x.Last < 0 {
			return fmt.Errorf("limit_change[%d]: last: want 0 or more", i)
		}
	}
	for i, x := range r.Ratio {
		if !slices.Contains([]string{OfTable, OfAuthorised, OfBand}, x.Base) {
			return fmt.Errorf("ratio[%d]: base: want table, authorised or band", i)
		}
		if (len(x.Times) == 0) == (len(x.Band) == 0) || len(x.Band) != 0 && (len(x.Band) != 2 || x.Band[0] > x.Band[1]) {
			return fmt.Errorf("ratio[%d]: want times, or a band of two", i)
		}
	}
	return nil
}

func (r *Rules) checkCards() error {
	for i, x := range r.Packs {
		if x.Packs < 1 || x.Backs != halves && x.Backs != oneColour {
			return fmt.Errorf("packs[%d]: want packs of 1 or more, and backs halves or one", i)
		}
	}
	for i, x := range r.LastRounds {
		if x.Last < 1 || x.By == "" {
			return fmt.Errorf("last_rounds[%d]: want last of 1 or more, and by", i)
		}
	}
	for i, x := range r.Permanent {
		if x.Family != "" && x.Lines == "" {
			return fmt.Errorf("permanent[%d]: lines: missing", i)
		}
	}
	if r.Charge != nil && (r.Charge.Family == "" || r.Charge.Lines == "" || r.Charge.Seconds < 0) {
		return errors.New("charge: want family and lines, and seconds of 0 or more")
	}
	return nil
}

// of is the first of some clauses that holds for a game.
func of[T any](list []T, clause func(*T) Clause, game string) (*T, string) {
	for i := range list {
		if lines, ok := clause(&list[i]).has(game); ok {
			return &list[i], lines
		}
	}
	return nil, ""
}
