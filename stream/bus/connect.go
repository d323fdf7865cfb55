package bus

import (
	"crypto/tls"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

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
	logging.Disable() // go-redis writes at every attempt to connect: the bus says itself that Redis is down, once
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
		b.tune(&o.TLSConfig, &o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.MaxRetries, &o.ContextTimeoutEnabled)
		return redis.NewFailoverClient(o), nil
	case q.Has("addr"):
		o, err := redis.ParseClusterURL(b.opts.URL)
		if err != nil {
			return nil, unusable(err)
		}
		b.tune(&o.TLSConfig, &o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.MaxRetries, &o.ContextTimeoutEnabled)
		return redis.NewClusterClient(o), nil
	}
	o, err := redis.ParseURL(b.opts.URL)
	if err != nil {
		return nil, unusable(err)
	}
	b.tune(&o.TLSConfig, &o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.MaxRetries, &o.ContextTimeoutEnabled)
	return redis.NewClient(o), nil
}

func unusable(err error) error {
	return fmt.Errorf("%w; want redis://host:port, with ?master_name=NAME for Sentinel, "+
		"?addr=host:port for a Cluster", err)
}

// tune sets how long is waited, and how TLS is spoken where it is.
func (b *Bus) tune(trust **tls.Config, dial, read, write *time.Duration, retries *int, byContext *bool) {
	*dial, *read, *write, *retries, *byContext = dialTimeout, wordTimeout, wordTimeout, noRetry, true
	if *trust != nil && b.opts.TLS != nil {
		own := b.opts.TLS.Clone()
		own.ServerName = (*trust).ServerName
		*trust = own
	}
}
