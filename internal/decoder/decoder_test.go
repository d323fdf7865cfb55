package decoder

import (
	"errors"
	"testing"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Choice{
		"": {Kind: Auto}, "auto": {Kind: Auto}, "software": {Kind: Software}, "vaapi": {Kind: VAAPI},
		"vaapi:/dev/dri/renderD129": {VAAPI, "/dev/dri/renderD129"}, "cuda": {Kind: CUDA}, "cuda:1": {CUDA, "1"},
	} {
		got, err := Parse(in)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", in, got, err, want)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("%q comes back as %+v, %v", in, again, err)
		}
	}
	for _, in := range []string{"gpu", "VAAPI", ":", "auto:0", "software:", "vaapi:", "vaapi:/etc/passwd", "vaapi:/dev/dri/../mem",
		"vaapi:renderD128", "cuda:", "cuda:-1", "cuda:x", "cuda:1000"} {
		if got, err := Parse(in); err == nil {
			t.Errorf("%q is taken as %+v", in, got)
		}
	}
}

// A machine without devices decodes by the processor, and says so where one was asked for.
// No process is started: this test program is none that could be asked.
func TestFindWithoutDevices(t *testing.T) {
	for _, k := range Hardware {
		if f := (Choice{Kind: k}).Files(); len(f) > 0 {
			t.Skip("SKIPPED: this machine has ", f)
		}
	}
	for want, err := range map[string]error{"auto": nil, "software": nil, "vaapi": ErrNone, "cuda": ErrNone,
		"vaapi:/dev/dri/renderD250": ErrNone, "cuda:9": ErrNone} {
		c, _ := Parse(want)
		f := Find(t.Context(), c, nil)
		if f.Kind != Software || !errors.Is(f.Err, err) || (err == nil) != (f.Err == nil) {
			t.Errorf("%s: %+v", want, f)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("vaapi:/dev/dri/renderD128")
	f.Add("cuda:1")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(c.String()); err != nil || again != c {
			t.Fatalf("%q is %+v and comes back as %+v, %v", s, c, again, err)
		}
	})
}
