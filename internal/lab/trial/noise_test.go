package trial

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
	"vision/internal/wilson"
)

// reading is what was read last of a thing in one rest of its zone.
type reading struct {
	Game  string        `json:"game"`
	Zone  string        `json:"zone"`
	Kind  string        `json:"kind"`
	Tag   int           `json:"tag"` // 0: nothing lies there
	Lay   []string      `json:"lay,omitempty"`
	Since time.Time     `json:"since"`
	Rest  time.Duration `json:"rest"`           // how long the zone had been at rest
	Read  *read         `json:"read,omitempty"` // nil: not found
}

// read is one thing of an observation.
type read struct {
	Best    []string       `json:"best"`
	P       float64        `json:"p"`
	Low     int            `json:"low,omitempty"` // of a pile
	High    int            `json:"high,omitempty"`
	Others  []fact.Content `json:"others,omitempty"`
	Abstain string         `json:"abstain,omitempty"`
	at      fact.Point
}

// things are what an observation has of a kind.
func things(o *fact.Observation, kind string) (out []read) {
	label := func(of []fact.Guess, abstain string, at fact.Point) {
		l, p := fact.Best(of)
		out = append(out, read{Best: []string{l}, P: p, Abstain: abstain, at: at})
	}
	switch kind {
	case "cards":
		for _, c := range o.Cards {
			label(c.Guesses, c.Abstain, c.At)
		}
	case "dice":
		for _, d := range o.Dice {
			label(d.Guesses, cmp.Or(d.Abstain, d.Irregular), d.At)
		}
	case "chips":
		for _, s := range o.Chips {
			out = append(out, read{s.Chips, s.P, s.Low, s.High, s.Others, s.Abstain, s.At})
		}
	}
	return out
}

// readings holds what a table's reader reads against what lies there.
type readings struct {
	game  string
	table *sim.Table
	since map[int]time.Time // by tag: since when it lies
	out   []*reading
	last  map[string][]*reading // by zone: of the present rest
}

// Write takes a line that the bench keeps, at the moment it is read.
func (r *readings) Write(line []byte) (int, error) {
	var one fed
	if r.table == nil {
		return len(line), nil // the head, which is no fact
	}
	if err := json.Unmarshal(line, &one); err != nil {
		return 0, err
	}
	lie, now := r.table.Lying(), map[int]time.Time{}
	for _, p := range lie {
		now[p.Tag] = one.At
		if was, known := r.since[p.Tag]; known {
			now[p.Tag] = was
		}
	}
	r.since = now
	if o := one.Seen; o != nil && o.Kind == fact.Stable && o.Note == "" {
		r.rest(o, lie)
	}
	return len(line), nil
}

// beyond is how far a thing is read from one that it is not, millimetres.
const beyond = 20

// rest pairs what is read of a zone with the things in it that lay there when it came to rest.
func (r *readings) rest(o *fact.Observation, lie []sim.Lying) {
	cal := r.table.Calibration()
	zone, ok := cal.Zone(o.Zone)
	if !ok {
		return
	}
	if was := r.last[o.Zone]; len(was) > 0 && was[0].Since.Equal(o.Since) {
		for _, w := range was {
			w.Tag = -1 // read again in the same rest
		}
	}
	var all []*reading
	for _, kind := range zone.Reads {
		left := things(o, kind)
		for _, p := range lie {
			if p.Kind != kind || !zone.Contains(p.At) {
				continue
			}
			lay := p.Chips
			if p.Label != "" {
				lay = []string{p.Label}
			}
			one := r.of(o, kind)
			one.Tag, one.Lay = p.Tag, lay
			far := func(s read) float64 { return math.Hypot(s.at[0]-p.At[0], s.at[1]-p.At[1]) }
			if len(left) > 0 {
				near := slices.MinFunc(left, func(a, b read) int { return cmp.Compare(far(a), far(b)) })
				if far(near) < beyond {
					one.Read = &near
					left = slices.DeleteFunc(left, func(s read) bool { return s.at == near.at })
				}
			}
			if !p.Clear || r.since[p.Tag].After(o.Since) {
				one.Tag = -1 // came since, or is not in sight
			}
			all = append(all, one)
		}
		for _, s := range left {
			one := r.of(o, kind)
			one.Read = &s
			all = append(all, one)
		}
	}
	r.last[o.Zone] = all
	r.out = append(r.out, all...)
}

