package draft

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vision/capture/onvif"
	"vision/internal/config"
)

// A person's address names a camera of the network, of this machine or a recording of its
// folder, and nothing else.
func TestAddresses(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"round.mp4", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.mp4")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		a    Address
		want config.Camera
		err  error
	}{
		"a stream":             {Address{URL: "rtsp://192.0.2.10/1"}, config.Camera{URL: "rtsp://192.0.2.10/1"}, nil},
		"with a password":      {Address{URL: "rtsp://192.0.2.10/1", User: "a", Password: "p@s s", UDP: true}, config.Camera{URL: "rtsp://a:p%40s%20s@192.0.2.10/1", Transport: "udp"}, nil},
		"over TLS, no word":    {Address{URL: " rtsps://192.0.2.10/1 ", User: "a"}, config.Camera{URL: "rtsps://a@192.0.2.10/1"}, nil},
		"USB":                  {Address{URL: "/dev/video2"}, config.Camera{URL: "/dev/video2"}, nil},
		"a recording":          {Address{URL: "round.mp4"}, config.Camera{URL: filepath.Join(dir, "round.mp4"), Loop: true}, nil},
		"nothing":              {Address{URL: " "}, config.Camera{}, ErrNone},
		"another scheme":       {Address{URL: "file:///etc/passwd"}, config.Camera{}, ErrURL},
		"another protocol":     {Address{URL: "ftp://192.0.2.10/1"}, config.Camera{}, ErrScheme},
		"half an address":      {Address{URL: "http:"}, config.Camera{}, ErrURL},
		"no host":              {Address{URL: "rtsp:///1"}, config.Camera{}, ErrURL},
		"nonsense":             {Address{URL: "rtsp://%zz"}, config.Camera{}, ErrURL},
		"another device":       {Address{URL: "/dev/mem"}, config.Camera{}, ErrDevice},
		"another folder":       {Address{URL: "/etc/passwd"}, config.Camera{}, ErrFile},
		"out of the folder":    {Address{URL: "../round.mp4"}, config.Camera{}, ErrFile},
		"a link out of it":     {Address{URL: "link.mp4"}, config.Camera{}, ErrFile},
		"no such recording":    {Address{URL: "none.mp4"}, config.Camera{}, ErrFile},
		"out by /dev and dots": {Address{URL: "/dev/video0/../mem"}, config.Camera{}, ErrDevice},
	} {
		got, err := c.a.Source(dir)
		same := got.URL == c.want.URL && got.Transport == c.want.Transport && got.Loop == c.want.Loop
		if !errors.Is(err, c.err) || err == nil && !same {
			t.Errorf("%s: %+v, %v; want %+v, %v", name, got, err, c.want, c.err)
		}
	}
}

// Of a camera that was asked the largest stream is read, the smallest shown in tiles; the
// password given, in a field or the address, holds for both.
func TestACameraThatWasAsked(t *testing.T) {
	a := Address{URL: "http://a:b%20c@192.0.2.10"}
	a.User, a.Password = a.Credentials()
	if !a.Asked() || a.User != "a" || a.Password != "b c" {
		t.Fatalf("%+v", a)
	}
	got, err := a.Stream(onvif.Device{Streams: []onvif.Stream{{URL: "rtsp://192.0.2.10/2", Width: 640, Height: 360}, {URL: "rtsp://192.0.2.10/1", Width: 1920, Height: 1080}}})
	if err != nil || got.URL != "rtsp://a:b%20c@192.0.2.10/1" || got.Substream != "rtsp://a:b%20c@192.0.2.10/2" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := a.Stream(onvif.Device{}); !errors.Is(err, ErrStream) {
		t.Errorf("no stream: %v", err)
	}
	if s := a.Shown(); s != "http://192.0.2.10" {
		t.Errorf("shown as %q", s)
	}
}

// Drafts are kept over restarts, each by itself, readable by nobody else, up to a number.
func TestDraftsAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "drafts")
	s := Open(dir)
	if got := s.List(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	first, err := s.Add(Draft{By: "tino", Camera: config.Camera{URL: "rtsp://a:secret@192.0.2.10/1"}, Table: config.Table{Game: "blackjack"}})
	if err != nil || first.ID != "1" || first.Name() != "setup~1" || Named("setup~1~low") != "1" || Named("BJ1") != "" {
		t.Fatalf("%+v, %v", first, err)
	}
	st, err := os.Stat(filepath.Join(s.Folder("1"), file))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	first.Table.ID, first.Chosen = "BJ1", true
	if err := s.Save(first); err != nil {
		t.Fatal(err)
	}
	got, err := Open(dir).Get("1")
	if err != nil || !got.Chosen || got.Camera.URL != first.Camera.URL {
		t.Errorf("%+v, %v", got, err)
	}
	if got.Final().Cameras[0].Name != "BJ1-1" || got.Work().ID != "setup~1" {
		t.Errorf("%+v, %v", got, err)
	}
	for range most - 1 {
		if _, err := s.Add(Draft{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Add(Draft{}); !errors.Is(err, ErrTooMany) {
		t.Errorf("one too many: %v", err)
	}
	if err := s.Drop("1"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Save(first)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that was dropped was saved: %v", err)
	}
	for _, id := range []string{"1", "..", "../x", "", "01x"} {
		if _, err := s.Get(id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if d, err := s.Add(Draft{}); err != nil || d.ID == "1" {
		t.Errorf("an id was given twice: %+v, %v", d, err)
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"rtsp://a/b", "http:", "../x", "/dev/video0", "x.mp4"} {
		f.Add(s, "u", "p")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw, user, password string) {
		got, err := Address{URL: raw, User: user, Password: password}.Source(dir)
		if err != nil {
			return
		}
		if !strings.HasPrefix(got.URL, "rtsp://") && !strings.HasPrefix(got.URL, "rtsps://") && !device.MatchString(got.URL) && !strings.HasPrefix(got.URL, dir) {
			t.Errorf("%q became %q", raw, got.URL)
		}
	})
}
