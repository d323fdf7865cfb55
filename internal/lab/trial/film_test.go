package trial

import (
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/av"
	"vision/internal/cv"
	"vision/internal/lab/sim"
	"vision/internal/lab/sim/condition"
)

// Where packets are lost some pictures are missing and some are damaged and known to be, and
// after the next key picture all is well again; nothing of FFmpeg's stays behind.
func TestFilmWithLosses(t *testing.T) {
	open := av.Live()
	on := condition.Set{Codec: condition.Codec{FPS: 25, Bitrate: condition.Span{2, 2.1}, GOP: condition.Span{1, 1.1},
		Loss: 0.04}}
	tab, err := sim.New(sim.Config{Game: "blackjack", Seed: 3, Size: [2]int{640, 360}, Start: Start, Condition: on})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	f, err := newFilm(tab)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := newFilm(tab)
	if err != nil {
		t.Fatal(err)
	}
	whole.line = nil
	const pictures = 300
	seen, well, unnoticed := 0, 0, 0
	want, diff := gocv.NewMat(), gocv.NewMat()
	defer want.Close()
	defer diff.Close()
	for range pictures {
		frame, err := tab.Step()
		if err != nil {
			t.Fatal(err)
		}
		err = whole.show(frame, func(p cv.Picture, _ bool) error {
			img, err := p.BGR()
			if err == nil {
				img.CopyTo(&want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		err = f.show(frame, func(p cv.Picture, damaged bool) error {
			img, err := p.BGR()
			if err != nil {
				return err
			}
			seen++
			gocv.AbsDiff(img, want, &diff)
			if m := diff.Mean(); m.Val1+m.Val2+m.Val3 == 0 {
				well++
			} else if !damaged {
				unnoticed++
			}
			return nil
		})
		if err != nil {
			t.Fatalf("picture %d: %v", frame.N, err)
		}
	}
	f.close()
	whole.close()
	t.Logf("%d of %d pictures came through, %d of them as they were sent; %d are not and pass for whole", seen, pictures, well, unnoticed)
	if seen > pictures-5 || seen < pictures*8/10 {
		t.Errorf("%d of %d pictures came through", seen, pictures)
	}
	if unnoticed > 0 {
		t.Errorf("%d of %d pictures are not as they were sent and pass for whole", unnoticed, seen)
	}
	if well < seen/4 || well > seen*9/10 {
		t.Errorf("%d of %d pictures are as they were sent: want many, and some that are not", well, seen)
	}
	if n := av.Live(); n != open {
		t.Errorf("%d objects of FFmpeg leaked", n-open)
	}
}

// A table goes on, and its round is told, where packets are lost.
func TestARoundWithLosses(t *testing.T) {
	on := condition.Set{Codec: condition.Codec{FPS: pace, Bitrate: condition.Span{2, 4}, GOP: condition.Span{1, 2},
		Loss: 0.02}}
	r, err := Run(t.Context(), Config{Game: "punto_banco", Seed: 3, Rounds: 1, Condition: on})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rounds[0].Told != 1 {
		t.Errorf("told %d times", r.Rounds[0].Told)
	}
}
