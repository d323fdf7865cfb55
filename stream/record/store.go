// Package record keeps the cameras' pictures as evidence: each camera's own
// H.264, never encoded again, in fMP4 segments whose SHA-256 are in the ledger.
//
// A Store owns one folder with a folder per table and camera. A Recorder per
// camera writes; the store finds, cuts clips, and removes what is too old.
package record

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vision/internal/durable"
	"vision/internal/health"
	"vision/stream/ledger"
)

// Ledger is where segments are listed.
type Ledger interface {
	Append(kind ledger.Kind, table string, payload any) (ledger.Entry, error)
	Sign(context string, data []byte) []byte
	Signed(context string, data, sig []byte) bool
	Head() ledger.Head
	Since(seq uint64) iter.Seq2[ledger.Entry, error]
}

// Options of a store.
type Options struct {
	Segment  time.Duration // length of a file, cut at key frames; 0 = 60 s
	Fragment time.Duration // what a kill may lose; 0 = 500 ms, at most 1 s
	Keep     time.Duration // age after which unsealed segments go; 0 = kept until MaxBytes
	KeepMost time.Duration // age of those that belong to an alert (Mark); 0 = as Keep
	MaxBytes int64         // hard ceiling of all recordings; 0 = none
	MinFree  int64         // bytes of the disk that are left to others; 0 = 256 MiB, negative = none
	// Safe reports whether a segment's file is safe elsewhere, too: until it is, it goes only
	// where there is no room. nil: there is no elsewhere. It is called with the store locked.
	Safe func(file string) bool
	Now  func() time.Time // nil = time.Now
	Log  *slog.Logger     // nil = slog.Default

	create func(path string) (diskFile, error)
	free   func(dir string) (int64, error)
}

func (o *Options) fill() {
	o.Segment = cmp.Or(o.Segment, time.Minute)
	o.Fragment = min(cmp.Or(o.Fragment, 500*time.Millisecond), time.Second)
	o.MinFree = cmp.Or(o.MinFree, 256<<20)
	if o.Safe == nil {
		o.Safe = func(string) bool { return true }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.create == nil {
		o.create = createFile
	}
	if o.free == nil {
		o.free = freeBytes
	}
}

// Store is all recordings of the node. Its methods may be called by many.
type Store struct {
	dir    string
	opts   Options
	ledger Ledger
	health health.Reporter

	mu    sync.Mutex
	shelf map[Camera]*shelf
	seals []SealSpan
	marks map[string]markSpan // by what marked it
	owed  []owedEntry         // entries that the ledger refused, to be tried again
	spare time.Time           // until then nothing goes by its age
}

// shelf is one camera's segments.
type shelf struct {
	segments []Segment // finished, by From
	unlisted []Segment // complete files not yet in the ledger
	open     []Segment // the file being written, if any, with what is on the disk of it
}

// all are the segments, those last that have not got their final name.
func (sh *shelf) all() []Segment { return slices.Concat(sh.segments, sh.unlisted, sh.open) }

// owedEntry is a ledger entry still to be written, and what follows from it.
type owedEntry struct {
	kind    ledger.Kind
	table   string
	payload any
	then    func() error
}

// Open opens the recordings in dir, repairs segments that a crash left unfinished and lists
// them in the ledger. Unfinished files that this node was not writing are set aside. problems may
// be nil.
func Open(dir string, l Ledger, problems health.Reporter, opts Options) (*Store, error) {
	opts.fill()
	if problems == nil {
		problems = health.NewBoard(nil)
	}
	s := &Store{dir: dir, opts: opts, ledger: l, health: problems,
		shelf: map[Camera]*shelf{}, marks: map[string]markSpan{}}
	if err := durable.Folder(dir); err != nil {
		return nil, fmt.Errorf("recordings: %w", err)
	}
	var err error
	if s.seals, err = readSeals(dir); err != nil {
		opts.Log.Warn("list of seals unreadable, restored from the ledger", "err", err)
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	return s, nil
}

// load reads the catalogue from the folder.
func (s *Store) load() error {
	files, err := filepath.Glob(filepath.Join(s.dir, "*", "*", "*"))
	if err != nil {
		return fmt.Errorf("recordings: %w", err)
	}
	for _, path := range files {
		cam := Camera{unescape(filepath.Base(filepath.Dir(filepath.Dir(path)))), unescape(filepath.Base(filepath.Dir(path)))}
		if filepath.Ext(path) == openSuffix {
			if err := s.repair(cam, path); err != nil {
				return err
			}
			continue
		}
		from, to, gaps, ok := parseName(filepath.Base(path))
		st, err := os.Stat(path)
		if !ok || err != nil {
			continue
		}
		s.add(Segment{cam, from, to, st.Size(), s.rel(path), gaps})
	}
	return nil
}

func (s *Store) rel(path string) string {
	r, err := filepath.Rel(s.dir, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(r)
}

func (s *Store) path(seg Segment) string { return filepath.Join(s.dir, filepath.FromSlash(seg.File)) }

func (s *Store) of(cam Camera) *shelf {
	sh := s.shelf[cam]
	if sh == nil {
		sh = &shelf{}
		s.shelf[cam] = sh
	}
	return sh
}

// add puts seg on its shelf.
func (s *Store) add(seg Segment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.of(seg.Camera)
	sh.unlisted = slices.DeleteFunc(sh.unlisted, func(o Segment) bool { return o.From.Equal(seg.From) })
	i, _ := slices.BinarySearchFunc(sh.segments, seg, byStart)
	if i < len(sh.segments) && sh.segments[i].File == seg.File {
		return
	}
	sh.segments = slices.Insert(sh.segments, i, seg)
}

// Cameras lists the cameras of which there are recordings.
func (s *Store) Cameras() []Camera {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Camera
	for c, sh := range s.shelf {
		if len(sh.all()) > 0 {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Camera) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Camera, b.Camera))
	})
	return out
}

