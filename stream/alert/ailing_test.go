package alert

import (
	"testing"
	"time"

	"vision/internal/health"
	"vision/internal/testkit/paper"
)

// A disk that fills up is an alert before anything is lost and when it is; each
// ends when it is over, not at every flicker, and a restart neither doubles nor
// forgets it.
func TestAFullDiskIsAnAlert(t *testing.T) {
	book := &paper.Ledger{}
	desk, board := NewDesk(Config{Ledger: book}), health.NewBoard(nil)
	of := func(table string) (game, norm string) {
		if table == "R1" {
			return "ruleta_francesa", "cantabria-2010"
		}
		return "", ""
	}
	now := time.Now()
	a := NewAiling(desk, board, of, now)
	look := func(after time.Duration) {
		now = now.Add(after)
		a.Look(t.Context(), now)
	}
	expect := func(what string, want map[string]State) {
		t.Helper()
		got := map[string]State{}
		for _, x := range desk.List(nil) {
			got[x.Code] = x.State()
			if x.ES == "" || x.EN == "" || x.Severity != alarming[x.Code] {
				t.Errorf("%+v", x)
			}
			if (x.Game == "ruleta_francesa") != (x.Table == "R1") {
				t.Errorf("of the game %q: %+v", x.Game, x)
			}
		}
		for code, state := range want {
			if got[code] != state {
				t.Errorf("%s: %s is %q, want %q", what, code, got[code], state)
			}
		}
		if len(desk.List(nil)) != len(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	board.Set(health.DiskLow, "", "recordings", "little is left")
	board.Set(health.CameraDown, "R1", "one", "no route")
	look(time.Second)
	expect("little room", map[string]State{health.DiskLow: Open})
	board.Set(health.DiskFull, "", "recordings", "nothing is left")
	board.Set(health.RecordingFailed, "R1", "R1/one", "no space left on device")
	look(time.Second)
	all := map[string]State{health.DiskLow: Open, health.DiskFull: Open, health.RecordingFailed: Open}
	expect("no room", all)
	board.Clear(health.RecordingFailed, "R1/one")
	look(time.Second)
	board.Set(health.RecordingFailed, "R1", "R1/one", "no space left on device")
	look(time.Second)
	expect("a flicker", all)

	desk, board = NewDesk(Config{Ledger: book}), health.NewBoard(nil)
	for _, e := range book.Entries {
		if err := desk.Restore(e.Kind, e.Payload); err != nil {
			t.Fatal(err)
		}
	}
	now = time.Now()
	a = NewAiling(desk, board, of, now)
	look(0)
	expect("after a restart", all)
	board.Set(health.DiskLow, "", "recordings", "little is left")
	for range 40 {
		look(time.Second)
	}
	all[health.DiskFull], all[health.RecordingFailed] = Over, Over
	expect("what has not come back is over", all)
	board.Clear(health.DiskLow, "recordings")
	look(calm)
	all[health.DiskLow] = Over
	expect("room again", all)
}
