package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/capture"
	"vision/internal/av"
	"vision/internal/child"
	"vision/internal/cv"
	"vision/internal/decoder"
	"vision/internal/fact"
	"vision/internal/testkit/children"
	"vision/recognize/reader"
	"vision/recognize/wire"
)

// The test program is its own reader process.
func TestMain(m *testing.M) {
	children.Main(m, map[string]func(context.Context) error{
		Subcommand: func(ctx context.Context) error {
			if slices.Contains(os.Args, "--decoder") {
				return child.Serve(ctx, driverCrashes)
			}
			return reader.Main(ctx, newFake, func(int) error { return nil }, nil)
		},
	})
}

// driverCrashes is a reader whose device decodes one picture and crashes at the next.
func driverCrashes(_ context.Context, l *child.Link, k child.Kind, p []byte) error {
	switch k {
	case wire.KindSetup:
		return wire.Send(l.Conn, wire.KindReady, wire.Ready{})
	case wire.KindUnit:
		if _, u, err := wire.ParseUnit(p, 1); err != nil || u.N > 1 {
			os.Exit(139)
		}
		reported := wire.Send(l.Conn, wire.KindStats, wire.Stats{Camera: "cam", Decoder: os.Args[3]})
		return errors.Join(reported, l.Write(wire.KindTaken, []byte{0}))
	}
	return nil
}

// fake is a recogniser that tells the brightness of every frame, and misbehaves
// when the calibration's table name says so and the frame is bright.
type fake struct {
	cal   *calibration.Table
	empty []byte
	held  [][]byte
}

func newFake(task reader.Task) (reader.Recogniser, error) {
	c := task.Calibration
	if c.Table == "refuse" {
		return nil, errors.New("calibrated for another camera: 640×480, not 320×240")
	}
	return &fake{cal: c, empty: task.Empty}, nil
}

func (f *fake) Close() {}

func (f *fake) Again(string) {}

func (f *fake) Frame(p cv.Picture, at time.Time, n uint64) ([]fact.Observation, error) {
	img, err := p.BGR()
	if err != nil {
		return nil, err
	}
	mean := img.Mean().Val1
	if mean > 128 {
		switch f.cal.Table {
		case "abort":
			// What gocv does on any C++ exception.
			gocv.CvtColor(gocv.NewMat(), &img, gocv.ColorBGRToGray)
		case "hang":
			select {}
		case "grow":
			for {
				f.held = append(f.held, bytes.Repeat([]byte{1}, 16<<20))
			}
		}
	}
	return []fact.Observation{{Kind: fact.Stable, Zone: fmt.Sprintf("%.0f", mean), Time: at, Frame: n, Note: string(f.empty)}},
		nil
}

func (f *fake) Damaged(_ cv.Picture, at time.Time, n uint64) ([]fact.Observation, error) {
	return []fact.Observation{{Kind: fact.MotionStarted, Time: at, Frame: n}}, nil
}

const fps = 25

