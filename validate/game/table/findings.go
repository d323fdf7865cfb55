package table

import (
	"strings"

	"vision/validate/finding"
	"vision/validate/game"
	"vision/validate/round"
)

// topics are the topics of the articles that codes cite; a code that is not named cites
// the article of its spot.
var topics = map[finding.Code]string{
	finding.LateBet: "conduct", finding.LateWithdrawal: "conduct", finding.DealtBeforeClose: "conduct",
	finding.AnnouncementWrong: "calls", finding.AnnouncementMissing: "calls", finding.AnnouncementOrder: "calls",
	finding.DealOrderWrong: "deal", finding.FaceWrong: "deal", finding.CardCountWrong: "deal",
	finding.DrewMustStand: "draw", finding.StoodMustDraw: "draw", finding.PlayerActionNotAllowed: "draw",
	finding.BurnWrong: "shoe", finding.ContinuedAfterCutCard: "shoe",
	finding.IrregularityIgnored: "irregular", finding.BetBelowMin: "limits", finding.BetAboveMax: "limits",
	finding.PayoutOrderWrong: "order", finding.PaidBeforeCollect: "order",
}

// Cite is the citation of a topic: the game as a whole where the rulebook has
// no section for it.
func (t *Table) Cite(topic string) string {
	if a := t.rules.Articles[topic]; a != "" {
		return t.in.Rule("." + a)
	}
	return t.in.Rule("")
}

// cite is the article of a finding by its code or spot.
func (t *Table) cite(f *round.Finding) string {
	topic := topics[f.Code]
	if topic == "" {
		topic = spotTopic(f.Spot)
	}
	return t.Cite(topic)
}

// ZoneAt raises a code about a zone.
func (t *Table) ZoneAt(event int, code finding.Code, zone string) {
	t.Add(round.Finding{Code: code, Event: event, Zone: zone})
}

// Count raises a number of cards.
func (t *Table) Count(event int, zone string, expected, observed int) {
	t.Add(round.Finding{Code: finding.CardCountWrong, Event: event, Zone: zone, Expected: expected, Observed: observed})
}

// spotTopic is the topic of a spot's article: its name without numbers.
func spotTopic(spot string) string {
	spot = strings.TrimPrefix(spot, "s2/")
	name, _, _ := strings.Cut(spot, ":")
	if name == "" {
		return "conduct"
	}
	return name
}

// freeCalls are known to every game of the family and demanded by none.
var freeCalls = []string{"hagan_juego", "hay_banca", "ultima_jugada", "ganador", "puntos", "no_va_mas", "other"}

// Mandatory reports whether the rulebook demands a call.
func (t *Table) Mandatory(call string) bool { return t.rules.Calls[call].Mandatory }

// Calls yields the announcements of a call, for a zone unless it is empty.
func (t *Table) Calls(call, zone string) func(yield func(int, *round.Event) bool) {
	return func(yield func(int, *round.Event) bool) {
		for i, e := range game.Calls(t.Events, call) {
			if (zone == "" || e.Zone == zone) && !yield(i, e) {
				return
			}
		}
	}
}

// First is the index of the first announcement of one of the calls; len(Events) without one.
func (t *Table) First(calls ...string) int {
	return t.FirstFit(func(e *round.Event) bool { return e.Is(calls...) })
}

// FirstIn is the index of the first announcement of a call for a zone after one
// event and before another; len(Events) without one.
func (t *Table) FirstIn(call, zone string, after, before int) int {
	for i := range t.Calls(call, zone) {
		if i > after && i < before {
			return i
		}
	}
	return len(t.Events)
}

// Demand raises a mandatory call that is not made after one event and before another.
func (t *Table) Demand(call, zone string, after, before int) {
	if t.Mandatory(call) && t.FirstIn(call, zone, after, before) == len(t.Events) {
		t.Missing(call, zone)
	}
}

// Missing raises a call that was not made.
func (t *Table) Missing(call, zone string) {
	t.Add(round.Finding{Code: finding.AnnouncementMissing, Event: t.Last, Zone: zone, Expected: call})
}

// Wrong raises a call that says what is not so.
func (t *Table) Wrong(i int, expected, observed any) {
	t.Add(round.Finding{Code: finding.AnnouncementWrong, Event: i, Zone: t.Events[i].Zone, Expected: expected,
		Observed: observed})
}

// PointsTrue compares an announced score with the true one; -1 is unknown.
func (t *Table) PointsTrue(i int, e *round.Event, value int) {
	if value >= 0 && e.Points != nil && *e.Points != value {
		t.Wrong(i, value, *e.Points)
	}
}

// Closing checks the closing call: absent, or after the first card.
func (t *Table) Closing() {
	if t.FirstDealt == len(t.Events) {
		return
	}
	switch call := t.First("no_va_mas"); {
	case call == len(t.Events):
		if t.Mandatory("no_va_mas") {
			t.Missing("no_va_mas", "")
		}
	case call > t.FirstDealt:
		t.At(t.FirstDealt, finding.DealtBeforeClose)
	}
}

// WinnerTrue compares every call of the winner with the true one.
func (t *Table) WinnerTrue(winner string) {
	for i, e := range t.Calls("ganador", "") {
		if winner != "" && e.Winner != "" && e.Winner != winner {
			t.Wrong(i, winner, e.Winner)
		}
	}
}
