package validate_test

import (
	"testing"
	"testing/fstest"

	"vision/internal/testkit/rounds"
	"vision/validate"
)

// invented is a norm that no gazette has: a wheel of three cells.
const invented = `norm: atlantida-2031
name: {es: Catálogo de la Atlántida, en: Catalogue of Atlantis}
source: "Orden de 1 de abril de 2031"
games:
  ruleta_fortuna:
    name: {es: Rueda de tres, en: Wheel of three}
    label: Único
    family: wheels
    rules:
      articles: {bets: art. 1, limits: art. 2, conduct: art. 3}
      calls:
        no_va_mas: {by: [jefe], mandatory: true}
        combination: {by: [croupier], mandatory: true}
        null_throw: {}
      order: {collect_first: true}
      options: {reclose_after_null: true}
      fortuna:
        maximum: 7
        cells:
          - {pocket: sol, spot: "valor:1", count: 2, pays: "1:3", article: art. 1.a}
          - {pocket: luna, spot: "valor:2", count: 1, pays: "5:2", article: art. 1.b}
`

// TestNewNorm: a new region is a new file, and nothing else.
func TestNewNorm(t *testing.T) {
	books, err := validate.Books(fstest.MapFS{"atlantida-2031.yaml": &fstest.MapFile{Data: []byte(invented)}})
	if err != nil {
		t.Fatal(err)
	}
	rec := rounds.Script(t, `atlantida-2031 ruleta_fortuna "table":{"min":100}`,
		"bet 1 valor:1 900; bet 2 valor:2 701; nvm jefe; ball luna; say croupier combination combination=luna; collect 1 valor:1 900; pay 2 valor:2 1700; clear")
	v, err := validate.Check(books, rec)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rounds.Brief(v.Findings, rounds.Seat, rounds.Spot, rounds.Amounts, rounds.Event), "bet_above_max 1 valor:1 700/900 @0; bet_above_max 2 valor:2 700/701 @1; payout_under 2 valor:2 1753/1700 @6"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := v.Findings[2].Rule, "atlantida-2031 Único.art. 1.b"; got != want {
		t.Errorf("rule %q, want %q", got, want)
	}
	if _, _, err := books.Game("cantabria-2010", "ruleta_fortuna"); err != nil {
		t.Error("the shipped norms are gone:", err)
	}
}
