package console

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits per address and per user of log-ins, and per account of new video
// connections.
const (
	loginBurst = 5
	loginEvery = 6 * time.Second
	codeEvery  = time.Minute // a code of six digits is guessed more easily than a password
	callBurst  = 40
	callEvery  = 250 * time.Millisecond
)

// limiter slows down those who guess or flood: per key so many attempts at once,
// and then one every so often.
type limiter struct {
	burst int
	every time.Duration

	mu   sync.Mutex
	keys map[string]*rate.Limiter
}

// limiterKeys bounds the memory an attacker can make it take.
const limiterKeys = 10_000

func newLimiter(burst int, every time.Duration) *limiter {
	return &limiter{burst: burst, every: every, keys: map[string]*rate.Limiter{}}
}

// allow takes one attempt of key, and says how long to wait when there is none.
func (l *limiter) allow(key string, now time.Time) (bool, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.keys[key]
	if !ok {
		if len(l.keys) >= limiterKeys {
			for k, r := range l.keys {
				if r.TokensAt(now) >= float64(l.burst) {
					delete(l.keys, k)
				}
			}
		}
		if len(l.keys) >= limiterKeys {
			return false, time.Minute
		}
		r = rate.NewLimiter(rate.Every(l.every), l.burst)
		l.keys[key] = r
	}
	if r.AllowN(now, 1) {
		return true, 0
	}
	res := r.ReserveN(now, 1)
	wait := res.DelayFrom(now)
	res.CancelAt(now)
	return false, wait
}
