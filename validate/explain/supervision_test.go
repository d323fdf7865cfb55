package explain

import (
	"strings"
	"testing"

	"vision/validate/supervision"
)

func TestDuty(t *testing.T) {
	n := func(n int) *int { return &n }
	for _, c := range []struct {
		f      supervision.Finding
		es, en string
	}{
		{supervision.Finding{Code: "too_many_tables", Jefe: "ana", Limit: n(4), Actual: n(5), Rule: "cantabria-2010 A.4 L736-742"},
			"ana tiene a su cargo 5 mesas; el máximo es 4 (cantabria-2010 A.4 L736-742)", "ana is in charge of 5 tables; the maximum is 4 (cantabria-2010 A.4 L736-742)"},
		{supervision.Finding{Code: "recording_required", Jefe: "eva", Table: "R2", Rule: "r"},
			"La mesa R2, a cargo de eva con otras, no se graba (r)", "Table R2, under eva together with others, is not recorded (r)"},
		{supervision.Finding{Code: "staff_missing", Table: "F1", Role: "extremo", Limit: n(2), Actual: n(0), Rule: "r"},
			"En la mesa F1 hay 0 de extremo; el mínimo es 2 (r)", "Table F1 has extremo: 0; the minimum is 2 (r)"},
		{supervision.Finding{Code: "staff_missing", Role: "cambista", Limit: n(1), Actual: n(0), Rule: "r"},
			"En la sala hay 0 de cambista; el mínimo es 1 (r)", "The room has cambista: 0; the minimum is 1 (r)"},
		{supervision.Finding{Code: "no_jefe", Table: "B1", Rule: "r"},
			"La mesa B1 está abierta y nadie la tiene a su cargo (r)", "Table B1 is open and nobody is in charge of it (r)"},
		{supervision.Finding{Code: "of another world"}, "of another world", "of another world"},
	} {
		if got := Duty(ES, &c.f); got != c.es {
			t.Errorf("es\n got %s\nwant %s", got, c.es)
		}
		if got := Duty(EN, &c.f); got != c.en {
			t.Errorf("en\n got %s\nwant %s", got, c.en)
		}
	}
}

// Every code of supervision has a sentence, and every sentence is of a code.
func TestDutiesAreAllSaid(t *testing.T) {
	for code := range duties {
		if !Known(code) {
			t.Errorf("%s is no code of the catalogue", code)
		}
	}
	for _, code := range []string{"recording_required", "not_contiguous", "mixed_games_not_allowed", "not_homogeneous", "too_many_tables", "no_jefe", "staff_missing", "staff_excess"} {
		s, ok := duties[code]
		if !ok || s.es == "" || s.en == "" || strings.Count(s.es, "{") != strings.Count(s.en, "{") {
			t.Errorf("%s: %+v", code, s)
		}
	}
}
