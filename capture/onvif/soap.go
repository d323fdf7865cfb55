// Package onvif finds network cameras and asks them for their streams: WS-Discovery
// (OASIS, 1.1), and of ONVIF the device service and the media services of profile S
// (ver10) and profile T (ver20).
package onvif

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"vision/capture/login"
)

// Namespaces of the services.
const (
	nsDevice = "http://www.onvif.org/ver10/device/wsdl"
	nsMedia  = "http://www.onvif.org/ver10/media/wsdl"
	nsMedia2 = "http://www.onvif.org/ver20/media/wsdl"
)

// Errors that calls wrap.
var (
	ErrRefused = errors.New("the camera refuses user or password: give those of its ONVIF user, and switch ONVIF on in its settings")
	// ErrElsewhere is a redirect; only the address that was asked gets user and password.
	ErrElsewhere = errors.New("the device redirects to another address, which is not followed: if it is right, enter it")
	ErrForeign   = errors.New("no ONVIF device answers there: check the address, and that ONVIF is switched on in the camera's settings")
)

// maxAnswer bounds what a device may answer, in bytes.
const maxAnswer = 1 << 20

// client calls one device.
type client struct {
	user, pass string
	offset     time.Duration // of the device's clock: WS-Security wants the device's time
	date       time.Time     // of the last answer, as its head says; zero: it says nothing
	http       *http.Client
}

// maxRedirects is how often in a row a device may send its client on, within its address.
const maxRedirects = 3

func newClient(user, pass string) *client {
	var way http.RoundTripper = http.DefaultTransport.(*http.Transport).Clone()
	if user != "" { // profile T: HTTP digest (RFC 7616)
		way = &login.Transport{User: user, Pass: pass, Way: way}
	}
	return &client{user: user, pass: pass, http: &http.Client{Transport: way, Timeout: 5 * time.Second,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if from := via[0].URL; len(via) > maxRedirects || r.URL.Scheme != from.Scheme || r.URL.Host != from.Host {
				return ErrElsewhere
			}
			return nil
		}}}
}

// envelope is an answer; fields are matched by their local names.
type envelope[T any] struct {
	XMLName xml.Name `xml:"Envelope"`
	Body    struct {
		Fault *fault `xml:"Fault"`
		Inner T      `xml:",any"`
	} `xml:"Body"`
}

// fault is SOAP 1.2's (§5.4).
type fault struct {
	Code struct {
		Value   string
		Subcode struct{ Value string }
	}
	Reason struct{ Text string }
}

func (f *fault) err() error {
	what := strings.TrimSpace(f.Reason.Text + " " + f.Code.Subcode.Value)
	if strings.Contains(f.Code.Subcode.Value, "NotAuthorized") {
		return fmt.Errorf("%w (%s)", ErrRefused, what)
	}
	return fmt.Errorf("the camera answers with a fault: %s", what)
}

// parse reads a device's answer.
func parse[T any](r io.Reader) (T, error) {
	var e envelope[T]
	d := xml.NewDecoder(io.LimitReader(r, maxAnswer))
	d.Strict = false // devices are careless with entities
	if err := d.Decode(&e); err != nil {
		return e.Body.Inner, fmt.Errorf("%w (%w)", ErrForeign, err)
	}
	if e.Body.Fault != nil {
		return e.Body.Inner, e.Body.Fault.err()
	}
	return e.Body.Inner, nil
}

// call asks a service; request is the element in the body.
func call[T any](ctx context.Context, c *client, address, request string) (out T, err error) {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">`)
	if c.user != "" {
		b.WriteString("<s:Header>" + c.token(time.Now()) + "</s:Header>")
	}
	b.WriteString("<s:Body>" + request + "</s:Body></s:Envelope>")
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(b.Bytes()))
	if err != nil {
		return out, fmt.Errorf("onvif: %w", err)
	}
	r.Header.Set("Content-Type", "application/soap+xml; charset=utf-8")
	res, err := c.http.Do(r)
	if unknown := (*login.UnsupportedError)(nil); errors.As(err, &unknown) {
		return out, unknown
	}
	if errors.Is(err, ErrElsewhere) {
		return out, ErrElsewhere
	}
	if err != nil {
		return out, fmt.Errorf("%w (%w)", ErrForeign, err)
	}
	defer res.Body.Close()
	c.date, _ = http.ParseTime(res.Header.Get("Date"))
	switch {
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return out, ErrRefused
	case res.StatusCode == http.StatusNotFound:
		return out, fmt.Errorf("%w (%s)", ErrForeign, res.Status)
	}
	return parse[T](res.Body)
}

// token is a WS-Security UsernameToken with a digest of the password (OASIS WSS
// Username Token Profile 1.1 §3.1): older devices know no other way. SHA-1 is what the
// profile has.
func (c *client) token(now time.Time) string {
	var nonce [16]byte
	_, _ = rand.Read(nonce[:]) // never fails
	created := now.Add(c.offset).UTC().Format("2006-01-02T15:04:05.000Z")
	h := sha1.New()
	h.Write(nonce[:])
	io.WriteString(h, created+c.pass)
	const wss = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
	return fmt.Sprintf(`<w:Security xmlns:w="%[1]swssecurity-secext-1.0.xsd" xmlns:u="%[1]swssecurity-utility-1.0.xsd" s:mustUnderstand="1">`+
		`<w:UsernameToken><w:Username>%[2]s</w:Username>`+
		`<w:Password Type="%[1]susername-token-profile-1.0#PasswordDigest">%[3]s</w:Password>`+
		`<w:Nonce EncodingType="%[1]ssoap-message-security-1.0#Base64Binary">%[4]s</w:Nonce>`+
		`<u:Created>%[5]s</u:Created></w:UsernameToken></w:Security>`, wss, escape(c.user),
		base64.StdEncoding.EncodeToString(h.Sum(nil)), base64.StdEncoding.EncodeToString(nonce[:]), created)
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // into memory: cannot fail
	return b.String()
}
