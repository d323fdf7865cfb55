// Package recognize turns the frames of one camera over one table into
// observations: which zone began to move, which came to rest, and what lies there.
//
// A cheap watcher decides when a zone is read; the readers of cards, chips and
// dice see only that zone. It knows no game and no money.
package recognize

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/calibration/moved"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/luma"
	"vision/recognize/card"
	"vision/recognize/dice"
	"vision/recognize/rack"
	"vision/recognize/stack"
	"vision/recognize/watch"
)

// Options of a Table; zero fields take the default.
type Options struct {
	// Cards and Chips are the sets of networks of these readers; nil: the shipped ones.
	Cards, Chips fs.FS
	// MaxGap is the time without a frame that is reported as a gap, after which
	// every zone is read anew: default 3 s. Shorter ones are reported by fact.Watermark.
	MaxGap time.Duration
	// Budget is the time after which a Frame leaves the zones still to be read to
	// the next one, so that frames keep being watched; 0 reads all at once.
	Budget time.Duration
	// Empty is the file of the camera's picture of the table with nothing on it, as
	// cv.DecodeImage takes it, for LearnBackground; nil: none was taken.
	Empty []byte
	// Step is called before each zone is read: a sign that the work goes on. May be nil.
	Step func()
}

// The readers of one kind of thing, as this package needs them.
type (
	cardReader interface {
		Read(gocv.Mat, card.Hint) ([]fact.Card, error)
		Close()
	}
	chipReader interface {
		Read(img gocv.Mat, zone []fact.Point, background []byte) ([]fact.Stack, error)
		Close()
	}
	diceReader interface {
		Read(gocv.Mat, dice.Hint) ([]fact.Die, error)
		Close()
	}
)

// Table reads one camera's frames. One goroutine uses it at a time; Close frees
// what it holds outside Go's memory.
type Table struct {
	cal    *calibration.Table
	view   *calibration.View
	opts   Options
	zones  []*zone
	motion *watch.Watcher
	moved  *moved.Detector

	cards   cardReader
	chips   chipReader
	dice    diceReader
	plaques *stacks  // where the palette holds some
	empty   gocv.Mat // the table with nothing on it; without memory where that is not known
	plain   bool     // no camera is calibrated: pixels stand for millimetres, and sizes are not known

	seen   bool
	last   time.Time
	ordin  uint64
	looked time.Time // the newest watermark reported
	away   bool      // the camera has moved since its calibration
}

// NewTable prepares the reading of a calibrated camera. The readers of kinds
// that no zone needs are not loaded.
func NewTable(cal *calibration.Table, opts Options) (*Table, error) {
	if err := cal.Check(); err != nil {
		return nil, err
	}
	t := &Table{cal: cal, opts: opts}
	err := t.open()
	if err == nil && opts.Empty != nil {
		err = t.learnBackgroundFrom(opts.Empty)
	}
	if err != nil {
		t.Close()
		return nil, fmt.Errorf("table %q camera %q: %w", cal.Table, cal.Camera, err)
	}
	return t, nil
}

func (t *Table) open() (err error) {
	if t.view, err = t.cal.View(); err != nil {
		return err
	}
	var watched []watch.Zone
	needs := map[string]bool{}
	for _, z := range t.cal.Zones {
		if len(z.Reads) == 0 {
			continue
		}
		for _, r := range z.Reads {
			needs[r] = true
		}
		t.zones = append(t.zones, newZone(t.cal, t.view, z, len(watched), t.around()))
		watched = append(watched, watch.Zone{Name: z.Name, Polygons: t.outlines(z), History: z.Wants("dice"), Strict: z.Wants("dice"),
			Whole: t.plain, Glimpses: z.Wants("cards") && !t.plain})
	}
	if t.cal.Rack != nil {
		z := newZone(t.cal, t.view, t.cal.Rack.Outline(t.cal.Palette), len(watched), 0)
		z.tubes = rack.NewReader(t.cal, t.view)
		t.zones = append(t.zones, z)
		watched = append(watched, watch.Zone{Name: z.Name, Polygons: t.outlines(z.Zone)})
	}
	cells := 0
	if t.plain {
		cells = tablePlainGrid
	}
	if t.motion, err = watch.New(t.cal.Size[0], t.cal.Size[1], watched, cells); err != nil {
		return err
	}
	if !t.plain {
		if t.moved, err = moved.New(t.cal.Size[0], t.cal.Size[1], moved.Options{}); err != nil {
			return err
		}
	}
	// Fields are set once there is a reader: they would not be nil with a nil pointer, and Close would close it.
	if needs["cards"] {
		r, err := card.NewReader(t.opts.Cards)
		if err != nil {
			return err
		}
		t.cards = r
	}
	if needs["chips"] {
		if err := t.openChips(); err != nil {
			return err
		}
	}
	if needs["dice"] {
		r, err := dice.NewReader(nil)
		if err != nil {
			return err
		}
		t.dice = r
	}
	return nil
}

