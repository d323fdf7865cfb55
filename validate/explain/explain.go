// Package explain puts findings into a sentence in each language, with the amounts and the
// article, for alerts and for the people who read them.
package explain

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vision/internal/card"
	"vision/internal/money"
	words "vision/internal/text"
	"vision/validate/finding"
	"vision/validate/round"
)

// text is a phrase of a sentence.
type text finding.Text

func (t text) in(lang string) string { return words.Text(t).In(lang) }

// Sentence says what a finding of a verdict found, where, and by which article:
// «Paga 10,00 €; debía pagar 15,00 € (3:2) · puesto 3, main (cantabria-2010 A.4)».
// A language that is not known reads as Spanish.
func Sentence(lang string, v *round.Verdict, f *round.Finding) string {
	var b strings.Builder
	said := drawing(lang, v, f)
	if said == "" {
		said = statement(lang, f)
	}
	b.WriteString(said)
	if o := odds(v, f); o != "" {
		b.WriteString(" (" + o + ")")
	}
	if w := where(lang, f); w != "" {
		b.WriteString(" · " + w)
	}
	if f.Rule != "" {
		b.WriteString(" (" + f.Rule + ")")
	}
	return b.String()
}

// readers are those who may tell of one fact, by the tracker's names for them.
var readers = map[string]text{
	"wheel": {"rueda", "wheel"}, "call": {"cantado", "call"}, "camera": {"cámara", "camera"},
	"terminal": {"terminal", "terminal"}, "shoe": {"sabot", "shoe"},
}

// Reading says who has a fact how, and of a card where: «cámara: Kd, puesto 3».
func Reading(lang, by, what, place string) string {
	if r, ok := readers[by]; ok {
		by = r.in(lang)
	}
	if place != "" {
		what += ", " + zone(lang, place)
	}
	return by + ": " + word(what)
}

// Rack says by how much the bank's rack grew while a round was settled: «de la bandeja salieron 75,00 €».
func Rack(lang string, grew money.Cents) string {
	switch {
	case grew < 0:
		return strings.ReplaceAll(text{"de la bandeja salieron {a}", "{a} left the rack"}.in(lang), "{a}", Amount(lang, -grew))
	case grew > 0:
		return strings.ReplaceAll(text{"en la bandeja entraron {a}", "{a} went into the rack"}.in(lang), "{a}", Amount(lang, grew))
	}
	return text{"la bandeja no varió", "the rack did not change"}.in(lang)
}

func statement(lang string, f *round.Finding) string {
	if !finding.Known(f.Code) {
		return string(f.Code)
	}
	k := finding.Of(f.Code)
	r, title := &k.Round, text(k.Title).in(lang)
	expected, observed := value(lang, f.Expected, r.Amounts), value(lang, f.Observed, r.Amounts)
	fill := strings.NewReplacer("{e}", expected, "{o}", observed)
	switch {
	case expected != "" && observed == Amount(lang, 0) && r.None.ES != "":
		return fill.Replace(text(r.None).in(lang))
	case expected != "" && observed != "" && r.Both.ES != "":
		return fill.Replace(text(r.Both).in(lang))
	case observed != "" && r.Seen.ES != "":
		return fill.Replace(text(r.Seen).in(lang))
	case expected != "" || observed != "":
		return title + ": " + cmp.Or(expected, observed)
	}
	return title
}

// value writes an expected or observed of any shape; "" for nothing.
func value(lang string, v any, amount bool) string {
	switch v := v.(type) {
	case nil:
		return ""
	case json.RawMessage:
		return nothing.in(lang)
	case money.Cents:
		return Amount(lang, v)
	case bool:
		if v {
			return text{"sí", "yes"}.in(lang)
		}
		return "no"
	case int:
		return whole(lang, int64(v), amount)
	case int64:
		return whole(lang, v, amount)
	case float64: // as a verdict read back from JSON has it
		return whole(lang, int64(v), amount)
	case []any:
		return list(lang, v, amount)
	case string:
		return word(v)
	}
	return word(fmt.Sprint(v))
}

var nothing = text{"nada", "nothing"}

func list(lang string, v []any, amount bool) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = value(lang, x, amount)
	}
	return strings.Join(parts, " ")
}

