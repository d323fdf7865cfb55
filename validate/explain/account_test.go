package explain_test

import (
	"testing"
	"time"

	"vision/internal/money"
	"vision/validate/explain"
	"vision/validate/finding"
	"vision/validate/track/infer"
)

func TestAccountsAreSaid(t *testing.T) {
	at := time.Date(2026, 11, 20, 21, 4, 9, 500e6, time.UTC)
	for _, c := range []struct {
		a      infer.Account
		es, en string
	}{
		{
			infer.Account{P: 0.9, Holds: true, Codes: []finding.Code{finding.PayoutUnder}},
			"90 %: pago insuficiente", "90 %: paid too little",
		},
		{
			infer.Account{P: 0.08, Assumes: []infer.Assumption{{Departs: infer.OtherAmount, Seat: 3, Spot: "tie",
				Read: money.Cents(4000), Instead: money.Cents(4500)}}},
			"8 %: todo correcto, si las fichas de puesto 3, empate son 45,00 €, no 40,00 €",
			"8 %: all in order, if the chips at seat 3, tie are €45.00, not €40.00",
		},
		{infer.Account{P: 0.004, Unseen: true}, "< 1 %: ocurrió algo que no se vio", "< 1 %: something happened that was not seen"},
		{
			infer.Account{P: 0.06, Assumes: []infer.Assumption{{Departs: infer.OtherDice, Read: "0 4", Instead: "0 5"}}},
			"6 %: todo correcto, si los dados muestran 5, no 4", "6 %: all in order, if the dice show 5, not 4",
		},
		{
			infer.Account{P: 0.02, Assumes: []infer.Assumption{
				{Departs: infer.OtherCard, Zone: "seat:2", Read: "Kd", Instead: "Qd"},
				{Departs: infer.OtherTime, Zone: "bank", Read: at, Instead: at.Add(-2 * time.Second)},
			}},
			"2 %: todo correcto, si la carta de puesto 2 es Qd, no Kd; y lo de banca ocurrió a las 22:04:07.5, no a las 22:04:09.5",
			"2 %: all in order, if the card at seat 2 is Qd, not Kd; and what was seen at bank happened at 22:04:07.5, not at 22:04:09.5",
		},
	} {
		zone := time.FixedZone("CET", 3600)
		if got := explain.Account("es", &c.a, zone); got != c.es {
			t.Errorf("%q, want %q", got, c.es)
		}
		if got := explain.Account("en", &c.a, zone); got != c.en {
			t.Errorf("%q, want %q", got, c.en)
		}
	}
}

// Every departure has its words in both languages.
func TestEveryDepartureIsSaid(t *testing.T) {
	for _, d := range infer.Departures {
		for _, lang := range []string{"es", "en"} {
			a := infer.Account{P: 0.5, Assumes: []infer.Assumption{{Departs: d, Zone: "bank"}}}
			none := infer.Account{P: 0.5, Assumes: []infer.Assumption{{Zone: "bank"}}}
			if got := explain.Account(lang, &a, time.UTC); got == explain.Account(lang, &none, time.UTC) {
				t.Errorf("%s: %q says nothing in %s", d, got, lang)
			}
		}
	}
}
