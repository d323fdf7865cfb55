package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vision/internal/config"
	"vision/internal/lab/sim"
	"vision/internal/testkit/simulated"
	"vision/validate/round"
	"vision/validate/track"
)

// film shoots rounds of a simulated table as `lab sim --out` does.
func film(t *testing.T, game string, rounds int, start time.Time) (dir string, truth []sim.TruthLine, calls []byte) {
	t.Helper()
	dir = t.TempDir()
	s := sim.Studio{Out: filepath.Join(dir, "film.mp4"), Truth: filepath.Join(dir, "truth.jsonl"), Calibration: dir, Rounds: rounds,
		Tables: []sim.Config{{Game: game, Seed: 1, Start: start, Speed: 2}}}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(s.Truth)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range bytes.Split(bytes.TrimSpace(calls), []byte("\n")) {
		var l sim.TruthLine
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		truth = append(truth, l)
	}
	return dir, truth, calls
}

// lines are the events of a record without what a camera cannot know as exactly:
// the millisecond, and how sure it is.
func lines(t *testing.T, events []round.Event) string {
	t.Helper()
	var out []string
	for _, e := range events {
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatal(err)
		}
		delete(m, "t")
		delete(m, "conf")
		b, _ = json.Marshal(m)
		out = append(out, string(b))
	}
	return strings.Join(out, "\n")
}

// What is read from a film is what was played.
func TestReplayTellsWhatWasPlayed(t *testing.T) {
	options := map[string]map[string]any{"punto_banco": {"mesa": "mini"}, "dados_craps": nil}
	for game, opts := range options {
		t.Run(game, func(t *testing.T) {
			if testing.Short() && game != "dados_craps" {
				t.Skip("SKIPPED with -short: reads half a minute of film")
			}
			start := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
			dir, truth, raw := film(t, game, 2, start)
			calls, err := ReadCalls(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			cfg := &config.Config{
				Tables: []config.Table{{ID: game, Game: game, Norm: truth[0].Record.Norm, Min: 500, Max: 100000, Options: opts,
					Cameras: []config.Camera{{Name: "above", Calibration: filepath.Join(dir, game+".yaml")}}}},
			}
			var got []*track.Round
			r := Replay{Config: cfg, Table: game, File: filepath.Join(dir, "film.mp4"), Start: start, Calls: calls,
				Out: func(o track.Out) error {
					if o, ok := o.(*track.Round); ok {
						got = append(got, o)
					}
					return nil
				}}
			began := time.Now()
			if err := r.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			t.Logf("%v of film in %v", got[len(got)-1].End.Sub(start), time.Since(began).Round(time.Millisecond))
			if len(got) != len(truth) {
				t.Fatalf("%d rounds, want %d", len(got), len(truth))
			}
			for i, g := range got {
				if want, have := lines(t, truth[i].Record.Events), lines(t, g.Record.Events); have != want {
					t.Errorf("round %d: recorded\n%s\nplayed\n%s", i, have, want)
				}
				if len(g.Verdict.Findings) != 0 || g.NotVerifiable != "" {
					t.Errorf("round %d was clean; found %+v, %s", i, g.Verdict.Findings, g.NotVerifiable)
				}
			}
		})
	}
}

func TestReplayRefuses(t *testing.T) {
	dir := t.TempDir()
	noise := filepath.Join(dir, "noise.mp4")
	if err := os.WriteFile(noise, []byte("no film at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	cal := simulated.Calibration(t, dir, "R1", [2]int{1920, 1080})
	cfg := &config.Config{Tables: []config.Table{
		{ID: "R1", Game: "ruleta_francesa", Norm: "cantabria-2010", Cameras: []config.Camera{{Name: "r1", Calibration: cal}}},
		{ID: "R2", Game: "ruleta_francesa", Norm: "cantabria-2010", Cameras: []config.Camera{{Name: "r2"}}},
	}}
	other := filepath.Join(dir, "other.png")
	saved, err := os.Create(other)
	if err == nil {
		err = errors.Join(png.Encode(saved, image.NewGray(image.Rect(0, 0, 64, 48))), saved.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	cfg.Tables = append(
		cfg.Tables,
		config.Table{
			ID:      "R3",
			Game:    "ruleta_francesa",
			Norm:    "cantabria-2010",
			Cameras: []config.Camera{{Name: "r3", Calibration: cal, Empty: other}},
		},
	)
	books, err := Books("")
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(cfg.Tables[2], books); err == nil || !strings.Contains(err.Error(), "cameras[0].calibration: picture of the empty table: "+other) {
		t.Errorf("a picture of the empty table by another camera: %v", err)
	}
	for want, r := range map[string]Replay{
		"64×48":                  {Table: "R3", File: noise},
		"none.jpg":               {Table: "R1", File: noise, Empty: filepath.Join(dir, "none.jpg")},
		"no table":               {Table: "R9", File: noise},
		"has no camera":          {Table: "R1", Camera: "r7", File: noise},
		"has a calibration":      {Table: "R2", File: noise},
		"no such file":           {Table: "R1", File: filepath.Join(dir, "none.mp4")},
		"noise.mp4":              {Table: "R1", File: noise},
		"camera r2 has no calib": {Table: "R2", Camera: "r2", File: noise},
	} {
		r.Config, r.Out = cfg, func(track.Out) error { return nil }
		if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("want one line with %q, got %v", want, err)
		}
	}
}

func TestReadCalls(t *testing.T) {
	good := `{"table":"R1","time":"2026-03-01T20:00:01Z","kind":"ball","args":{"pocket":"17"}}

{"record":{},"calls":[{"time":"2026-03-01T20:00:00Z","kind":"announce","args":{"call":"no_va_mas"}},{"table":"R2","time":"2026-03-01T20:00:00Z","kind":"shuffle"}]}
{"record":{},"calls":[]}
`
	calls, err := ReadCalls(strings.NewReader(good))
	if err != nil || len(calls) != 3 {
		t.Fatalf("%+v %v", calls, err)
	}
	if mine := inOrder("R1", calls); len(mine) != 2 || mine[0].Kind != "announce" || mine[1].Kind != "ball" {
		t.Errorf("in order %+v", mine)
	}
	for _, bad := range []string{"{", "{}", `{"kind":"ball"}`, `{"time":"2026-03-01T20:00:01Z"}`, `{"calls":[{}]}`, "\n[]"} {
		if _, err := ReadCalls(strings.NewReader(bad)); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprint("line ", 1+strings.Count(bad, "\n"))) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzReadCalls(f *testing.F) {
	f.Add([]byte(`{"time":"2026-03-01T20:00:01Z","kind":"ball"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		calls, err := ReadCalls(bytes.NewReader(b))
		for _, c := range calls {
			if err == nil && (c.Kind == "" || c.Time.IsZero()) {
				t.Fatalf("accepted %+v", c)
			}
		}
	})
}
