// Package script plays the simulator's games: round after round by the rules of
// cantabria-2010, or of the norm that has the game (see NormOf), with several players,
// on a seed. A round is a list of acts in time (a card is put, chips are laid or
// lifted, dice roll, something is called) with the truth beside it: the round record
// and the findings that the faults in it must raise.
//
// It settles by code of its own, written from the norms' texts and cited by their
// articles (hands of poker in the package poker), and knows nothing of the rules
// engine but the words of the record, so that each can be checked against the other:
// internal/lab/trial/truth does.
package script

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"vision/calibration"
	"vision/internal/card"
	"vision/internal/fact"
	"vision/internal/lab/sim/condition"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
)

// Who moves: a player's seat, or one of the house.
type Who int

// Those who are not players.
const (
	Nobody   Who = 0
	Croupier Who = -1
)

// Placed is a card on the table.
type Placed struct {
	Tag    int
	Zone   string
	Slot   int
	Card   card.Card
	Down   bool
	Across bool // turned by a quarter, as the third card of punto y banca
}

// Pile is chips standing on one another, from the felt upwards.
type Pile struct {
	Tag   int
	Zone  string
	Slot  int
	Chips []string
	// Plaques is set if these are plaques, which take some slots from Slot on.
	Plaques bool
}

// Alike is n chips of one kind.
func Alike(chip string, n int) []string { return slices.Repeat([]string{chip}, n) }

// Act is one thing that happens. At is when it takes effect, in seconds from the
// start of the round: the hand that does it has set out before.
type Act struct {
	At     float64
	Who    Who
	Cards  []Placed
	Piles  []Pile
	Lift   []int // tags of cards, piles and dice that leave the table
	Dice   []int // faces of dice that come to rest; their tags follow from DiceTag
	Tag    int   // of the first die
	Sensed []fact.Sensed
	// Irregular says how the last of the dice lies if not as it should: drawn
	// tables know "cocked", "stacked" and "not_thrown_together".
	Irregular string
}

// Finding is one finding that the rules must raise, as far as the script knows
// it: zero fields are not claimed.
type Finding struct {
	Code     finding.Code `json:"code"`
	Seat     int          `json:"seat,omitempty"`
	Spot     string       `json:"spot,omitempty"`
	Zone     string       `json:"zone,omitempty"`
	Expected any          `json:"expected,omitempty"`
	Observed any          `json:"observed,omitempty"`
}

// Truth is what a faultless observer would have written down.
type Truth struct {
	Record   round.Record `json:"record"`
	Findings []Finding    `json:"findings"`
	Fault    Fault        `json:"fault,omitempty"` // "" for a clean round
	Mishap   Mishap       `json:"mishap,omitempty"`
}

// Round is one round to be shown.
type Round struct {
	Acts   []Act // in time order
	Length float64
	Truth  Truth
}

// Config of a script.
type Config struct {
	Game    string
	Table   string // id of the table
	Seed    uint64
	Seats   int
	Palette []calibration.Chip
	Min     money.Cents
	Max     money.Cents
	// Speed shortens the pauses; 1 is the pace of a real table, 0 means 1.
	Speed float64
	// Pace is in which time things happen; the zero one is even.
	Pace condition.Pace
	// Faults is the share of rounds with a fault, 0 to 1.
	Faults float64
	// Only restricts the faults; nil allows all that the game knows.
	Only []Fault
	// Plant is committed in the first round after the first that gives occasion, besides
	// the share of Faults; "": nothing is.
	Plant Fault
	// Mishaps is the share of clean rounds to which one of Mishap comes, 0 to 1; nil
	// allows all.
	Mishaps float64
	Mishap  []Mishap
	// Stakes are so many times as high as usual where a game's script knows how
	// (blackjack, punto_banco); 0 means 1.
	Stakes money.Cents
	// Mixed is the share of bets in money chips that are laid as one stack,
	// whatever their kinds, 0 to 1. The others have a stack for each kind.
	Mixed float64
	// Blank lets nobody open some hands of póquer cubierto, so that their pot stays for
	// the next (manos en blanco).
	Blank bool
}

// Game plays rounds one after the other.
type Game struct {
	cfg   Config
	rng   *rand.Rand
	tempo *tempo // nil: even
	play  func(*table)
	shoe  pack
	lying map[string]*spot // chips that stay on the cloth between rounds
	tag   int
	count int
	said  int

	planted bool // what Config.Plant asks for was committed
	craps   crapsState
	lain    []int // tags of dice that stay in their shaker
	beds    map[int]bed

	circle     circle
	lastBanker int
	carry      json.RawMessage // what the last round left to this one, where the rules say so
}

// kind is one game that can be played: each file lists its own.
type kind struct {
	play   func(*table)
	faults []Fault
	norm   string         // by which it is played; "" is Norm
	house  map[string]any // the house options that the norm leaves open
}

