// Package peer lets the consoles of the members speak to one another: a request for what
// another machine has goes there, in the name of whoever sent it, and questions to all
// machines are asked of all. Who asks is vouched for by a signature of their shared
// secret that counts for one request and half a minute; what they may do the asked machine
// decides, as for anybody.
package peer

import (
	"cmp"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Node is another member.
type Node struct {
	Name    string    `json:"name"`
	Role    string    `json:"role"`
	Address string    `json:"address"` // of its console, a URL
	Version string    `json:"version"`
	Tables  []string  `json:"tables"` // that it runs
	Load    float64   `json:"load"`
	Since   time.Time `json:"since"`
	Away    bool      `json:"away"` // it was there, and is not now
}

// Members lists the machines of the cluster.
type Members interface {
	Self() Node
	// Nodes are the others, by name, those too that are away.
	Nodes() []Node
	// Owner is the node that runs a table.
	Owner(table string) (Node, bool)
}

// Config of Peers.
type Config struct {
	Members Members
	Secret  string      // of the members
	TLS     *tls.Config // toward others; nil = the machine's authorities
	Log     *slog.Logger
	Now     func() time.Time
}

// ErrSecret means that machines cannot vouch for anybody.
var ErrSecret = errors.New("several machines need a secret of their own, the same on all: set `secret:`")

// patience is how long another machine has to take a connection, and half of what a question may take.
const patience = 2 * time.Second

// leastSecret is the length from which on a secret is one.
const leastSecret = 32

// Peers are the other machines as this one speaks to them.
type Peers struct {
	Members
	cfg  Config
	seal sealer
	http *http.Transport
}

// New makes the peers of a node. It fails with ErrSecret without a secret of at least 32
// characters.
func New(cfg Config) (*Peers, error) {
	if len(cfg.Secret) < leastSecret {
		return nil, ErrSecret
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	dial := net.Dialer{Timeout: patience, KeepAlive: 5 * time.Second}
	seen := map[string]time.Time{}
	return &Peers{Members: cfg.Members, cfg: cfg, seal: sealer{key: keyOf(cfg.Secret), seen: seen}, http: &http.Transport{
		DialContext: dial.DialContext, TLSClientConfig: cfg.TLS.Clone(), TLSHandshakeTimeout: patience,
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
	}}, nil
}

// Close gives up what is kept open toward others.
func (p *Peers) Close() { p.http.CloseIdleConnections() }

// Node is another machine by its name.
func (p *Peers) Node(name string) (Node, bool) {
	for _, n := range p.Nodes() {
		if n.Name == name {
			return n, true
		}
	}
	return Node{}, false
}
