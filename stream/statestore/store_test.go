package statestore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vision/internal/testkit/redistest"
	"vision/stream/bus"
	"vision/stream/statestore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// machine is a node with a store that runs.
type machine struct {
	*statestore.Store
	bus  *bus.Bus
	dir  string
	stop func()

	mu      sync.Mutex
	applied map[string]string // what the book has, by key
}

// begin starts a machine named name, with the data folder dir.
func begin(t *testing.T, url, name, dir string) *machine {
	t.Helper()
	b, err := bus.Open(bus.Options{URL: url, Node: name})
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{bus: b, dir: dir, applied: map[string]string{}}
	m.Store, err = statestore.Open(statestore.Config{Bus: b, Node: name, Path: filepath.Join(dir, statestore.File),
		Pause: 10 * time.Millisecond, Review: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	book := func(r statestore.Record) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.applied[r.Key] = string(r.Value)
		return nil
	}
	for kind, k := range map[string]statestore.Kind{"book": {Apply: book}, "set": {Apply: book, Merge: union, Passing: true},
		"end": {Apply: book, Final: true}} {
		if err := m.Register(kind, k); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { _ = m.Run(ctx) })
	m.stop = sync.OnceFunc(func() { cancel(); run.Wait(); _ = b.Close() })
	t.Cleanup(m.stop)
	return m
}

// union joins two sorted lists.
func union(mine, theirs json.RawMessage) (json.RawMessage, bool, bool, error) {
	var a, b []int
	if err := errors.Join(json.Unmarshal(mine, &a), json.Unmarshal(theirs, &b)); err != nil {
		return nil, false, false, err
	}
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	raw, err := json.Marshal(all)
	return raw, len(all) > len(a), len(all) > len(b), err
}

func (m *machine) change(t *testing.T, key string, rev uint64, value string) uint64 {
	t.Helper()
	rev, err := m.Change(t.Context(), "ana", key, rev, json.RawMessage(value))
	if err != nil {
		t.Fatal(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.applied[key] = value
	return rev
}

func (m *machine) has(key, value string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.applied[key] == value
}

func (m *machine) agrees(t *testing.T) {
	t.Helper()
	redistest.Until(t, "the machines can agree", func() bool { return m.Away() == nil })
}

func TestAChangeIsAgreedOnByAll(t *testing.T) {
	r := redistest.New(t)
	a, b := begin(t, r.URL(), "a", t.TempDir()), begin(t, r.URL(), "b", t.TempDir())
	a.agrees(t)
	b.agrees(t)
	rev := a.change(t, "book/x", 0, `"one"`)
	redistest.Until(t, "b has it", func() bool { return b.has("book/x", `"one"`) })
	b.change(t, "book/x", rev, `"two"`)

	// whoever looked at what is no more is told, whether that has been heard here or not
	var no *statestore.ConflictError
	_, err := a.Change(t.Context(), "eva", "book/x", rev, json.RawMessage(`"three"`))
	if !errors.As(err, &no) || !errors.Is(err, statestore.ErrChanged) || no.By != "ana" {
		t.Fatalf("the loser is told %v", err)
	}
	redistest.Until(t, "a has it", func() bool { return a.has("book/x", `"two"`) })
	if _, err := a.Change(t.Context(), "eva", "book/x", rev, json.RawMessage(`"three"`)); !errors.Is(err, statestore.ErrChanged) {
		t.Errorf("an old revision: %v", err)
	}

	// without Redis nothing can be agreed on, and what is told reaches the other later
	r.Stop()
	redistest.Until(t, "it is noticed", func() bool { return a.Away() != nil })
	if _, err := a.Change(t.Context(), "ana", "book/x", rev+1, json.RawMessage(`"four"`)); !errors.Is(err, statestore.ErrAway) {
		t.Errorf("without Redis: %v", err)
	}
	if _, err := a.Set("ana", "book/y", json.RawMessage(`"told"`), time.Time{}); err != nil {
		t.Fatal(err)
	}
	// Redis comes back empty: the machines have all
	r.Empty()
	r.Start()
	redistest.Until(t, "b is told", func() bool { return b.has("book/y", `"told"`) })
	a.agrees(t)
	a.change(t, "book/x", rev+1, `"five"`)
	redistest.Until(t, "b has it", func() bool { return b.has("book/x", `"five"`) })

	// a machine that starts new has all, and one that starts again without Redis what it had
	c := begin(t, r.URL(), "c", t.TempDir())
	redistest.Until(t, "c has all", func() bool { return c.has("book/x", `"five"`) && c.has("book/y", `"told"`) })
	c.stop()
	r.Stop()
	again := begin(t, r.URL(), "c", c.dir)
	if !again.has("book/x", `"five"`) || !again.has("book/y", `"told"`) {
		t.Errorf("after a start without Redis: %v", again.applied)
	}
}

func TestWhatWasThereBeforeIsSharedOnce(t *testing.T) {
	r := redistest.New(t)
	a, b := begin(t, r.URL(), "a", t.TempDir()), begin(t, r.URL(), "b", t.TempDir())
	a.Seed("book/admin", json.RawMessage(`"a's"`))
	redistest.Until(t, "it is shared", func() bool { return b.has("book/admin", `"a's"`) })
	b.Seed("book/admin", json.RawMessage(`"b's"`))
	c := begin(t, r.URL(), "c", t.TempDir())
	c.Seed("book/admin", json.RawMessage(`"c's"`))
	redistest.Until(t, "c takes what is shared", func() bool { return c.has("book/admin", `"a's"`) })
	if err := b.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !a.has("book/admin", `"a's"`) || !b.has("book/admin", `"a's"`) {
		t.Errorf("a has %v, b has %v", a.applied, b.applied)
	}
}

func TestWhatEndsIsGoneEverywhere(t *testing.T) {
	r := redistest.New(t)
	a, b := begin(t, r.URL(), "a", t.TempDir()), begin(t, r.URL(), "b", t.TempDir())
	if _, err := a.Set("", "book/s", json.RawMessage(`1`), time.Now().Add(700*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	redistest.Until(t, "b has it", func() bool { return b.has("book/s", `1`) })
	redistest.Until(t, "it has ended", func() bool {
		stamps, err := a.bus.Stamps(t.Context(), statestore.Book)
		return err == nil && len(stamps) == 0 && len(a.List("book"))+len(b.List("book")) == 0
	})
}

// A session that was ended stays ended, whoever is seen in it later elsewhere.
func TestWhatIsFinalStaysAway(t *testing.T) {
	for _, late := range []bool{false, true} {
		r := redistest.New(t)
		a, b := begin(t, r.URL(), "a", t.TempDir()), begin(t, r.URL(), "b", t.TempDir())
		tell := func(m *machine, value json.RawMessage) {
			t.Helper()
			if _, err := m.Set("", "end/x", value, time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		tell(a, json.RawMessage(`1`))
		redistest.Until(t, "b has it", func() bool { return b.has("end/x", `1`) })
		r.Stop()
		tell(a, nil)
		tell(b, json.RawMessage(`2`))
		if late {
			tell(b, json.RawMessage(`3`))
		}
		r.Start()
		redistest.Until(t, "it is away at both", func() bool {
			x, _ := a.Get("end/x")
			y, _ := b.Get("end/x")
			return x.Gone() && y.Gone() && x.Rev == y.Rev && x.At.Equal(y.At)
		})
		tell(b, json.RawMessage(`4`))
		if x, _ := b.Get("end/x"); !x.Gone() || !b.has("end/x", "") {
			t.Errorf("it is back: %+v", x)
		}
		a.stop()
		b.stop()
	}
}

// Whatever happens to Redis and to the machines, in the end all have the same; nothing
// that was agreed on is lost, and sets have all that anybody put into them.
func TestMachinesComeToTheSame(t *testing.T) {
	r := redistest.New(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	ms := make([]*machine, len(dirs))
	for i, dir := range dirs {
		ms[i] = begin(t, r.URL(), fmt.Sprint("m", i), dir)
	}
	up, put := true, map[string][]int{}
	own := []map[string][]int{{}, {}, {}}
	agreed := map[string]uint64{}
	for step := range 120 {
		i := rnd.IntN(len(ms))
		m := ms[i]
		switch x := rnd.IntN(20); {
		case x == 0 && up:
			r.Stop()
			up = false
		case x < 4 && !up:
			if x == 1 {
				r.Empty()
			}
			r.Start()
			up = true
		case x == 4: // what is passing its owner has elsewhere, and tells it again
			m.stop()
			ms[i] = begin(t, r.URL(), fmt.Sprint("m", i), dirs[i])
			for key, all := range own[i] {
				raw, _ := json.Marshal(all)
				if _, err := ms[i].Set("", key, raw, time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
		case x < 12:
			key := fmt.Sprint("set/", rnd.IntN(3))
			put[key], own[i][key] = append(put[key], step), append(own[i][key], step)
			raw, _ := json.Marshal(own[i][key])
			if _, err := m.Set("", key, raw, time.Time{}); err != nil {
				t.Fatal(err)
			}
		default:
			key := fmt.Sprint("book/", rnd.IntN(3))
			old, _ := m.Get(key)
			rev, err := m.Change(t.Context(), "ana", key, old.Rev, json.RawMessage(fmt.Sprint(step)))
			if err == nil {
				agreed[key] = max(agreed[key], rev)
			} else if !errors.Is(err, statestore.ErrAway) && !errors.Is(err, statestore.ErrChanged) {
				t.Fatal(err)
			}
		}
	}
	if !up {
		r.Start()
	}
	all := func(m *machine) map[string]string {
		out := map[string]string{}
		for _, rec := range slices.Concat(m.List("book"), m.List("set")) {
			out[rec.Key] = fmt.Sprint(rec.Rev, rec.At, rec.Node) + string(rec.Value)
		}
		return out
	}
	redistest.Until(t, "all have the same", func() bool {
		return maps.Equal(all(ms[0]), all(ms[1])) && maps.Equal(all(ms[1]), all(ms[2]))
	})
	for key, rev := range agreed {
		if have, _ := ms[0].Get(key); have.Rev < rev {
			t.Errorf("%s: revision %d was agreed on, %d is there", key, rev, have.Rev)
		}
	}
	for key, want := range put {
		have, _ := ms[0].Get(key)
		if raw, _ := json.Marshal(want); string(have.Value) != string(raw) {
			t.Errorf("%s is %s, want %s", key, have.Value, raw)
		}
	}
}

func TestAFileThatCannotBeReadIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), statestore.File)
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := statestore.Open(statestore.Config{Path: path}); err == nil {
		t.Error("was read")
	}
}
