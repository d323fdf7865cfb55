package table

import (
	"strings"

	"vision/validate/finding"
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
