package peer

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Header carries a Claim and its signature.
const Header = "Vision-Peer"

// Claim is in whose name a request is sent from one machine to another.
type Claim struct {
	From   string `json:"from"` // machines
	To     string `json:"to"`
	Method string `json:"method"`
	URI    string `json:"uri"`
	At     int64  `json:"at"` // milliseconds since 1970
	ID     string `json:"id"` // no other request has it

	// User is who asks; "" for a stranger, and for the machine itself with Machine.
	User    string `json:"user,omitempty"`
	Machine bool   `json:"machine,omitempty"`
	Proof   string `json:"proof,omitempty"`   // account.Proof as the sender knows it
	Strong  bool   `json:"strong,omitempty"`  // with a second factor
	Session string `json:"session,omitempty"` // where they logged in, as it is kept
	Bearer  bool   `json:"bearer,omitempty"`  // by a token
	Host    string `json:"host,omitempty"`    // address they came from
}

// life is how long a claim counts, and by how much clocks may differ.
const life = 30 * time.Second

// ErrClaim is of requests that pretend to come from another member.
var ErrClaim = errors.New("another machine's word is not believed")

// sealer signs claims and believes each once.
type sealer struct {
	key []byte

	mu    sync.Mutex
	seen  map[string]time.Time // ids that counted, until when they must be known
	swept time.Time
}

// keyOf is the key of the signatures; the secret itself signs nothing.
func keyOf(secret string) []byte {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte("vision/peer/1"))
	return m.Sum(nil)
}

func (s *sealer) mac(payload string) string {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(payload))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// sign is the header of a claim.
func (s *sealer) sign(c Claim) (string, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	payload := base64.RawURLEncoding.EncodeToString(raw)
	return payload + "." + s.mac(payload), nil
}

// open reads the header of a claim; it is foreign input.
func (s *sealer) open(header string) (c Claim, err error) {
	payload, mac, _ := strings.Cut(header, ".")
	if !hmac.Equal([]byte(mac), []byte(s.mac(payload))) {
		return Claim{}, fmt.Errorf("%w: it is not signed with this house's `secret:`", ErrClaim)
	}
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil {
		return Claim{}, fmt.Errorf("%w: %w", ErrClaim, err)
	}
	return c, nil
}

// once reports whether an id has not counted before.
func (s *sealer) once(id string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.swept) > life {
		s.swept = now
		for k, until := range s.seen {
			if now.After(until) {
				delete(s.seen, k)
			}
		}
	}
	if _, known := s.seen[id]; known {
		return false
	}
	s.seen[id] = now.Add(2 * life)
	return true
}

// vouch signs a request to another machine in somebody's name.
func (p *Peers) vouch(r *http.Request, to string, c Claim) error {
	c.From, c.To, c.Method, c.URI = p.Self().Name, to, r.Method, r.URL.RequestURI()
	c.At, c.ID = p.cfg.Now().UnixMilli(), rand.Text()
	h, err := p.seal.sign(c)
	if err != nil {
		return fmt.Errorf("speaking for %q: %w", c.User, err)
	}
	r.Header.Set(Header, h)
	return nil
}

// Vouched is in whose name another machine sends a request; nil where none does. Its
// error is ErrClaim: the request must not be answered.
func (p *Peers) Vouched(r *http.Request) (*Claim, error) {
	h := r.Header.Get(Header)
	if h == "" {
		return nil, nil
	}
	c, err := p.seal.open(h)
	if err != nil {
		return nil, err
	}
	now := p.cfg.Now()
	switch off := now.Sub(time.UnixMilli(c.At)); {
	case c.To != p.Self().Name:
		return nil, fmt.Errorf("%w: it is for %q, this is %q", ErrClaim, c.To, p.Self().Name)
	case c.Method != r.Method || c.URI != r.URL.RequestURI():
		return nil, fmt.Errorf("%w: it is about another request", ErrClaim)
	case off > life || off < -life:
		return nil, fmt.Errorf("%w: it is %v old; are the clocks of %s and %s kept by a time service?",
			ErrClaim, off.Round(time.Second), c.From, c.To)
	case !p.seal.once(c.ID, now):
		return nil, fmt.Errorf("%w: it has counted already", ErrClaim)
	}
	return &c, nil
}
