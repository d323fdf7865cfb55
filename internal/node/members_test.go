package node

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/health"
	"vision/internal/testkit/redistest"
	"vision/stream/alert"
	"vision/stream/console"
	"vision/stream/index"
	"vision/stream/notice"
)

// sharer is one of the machines of a house.
func sharer(t *testing.T, r *redistest.Server, name, role string) *house {
	t.Helper()
	h := newHouse(t, fmt.Sprintf("redis: %s\nnode: %s\nrole: %s\nsecret: %s", r.URL(), name, role, strings.Repeat("house", 8)))
	for _, table := range []string{"R1", "R2"} {
		h.seat(table, strings.ToLower(table), "")
	}
	return h
}

// tables are who runs which, as a console says.
func (h *house) tables() map[string]string {
	var list []console.Table
	h.call(http.MethodGet, "/api/v1/tables", nil, &list)
	out := map[string]string{}
	for _, x := range list {
		out[x.ID] = x.Node
	}
	return out
}

// Two machines of a house: what is done at one console holds at the other, whichever runs
// the table.
func TestTheSameRoomOnEveryConsole(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED with -short: takes about half a minute")
	}
	r := redistest.New(t)
	a, b := sharer(t, r, "a", "console"), sharer(t, r, "b", "both")
	na, _ := a.run()
	nb, stopB := b.run()
	both := func(what string, ok func(h *house) bool) {
		t.Helper()
		a.await(what+", at a", func() bool { return ok(a) })
		b.await(what+", at b", func() bool { return ok(b) })
	}
	runs := func(h *house) bool {
		by := h.tables()
		return by["R1"] == "b" && by["R2"] == "b"
	}
	both("who runs what", runs)

	// who has logged in at a is logged in at b, and an account made there can log in here
	onB := func(path string) int {
		res, err := a.client.Get("http://" + b.addr + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	a.await("a's session counts at b", func() bool { return onB("/api/v1/me") == http.StatusOK })
	var made struct{ Password string }
	if got := b.call(http.MethodPost, "/api/v1/users", map[string]any{"user": "luis", "role": "director"}, &made); got != http.StatusOK {
		t.Fatalf("an account: %d", got)
	}
	a.await("the account is known at a", func() bool {
		_, ok := na.people.Login("luis", made.Password)
		return ok
	})
	thresholds := alert.StandardThresholds
	thresholds.Budget = 3
	if got := a.call(http.MethodPut, "/api/v1/thresholds", thresholds, nil); got != http.StatusOK {
		t.Errorf("thresholds: %d", got)
	}
	both("the thresholds", func(h *house) bool {
		var got alert.Thresholds
		h.call(http.MethodGet, "/api/v1/thresholds", nil, &got)
		return got.Budget == 3
	})
	if got := b.call(http.MethodPut, "/api/v1/supervision/jefes/"+user, map[string]any{"tables": []string{"R1"}}, nil); got != http.StatusOK {
		t.Errorf("assign: %d", got)
	}
	both("who supervises R1", func(h *house) bool {
		var got struct {
			Tables []struct{ ID, Jefe string }
		}
		h.call(http.MethodGet, "/api/v1/supervision", nil, &got)
		return slices.ContainsFunc(got.Tables, func(x struct{ ID, Jefe string }) bool { return x.ID == "R1" && x.Jefe == user })
	})

	// a table of b's, by a's console: its calls, its alert, who acknowledges it, its rounds
	variances := func(h *house) (out []alert.Alert) {
		for _, x := range h.alerts() {
			if x.Code == "variance_number" {
				out = append(out, x)
			}
		}
		return out
	}
	a.await("the calls reach b", func() bool {
		return a.say("R1", "announce", time.Now(), map[string]any{"call": "hagan_juego"}) < 300
	})
	a.quickCall("R1", "17", "18")
	both("the alert", func(h *house) bool { x := variances(h); return len(x) == 1 && x[0].Node == "b" })
	id := variances(a)[0].ID
	if got := a.call(http.MethodPost, "/api/v1/alerts/"+url.PathEscape(id)+"/ack", map[string]any{"outcome": "noted"}, nil); got != http.StatusOK {
		t.Errorf("acknowledge: %d", got)
	}
	both("it is acknowledged", func(h *house) bool { x := variances(h); return len(x) == 1 && x[0].Ack != nil })
	b.await("b's ledger has it", func() bool {
		x, err := nb.index.Alert(t.Context(), id)
		return err == nil && x.State == string(alert.Acknowledged)
	})
	if x, err := na.index.Alert(t.Context(), id); err == nil {
		t.Errorf("a's ledger has b's alert: %+v", x)
	}
	both("the round is found", func(h *house) bool {
		var rounds []index.Round
		h.call(http.MethodGet, "/api/v1/rounds", nil, &rounds)
		return len(rounds) > 0
	})

	// Redis comes back empty: nothing is lost, nothing doubled
	r.Stop()
	if got := a.call(http.MethodPut, "/api/v1/thresholds", alert.StandardThresholds, nil); got != http.StatusServiceUnavailable &&
		got != http.StatusOK {
		t.Errorf("thresholds without Redis: %d", got)
	}
	r.Empty()
	r.Start()
	again := func() bool {
		return a.say("R1", "announce", time.Now(), map[string]any{"call": "hagan_juego"}) < 300
	}
	both("both machines agree", func(*house) bool { return na.members.store.Away() == nil && nb.members.store.Away() == nil })
	both("who runs what, again", runs)
	a.await("the calls reach b again", again)
	a.await("a round is called", func() bool { return a.quickCall("R1", "5", "6") < 300 }) // who runs the table may change once more
	both("both alerts, each once", func(h *house) bool { return len(variances(h)) == 2 })
	for _, key := range []string{"account/luis", "limits/thresholds"} {
		x, _ := na.members.store.Get(key)
		y, ok := nb.members.store.Get(key)
		if !ok || x.Rev != y.Rev {
			t.Errorf("%s: %+v and %+v", key, x, y)
		}
	}

	// b dies: a says so, and what b had raised can be acknowledged
	stopB()
	a.await("a says that b is away", func() bool {
		res, err := a.client.Get("http://" + a.addr + "/api/v1/rounds")
		if err != nil {
			return false
		}
		defer res.Body.Close()
		return res.Header.Get("X-Vision-Missing") == "b"
	})
	i := slices.IndexFunc(variances(a), func(x alert.Alert) bool { return x.Ack == nil })
	if i < 0 {
		t.Fatal("no alert is left to acknowledge")
	}
	id = url.PathEscape(variances(a)[i].ID)
	if got := a.call(http.MethodPost, "/api/v1/alerts/"+id+"/ack", map[string]any{"outcome": "noted"}, nil); got != http.StatusOK {
		t.Errorf("acknowledge for b: %d", got)
	}
}

// What is told of all machines is told once: machines that hear one another would else tell
// the same for ever.
func TestProblemsAreToldOnce(t *testing.T) {
	n := &Node{board: health.NewBoard(nil), hub: notice.NewHub()}
	sub := n.hub.Subscribe(nil)
	defer sub.Close()
	published := func() (messages int) {
		t.Helper()
		if err := n.publishHealth(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for {
			if _, err := sub.Next(ctx); err != nil {
				return messages
			}
			messages++
		}
	}
	if first, again := published(), published(); first != 1 || again != 0 {
		t.Errorf("told %d times, then %d", first, again)
	}
	n.board.Set(health.BusDown, "", "redis", "away")
	if first, again := published(), published(); first != 1 || again != 0 {
		t.Errorf("a problem more: told %d times, then %d", first, again)
	}
}