func whole(lang string, n int64, amount bool) string {
	if amount {
		return Amount(lang, money.Cents(n))
	}
	return strconv.FormatInt(n, 10)
}

// Amount writes an amount as the language does: "1.250,00 €", "€1,250.00".
func Amount(lang string, c money.Cents) string {
	if lang != words.EN {
		return c.String()
	}
	s := strings.TrimSuffix(c.String(), " €")
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	}
	return sign + "€" + strings.NewReplacer(".", ",", ",", ".").Replace(s)
}

// word writes a code of the record as people say it: "no_va_mas" is "no va más".
func word(s string) string {
	if w, ok := spelled[s]; ok {
		return w
	}
	return strings.ReplaceAll(s, "_", " ")
}

// spelled are the codes that are more than their words: calls are the norm's own words in
// every language.
var spelled = map[string]string{
	"no_va_mas": "no va más", "hechas_apuestas": "¿hechas las apuestas?", "ultima_jugada": "última jugada",
	"ultimo_completo": "último completo", "puntos_mano": "puntos de la mano", "puntos_banca": "puntos de la banca",
	"null_throw": "jugada nula", "dice_change": "cambio de dados", "trio": "trío", "poquer": "póquer",
	"escalera_color": "escalera de color", "pano1": "paño 1", "pano2": "paño 2",
}

// where names seat, spot and zone.
func where(lang string, f *round.Finding) string {
	var parts []string
	if f.Seat > 0 {
		parts = append(parts, fmt.Sprintf("%s %d", text{"puesto", "seat"}.in(lang), f.Seat))
	}
	if f.Spot != "" {
		parts = append(parts, Spot(lang, f.Spot))
	}
	if f.Zone != "" && f.Zone != fmt.Sprintf("seat:%d", f.Seat) {
		parts = append(parts, zone(lang, f.Zone))
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// odds are what the settlement pays on the finding's spot, as a fraction, when
// the finding is about a payment and the fraction is one that norms print.
func odds(v *round.Verdict, f *round.Finding) string {
	if v == nil || finding.Of(f.Code).About != finding.Money || !strings.HasPrefix(string(f.Code), "payout_") ||
		f.Code == finding.PayoutToLoser {
		return ""
	}
	for i := range v.Settlement {
		s := &v.Settlement[i]
		if s.Seat != f.Seat || s.Spot != f.Spot || s.Pays <= 0 || s.Stake <= 0 {
			continue
		}
		g := gcd(int64(s.Pays), int64(s.Stake))
		if o := (money.Odds{Num: int64(s.Pays) / g, Den: int64(s.Stake) / g}); o.Den <= 12 {
			return o.String()
		}
	}
	return ""
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

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

// Spots are the names of places on the cloth by their codes, in each
// language, as JSON: sentences and pages use the same. A code that is not in it is
// a word of the norm already.
//
//go:embed spots.json
var Spots []byte

var spots = func() (m map[string][]string) {
	if err := json.Unmarshal(Spots, &m); err != nil {
		panic(fmt.Sprintf("spots.json: %v", err)) // it is compiled in: a test reads it
	}
	return m
}()

// Spot writes the code of a place as people say it: "pleno:23" is "pleno 23",
// "dont_win" is "no gana"; "" for a seat's main stake, which needs no name.
func Spot(lang, code string) string {
	name, number, _ := strings.Cut(code, ":")
	if s, ok := spots[name]; ok {
		name = s[max(slices.Index(words.Languages, lang), 0)]
	}
	return word(strings.TrimSpace(name + " " + strings.ReplaceAll(number, ":", " ")))
}

var seatZone = regexp.MustCompile(`^seat:(\d+)(?:/(\w+))?(?: (.+))?$`)

// zone writes a zone: "seat:3/2 main" is "puesto 3, mano 2".
func zone(lang, name string) string {
	m := seatZone.FindStringSubmatch(name)
	if m == nil {
		return Spot(lang, name)
	}
	out := text{"puesto ", "seat "}.in(lang) + m[1]
	switch hand := m[2]; {
	case hand == "":
	case hand >= "0" && hand <= "99":
		out += text{", mano ", ", hand "}.in(lang) + hand
	default:
		out += ", " + Spot(lang, hand)
	}
	if s := Spot(lang, m[3]); s != "" {
		out += ", " + s
	}
	return out
}
