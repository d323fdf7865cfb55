package text

import "testing"

func TestIn(t *testing.T) {
	known := Text{ES: "Pago insuficiente", EN: "Underpaid"}
	unknown := Text{ES: "Nadie lo ha traducido: %d", EN: "Nobody has translated it: %d"}
	for _, c := range []struct {
		text       Text
		lang, want string
	}{
		{known, ES, "Pago insuficiente"}, {known, EN, "Underpaid"}, {known, CA, "Pagament insuficient"}, {known, "eu", "Pago insuficiente"},
		{unknown, CA, "Nadie lo ha traducido: %d"},
	} {
		if got := c.text.In(c.lang); got != c.want {
			t.Errorf("%q in %q: %q; want %q", c.text.ES, c.lang, got, c.want)
		}
	}
	if got := unknown.Sprintf(EN, 3); got != "Nobody has translated it: 3" {
		t.Error(got)
	}
	if !Has(CA, known.ES) || Has(CA, unknown.ES) || !Has(ES, unknown.ES) {
		t.Error("what a language has")
	}
	for _, l := range Languages {
		if !Known(l) {
			t.Errorf("%q is not known", l)
		}
	}
	if Known("eu") || Languages[0] != ES {
		t.Error("which languages are known")
	}
}
