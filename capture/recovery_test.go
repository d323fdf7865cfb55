package capture

import "testing"

func TestRecoveryPoints(t *testing.T) {
	for _, c := range []struct {
		name     string
		codec    Codec
		nal      []byte
		pictures int
		ok       bool
	}{
		{"H.264, open group", H264, []byte{6, 6, 1, 0xc4, 0x80}, 0, true},
		{"H.264, gradual", H264, []byte{6, 6, 1, 0x2c, 0x80}, 4, true},
		{"H.264, after a long message", H264, append(append([]byte{6, 5, 0xff, 1}, make([]byte, 256)...), 6, 1, 0xc4, 0x80), 0, true},
		{"H.264, another message", H264, []byte{6, 1, 1, 0xc4, 0x80}, 0, false},
		{"H.264, cut short", H264, []byte{6, 6, 9, 0xc4}, 0, false},
		{"H.264, nothing", H264, []byte{6}, 0, false},
		{"H.264, sizes without end", H264, []byte{6, 0xff, 0xff, 0xff}, 0, false},
		{"H.265, gradual", H265, []byte{39 << 1, 1, 6, 1, 0x24, 0x80}, 2, true}, // se(v) 00100: 2
		{"H.265, before what was", H265, []byte{39 << 1, 1, 6, 1, 0x74, 0x80}, 0, true},
		{"H.265, of another layer", H265, []byte{39<<1 | 1, 1, 6, 1, 0xc4, 0x80}, 0, false},
		{"H.265, head alone", H265, []byte{39 << 1, 1}, 0, false},
	} {
		if n, ok := c.codec.Recovery([][]byte{nil, {1}, c.nal}); n != c.pictures || ok != c.ok {
			t.Errorf("%s: %d, %v", c.name, n, ok)
		}
	}
}

func FuzzRecovery(f *testing.F) {
	f.Add(false, []byte{6, 5, 3, 1, 2, 3, 6, 1, 0xc4, 0x80})
	f.Add(true, []byte{39 << 1, 1, 6, 1, 0x24, 0x80})
	f.Fuzz(func(t *testing.T, hevc bool, nal []byte) {
		c := H264
		if hevc {
			c = H265
		}
		if n, _ := c.Recovery([][]byte{nal}); n < 0 || n > 1<<16 {
			t.Errorf("%d pictures", n)
		}
	})
}
