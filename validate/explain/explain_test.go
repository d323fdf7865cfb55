package explain

import (
	"encoding/json"
	"testing"

	"vision/internal/money"
	words "vision/internal/text"
	"vision/validate/finding"
	"vision/validate/round"
)

func TestSentence(t *testing.T) {
	v := &round.Verdict{Settlement: []round.Settlement{{Seat: 3, Spot: "pleno:17", Stake: 100, Pays: 3500}}}
	amounts := func(code finding.Code, e, o money.Cents) round.Finding {
		return round.Finding{Code: code, Seat: 3, Spot: "pleno:17", Expected: e, Observed: o, Rule: "cantabria-2010 A.1.IV"}
	}
	for _, c := range []struct {
		name   string
		f      round.Finding
		es, en string
	}{
		{"payment", amounts(finding.PayoutUnder, 3500, 100000),
			"Paga 1.000,00 €; debía pagar 35,00 € (35:1) · puesto 3, pleno 17 (cantabria-2010 A.1.IV)",
			"Paid €1,000.00; €35.00 was due (35:1) · seat 3, straight up 17 (cantabria-2010 A.1.IV)"},
		{"no odds on a loser", amounts(finding.PayoutToLoser, 0, 250),
			"Paga 2,50 € a una apuesta que no gana · puesto 3, pleno 17 (cantabria-2010 A.1.IV)",
			"Paid €2.50 on a bet that did not win · seat 3, straight up 17 (cantabria-2010 A.1.IV)"},
		{"nothing taken", amounts(finding.LoserNotCollected, 250, 0),
			"No retira una apuesta perdedora; debía retirar 2,50 € · puesto 3, pleno 17 (cantabria-2010 A.1.IV)",
			"A losing bet was not taken; €2.50 was due · seat 3, straight up 17 (cantabria-2010 A.1.IV)"},
		{"too little taken", amounts(finding.LoserNotCollected, 250, 100),
			"Retira 1,00 € de una apuesta perdedora; debía retirar 2,50 € · puesto 3, pleno 17 (cantabria-2010 A.1.IV)",
			"Took €1.00 from a losing bet; €2.50 was due · seat 3, straight up 17 (cantabria-2010 A.1.IV)"},
		{"observed only", round.Finding{Code: finding.LateBet, Seat: 1, Spot: "rojo", Observed: money.Cents(400), Rule: "r"},
			"Apuesta de 4,00 € fuera de tiempo · puesto 1, rojo (r)", "Bet of €4.00 after the closing call · seat 1, red (r)"},
		{"nothing expected", round.Finding{Code: finding.AnnouncementWrong, Expected: round.Null, Observed: "impar", Rule: "r"},
			"Anuncia impar; es nada (r)", "Announced impar; it is nothing (r)"},
		{"a call", round.Finding{Code: finding.AnnouncementMissing, Expected: "no_va_mas", Rule: "r"},
			"Falta el anuncio: no va más (r)", "Announcement missing: no va más (r)"},
		{"truth", round.Finding{Code: finding.AnnouncementWrong, Expected: false, Observed: true, Rule: "r"},
			"Anuncia sí; es no (r)", "Announced yes; it is no (r)"},
		{"a zone", round.Finding{Code: finding.StoodMustDraw, Zone: "banca", Rule: "r"},
			"Se planta debiendo pedir carta · banca (r)", "Stood where it had to draw · banca (r)"},
		{"the seat's own zone is said once", round.Finding{Code: finding.FaceWrong, Seat: 2, Zone: "seat:2", Rule: "r"},
			"Carta con la cara equivocada · puesto 2 (r)", "Card dealt the wrong way up · seat 2 (r)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Sentence(words.ES, v, &c.f); got != c.es {
				t.Errorf("es\n got %s\nwant %s", got, c.es)
			}
			if got := Sentence(words.EN, v, &c.f); got != c.en {
				t.Errorf("en\n got %s\nwant %s", got, c.en)
			}
		})
	}
}

// Sentences are told in Catalan as the norm of the Balears names things.
func TestInCatalan(t *testing.T) {
	v := &round.Verdict{Settlement: []round.Settlement{{Seat: 3, Spot: "pleno:17", Stake: 100, Pays: 3500}}}
	f := round.Finding{Code: finding.PayoutUnder, Seat: 3, Spot: "pleno:17", Rule: "balears-2005 IV.1",
		Expected: money.Cents(3500), Observed: money.Cents(100000)}
	if got, want := Sentence(words.CA, v, &f), "Paga 1.000,00 €; havia de pagar 35,00 € (35:1) · lloc 3, ple 17 (balears-2005 IV.1)"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestReadBack: a verdict that was stored as JSON reads the same sentence.
func TestReadBack(t *testing.T) {
	f := round.Finding{Code: finding.PayoutOver, Seat: 1, Spot: "rojo", Expected: money.Cents(500), Observed: money.Cents(600),
		Rule: "r"}
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var back round.Finding
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if a, b := Sentence(words.ES, nil, &f), Sentence(words.ES, nil, &back); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}
