package trial

import (
	"math/rand/v2"
	"time"

	"vision/internal/fact"
)

// busy is a reader that gets too little of the machine: now and then one picture
// takes it so long that it misses others.
type busy struct {
	share float64
	rng   *rand.Rand
	until time.Time
	said  []fact.Observation // of the picture that it is busy with
}

func newBusy(cfg Config) *busy {
	return &busy{share: cfg.Starve, rng: rand.New(rand.NewPCG(cfg.Seed, 31))}
}

// at tells whether it is busy.
func (b *busy) at(t time.Time) bool { return t.Before(b.until) }

// begin tells whether the picture of t keeps it busy.
func (b *busy) begin(t time.Time) bool {
	if b.share <= 0 || b.rng.Float64() >= b.share {
		return false
	}
	b.until = t.Add(300*time.Millisecond + time.Duration(b.rng.Float64()*float64(600*time.Millisecond)))
	return true
}
