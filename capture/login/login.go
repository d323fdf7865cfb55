// Package login answers the log-in challenges of cameras: Digest (RFC 7616, and RFC 2617
// for those that know no other) and Basic (RFC 7617), for RTSP and for HTTP.
package login

import (
	"bytes"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/icholy/digest"
)

// UnsupportedError is a log-in of which no method is known.
type UnsupportedError struct {
	Methods []string // as the camera names them
}

func (e *UnsupportedError) Error() string {
	if len(e.Methods) == 0 {
		return "the camera asks for a log-in but names no method: set it to digest"
	}
	return fmt.Sprintf("the log-in method %s is not supported: set the camera to digest with MD5 or SHA-256", strings.Join(e.Methods, ", "))
}

// maxOffers bounds how many challenges of one answer are looked at.
const maxOffers = 16

// Challenge is what a camera asks a client to prove. One goroutine uses it.
type Challenge struct {
	digest  *digest.Challenge // nil: Basic
	named   string            // the algorithm as the camera writes it
	session bool              // an algorithm with -sess
	count   int               // of answers with this nonce
}

// Choose takes the strongest of the challenges of an answer (the values of its
// WWW-Authenticate headers) that is known; else the error is an *UnsupportedError.
func Choose(headers []string) (*Challenge, error) {
	var best *Challenge
	var unknown []string
	for i, offer := range offers(headers) {
		if i >= maxOffers {
			break
		}
		c, why := parse(offer)
		switch {
		case why != "":
			if !slices.Contains(unknown, why) {
				unknown = append(unknown, why)
			}
		case best == nil || c.rank() > best.rank():
			best = c
		}
	}
	if best == nil {
		return nil, &UnsupportedError{unknown}
	}
	return best, nil
}

// rank orders by strength.
func (c *Challenge) rank() int {
	switch {
	case c.digest == nil:
		return 0
	case strings.HasPrefix(c.digest.Algorithm, "SHA"):
		return 2
	}
	return 1
}

// Stale reports that the nonce was too old and the password not looked at (RFC 7616 §3.3).
func (c *Challenge) Stale() bool { return c.digest != nil && c.digest.Stale }

// Answer is the value of the Authorization header for one request.
func (c *Challenge) Answer(user, pass, method, uri string, body []byte) (string, error) {
	if c.digest == nil {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+pass)), nil
	}
	c.count++
	o := digest.Options{Method: method, URI: uri, Username: user, Password: pass, Count: c.count, Cnonce: rand.Text(),
		GetBody: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }}
	if c.session { // RFC 7616 §3.4.2
		h := algorithms[c.digest.Algorithm]
		o.A1 = sum(h, sum(h, user+":"+c.digest.Realm+":"+pass)+":"+c.digest.Nonce+":"+o.Cnonce)
	}
	got, err := digest.Digest(c.digest, o)
	if err != nil {
		return "", fmt.Errorf("log-in: %w", err)
	}
	got.Algorithm = c.named
	out := got.String()
	if c.session && got.QOP == "" { // the other side needs it for A1
		out += `, cnonce="` + o.Cnonce + `"`
	}
	return out, nil
}

// algorithms are those that are known, by their names in capitals.
var algorithms = map[string]func() hash.Hash{"": md5.New, "MD5": md5.New, "SHA-256": sha256.New, "SHA-512-256": sha512.New512_256}

func sum(h func() hash.Hash, text string) string {
	d := h()
	io.WriteString(d, text)
	return hex.EncodeToString(d.Sum(nil))
}

// parse reads one challenge; unknown names a method that cannot be answered.
func parse(offer string) (c *Challenge, unknown string) {
	scheme, rest, _ := strings.Cut(offer, " ")
	switch {
	case strings.EqualFold(scheme, "Basic"):
		return &Challenge{}, ""
	case !strings.EqualFold(scheme, "Digest"):
		return nil, short(scheme)
	}
	p := parameters(rest)
	c = &Challenge{named: p["algorithm"], digest: &digest.Challenge{Realm: p["realm"], Nonce: p["nonce"], Opaque: p["opaque"],
		Stale: strings.EqualFold(p["stale"], "true"), Userhash: strings.EqualFold(p["userhash"], "true")}}
	c.digest.Algorithm, c.session = strings.CutSuffix(strings.ToUpper(c.named), "-SESS")
	c.digest.QOP = strings.FieldsFunc(strings.ToLower(p["qop"]), func(r rune) bool { return r == ',' || r == ' ' })
	switch {
	case c.digest.Nonce == "":
		return nil, "Digest without nonce"
	case algorithms[c.digest.Algorithm] == nil:
		return nil, "Digest with the algorithm " + short(c.named)
	case !digest.CanDigest(c.digest):
		return nil, "Digest with the protection " + short(p["qop"])
	}
	return c, ""
}

// short is a camera's text, fit for a message, and never empty.
func short(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
	if s == "" {
		return "without a name"
	}
	return s[:min(len(s), 40)]
}

// offers parts headers into challenges: one header may hold several (RFC 9110 §11.6.1).
func offers(headers []string) (out []string) {
	for _, h := range headers {
		quoted, from := false, 0
		for i := 0; i < len(h); i++ {
			switch {
			case h[i] == '\\' && quoted:
				i++
			case h[i] == '"':
				quoted = !quoted
			case h[i] == ',' && !quoted && begins(h[i+1:]):
				out = append(out, strings.TrimSpace(h[from:i]))
				from = i + 1
			}
		}
		if rest := strings.TrimSpace(h[from:]); rest != "" {
			out = append(out, rest)
		}
	}
	return out
}

// begins reports whether a text begins with a scheme rather than with a parameter.
func begins(s string) bool {
	word, rest, _ := strings.Cut(strings.TrimLeft(s, " \t"), " ")
	return word != "" && !strings.ContainsAny(word, "=,\"") && !strings.HasPrefix(strings.TrimLeft(rest, " "), "=")
}

// parameters reads key="value" pairs, and what cameras make of them: without quotes, in
// capitals, with a comma too many. The first of a name counts.
func parameters(s string) map[string]string {
	out := map[string]string{}
	for {
		key, rest, ok := strings.Cut(strings.TrimLeft(s, " \t,"), "=")
		if !ok {
			return out
		}
		var value strings.Builder
		rest = strings.TrimLeft(rest, " \t")
		if in, quoted := strings.CutPrefix(rest, `"`); quoted {
			i := 0
			for ; i < len(in) && in[i] != '"'; i++ {
				if in[i] == '\\' && i+1 < len(in) {
					i++
				}
				value.WriteByte(in[i])
			}
			_, s, _ = strings.Cut(in[min(i, len(in)):], ",")
		} else {
			rest, s, _ = strings.Cut(rest, ",")
			value.WriteString(strings.TrimSpace(rest))
		}
		if key = strings.ToLower(strings.TrimSpace(key)); out[key] == "" {
			out[key] = value.String()
		}
	}
}
