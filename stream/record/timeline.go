package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	for _, f := range s.files(cam, from, to) {
		if f.From.Sub(at) > joint {
			out = append(out, Span{From: at, To: f.From, Kind: Missing})
		}
		out = append(out, f.Span)
		out = append(out, f.lost(from, to)...)
		if f.To.After(at) {
			at = f.To
		}
	}
	if to.Sub(at) > joint {
		out = append(out, Span{From: at, To: to, Kind: Missing})
	}
	return out
}

// found is a file that holds a part of what was asked for.
type found struct {
	Span
	path string
	good int64 // how far it may be read
	gaps bool
}

// files returns the segments that overlap from to in the order of time, the open one
// and those included of which the ledger does not know yet.
func (s *Store) files(cam Camera, from, to time.Time) []found {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shelf[cam]
	if sh == nil {
		return nil
	}
	var out []found
	for _, seg := range sh.segments {
		if seg.To.After(from) && seg.From.Before(to) {
			span := Span{From: seg.From, To: seg.To, Kind: Recorded, File: seg.File, Bytes: seg.Bytes, Sealed: s.sealed(seg)}
			out = append(out, found{span, s.path(seg), seg.Bytes, seg.Gaps})
		}
	}
	for _, o := range sh.unfinished() {
		if o.to.After(from) && o.from.Before(to) {
			span := Span{From: o.from, To: o.to, Kind: Recorded, File: s.rel(o.path), Bytes: o.good, Open: true,
				Sealed: s.sealed(Segment{Camera: cam, From: o.from, To: o.to})}
			out = append(out, found{span, o.path, o.good, true})
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return a.From.Compare(b.From) })
	return out
}

// lost reads the gaps within a file.
func (f found) lost(from, to time.Time) (out []Span) {
	if !f.gaps {
		return nil
	}
	file, l, err := f.open()
	if err != nil {
		return nil // it was removed meanwhile
	}
	defer file.Close()
	for _, g := range l.gaps {
		if g.To.After(from) && g.From.Before(to) {
			g.File = f.File
			out = append(out, g)
		}
	}
	return out
}

// open scans the file. One that was being written when it was found may have got
// its final name since.
func (f found) open() (*os.File, layout, error) {
	file, err := os.Open(f.path)
	if errors.Is(err, os.ErrNotExist) && f.Open {
		stem := filepath.Base(f.path)
		match, _ := filepath.Glob(filepath.Join(filepath.Dir(f.path), stem[:len(stem)-len(openSuffix)]+"_*"))
		if len(match) > 0 {
			file, err = os.Open(match[0])
		}
	}
	if err != nil {
		return nil, layout{}, fmt.Errorf("recording: %w", err)
	}
	l, err := scan(file, f.good)
	if err != nil {
		return nil, layout{}, errors.Join(fmt.Errorf("recording %s: %w", f.path, err), file.Close())
	}
	return file, l, nil
}
