package rtsp

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/gortsplib/v5/pkg/format"
	"github.com/pion/rtp"

	"vision/capture"
	"vision/internal/shared"
)

// slicesOf is a picture of n slices; a marker ends each as the encoder packs them alone.
func slicesOf(c capture.Codec, key bool, n int) (out [][]byte) {
	head := []byte{0x41}
	switch {
	case c == capture.H265 && key:
		head = []byte{19 << 1, 1}
		out = [][]byte{{32 << 1, 1, 1}, {33 << 1, 1, 1}, {34 << 1, 1, 1}}
	case c == capture.H265:
		head = []byte{1 << 1, 1}
	case key:
		head, out = []byte{0x65}, [][]byte{sps, pps}
	}
	for i := range n {
		first := byte(0x88)
		if i > 0 {
			first = 0x08
		}
		out = append(out, append(append(bytes.Clone(head), first), bytes.Repeat([]byte{byte(0x50 + i)}, 2000)...))
	}
	return out
}

// marked packs every NAL unit alone, so that each ends with a marker.
func marked(t *testing.T, enc encoder, nals [][]byte, at uint32) (out []*rtp.Packet) {
	t.Helper()
	for _, n := range nals {
		ps, err := enc.Encode([][]byte{n})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			p.Timestamp = at
		}
		out = append(out, ps...)
	}
	return out
}

func coders(t *testing.T, c capture.Codec) (encoder, decoder) {
	t.Helper()
	if c == capture.H265 {
		f := &format.H265{PayloadTyp: 96}
		enc, err := f.CreateEncoder()
		if err != nil {
			t.Fatal(err)
		}
		dec, err := f.CreateDecoder()
		if err != nil {
			t.Fatal(err)
		}
		return enc, dec
	}
	f := &format.H264{PayloadTyp: 96, PacketizationMode: 1}
	enc, err := f.CreateEncoder()
	if err != nil {
		t.Fatal(err)
	}
	dec, err := f.CreateDecoder()
	if err != nil {
		t.Fatal(err)
	}
	return enc, dec
}

// A marker on every slice, in fragments, of either codec: pictures are whole. Where it was
// right for a while before, one picture comes in parts, which say so.
func TestMarkersOnSlices(t *testing.T) {
	for _, c := range []capture.Codec{capture.H264, capture.H265} {
		for _, right := range []int{0, 2, 20} {
			enc, dec := coders(t, c)
			a := assembler{codec: c, dec: dec}
			var out []assembled
			for i := range 60 {
				nals := slicesOf(c, i%10 == 0, 4)
				if i < right { // one NAL unit is one slice: the marker is right
					nals = slicesOf(c, i%10 == 0, 1)
				}
				for _, p := range marked(t, enc, nals, uint32(i*3600)) {
					out = append(out, a.packet(p, stamp{pts: time.Duration(i)})...)
				}
			}
			partial := 0
			for i, u := range out {
				pictures := 0
				for _, n := range u.NALs {
					if c.Picture(n) {
						pictures++
					}
				}
				want := 4
				if int(u.at.pts) < right {
					want = 1
				}
				if u.Partial {
					partial++
				}
				if pictures != want && int(u.at.pts) != right {
					t.Errorf("%v after %d right markers: unit %d, of picture %d, has %d slices", c, right, i, u.at.pts, pictures)
				}
			}
			if right < 20 && partial > 0 || right == 20 && (partial == 0 || partial > 1) {
				t.Errorf("%v after %d right markers: %d units say that they are not whole", c, right, partial)
			}
			if len(out) < 58 || len(out) > 61 {
				t.Errorf("%v after %d right markers: %d units of 60 pictures", c, right, len(out))
			}
		}
	}
}

// A stream of an encoder that cuts pictures into slices.
func TestMarkersOnSlicesOfAnEncoder(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(shared.Dir(t, "reports"), "slices.h264"))
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	var nals [][]byte
	for n := range bytes.SplitSeq(raw, []byte{0, 0, 1}) {
		if n = bytes.TrimRight(n, "\x00"); len(n) > 0 {
			nals = append(nals, n)
		}
	}
	enc, dec := coders(t, capture.H264)
	a := assembler{dec: dec}
	pictures, slices := 0, 0
	var out []assembled
	for _, n := range nals {
		if capture.H264.Picture(n) {
			if slices++; capture.H264.Begins([][]byte{n}) {
				pictures++
			}
		}
		for _, p := range marked(t, enc, [][]byte{n}, uint32(pictures*3600)) {
			out = append(out, a.packet(p, stamp{})...)
		}
	}
	if slices <= pictures {
		t.Fatalf("%d slices of %d pictures", slices, pictures)
	}
	if n := len(out); n < pictures-1 || n > pictures {
		t.Errorf("%d units of %d pictures", n, pictures)
	}
	for i, u := range out {
		firsts := 0
		for _, n := range u.NALs {
			if capture.H264.Begins([][]byte{n}) {
				firsts++
			}
		}
		if firsts != 1 || u.Partial {
			t.Errorf("unit %d: %d first slices, partial %v", i, firsts, u.Partial)
		}
	}
}

// A panic over a packet ends the try, not the program.
func TestAPanicIsContained(t *testing.T) {
	r := &receiver{broken: make(chan error, 1)}
	for range 3 {
		r.guarded(func() { panic("out of range") })
	}
	if err := <-r.broken; !strings.Contains(err.Error(), "cannot be read") {
		t.Error(err)
	}
}

// FuzzRTP: whatever packets come, units are bounded, hold a picture, and key units their
// parameter sets.
func FuzzRTP(f *testing.F) {
	f.Add(false, []byte("\x00\x00\x03\x65\x88\x11\x01\x00\x02\x41\x9a"))
	f.Add(true, []byte("\x01\x00\x05\x62\x01\x93\xaa\xbb\x00\x01\x04\x62\x01\x53\xcc"))
	f.Fuzz(func(t *testing.T, hevc bool, raw []byte) {
		c := capture.H264
		if hevc {
			c = capture.H265
		}
		_, dec := coders(t, c)
		a := assembler{codec: c, dec: dec}
		var seq uint16
		var at uint32
		for len(raw) > 2 {
			flags, n := raw[0], min(int(raw[2]), len(raw)-3)
			seq += uint16(flags>>1&1) + 1
			at += uint32(flags >> 2 & 3)
			p := &rtp.Packet{
				Header:  rtp.Header{Version: 2, SequenceNumber: seq, Timestamp: at, Marker: flags&1 != 0},
				Payload: raw[3 : 3+n],
			}
			raw = raw[3+n:]
			for _, u := range a.packet(p, stamp{}) {
				picture := false
				for _, n := range u.NALs {
					picture = picture || c.Picture(n)
				}
				if !picture || u.Key && !c.Parameters(u.NALs).Whole() {
					t.Errorf("%+v", u.Unit)
				}
			}
		}
	})
}
