package trial

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/fit"
)

// stood is a stack that stood in a zone, with what each rest of the zone told of it.
type stood struct {
	at    fact.Point
	chips []string
	looks []fact.Stack
}

// standing gives the stacks of kept facts that were read in several rests: with the same chip
// on top within six millimetres. Within a rest the last reading has those before in it.
func standing(t *testing.T, file string) (all []*stood) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stand, since := map[string][]*stood{}, map[string]time.Time{}
	dec := json.NewDecoder(f)
	for dec.More() {
		var one fed
		if err := dec.Decode(&one); err != nil {
			t.Logf("%s: %v; what stands before is taken", file, err)
			break
		}
		o := one.Seen
		if o == nil || o.Kind != fact.Stable || o.Note != "" {
			continue
		}
		again, was := since[o.Zone].Equal(o.Since), stand[o.Zone]
		stand[o.Zone], since[o.Zone] = nil, o.Since
		for _, s := range o.Chips {
			if len(s.Chips) == 0 {
				continue
			}
			top := s.Chips[len(s.Chips)-1]
			i := slices.IndexFunc(was, func(w *stood) bool {
				return w.chips[len(w.chips)-1] == top && math.Hypot(w.at[0]-s.At[0], w.at[1]-s.At[1]) <= 6
			})
			w := &stood{}
			if i < 0 {
				all = append(all, w)
			} else {
				w = was[i] // before it is deleted: in one statement either may come first
				was = slices.Delete(was, i, i+1)
			}
			if w.at, w.chips = s.At, s.Chips; again && len(w.looks) > 0 {
				w.looks = w.looks[:len(w.looks)-1]
			}
			w.looks = append(w.looks, s)
			stand[o.Zone] = append(stand[o.Zone], w)
		}
	}
	return slices.DeleteFunc(all, func(w *stood) bool { return len(w.looks) < 2 })
}

// odds are the log odds that each look gives to what most of them say of a stack, and how often
// one said otherwise than the one before.
func (w *stood) odds() (out []float64, changes int) {
	votes, best := map[string]float64{}, ""
	for i, s := range w.looks {
		k := strings.Join(s.Chips, "+")
		if votes[k] += s.P; votes[k] > votes[best] {
			best = k
		}
		if i > 0 && !slices.Equal(s.Chips, w.looks[i-1].Chips) {
			changes++
		}
	}
	for _, s := range w.looks {
		const surest = 0.999
		p := min(s.P, surest)
		if strings.Join(s.Chips, "+") != best {
			p = (1 - p) / 2
		}
		out = append(out, math.Log(p/(1-p)))
	}
	return out, changes
}

// Fits how far looks at one stack err alike, and how often one that stands is changed, to the
// rounds that LOOKS_KEPT names: files that lab bench e2e --keep kept of pictures.
func TestFitLooks(t *testing.T) {
	files, err := filepath.Glob(os.Getenv("LOOKS_KEPT"))
	if err != nil || len(files) == 0 {
		t.Skip("fits only to kept rounds (LOOKS_KEPT='DIR/*.jsonl')")
	}
	var groups [][]float64
	n, changes := 0, 0
	for _, file := range files {
		for _, w := range standing(t, file) {
			g, c := w.odds()
			groups, n, changes = append(groups, g), n+len(g), changes+c
			if c > 0 {
				t.Logf("%s: %+v", file, w.looks)
			}
		}
	}
	if len(groups) < 2 {
		t.Fatalf("%d stacks of %d rounds were read more than once; keep more", len(groups), len(files))
	}
	t.Logf("alike %.2f: %d looks at %d stacks in %d files; %d of %d looks again said otherwise",
		fit.Correlation(groups), n, len(groups), len(files), changes, n-len(groups))
}
