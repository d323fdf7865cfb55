package evidence

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

const frame = "<!doctype html>" + PageMark + "</script>"

// What was put into a page comes out of it; a zip that is none, or too large, is an error.
func TestPage_holdsTheZip(t *testing.T) {
	var inside, whole bytes.Buffer
	z := zip.NewWriter(&inside)
	if w, err := z.Create("a"); err != nil {
		t.Fatal(err)
	} else if _, err := io.WriteString(w, "text"); err != nil {
		t.Fatal(err)
	}
	w, err := Page(frame, &whole)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(inside.Bytes())
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		whole.String(): true, inside.String(): true, frame: false, frame[:20]: false, "<p>": false,
	} {
		path := filepath.Join(t.TempDir(), "case.html")
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		got, opened, err := OpenZip(path)
		if (err == nil) != want || want && got.File[0].Name != "a" {
			t.Errorf("%.40q: %+v, %v; want it opened: %v", name, got, err, want)
		}
		if err == nil {
			opened.Close()
		}
	}
	if _, err := Page("no place", io.Discard); err == nil {
		t.Error("a frame without a place for the zip was taken")
	}
	full, err := Page(frame, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	full.(*page).left = 3
	if _, err := full.Write([]byte("more")); !errors.Is(err, ErrPage) {
		t.Errorf("a zip that is too large: %v", err)
	}
}

// No page makes the reader fail otherwise than by an error.
func FuzzOfPage(f *testing.F) {
	f.Add([]byte(frame))
	f.Add([]byte(PageMark + "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==<"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		none := errors.New("no page")
		if z, err := ofPage(raw, none); (z == nil) == (err == nil) {
			t.Errorf("%v and %v", z, err)
		}
	})
}
