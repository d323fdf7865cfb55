package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4/seekablebuffer"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"vision/capture"
	"vision/internal/durable"
	"vision/internal/health"
)

// sample is one access unit on its way into a fragment; times in ticks.
type sample struct {
	dts, offset, duration int64
	wall                  time.Time
	key                   bool
	data                  []byte // AVCC
	gap                   *Span  // pictures lost before it
}

// segmentWriter is one file being written.
type segmentWriter struct {
	store   *Store
	cam     Camera
	path    string
	from    time.Time
	pts0    time.Duration
	file    diskFile
	since   uint64    // the ledger's newest entry at the begin
	sum     hash.Hash // of the first size bytes
	size    int64
	seq     uint32
	gaps    bool
	samples []*sample
	end     int64 // decode time after the last written sample
	to      time.Time
}

// newSegment makes the file with its ftyp and moov.
func (s *Store) newSegment(cam Camera, from time.Time, codec capture.Codec,
	p capture.Parameters) (*segmentWriter, error) {
	var buf seekablebuffer.Buffer
	init := fmp4.Init{Tracks: []*fmp4.InitTrack{{ID: 1, TimeScale: timescale, Codec: described(codec, p)}}}
	if err := init.Marshal(&buf); err != nil {
		return nil, fmt.Errorf("recording %s: the camera's SPS is unreadable: %w", cam, err)
	}
	w := &segmentWriter{
		store: s, cam: cam, from: from.UTC(), to: from.UTC(), since: s.ledger.Head().Seq, sum: sha256.New(),
	}
	w.path = filepath.Join(s.dir, cam.folder(), openName(w.from))
	if err := durable.Folder(filepath.Dir(w.path)); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	err := s.withRoom(func() (err error) {
		w.file, err = s.opts.create(w.path)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	if err := errors.Join(w.write(buf.Bytes()), durable.SyncDir(filepath.Dir(w.path))); err != nil {
		return nil, errors.Join(err, w.file.Close(), os.Remove(w.path))
	}
	w.progress()
	return w, nil
}

// pending is the length of what waits to be written, in ticks.
func (w *segmentWriter) pending() (n int64) {
	for _, s := range w.samples {
		n += s.duration
	}
	return n
}

// flush writes the waiting samples as one fragment, behind what was read, and syncs
// it.
func (w *segmentWriter) flush(read func(key bool, end time.Time) []byte) error {
	if len(w.samples) == 0 {
		return nil
	}
	first := w.samples[0]
	end := first.dts + w.pending()
	to := first.wall.UTC().Add(fromTicks(end - first.dts))
	var head []byte
	if first.gap != nil {
		head, w.gaps = gapBox(*first.gap), true
	}
	head = append(head, read(first.key, to)...)
	head = append(head, prft(first.wall, uint64(first.dts))...)
	part := fmp4.Part{SequenceNumber: w.seq, Tracks: []*fmp4.PartTrack{{ID: 1, BaseTime: uint64(first.dts)}}}
	for _, s := range w.samples {
		part.Tracks[0].Samples = append(part.Tracks[0].Samples, &fmp4.Sample{
			Duration: uint32(s.duration), PTSOffset: int32(s.offset), IsNonSyncSample: !s.key, Payload: s.data})
	}
	var buf seekablebuffer.Buffer
	if err := part.Marshal(&buf); err != nil {
		return fmt.Errorf("recording %s: %w", w.path, err)
	}
	if err := w.write(append(head, buf.Bytes()...)); err != nil {
		return err
	}
	w.seq, w.end, w.samples = w.seq+1, end, nil
	w.to = to
	w.progress()
	return nil
}

// write appends b and a mark, whole and on the disk, or nothing. A full disk is given room
// by removing the oldest unsealed segment.
func (w *segmentWriter) write(b []byte) error {
	sum, err := w.sum.(hash.Cloner).Clone()
	if err != nil {
		return fmt.Errorf("recording %s: %w", w.path, err)
	}
	sum.Write(b)
	mark := w.store.mark(w.store.rel(w.path), w.since, sum)
	sum.Write(mark)
	b = append(b, mark...)
	err = w.store.withRoom(func() error {
		_, err := w.file.Write(b)
		if err == nil {
			err = w.file.Sync()
		}
		if err != nil {
			return errors.Join(err, w.file.Truncate(w.size))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("recording %s: %w", w.path, err)
	}
	w.sum = sum
	w.size += int64(len(b))
	return nil
}

// progress shows readers how far the file may be read.
func (w *segmentWriter) progress() {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.store.of(w.cam).open = []Segment{{w.cam, w.from, w.to, w.size, w.store.rel(w.path), true}}
}

// close finishes the file and lists it; one without a picture is removed.
func (w *segmentWriter) close() {
	if err := w.file.Close(); err != nil {
		w.store.opts.Log.Error("recording failed", "file", w.path, "err", err)
	}
	w.store.mu.Lock()
	sh := w.store.of(w.cam)
	if w.seq > 0 {
		sh.unlisted = append(sh.unlisted, sh.open...)
	}
	sh.open = nil
	w.store.mu.Unlock()
	if w.seq == 0 {
		if err := os.Remove(w.path); err != nil {
			w.store.opts.Log.Error("recording failed", "err", err)
		}
		return
	}
	w.store.finish(w.path, SegmentNote{
		Segment: Segment{Camera: w.cam, From: w.from, To: w.to, Bytes: w.size, Gaps: w.gaps},
		SHA256:  hex.EncodeToString(w.sum.Sum(nil)),
	})
}

// withRoom runs write; when the disk is full, or has only the ledger's room left,
// it removes the oldest unsealed segment and tries again, while there is one.
func (s *Store) withRoom(write func() error) error {
	for {
		err := error(syscall.ENOSPC)
		if free, unknown := s.opts.free(s.dir); unknown != nil || free >= s.ledgerRoom() {
			err = write()
		}
		if err == nil || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
			return err
		}
		if !s.dropOldest("disk_full") {
			s.health.Set(health.DiskFull, "", "recordings", "no room for recordings is left on the disk of "+s.dir+", and all that could go is sealed: enlarge the disk or release seals")
			return fmt.Errorf("%w: nothing unsealed is left to remove; enlarge the disk or release seals", err)
		}
		s.health.Set(health.DiskFull, "", "recordings", "no room left on the disk of "+s.dir+": the oldest unsealed segments are being removed")
	}
}

// repair finishes what a crash left behind: a torn fragment is cut off, the rest is closed
// and listed. What this node was not writing is set aside.
func (s *Store) repair(cam Camera, path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("recordings: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return fmt.Errorf("recordings: %w", err)
	}
	if st.Size() == 0 {
		return os.Remove(path)
	}
	b, err := readMarks(f, st.Size(), s.rel(path), s.ledger.Signed)
	if errors.Is(err, errForeign) {
		return s.setAside(cam, path, err)
	}
	if err != nil {
		return fmt.Errorf("recordings: %w", err)
	}
	if note, ok := s.listed(s.rel(path), b.since); ok {
		final := filepath.Join(s.dir, filepath.FromSlash(note.File))
		if _, err := os.Lstat(final); note.SHA256 != b.sum || note.Bytes != st.Size() || !errors.Is(err, fs.ErrNotExist) {
			return s.setAside(cam, path, fmt.Errorf("%w: the ledger lists the recording of that time already", errForeign))
		}
		if err := rename(path, final); err != nil { // a crash came between entry and name
			return err
		}
		s.add(note.Segment)
		return nil
	}
	l, err := scan(f, b.good)
	if err != nil || len(l.frags) == 0 {
		s.opts.Log.Warn("recording without a complete picture removed", "file", path)
		return os.Remove(path)
	}
	if err := errors.Join(f.Truncate(b.good), f.Sync()); err != nil {
		return fmt.Errorf("recordings: repairing %s: %w", path, err)
	}
	s.finish(path, SegmentNote{
		Segment: Segment{Camera: cam, From: l.frags[0].wall, To: l.frags[len(l.frags)-1].end(), Bytes: b.good,
			Gaps: len(l.gaps) > 0},
		SHA256: b.sum, Repaired: true, Dropped: st.Size() - b.good,
	})
	return nil
}

// described is a stream as moov describes it: avc1, or hvc1 with its parameter sets
// (ISO/IEC 14496-15).
func described(c capture.Codec, p capture.Parameters) codecs.Codec {
	if c == capture.H265 {
		return &codecs.H265{VPS: p[0], SPS: p[1], PPS: p[2]}
	}
	return &codecs.H264{SPS: p[0], PPS: p[1]}
}

// decodeTimes works out when a unit is to be decoded from when it is shown: B-frames
// come later than pictures that are shown after them.
type decodeTimes interface {
	Extract(nals [][]byte, pts int64) (int64, error)
}

func newDecodeTimes(c capture.Codec) decodeTimes {
	if c == capture.H265 {
		var e h265.DTSExtractor
		e.Initialize()
		return &e
	}
	var e h264.DTSExtractor
	e.Initialize()
	return &e
}
