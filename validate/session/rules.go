package session

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"vision/validate/rulebook"
)

// Clause is a rule with the games that it holds for, and for each the lines of
// the norm in which it is printed.
type Clause struct {
	Games map[string]string `yaml:"games" json:"games,omitempty"` // lines by game: "L388-405"
}

// has reports whether a clause holds for a game, and gives the lines. One that the norm lacks
// (nil) holds for none.
func (c *Clause) has(game string) (lines string, ok bool) {
	if c != nil {
		lines, ok = c.Games[game]
	}
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
	LimitChange []LimitChange     `yaml:"limit_change" json:"limit_change,omitempty"`
	Ratio       []Ratio           `yaml:"ratio" json:"ratio,omitempty"`
	Minimum     []Minimum         `yaml:"minimum" json:"minimum,omitempty"`
	Sign        *Clause           `yaml:"sign" json:"sign,omitempty"` // the minimum in force, or the authorised one, is on show
	Turn        *Turn             `yaml:"turn" json:"turn,omitempty"`
	HalfFloat   *Clause           `yaml:"half_float" json:"half_float,omitempty"` // two cloths, one of them open: half the float
	Change      map[string]string `yaml:"change" json:"change,omitempty"`         // lines on changes of money, by game; elsewhere they are the house's control
	Packs       []Packs           `yaml:"packs" json:"packs,omitempty"`
	Replaced    *Clause           `yaml:"replaced" json:"replaced,omitempty"` // a card is replaced by one of its value
	Talla       []Talla           `yaml:"talla" json:"talla,omitempty"`
	PlayerCut   []PlayerCut       `yaml:"player_cut" json:"player_cut,omitempty"`
	Control     *Clause           `yaml:"control" json:"control,omitempty"` // on request the cards are checked at the end of the talla
	Dice        *Dice             `yaml:"dice" json:"dice,omitempty"`
	LastRounds  []LastRounds      `yaml:"last_rounds" json:"last_rounds,omitempty"`
	Charge      *Charge           `yaml:"charge" json:"charge,omitempty"`
	Cover       *Clause           `yaml:"cover" json:"cover,omitempty"` // the wheel is covered over night
	ShoeLeft    []ShoeLeft        `yaml:"shoe_left" json:"shoe_left,omitempty"`
	Meters      []Meter           `yaml:"meters" json:"meters,omitempty"`
	Permanent   []Permanent       `yaml:"permanent" json:"permanent,omitempty"`
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
	Direction  string `yaml:"direction" json:"direction,omitempty"`     // never, up, free
	Once       bool   `yaml:"once" json:"once,omitempty"`               // once a session
	Last       int    `yaml:"last" json:"last,omitempty"`               // rounds at the old limit that are announced and played; 0: any number
	FirstRound bool   `yaml:"first_round" json:"first_round,omitempty"` // the first round at the new limit is announced
	Float      bool   `yaml:"float" json:"float,omitempty"`             // the float is completed before the next round
	Reopening  bool   `yaml:"reopening" json:"reopening,omitempty"`     // opening anew with another minimum is a change too
	Told       bool   `yaml:"told" json:"told,omitempty"`               // a previous announcement is all that is asked for; the change is not counted
}

// The bases of a maximum.
const (
	OfTable      = "table"
	OfAuthorised = "authorised"
	OfBand       = "band"
)

// Ratio is what a maximum may be: one of a few multiples of the base, or anything from
// the first to the second of Band, or such that the base is from the first to the second
// per cent of it.
type Ratio struct {
	Clause  `yaml:",inline"`
	Base    string  `yaml:"base" json:"base,omitempty"` // table, authorised, band
	Times   []int64 `yaml:"times" json:"times,omitempty"`
	Band    []int64 `yaml:"band" json:"band,omitempty"`
	PerCent []int64 `yaml:"per_cent" json:"per_cent,omitempty"`
}

// Minimum ties the minimum of a table to the authorised one.
type Minimum struct {
	Clause `yaml:",inline"`
	Twice  bool `yaml:"twice" json:"twice,omitempty"` // the authorised one or twice it; otherwise not below it
}

