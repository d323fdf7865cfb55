package push

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
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
		{"https://casa.example", alert.Alert{
			ID: "R1/1#a", Kind: "finding", Table: "R1", Localized: text.Localized{ES: "Anuncia 18; es 17"}, Rule: "cantabria-2010 A.1", At: at,
			Probability: 0.88,
		}, "vision R1: Anuncia 18; es 17|Anuncia 18; es 17|Probable. Mire el vídeo antes de hablar con el croupier.||Mesa: R1|Norma: cantabria-2010 A.1|Ocurrió: 2026-11-21 04:50:00||https://casa.example/review#R1%2F1%23a|"},
		{"https://casa.example/", alert.Alert{ID: "disk", Localized: text.Localized{ES: "Disco lleno"}, At: at},
			"vision: Disco lleno|Disco lleno||Ocurrió: 2026-11-21 04:50:00||https://casa.example/review#disk|"},
		{"", alert.Alert{ID: "disk", Localized: text.Localized{ES: "Disco lleno"}, At: at}, "vision: Disco lleno|Disco lleno||Ocurrió: 2026-11-21 04:50:00|"},
	} {
		head, body, _ := strings.Cut(string(mailer{Link: c.link}.text(told{State: c.a.State(), Alert: c.a}, "es")), "\r\n\r\n")
		_, subject, _ := strings.Cut(head, "Subject: ")
		subject, _, _ = strings.Cut(subject, "\r\n")
		if got := subject + "|" + strings.ReplaceAll(body, "\r\n", "|"); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

// A mail with a picture has it behind its text, as it was.
func TestMailer_attachesThePicture(t *testing.T) {
	picture := bytes.Repeat([]byte("JPEG\xff\r\n."), 40)
	m, err := mail.ReadMessage(bytes.NewReader(mailer{From: "vision@casa.example"}.text(told{Picture: picture}, "es")))
	if err != nil {
		t.Fatal(err)
	}
	_, form, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := multipart.NewReader(m.Body, form["boundary"]); ; {
		p, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var body io.Reader = p
		if p.Header.Get("Content-Transfer-Encoding") == "base64" {
			body = base64.NewDecoder(base64.StdEncoding, p)
		}
		b, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Header.Get("Content-Type")+" "+string(b))
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "text/plain") || got[1] != "image/jpeg "+string(picture) {
		t.Errorf("%.80q", got)
	}
}
