package bus

import (
	"context"
	"crypto/tls"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/internal/redact"
)

// How long Redis may take. An attempt is not made again at once: the spool tries again, in
// order, and so does whoever renews a lease.
const (
	dialTimeout = 2 * time.Second
	wordTimeout = 3 * time.Second
	noRetry     = -1
)

// connect makes the client of an address: of one Redis or Valkey; with ?master_name=NAME of
// the master that Sentinels at this address and at each further addr= name; with addr= alone
// of a Cluster.
func (b *Bus) connect() (redis.UniversalClient, error) {
	silence()
	u, err := redact.Parse(b.opts.URL)
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	switch q := u.Query(); {
	case q.Has("master_name"):
		o, err := redis.ParseFailoverURL(b.opts.URL)
		if err != nil {
			return nil, unusable(err)
		}
		o.TLSConfig = b.trusted(o.TLSConfig)
		o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.MaxRetries = dialTimeout, wordTimeout, wordTimeout, noRetry
		o.ContextTimeoutEnabled = true
		return redis.NewFailoverClient(o), nil
	case q.Has("addr"):
		o, err := redis.ParseClusterURL(b.opts.URL)
		if err != nil {
			return nil, unusable(err)
		}
		o.TLSConfig = b.trusted(o.TLSConfig)
		o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.MaxRetries = dialTimeout, wordTimeout, wordTimeout, noRetry
		o.ContextTimeoutEnabled = true
		return redis.NewClusterClient(o), nil
	}
	o, err := redis.ParseURL(b.opts.URL)
	if err != nil {
		return nil, unusable(err)
	}
	o.TLSConfig = b.trusted(o.TLSConfig)
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.MaxRetries = dialTimeout, wordTimeout, wordTimeout, noRetry
	o.ContextTimeoutEnabled = true
	return redis.NewClient(o), nil
}

func unusable(err error) error {
	return fmt.Errorf("%w; want redis://host:port, with ?master_name=NAME for Sentinel, "+
		"?addr=host:port for a Cluster", err)
}

// trusted is how TLS is spoken, where it is.
func (b *Bus) trusted(of *tls.Config) *tls.Config {
	if of == nil || b.opts.TLS == nil {
		return of
	}
	own := b.opts.TLS.Clone()
	own.ServerName = of.ServerName
	return own
}

// silence takes from go-redis its one logger of the whole process, which writes
// to standard error at every attempt to connect: the bus says itself that Redis
// is down, once.
var silence = sync.OnceFunc(func() { redis.SetLogger(silent{}) })

type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}
