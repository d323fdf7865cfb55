package h264

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// stream encodes a second of ffmpeg's test picture and returns its access units.
func stream(t testing.TB, args ...string) [][][]byte {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	base := []string{"-v", "error", "-f", "lavfi", "-i", "testsrc2=size=322x182:rate=25", "-frames:v", "25", "-c:v", "libx264"}
	args = append(append(base, args...), "-bsf:v", "h264_metadata=aud=insert", "-f", "h264", "-")
	var errs bytes.Buffer
	cmd := exec.Command("ffmpeg", args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, errs.String())
	}
	var units [][][]byte
	for _, part := range bytes.Split(out, []byte{0, 0, 0, 1, TypeAUD}) {
		if len(part) == 0 {
			continue
		}
		nals, err := Split(append([]byte{0, 0, 0, 1, TypeAUD}, part...))
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, nals)
	}
	return units
}

func TestInspectRealStreams(t *testing.T) {
	for _, c := range []struct {
		name    string
		args    []string
		profile int
		reorder Reorder
		b       bool
		why     string // part of Unplayable's text
	}{
		{"baseline", []string{"-profile:v", "baseline", "-pix_fmt", "yuv420p"}, 66, ReorderNever, false, ""},
		{"zerolatency high", []string{"-tune", "zerolatency", "-pix_fmt", "yuv420p"}, 100, ReorderNever, false, ""},
		{"B-frames", []string{"-bf", "3", "-pix_fmt", "yuv420p"}, 100, ReorderYes, true, "B-frames"},
		{"4:4:4", []string{"-bf", "0", "-pix_fmt", "yuv444p"}, 244, ReorderNever, false, "4:2:0"},
		{"10 bits", []string{"-bf", "0", "-pix_fmt", "yuv420p10le"}, 110, ReorderNever, false, "8 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			units := stream(t, c.args...)
			if len(units) != 25 {
				t.Fatalf("%d units", len(units))
			}
			sps := ofType(units[0], TypeSPS)
			if sps == nil || ofType(units[0], TypePPS) == nil || !Key(units[0]) || Key(units[1]) {
				t.Fatal("parameters or key picture not found")
			}
			i, err := Inspect(sps)
			if err != nil {
				t.Fatal(err)
			}
			if i.Width != 322 || i.Height != 182 || i.FPS != 25 || i.Profile != c.profile || i.Reorder != c.reorder {
				t.Errorf("%+v", i)
			}
			b := false
			for _, u := range units {
				b = b || HasB(u)
			}
			if b != c.b {
				t.Errorf("B slices: %v", b)
			}
			why := i.Unplayable()
			if (c.why == "") != (why == nil) || why != nil && !strings.Contains(why.Error(), c.why) {
				t.Errorf("unplayable: %v", why)
			}
			if c.name == "B-frames" && !errors.Is(why, ErrBFrames) {
				t.Error("not ErrBFrames")
			}
		})
	}
}

func TestInspectRefuses(t *testing.T) {
	for _, b := range [][]byte{nil, {}, {0x68, 1, 2}, {0x67}, {0x67, 100, 0, 40}} {
		if _, err := Inspect(b); err == nil {
			t.Errorf("%x accepted", b)
		}
	}
}

// ofType is the first NAL unit of a type; nil where there is none.
func ofType(nals [][]byte, kind int) []byte {
	for _, n := range nals {
		if Type(n) == kind {
			return n
		}
	}
	return nil
}

func FuzzInspect(f *testing.F) {
	f.Add([]byte{0x67, 0x42, 0xc0, 0x1e, 0xd9, 0x00, 0xa0, 0x47, 0xfe, 0xc8})
	f.Add([]byte{0x65, 0x88, 0x84})
	f.Fuzz(func(t *testing.T, b []byte) {
		if i, err := Inspect(b); err == nil && (i.Width <= 0 || i.Height <= 0) {
			t.Errorf("%+v accepted", i)
		}
		HasB([][]byte{b})
		if nals, err := Split(b); err == nil {
			Key(nals)
		}
	})
}
