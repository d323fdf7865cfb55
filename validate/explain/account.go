package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/track/infer"
)

// Account says what a hypothesis about a finding has, with its weight and where it departs
// from what was read: «8 % todo correcto, si: fichas de puesto 3, main: 45,00 € y no 40,00 €».
// Times are of the zone in which people read them.
func Account(lang string, a *infer.Account, zone *time.Location) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", percent(a.P))
	switch {
	case a.Unseen:
		b.WriteString(text{"ocurrió algo que no se vio", "something happened that was not seen"}.in(lang))
	case len(a.Codes) == 0:
		b.WriteString(text{"todo correcto", "all in order"}.in(lang))
	default:
		names := make([]string, len(a.Codes))
		for i, c := range a.Codes {
			names[i] = lower(text(finding.Of(c).Title).in(lang))
		}
		b.WriteString(strings.Join(names, ", "))
	}
	if len(a.Assumes) == 0 {
		return b.String()
	}
	parts := make([]string, len(a.Assumes))
	for i := range a.Assumes {
		parts[i] = assumption(lang, &a.Assumes[i], zone)
	}
	b.WriteString(text{", si ", ", if "}.in(lang) + strings.Join(parts, text{"; y ", "; and "}.in(lang)))
	return b.String()
}

// percent writes a share; what is not nothing is not written as nothing.
func percent(p float64) string {
	switch n := math.Round(100 * p); {
	case n < 1:
		return "< 1 %"
	case n > 99:
		return "> 99 %"
	default:
		return fmt.Sprintf("%.0f %%", n)
	}
}

func lower(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// departures are what a hypothesis has otherwise: {w} where it was, {r} what was read, {i}
// what it has instead.
var departures = map[infer.Departure]text{
	infer.OtherTime:    {"lo de {w} ocurrió a las {i}, no a las {r}", "what was seen at {w} happened at {i}, not at {r}"},
	infer.OtherRemoval: {"las cartas de {w} se retiraron a las {i}, no a las {r}", "the cards of {w} were taken at {i}, not at {r}"},
	infer.OtherCard:    {"la carta de {w} es {i}, no {r}", "the card at {w} is {i}, not {r}"},
	infer.OtherOrder:   {"en {w} se dio antes la carta de la derecha", "at {w} the card on the right was dealt first"},
	infer.OtherAmount:  {"las fichas de {w} son {i}, no {r}", "the chips at {w} are {i}, not {r}"},
	infer.OtherBet:     {"en {w} hubo una apuesta que no se pudo contar", "at {w} there was a bet that could not be counted"},
	infer.OtherDice:    {"los dados muestran {i}, no {r}", "the dice show {i}, not {r}"},
	infer.OtherLie:     {"un dado está sobre fichas que nadie vio", "a die lies on chips that nobody saw"},
	infer.OtherCall:    {"lo cantado se refiere a lo que vino después", "the call is about what came next"},
	infer.OtherSide:    {"el movimiento de {w} fue al otro lado del «no va más»", "the movement at {w} was on the other side of the closing of the bets"},
	infer.OtherPayment: {"un pago de {w} es de otra apuesta", "a payment at {w} is for another bet"},
	infer.UnderHands:   {"las manos sobre {w} hicieron lo que ya no se ve", "the hands over {w} did what is seen no more"},
}

func assumption(lang string, a *infer.Assumption, zone *time.Location) string {
	read, instead := a.Read, a.Instead
	if a.Departs == infer.OtherDice {
		read, instead = facesRead(read), facesRead(instead)
	}
	return strings.NewReplacer(
		"{w}", placeOf(lang, a), "{r}", reading(lang, read, zone), "{i}", reading(lang, instead, zone),
	).Replace(departures[a.Departs].in(lang))
}

// facesRead are the faces of a throw without those that nobody read, which are noted as 0.
func facesRead(faces any) any {
	said, _ := faces.(string)
	read := slices.DeleteFunc(strings.Fields(said), func(face string) bool { return face == "0" })
	if len(read) == 0 {
		return nil
	}
	return strings.Join(read, " ")
}

// placeOf names the place of an assumption, or its zone.
func placeOf(lang string, a *infer.Assumption) string {
	if a.Seat == 0 && a.Spot == "" {
		return zone(lang, a.Zone)
	}
	var parts []string
	if a.Seat > 0 {
		parts = append(parts, fmt.Sprintf("%s %d", text{"puesto", "seat"}.in(lang), a.Seat))
	}
	if s := Spot(lang, a.Spot); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// reading writes a card, faces, an amount or a time of an assumption.
func reading(lang string, v any, zone *time.Location) string {
	switch v := v.(type) {
	case nil:
		return text{"otra cosa", "something else"}.in(lang)
	case time.Time:
		return v.In(zone).Format("15:04:05.0")
	case money.Cents:
		return Amount(lang, v)
	}
	return value(lang, v, false)
}
