package push

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/smtp"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"time"

	"vision/internal/config"
	"vision/internal/text"
	"vision/stream/alert"
)

// mailer sends through one mail server; STARTTLS is demanded unless that is this machine.
type mailer config.Mail

// mailLimit is how long one mail may take.
const mailLimit = 20 * time.Second

func (m mailer) send(ctx context.Context, a told, lang string, trust *tls.Config) error {
	ctx, cancel := context.WithTimeout(ctx, mailLimit)
	defer cancel()
	host, _, err := net.SplitHostPort(m.Server)
	if err != nil {
		return fmt.Errorf("mail: server %q: want host:port", m.Server)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", m.Server)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	c, err := smtp.NewClient(conn, host)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	if err := m.deliver(c, host, m.text(a, lang), trust); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	return c.Quit()
}

func (m mailer) deliver(c *smtp.Client, host string, text []byte, trust *tls.Config) error {
	if ok, _ := c.Extension("STARTTLS"); ok {
		trust = cmp.Or(trust, &tls.Config{MinVersion: tls.VersionTLS12}).Clone()
		trust.ServerName = host
		if err := c.StartTLS(trust); err != nil {
			return err
		}
	} else if host != "localhost" && !net.ParseIP(host).IsLoopback() {
		return errors.New("the server offers no STARTTLS: alerts are not sent in the clear")
	}
	if m.User != "" {
		if err := c.Auth(smtp.PlainAuth("", m.User, m.Password, host)); err != nil {
			return err
		}
	}
	return refusal(m.hand(c, text))
}

// refusal marks what the server will not take later either (RFC 5321 §4.2.1: 5yz).
func refusal(err error) error {
	var reply *textproto.Error
	if errors.As(err, &reply) && reply.Code >= 500 {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	return err
}

// hand hands the message over.
func (m mailer) hand(c *smtp.Client, text []byte) error {
	if err := c.Mail(m.From); err != nil {
		return err
	}
	for _, to := range m.To {
		if err := c.Rcpt(to); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Close()
}

// firmness is how sure an alert is, in words, and what to do, from a probability on: as the wall says it.
var firmness = []struct {
	from float64
	said text.Text
}{
	{0.95, text.Text{
		ES: "Firme. El vídeo lo muestra: puede hablar con el croupier.",
		EN: "Firm. The recording shows it: you can speak to the croupier.",
	}},
	{0.75, text.Text{
		ES: "Probable. Mire el vídeo antes de hablar con el croupier.",
		EN: "Likely. Watch the recording before you speak to the croupier.",
	}},
	{0, text.Text{
		ES: "Posible. Mire el vídeo; no interrumpa el juego.",
		EN: "Possible. Watch the recording; do not interrupt the game.",
	}},
}

// advice says how sure an alert is and what to do; "" where nothing was weighed.
func advice(a told, lang string) string {
	if a.Probability <= 0 || a.Kind != "finding" && a.Kind != "variance" {
		return ""
	}
	for _, f := range firmness {
		if a.Probability >= f.from {
			return f.said.In(lang)
		}
	}
	return ""
}

// text is the whole message (RFC 5322). Sentences come from tables and persons:
// nothing of them may become a header.
func (m mailer) text(a told, lang string) []byte {
	what := a.In(lang)
	table, norm := text.Text{ES: "Mesa", EN: "Table"}.In(lang), text.Text{ES: "Norma", EN: "Norm"}.In(lang)
	happened := text.Text{ES: "Ocurrió", EN: "Happened"}.In(lang)
	escalated := text.Text{ES: "Elevada: nadie la ha atendido", EN: "Escalated: nobody has taken it"}.In(lang)
	line := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' {
				return ' '
			}
			return r
		}, s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nDate: %s\r\nMessage-ID: <%s@vision>\r\n", line(m.From), line(strings.Join(m.To, ", ")), time.Now().Format(time.RFC1123Z), rand.Text())
	of := strings.TrimSpace("vision " + a.Table)
	fmt.Fprintf(&b, "Subject: %s\r\nMIME-Version: 1.0\r\n", mime.QEncoding.Encode("utf-8", line(of+": "+what)))
	between := ""
	if a.Picture != nil {
		between = "\r\n--" + rand.Text()
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%s\r\n%s\r\n", between[4:], between)
	}
	fmt.Fprintf(&b, "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n", line(what))
	if do := advice(a, lang); do != "" {
		b.WriteString(do + "\r\n")
	}
	b.WriteString("\r\n")
	for _, x := range [][2]string{{table, a.Table}, {norm, a.Rule}, {happened, a.At.Local().Format("2006-01-02 15:04:05")}} {
		if x[1] != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", x[0], line(x[1]))
		}
	}
	if a.State == alert.Escalation {
		fmt.Fprintf(&b, "%s\r\n", escalated)
	}
	if m.Link != "" {
		fmt.Fprintf(&b, "\r\n%s/review#%s\r\n", line(strings.TrimSuffix(m.Link, "/")), url.PathEscape(a.ID)) // the alert itself
	}
	if a.Picture != nil { // base64 in lines of at most 76 (RFC 2045 §6.8)
		fmt.Fprintf(&b, "%s\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: inline; filename=alert.jpg\r\n\r\n", between)
		for chunk := range slices.Chunk(a.Picture, 57) {
			b.WriteString(base64.StdEncoding.EncodeToString(chunk) + "\r\n")
		}
		b.WriteString(between[2:] + "--\r\n")
	}
	return []byte(b.String())
}
