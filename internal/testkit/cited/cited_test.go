package cited_test

import (
	"slices"
	"testing"

	"vision/internal/testkit/cited"
	"vision/validate"
)

func TestRead(t *testing.T) {
	lines, err := cited.Read("nacional-1979 boule | nacional-1979 04.V.a | TestA TestB\nnacional-1979 boule | nacional-1979 04.V.b | TestC\n")
	if err != nil || len(lines) != 2 || lines[0].Game != "boule" || !slices.Equal(lines[0].Tests, []string{"TestA", "TestB"}) ||
		!slices.Equal(lines[1].Tests, []string{"TestC"}) || lines[1].Rule != "nacional-1979 04.V.b" {
		t.Fatalf("%+v %v", lines, err)
	}
	if _, err := cited.Read("nacional-1979 boule | nacional-1979 04.V.a"); err == nil {
		t.Error("a line without tests was read")
	}
}

// TestRules: each family's citations as its findings write them.
func TestRules(t *testing.T) {
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ norm, game, rule string }{
		{"balears-2005", "ruleta_francesa", "balears-2005 01.IV.1.A.c"},
		{"cantabria-2010", "sic_bo", "cantabria-2010 A.8.III"},
		{"andalucia-2010", "monte_banca", "andalucia-2010 I.1.13.VI"},
		{"castilla-y-leon-2013", "texas_poker", "castilla-y-leon-2013 arts. 53-59 art. 57.2"},
		{"cantabria-2010", "holdem_circulo", "cantabria-2010 A.15.VII.3"},
		{"nacional-1979", "bingo", "nacional-1979 10"}, // no article of its own
	} {
		n, g, err := books.Game(c.norm, c.game)
		if err != nil {
			t.Fatal(err)
		}
		if rules := cited.Rules(n, g); !slices.Contains(rules, c.rule) {
			t.Errorf("%s %s: %v has no %s", c.norm, c.game, rules, c.rule)
		}
		if why := cited.Without(g, "A.15.4"); (why != "") != (c.game == "holdem_circulo") {
			t.Errorf("%s: %q", c.game, why)
		}
	}
}