// openChips makes the reader of chips.
func (t *Table) openChips() error {
	if t.plain {
		r, err := stack.NewPhotographs(t.opts.Chips)
		if err == nil {
			t.chips = photographs{r}
		}
		return err
	}
	s, err := newStacks(t.view, t.cal.Palette, t.opts.Chips)
	if err != nil {
		return err
	}
	t.chips = s
	if t.view.Raised() && s.flat != nil {
		t.plaques = s
	}
	return nil
}

// outlines of a zone in the frame: on the felt, and where things that stand
// there show.
func (t *Table) outlines(z calibration.Zone) [][]fact.Point {
	out := [][]fact.Point{t.view.Polygon(z)}
	tall := 0.0
	if z.Wants("chips") || z.Name == calibration.RackZone {
		tall = tableTall
	}
	if z.Wants("dice") {
		tall = max(tall, t.cal.Die)
	}
	if tall > 0 && t.view.Raised() {
		var up []fact.Point
		for _, p := range z.Polygon {
			up = append(up, t.view.ToImageAt(p, tall))
		}
		out = append(out, up)
	}
	return out
}

// Close frees the readers and the patches' maps.
func (t *Table) Close() {
	for _, z := range t.zones {
		z.close()
	}
	closeMat(&t.empty)
	if t.cards != nil {
		t.cards.Close()
	}
	if t.chips != nil {
		t.chips.Close()
	}
	if t.dice != nil {
		t.dice.Close()
	}
	t.zones, t.cards, t.chips, t.dice = nil, nil, nil, nil
}

// Frame looks at the camera's next frame: of the calibrated size; at is its capture time
// and n its ordinal in the stream. Its colours are looked at where a zone is read.
// A frame of another size is refused with calibration.ErrOtherCamera.
func (t *Table) Frame(p cv.Picture, at time.Time, n uint64) ([]fact.Observation, error) {
	seen, err := t.luma(p)
	if err != nil {
		return nil, err
	}
	before := t.last
	out := t.advance(at, n)
	out = append(out, t.checkCamera(seen, at, n)...)
	if t.away {
		return out, nil
	}
	events, err := t.motion.Frame(seen, at)
	if err != nil {
		return out, err
	}
	out = append(out, t.apply(events, before, at, n)...)
	for _, z := range t.zones {
		if z.lastsFor(at) {
			z.schedule(z.since, at, nil)
		}
		if z.asked {
			z.again(at)
		}
	}
	began := time.Now()
	late := func() bool { return t.opts.Budget > 0 && time.Since(began) > t.opts.Budget }
	look := func(z *zone, how func(*zone, gocv.Mat) (fact.Observation, bool, error)) error {
		if t.opts.Step != nil {
			t.opts.Step()
		}
		img, err := p.BGR()
		if err != nil {
			return err
		}
		o, news, err := how(z, img)
		if err != nil {
			return fmt.Errorf("table %q camera %q zone %q: %w", t.cal.Table, t.cal.Camera, z.Name, err)
		}
		if news {
			o.Time, o.Frame = at, n
			out = append(out, t.stamped(o))
		}
		return nil
	}
	for _, z := range t.longestDue(at) {
		if late() {
			break
		}
		z.begin()
		if err := look(z, t.read); err != nil {
			return out, err
		}
	}
	if i := slices.IndexFunc(out, func(o fact.Observation) bool { return o.Kind == fact.Watermark }); i >= 0 {
		out[i].Unread = len(t.longestDue(at))
	}
	for _, z := range t.zones {
		if !z.glimpse || late() {
			continue
		}
		if err := look(z, t.glimpse); err != nil {
			return out, err
		}
	}
	return out, nil
}

// Again has a zone at rest read in each picture of the next half second, beside the usual ones. The readings are
// fused with those of the same rest, and reported where that changes them.
func (t *Table) Again(zone string) {
	for _, z := range t.zones {
		z.asked = z.asked || z.Name == zone
	}
}

