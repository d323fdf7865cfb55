package preview

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // the library speaks of every client
	if code := m.Run(); code != 0 {
		os.Exit(code)
	}
	if err := goleak.Find(); err != nil {
		panic(err)
	}
}

// picture makes a JPEG; noise makes it long.
func picture(t testing.TB, w, h int, noise bool) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		if noise {
			m.Pix[i] = byte(i * i * 31)
		}
	}
	m.Set(0, 0, color.White)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// server serves p; its clock goes one second per update, so that none is dropped.
func server(t testing.TB) (*Preview, string) {
	t.Helper()
	p := New()
	now := time.Unix(0, 0)
	p.now = func() time.Time { now = now.Add(time.Second); return now }
	h := httptest.NewServer(p)
	t.Cleanup(func() {
		p.Close()
		h.CloseClientConnections()
		h.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return p, h.URL
}

// watch opens a stream.
func watch(t testing.TB, ctx context.Context, url string) *multipart.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	_, params, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	return multipart.NewReader(res.Body, params["boundary"])
}

func next(t testing.TB, m *multipart.Reader) []byte {
	t.Helper()
	part, err := m.NextRawPart()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if _, err := fmt.Sscan(part.Header.Get("Content-Length"), &n); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(part, b); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryClientGetsWholePictures(t *testing.T) {
	p, url := server(t)
	long, short := picture(t, 640, 360, true), picture(t, 64, 36, false)
	if err := p.Update(long); err != nil {
		t.Fatal(err)
	}
	var readers []*multipart.Reader
	for range 4 {
		readers = append(readers, watch(t, t.Context(), url))
	}
	for i, want := range [][]byte{long, short, long, short} {
		if i > 0 {
			if err := p.Update(want); err != nil {
				t.Fatal(err)
			}
		}
		for c, m := range readers {
			for { // a picture may come twice
				got := next(t, m)
				if bytes.Equal(got, want) {
					break
				}
				if !bytes.Equal(got, long) && !bytes.Equal(got, short) {
					t.Fatalf("client %d, picture %d: a mixture of %d bytes", c, i, len(got))
				}
			}
		}
	}
	if p.Clients() != 4 {
		t.Errorf("%d clients", p.Clients())
	}
}

func gone(t testing.TB, p *Preview) {
	t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for p.Clients() > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("%d clients are still there", p.Clients())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestDepartedClientIsFreedWithoutANewPicture(t *testing.T) {
	p, url := server(t)
	if err := p.Update(picture(t, 64, 36, false)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	next(t, watch(t, ctx, url))
	cancel()
	gone(t, p)
}

func TestClientWithoutAnyPictureIsFreed(t *testing.T) {
	p, url := server(t)
	conn, err := net.Dial("tcp", url[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	for p.Clients() == 0 {
		time.Sleep(time.Millisecond)
	}
	_ = conn.Close()
	gone(t, p)
}

func TestSlowClientDisturbsNobody(t *testing.T) {
	p, url := server(t)
	conn, err := net.Dial("tcp", url[len("http://"):]) // asks and never reads
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	long, short := picture(t, 640, 360, true), picture(t, 640, 360, false)
	if err := p.Update(long); err != nil {
		t.Fatal(err)
	}
	m := watch(t, t.Context(), url)
	next(t, m)
	for i := range 60 {
		want := long
		if i%2 == 0 {
			want = short
		}
		begin := time.Now()
		if err := p.Update(want); err != nil || time.Since(begin) > 5*time.Second {
			t.Fatalf("update %d took %v: %v", i, time.Since(begin), err)
		}
		for !bytes.Equal(next(t, m), want) {
		}
	}
}

func TestCloseEndsClients(t *testing.T) {
	p, url := server(t)
	if err := p.Update(picture(t, 64, 36, false)); err != nil {
		t.Fatal(err)
	}
	m := watch(t, t.Context(), url)
	next(t, m)
	p.Close()
	gone(t, p)
}

func TestUpdate(t *testing.T) {
	p := New()
	now := time.Unix(100, 0)
	p.now = func() time.Time { return now }
	if err := p.Update(picture(t, 641, 10, false)); !errors.Is(err, ErrSize) {
		t.Errorf("too wide: %v", err)
	}
	if err := p.Update([]byte("no picture")); err == nil {
		t.Error("no JPEG was accepted")
	}
	a, b := picture(t, 64, 36, false), picture(t, 64, 36, true)
	for i := range 100 { // 50 pictures in a second, 10 are shown
		now = now.Add(20 * time.Millisecond)
		want := p.frame
		pic := [][]byte{a, b}[i/5%2]
		if err := p.Update(pic); err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			want = pic
		}
		if !bytes.Equal(p.frame, want) {
			t.Fatalf("after update %d another picture is shown", i)
		}
	}
	pic := bytes.Clone(a)
	now = now.Add(time.Second)
	_ = p.Update(pic)
	pic[100] ^= 1
	if !bytes.Equal(p.frame, a) {
		t.Error("the caller's buffer is shared")
	}
}

func TestOnce(t *testing.T) {
	p, url := server(t)
	for _, want := range []int{http.StatusServiceUnavailable, http.StatusOK} {
		res, err := http.Get(url + "?once=1")
		if err != nil || res.StatusCode != want {
			t.Fatalf("%v %v, want %d", res, err, want)
		}
		if want == http.StatusOK {
			if _, err := jpeg.Decode(bufio.NewReader(res.Body)); err != nil {
				t.Error(err)
			}
		}
		_ = res.Body.Close()
		_ = p.Update(picture(t, 64, 36, false))
	}
}

func TestFilled(t *testing.T) {
	for in, want := range map[string]string{
		"\r\n--B\r\nContent-Length: 2\r\nX: 0\r\n\r\nabSTALE": "\r\n--B\r\nContent-Length: 2\r\nX: 0\r\n\r\nab",
		"": "", "Content-Length: 9\r\n\r\nab": "", "Content-Length: -1\r\n\r\nab": "", "no head": "",
	} {
		if got := filled([]byte(in)); string(got) != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
