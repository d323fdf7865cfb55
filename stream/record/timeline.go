package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// SpanKind says what there is of a span of time.
type SpanKind string

// The kinds of span.
const (
	Recorded SpanKind = "recorded"
	Missing  SpanKind = "missing" // nothing was recorded
	Lost     SpanKind = "lost"    // recorded, but pictures within were lost
)

// Span is a span of a camera's time.
type Span struct {
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Kind   SpanKind  `json:"kind"`
	File   string    `json:"file,omitempty"`
	Bytes  int64     `json:"bytes,omitempty"`
	Sealed bool      `json:"sealed,omitempty"`
	Open   bool      `json:"open,omitempty"` // still being written, or not in the ledger yet
}

// joint is how far apart two segments may stand and still follow one another.
const joint = 300 * time.Millisecond

// Timeline lists what there is of a camera between from and to, in order:
// recorded segments, lost pictures within them right after them, and what is
// missing between.
func (s *Store) Timeline(cam Camera, from, to time.Time) []Span {
	var out []Span
	at := from
	for _, seg := range s.files(cam, from, to) {
		if seg.From.Sub(at) > joint {
			out = append(out, Span{From: at, To: seg.From, Kind: Missing})
		}
		_, sealed := s.Kept(seg)
		out = append(out, Span{From: seg.From, To: seg.To, Kind: Recorded, File: seg.File, Bytes: seg.Bytes,
			Sealed: sealed, Open: !Finished(seg.File)})
		out = append(out, s.lost(seg, from, to)...)
		if seg.To.After(at) {
			at = seg.To
		}
	}
	if to.Sub(at) > joint {
		out = append(out, Span{From: at, To: to, Kind: Missing})
	}
	return out
}

// files returns the segments that overlap from to in the order of time, the open one
// and those included of which the ledger does not know yet.
func (s *Store) files(cam Camera, from, to time.Time) []Segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shelf[cam]
	if sh == nil {
		return nil
	}
	out := slices.DeleteFunc(sh.all(), func(seg Segment) bool { return !seg.Within(from, to) })
	slices.SortStableFunc(out, byStart)
	return out
}

// lost reads the gaps within a file.
func (s *Store) lost(seg Segment, from, to time.Time) (out []Span) {
	if !seg.Gaps {
		return nil
	}
	file, l, err := s.scanned(seg)
	if err != nil {
		return nil // it was removed meanwhile
	}
	defer file.Close()
	for _, g := range l.gaps {
		if g.To.After(from) && g.From.Before(to) {
			g.File = seg.File
			out = append(out, g)
		}
	}
	return out
}

// scanned opens the file and scans it. One that was being written when it was found may have got
// its final name since.
func (s *Store) scanned(seg Segment) (*os.File, layout, error) {
	path := s.path(seg)
	file, err := os.Open(path)
	if stem, open := strings.CutSuffix(path, openSuffix); open && errors.Is(err, os.ErrNotExist) {
		if match, _ := filepath.Glob(stem + "_*"); len(match) > 0 {
			file, err = os.Open(match[0])
		}
	}
	if err != nil {
		return nil, layout{}, fmt.Errorf("recording: %w", err)
	}
	l, err := scan(file, seg.Bytes)
	if err != nil {
		return nil, layout{}, errors.Join(fmt.Errorf("recording %s: %w", path, err), file.Close())
	}
	return file, l, nil
}
