package measure

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/av"
	"vision/internal/card"
	"vision/internal/lab/eval"
	"vision/internal/lab/sim"
	"vision/internal/testkit/children"
	"vision/internal/testkit/readers"
)

// The test program is its own reader and camera process.
func TestMain(m *testing.M) { children.Main(m, readers.Subcommands()) }

// set is an evaluation set in the making.
type set struct {
	t     *testing.T
	dir   string
	lines bytes.Buffer
}

func newSet(t *testing.T) *set { return &set{t: t, dir: t.TempDir()} }

func (s *set) path(name string) string {
	p := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// line adds a line of truth.
func (s *set) line(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	s.lines.Write(append(b, '\n'))
}

// load writes the truth and reads the set as the command does.
func (s *set) load() *eval.Set {
	s.t.Helper()
	if err := os.WriteFile(s.path("truth.jsonl"), s.lines.Bytes(), 0o600); err != nil {
		s.t.Fatal(err)
	}
	got, err := eval.LoadSet(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	return got
}

func (s *set) calibration(name string, cal calibration.Table) {
	if err := cal.Save(s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

// table is a simulated table on which a test lays what it wants.
func (s *set) table(cfg sim.Config) *sim.Still {
	s.t.Helper()
	still, err := sim.NewStill(cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(still.Close)
	return still
}

func (s *set) picture(name string, still *sim.Still) {
	img, err := still.Picture()
	if err != nil {
		s.t.Fatal(err)
	}
	if !gocv.IMWrite(s.path(name), img) {
		s.t.Fatalf("%s cannot be written", name)
	}
}

func (s *set) cards(still *sim.Still, zone string, labels ...string) {
	s.t.Helper()
	var list []card.Card
	for _, l := range labels {
		c, err := card.Parse(l)
		if err != nil {
			s.t.Fatal(err)
		}
		list = append(list, c)
	}
	if err := still.Cards(zone, list); err != nil {
		s.t.Fatal(err)
	}
}

func (s *set) stack(still *sim.Still, zone string) []string {
	s.t.Helper()
	chips, err := still.Stacks(zone, 1, 8, false)
	if err != nil {
		s.t.Fatal(err)
	}
	return chips[0]
}

func (s *set) dice(still *sim.Still) []int {
	s.t.Helper()
	faces, err := still.Dice(2)
	if err != nil {
		s.t.Fatal(err)
	}
	return faces
}

// shoot is a clip in the making: pictures of a table, at any times.
type shoot struct {
	*set
	still *sim.Still
	fps   float64
	at    float64 // seconds
	film  *sim.Film
	enc   *av.Encoder
}

func (s *set) clip(name string, still *sim.Still, fps float64) *shoot {
	s.t.Helper()
	f, err := os.Create(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	b := still.Bounds()
	enc, err := av.NewEncoder(b.Dx(), b.Dy(), max(1, int(fps)), av.EncoderOptions{QP: 22})
	if err != nil {
		s.t.Fatal(err)
	}
	film := sim.NewFilm(f, fps)
	s.t.Cleanup(func() { f.Close() })
	return &shoot{s, still, fps, 0, film, enc}
}

// roll films the table as it is for some seconds.
func (s *shoot) roll(seconds float64) {
	s.t.Helper()
	for end := s.at + seconds; s.at < end-1e-9; s.at += 1 / s.fps {
		img, err := s.still.Picture()
		if err != nil {
			s.t.Fatal(err)
		}
		u, err := s.enc.Encode(img, time.Duration(s.at*float64(time.Second)))
		if err == nil {
			err = s.film.Write(u)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *shoot) end() {
	s.t.Helper()
	s.enc.Close()
	if err := s.film.Close(); err != nil {
		s.t.Fatal(err)
	}
}

type obj = map[string]any
