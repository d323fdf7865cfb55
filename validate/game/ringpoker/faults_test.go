package ringpoker_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/cited"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/game/ringpoker"
	"vision/validate/round"
)

// fault is a mistake that the articles of a topic forbid. It is made in a hand
// that is right in all else, at every place where it can be made.
type fault struct {
	topic, name string
	codes       []finding.Code // one of them is what the mistake is called
	make        func(h hand) []*round.Record
}

// hand is a whole hand played by the rules.
type hand struct{ *round.Record }

// edit is the hand with other events.
func (h hand) edit(events []round.Event) *round.Record {
	c := *h.Record
	c.Events = events
	for i := range c.Events {
		c.Events[i].T = float64(i)
	}
	return &c
}

// each changes every event that is of a sort, one at a time.
func (h hand) each(is func(*round.Event) bool, change func(*round.Event)) (out []*round.Record) {
	for i := range h.Events {
		if is(&h.Events[i]) {
			ev := slices.Clone(h.Events)
			change(&ev[i])
			out = append(out, h.edit(ev))
		}
	}
	return out
}

// without leaves out every event that is of a sort, one at a time.
func (h hand) without(is func(*round.Event) bool) (out []*round.Record) {
	for i := range h.Events {
		if is(&h.Events[i]) {
			out = append(out, h.edit(slices.Delete(slices.Clone(h.Events), i, i+1)))
		}
	}
	return out
}

// after adds an event behind every event that is of a sort, one at a time.
func (h hand) after(is func(*round.Event) bool, more func(round.Event) round.Event) (out []*round.Record) {
	for i := range h.Events {
		if is(&h.Events[i]) {
			out = append(out, h.edit(slices.Insert(slices.Clone(h.Events), i+1, more(h.Events[i]))))
		}
	}
	return out
}

// exchanged exchanges every two neighbours of a sort.
func (h hand) exchanged(is func(*round.Event) bool) (out []*round.Record) {
	before := -1
	for i := range h.Events {
		if !is(&h.Events[i]) {
			continue
		}
		if before >= 0 {
			ev := slices.Clone(h.Events)
			ev[before], ev[i] = ev[i], ev[before]
			out = append(out, h.edit(ev))
		}
		before = i
	}
	return out
}

// with is the hand with what it inherits, or with a house option.
func (h hand) with(carry, option, value string) *round.Record {
	c := *h.Record
	if carry != "" {
		c.Carry = json.RawMessage(carry)
	}
	if option != "" {
		c.Table.Options = round.Options{}
		for k, v := range h.Table.Options {
			c.Table.Options[k] = v
		}
		c.Table.Options[option] = json.RawMessage(value)
	}
	return &c
}

func of(kind round.Type) func(*round.Event) bool {
	return func(e *round.Event) bool { return e.Type == kind }
}

func onPot(e *round.Event) bool { return e.Type == round.Bet && e.Spot == "bote" }

func compulsory(e *round.Event) bool { return e.Type == round.Bet && e.Spot != "bote" }

func decision(e *round.Event) bool { return onPot(e) || e.Type == round.Action }

func toSeat(e *round.Event) bool {
	return e.Type == round.CardDealt && strings.HasPrefix(e.Zone, "seat:")
}

func saying(calls ...string) func(*round.Event) bool {
	return func(e *round.Event) bool { return e.Type == round.Announce && slices.Contains(calls, e.Call) }
}

func flip(e *round.Event) { e.Face = map[string]string{"up": "down", "down": "up"}[e.Face] }

func incident(kind string) func(round.Event) round.Event {
	return func(round.Event) round.Event {
		return round.Event{Type: round.Incident, Kind: kind, Zone: "seat:1", By: round.Player}
	}
}

// annulled are hands with what annuls them, paid all the same.
func annulled(h hand) []*round.Record {
	out := h.after(of(round.CardDealt), incident("foreign_back"))[:1]
	out = append(out, h.after(of(round.CardDealt), incident("wrong_card_seen"))[0])
	ev := slices.Clone(h.Events)
	for k, n := 0, 0; n < 2; k++ {
		if toSeat(&ev[k]) && ev[k].Face == "down" {
			ev[k].Face = "up"
			n++
		}
	}
	out = append(out, h.edit(ev))
	return append(out, h.exchanged(toSeat)...)
}

