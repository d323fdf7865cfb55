package reader

import (
	"hash/maphash"
	"time"

	"vision/internal/av"
)

// Thresholds to report a camera's pictures as repeated, and to end that.
const (
	repeatsLeast = 3               // key pictures in a row that were all there before: one by one chance, three by none
	repeatsOver  = 5 * time.Second // and for how long: no alert for a hiccup
	freshLeast   = 2               // new ones in a row that end it: a rate control may code one still picture anew
	// key pictures that are remembered, an hour of most cameras; a longer loop is not noticed
	repeatsKept = 4096
	// bytes a pixel of a key picture: one that is coded more coarsely may have lost all noise
	codedLeast = 0.015
)

// repeats detects that a camera sends the same pictures again: its sensor, its encoder or
// what lies between is frozen, or somebody plays a recording.
//
// A table on which nothing moves looks alike, but no two of its key pictures are the same
// to the bit: each codes the sensor's noise anew. The pictures between them prove nothing:
// encoders pass over noise, and most copy the one before for seconds. One goroutine owns it.
type repeats struct {
	seed  maphash.Seed
	seen  map[uint64]time.Time // of key pictures: when they came first
	order []uint64             // the same in a ring, oldest at next
	next  int

	last         uint64    // the key picture before
	at           time.Time // when that came
	again, fresh int       // in a row
	since        time.Time // from when the pictures may be untrue
	verdict      verdict
}

// verdict is the result for a camera's pictures.
type verdict struct {
	known bool
	since time.Time // of the repetition; zero: each is new
}

func newRepeats() *repeats { return &repeats{seed: maphash.MakeSeed(), seen: map[uint64]time.Time{}} }

// look adds the next picture; only key pictures count.
func (r *repeats) look(f *av.Frame) {
	if f.Key && !f.Damaged && float64(f.Bytes) >= codedLeast*float64(f.W*f.H) {
		r.take(sum(r.seed, f.I420()), f.Wall)
	}
}

// take judges by the sum of the next key picture.
func (r *repeats) take(sum uint64, at time.Time) {
	first, old := r.seen[sum]
	if old {
		r.fresh = 0
		if r.again++; r.again == 1 {
			if r.since = r.at; sum == r.last {
				r.since = first
			}
		}
	} else {
		r.keep(sum, at)
		r.fresh, r.again = r.fresh+1, 0
	}
	r.last, r.at = sum, at
	switch {
	case r.again >= repeatsLeast && at.Sub(r.since) >= repeatsOver && r.verdict.since.IsZero():
		r.verdict = verdict{true, r.since}
	case r.fresh >= freshLeast:
		r.verdict = verdict{known: true}
	}
}

func (r *repeats) keep(sum uint64, at time.Time) {
	r.seen[sum] = at
	if len(r.order) < repeatsKept {
		r.order = append(r.order, sum)
		return
	}
	delete(r.seen, r.order[r.next])
	r.order[r.next] = sum
	r.next = (r.next + 1) % repeatsKept
}

// sum is of the luma of what is seen, without what pads its rows.
func sum(seed maphash.Seed, p av.I420) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for y := range p.H {
		h.Write(p.Y[y*p.StrideY : y*p.StrideY+p.W])
	}
	return h.Sum64()
}