// games are the games that can be played.
var games = merge(casinoGames, spinGames, deskGames, circleGames, monteGames, bankedKinds(), circuloKinds())

func merge(families ...map[string]kind) map[string]kind {
	all := map[string]kind{}
	for _, f := range families {
		maps.Copy(all, f)
	}
	return all
}

var casinoGames = map[string]kind{
	"blackjack":   {play: playBlackjack, faults: blackjackFaults},
	"punto_banco": {play: playPunto, faults: puntoFaults, house: map[string]any{"mesa": "mini"}},
	"dados_craps": {play: playCraps, faults: crapsFaults},
}

// Games lists the games that can be played.
func Games() []string { return slices.Sorted(maps.Keys(games)) }

// Norm is the norm by which games are played that exist in it.
const Norm = "cantabria-2010"

// NormOf is the norm by which a game is played.
func NormOf(game string) string { return cmp.Or(games[game].norm, Norm) }

// House are the house options of a game's table that the norm leaves open.
func House(game string) map[string]any { return maps.Clone(games[game].house) }

// New makes the script of one table.
func New(cfg Config) (*Game, error) {
	g, ok := games[cfg.Game]
	if !ok {
		return nil, fmt.Errorf("simulated game %q: want one of %q", cfg.Game, Games())
	}
	if cfg.Speed <= 0 {
		cfg.Speed = 1
	}
	cfg.Stakes = max(cfg.Stakes, 1)
	if err := knownFaults(cfg.Only); err != nil {
		return nil, err
	}
	if cfg.Plant != "" {
		if err := knownFaults([]Fault{cfg.Plant}); err != nil {
			return nil, err
		}
	}
	if cfg.Only == nil {
		cfg.Only = g.faults
	}
	if err := knownMishaps(cfg.Mishap); err != nil {
		return nil, err
	}
	if cfg.Mishap == nil {
		cfg.Mishap = Mishaps()
	}
	return &Game{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 0x9e3779b97f4a7c15)), tempo: newTempo(cfg.Pace, cfg.Seed),
		play: g.play, lying: map[string]*spot{}, beds: map[int]bed{}}, nil
}

// FaultsOf are the faults that a game knows; nil for an unknown game.
func FaultsOf(game string) []Fault { return games[game].faults }

// Next plays one round.
func (g *Game) Next() Round {
	g.count++
	t := &table{Game: g, spots: g.lying, hands: map[string][]Placed{}}
	g.lying = map[string]*spot{}
	if len(g.cfg.Only) > 0 && g.rng.Float64() < g.cfg.Faults {
		t.fault = g.cfg.Only[g.rng.IntN(len(g.cfg.Only))]
	}
	if g.cfg.Plant != "" && !g.planted && g.count > 1 {
		t.fault = g.cfg.Plant
	}
	t.rec = round.Record{
		Schema: round.Schema,
		ID:     fmt.Sprintf("%s-%06d", g.cfg.Table, g.count),
		Norm:   NormOf(g.cfg.Game),
		Game:   g.cfg.Game,
		Table:  round.Table{ID: g.cfg.Table, Min: g.cfg.Min, Max: g.cfg.Max, Options: options(games[g.cfg.Game].house)},
	}
	t.tidyUp()
	g.play(t)
	out := Round{Acts: t.acts, Length: t.now + t.pause(1.5), Truth: Truth{Record: t.rec, Findings: t.findings}}
	if len(t.findings) > 0 {
		out.Truth.Fault = t.fault
		g.planted = g.planted || t.fault == g.cfg.Plant
	}
	g.overlap(&out)
	g.mishap(&out)
	return out
}

// options are house options as the record has them; nil for none.
func options(house map[string]any) round.Options {
	if len(house) == 0 {
		return nil
	}
	o := round.Options{}
	for name, v := range house {
		o[name] = asJSON(v)
	}
	return o
}

// asJSON is one of the script's own plain values as JSON.
func asJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// pack is cards that are dealt from, the next of them last.
type pack []card.Card

// packOf is the cards from first to last, in their order.
func packOf(first, last card.Card) (p pack) {
	for c := first; c <= last; c++ {
		p = append(p, c)
	}
	return p
}

func (p pack) shuffle(rng *rand.Rand) {
	rng.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
}

func (p *pack) draw() card.Card {
	c := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return c
}

// deal takes a card from a shoe of six packs, filled again when it runs low.
func (g *Game) deal() card.Card {
	if len(g.shoe) == 0 {
		g.shoe = slices.Repeat(packOf(1, 52), 6)
		g.shoe.shuffle(g.rng)
	}
	return g.shoe.draw()
}

// reshuffle fills the shoe again between rounds, before it runs out in one.
func (g *Game) reshuffle() {
	if len(g.shoe) < 60 {
		g.shoe = g.shoe[:0]
	}
}