// Damaged looks at the camera's next frame, which rests on lost data: a picture before it, or a
// part of it, did not come. Motion shows in it, but elsewhere it may show what is no longer there,
// as sharp as ever, or what never was. So it reports motion only, and nothing is read before a
// whole picture comes. All else is as with Frame.
func (t *Table) Damaged(p cv.Picture, at time.Time, n uint64) ([]fact.Observation, error) {
	seen, err := t.luma(p)
	if err != nil {
		return nil, err
	}
	before := t.last
	out := t.advance(at, n)
	if t.away {
		return out, nil
	}
	events, err := t.motion.Damaged(seen, at)
	return append(out, t.apply(events, before, at, n)...), err
}

// apply handles the watcher's events of a picture; before is the time of the previous one.
func (t *Table) apply(events []watch.Event, before, at time.Time, n uint64) (out []fact.Observation) {
	for _, e := range events {
		z := t.zones[e.Zone]
		if e.Kind == watch.Glimpse {
			z.glimpse = true
			continue
		}
		if e.Kind == watch.Moving {
			out = append(out, t.stamped(fact.Observation{
				Kind: fact.MotionStarted, Zone: z.Name, Time: at, Since: z.unseenSince(before), Frame: n,
			}))
			z.reset()
			continue
		}
		z.schedule(e.Since, at, tableAgain)
		z.hands = t.sides(z, e.Reach)
	}
	return out
}

// luma is that of a picture that the camera may have taken.
func (t *Table) luma(p cv.Picture) (luma.Plane, error) {
	l := p.Luma()
	if !l.Fits(l.Width, l.Height) {
		return l, fmt.Errorf("table %q camera %q: %w", t.cal.Table, t.cal.Camera, cv.ErrPicture)
	}
	return l, t.cal.Fits(l.Width, l.Height)
}

// fits refuses a still that the camera cannot have taken.
func (t *Table) fits(img gocv.Mat) error {
	if !cv.Colour(img) {
		return fmt.Errorf("table %q camera %q: %w", t.cal.Table, t.cal.Camera, cv.ErrPicture)
	}
	return t.cal.Fits(img.Cols(), img.Rows())
}

// longestDue are the zones to be read, the one that has waited longest first.
func (t *Table) longestDue(at time.Time) []*zone {
	var due []*zone
	for _, z := range t.zones {
		if z.due(at) {
			due = append(due, z)
		}
	}
	slices.SortStableFunc(due, func(a, b *zone) int { return a.next[0].Compare(b.next[0]) })
	return due
}

func (t *Table) stamped(o fact.Observation) fact.Observation {
	o.Table, o.Camera = t.cal.Table, t.cal.Camera
	return o
}

// advance reports how far pictures were looked at, and which were not.
func (t *Table) advance(at time.Time, n uint64) []fact.Observation {
	before, first := t.last, !t.seen
	lost := int64(n) - int64(t.ordin) - 1
	t.last, t.ordin, t.seen = at, n, true
	if !first && (at.Before(before) || at.Sub(before) > cmp.Or(t.opts.MaxGap, tableMaxGap)) {
		t.looked = at
		return t.gap(before, at, n, lost)
	}
	o := fact.Observation{Kind: fact.Watermark, Time: at, Frame: n}
	if !first && at.Sub(before) > tableSayLooked {
		o.Since = before
	} else if at.Sub(t.looked) < tableSayLooked {
		return nil
	}
	t.looked = at
	return []fact.Observation{t.stamped(o)}
}

// gap reports missing frames: all zones must come to rest again.
func (t *Table) gap(before, at time.Time, n uint64, lost int64) []fact.Observation {
	t.restart()
	note := fmt.Sprintf("%d frames missing", lost)
	if at.Before(before) {
		note = "the camera's clock went back"
	}
	return []fact.Observation{
		t.stamped(fact.Observation{Kind: fact.Gap, Time: at, Since: before, Frame: n, Note: note}),
		t.stamped(fact.Observation{Kind: fact.Watermark, Time: at, Frame: n}),
	}
}

func (t *Table) restart() {
	t.motion.Reset()
	for _, z := range t.zones {
		z.reset()
	}
}

// checkCamera checks whether the camera has moved since its calibration.
func (t *Table) checkCamera(p luma.Plane, at time.Time, n uint64) []fact.Observation {
	if t.plain { // there is no calibration to deviate from
		return nil
	}
	v, changed := t.moved.Frame(p, at)
	if !changed {
		return nil
	}
	t.away = v.Away
	t.relearn()
	t.restart()
	o := fact.Observation{Kind: fact.Moved, Time: at, Frame: n, OK: !v.Away, Note: v.String()}
	return []fact.Observation{t.stamped(o)}
}