var faults = []fault{
	{"players", "eleven players", []finding.Code{finding.OtherProcedure}, func(h hand) []*round.Record {
		return []*round.Record{h.with("", "players", "[1,2,3,4,5,6,7,8,9,10,11]")}
	}},
	{"marca", "the disc not where it belongs", []finding.Code{finding.OtherProcedure}, func(h hand) []*round.Record {
		return []*round.Record{h.with(`{"marca":2}`, "", "")}
	}},
	{"deal", "a card the wrong way up", []finding.Code{finding.FaceWrong}, func(h hand) []*round.Record { return h.each(of(round.CardDealt), flip) }},
	{"burn", "two burnt, or one where none is", []finding.Code{finding.BurnWrong}, func(h hand) []*round.Record {
		return append(h.each(of(round.Burn), func(e *round.Event) { e.Count++ }),
			h.after(decision, func(round.Event) round.Event { return round.Event{Type: round.Burn, Count: 1} })...)
	}},
	{"turn", "spoken out of turn", []finding.Code{finding.PlayerActionNotAllowed}, func(h hand) []*round.Record { return h.exchanged(decision) }},
	{"cascade", "chips on top of a bet made", []finding.Code{finding.PlayerActionNotAllowed}, func(h hand) []*round.Record {
		return h.after(onPot, func(e round.Event) round.Event { return e })
	}},
	{"sizes", "a bet below the minimum, or above the pot", []finding.Code{finding.BetBelowMin, finding.BetAboveMax}, func(h hand) []*round.Record {
		pot := hand{h.with("", "limit", `"pot"`)}
		return append(h.each(onPot, func(e *round.Event) { e.Amount = 1 }),
			pot.each(onPot, func(e *round.Event) { e.Amount *= 50 })...)
	}},
	{"raise", "raised by one", []finding.Code{finding.RaiseWrong}, func(h hand) []*round.Record {
		return h.each(onPot, func(e *round.Event) { e.Amount++ })
	}},
	{"forced", "an ante or blind too low", []finding.Code{finding.BetBelowMin}, func(h hand) []*round.Record {
		return h.each(compulsory, func(e *round.Event) { e.Amount-- })
	}},
	{"fold", "gone without a word of the croupier's", []finding.Code{finding.AnnouncementMissing}, func(h hand) []*round.Record {
		return h.each(decision, func(e *round.Event) { *e = round.Event{Type: round.Action, Seat: e.Seat, Action: "fold"} })
	}},
	{"calls", "a call left out", []finding.Code{finding.AnnouncementMissing}, func(h hand) []*round.Record {
		return h.without(saying("hagan_sus_apuestas", "ultima_carta", "descarte"))
	}},
	{"cards", "a card twice", []finding.Code{finding.DuplicateCard}, func(h hand) []*round.Record {
		return h.each(of(round.Reveal), func(e *round.Event) {
			e.Cards = slices.Clone(e.Cards)
			e.Cards[0] = e.Cards[1]
		})
	}},
	{"misdeal", "an annulled hand paid", []finding.Code{finding.VoidRoundSettled}, annulled},
	{"early", "dealt before all have spoken", []finding.Code{finding.DealtBeforeClose, finding.IrregularityIgnored}, func(h hand) []*round.Record {
		return append(h.without(decision), h.exchanged(func(e *round.Event) bool {
			return decision(e) || e.Type == round.CardDealt && e.Zone == "board"
		})...)
	}},
	{"errors", "chips taken back", []finding.Code{finding.LateWithdrawal}, func(h hand) []*round.Record {
		return h.after(onPot, func(e round.Event) round.Event {
			return round.Event{Type: round.Withdraw, Seat: e.Seat, Spot: e.Spot, Amount: 1}
		})
	}},
	{"chips", "chips brought to the table", []finding.Code{finding.OtherProcedure}, func(h hand) []*round.Record { return h.after(decision, incident("chips_added")) }},
	{"show", "shown before him who has to", []finding.Code{finding.OtherProcedure}, func(h hand) []*round.Record { return h.exchanged(of(round.Reveal)) }},
	{"winner", "the winner not named", []finding.Code{finding.AnnouncementMissing}, func(h hand) []*round.Record { return h.without(saying("gana")) }},
	{"settle", "one too much", []finding.Code{finding.PayoutOver}, func(h hand) []*round.Record {
		return h.each(of(round.Pay), func(e *round.Event) { e.Amount++ })
	}},
	{"return", "given back to him who lost", []finding.Code{finding.ReturnWrong, finding.PayoutToLoser}, func(h hand) []*round.Record {
		return h.each(onPot, func(e *round.Event) { e.Amount += 5000 })
	}},
	{"rake", "one too much, or where none is", []finding.Code{finding.CommissionWrong}, func(h hand) []*round.Record {
		return append(h.each(of(round.Commission), func(e *round.Event) { e.Amount++ }),
			h.after(of(round.Pay), func(round.Event) round.Event {
				return round.Event{Type: round.Commission, Zone: "pot", Amount: 1}
			})...)
	}},
	{"draw", "nobody says what he draws", []finding.Code{finding.AnnouncementMissing, finding.DealOrderWrong}, func(h hand) []*round.Record {
		return h.without(func(e *round.Event) bool {
			return e.Type == round.Action && (e.Action == "stand" || e.Action == "draw")
		})
	}},
	{"stud", "a hole card up, and the third too", []finding.Code{finding.IrregularityIgnored}, func(h hand) []*round.Record { return h.each(toSeat, flip) }},
	{"seventh", "the seventh card up, and no answer", []finding.Code{finding.IrregularityIgnored}, func(h hand) []*round.Record { return h.each(toSeat, flip) }},
}

// TestFaultsByArticle: in every game of every norm, each article is broken by a
// mistake in a topic that it is cited for, and the mistake is found under it.
func TestFaultsByArticle(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		_, g, err := books.Shipped(t).Game(norm, game)
		if err != nil {
			t.Fatal(err)
		}
		clean := hand{playHand(t, norm, game)}
		broken := map[string]bool{}
		for _, f := range faults {
			if article, has := g.Rules.(*ringpoker.Rules).Articles[f.topic]; has {
				rule := norm + " " + article
				broken[rule] = found(t, clean, f, rule) || broken[rule]
			}
		}
		for rule, yes := range broken {
			if !yes {
				t.Errorf("no mistake is found under %s", rule)
			}
		}
	})
}

// found makes a mistake in every place until it is found under its article, and
// notes that it was.
func found(t *testing.T, h hand, f fault, rule string) bool {
	for _, rec := range f.make(h) {
		v, err := validate.Check(books.Shipped(t), rec)
		if err != nil {
			continue
		}
		for _, x := range v.Findings {
			if x.Rule == rule && slices.Contains(f.codes, x.Code) {
				v.Findings, v.Settlement = []round.Finding{x}, nil
				cited.Judged(t, v)
				return true
			}
		}
	}
	return false
}
