package main

import (
	"bytes"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caught runs f and returns what it wrote on standard output and standard error.
func caught(t *testing.T, f func() error) (out, errs string, err error) {
	t.Helper()
	dir := t.TempDir()
	o, e := scratch(t, dir, "out"), scratch(t, dir, "err")
	keptOut, keptErr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = o, e
	defer func() { os.Stdout, os.Stderr = keptOut, keptErr }()
	err = f()
	return whole(t, o), whole(t, e), err
}

func scratch(t *testing.T, dir, name string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func whole(t *testing.T, f *os.File) string {
	t.Helper()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

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
		out, errs, err := caught(t, (&DetectCmd{Images: paths, Kind: kind}).Run)
		if code := exitCode(0); !errors.As(err, &code) || code != 1 {
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
