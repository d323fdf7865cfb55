package pipeline

import (
	"errors"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/config"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/sim"
	"vision/recognize"
	"vision/recognize/preview"
)

// A still is read by a calibration that is not in force, by a process of its own, as
// the table's reader reads it; nonsense is named.
func TestAStillIsReadByAnyCalibration(t *testing.T) {
	st, err := sim.New(sim.Config{Game: "blackjack", Seed: 7, Speed: 3, Start: time.Unix(1e6, 0)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	cal := st.Calibration()
	own, err := recognize.NewTable(&cal, recognize.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	var want string // a card that the reader has read, and where
	var zone string
	var jpeg []byte
	for want == "" {
		f, err := st.Step()
		if err != nil {
			t.Fatal(err)
		}
		obs, err := own.Frame(cv.Still(f.Image), f.At, f.N)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range obs {
			if o.Kind == fact.Stable && len(o.Cards) == 1 && o.Cards[0].Abstain == "" && want == "" {
				b, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, f.Image, []int{gocv.IMWriteJpegQuality, 95})
				if err != nil {
					t.Fatal(err)
				}
				want, _ = fact.Best(o.Cards[0].Guesses)
				zone, jpeg = o.Zone, slices.Clone(b.GetBytes())
				b.Close()
			}
		}
	}
	cam := &Camera{cfg: config.Camera{Name: "cam"}, table: &Table{cfg: config.Table{ID: "BJ1"}, deps: &Deps{}}}
	begun := time.Now()
	got, err := cam.Try(t.Context(), &cal, jpeg)
	t.Logf("read in %v", time.Since(begun))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, s := range got {
		if len(s.Picture) < 100 || s.Picture[0] != 0xff || s.Picture[1] != 0xd8 {
			t.Errorf("zone %s: a picture of %d bytes", s.Zone, len(s.Picture))
		}
		list := s.Readings
		if s.Zone == zone && len(list) == 1 && list[0].Kind == "card" && list[0].Label == want {
			found = true
		}
	}
	if !found {
		t.Errorf("zone %s holds %s; read %+v", zone, want, got)
	}
	for what, try := range map[string]func() error{
		"no picture":     func() error { _, err := cam.Try(t.Context(), &cal, []byte("none")); return err },
		"no calibration": func() error { _, err := cam.Try(t.Context(), &calibration.Table{}, jpeg); return err },
	} {
		if err := try(); !errors.Is(err, preview.ErrRequest) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
