package explain

import (
	"strings"
	"testing"

	"vision/internal/testkit/books"
	words "vision/internal/text"
	"vision/validate/finding"
	"vision/validate/room"
)

func TestDuty(t *testing.T) {
	n := func(n int) *int { return &n }
	spaced := func(game string) string { return strings.ReplaceAll(game, "_", " ") }
	for _, c := range []struct {
		f      room.Finding
		c      Charge
		es, en string
	}{
		{room.Finding{Code: finding.TooManyTables, Jefe: "ana", Limit: n(2), Actual: n(3)}, Charge{Tables: []string{"B1", "B2", "R1"}},
			"ana tiene 3 mesas (B1, B2, R1) y la norma le permite 2", "ana has 3 tables (B1, B2, R1); the norm allows 2"},
		{room.Finding{Code: finding.MixedGamesNotAllowed, Jefe: "ana"}, Charge{[]string{"B1", "R1"}, []string{"blackjack", "ruleta_americana"}},
			"ana no puede supervisar juntas B1, R1: la norma no deja unir esos juegos (blackjack, ruleta americana)",
			"ana may not supervise B1, R1 together: the norm does not let these games be joined (blackjack, ruleta americana)"},
		{room.Finding{Code: finding.RecordingRequired, Jefe: "eva", Table: "R2"}, Charge{},
			"La mesa R2 no se graba: sin grabación de cada mesa eva no puede supervisar sus mesas",
			"Table R2 is not recorded: without a recording of each table eva may not supervise their tables"},
		{room.Finding{Code: finding.StaffMissing, Table: "F1", Role: "extremo", Limit: n(2), Actual: n(0)}, Charge{},
			"Falta personal en la mesa F1: extremo 0, mínimo 2", "Staff is missing at table F1: extremo 0, at least 2"},
		{room.Finding{Code: finding.StaffMissing, Role: "cambista", Limit: n(1), Actual: n(0)}, Charge{},
			"Falta personal en la sala: cambista 0, mínimo 1", "Staff is missing in the room: cambista 0, at least 1"},
		{room.Finding{Code: finding.MinimumNotOffered, Game: "ruleta_americana", Limit: n(200), Actual: n(500)}, Charge{},
			"Ninguna mesa abierta de ruleta americana ofrece el mínimo autorizado, 2,00 €: el más bajo es 5,00 €",
			"No open table of ruleta americana offers the authorised minimum, €2.00: the lowest is €5.00"},
		{room.Finding{Code: finding.NoJefe, Table: "B1"}, Charge{}, "La mesa B1 está abierta sin jefe de mesa", "Table B1 is open without a jefe de mesa"},
		{room.Finding{Code: "of another world"}, Charge{}, "of another world", "of another world"},
	} {
		if got := duty(words.ES, &c.f, c.c, spaced); got != c.es {
			t.Errorf("es\n got %s\nwant %s", got, c.es)
		}
		if got := duty(words.EN, &c.f, c.c, spaced); got != c.en {
			t.Errorf("en\n got %s\nwant %s", got, c.en)
		}
	}
}

// Games have the names that their norm gives them, in each language; one that no norm has,
// its code.
func TestDutyNamesGames(t *testing.T) {
	d := Duties{Books: books.Shipped(t)}
	rec := func(norm, game string) *room.Record {
		return &room.Record{Norm: norm, Tables: []room.Table{{ID: "P1", Game: game, Open: true}, {ID: "R1", Game: "ruleta_francesa", Open: true}},
			Assignments: []room.Assignment{{Jefe: "ana", Tables: []string{"P1", "R1"}}}}
	}
	for _, c := range []struct{ lang, norm, game, want string }{
		{words.ES, "cantabria-2010", "punto_banco", "(Punto y banca, Ruleta francesa)"},
		{words.EN, "cantabria-2010", "punto_banco", "(Punto y banca (baccarat), French roulette)"},
		{words.CA, "cantabria-2010", "punto_banco", "(Punt i banca, Ruleta francesa)"},
		{words.ES, "balears-2005", "punto_banco", "(Punt i banca, Ruleta francesa)"},
		{words.ES, "cantabria-2010", "not_yet", "(not yet, Ruleta francesa)"},
		{words.ES, "nowhere-1900", "punto_banco", "(punto banco, ruleta francesa)"},
	} {
		f := room.Finding{Code: finding.MixedGamesNotAllowed, Jefe: "ana"}
		if got := d.Say(c.lang, rec(c.norm, c.game), &f); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s, %s: got %s\nwant …%s", c.norm, c.lang, got, c.want)
		}
	}
	f := room.Finding{Code: finding.MinimumNotOffered, Game: "punto_banco"}
	if got := d.Say(words.ES, rec("cantabria-2010", "punto_banco"), &f); !strings.Contains(got, "mesa abierta de Punto y banca ofrece") {
		t.Errorf("got %s", got)
	}
}

// What a jefe has in charge are his open tables.
func TestChargeOf(t *testing.T) {
	rec := &room.Record{Tables: []room.Table{{ID: "B1", Game: "blackjack", Open: true}, {ID: "B2", Game: "blackjack", Open: true},
		{ID: "B3", Game: "boule"}, {ID: "R1", Game: "boule", Open: true}},
		Assignments: []room.Assignment{{Jefe: "ana", Tables: []string{"B1", "B2", "B3"}}, {Jefe: "eva", Tables: []string{"R1"}}}}
	if c := ChargeOf(rec, "ana"); strings.Join(c.Tables, " ") != "B1 B2" || strings.Join(c.Games, " ") != "blackjack" {
		t.Errorf("%+v", c)
	}
}
