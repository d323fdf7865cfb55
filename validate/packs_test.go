package validate_test

import (
	"slices"
	"testing"

	"vision/validate"
)

// Which packs are offered for a game is what its norm says: of forty cards for monte, with
// or without indices where that is laid down, none for wheels and dice.
func TestPacks(t *testing.T) {
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		norm, game string
		want       []string
	}{
		{"andalucia-2010", "monte_banca", []string{validate.Spanish}},
		{"andalucia-2010", "punto_banco", []string{validate.French}},
		{"andalucia-2010", "treinta_cuarenta", []string{validate.FrenchNoIndices}},
		{"andalucia-2010", "blackjack", []string{validate.French, validate.FrenchNoIndices}},
		{"cantabria-2010", "blackjack", []string{validate.French, validate.FrenchNoIndices}},
		{"cantabria-2010", "ruleta_francesa", nil},
		{"cantabria-2010", "dados_craps", nil},
		{"cantabria-2010", "tute", nil},
	} {
		norm, err := books.Norm(c.norm)
		if err != nil {
			t.Fatal(err)
		}
		if got := validate.Packs(norm, c.game); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q; want %q", c.norm, c.game, got, c.want)
		}
	}
}
