package ringpoker

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"vision/internal/money"
	"vision/validate/game"
	"vision/validate/game/hands"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// Family is the name by which rulebooks refer to this engine: circle poker in the contract.
const Family = "circle"

// Engine judges the games of the family.
type Engine struct{}

// Rules implements game.Engine.
func (Engine) Rules() rulebook.Rules { return &Rules{} }

// Check implements game.Engine.
func (Engine) Check(in game.Input) (round.Verdict, error) {
	r := in.Game.Rules.(*Rules)
	o, err := readOptions(r, &in.Rec.Table)
	if err != nil {
		return round.Verdict{}, err
	}
	carry, err := readCarry(in.Rec)
	if err != nil {
		return round.Verdict{}, err
	}
	said := game.CallWords{"hand": append(hands.Names(), bajo)}
	if err := cmp.Or(checkWords(r, in.Rec), said.Calls(in.Rec), incidentWords(r, o).Incidents(in.Rec)); err != nil {
		return round.Verdict{}, err
	}
	rank, err := ranking(o.Lowest, o.ColorFull, o.Figuras)
	if err != nil {
		return round.Verdict{}, err
	}
	h := newHand(in, r, o, carry, rank)
	h.follow()
	if h.spoke < h.showAt { // what was said later did not count, and opens no interval again
		showAt := h.spoke
		h = newHand(in, r, o, carry, rank)
		h.showAt = showAt
		h.follow()
	}
	h.after()
	return h.verdict(), nil
}

// follow goes through the events, as far as a misdeal that is called.
func (h *hand) follow() {
	h.before()
	for i := range h.ev {
		if h.misdeal >= 0 {
			return
		}
		h.event(i, &h.ev[i])
	}
}

// The spots of the family.
const (
	spotAnte  = "ante"
	spotSmall = "ciega_pequena"
	spotBig   = "ciega_grande"
	spotBote  = "bote"
)

var spots = []string{spotAnte, spotSmall, spotBig, spotBote}

var calls = []string{"no_va", "hagan_sus_apuestas", "ultima_carta", "descarte", "gana", "misdeal", "carta_comun"}

var actions = []string{"check", "bet", "call", "raise", "fold", "draw", "stand", "play", "sit_out"}

// bajo is the name of the hand that takes the low half of a pot.
const bajo = "bajo"

