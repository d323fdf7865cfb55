package peer

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// alone is a house seen from one of its machines.
type alone string

func (a alone) Self() Node              { return Node{Name: string(a)} }
func (alone) Nodes() []Node             { return nil }
func (alone) Owner(string) (Node, bool) { return Node{}, false }

func peers(t *testing.T, name, secret string, now func() time.Time) *Peers {
	t.Helper()
	p, err := New(Config{Members: alone(name), Secret: strings.Repeat(secret, 32), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A machine's word counts for one request, at one machine, once and for half a minute.
func TestWhoseWordIsBelieved(t *testing.T) {
	now := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	a, b := peers(t, "a", "x", clock), peers(t, "b", "x", clock)
	const path = "/api/v1/tables/BJ1/session?node=b"
	vouch := func(p *Peers, to string) string {
		r := httptest.NewRequest("POST", path, nil)
		if err := p.vouch(r, to, Claim{User: "eva", Proof: "p"}); err != nil {
			t.Fatal(err)
		}
		return r.Header.Get(Header)
	}
	ask := func(method, path, header string) (*Claim, error) {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set(Header, header)
		return b.Vouched(r)
	}
	good := vouch(a, "b")
	if c, err := ask("POST", path, good); err != nil || c.User != "eva" || c.From != "a" {
		t.Fatalf("%+v %v", c, err)
	}
	payload, mac, _ := strings.Cut(vouch(a, "b"), ".")
	late := vouch(a, "b")
	for name, try := range map[string]func() (*Claim, error){
		"twice":             func() (*Claim, error) { return ask("POST", path, good) },
		"another request":   func() (*Claim, error) { return ask("POST", "/api/v1/users", vouch(a, "b")) },
		"another method":    func() (*Claim, error) { return ask("DELETE", path, vouch(a, "b")) },
		"another machine":   func() (*Claim, error) { return ask("POST", path, vouch(a, "c")) },
		"another house":     func() (*Claim, error) { return ask("POST", path, vouch(peers(t, "a", "y", clock), "b")) },
		"another signature": func() (*Claim, error) { return ask("POST", path, payload+"x."+mac) },
		"none":              func() (*Claim, error) { return ask("POST", path, payload) },
		"late": func() (*Claim, error) {
			now = now.Add(31 * time.Second)
			defer func() { now = now.Add(-31 * time.Second) }()
			return ask("POST", path, late)
		},
	} {
		if c, err := try(); !errors.Is(err, ErrClaim) || c != nil {
			t.Errorf("%s: %+v %v", name, c, err)
		}
	}
	if c, err := b.Vouched(httptest.NewRequest("GET", "/", nil)); c != nil || err != nil {
		t.Errorf("nobody's word: %+v %v", c, err)
	}
	if _, err := New(Config{Secret: "short"}); !errors.Is(err, ErrSecret) {
		t.Errorf("a secret that can be guessed: %v", err)
	}
}

func FuzzClaim(f *testing.F) {
	p := sealer{key: keyOf("x")}
	good, _ := p.sign(Claim{User: "eva"})
	f.Add(good)
	f.Add("a.b")
	f.Fuzz(func(t *testing.T, header string) {
		if c, err := p.open(header); err == nil && header != good {
			t.Errorf("%q was believed: %+v", header, c)
		}
	})
}
