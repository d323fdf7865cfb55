package av

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"vision/capture"
	"vision/internal/decoder"
	"vision/internal/testkit/testvideo"
)

var errDriver = errors.New("the driver has failed")

// standIn is a device whose pictures the processor decodes, and that fails at picture n
// and from then on.
func standIn(n int) *Device {
	got := 0
	return &Device{choice: decoder.Choice{Kind: decoder.VAAPI, Device: "/dev/dri/renderD128"}, cannot: map[capture.Codec]error{},
		fetch: func() error {
			if got++; got > n {
				return errDriver
			}
			return nil
		}}
}

// decodeAll decodes units on a device and tells who decoded in the end.
func decodeAll(t *testing.T, dev *Device, units []capture.Unit) (frames []*Frame, by decoder.Choice, why error) {
	t.Helper()
	d, err := dev.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for i, u := range units {
		more, err := d.Decode(u)
		if err != nil {
			t.Fatalf("unit %d: %v", i, err)
		}
		frames = append(frames, more...)
	}
	by, why = d.By()
	more, err := d.Flush()
	if err != nil {
		t.Fatal(err)
	}
	return append(frames, more...), by, why
}

// Wherever a device fails, every picture comes once, whole and in its order, and the
// processor goes on.
func TestADeviceFailsInTheMiddle(t *testing.T) {
	noLeak(t)
	start := time.Unix(1000, 0)
	for name, units := range map[string][]capture.Unit{
		"H.264":           clip(t, 320, 240, 12, 5),
		"H.265":           testvideo.HEVC(t, start, false)[:12],
		"H.265 reordered": testvideo.HEVC(t, start, true)[:12],
	} {
		want, _, _ := decodeAll(t, nil, units)
		for n := range len(units) + 1 {
			t.Run(fmt.Sprintf("%s at %d", name, n), func(t *testing.T) {
				got, by, why := decodeAll(t, standIn(n), units)
				if len(got) != len(want) {
					t.Fatalf("%d pictures, want %d", len(got), len(want))
				}
				for i, f := range got {
					if f.N != want[i].N || f.PTS != want[i].PTS || !f.Wall.Equal(want[i].Wall) || f.Damaged || f.Key != want[i].Key {
						t.Errorf("picture %d is N %d of %v, damaged %v; want N %d of %v", i, f.N, f.PTS, f.Damaged, want[i].N, want[i].PTS)
					}
					if string(f.I420().appendTo(nil)) != string(want[i].I420().appendTo(nil)) {
						t.Errorf("picture %d is another", i)
					}
					f.Close()
				}
				if fell := by.Kind == decoder.Software; fell != errors.Is(why, errDriver) || !fell && n < len(units)-4 {
					t.Errorf("by %v: %v", by, why)
				}
			})
		}
		for _, f := range want {
			f.Close()
		}
	}
}

// A unit that nobody can decode is the stream's fault: the device has the next key unit.
func TestABrokenStreamIsNotTheDevicesFault(t *testing.T) {
	noLeak(t)
	units := clip(t, 320, 240, 12, 5)
	broken := units[3]
	broken.NALs = [][]byte{{0x41, 0xff, 0xff, 0xff, 0xff, 0xff}}
	d, err := standIn(1000).NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	pictures, failed := 0, 0
	for i, u := range units {
		if i == 3 {
			u = broken
		}
		frames, err := d.Decode(u)
		if err != nil {
			failed++
		}
		for _, f := range frames {
			if f.Damaged != (i == 4) {
				t.Errorf("picture of unit %d: damaged %v", i, f.Damaged)
			}
			f.Close()
			pictures++
		}
	}
	if by, why := d.By(); by.Kind != decoder.VAAPI || failed != 1 || pictures != 11 {
		t.Errorf("by %v (%v), %d failed, %d pictures", by, why, failed, pictures)
	}
}

// After more than may be kept a failure costs what is left of the group.
func TestALongGroupIsNotKept(t *testing.T) {
	noLeak(t)
	units := clip(t, 64, 64, groupUnits+50, groupUnits+30)
	d, err := standIn(groupUnits + 10).NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var came []int
	for i, u := range units {
		frames, err := d.Decode(u)
		if (err != nil) != (i == groupUnits+10) {
			t.Errorf("unit %d: %v", i, err)
		}
		for _, f := range frames {
			came = append(came, i)
			f.Close()
		}
	}
	if n := groupUnits + 10 + 20; len(came) != n || came[groupUnits+10] != groupUnits+30 {
		t.Errorf("%d pictures, want %d; after the failure unit %d", len(came), n, came[groupUnits+10])
	}
}

// A device is taken only when its pictures are right.
func TestADeviceIsTried(t *testing.T) {
	noLeak(t)
	if err := standIn(1000).try(); err != nil {
		t.Errorf("one that decodes: %v", err)
	}
	if err := standIn(2).try(); !errors.Is(err, errDriver) {
		t.Errorf("one that fails: %v", err)
	}
	for _, c := range []struct {
		choice decoder.Choice
		says   string
	}{
		{decoder.Choice{Kind: decoder.Software}, "no decoder in hardware"},
		{decoder.Choice{Kind: decoder.Auto}, "no decoder in hardware"},
		{decoder.Choice{Kind: decoder.VAAPI, Device: "/dev/dri/renderD250"}, "no such device file"},
		{decoder.Choice{Kind: decoder.VAAPI, Device: "/dev/null"}, "open vaapi:/dev/null"},
		{decoder.Choice{Kind: decoder.CUDA, Device: "199"}, "open cuda:199"},
	} {
		d, err := OpenDevice(c.choice)
		if err == nil {
			d.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v; want %q", c.choice, err, c.says)
		}
	}
}
