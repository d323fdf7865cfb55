package load

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"sort"
	"strings"
	"time"

	"vision/internal/backoff"
)

// Soaked is how one quantity went over a soak.
type Soaked struct {
	Name        string  `json:"name"`
	First, Last float64 `json:"-"`
	Trend       Trend   `json:"trend"`
	Grows       bool    `json:"grows"` // by more than is allowed, for certain
	// Held tells what is taken and given back one by one: whether it grows shows within minutes,
	// however busy the machine is. Memory fills caches for longer, and threads come with load.
	Held bool `json:"held"`
}

// Leaks reports whether things are not given back: their trend is certain and they are a tenth
// more. Within minutes a few more may be so for long by chance.
func (s Soaked) Leaks() bool { return s.Held && s.Grows && s.Last >= 1.1*s.First }

// held reports whether a quantity of that name is of things that are taken and given back.
func held(name string) bool {
	return slices.ContainsFunc([]string{"goroutines", "open files", "Mats", "pictures"},
		func(things string) bool { return strings.HasSuffix(name, things) })
}

// allowed is the share of its level by which a quantity may certainly grow in an hour: what
// fills caches and pools grows too, ever more slowly.
const allowed = 0.05

// Soak takes samples of this process and its descendants for that long and fits their
// trends: resident memory, open files and threads of each process; goroutines and live
// heap of this one; the bytes of the files that match, by name; and what more counts. What a process took
// before a third of the time had gone is its start and does not count, nor do processes
// that did not live through the rest. profiles is a folder for this process's heap and
// goroutines when it begins to count and at the end, for `go tool pprof -base`; empty: none.
func Soak(
	ctx context.Context,
	d, every time.Duration,
	files map[string]string,
	more func() map[string]float64,
	profiles string,
) ([]Soaked, error) {
	series := map[string][]float64{}
	var at []float64
	begun := time.Now()
	for time.Since(begun) < d {
		if time.Since(begun) >= d/3 {
			if len(at) == 0 {
				if err := profile(profiles, "first"); err != nil {
					return nil, err
				}
			}
			at = append(at, time.Since(begun).Seconds())
			now := quantities(files)
			maps.Copy(now, more())
			for name, v := range now {
				series[name] = append(series[name], v)
			}
		}
		if err := backoff.Sleep(ctx, every); err != nil {
			return nil, err
		}
	}
	if err := profile(profiles, "last"); err != nil {
		return nil, err
	}
	var out []Soaked
	for name, y := range series {
		if len(y) != len(at) {
			continue
		}
		f := FitTrend(at, y)
		out = append(out, Soaked{
			Name: name, First: y[0], Last: y[len(y)-1], Trend: f, Grows: f.Grows(allowed), Held: held(name),
		})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// quantities are what is sampled, now.
func quantities(files map[string]string) map[string]float64 {
	out := map[string]float64{"server goroutines": float64(runtime.NumGoroutine()), "server live heap": liveHeap()}
	for pid, s := range family() {
		who := s.name
		if pid != os.Getpid() {
			who = fmt.Sprintf("%s %d", s.name, pid)
		}
		out[who+" memory"] = float64(s.rss)
		out[who+" open files"] = float64(entries(pid, "fd"))
		out[who+" threads"] = float64(entries(pid, "task"))
	}
	for name, pattern := range files {
		var sum int64
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			if st, err := os.Stat(p); err == nil {
				sum += st.Size()
			}
		}
		out[name] = float64(sum)
	}
	return out
}

// liveHeap is what the newest collection left, bytes.
func liveHeap() float64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64())
}

func entries(pid int, folder string) int {
	d, _ := os.ReadDir(fmt.Sprintf("/proc/%d/%s", pid, folder))
	return len(d)
}

// profile writes what lives on the heap and where goroutines wait, now, into a folder.
func profile(folder, when string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return fmt.Errorf("soak's profiles: %w", err)
	}
	for _, name := range []string{"heap", "goroutine"} {
		f, err := os.Create(filepath.Join(folder, name+"-"+when+".pprof"))
		if err != nil {
			return fmt.Errorf("soak's profiles: %w", err)
		}
		if err := errors.Join(pprof.Lookup(name).WriteTo(f, 0), f.Close()); err != nil {
			return fmt.Errorf("soak's profiles: %w", err)
		}
	}
	return nil
}
