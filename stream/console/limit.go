package console

import (
	"net/netip"
	"sync"
	"time"
)

// Limits per network, and per network and user or table, of log-ins and wrong tokens, and per
// account of new video connections.
const (
	loginBurst = 5
	loginEvery = 6 * time.Second
	codeEvery  = time.Minute // a code of six digits is guessed more easily than a password
	callBurst  = 40
	callEvery  = 250 * time.Millisecond
	// Wrong tokens of one table from a network, and of all tables: a machine that speaks for many
	// may have one wrong.
	tokenBurst, tokenEvery = 5, 6 * time.Second
	tablesBurst            = 40
)

// network is what counts as one sender: an address, of IPv6 its /64, all of which a single
// machine may use (RFC 6177).
func network(host string) string {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	p, _ := ip.Prefix(64) // 64 bits are always there
	return p.String()
}

// limiter slows down those who guess or flood: per key so many attempts at once,
// and then one every so often.
type limiter struct {
	burst int
	every time.Duration

	mu sync.Mutex
	// owed is until when a key's attempts take, one after another.
	owed map[string]time.Time
}

// limiterKeys bounds the memory an attacker can make it take.
const limiterKeys = 10_000

func newLimiter(burst int, every time.Duration) *limiter {
	return &limiter{burst: burst, every: every, owed: map[string]time.Time{}}
}

// allow takes one attempt of key, and says how long to wait when there is none.
func (l *limiter) allow(key string, now time.Time) (bool, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	owed, known := l.owed[key]
	if !known {
		l.room(now)
	}
	if owed.Before(now) {
		owed = now
	}
	if wait := owed.Sub(now) - time.Duration(l.burst-1)*l.every; wait > 0 {
		return false, wait
	}
	l.owed[key] = owed.Add(l.every)
	return true, 0
}

// wait is how long there is no attempt of key.
func (l *limiter) wait(key string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	owed := l.owed[key]
	if owed.Before(now) {
		return 0
	}
	return max(0, owed.Sub(now)-time.Duration(l.burst-1)*l.every)
}

// forgive gives the attempts of keys back: they were right.
func (l *limiter) forgive(keys ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range keys {
		if owed, ok := l.owed[key]; ok {
			l.owed[key] = owed.Add(-l.every)
		}
	}
}

// owes reports whether attempts of key count still.
func (l *limiter) owes(key string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.owed[key].After(now)
}

// room makes room for a key. Where there is none, some key's attempts are forgotten: a flood
// from everywhere must not keep everybody out.
func (l *limiter) room(now time.Time) {
	if len(l.owed) < limiterKeys {
		return
	}
	for k, owed := range l.owed {
		if !owed.After(now) {
			delete(l.owed, k)
		}
	}
	for k := range l.owed {
		if len(l.owed) < limiterKeys {
			return
		}
		delete(l.owed, k)
	}
}