// Segments lists the finished segments of a camera that overlap a time.
func (s *Store) Segments(cam Camera, from, to time.Time) []Segment {
	return slices.DeleteFunc(s.files(cam, from, to), func(seg Segment) bool { return !Finished(seg.File) })
}

// OpenSegment opens a finished segment for reading.
func (s *Store) OpenSegment(seg Segment) (*os.File, error) {
	f, err := os.Open(s.path(seg))
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	return f, nil
}

// Usage is what a camera's recordings take.
type Usage struct {
	Camera
	Segments int       `json:"segments"`
	Bytes    int64     `json:"bytes"`
	Sealed   int64     `json:"sealed"` // bytes beyond retention
	Oldest   time.Time `json:"oldest,omitzero"`
	Newest   time.Time `json:"newest,omitzero"` // end of the newest picture on the disk
}

// Usage returns the storage figures of every camera.
func (s *Store) Usage() []Usage {
	var out []Usage
	for _, c := range s.Cameras() {
		s.mu.Lock()
		u, all := Usage{Camera: c}, s.of(c).all()
		for _, seg := range all {
			u.Bytes += seg.Bytes
			if Finished(seg.File) {
				u.Segments++
				if s.sealed(seg) {
					u.Sealed += seg.Bytes
				}
			}
		}
		if n := len(all); n > 0 {
			u.Oldest, u.Newest = all[0].From, all[n-1].To
		}
		s.mu.Unlock()
		out = append(out, u)
	}
	return out
}

// SegmentNote is the payload of a ledger entry of kind segment.
type SegmentNote struct {
	Segment
	SHA256   string `json:"sha256"`
	Repaired bool   `json:"repaired,omitempty"` // finished at start-up after a crash
	Dropped  int64  `json:"dropped,omitempty"`  // bytes of a torn fragment that were cut off
}

// finish lists a complete file in the ledger and gives it its final name. While
// the ledger cannot be written the file keeps its unfinished name.
func (s *Store) finish(path string, note SegmentNote) {
	final := filepath.Join(s.dir, note.Camera.folder(), finishedName(note.From, note.To, note.Gaps))
	note.File = s.rel(final)
	s.owe(owedEntry{ledger.Segment, note.Table, note, func() error {
		if err := rename(path, final); err != nil {
			return err
		}
		s.add(note.Segment)
		return nil
	}})
}

// owe writes an entry and does what follows from it, or queues both.
func (s *Store) owe(e owedEntry) {
	s.mu.Lock()
	s.owed = append(s.owed, e)
	s.mu.Unlock()
	s.payOwed()
}

// payOwed writes what is owed to the ledger, in order, until one fails.
func (s *Store) payOwed() {
	for {
		s.mu.Lock()
		if len(s.owed) == 0 {
			s.mu.Unlock()
			return
		}
		e := s.owed[0]
		s.owed = s.owed[1:]
		s.mu.Unlock()
		if _, err := s.ledger.Append(e.kind, e.table, e.payload); err != nil {
			s.opts.Log.Error("ledger entry of a recording refused, retrying", "kind", e.kind, "err", err)
			s.mu.Lock()
			s.owed = append([]owedEntry{e}, s.owed...)
			s.mu.Unlock()
			return
		}
		if e.then != nil {
			if err := e.then(); err != nil {
				s.opts.Log.Error("recording failed", "err", err)
			}
		}
	}
}

// SpanKind is the kind of a span of time.
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

// joint is the largest gap between two consecutive segments.
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
// and those not yet in the ledger included.
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
