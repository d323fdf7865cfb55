package record

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"
	"go.uber.org/goleak"

	"vision/capture"
	"vision/internal/health"
	"vision/internal/testkit/testvideo"
	"vision/stream/ledger"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("RECORD_CHILD"); dir != "" {
		recordUntilKilled(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

// book is a ledger in memory.
type book struct {
	mu      sync.Mutex
	entries []ledger.Entry
	fail    error
}

func (b *book) Append(kind ledger.Kind, table string, payload any) (ledger.Entry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return ledger.Entry{}, b.fail
	}
	raw, err := json.Marshal(payload)
	e := ledger.Entry{Seq: uint64(len(b.entries) + 1), Kind: kind, Table: table, Payload: raw}
	b.entries = append(b.entries, e)
	return e, err
}

// Sign of a ledger in memory is a hash: nobody forges here.
func (b *book) Sign(context string, data []byte) []byte {
	sum := sha512.Sum512(append([]byte(context), data...))
	return sum[:]
}

func (b *book) Signed(context string, data, sig []byte) bool {
	return bytes.Equal(sig, b.Sign(context, data))
}

func (b *book) Head() ledger.Head {
	b.mu.Lock()
	defer b.mu.Unlock()
	return ledger.Head{Seq: uint64(len(b.entries))}
}

func (b *book) Since(seq uint64) iter.Seq2[ledger.Entry, error] {
	b.mu.Lock()
	after := slices.Clone(b.entries[seq:])
	b.mu.Unlock()
	return func(yield func(ledger.Entry, error) bool) {
		for _, e := range after {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (b *book) setFail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = err
}

// check verifies dir against b.
func (b *book) check(t testing.TB, dir string) (good int, problems []Problem) {
	t.Helper()
	v := NewVerifier()
	for _, e := range b.entries {
		v.Entry(e)
	}
	good, problems, err := v.Check(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return good, problems
}

// board notes health problems.
type board struct {
	mu   sync.Mutex
	seen []string
	now  map[string]bool
}

func (b *board) Set(code, _, _, _ string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now == nil {
		b.now = map[string]bool{}
	}
	b.seen, b.now[code] = append(b.seen, code), true
}

func (b *board) Clear(code, _ string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.now, code)
}

var (
	start = time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)
	cam   = Camera{"bj1", "main"}
)

func store(t testing.TB, dir string, b *book, o Options) *Store {
	t.Helper()
	o.MinFree = -1
	s, err := Open(dir, b, &board{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// feed records units as Run would, in this goroutine.
func feed(r *Recorder, us []capture.Unit) {
	for _, u := range us {
		r.unit(u)
	}
}

func later(us []capture.Unit, pts, wall time.Duration) []capture.Unit {
	out := slices.Clone(us)
	for i := range out {
		out[i].PTS, out[i].Wall = out[i].PTS+pts, out[i].Wall.Add(wall)
	}
	return out
}

// samples reads a fMP4 file back with the library.
func samples(t testing.TB, data []byte) (init fmp4.Init, out []*fmp4.Sample, times []int64) {
	t.Helper()
	if err := init.Unmarshal(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	var parts fmp4.Parts
	if err := parts.Unmarshal(data); err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		at := int64(p.Tracks[0].BaseTime)
		for _, s := range p.Tracks[0].Samples {
			out, times = append(out, s), append(times, at+int64(s.PTSOffset))
			at += int64(s.Duration)
		}
	}
	return init, out, times
}

// sameUnits compares recorded samples with what the camera sent, byte for byte.
func sameUnits(t testing.TB, got []*fmp4.Sample, want []capture.Unit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d samples recorded, %d units sent", len(got), len(want))
	}
	for i, s := range got {
		var au h264.AVCC
		if err := au.Unmarshal(s.Payload); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(au, want[i].NALs, bytes.Equal) {
			t.Fatalf("sample %d is not the unit that the camera sent", i)
		}
		if s.IsNonSyncSample == want[i].Key {
			t.Fatalf("sample %d: key flag", i)
		}
	}
}

func read(t testing.TB, s *Store, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRecordedBytesAreTheCamerasOwn(t *testing.T) {
	for name, us := range map[string][]capture.Unit{"plain": testvideo.Plain(start), "reordered": testvideo.Reordered(start),
		"H.265": testvideo.HEVC(t, start, false), "H.265, reordered": testvideo.HEVC(t, start, true)} {
		t.Run(name, func(t *testing.T) {
			b, dir := &book{}, t.TempDir()
			s := store(t, dir, b, Options{})
			r := s.Recorder(cam.Table, cam.Camera)
			feed(r, us)
			r.cut()
			spans := s.Timeline(cam, start, us[len(us)-1].Wall)
			if len(spans) != 1 || spans[0].Kind != Recorded {
				t.Fatalf("timeline %+v", spans)
			}
			_, got, times := samples(t, read(t, s, spans[0].File))
			sameUnits(t, got, us)
			for i, at := range times {
				if d := fromTicks(at) - us[i].PTS; d < -time.Millisecond || d > time.Millisecond {
					t.Fatalf("picture %d is shown at %v, sent for %v", i, fromTicks(at), us[i].PTS)
				}
			}
			if good, problems := b.check(t, dir); good != 1 || problems != nil {
				t.Fatalf("%d good, %v", good, problems)
			}
		})
	}
}

func TestSegmentsAreCutAtKeyFrames(t *testing.T) {
	b, dir := &book{}, t.TempDir()
	s := store(t, dir, b, Options{Segment: 2 * time.Second})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Loop(testvideo.Plain(start), 2)
	feed(r, us)
	r.cut()
	spans := s.Timeline(cam, start, start.Add(12*time.Second))
	if len(spans) != 6 {
		t.Fatalf("%d segments: %+v", len(spans), spans)
	}
	for i, sp := range spans {
		if d := sp.From.Sub(start.Add(time.Duration(2*i) * time.Second)); d.Abs() > time.Millisecond {
			t.Errorf("segment %d begins at %v", i, sp.From)
		}
		f, err := os.Open(filepath.Join(dir, sp.File))
		if err != nil {
			t.Fatal(err)
		}
		l, err := scan(f, sp.Bytes)
		_ = f.Close()
		if err != nil || !l.frags[0].key || l.good != sp.Bytes {
			t.Fatalf("segment %d: %+v, %v", i, l, err)
		}
		for _, g := range l.frags {
			if fromTicks(g.dur) > time.Second {
				t.Errorf("fragment of %v", fromTicks(g.dur))
			}
		}
	}
	// what a restart reads from the folder is the same
	again := store(t, dir, b, Options{})
	if got := again.Timeline(cam, start, start.Add(12*time.Second)); len(got) != 6 ||
		got[5].To.Sub(spans[5].To).Abs() > time.Millisecond {
		t.Fatalf("after a restart: %+v", got)
	}
}

func TestOtherParametersBeginASegment(t *testing.T) {
	s := store(t, t.TempDir(), &book{}, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	a, o := testvideo.Plain(start), later(testvideo.Other(start), 6*time.Second, 6*time.Second)
	feed(r, slices.Concat(a, o))
	r.cut()
	spans := s.Timeline(cam, start, start.Add(8*time.Second))
	if len(spans) != 2 {
		t.Fatalf("%+v", spans)
	}
	init, got, _ := samples(t, read(t, s, spans[1].File))
	sameUnits(t, got, o)
	var sps h264.SPS
	for _, n := range o[0].NALs {
		if h264.NALUType(n[0]&31) == h264.NALUTypeSPS {
			if err := sps.Unmarshal(n); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(init.Tracks) != 1 || sps.Width() != 256 {
		t.Fatalf("%d tracks, width %d", len(init.Tracks), sps.Width())
	}
	// a clip over both carries both sets of parameters
	c, err := s.Clip(cam, start.Add(5*time.Second), start.Add(7*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	data, err := io.ReadAll(c)
	if err != nil || bytes.Count(data, []byte("moov")) != 2 {
		t.Fatalf("%d moov, %v", bytes.Count(data, []byte("moov")), err)
	}
}

func TestGaps(t *testing.T) {
	s := store(t, t.TempDir(), &book{}, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Plain(start)
	lossy := slices.Delete(slices.Clone(us), 20, 24) // lost within a GOP
	lossy[20].Gap = true
	feed(r, lossy)
	back := later(us, 40*time.Second, 30*time.Second) // away for 24 s, with another clock
	back[0].Gap = true
	feed(r, back)
	r.cut()
	var kinds []SpanKind
	spans := s.Timeline(cam, start, start.Add(40*time.Second))
	for _, sp := range spans {
		kinds = append(kinds, sp.Kind)
	}
	if !slices.Equal(kinds, []SpanKind{Recorded, Lost, Missing, Recorded, Missing}) {
		t.Fatalf("timeline %+v", spans)
	}
	if l := spans[1]; !l.From.Equal(us[19].Wall) || !l.To.Equal(us[24].Wall) {
		t.Errorf("lost from %v to %v", l.From, l.To)
	}
	if m := spans[2]; m.To.Sub(m.From).Round(time.Second) != 24*time.Second {
		t.Errorf("missing %v", m.To.Sub(m.From))
	}
	// time in a clip over the gap stays wall time
	c, err := s.Clip(cam, start, start.Add(36*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	data, _ := io.ReadAll(c)
	_, got, times := samples(t, data)
	if len(got) != len(lossy)+len(back) {
		t.Fatalf("%d samples of %d", len(got), len(lossy)+len(back))
	}
	if at := fromTicks(times[len(lossy)]); (at - 30*time.Second).Abs() > 50*time.Millisecond {
		t.Errorf("the picture of second 30 stands at %v", at)
	}
}

func TestClipBeginsAtKeyFrameAcrossSegments(t *testing.T) {
	s := store(t, t.TempDir(), &book{}, Options{Segment: 2 * time.Second})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Plain(start)
	feed(r, us[:75]) // the last second is in the open file
	c, err := s.Clip(cam, start.Add(1700*time.Millisecond), start.Add(4400*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if !c.Start.Equal(start.Add(time.Second)) {
		t.Errorf("starts at %v", c.Start)
	}
	data, err := io.ReadAll(c)
	if err != nil || int64(len(data)) != c.Size() {
		t.Fatalf("%d of %d bytes: %v", len(data), c.Size(), err)
	}
	_, got, times := samples(t, data)
	if len(got) < 50 || len(got) > 60 {
		t.Fatalf("%d samples", len(got))
	}
	sameUnits(t, got, us[15:15+len(got)])
	for i, at := range times {
		if d := fromTicks(at) - time.Duration(i)*time.Second/testvideo.FPS; d.Abs() > 5*time.Millisecond {
			t.Fatalf("sample %d at %v", i, fromTicks(at))
		}
	}
	// reading from any place gives the same bytes
	for _, off := range []int64{0, 1, c.Size() / 3, c.Size() - 1} {
		if _, err := c.Seek(off, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(c)
		if err != nil || !bytes.Equal(rest, data[off:]) {
			t.Fatalf("from %d: %d bytes, %v", off, len(rest), err)
		}
	}
	if _, err := c.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	until := start.Add(3 * time.Second)
	units, err := c.Units(until.Add(time.Millisecond)) // times are in ticks of 1/90,000 s
	if err != nil || len(units) != 31 || !units[0].Key || units[1].Key ||
		until.Sub(units[30].Wall).Abs() > time.Millisecond {
		t.Fatalf("%d units up to the middle, %v", len(units), err)
	}
	for i, u := range units {
		if !slices.EqualFunc(u.NALs, us[15+i].NALs, bytes.Equal) {
			t.Fatalf("unit %d is another", i)
		}
	}
	r.cut()
	if _, err := s.Clip(cam, start.Add(time.Hour), start.Add(2*time.Hour)); !errors.Is(err, ErrNoRecording) {
		t.Errorf("a clip of nothing: %v", err)
	}
	if _, err := s.Clip(cam, start, start); err == nil {
		t.Error("an empty span was accepted")
	}
}

// TestFFmpegPlaysIt decodes a clip over a change of segment, a gap and B-frames
// with another implementation.
func TestFFmpegPlaysIt(t *testing.T) {
	ffprobe, err := exec.LookPath("ffprobe")
	if err != nil {
		t.Skip("SKIPPED: ffprobe is not installed (Debian: ffmpeg), clips were not decoded")
	}
	s := store(t, t.TempDir(), &book{}, Options{Segment: 2 * time.Second})
	r := s.Recorder(cam.Table, cam.Camera)
	a, o := testvideo.Reordered(start), later(testvideo.Other(start), 10*time.Second, 10*time.Second)
	feed(r, slices.Concat(a, o))
	r.cut()
	c, err := s.Clip(cam, start, start.Add(12*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	f, _ := os.Create(path)
	if _, err := io.Copy(f, c); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	out, err := exec.Command(ffprobe, "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path).CombinedOutput()
	if want := fmt.Sprintln(len(a) + len(o)); err != nil || string(out) != want {
		t.Fatalf("ffprobe says %q, want %q: %v", out, want, err)
	}
}

func TestRetention(t *testing.T) {
	b, dir := &book{}, t.TempDir()
	now := start.Add(6 * time.Second)
	s := store(t, dir, b, Options{Segment: time.Second, Keep: 30 * time.Second, Now: func() time.Time { return now }})
	for _, c := range []string{"main", "side"} {
		r := s.Recorder("bj1", c)
		feed(r, testvideo.Plain(start))
		r.cut()
	}
	if err := s.Seal(SealSpan{Table: "bj1", From: start.Add(2100 * time.Millisecond),
		To: start.Add(2900 * time.Millisecond), By: "ana"}); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		for _, u := range s.Usage() {
			n += u.Segments
		}
		return n
	}
	s.opts.MaxBytes = s.total() - 1
	s.Tidy()
	if count() != 11 {
		t.Fatalf("%d segments after the ceiling was passed by a byte", count())
	}
	now = now.Add(26 * time.Second) // the first two seconds are too old
	s.Tidy()
	if count() != 8 {
		t.Fatalf("%d segments after age", count())
	}
	now = now.Add(time.Hour)
	s.Spare(time.Hour) // the clock was set
	s.Tidy()
	if count() != 8 {
		t.Fatalf("%d segments, want all while they are spared", count())
	}
	s.Spare(0)
	s.Tidy()
	if count() != 2 {
		t.Fatalf("%d segments, want the sealed ones of both cameras", count())
	}
	if good, problems := b.check(t, dir); good != 2 || len(problems) != 0 {
		t.Fatalf("%d good, %v", good, problems)
	}
	hb := s.health.(*board)
	s.opts.MaxBytes = 1
	s.Tidy()
	if !hb.now[health.DiskFull] || count() != 2 {
		t.Errorf("over the ceiling with sealed segments only: %v, %d segments", hb.now, count())
	}
	s = store(t, dir, b, Options{Keep: time.Second}) // seals survive a restart
	s.Tidy()
	if len(s.Seals()) != 1 || count() != 2 {
		t.Fatalf("%d seals, %d segments", len(s.Seals()), count())
	}
	if err := s.Release("bj1", start, start, "ana"); err == nil {
		t.Error("a seal that does not exist was released")
	}
	seal := s.Seals()[0]
	if err := s.Release("bj1", seal.From, seal.To, "ana"); err != nil {
		t.Fatal(err)
	}
	s.Tidy()
	if got := s.Usage(); len(got) != 0 {
		t.Fatalf("left after release: %+v", got)
	}
}

// fullDisk gives ENOSPC while the store's files take more than limit.
type fullDisk struct {
	diskFile
	s     **Store
	limit int64
}

func (f fullDisk) Write(b []byte) (int, error) {
	if (*f.s).total()+int64(len(b)) > f.limit {
		n, _ := f.diskFile.Write(b[:len(b)/2])
		return n, syscall.ENOSPC
	}
	return f.diskFile.Write(b)
}

func TestFullDiskGoesOnWithTheNewest(t *testing.T) {
	b, dir := &book{}, t.TempDir()
	var s *Store
	s = store(t, dir, b, Options{Segment: time.Second, create: func(p string) (diskFile, error) {
		f, err := createFile(p)
		return fullDisk{f, &s, 60_000}, err
	}})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Loop(testvideo.Plain(start), 3)
	feed(r, us)
	r.cut()
	end := us[len(us)-1].Wall
	spans := s.Timeline(cam, end.Add(-2*time.Second), end)
	if slices.ContainsFunc(spans, func(s Span) bool { return s.Kind != Recorded }) {
		t.Fatalf("the newest is not there: %+v", spans)
	}
	if s.total() > 60_000 || !slices.Contains(s.health.(*board).seen, health.DiskFull) {
		t.Errorf("%d bytes, health %v", s.total(), s.health.(*board).seen)
	}
	if _, problems := b.check(t, dir); len(problems) != 0 {
		t.Fatalf("%v", problems)
	}
}

func TestFullDiskWithEverythingSealedIsReported(t *testing.T) {
	b, dir := &book{}, t.TempDir()
	var s *Store
	limit := int64(30_000)
	now := start
	s = store(
		t,
		dir,
		b,
		Options{Segment: time.Second, Now: func() time.Time { return now }, create: func(p string) (diskFile, error) {
			f, err := createFile(p)
			return fullDisk{f, &s, limit}, err
		}},
	)
	if err := s.Seal(SealSpan{Table: "bj1", From: start, To: start.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Loop(testvideo.Plain(start), 3)
	feed(r, us[:120])
	hb := s.health.(*board)
	if !hb.now[health.RecordingFailed] {
		t.Fatalf("health %v", hb.now)
	}
	now, limit = now.Add(time.Minute), 1<<30 // the disk was enlarged
	s.opts.create = createFile
	feed(r, us[120:])
	r.cut()
	if hb.now[health.RecordingFailed] {
		t.Error("still reported as failed")
	}
	if _, problems := b.check(t, dir); len(problems) != 0 {
		t.Fatalf("%v", problems)
	}
}

// What is left where nothing may be removed is the ledger's: recording stops while
// there is still room for entries.
func TestTheLedgersRoomIsLeft(t *testing.T) {
	free := int64(1 << 40)
	now := start
	s := store(t, t.TempDir(), &book{}, Options{Segment: time.Second, Now: func() time.Time { return now }})
	s.opts.MinFree, s.opts.free = 4000, func(string) (int64, error) { return free, nil }
	hb := s.health.(*board)
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Loop(testvideo.Plain(start), 3)
	feed(r, us[:100])
	held := s.total()
	free = 1500 // above the ledger's thousand: nothing is sealed, so the oldest go
	s.Tidy()
	if s.total() >= held || !hb.now[health.DiskFull] || hb.now[health.RecordingFailed] {
		t.Fatalf("%d of %d bytes, health %v", s.total(), held, hb.now)
	}
	if err := s.Seal(SealSpan{Table: cam.Table, From: start, To: start.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	free = 999
	feed(r, us[100:150])
	stopped := s.total()
	now = now.Add(time.Minute)
	feed(r, us[150:200])
	if !hb.now[health.RecordingFailed] || s.total() != stopped {
		t.Errorf("it goes on into the ledger's room: %d, then %d bytes, health %v", stopped, s.total(), hb.now)
	}
	now, free = now.Add(time.Minute), 1<<40
	feed(r, us[200:])
	r.cut()
	s.Tidy()
	if hb.now[health.RecordingFailed] || hb.now[health.DiskFull] || s.total() <= stopped {
		t.Errorf("with room again: %d bytes, health %v", s.total(), hb.now)
	}
}

func TestLedgerDownIsCaughtUp(t *testing.T) {
	b, dir := &book{fail: syscall.EIO}, t.TempDir()
	s := store(t, dir, b, Options{Segment: time.Second})
	r := s.Recorder(cam.Table, cam.Camera)
	feed(r, testvideo.Plain(start))
	r.cut()
	if len(b.entries) != 0 {
		t.Fatal("entries in a failing ledger")
	}
	// what was recorded is there to be seen all the same, and counted
	seen := func(open bool) {
		t.Helper()
		spans := s.Timeline(cam, start, start.Add(6*time.Second))
		for i, sp := range spans {
			if sp.Kind != Recorded || sp.Open != open || i > 0 && sp.From.Before(spans[i-1].From) {
				t.Errorf("span %d of %d: %+v", i, len(spans), sp)
			}
		}
		if len(spans) != 6 {
			t.Errorf("%d spans, want 6: %+v", len(spans), spans)
		}
	}
	seen(true)
	if us := s.Usage(); len(us) != 1 || us[0].Bytes == 0 || us[0].Bytes != s.total() {
		t.Errorf("usage %+v, total %d", us, s.total())
	}
	b.setFail(nil)
	s.Tidy()
	seen(false)
	if good, problems := b.check(t, dir); good != 6 || len(problems) != 0 {
		t.Fatalf("%d good, %v", good, problems)
	}
}

func TestVerifyNamesWhatWasDone(t *testing.T) {
	cases := map[string]struct {
		do   func(files []string) error
		want string
	}{
		"a bit changed": {func(f []string) error {
			data, err := os.ReadFile(f[2])
			data[len(data)/2] ^= 1
			return errors.Join(err, os.WriteFile(f[2], data, 0o640))
		}, FileChanged},
		"cut short": {func(f []string) error { return os.Truncate(f[2], 100) }, FileChanged},
		"removed":   {func(f []string) error { return os.Remove(f[2]) }, FileRemoved},
		"exchanged": {func(f []string) error {
			return errors.Join(os.Rename(f[2], f[3]+"x"), os.Rename(f[3], f[2]), os.Rename(f[3]+"x", f[3]))
		}, FileChanged},
		"slipped in": {func(f []string) error {
			data, err := os.ReadFile(f[2])
			return errors.Join(
				err,
				os.WriteFile(filepath.Join(filepath.Dir(f[2]), finishedName(start.Add(-time.Hour), start, false)), data, 0o640),
			)
		}, FileUnlisted},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b, dir := &book{}, t.TempDir()
			s := store(t, dir, b, Options{Segment: time.Second})
			r := s.Recorder(cam.Table, cam.Camera)
			feed(r, testvideo.Plain(start))
			r.cut()
			files, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*.mp4"))
			if err := c.do(files); err != nil {
				t.Fatal(err)
			}
			_, problems := b.check(t, dir)
			if len(problems) == 0 || problems[0].What != c.want || problems[0].String() == "" {
				t.Fatalf("%v, want %s", problems, c.want)
			}
		})
	}
}

func TestRunWritesAndClosesAndSilentCameraIsFlushed(t *testing.T) {
	b, dir := &book{}, t.TempDir()
	s := store(t, dir, b, Options{Fragment: 50 * time.Millisecond})
	r := s.Recorder(cam.Table, cam.Camera)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	us := testvideo.Plain(time.Now().Add(-10 * time.Second))[:20]
	for _, u := range us {
		r.Unit(u)
	}
	deadline := time.Now().Add(3 * time.Minute)
	for { // all of it is on the disk although nothing follows
		if f := s.files(cam, us[0].Wall, us[19].Wall.Add(time.Hour)); len(f) == 1 {
			file, l, err := s.scanned(f[0])
			if err == nil {
				_ = file.Close()
				n := int64(0)
				for _, g := range l.frags {
					n += g.dur
				}
				if n >= ticks(us[19].PTS) {
					break
				}
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("the last units are not on the disk")
		}
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if good, problems := b.check(t, dir); good != 1 || len(problems) != 0 {
		t.Fatalf("%d good, %v", good, problems)
	}
}

func TestSlowDiskDropsToTheNextKeyFrame(t *testing.T) {
	s := store(t, t.TempDir(), &book{}, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Plain(start)
	big := capture.Unit{NALs: [][]byte{make([]byte, maxQueue-4)}, Key: true}
	r.Unit(big)
	for _, u := range us[1:15] {
		r.Unit(u)
	}
	if r.Dropped() != 14 {
		t.Fatalf("%d dropped", r.Dropped())
	}
	r.take()
	r.Unit(us[15])
	if q := r.take(); len(q) != 1 || !q[0].Gap {
		t.Fatalf("after the jam: %d units", len(q))
	}
}

func TestNames(t *testing.T) {
	for _, c := range []Camera{{"BJ 1", "a/b"}, {"..", "."}, {"mesa ñ", "rtsp://x?y"}} {
		f := c.folder()
		if !filepath.IsLocal(f) || filepath.Dir(filepath.Dir(f)) != "." {
			t.Errorf("%v lies in %q", c, f)
		}
		if got := (Camera{unescape(filepath.Dir(f)), unescape(filepath.Base(f))}); got != c {
			t.Errorf("%v comes back as %v", c, got)
		}
	}
	for _, bad := range []string{"", "x.mp4", "20260101T000000.000000Z_-1.mp4", "20260101T000000.000000Z.mp4", "20260101T000000.000000Z_5gg.mp4"} {
		if _, _, _, ok := parseName(bad); ok {
			t.Errorf("%q was taken for a segment", bad)
		}
	}
}

func FuzzScan(f *testing.F) {
	s := store(f, f.TempDir(), &book{}, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Plain(start)
	us[20].Gap = true
	feed(r, us[:40])
	r.cut()
	files, _ := filepath.Glob(filepath.Join(s.dir, "*", "*", "*.mp4"))
	data, err := os.ReadFile(files[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:len(data)/4])
	f.Add(data[:3000])
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := scan(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		if l.good > int64(len(b)) || l.good < l.init {
			t.Fatalf("good %d of %d", l.good, len(b))
		}
		for _, g := range l.frags {
			if g.off+int64(g.moof)+g.mdat > l.good || g.lastAt+4 > g.moof || g.baseAt+8 > g.moof || g.seqAt+4 > g.moof {
				t.Fatalf("fragment out of bounds: %+v", g)
			}
		}
	})
}

func BenchmarkRecorder(b *testing.B) {
	s := store(b, b.TempDir(), &book{}, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Plain(start)
	n := 0
	for b.Loop() { // one second of one camera
		feed(r, later(us[n%6*15:n%6*15+15], time.Duration(n/6*6)*time.Second, time.Duration(n/6*6)*time.Second))
		n++
	}
	r.cut()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "camera-s/s")
}

func BenchmarkClip(b *testing.B) {
	s := store(b, b.TempDir(), &book{}, Options{})
	r := s.Recorder(cam.Table, cam.Camera)
	us := testvideo.Loop(testvideo.Plain(start), 30)
	feed(r, us)
	r.cut()
	for b.Loop() {
		c, err := s.Clip(cam, start.Add(100*time.Second), start.Add(120*time.Second))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c); err != nil {
			b.Fatal(err)
		}
		_ = c.Close()
	}
}