// checkWords refuses spots, calls, actions and zones that the family does not have.
func checkWords(r *Rules, rec *round.Record) error {
	zones := append([]string{"seat:1"}, r.zones()...)
	for i := range rec.Events {
		e := &rec.Events[i]
		if err := checkCall(i, e); err != nil {
			return err
		}
		for _, w := range []struct {
			field, value string
			known        []string
		}{{"spot", e.Spot, spots}, {"from", e.From, spots}, {"to", e.To, spots}, {"zone", e.Zone, zones}} {
			if w.value == "" || w.field == "zone" && (game.SeatOf(w.value) > 0 || e.Type == round.Incident) {
				continue // the zones of incidents are checked with their other arguments
			}
			if err := game.Word(i, w.field, w.value, w.known); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkCall refuses calls and decisions that the family does not have, and a
// number of cards that is none.
func checkCall(i int, e *round.Event) error {
	switch e.Type {
	case round.Announce:
		if e.Call == "descarte" {
			return game.Counted(i, e)
		}
		return game.Word(i, "call", e.Call, calls)
	case round.Action:
		return game.Word(i, "action", e.Action, actions)
	}
	return nil
}

// zones are the zones of the game besides those of the seats.
func (r *Rules) zones() []string {
	z := []string{"discard", "bote", "pot"}
	switch {
	case r.Board != nil && r.Board.Lines == 2:
		z = append(z, "board1", "board2")
	case r.Board != nil || r.seven():
		z = append(z, "board")
	case r.Draw:
		z = append(z, "opener_discard")
	}
	return z
}

// event follows one event.
func (h *hand) event(i int, e *round.Event) {
	h.foldSaid(i, e)
	switch e.Type {
	case round.Bet:
		h.bet(i, e)
	case round.Withdraw:
		h.withdraw(i, e)
	case round.Action:
		h.action(i, e)
	case round.CardDealt:
		h.card(i, e)
	case round.Reveal:
		h.reveal(i, e)
	case round.Burn:
		h.burn(i, e)
	case round.Announce:
		h.announce(i, e)
	case round.Incident:
		h.incident(i, e)
	case round.Pay, round.Return:
		if p := h.players[e.Seat]; p != nil {
			p.paid = true
		}
	}
}

// The ways of limiting bets.
const (
	noLimit      = "none"
	fixedLimit   = "fixed"
	potLimit     = "pot"
	splitLimit   = "split_limit"
	boteLimitado = "bote_limitado"
)

var limitModes = []string{noLimit, fixedLimit, potLimit, splitLimit, boteLimitado}

// options are what the house decides for a hand (section 2 of the family).
type options struct {
	Marca        int
	Players      []int // sorted
	Stacks       map[int]money.Cents
	Limit        string
	High         money.Cents
	Forced       string
	Ante         money.Cents
	AfterBlinds  bool
	Rake         rakeOption
	Chip         money.Cents
	Proportional bool
	Lowest       int // rank of the pack
	ColorFull    bool
	Figuras      bool
	HighestSuit  bool
	FirstCommon  bool
	TwoPlusThree bool
	OpenerFolded string
	CCW          bool
}

type rakeOption struct {
	Mode string      `json:"mode"`
	Rate int64       `json:"rate_bp"`
	Cap  money.Cents `json:"cap"` // 0: none
	Unit money.Cents `json:"unit"`
	Fee  money.Cents `json:"fee"`
	Base money.Cents `json:"base"`
}

// carried is what the previous hand left.
type carried struct {
	Marca int         `json:"marca"`
	Bote  money.Cents `json:"bote"`
	Blank int         `json:"blank_hands"`
}

// reader reads the options of the family beside the plain ones.
type reader struct{ *round.OptionReader }

var optionNames = []string{"marca", "players", "stacks", "limit", "high", "forced", "ante", "first_round", "rake", "chip", "split",
	"deck", "color_over_full", "figuras", "low_tie", "first_common", "holdem_two_plus_three", "opener_folded", "direction"}

func readOptions(r *Rules, t *round.Table) (*options, error) {
	in := reader{t.Options.Only(optionNames...)}
	ante := t.Min / 2
	if r.AnteMin {
		ante = t.Min
	}
	o := &options{
		Limit: in.Word("limit", r.Limits.Modes[0], r.Limits.Modes...), High: in.Cents("high", 2*t.Min),
		Forced: in.Word("forced", r.Forced[0], r.Forced...), Ante: in.Cents("ante", ante),
		AfterBlinds: in.Word("first_round", "mano", "mano", "after_blinds") == "after_blinds",
		Chip:        in.Cents("chip", 1), Proportional: in.Word("split", "equal", "equal", "proportional") == "proportional",
		HighestSuit: in.Word("low_tie", "lowest_suit", "lowest_suit", "highest_suit") == "highest_suit",
		FirstCommon: in.Bool("first_common", false), TwoPlusThree: in.Bool("holdem_two_plus_three", false),
		OpenerFolded: in.Word("opener_folded", r.First.Folded, "right", "left"),
		CCW:          in.Word("direction", r.Direction, "cw", "ccw") == "ccw",
		Lowest:       in.pack(r.Packs),
	}
	o.ColorFull = in.Bool("color_over_full", o.Lowest > 2)
	o.Figuras = in.Bool("figuras", r.Figuras) && r.Draw
	in.stacks(o)
	in.rake(o, r)
	if o.Chip < 1 {
		in.Keep(round.Malformed("table.options.chip", "write the value of the smallest chip", "is 0"))
	}
	in.players(o)
	return o, in.Err()
}

// pack is the lowest rank of the pack in use.
func (r reader) pack(packs []int) int {
	var sizes []int
	for _, lowest := range packs {
		sizes = append(sizes, 4*(15-lowest))
	}
	return 15 - r.OneInt("deck", sizes[0], sizes...)/4
}

// players reads who plays. What is missing is said last: each hand brings it, and the options
// of a table are checked without a hand.
func (r reader) players(o *options) {
	o.Marca = r.Int("marca", 0, 1, 9999)
	if r.Decode("players", &o.Players) {
		r.seats(o.Players)
	}
	for _, name := range []string{"marca", "players"} {
		if !r.Has(name) {
			r.Keep(round.Malformed("table.options."+name, "circle poker needs it", "missing"))
			return
		}
	}
	if !slices.Contains(o.Players, o.Marca) {
		r.badPlayers("the marca's seat %d is missing", o.Marca)
	}
}

func (r reader) badPlayers(format string, args ...any) {
	r.Keep(round.Malformed("table.options.players", "list the seats of this hand, each once, the marca's among them", format, args...))
}

// seats sorts the seats that play, two or more, each once.
func (r reader) seats(players []int) {
	slices.Sort(players)
	for i, s := range players {
		if s < 1 || s > 9999 {
			r.badPlayers("%d is no seat", s)
		}
		if i > 0 && s == players[i-1] {
			r.badPlayers("%d stands twice", s)
		}
	}
	if len(players) < 2 {
		r.badPlayers("%d players", len(players))
	}
}

func (r reader) stacks(o *options) {
	var raw map[string]money.Cents
	r.Decode("stacks", &raw)
	o.Stacks = map[int]money.Cents{}
	for name, amount := range raw {
		seat, err := strconv.Atoi(name)
		if err != nil || seat < 1 || amount < 0 || amount > round.MaxAmount {
			r.Keep(round.Malformed("table.options.stacks", "write {\"seat\": cents}", "%q: %d", name, amount))
		}
		o.Stacks[seat] = amount
	}
}

func (r reader) rake(o *options, rules *Rules) {
	o.Rake = rakeOption{Mode: "none", Unit: 1}
	var raw json.RawMessage
	if !r.Decode("rake", &raw) {
		return
	}
	r.Keep(round.Strict(raw, "table.options.rake", &o.Rake))
	k := &o.Rake
	bad := func(name, format string, args ...any) {
		r.Keep(round.Malformed("table.options.rake."+name, "see the rake of circle poker", format, args...))
	}
	switch {
	case k.Mode != "none" && !slices.Contains(rules.Rake.Modes, k.Mode):
		bad("mode", "%q is not offered: there are none %s", k.Mode, fmt.Sprint(rules.Rake.Modes))
	case k.Mode == "percent" && !bytesHave(raw, "rate_bp"):
		bad("rate_bp", "missing; a percentage needs it")
	case k.Mode == "session" && !(bytesHave(raw, "fee") && bytesHave(raw, "base")):
		bad("fee", "missing, or its base; a charge per session needs both")
	case k.Rate < 0 || k.Rate > 10000:
		bad("rate_bp", "%d is no rate", k.Rate)
	case k.Unit < 1:
		bad("unit", "%d is no unit", k.Unit)
	case k.Cap < 0 || k.Fee < 0 || k.Base < 0 || max(k.Cap, k.Unit, k.Fee, k.Base) > round.MaxAmount:
		bad("cap", "want amounts of 0 or more")
	}
	if bytesHave(raw, "cap") && k.Cap == 0 {
		k.Cap = -1 // a cap of nothing
	}
}

func bytesHave(raw json.RawMessage, key string) bool {
	var o map[string]json.RawMessage
	return json.Unmarshal(raw, &o) == nil && o[key] != nil && string(o[key]) != "null"
}

func readCarry(rec *round.Record) (carried, error) {
	var c carried
	if err := rec.ReadCarry(&c); err != nil {
		return c, err
	}
	if c.Marca < 0 || c.Bote < 0 || c.Bote > round.MaxAmount || c.Blank < 0 || c.Blank > 1e6 {
		return c, round.Malformed("carry", "write the previous verdict's next", "an amount or number is out of range")
	}
	return c, nil
}
