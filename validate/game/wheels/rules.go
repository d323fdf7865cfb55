// Package wheels judges the games of wheels and dice: the roulettes, boule, the
// wheel of fortune, craps, sic bo, banca francesa, and the drawing of bingo.
//
// What the family has in common is the round as it is being judged and what a game adds
// to it (engine.go), throws and null throws (throws.go), chips laid and taken, their limits
// and those that stay for the next round (stakes.go, late.go), calls (calls.go), money and
// the order of payment (money.go). Each game adds its spots, its settlement and its state in
// files of its own name. What a game pays, limits and prescribes is data of the rulebook.
package wheels

import (
	"errors"
	"fmt"
	"slices"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/round"
)

// Rules are the rules of one game of the family in one norm. Exactly one of
// the games is set.
type Rules struct {
	Articles Articles        `yaml:"articles" json:"articles,omitzero"`
	Calls    map[string]Call `yaml:"calls" json:"calls"` // the calls that the game has
	Null     Null            `yaml:"null_throw" json:"null_throw,omitzero"`
	Order    Order           `yaml:"order" json:"order,omitzero"`
	Late     Late            `yaml:"late" json:"late,omitzero"`
	Options  HouseOptions    `yaml:"options" json:"options,omitzero"`

	Roulette *Roulette `yaml:"roulette" json:"roulette,omitempty"`
	Boule    *Boule    `yaml:"boule" json:"boule,omitempty"`
	Fortuna  *Fortuna  `yaml:"fortuna" json:"fortuna,omitempty"`
	Craps    *Craps    `yaml:"craps" json:"craps,omitempty"`
	SicBo    *SicBo    `yaml:"sic_bo" json:"sic_bo,omitempty"`
	Banca    *Banca    `yaml:"banca_francesa" json:"banca_francesa,omitempty"`
	Bingo    *Bingo    `yaml:"bingo" json:"bingo,omitempty"`
}

// Articles are the sections of the norm, after the game's label, that findings
// of each sort cite. An empty one cites the game as a whole.
type Articles struct {
	Bets     string `yaml:"bets" json:"bets,omitempty"`             // what may be bet and what it pays
	Limits   string `yaml:"limits" json:"limits,omitempty"`         // minima and maxima
	Conduct  string `yaml:"conduct" json:"conduct,omitempty"`       // calls, closing, order of collecting and paying
	Null     string `yaml:"null_throw" json:"null_throw,omitempty"` // null throws
	Zero     string `yaml:"zero" json:"zero,omitempty"`             // simple chances on zero
	Shooting string `yaml:"shooting" json:"shooting,omitempty"`     // the shooter and the change of dice
}

// Call is one call that the game has.
type Call struct {
	By        []string `yaml:"by" json:"by,omitempty"`               // who makes it; empty: anybody
	Mandatory bool     `yaml:"mandatory" json:"mandatory,omitempty"` // its lack is a finding
	Reduced   []string `yaml:"reduced" json:"reduced,omitempty"`     // who also makes it at a reduced craps table
	Words     string   `yaml:"words" json:"words,omitempty"`         // as the norm prints it
}

// Null says what makes a throw null.
type Null struct {
	Incidents []string `yaml:"incidents" json:"incidents,omitempty"`
	Irregular []string `yaml:"irregular" json:"irregular,omitempty"`
	Cycle     bool     `yaml:"cycle" json:"cycle,omitempty"` // the whole cycle is repeated, opening call included
}

// Order is the order of collecting and paying.
type Order struct {
	CollectFirst bool   `yaml:"collect_first" json:"collect_first,omitempty"` // losers are taken before anybody is paid
	First        string `yaml:"first" json:"first,omitempty"`                 // the spot whose losers are taken first
	// "bet": each payment; "seat": a player is paid at once; "amount": ascending
	By    string     `yaml:"by" json:"by,omitempty"`
	Ranks [][]string `yaml:"ranks" json:"ranks,omitempty"` // classes of bets in the order of payment
}

// Late says which chips may still move after the closing call.
type Late struct {
	Accepted  bool `yaml:"accepted" json:"accepted,omitempty"`   // bets accepted aloud by croupier and jefe before it
	Corrected bool `yaml:"corrected" json:"corrected,omitempty"` // the position of chips that lie there
}

// HouseOptions are the options that the norm leaves to the house, with their
// defaults; one that is not set is unknown at this game.
type HouseOptions struct {
	Panos             *int    `yaml:"panos" json:"panos,omitempty"`
	Abreviada         *bool   `yaml:"abreviada" json:"abreviada,omitempty"`
	LastSpin          *bool   `yaml:"last_spin" json:"last_spin,omitempty"`
	PrisonRelease     *string `yaml:"prison_release" json:"prison_release,omitempty"`
	MaxLevel          *int    `yaml:"max_level" json:"max_level,omitempty"`
	MinSimples        *bool   `yaml:"min_simples" json:"min_simples,omitempty"`
	CombinacionesCero *string `yaml:"combinaciones_cero" json:"combinaciones_cero,omitempty"`
	Combinaciones00   *bool   `yaml:"combinaciones_00" json:"combinaciones_00,omitempty"`
	MaxNumero         *Range  `yaml:"max_numero" json:"max_numero,omitempty"`
	MaxSimple         *Range  `yaml:"max_simple" json:"max_simple,omitempty"`
	Juego7            *Choice `yaml:"juego_7_pays" json:"juego_7_pays,omitempty"`
	Place8            *bool   `yaml:"place_8" json:"place_8,omitempty"`
	Reduced           *bool   `yaml:"reduced" json:"reduced,omitempty"`
	PayTable          *bool   `yaml:"pay_table" json:"pay_table,omitempty"`
	Reclose           *bool   `yaml:"reclose_after_null" json:"reclose_after_null,omitempty"`
}

