package explain

import (
	"testing"

	"vision/internal/card"
	words "vision/internal/text"
	"vision/validate/finding"
	"vision/validate/round"
)

// A hand that drew or stood against the table of third cards is told with its
// points and the card that decided.
func TestDrawingsAreToldWithTheirPoints(t *testing.T) {
	hand := func(zone string, labels ...string) round.Hand {
		h := round.Hand{Zone: zone}
		for _, l := range labels {
			c, err := card.Parse(l)
			if err != nil {
				t.Fatal(err)
			}
			h.Cards = append(h.Cards, c)
		}
		return h
	}
	coup := func(punto, banca round.Hand) *round.Verdict {
		return &round.Verdict{Game: "punto_banco", Hands: []round.Hand{punto, banca}}
	}
	for name, c := range map[string]struct {
		v      *round.Verdict
		f      round.Finding
		es, en string
	}{
		"the banca against an eight": {
			coup(hand("punto", "2c", "3d", "8h"), hand("banca", "Ks", "3c", "2d")), round.Finding{Code: finding.DrewMustStand, Zone: "banca", Rule: "cantabria-2010 A.10.VI.2"},
			"La banca tenía 3 y el punto recibió un 8: debía plantarse · banca (cantabria-2010 A.10.VI.2)",
			"The banca had 3 and the punto drew an 8: it had to stand · banca (cantabria-2010 A.10.VI.2)"},
		"the banca against a punto that stood": {
			coup(hand("punto", "2c", "4d"), hand("banca", "2s", "3c")), round.Finding{Code: finding.StoodMustDraw, Zone: "banca", Rule: "r"},
			"La banca tenía 5 y el punto se plantó: debía pedir carta · banca (r)", "The banca had 5 and the punto stood: it had to draw · banca (r)"},
		"against a court card": {
			coup(hand("punto", "2c", "3d", "Qh"), hand("banca", "Ks", "3c")), round.Finding{Code: finding.StoodMustDraw, Zone: "banca", Rule: "r"},
			"La banca tenía 3 y el punto recibió una figura: debía pedir carta · banca (r)", "The banca had 3 and the punto drew a court card: it had to draw · banca (r)"},
		"the punto": {
			coup(hand("punto", "Kc", "4d"), hand("banca", "Ks", "3c")), round.Finding{Code: finding.StoodMustDraw, Zone: "punto", Rule: "r"},
			"El punto tenía 4: debía pedir carta · punto (r)", "The punto had 4: it had to draw · punto (r)"},
		"a card that was not seen": {
			coup(hand("punto", "Kc", "4d"), hand("banca", "??", "3c", "2c")), round.Finding{Code: finding.DrewMustStand, Zone: "banca", Rule: "r"},
			"Pide carta debiendo plantarse · banca (r)", "Drew where it had to stand · banca (r)"},
		"the bank of blackjack": {
			&round.Verdict{Game: "blackjack"}, round.Finding{Code: finding.StoodMustDraw, Zone: "bank", Observed: 16, Rule: "r"},
			"La banca tenía 16: debía pedir carta · banca (r)", "The bank had 16: it had to draw · bank (r)"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Sentence(words.ES, c.v, &c.f); got != c.es {
				t.Errorf("es\n got %s\nwant %s", got, c.es)
			}
			if got := Sentence(words.EN, c.v, &c.f); got != c.en {
				t.Errorf("en\n got %s\nwant %s", got, c.en)
			}
		})
	}
}
