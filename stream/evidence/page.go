package evidence

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// A case is also handed out as one HTML page: a frame that shows and checks it, and within it the
// zip, whole, in base64.

// PageMark stands in a frame where the zip goes.
const PageMark = `<script type="text/plain" id="zip">`

// MaxPage is the largest zip, in bytes, that goes into a page: browsers hold it in memory, as text.
const MaxPage = 192 << 20

// ErrPage means that a case is too large for a page.
var ErrPage = fmt.Errorf("the case is too large for one page, which holds %d MB; take the zip, or a shorter time", MaxPage>>20)

// Page writes the page of a case by its frame: what is written to it is the zip. It is whole
// once closed.
func Page(frame string, w io.Writer) (io.WriteCloser, error) {
	at := strings.Index(frame, PageMark) + len(PageMark)
	if at < len(PageMark) {
		return nil, errors.New("the frame of a case's page has no place for the zip")
	}
	if _, err := io.WriteString(w, frame[:at]); err != nil {
		return nil, err
	}
	return &page{w: w, zip: base64.NewEncoder(base64.StdEncoding, w), left: MaxPage, tail: frame[at:]}, nil
}

type page struct {
	w    io.Writer
	zip  io.WriteCloser
	left int
	tail string
}

func (p *page) Write(b []byte) (int, error) {
	if p.left -= len(b); p.left < 0 {
		return 0, ErrPage
	}
	return p.zip.Write(b)
}

func (p *page) Close() error {
	err := p.zip.Close()
	_, err2 := io.WriteString(p.w, p.tail)
	return errors.Join(err, err2)
}

// OpenZip opens a case: its zip, or the page that it is in.
func OpenZip(file string) (*zip.Reader, io.Closer, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	z, err := zip.NewReader(f, st.Size())
	if err == nil {
		return z, f, nil
	}
	if st.Size() < 2*MaxPage {
		if raw, lost := io.ReadAll(io.NewSectionReader(f, 0, st.Size())); lost == nil {
			z, err = ofPage(raw, err)
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return z, f, nil
}

// ofPage is the zip in a page; otherwise is the error where there is none.
func ofPage(raw []byte, otherwise error) (*zip.Reader, error) {
	_, raw, ok := bytes.Cut(raw, []byte(PageMark))
	if !ok {
		return nil, otherwise
	}
	raw, _, _ = bytes.Cut(raw, []byte("<"))
	body, err := base64.StdEncoding.DecodeString(string(raw))
	if err != nil {
		return nil, fmt.Errorf("the zip in the page: %w", err)
	}
	return zip.NewReader(bytes.NewReader(body), int64(len(body)))
}

// Large reports whether the zip of a case is too large for a page, before it is written: its segments
// and the clips of the same pictures are nearly all of it.
func (x *Exporter) Large(c Case) bool {
	n := int64(0)
	for _, cam := range x.cameras() {
		if !slices.Contains(c.Tables, cam.Table) {
			continue
		}
		for _, s := range x.Store.Segments(cam, c.From, c.To) {
			n += 2 * s.Bytes
		}
	}
	return n > MaxPage
}
