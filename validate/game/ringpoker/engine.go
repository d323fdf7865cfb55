package ringpoker

import (
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
	if err := checkWords(r, in.Rec); err != nil {
		return round.Verdict{}, err
	}
	if err := (game.CallWords{"hand": append(hands.Names(), bajo)}).Calls(in.Rec); err != nil {
		return round.Verdict{}, err
	}
	if err := incidentWords(r, o).Incidents(in.Rec); err != nil {
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
