package capture

import (
	"context"
	"errors"
	"testing"
	"time"

	"vision/capture/h264"
)

func TestJoiningALongGroupLosesNothing(t *testing.T) {
	f := NewFeed("R1", nil, nil)
	f.Unit(Unit{Key: true, NALs: [][]byte{{0x65, 1}}})
	for i := range 99 {
		f.Unit(Unit{PTS: time.Duration(i+1) * time.Second})
	}
	s := f.Subscribe(4) // shorter than the group
	defer s.Close()
	f.Unit(Unit{PTS: 100 * time.Second})
	for i := range 101 {
		u, err := s.Next(context.Background())
		if err != nil || u.N != uint64(i+1) || u.Gap {
			t.Fatalf("unit %d: N %d, gap %v, %v", i, u.N, u.Gap, err)
		}
	}
	if n := f.Stats().Dropped; n != 0 {
		t.Errorf("%d dropped", n)
	}
}

func TestFeedSaysWhatBrowsersCannotPlay(t *testing.T) {
	f := NewFeed("R1", nil, nil)
	// 1920×1080 baseline.
	sps := []byte{0x67, 0x42, 0xc0, 0x28, 0xd9, 0x00, 0x78, 0x02, 0x27, 0xe5, 0x84, 0x00, 0x00, 0x03, 0x00, 0x04,
		0x00, 0x00, 0x03, 0x00, 0xf0, 0x3c, 0x60, 0xc9, 0x20}
	if _, ok := f.Video(); ok {
		t.Error("knows before the first unit")
	}
	f.Unit(Unit{Key: true, NALs: [][]byte{sps, {0x68, 1}, {0x65, 0x88, 0x84}}}) // slice type 7: I
	i, ok := f.Video()
	if !ok || i.Width != 1920 || i.Height != 1080 || i.Problem != nil || i.Codec != H264 {
		t.Errorf("%+v %v", i, ok)
	}
	f.Unit(Unit{NALs: [][]byte{{0x01, 0x9f, 0x00}}}) // slice type 6: B
	if i, _ := f.Video(); !i.Reorders || !errors.Is(i.Problem, h264.ErrBFrames) {
		t.Errorf("after a B slice: %+v", i)
	}
}
