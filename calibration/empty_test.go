package calibration

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The picture of the empty table is the calibrated camera's, or the error says which
// file, why not, and how it is taken.
func TestReadEmpty(t *testing.T) {
	var jpg, small, noAlpha bytes.Buffer
	if err := errors.Join(jpeg.Encode(&jpg, image.NewRGBA(image.Rect(0, 0, 64, 48)), nil),
		jpeg.Encode(&small, image.NewRGBA(image.Rect(0, 0, 32, 24)), nil),
		png.Encode(&noAlpha, image.NewGray(image.Rect(0, 0, 64, 48)))); err != nil {
		t.Fatal(err)
	}
	cal := Table{Camera: "over", Size: [2]int{64, 48}}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		file []byte
		want string // of the error; "" for none
	}{
		"right.jpg": {jpg.Bytes(), ""},
		"right.png": {noAlpha.Bytes(), ""},
		"other.jpg": {small.Bytes(), "32×24"},
		"text.jpg":  {[]byte("no picture"), "format"},
		"gone.jpg":  {nil, "no such file"},
		"cut.jpg":   {jpg.Bytes()[:jpg.Len()-8], "not whole"},
		"cut.png":   {noAlpha.Bytes()[:noAlpha.Len()-20], "not whole"},
	} {
		path := filepath.Join(dir, name)
		if c.file != nil {
			if err := os.WriteFile(path, c.file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := cal.ReadEmpty(path)
		switch {
		case c.want == "" && (err != nil || !bytes.Equal(got, c.file)):
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		case c.want != "" && err == nil:
			t.Errorf("%s: no error", name)
		case c.want != "":
			for _, part := range []string{path, c.want, `camera "over"`} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s: %v: want it to say %q", name, err, part)
				}
			}
		}
	}
	if _, err := cal.ReadEmpty(filepath.Join(dir, "other.jpg")); !errors.Is(err, ErrOtherCamera) {
		t.Errorf("a picture of another size: %v", err)
	}
}
