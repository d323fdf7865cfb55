package alert

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// book is a ledger that can refuse.
type book struct {
	steps []string
	fail  error
}

func (b *book) Append(_ context.Context, _, _ string, payload any) error {
	if b.fail != nil {
		return b.fail
	}
	s := payload.(step)
	b.steps = append(b.steps, s.ID+" "+string(s.State))
	return nil
}

// two desks of a house, and what each notifies.
type house struct {
	t            *testing.T
	a, b         *Desk
	inA, inB     *book
	heardA       []string
	heardB, said []string
	told         Alert
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, inA: &book{}, inB: &book{}}
	note := func(to *[]string) func(Alert) {
		return func(a Alert) { *to = append(*to, a.ID+" "+string(a.State())) }
	}
	show := func(a Alert) { h.told = a; note(&h.said)(a) }
	h.a = NewDesk(Config{Node: "a", Ledger: h.inA, Merged: note(&h.heardA), Show: show})
	h.b = NewDesk(Config{Node: "b", Ledger: h.inB, Merged: note(&h.heardB), Show: show})
	return h
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func TestStepsOfAnotherDesk(t *testing.T) {
	h, ctx := newHouse(t), t.Context()
	h.must(h.a.Raise(ctx, Alert{ID: "1", Table: "BJ1", Code: "late_bet", Severity: "critical"}))
	h.must(h.a.Resolve(ctx, "1"))
	h.must(h.b.Merge(ctx, h.told)) // the first step never came: it is made up for
	h.must(h.b.Merge(ctx, h.told))
	if want := []string{"1 open", "1 resolved"}; !slices.Equal(h.heardB, want) || len(h.inB.steps) > 0 {
		t.Fatalf("b heard %v and wrote %v", h.heardB, h.inB.steps)
	}
	// b acknowledges for a node that is away: b's ledger has it, and a's when it is back
	_, err := h.b.Acknowledge(ctx, "1", "eva", Noted, "")
	h.must(err)
	if want := []string{"1 acknowledged"}; !slices.Equal(h.inB.steps, want) {
		t.Errorf("b wrote %v", h.inB.steps)
	}
	h.inA.fail = errors.New("disk full")
	if h.a.Merge(ctx, h.told) == nil {
		t.Error("a step that the ledger refused was heard")
	}
	h.inA.fail = nil
	h.must(h.a.Merge(ctx, h.told))
	if want := []string{"1 open", "1 resolved", "1 acknowledged"}; !slices.Equal(h.inA.steps, want) {
		t.Errorf("a wrote %v", h.inA.steps)
	}
	if want := []string{"1 acknowledged"}; !slices.Equal(h.heardA, want) {
		t.Errorf("a heard %v", h.heardA)
	}
	if got, _ := h.a.Get("1"); got.Ack == nil || got.Ack.By != "eva" || got.Node != "a" {
		t.Errorf("a has %+v", got)
	}
	if h.a.Merge(ctx, Alert{}) == nil {
		t.Error("an alert without id was heard")
	}
}

// A step that comes late does not take a later one back.
func TestALateStep(t *testing.T) {
	h, ctx := newHouse(t), t.Context()
	h.must(h.a.Raise(ctx, Alert{ID: "1"}))
	raised := h.told
	h.must(h.b.Merge(ctx, raised))
	h.must(h.a.Resolve(ctx, "1"))
	resolved := h.told
	_, err := h.b.Acknowledge(ctx, "1", "eva", Noted, "")
	h.must(err)
	h.must(h.b.Merge(ctx, resolved))
	if want := []string{"1 open", "1 acknowledged"}; !slices.Equal(h.heardB, want) {
		t.Errorf("b heard %v", h.heardB)
	}
	if got, _ := h.b.Get("1"); got.Ack == nil || got.Resolved.IsZero() {
		t.Errorf("b has %+v", got)
	}
}

func TestOneDeskEscalatesAnAlert(t *testing.T) {
	h, ctx := newHouse(t), t.Context()
	h.b.cfg.Now = func() time.Time { return time.Now().Add(time.Hour) }
	h.must(h.a.Raise(ctx, Alert{ID: "1", Severity: "critical"}))
	h.must(h.b.Merge(ctx, h.told))
	h.must(h.b.escalate(ctx))
	if got, _ := h.b.Get("1"); !got.Escalated.IsZero() {
		t.Error("another node's alert was escalated")
	}
	h.b.cfg.EscalatesFor = func(node string) bool { return node == "a" } // it is away
	h.must(h.b.escalate(ctx))
	h.must(h.a.Merge(ctx, h.told))
	if want := []string{"1 open", "1 escalated"}; !slices.Equal(h.inA.steps, want) {
		t.Errorf("a wrote %v", h.inA.steps)
	}
}

// Join is commutative, associative and idempotent, so that the order and number in which
// steps come do not matter.
func TestJoinIsALattice(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	some := func() (a Alert) {
		at := func() time.Time { return time.Unix(int64(rnd.IntN(3)), 0).UTC() }
		a = Alert{ID: "1"}
		if rnd.IntN(2) == 0 {
			a.Escalated = at()
		}
		if rnd.IntN(2) == 0 {
			a.Resolved = at()
		}
		if rnd.IntN(2) == 0 {
			a.Ack = &Ack{By: string(rune('a' + rnd.IntN(2))), At: at(), Outcome: Outcomes[rnd.IntN(2)]}
		}
		return a
	}
	join := func(a, b Alert) Alert { out, _, _ := Join(a, b); return out }
	for range 2000 {
		a, b, c := some(), some(), some()
		if !reflect.DeepEqual(join(a, b), join(b, a)) || !reflect.DeepEqual(join(join(a, b), c), join(a, join(b, c))) ||
			!reflect.DeepEqual(join(a, a), a) {
			t.Fatalf("%+v %+v %+v", a, b, c)
		}
		all, aLacked, bLacked := Join(a, b)
		if aLacked == reflect.DeepEqual(all, a) || bLacked == reflect.DeepEqual(all, b) {
			t.Fatalf("%+v %+v: %v %v", a, b, aLacked, bLacked)
		}
	}
}

func FuzzJoinRaw(f *testing.F) {
	f.Add([]byte(`{"id":"1","ack":{"by":"a","at":"2026-01-01T00:00:00Z","outcome":"noted"}}`), []byte(`{"id":"1"}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		joined, _, _, err := JoinRaw(a, b)
		if err != nil {
			return
		}
		again, lacked, _, err := JoinRaw(joined, json.RawMessage(b))
		if err != nil || lacked || string(again) != string(joined) {
			t.Errorf("%s with %s: %s, then %s %v", a, b, joined, again, err)
		}
	})
}