// of is a reading of a kind in a rest.
func (r *readings) of(o *fact.Observation, kind string) *reading {
	return &reading{Game: r.game, Zone: o.Zone, Kind: kind, Since: o.Since, Rest: o.Time.Sub(o.Since)}
}

// lives are things that lay on tables, by what was read of them as long as they lay.
type lives struct{ all, wrong, rough, unnamed, never int }

// String is how many of the things were once read wrong by a reader that was sure, roughly, and by no kind, and
// never read.
func (l lives) String() string {
	return fmt.Sprintf("wrong and sure %s; rough %s; without a kind %s; never read %s", wilson.Percent(l.wrong, l.all),
		wilson.Percent(l.rough, l.all), wilson.Percent(l.unnamed, l.all), wilson.Percent(l.never, l.all))
}

// add adds what was read of one thing in the rests that it lay.
func (l *lives) add(all []*reading) {
	var wrong, rough, unnamed, right bool
	for _, r := range all {
		switch {
		case r.Read == nil:
		case len(r.Read.Best) == 0 || r.Read.Best[0] == "":
			unnamed = true
		case r.Read.Abstain != "":
			rough = true
		case slices.Equal(r.Read.Best, r.Lay):
			right = true
		default:
			wrong = true
		}
	}
	for _, c := range []struct {
		of *int
		is bool
	}{{&l.all, true}, {&l.wrong, wrong}, {&l.rough, rough}, {&l.unnamed, unnamed}, {&l.never, !right && !wrong}} {
		if c.is {
			*c.of++
		}
	}
}

// summed are what lay on the tables of a game, by kind, piles of three chips and more by themselves.
func summed(sum map[string]*lives, all []*reading) {
	by := map[string][]*reading{}
	for _, r := range all {
		if r.Tag > 0 {
			k := fmt.Sprint(r.Kind, r.Tag, r.Zone, r.Lay)
			by[k] = append(by[k], r)
		}
	}
	for _, one := range by {
		kind := one[0].Kind
		if kind == "chips" && len(one[0].Lay) >= 3 {
			kind = "chips, three and more"
		}
		if sum[kind] == nil {
			sum[kind] = &lives{}
		}
		sum[kind].add(one)
	}
}

// What readers read of the things on drawn tables under house conditions, two rounds of each game, for the noise of
// made rounds (tracktest.Real): NOISE_GAMES names games, NOISE_SEED a seed, NOISE_OUT a file for each reading.
func TestReadNoise(t *testing.T) {
	path := os.Getenv("NOISE_OUT")
	if path == "" {
		t.Skip("measures only where it is asked for a file (NOISE_OUT)")
	}
	house, err := condition.Named(condition.House)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := strconv.ParseUint(os.Getenv("NOISE_SEED"), 10, 64)
	if err != nil {
		t.Fatalf("NOISE_SEED: %v", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	enc, sum := json.NewEncoder(f), map[string]*lives{}
	for _, game := range strings.Split(os.Getenv("NOISE_GAMES"), ",") {
		all := played(t, Config{Game: game, Seed: SeedOf(seed, game), Rounds: 2, Condition: house, FPS: 8})
		for _, one := range all {
			if err := enc.Encode(one); err != nil {
				t.Fatal(err)
			}
		}
		summed(sum, all)
		t.Logf("%s: %d readings", game, len(all))
	}
	for _, kind := range slices.Sorted(maps.Keys(sum)) {
		t.Logf("%s: %v", kind, sum[kind])
	}
}

// played gives what was read last of each thing in each rest of its zone, where a table was played.
func played(t *testing.T, cfg Config) []*reading {
	t.Helper()
	books, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	r := &readings{game: cfg.Game, since: map[int]time.Time{}, last: map[string][]*reading{}}
	cfg.Keep = r
	b, err := newBench(cfg, books)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	r.table = b.cameras[0].sim
	if err := b.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(r.out, func(one *reading) bool { return one.Tag < 0 })
}
