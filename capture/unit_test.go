package capture

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestUnitRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := Unit{
			NALs:    rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 5).Draw(t, "nals"),
			PTS:     time.Duration(rapid.Int64().Draw(t, "pts")),
			Wall:    time.Unix(0, rapid.Int64().Draw(t, "wall")),
			Key:     rapid.Bool().Draw(t, "key"),
			Gap:     rapid.Bool().Draw(t, "gap"),
			Partial: rapid.Bool().Draw(t, "partial"),
			N:       rapid.Uint64().Draw(t, "n"),
		}
		got, err := ParseUnit(AppendUnit(nil, u))
		if err != nil {
			t.Fatal(err)
		}
		if len(u.NALs) == 0 {
			u.NALs = nil
		}
		if d := cmp.Diff(u, got, cmp.Comparer(func(a, b []byte) bool { return bytes.Equal(a, b) })); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzParseUnit(f *testing.F) {
	f.Add(AppendUnit(nil, Unit{NALs: [][]byte{{0x67, 1}, {0x65, 2, 3}}, Key: true}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		u, err := ParseUnit(b)
		if err == nil && len(u.NALs) > 0 && !bytes.Equal(AppendUnit(nil, u)[1:], b[1:]) {
			t.Fatal("parsed to something else")
		}
	})
}
