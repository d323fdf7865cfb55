package record

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/testvideo"
)

// What was read is kept beside the pictures, in the file and in every clip of it, and
// disturbs nobody who plays it; a clip begins with what held already.
func TestReadingsLieBesideThePictures(t *testing.T) {
	b, dir := &book{}, t.TempDir()
	s := store(t, dir, b, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Plain(start)
	said := func(n int) json.RawMessage { return fmt.Appendf(nil, `[{"kind":"card","label":"%dh"}]`, n) }
	for i, u := range us {
		if i%testvideo.FPS == testvideo.FPS/2 { // once a second
			r.Readings(u.Wall, said(i/testvideo.FPS))
		}
		r.unit(u)
	}
	r.Readings(start, json.RawMessage(strings.Repeat(" ", maxReadings+1))) // is not kept, and does not hurt
	r.cut()
	span := s.Timeline(cam, start, us[len(us)-1].Wall)[0]
	whole := read(t, s, span.File)
	_, got, _ := samples(t, whole)
	sameUnits(t, got, us)
	if good, problems := b.check(t, dir); good != 1 || problems != nil {
		t.Fatalf("%d good, %v", good, problems)
	}
	seconds := len(us) / testvideo.FPS
	labels := func(all []Reading) (out []string) {
		for _, x := range all {
			out = append(out, string(x.Readings))
		}
		return slices.Compact(out)
	}
	var want []string
	for n := range seconds {
		want = append(want, string(said(n)))
	}
	if all := labels(parseReadings(whole)); !slices.Equal(all, want) {
		t.Errorf("in the file %q; want %q", all, want)
	}
	c, err := s.Clip(cam, start.Add(3*time.Second), start.Add(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cut, err := io.ReadAll(c)
	if err != nil || int64(len(cut)) != c.Size() {
		t.Fatalf("%d bytes of %d, %v", len(cut), c.Size(), err)
	}
	if _, some, _ := samples(t, cut); len(some) < 2*testvideo.FPS {
		t.Errorf("a clip of %d pictures", len(some))
	}
	in := parseReadings(cut)
	if len(in) < 3 || in[0].At > c.Start.UnixMilli() ||
		string(in[0].Readings) != want[int(c.Start.Sub(start).Seconds())-1] {
		t.Errorf("the clip from %v begins with %+v", c.Start, in)
	}
	if parseReadings(cut[:len(cut)/2]) == nil || parseReadings([]byte("no box at all")) != nil {
		t.Error("torn bytes")
	}
}

// parseReadings finds the readings in a clip or segment, in their order.
func parseReadings(b []byte) (out []Reading) {
	for len(b) >= 8 {
		n := int(binary.BigEndian.Uint32(b))
		if n < 8 || n > len(b) {
			return out
		}
		if string(b[4:8]) == "free" && isReadings(b[:n]) {
			var some []Reading
			if json.Unmarshal(b[readHead:n], &some) == nil {
				out = append(out, some...)
			}
		}
		b = b[n:]
	}
	return out
}
