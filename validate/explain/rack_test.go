package explain

import (
	"testing"

	"vision/internal/money"
	words "vision/internal/text"
)

func TestRack(t *testing.T) {
	for _, c := range []struct {
		lang string
		grew money.Cents
		want string
	}{
		{words.ES, -7500, "de la bandeja salieron 75,00 €"},
		{words.EN, 2500, "€25.00 went into the rack"},
		{words.CA, 2500, "a la safata van entrar 25,00 €"},
		{words.ES, 0, "la bandeja no varió"},
	} {
		if got := Rack(c.lang, c.grew); got != c.want {
			t.Errorf("%s %d: %q, want %q", c.lang, c.grew, got, c.want)
		}
	}
}
