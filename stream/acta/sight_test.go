package acta

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"vision/internal/health"
	"vision/stream/index"
	"vision/stream/ledger"
	"vision/validate/room"
)

// What a camera cannot read is stated from when it was said until it was taken back, or its
// node stopped, while the table was open.
func TestWhatACameraCannotRead(t *testing.T) {
	begun := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return begun.Add(time.Duration(minutes) * time.Minute) }
	var entries []ledger.Entry
	put := func(minutes int, kind ledger.Kind, table string, payload any) {
		raw, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, ledger.Entry{
			Seq: uint64(len(entries) + 1), Time: at(minutes), Kind: kind, Table: table, Payload: raw,
		})
	}
	says := func(minutes int, code, camera string, on bool) {
		put(
			minutes,
			ledger.Health,
			"BJ1",
			map[string]any{"code": code, "object": camera, "detail": camera + " sees little", "on": on},
		)
	}
	open := func(minutes int, open bool) {
		put(minutes, ledger.Supervision, "", map[string]any{"records": []room.Record{{
			Norm: "cantabria-2010", Tables: []room.Table{{ID: "BJ1", Game: "blackjack", Open: open}},
		}}})
	}
	says(-30, health.CameraCoarse, "over", true)
	open(-10, true)
	says(5, health.CameraBlind, "over", true)
	says(10, health.CameraCoarse, "over", false)
	says(20, health.CameraCoarse, "side", true)
	put(30, ledger.Judged, "BJ1", map[string]any{})
	put(40, ledger.Node, "", map[string]any{"action": ledger.Started})
	open(45, true)
	says(50, health.CameraCoarse, "over", true)
	open(55, false)

	a, err := Make(
		following(entries, func(func(ledger.Entry, error) bool) {}),
		Request{Table: "BJ1", From: at(0), To: at(60)},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []Unread{
		{Span{at(0), at(10)}, "over", "over sees little"}, {Span{at(20), at(30)}, "side", "side sees little"},
		{Span{at(50), at(55)}, "over", "over sees little"},
	}
	got := a.Tables[0].Unread
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i := range want {
		if got[i].Camera != want[i].Camera || got[i].Detail != want[i].Detail || !got[i].From.Equal(want[i].From) ||
			!got[i].To.Equal(want[i].To) {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

// What was said long before the last word on supervision holds all the same.
func TestWhatACameraCouldNotReadBefore(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	put := func(later time.Duration, kind ledger.Kind, table string, payload any) {
		now = now.Add(later)
		if _, err := l.Append(kind, table, payload); err != nil {
			t.Fatal(err)
		}
	}
	says := func(camera string, on bool) {
		put(time.Minute, ledger.Health, "BJ1", map[string]any{
			"code": health.CameraCoarse, "object": camera, "detail": "little", "on": on,
		})
	}
	put(0, ledger.Node, "", map[string]any{"action": ledger.Started})
	says("gone", true)
	put(time.Minute, ledger.Node, "", map[string]any{"action": ledger.Started})
	says("over", true)
	says("side", true)
	says("side", false)
	put(10*time.Hour, ledger.Supervision, "", map[string]any{"records": []room.Record{{
		Norm: "cantabria-2010", Tables: []room.Table{{ID: "BJ1", Game: "blackjack", Open: true}},
	}}})
	from := now.Add(time.Hour)
	put(3*time.Hour, ledger.Judged, "BJ1", map[string]any{})
	x, err := index.Open(t.Context(), filepath.Join(dir, index.File), l)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	o := &Office{Ledger: l, Index: x, Now: func() time.Time { return now }}
	a, err := o.Make(
		t.Context(),
		Request{Table: "BJ1", From: from, To: from.Add(time.Hour)},
		"ana",
		func([]string) error { return nil },
	)
	if err != nil {
		t.Fatal(err)
	}
	if u := a.Tables[0].Unread; len(u) != 1 || u[0].Camera != "over" || !u[0].From.Equal(from) ||
		!u[0].To.Equal(from.Add(time.Hour)) {
		t.Errorf("%+v", u)
	}
}
