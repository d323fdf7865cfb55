package av

import (
	"bytes"
	"image"
	"image/color"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"vision/capture"
)

// What is said of a picture that stays is what the encoder would say, to the bit, and so is what
// comes after it, over more pictures than there are numbers and beyond key pictures.
func TestAPictureThatStaysIsSaidAgain(t *testing.T) {
	noLeak(t)
	const w, h = 320, 180
	asked, spared := opened(t, w, h, EncoderOptions{QP: 27, GOP: 800}), opened(t, w, h, EncoderOptions{QP: 27, GOP: 800})
	defer asked.Close()
	defer spared.Close()
	asked.even = false
	m := scene(w, h, 3)
	defer m.Close()
	for i := range 120 {
		at := time.Duration(i) * 125 * time.Millisecond
		asks := []*Encoder{asked, spared}
		var said [2][][]byte
		for k, e := range asks {
			if i == 50 || i == 53 {
				e.ForceKey()
			}
			if i%40 == 0 || i%9 == 7 && i < 60 {
				if k == 0 {
					gocv.Rectangle(&m, image.Rect(10+i, 20, 60+i, 70), color.RGBA{R: uint8(40 + 3*i), G: 90}, -1)
				}
				u, err := e.Encode(m, at)
				if err != nil {
					t.Fatal(err)
				}
				said[k] = u.NALs
				continue
			}
			u, err := e.Again(at)
			if err != nil || u.N != uint64(i+1) || (u.PTS-at).Abs() > time.Millisecond {
				t.Fatalf("picture %d: number %d at %v, %v", i, u.N, u.PTS, err)
			}
			said[k] = u.NALs
		}
		if !slices.EqualFunc(said[0], said[1], bytes.Equal) {
			t.Fatalf("picture %d: the encoder says %x, without it %x", i, said[0], said[1])
		}
	}
	if spared.still.inserted < 40 {
		t.Errorf("%d pictures were said without the encoder since the last key picture", spared.still.inserted)
	}
}

// Pictures that the encoder does not know of count: who joins waits for a key picture no longer.
func TestAStillPictureHasItsKeys(t *testing.T) {
	const gop = 10
	e := opened(t, 320, 180, EncoderOptions{QP: 27, GOP: gop})
	defer e.Close()
	m := scene(320, 180, 3)
	defer m.Close()
	for i := range 5 * gop {
		at := time.Duration(i) * 125 * time.Millisecond
		say := e.Again
		if i == 0 {
			say = func(at time.Duration) (capture.Unit, error) { return e.Encode(m, at) }
		}
		if u, err := say(at); err != nil || u.Key != (i%gop == 0) {
			t.Fatalf("picture %d: key %v, %v", i, u.Key, err)
		}
	}
	if e.still.inserted == 0 {
		t.Error("no picture was said without the encoder")
	}
}

func opened(t *testing.T, w, h int, o EncoderOptions) *Encoder {
	t.Helper()
	e, err := NewEncoder(w, h, 8, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEscape(t *testing.T) {
	for _, c := range [][2]string{
		{"a\x00\x00\x01", "a\x00\x00\x03\x01"},
		{"\x00\x00\x00\x00\x00", "\x00\x00\x03\x00\x00\x03\x00"},
		{"\x00\x00\x04\x00\x00\x03", "\x00\x00\x04\x00\x00\x03\x03"},
	} {
		if got := string(escape([]byte(c[0]))); got != c[1] {
			t.Errorf("%x: %x, want %x", c[0], got, c[1])
		}
	}
}