// clip encodes frames of the given brightness.
func clip(t *testing.T, levels ...uint8) []capture.Unit {
	t.Helper()
	enc, err := av.NewEncoder(320, 240, fps, av.EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	img := gocv.NewMatWithSize(240, 320, gocv.MatTypeCV8UC3)
	defer img.Close()
	var out []capture.Unit
	for i, l := range levels {
		gocv.Rectangle(&img, image.Rect(0, 0, 320, 240), color.RGBA{l, l, l, 0}, -1)
		u, err := enc.Encode(img, time.Duration(i)*time.Second/fps)
		if err != nil {
			t.Fatal(err)
		}
		u.Wall, u.N = time.Unix(1000, 0).Add(u.PTS), uint64(i+1)
		out = append(out, u)
	}
	return out
}

// grainy is a key picture of noise, another for each scene.
func grainy(t *testing.T, scene uint64) capture.Unit {
	t.Helper()
	enc, err := av.NewEncoder(320, 240, fps, av.EncoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	pix := make([]byte, 320*240*3)
	rng := rand.New(rand.NewPCG(scene, 0))
	for i := range pix {
		pix[i] = uint8(40 + rng.IntN(40))
	}
	img, err := gocv.NewMatFromBytes(240, 320, gocv.MatTypeCV8UC3, pix)
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	u, err := enc.Encode(img, 0)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// list gives units one after the other, then io.EOF.
type list struct {
	units []capture.Unit
	pause time.Duration
	i     int
	stay  bool // no end
}

func (l *list) Next(ctx context.Context) (capture.Unit, error) {
	if l.i == len(l.units) {
		if l.stay {
			<-ctx.Done()
			return capture.Unit{}, ctx.Err()
		}
		return capture.Unit{}, io.EOF
	}
	if l.pause > 0 {
		select {
		case <-time.After(l.pause):
		case <-ctx.Done():
			return capture.Unit{}, ctx.Err()
		}
	}
	l.i++
	return l.units[l.i-1], nil
}

func (l *list) Close() {}

// Each camera's reader gets the picture of its own empty table, in every life anew.
func TestReaderGetsTheEmptyTable(t *testing.T) {
	units := clip(t, 40, 40, 40)
	open := func() Units { return &list{units: units} }
	cal := &calibration.Table{Table: "good"}
	var mu sync.Mutex
	got := map[string]string{}
	r, err := New(Config{Table: "T1", Every: true,
		Cameras: []Camera{{Name: "a", Calibration: cal, Empty: []byte("\x00felt of a\xff"), Open: open},
			{Name: "b", Calibration: cal, Open: open}, {Name: "c", Calibration: cal, Empty: []byte("felt of c"), Open: open}},
		Seen: func(obs []fact.Observation) {
			mu.Lock()
			defer mu.Unlock()
			for _, o := range obs {
				got[o.Camera] = o.Note
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	for life := range 2 {
		clear(got)
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		// What is no text comes so through the observation's JSON.
		if want := map[string]string{"a": "\x00felt of a\ufffd", "b": "", "c": "felt of c"}; !maps.Equal(got, want) {
			t.Errorf("life %d: got %q, want %q", life, got, want)
		}
	}
}

func TestReplayReadsEveryFrame(t *testing.T) {
	var levels []uint8
	for i := range 200 {
		levels = append(levels, uint8(20+i%5*20))
	}
	units := clip(t, levels...)
	var mu sync.Mutex
	var frames []uint64
	taken := 0
	finished := ""
	r, err := New(Config{Table: "T1", Every: true,
		Cameras: []Camera{{Name: "cam", Calibration: &calibration.Table{Table: "good"}, Open: func() Units {
			return &list{units: units}
		}}},
		Finished: func(c string) { finished = c },
		Taken: func(_ string, wall time.Time) {
			if !wall.Equal(units[taken].Wall) || len(frames) != taken+1 {
				t.Errorf("unit %d of %v taken as %v after %d readings", taken, units[taken].Wall, wall, len(frames))
			}
			taken++
		},
		Seen: func(obs []fact.Observation) {
			mu.Lock()
			defer mu.Unlock()
			for _, o := range obs {
				if o.Table != "T1" || o.Camera != "cam" || !o.Time.Equal(units[o.Frame-1].Wall) {
					t.Errorf("observation %+v", o)
				}
				frames = append(frames, o.Frame)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(frames) != len(units) || taken != len(units) || finished != "cam" {
		t.Fatalf("%d of %d frames read; finished %q", len(frames), len(units), finished)
	}
	for i, n := range frames {
		if n != uint64(i+1) {
			t.Fatalf("frame %d came as number %d", n, i+1)
		}
	}
}

// Pictures after a lost one are known to be damaged, up to the next key picture.
func TestDamagedPicturesAreWatchedOnly(t *testing.T) {
	levels := []uint8{20, 40, 60, 80}
	units := slices.Concat(clip(t, levels...), clip(t, levels...))
	units = slices.Delete(units, 1, 2)
	units[1].Gap = true
	for i := range units {
		units[i].N = uint64(i + 1)
		units[i].Wall = time.Unix(1000, 0).Add(time.Duration(i) * time.Second / fps)
	}
	var kinds []fact.Kind
	r, err := New(Config{Table: "T1", Every: true,
		Cameras: []Camera{{Name: "cam", Calibration: &calibration.Table{Table: "good"}, Open: func() Units {
			return &list{units: units}
		}}},
		Seen: func(obs []fact.Observation) {
			for _, o := range obs {
				kinds = append(kinds, o.Kind)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []fact.Kind{
		fact.Stable, fact.MotionStarted, fact.MotionStarted, fact.Stable, fact.Stable, fact.Stable, fact.Stable,
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("got %q, want %q", kinds, want)
	}
}

// A reader that aborts, hangs or eats memory is replaced, and its table learns
// that frames were lost.
func TestAReaderThatMisbehavesIsReplaced(t *testing.T) {
	for name, want := range map[string]error{"abort": child.ErrDied, "hang": child.ErrHung, "grow": child.ErrMemory} {
		t.Run(name, func(t *testing.T) {
			bad, good := clip(t, 20, 20, 20, 220, 220, 220), clip(t, 40, 40, 40)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			lives := 0
			var lost error
			var gap fact.Observation
			var lostAt, backAt time.Time
			r, err := New(Config{Table: "T1", Memory: 300 << 20,
				Cameras: []Camera{{Name: "cam", Calibration: &calibration.Table{Table: name}, Open: func() Units {
					if lives++; lives == 1 {
						return &list{units: bad, pause: 100 * time.Millisecond, stay: true}
					}
					return &list{units: good, stay: true, pause: 20 * time.Millisecond}
				}}},
				Lost: func(err error) { lost, lostAt = err, time.Now() },
				Seen: func(obs []fact.Observation) {
					for _, o := range obs {
						if o.Kind == fact.Gap {
							gap = o
						} else if lost != nil {
							backAt = time.Now()
							cancel()
						}
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Fatalf("run: %v; lost: %v", err, lost)
			}
			if !errors.Is(lost, want) {
				t.Errorf("lost to %v, want %v", lost, want)
			}
			if gap.Camera != "cam" || gap.Since.IsZero() || gap.Note == "" {
				t.Errorf("no gap was told: %+v", gap)
			}
			t.Logf("%v; reads again %v after the loss", lost, backAt.Sub(lostAt).Round(time.Millisecond))
		})
	}
}

// A camera that sends the same picture again and again is named, with the time from when,
// and not read meanwhile; with new pictures it is read again. A replay may stand still.
func TestACameraThatRepeatsIsToldAndNotRead(t *testing.T) {
	var units []capture.Unit
	for i := range 36 { // a key picture a second: eight new ones, twenty alike, eight new ones
		scene := uint64(i)
		if i >= 8 && i < 28 {
			scene = 8
		}
		u := grainy(t, scene)
		u.PTS = time.Duration(i) * time.Second
		u.Wall, u.N = time.Unix(1000, 0).Add(u.PTS), uint64(i+1)
		units = append(units, u)
	}
	for _, every := range []bool{false, true} {
		var frozen []fact.Observation
		read := map[uint64]bool{}
		r, err := New(Config{Table: "T1", Every: every,
			Cameras: []Camera{{Name: "cam", Calibration: &calibration.Table{Table: "good"}, Open: func() Units {
				return &list{units: units, pause: 10 * time.Millisecond}
			}}},
			Seen: func(obs []fact.Observation) {
				for _, o := range obs {
					if o.Kind == fact.Frozen {
						frozen = append(frozen, o)
					} else {
						read[o.Frame] = true
					}
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if every {
			if len(frozen) != 0 || len(read) != len(units) {
				t.Errorf("replay: %+v, %d of %d read", frozen, len(read), len(units))
			}
			continue
		}
		if len(frozen) != 3 || !frozen[0].OK || frozen[1].OK || !frozen[2].OK || !frozen[1].Since.Equal(units[8].Wall) ||
			frozen[1].Camera != "cam" || frozen[1].Time.After(units[20].Wall) || frozen[2].Time.Before(units[28].Wall) {
			t.Fatalf("told %+v", frozen)
		}
		if read[25] || !read[36] {
			t.Errorf("read %v", read)
		}
	}
}

// A driver that takes its process down costs one life: the next one decodes by the
// processor, and says why.
func TestADriverThatCrashes(t *testing.T) {
	units := clip(t, 50, 60, 70)
	var mu sync.Mutex
	var by, why []string
	lives := 0
	r, err := New(Config{Table: "T1", Every: true, Decoder: decoder.Choice{Kind: decoder.VAAPI, Device: "/dev/dri/renderD128"},
		Cameras: []Camera{{Name: "cam", Calibration: &calibration.Table{Table: "good"}, Open: func() Units {
			lives++
			return &list{units: units}
		}}},
		Stats: func(s wire.Stats) {
			mu.Lock()
			defer mu.Unlock()
			by, why = append(by, s.Decoder), append(why, s.Refused)
		}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	last := len(by) - 1
	// What a process had said of its decoder may be lost with it: then one more life is.
	if lives < 2 || lives > 3 || last < 1 || by[0] != "vaapi:/dev/dri/renderD128" || why[0] != "" || by[last] != "software" ||
		!strings.Contains(why[last], "lost while vaapi:/dev/dri/renderD128 decoded") {
		t.Errorf("%d lives, by %q, because %q", lives, by, why)
	}
}

func TestACameraThatIsRefusedDoesNotStopTheOthers(t *testing.T) {
	units := clip(t, 50, 50, 50)
	refused, read := map[string]string{}, 0
	r, err := New(Config{Table: "T1", Every: true,
		Cameras: []Camera{
			{Name: "wrong", Calibration: &calibration.Table{Table: "refuse"}, Open: func() Units { return &list{units: units} }},
			{Name: "right", Calibration: &calibration.Table{Table: "good"}, Open: func() Units { return &list{units: units} }},
		},
		Refused: func(c string, err error) { refused[c] = err.Error() },
		Seen:    func(obs []fact.Observation) { read += len(obs) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(refused) != 1 || refused["wrong"] == "" || read != 3 {
		t.Errorf("refused %v, read %d", refused, read)
	}
}

func TestPreviewsComeWhileTheyAreWanted(t *testing.T) {
	units := clip(t, make([]uint8, 100)...)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var jpeg []byte
	r, err := New(Config{Table: "T1",
		Cameras: []Camera{{Name: "cam", Open: func() Units {
			return &list{units: units, pause: 20 * time.Millisecond, stay: true}
		}}},
		Picture: func(_ string, b []byte) { jpeg = b; cancel() }})
	if err != nil {
		t.Fatal(err)
	}
	r.Preview("cam", true)
	r.Run(ctx)
	img, err := gocv.IMDecode(jpeg, gocv.IMReadColor)
	if err != nil || img.Cols() != 320 {
		t.Fatalf("preview of %d bytes: %v", len(jpeg), err)
	}
	img.Close()
}

func FuzzUnit(f *testing.F) {
	f.Add(wire.AppendUnit(nil, 0, capture.Unit{NALs: [][]byte{{1}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if i, _, err := wire.ParseUnit(b, 2); err == nil && i > 1 {
			t.Fatal("accepted a camera that is not there")
		}
	})
}
