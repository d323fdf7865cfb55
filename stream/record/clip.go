package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"

	"vision/capture"
)

// ErrNoRecording is returned where nothing was recorded at the time asked for.
var ErrNoRecording = errors.New("nothing was recorded then")

// maxClip is the longest clip.
const maxClip = 6 * time.Hour

// Clip is a part of a camera's recording as one fMP4 file, for http.ServeContent
// or a file. Nothing is copied or encoded: only the time fields of the fragments
// are rewritten, so that the time within the clip plus Start is the wall time. A
// gap shows as a picture that lasts. Where the camera changed its parameters a
// new moov is put in between, as Media Source Extensions require.
type Clip struct {
	Start  time.Time // wall time of the first picture: a key frame at or before what was asked
	End    time.Time
	pieces []piece
	size   int64
	pos    int64
	files  []*os.File
}

// piece is bytes of the clip: from memory, or of a file.
type piece struct {
	at, n int64 // where in the clip
	mem   []byte
	file  *os.File
	off   int64
}

// Clip cuts the recording of cam from the key frame at or before from to the end
// of the fragment in which to lies. Close it.
func (s *Store) Clip(cam Camera, from, to time.Time) (*Clip, error) {
	if !from.Before(to) || to.Sub(from) > maxClip {
		return nil, fmt.Errorf("clip of %s: want from before to, at most %v apart", cam, maxClip)
	}
	b := clipBuilder{clip: &Clip{}}
	for _, seg := range s.files(cam, from, to) {
		if err := b.add(s, seg, from, to); err != nil {
			return nil, errors.Join(err, b.clip.Close())
		}
	}
	b.seal()
	if len(b.clip.pieces) == 0 {
		return nil, errors.Join(fmt.Errorf("clip of %s from %s: %w", cam, from.Format(time.RFC3339), ErrNoRecording), b.clip.Close())
	}
	return b.clip, nil
}

// clipBuilder puts fragments behind one another.
type clipBuilder struct {
	clip *Clip
	init []byte
	end  int64  // decode time at which the next fragment would follow
	last []byte // moof of the newest fragment, whose last duration may grow
	frag fragment
	seq  uint32
}

func (b *clipBuilder) add(s *Store, seg Segment, from, to time.Time) error {
	file, l, err := s.scanned(seg)
	if errors.Is(err, os.ErrNotExist) {
		return nil // retention was faster
	}
	if err != nil {
		return err
	}
	b.clip.files = append(b.clip.files, file)
	init := make([]byte, l.init)
	if _, err := file.ReadAt(init, 0); err != nil {
		return fmt.Errorf("recording %s: %w", file.Name(), err)
	}
	first := 0
	if b.seq == 0 {
		first = entryBefore(file, l.frags, init, from)
	}
	for _, g := range l.frags[first:] {
		if !g.wall.Before(to) {
			break
		}
		if err := b.fragment(file, g, init); err != nil {
			return fmt.Errorf("recording %s: %w", file.Name(), err)
		}
	}
	return nil
}

// entryBefore is the newest fragment from which pictures are right at this time; the first
// where there is none. After a recovery point of gradual refresh they are so only later.
func entryBefore(file io.ReaderAt, frags []fragment, init []byte, from time.Time) int {
	codec := codecOf(init)
	for i, g := range slices.Backward(frags) {
		if !g.key || g.wall.After(from) {
			continue
		}
		pictures, _ := codec.Recovery(firstNALs(file, g))
		if !g.wall.Add(time.Duration(pictures) * fromTicks(int64(g.lastDur))).After(from) {
			return i
		}
	}
	return 0
}

// codecOf is the codec that a moov box describes.
func codecOf(moov []byte) capture.Codec {
	if bytes.Contains(moov, []byte("hvc1")) {
		return capture.H265
	}
	return capture.H264
}

// firstNALs are those at the beginning of a fragment; there are its messages.
func firstNALs(file io.ReaderAt, g fragment) (out [][]byte) {
	const mdatHead, enough = 8, 4096
	b := make([]byte, min(g.mdat, enough))
	n, _ := file.ReadAt(b, g.off+int64(g.moof)) // what cannot be read now fails when it is copied
	b = b[min(n, mdatHead):n]
	for len(b) > 4 {
		size := int(binary.BigEndian.Uint32(b))
		if size <= 0 || size > len(b)-4 {
			break
		}
		out = append(out, b[4:4+size])
		b = b[4+size:]
	}
	return out
}