// Range is a number that the house fixes within bounds.
type Range struct {
	Default int `yaml:"default" json:"default"`
	From    int `yaml:"from" json:"from"`
	To      int `yaml:"to" json:"to"`
}

// Choice is a number that the house may choose instead of the printed one.
type Choice struct {
	Of []int `yaml:"of" json:"of"`
}

// Pay is what a bet pays, with its article.
type Pay struct {
	Pays    money.Odds `yaml:"pays" json:"pays"`
	Article string     `yaml:"article" json:"article,omitempty"`
}

// Check implements rulebook.Rules: it prepares the tables that settling reads.
func (r *Rules) Check() error {
	k, err := game.One[section](r)
	if err != nil {
		return err
	}
	for name, c := range r.Calls {
		for _, by := range slices.Concat(c.By, c.Reduced) {
			if !slices.Contains([]string{round.Croupier, round.Jefe, round.Stickman, round.Banquero, round.Player}, by) {
				return fmt.Errorf("calls.%s: unknown speaker %q", name, by)
			}
		}
		if c.Mandatory && len(c.By) == 0 {
			return fmt.Errorf("calls.%s: mandatory, but by names nobody", name)
		}
	}
	if !slices.Contains([]string{"", "bet", "seat", "amount"}, r.Order.By) {
		return fmt.Errorf("order.by: %q: want bet, seat or amount", r.Order.By)
	}
	if on := r.Options.Abreviada; on != nil && (r.Roulette == nil || *on && r.Roulette.Short.Label == "") {
		return errors.New("options.abreviada: only a roulette has it, and true needs roulette.short")
	}
	return k.check()
}

// section is a game's own part of the rules.
type section interface {
	check() error
	play(s settings) play // one round of the game; nil for bingo, which has no bets
}

// settings are the house options of one table, checked and with defaults.
type settings struct {
	panos, maxLevel              int
	abreviada, lastSpin          bool
	reduced, place8, reclose     bool
	combinaciones00              bool
	prisonRelease, combosZero    string
	minSimples                   money.Cents // 0: the table minimum
	maxNumero, maxSimple, juego7 int
	payTable                     payTable
	minConf                      float64
}

// reader reads options into their places and notes which the game knows.
type reader struct {
	*round.OptionReader
	names []string
}

func (r *reader) bool(name string, standard *bool, p *bool) {
	if standard != nil {
		r.names = append(r.names, name)
		*p = r.Bool(name, *standard)
	}
}

func (r *reader) int(name string, standard, low, high int, p *int) {
	r.names = append(r.names, name)
	*p = r.Int(name, standard, low, high)
}

func (r *reader) word(name string, standard *string, p *string, allowed ...string) {
	if standard != nil {
		r.names = append(r.names, name)
		*p = r.Word(name, *standard, allowed...)
	}
}

// settingsOf reads the table's options; one that the game does not have, or
// with a value that it does not allow, makes the record malformed.
func settingsOf(rules *Rules, t *round.Table) (settings, error) {
	h := &rules.Options
	var s settings
	r := &reader{t.Options.Reader(), []string{"min_conf"}}
	s.minConf = r.Float("min_conf", 0.5, 0, 1)
	if h.Panos != nil {
		r.int("panos", *h.Panos, 1, 2, &s.panos)
	}
	if h.MaxLevel != nil {
		r.int("max_level", *h.MaxLevel, 1, 3, &s.maxLevel)
	}
	r.bool("abreviada", h.Abreviada, &s.abreviada)
	r.bool("last_spin", h.LastSpin, &s.lastSpin)
	r.bool("combinaciones_00", h.Combinaciones00, &s.combinaciones00)
	r.bool("place_8", h.Place8, &s.place8)
	r.bool("reduced", h.Reduced, &s.reduced)
	r.bool("reclose_after_null", h.Reclose, &s.reclose)
	r.word("prison_release", h.PrisonRelease, &s.prisonRelease, "k-1", "k")
	r.word("combinaciones_cero", h.CombinacionesCero, &s.combosZero, "ninguna", "caballos", "todas")
	if h.MaxNumero != nil {
		r.int("max_numero", h.MaxNumero.Default, h.MaxNumero.From, h.MaxNumero.To, &s.maxNumero)
	}
	if h.MaxSimple != nil {
		r.int("max_simple", h.MaxSimple.Default, h.MaxSimple.From, h.MaxSimple.To, &s.maxSimple)
	}
	if h.Juego7 != nil {
		r.names = append(r.names, "juego_7_pays")
		if _, chosen := t.Options["juego_7_pays"]; chosen {
			s.juego7 = r.OneInt("juego_7_pays", 0, h.Juego7.Of...)
		}
	}
	r.minSimples(h, t, &s)
	if h.PayTable != nil {
		r.names = append(r.names, "pay_table")
		var err error
		s.payTable, err = readPayTable(r.OptionReader)
		r.Keep(err)
	}
	if s.abreviada && rules.Roulette.Short.Label == "" {
		r.Keep(round.Malformed("table.options.abreviada", "leave it out", "this norm has no abreviada"))
	}
	r.Keep(t.Options.Known(r.names...))
	return s, r.Err()
}

// minSimples is at most five times the table minimum where that is known.
func (r *reader) minSimples(h *HouseOptions, t *round.Table, s *settings) {
	if h.MinSimples == nil {
		return
	}
	r.names = append(r.names, "min_simples")
	v := r.Cents("min_simples", 0)
	if t.Min > 0 && v > 5*t.Min {
		r.Keep(round.Malformed("table.options.min_simples", "the norm allows five times the table minimum",
			"%d is more than 5 × %d", v, t.Min))
	}
	s.minSimples = v
}
