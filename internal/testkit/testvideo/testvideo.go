// Package testvideo holds short H.264 streams for tests, as cameras would send them.
package testvideo

import (
	"bytes"
	_ "embed"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"

	"vision/capture"
)

// FPS is the picture rate of all streams; each GOP is one second long.
const FPS = 15

//go:embed plain.h264
var plain []byte

//go:embed other.h264
var other []byte

//go:embed coded.h264
var coded []byte

//go:embed reordered.h264
var reordered []byte

// Plain is six seconds of 320×240, constrained baseline.
func Plain(start time.Time) []capture.Unit { return units(plain, start) }

// Other is two seconds of 256×192: other parameters than Plain.
func Other(start time.Time) []capture.Unit { return units(other, start) }

// Reordered is four seconds of 320×240, high profile, with one B-frame between
// two others: a stream that browsers' WebRTC does not play.
func Reordered(start time.Time) []capture.Unit {
	us := units(reordered, start)
	for g := 0; g < len(us); g += FPS { // decoding order I P b P b … within each GOP
		for i := 1; i+1 < FPS; i += 2 {
			us[g+i].PTS, us[g+i+1].PTS = us[g+i+1].PTS, us[g+i].PTS
		}
	}
	return us
}

// CodedFPS is the picture rate of Coded.
const CodedFPS = 25

// Coded is ten seconds of 640×360. Every picture bears its number in ten squares
// of 64 pixels along the top, white for 1, the lowest bit first: what is read
// back from a screen says which picture it is.
func Coded(start time.Time) []capture.Unit { return unitsAt(coded, start, CodedFPS) }

// Loop repeats us n times, with times that go on.
func Loop(us []capture.Unit, n int) []capture.Unit {
	var out []capture.Unit
	length := time.Duration(len(us)) * time.Second / FPS
	for i := range n {
		for _, u := range us {
			u.PTS += time.Duration(i) * length
			u.Wall = u.Wall.Add(time.Duration(i) * length)
			out = append(out, u)
		}
	}
	return out
}

func units(raw []byte, start time.Time) []capture.Unit { return unitsAt(raw, start, FPS) }

func unitsAt(raw []byte, start time.Time, fps time.Duration) []capture.Unit {
	var out []capture.Unit
	for n := range bytes.SplitSeq(raw, []byte{0, 0, 1}) {
		if n = bytes.TrimRight(n, "\x00"); len(n) == 0 {
			continue
		}
		switch h264.NALUType(n[0] & 0x1f) {
		case h264.NALUTypeAccessUnitDelimiter:
			at := time.Duration(len(out)) * time.Second / fps
			out = append(out, capture.Unit{PTS: at, Wall: start.Add(at)})
		case h264.NALUTypeIDR:
			out[len(out)-1].Key = true
		}
		u := &out[len(out)-1]
		u.NALs = append(u.NALs, n)
	}
	return out
}
