package explain

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"vision/internal/shared"
	"vision/internal/testkit/books"
	words "vision/internal/text"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/session"
)

func TestHappening(t *testing.T) {
	from, to := int64(65800), int64(66100)
	for _, c := range []struct {
		f      session.Finding
		es, en string
	}{
		{session.Finding{Code: finding.LimitChangeNotAllowed, Expected: int64(200), Observed: int64(500)},
			"El mínimo de la mesa R3 pasó de 2,00 € a 5,00 €, y la norma no lo permite", "The minimum of table R3 went from €2.00 to €5.00, which the norm does not allow"},
		{session.Finding{Code: finding.LimitChangeEarly, Expected: int64(3), Observed: int64(2)},
			"El mínimo de la mesa R3 cambió tras 2 jugadas desde el anuncio, y han de ser 3", "The minimum of table R3 changed 2 rounds after it was announced; there have to be 3"},
		{session.Finding{Code: finding.RecordingRequired, Jefe: "eva", Table: "R4", From: &from, To: &to},
			"La mesa R4 no se grabó durante 300 s: sin grabación de cada mesa eva no puede supervisarlas juntas",
			"Table R4 was not recorded for 300 s: without a recording of each table eva may not supervise them together"},
		{session.Finding{Code: finding.DuplicateCard, Card: "Ks", Expected: int64(6), Observed: int64(7)},
			"El Ks salió 7 veces en la mesa R3, y las barajas lo tienen 6", "The Ks was seen 7 times at table R3; the packs hold 6"},
		{session.Finding{Code: finding.AnnouncementWrong, What: "last", Expected: int64(3), Observed: round.Null},
			"Se anunció mal en la mesa R3 (jugadas que quedan): – en lugar de 3",
			"Announced wrong at table R3 (rounds left): – instead of 3"},
		{session.Finding{Code: finding.AnnouncementWrong, What: "min", Expected: int64(500), Observed: int64(1000)},
			"Se anunció mal en la mesa R3 (mínimo): 10,00 € en lugar de 5,00 €", "Announced wrong at table R3 (minimum): €10.00 instead of €5.00"},
		{session.Finding{Code: finding.AnnouncementMissing, Expected: "limits_change"},
			"No se anunció en la mesa R3: el cambio de mínimo", "It was not announced at table R3: the change of the minimum"},
		{session.Finding{Code: finding.LimitRatioWrong, Expected: "25|50|100", Observed: int64(9000)},
			"El máximo de la mesa R3, 90,00 €, no guarda con el mínimo la relación 25, 50 o 100", "The maximum of table R3, €90.00, is not 25, 50 or 100 times the minimum"},
		{session.Finding{Code: "of another world"}, "of another world", "of another world"},
	} {
		if got := Happening(words.ES, "R3", &c.f); got != c.es {
			t.Errorf("es\n got %s\nwant %s", got, c.es)
		}
		if got := Happening(words.EN, "R3", &c.f); got != c.en {
			t.Errorf("en\n got %s\nwant %s", got, c.en)
		}
	}
}

// No sentence has a word of the contract that is none of the language.
func TestHappeningsAreInWords(t *testing.T) {
	data, err := os.ReadFile(shared.Dir(t, "cases", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`[a-z]_[a-z]|[{|]|\b(closed|locked|unlocked|removed|any|backs|min|set|last)\b`)
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var c struct{ Record json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		rec, err := session.Parse(c.Record)
		if err != nil {
			continue // a case of what is malformed, or of a room
		}
		v, err := session.Check(books.Shipped(t), rec)
		if err != nil {
			continue
		}
		for i := range v.Findings {
			n++
			if said := Happening(words.ES, "R3", &v.Findings[i]); code.MatchString(said) {
				t.Errorf("%s: %s", rec.ID, said)
			}
		}
	}
	if n == 0 {
		t.Error("no case has a finding")
	}
}
