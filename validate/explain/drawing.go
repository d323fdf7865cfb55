package explain

import (
	"fmt"
	"strconv"
	"strings"

	"vision/internal/card"
	"vision/validate/finding"
	"vision/validate/round"
)

// drawing says what the hand held that drew or stood against the rule: «La banca
// tenía 3 y el punto recibió un 8: debía plantarse». It is "" where the
// verdict's hands do not tell.
func drawing(lang string, v *round.Verdict, f *round.Finding) string {
	do := text(finding.Of(f.Code).Round.Must)
	if do.ES == "" || v == nil {
		return ""
	}
	if f.Zone == "bank" && f.Observed != nil {
		had := text{"La banca tenía %s", "The bank had %s"}.in(lang)
		return fmt.Sprintf(had, value(lang, f.Observed, false)) + ": " + do.in(lang)
	}
	if v.Game != "punto_banco" && !strings.HasPrefix(v.Game, "baccara_") {
		return ""
	}
	own := handOf(v, f.Zone)
	points, ok := pips(own)
	if !ok {
		return ""
	}
	s := fmt.Sprintf(text{"%s tenía %d", "%s had %d"}.in(lang), holder(lang, f.Zone), points)
	if other := handOf(v, "punto"); f.Zone == "banca" && len(other) > 1 {
		s += text{" y el punto ", " and the punto "}.in(lang) + third(lang, other)
	}
	return s + ": " + do.in(lang)
}

// holder names whose hand lies in a zone of the baccarat games.
func holder(lang, zone string) string {
	if n, ok := strings.CutPrefix(zone, "pano"); ok {
		return text{"El paño", "Paño"}.in(lang) + " " + n
	}
	return map[string]text{"banca": {"La banca", "The banca"}, "punto": {"El punto", "The punto"}}[zone].in(lang)
}

func handOf(v *round.Verdict, zone string) []card.Card {
	for _, h := range v.Hands {
		if h.Zone == zone {
			return h.Cards
		}
	}
	return nil
}

// pips are the points of a hand's first two cards; false where one was not seen.
func pips(hand []card.Card) (sum int, ok bool) {
	if len(hand) < 2 {
		return 0, false
	}
	for _, c := range hand[:2] {
		if !c.French() {
			return 0, false
		}
		sum += min(c.Number(), 10)
	}
	return sum % 10, true
}

// third is what the punto did after its first two cards.
func third(lang string, hand []card.Card) string {
	if len(hand) < 3 {
		return text{"se plantó", "stood"}.in(lang)
	}
	c := hand[2]
	if !c.French() {
		return text{"recibió una carta que no se vio", "drew a card that was not seen"}.in(lang)
	}
	name := map[int]text{1: {"un as", "an ace"}, 8: {"un 8", "an 8"}}[c.Number()].in(lang)
	switch n := c.Number(); {
	case name != "":
	case n > 10:
		name = text{"una figura", "a court card"}.in(lang)
	default:
		name = text{"un", "a"}.in(lang) + " " + strconv.Itoa(n)
	}
	return text{"recibió ", "drew "}.in(lang) + name
}
