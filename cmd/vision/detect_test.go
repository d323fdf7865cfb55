package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/internal/command"
	"vision/internal/testkit/caught"
	"vision/internal/testkit/simulated"
)

// felt is a bare cloth of w×h pixels as PNG and as JPEG.
func felt(t *testing.T, w, h int) (pngs, jpg []byte) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{R: 30, G: uint8(90 + (x*7+y*5)%9), B: 50, A: 255})
		}
	}
	var a, b bytes.Buffer
	if err := errors.Join(png.Encode(&a, img), jpeg.Encode(&b, img, nil)); err != nil {
		t.Fatal(err)
	}
	return a.Bytes(), b.Bytes()
}

// claiming changes the size a PNG's header claims to 10000×10000.
func claiming(pngs []byte) []byte {
	out := bytes.Clone(pngs)
	copy(out[16:24], []byte{0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10})
	crc := crc32.ChecksumIEEE(out[12:29])
	copy(out[29:33], []byte{byte(crc >> 24), byte(crc >> 16), byte(crc >> 8), byte(crc)})
	return out
}

// fourComponents is a JPEG whose header has four components: CMYK.
func fourComponents() []byte {
	return []byte{
		0xFF, 0xD8, 0xFF, 0xC0, 0, 20, 8, 0, 64, 0, 64, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0, 0xFF,
		0xDA, 0, 2, 0xFF, 0xD9,
	}
}

// Of absurd and broken pictures each is refused by one line that names it; the
// whole ones beside them are still read, and the exit status is 1.
func TestDetectRefusesAbsurdPicturesAndReadsTheRest(t *testing.T) {
	pngs, jpg := felt(t, 96, 64)
	tiny, _ := felt(t, 1, 1)
	bad := map[string][]byte{
		"empty.jpg": nil, "tiny.png": tiny, "huge.png": claiming(pngs), "cmyk.jpg": fourComponents(),
		"cut.jpg": jpg[:len(jpg)/2], "cut.png": pngs[:len(pngs)/2], "text.jpg": []byte("a receipt"), "tail.jpg": jpg[:len(jpg)-2],
	}
	dir := t.TempDir()
	var paths []string
	put := func(name string, data []byte) {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	for name, data := range bad {
		put(name, data)
	}
	put("felt.png", pngs)
	put("felt.jpg", jpg)
	paths = append(paths, filepath.Join(dir, "missing.png"))
	for _, kind := range []string{"cards", "dice", "chips"} {
		out, errs, err := caught.Run(t, (&DetectCmd{Images: paths, Kind: kind}).Run)
		if code := command.Status(0); !errors.As(err, &code) || code != 1 {
			t.Errorf("%s: error %v, want exit status 1", kind, err)
		}
		if out != "" {
			t.Errorf("%s: something is read on a bare cloth: %s", kind, out)
		}
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		if len(lines) != len(bad)+1 {
			t.Errorf("%s: %d lines of error for %d files:\n%s", kind, len(lines), len(bad)+1, errs)
		}
		for name := range bad {
			if strings.Count(errs, name) != 1 {
				t.Errorf("%s: %s is named %d times", kind, name, strings.Count(errs, name))
			}
		}
	}
}

// A calibrated camera's picture is read zone by zone; flags that do not go together are
// refused.
func TestDetectOfACalibratedCamera(t *testing.T) {
	dir := simulated.Card(t)
	cal, bare, img := filepath.Join(dir, "calibration.yaml"), filepath.Join(dir, "empty.jpg"), filepath.Join(dir, "1.jpg")
	for _, empty := range []string{"", bare} {
		out, errs, err := caught.Run(
			t,
			(&DetectCmd{Images: []string{img, bare}, Calibration: cal, Empty: empty, Annotate: filepath.Join(dir, "out")}).Run,
		)
		if err != nil || errs != "" {
			t.Fatalf("%v: %s", err, errs)
		}
		var r struct {
			Image, Kind, Zone, Label string
			At                       [2]float64
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Image != img || r.Kind != "cards" || r.Zone != "seat:2" ||
			r.Label != "9h" ||
			r.At[0] <= 0 {
			t.Errorf("empty %q: %v: %s; want one line, of the card", empty, err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "out", "1.jpg")); err != nil {
			t.Error(err)
		}
	}
	out, _, err := caught.Run(t, (&DetectCmd{Images: []string{img}, Calibration: cal, Kind: "dice"}).Run)
	if err != nil || out != "" {
		t.Errorf("dice only: %v: %s", err, out)
	}
	small := filepath.Join(dir, "small.png")
	pngs, _ := felt(t, 96, 64)
	if err := os.WriteFile(small, pngs, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]*DetectCmd{
		"say by which calibration":   {Images: []string{img}, Empty: bare},
		"leave it out":               {Images: []string{img}, Calibration: cal, Edge: 20},
		"picture of the empty table": {Images: []string{img}, Calibration: cal, Empty: small},
		"calibration":                {Images: []string{img}, Calibration: small},
	} {
		if out, _, err := caught.Run(t, c.Run); err == nil || !strings.Contains(err.Error(), want) || out != "" {
			t.Errorf("%v: %s; want %s", err, out, want)
		}
	}
	if _, errs, err := caught.Run(t, (&DetectCmd{Images: []string{small}, Calibration: cal}).Run); err == nil ||
		!strings.Contains(errs, "small.png") ||
		!strings.Contains(errs, "96×64") {
		t.Errorf("a picture of another size: %v: %s", err, errs)
	}
}