func (b *clipBuilder) fragment(file *os.File, g fragment, init []byte) error {
	if b.seq == 0 {
		b.clip.Start = g.wall
	}
	moof := make([]byte, g.moof)
	if _, err := file.ReadAt(moof, g.off); err != nil {
		return err
	}
	// Small differences are the wall clock's trembling; greater ones are gaps. A
	// clock that was set back must not bring decode times back.
	base := b.end
	if wall := ticks(g.wall.Sub(b.clip.Start)); wall-b.end > ticks(joint) {
		base = wall
		if b.last != nil {
			grown := uint32(int64(b.frag.lastDur) + base - b.end)
			binary.BigEndian.PutUint32(b.last[b.frag.lastAt:], grown)
		}
	}
	if !slices.Equal(b.init, init) {
		b.init = init
		b.memory(init)
	}
	binary.BigEndian.PutUint32(moof[g.seqAt:], b.seq)
	binary.BigEndian.PutUint64(moof[g.baseAt:], uint64(base))
	if g.readLen > 0 {
		b.push(piece{n: g.readLen, file: file, off: g.readOff})
	}
	b.memory(moof)
	b.push(piece{n: g.mdat, file: file, off: g.off + int64(g.moof)})
	b.last, b.frag, b.end = moof, g, base+g.dur
	b.clip.End = g.end()
	b.seq++
	return nil
}

func (b *clipBuilder) memory(mem []byte) { b.push(piece{n: int64(len(mem)), mem: mem}) }

func (b *clipBuilder) push(p piece) { b.clip.pieces = append(b.clip.pieces, p) }

// seal gives every piece its place.
func (b *clipBuilder) seal() {
	for i := range b.clip.pieces {
		b.clip.pieces[i].at = b.clip.size
		b.clip.size += b.clip.pieces[i].n
	}
}

// Size is the length in bytes.
func (c *Clip) Size() int64 { return c.size }

// Read implements io.Reader.
func (c *Clip) Read(p []byte) (int, error) {
	if c.pos >= c.size {
		return 0, io.EOF
	}
	i := sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].at > c.pos }) - 1
	q := c.pieces[i]
	in := c.pos - q.at
	n, err := 0, error(nil)
	if q.mem != nil {
		n = copy(p, q.mem[in:])
	} else {
		n, err = q.file.ReadAt(p[:min(int64(len(p)), q.n-in)], q.off+in)
	}
	c.pos += int64(n)
	if err != nil {
		return n, fmt.Errorf("clip: %w", err)
	}
	return n, nil
}

// Seek implements io.Seeker.
func (c *Clip) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += c.pos
	case io.SeekEnd:
		offset += c.size
	}
	if offset < 0 {
		return 0, errors.New("clip: seek before its beginning")
	}
	c.pos = offset
	return offset, nil
}

// Close gives the files back.
func (c *Clip) Close() error {
	var errs []error
	for _, f := range c.files {
		errs = append(errs, f.Close())
	}
	c.files = nil
	return errors.Join(errs...)
}

// Units are the clip's pictures from its first key frame up to a time, in the order in which
// they are decoded.
func (c *Clip) Units(until time.Time) ([]capture.Unit, error) {
	raw, err := io.ReadAll(c)
	if err != nil {
		return nil, err
	}
	codec := codecOf(raw[:min(len(raw), 4096)]) // moov comes first
	var parts fmp4.Parts
	if err := parts.Unmarshal(raw); err != nil {
		return nil, fmt.Errorf("clip: %w", err)
	}
	var out []capture.Unit
	for _, p := range parts {
		for _, t := range p.Tracks {
			at := int64(t.BaseTime)
			for _, s := range t.Samples {
				pts := fromTicks(at + int64(s.PTSOffset))
				u := capture.Unit{Codec: codec, PTS: pts, Wall: c.Start.Add(pts), Key: !s.IsNonSyncSample}
				if c.Start.Add(fromTicks(at)).After(until) {
					return out, nil
				}
				if err := (*h264.AVCC)(&u.NALs).Unmarshal(s.Payload); err != nil { // H.265 is kept alike
					return nil, fmt.Errorf("clip: %w", err)
				}
				out, at = append(out, u), at+int64(s.Duration)
			}
		}
	}
	return out, nil
}
