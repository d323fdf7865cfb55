package push

import (
	"strings"
	"testing"
	"time"

	"vision/internal/text"
	"vision/stream/alert"
)

// A mail leads to its alert, however the console's address is written, and names nothing
// that the alert does not have.
func TestMailSays(t *testing.T) {
	at := time.Date(2026, 11, 21, 4, 50, 0, 0, time.Local)
	for _, c := range []struct {
		link string
		a    alert.Alert
		want string // subject, and text
	}{
		{"https://casa.example", alert.Alert{ID: "R1/1#a", Table: "R1", Localized: text.Localized{ES: "Anuncia 18; es 17"}, Rule: "cantabria-2010 A.1", At: at},
			"vision R1: Anuncia 18; es 17|Anuncia 18; es 17||Mesa: R1|Norma: cantabria-2010 A.1|Ocurrió: 2026-11-21 04:50:00||https://casa.example/review#R1%2F1%23a|"},
		{"https://casa.example/", alert.Alert{ID: "disk", Localized: text.Localized{ES: "Disco lleno"}, At: at},
			"vision: Disco lleno|Disco lleno||Ocurrió: 2026-11-21 04:50:00||https://casa.example/review#disk|"},
		{"", alert.Alert{ID: "disk", Localized: text.Localized{ES: "Disco lleno"}, At: at}, "vision: Disco lleno|Disco lleno||Ocurrió: 2026-11-21 04:50:00|"},
	} {
		head, body, _ := strings.Cut(string(mailer{Link: c.link}.text(c.a, "es")), "\r\n\r\n")
		_, subject, _ := strings.Cut(head, "Subject: ")
		subject, _, _ = strings.Cut(subject, "\r\n")
		if got := subject + "|" + strings.ReplaceAll(body, "\r\n", "|"); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}