// Turn is the change of game on a reversible cloth.
type Turn struct {
	Clause   `yaml:",inline"`
	Variants map[string][]string `yaml:"variants" json:"variants,omitempty"` // of a game's variants only these
	Once     bool                `yaml:"once" json:"once,omitempty"`         // once a jornada
}

// Packs are the packs that a game is played with.
type Packs struct {
	Clause  `yaml:",inline"`
	Packs   int64  `yaml:"packs" json:"packs,omitempty"`
	Backs   string `yaml:"backs" json:"backs,omitempty"` // halves, one
	Indices *bool  `yaml:"indices" json:"indices,omitempty"`
	New     *bool  `yaml:"new" json:"new,omitempty"`
}

// Shoe reports whether a game is one of those whose shoe (sabot) holds packs of 52.
func (r *Rules) Shoe(game string) bool {
	rule, _ := of(r.Talla, game)
	return rule != nil
}

// Indices reports whether the packs of a game bear indices; said is false where the norm
// leaves it open.
func (r *Rules) Indices(game string) (bear, said bool) {
	for _, p := range r.Packs {
		if _, ok := p.has(game); ok && p.Indices != nil {
			return *p.Indices, true
		}
	}
	return false, false
}

// Talla is how the cards of a shoe are prepared.
type Talla struct {
	Clause  `yaml:",inline"`
	Below   int64 `yaml:"below" json:"below,omitempty"`       // cards below the cut card
	AtLeast bool  `yaml:"at_least" json:"at_least,omitempty"` // so many or more
}

// PlayerCut is how many cards a player has to lift.
type PlayerCut struct {
	Clause `yaml:",inline"`
	Least  int64 `yaml:"least" json:"least,omitempty"`
}

// Dice are the dice at the table's disposal; the set of the last session is not used again.
type Dice struct {
	Clause `yaml:",inline"`
	Count  int64 `yaml:"count" json:"count,omitempty"`
}

// LastRounds are the last rounds of the day.
type LastRounds struct {
	Clause `yaml:",inline"`
	By     string `yaml:"by" json:"by,omitempty"`
	Last   int    `yaml:"last" json:"last,omitempty"`
}

// Charge is the charge per session at circle poker.
type Charge struct {
	Family  string `yaml:"family" json:"family,omitempty"`
	Lines   string `yaml:"lines" json:"lines,omitempty"`
	Seconds int64  `yaml:"seconds" json:"seconds,omitempty"` // duration of a session; 0: as the house has marked it
	Hands   int    `yaml:"hands" json:"hands,omitempty"`     // last hands after it
}

// ShoeLeft is where the shoe may be over night.
type ShoeLeft struct {
	Clause `yaml:",inline"`
	Allow  []string `yaml:"allow" json:"allow,omitempty"`
	Kinds  []string `yaml:"kinds" json:"kinds,omitempty"` // of shoe; empty: any
}

// Meter is what a progressive or fixed prize starts with, or grows by.
type Meter struct {
	Clause `yaml:",inline"`
	Start  int64 `yaml:"start" json:"start,omitempty"`       // times the coin, where the meter starts
	Cents  int64 `yaml:"cents" json:"cents,omitempty"`       // enough at the start, however many coins it is; 0: nothing is
	Always int64 `yaml:"always" json:"always,omitempty"`     // times the coin, at any time
	Fixed  int64 `yaml:"fixed" json:"fixed,omitempty"`       // times the coin, at any time, of a fixed prize
	Share  int64 `yaml:"share_bp" json:"share_bp,omitempty"` // hundredths of a per cent of the coins go into the sum
}

// Permanent is staff that must be there all the time, so that no grace is given.
type Permanent struct {
	Clause   `yaml:",inline"`
	Family   string `yaml:"family" json:"family,omitempty"`     // all games of a family, instead of games
	Lines    string `yaml:"lines" json:"lines,omitempty"`       // with family
	Croupier bool   `yaml:"croupier" json:"croupier,omitempty"` // only the croupier
}

// New is a new, empty value for a rulebook to be read into.
func New() rulebook.Rules { return &Rules{} }

