package console

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limiter slows down those who guess: per key, five attempts at once and one
// every six seconds after that.
type limiter struct {
	mu   sync.Mutex
	keys map[string]*rate.Limiter
}

// limiterKeys bounds the memory an attacker can make it take.
const limiterKeys = 10_000

func newLimiter() *limiter { return &limiter{keys: map[string]*rate.Limiter{}} }

// allow takes one attempt of key, and says how long to wait when there is none.
func (l *limiter) allow(key string, now time.Time) (bool, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.keys[key]
	if !ok {
		if len(l.keys) >= limiterKeys {
			for k, r := range l.keys {
				if r.TokensAt(now) >= 5 {
					delete(l.keys, k)
				}
			}
		}
		if len(l.keys) >= limiterKeys {
			return false, time.Minute
		}
		r = rate.NewLimiter(rate.Every(6*time.Second), 5)
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