// Check implements rulebook.Rules.
func (r *Rules) Check() error {
	all := r.clauses()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for i, c := range all[name] {
			if err := c.check(); err != nil {
				return fmt.Errorf("%s[%d]: %w", name, i, err)
			}
		}
	}
	return errors.Join(r.checkLimits(), r.checkCards())
}

// Parts are the names of the parts that the norm has, sorted.
func (r *Rules) Parts() []string {
	parts := slices.Collect(maps.Keys(r.clauses()))
	if r.Charge != nil {
		parts = append(parts, "charge")
	}
	slices.Sort(parts)
	return parts
}

// Games are the games of the norm for which a part holds, sorted.
func (r *Rules) Games(n *rulebook.Norm, part string) []string {
	var games, families []string
	for _, c := range r.clauses()[part] {
		games = slices.AppendSeq(games, maps.Keys(c.Games))
	}
	if part == "charge" && r.Charge != nil {
		families = append(families, r.Charge.Family)
	}
	if part == "permanent" {
		for _, p := range r.Permanent {
			families = append(families, p.Family)
		}
	}
	for code, g := range n.Games {
		if slices.Contains(families, g.Family) {
			games = append(games, code)
		}
	}
	slices.Sort(games)
	return slices.Compact(games)
}

// Lines are all the lines that the rules cite.
func (r *Rules) Lines() []string {
	lines := slices.Collect(maps.Values(r.Change))
	for _, clauses := range r.clauses() {
		for _, c := range clauses {
			lines = slices.AppendSeq(lines, maps.Values(c.Games))
		}
	}
	for _, p := range r.Permanent {
		if p.Family != "" {
			lines = append(lines, p.Lines)
		}
	}
	if r.Charge != nil {
		lines = append(lines, r.Charge.Lines)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// clauses are all clauses by the name of their part.
func (r *Rules) clauses() map[string][]Clause {
	out := map[string][]Clause{}
	add := func(name string, c Clause) { out[name] = append(out[name], c) }
	gather(out, "limit_change", r.LimitChange)
	gather(out, "ratio", r.Ratio)
	gather(out, "minimum", r.Minimum)
	gather(out, "packs", r.Packs)
	gather(out, "talla", r.Talla)
	gather(out, "player_cut", r.PlayerCut)
	gather(out, "last_rounds", r.LastRounds)
	gather(out, "shoe_left", r.ShoeLeft)
	gather(out, "meters", r.Meters)
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

// gather adds the clauses of some rules under the name of their part.
func gather[T interface{ clause() Clause }](out map[string][]Clause, name string, rules []T) {
	for _, x := range rules {
		out[name] = append(out[name], x.clause())
	}
}

func (c Clause) clause() Clause { return c }

// between reports whether a list is empty, or two bounds of at least so much.
func between(list []int64, least int64) bool {
	return len(list) == 0 || len(list) == 2 && least <= list[0] && list[0] <= list[1]
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
		given := 0
		for _, list := range [][]int64{x.Times, x.Band, x.PerCent} {
			given += min(len(list), 1)
		}
		if given != 1 || !between(x.Band, 0) || !between(x.PerCent, 1) {
			return fmt.Errorf("ratio[%d]: want times, a band of two, or per_cent of two", i)
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
	for i, x := range r.Talla {
		if x.Below < 1 {
			return fmt.Errorf("talla[%d]: below: want 1 or more", i)
		}
	}
	for i, x := range r.Meters {
		if x.Share < 0 || x.Share > 10000 || min(x.Start, x.Cents, x.Always, x.Fixed) < 0 {
			return fmt.Errorf("meters[%d]: want share_bp from 0 to 10000, and multiples of 0 or more", i)
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

// of is the first of some rules that holds for a game, with its lines; nil where none does.
func of[T any, P interface {
	*T
	has(game string) (lines string, ok bool)
}](list []T, game string) (P, string) {
	for i := range list {
		if lines, ok := P(&list[i]).has(game); ok {
			return &list[i], lines
		}
	}
	return nil, ""
}
