// Package track turns what the readers see at one table and what is called there
// into round records and verdicts, live.
//
// Each room imports those before it only: scene (observations to scenes), hypothesis
// (choices and priors), narrate (a scene under a hypothesis to a record), infer (weighing
// hypotheses). What is left here folds in what comes, also late, ends rounds, raises
// findings while they run and hands them out.
package track

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/validate"
	"vision/validate/operating"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/track/hypothesis"
	"vision/validate/track/infer"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// lateness is how late a line may come and still belong to its round.
const lateness = 2 * time.Second

// Config is one table. What is zero takes its default.
type Config struct {
	Table   string // id
	Game    string // game code of the round record
	Norm    string
	Min     money.Cents
	Max     money.Cents
	Decks   int // 0: as the norm has it
	Options map[string]any

	Zones   []calibration.Zone
	Palette []calibration.Chip
	Racks   Racks // nil: none is read
	Books   *rulebook.Books

	// Slowest is how far a reader may lag behind the clock and still be waited for (15 s).
	Slowest time.Duration
	// Policy is asked at each judgement; nil: that of a house that has stated nothing.
	Policy func() Policy
	// Basis has each finding keep what its evidence is made of: priors are fitted to it.
	Basis bool
}

// Policy is how a house judges findings.
type Policy struct {
	Rates     operating.Rates // of mistakes
	Threshold float64         // probability from which a finding is an alert
}

// PolicyOf is the policy of a table that errs by rates, within a budget of false alerts per shift.
func PolicyOf(rates operating.Rates, budget float64) Policy {
	return Policy{rates, operating.Measured().At(rates, budget).Threshold}
}

func (c Config) defaults() Config {
	if c.Slowest <= 0 {
		c.Slowest = 15 * time.Second
	}
	if c.Policy == nil {
		standard := PolicyOf(operating.Usual(), operating.StandardBudget)
		c.Policy = func() Policy { return standard }
	}
	return c
}

// maxLog bounds the entries kept of the running round; older ones are folded
// in for good, and lines older than they are come too late.
const maxLog = 4000

// maxIDs bounds the lines of which is kept that they were heard.
const maxIDs = 512

// Tracker follows one table. It has one owner, no clock and no goroutine: time
// is what Advance is given.
type Tracker struct {
	cfg       Config
	game      *narrate.Game
	layout    *scene.Layout
	label     string // of the game in the norm
	inference *infer.Inference

	base      *scene.Felt   // everything before log
	log       []scene.Input // sorted by At, then Seq
	now       *scene.Felt   // base with log folded in
	seq       uint64
	rests     map[string]time.Time // per zone: since when it is at rest, as last reported
	ids       []string             // of the last lines heard
	carryOver narrate.CarryOver

	sight   attention
	changed bool
	rulings map[rulingKey]*infer.Ruling // what the scenes mean, until something is known more
	phase   Phase
	alerts  map[int]map[infer.About]*pending // by number of the round
	varied  map[int]map[string]bool          // variances, by number of the round
	round   int                              // number of the oldest round that is not finished
	outs    []Out
}

// rulingKey is a scene, and whether it is seen as one that has ended.
type rulingKey struct {
	of    *scene.Scene
	final bool
}

// pending is a finding of the running round on its way to an alert.
type pending struct {
	since   time.Time // when it was seen first
	gone    time.Time // when it vanished; zero while it stands
	raised  bool
	weighed bool // its certainty was found too low
	asked   bool // the zones on which it hangs are read again for it
	done    bool // it was reported that it was put right
	last    Judged
}

// Follows is why a game cannot be followed by camera; nil when it can.
func Follows(game string) error {
	_, err := narrate.GameByCode(game)
	return err
}

// New makes the tracker of a table.
func New(cfg Config) (*Tracker, error) {
	g, err := narrate.GameByCode(cfg.Game)
	if err != nil {
		return nil, err
	}
	if cfg.Books == nil {
		return nil, fmt.Errorf("track: table %s: no rulebooks given; load them with validate.Books", cfg.Table)
	}
	_, rules, err := cfg.Books.Game(cfg.Norm, cfg.Game)
	if err != nil {
		return nil, fmt.Errorf("track: table %s: %w", cfg.Table, err)
	}
	cfg = cfg.defaults()
	table := round.Table{ID: cfg.Table, Min: cfg.Min, Max: cfg.Max, Decks: cfg.Decks}
	if len(cfg.Options) > 0 {
		table.Options = round.Options{}
		for name, v := range cfg.Options {
			raw, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("track: table %s: option %s: %w", cfg.Table, name, err)
			}
			table.Options[name] = raw
		}
	}
	priors := hypothesis.BuiltIn()
	t := &Tracker{
		cfg: cfg, game: g, label: rules.Label,
		layout: scene.NewLayout(cfg.Zones, cfg.Palette, cfg.Min, priors.CountErrors()),
		rests:  map[string]time.Time{}, phase: Idle,
		alerts: map[int]map[infer.About]*pending{}, varied: map[int]map[string]bool{},
		sight: attention{slowest: cfg.Slowest},
		inference: &infer.Inference{
			Game: g, Table: table, Norm: cfg.Norm, Code: cfg.Game, Rules: rules.Rules, Priors: priors,
			Check: func(r *round.Record) (round.Verdict, error) { return validate.Judge(cfg.Books, r) },
			Leaves: func(r *round.Record, watched bool) (round.Verdict, error) {
				if watched {
					return validate.Check(cfg.Books, r)
				}
				return validate.CheckUnwatched(cfg.Books, r)
			},
		},
	}
	t.layout.Racks = cfg.Racks
	t.base = scene.NewFelt(t.layout, &g.Course)
	t.now = t.base.Clone()
	return t, nil
}

// SetLimits puts other limits of the base bet into force, in cents; high 0 is not known. It
// is for the time between two rounds: the running one would be judged by them.
func (t *Tracker) SetLimits(low, high money.Cents) {
	t.inference.Table.Min, t.inference.Table.Max = low, high
	t.rulings = nil
}

// Observe takes in what a reader saw.
func (t *Tracker) Observe(o fact.Observation) {
	if o.Table != "" && o.Table != t.cfg.Table || o.Time.IsZero() {
		return
	}
	at := o.Time
	switch o.Kind {
	case fact.Watermark:
		if t.sight.observe(&o) {
			t.lost(o.Time, "the reader is too far behind")
		}
		if o.Since.IsZero() || at.Sub(o.Since) <= scene.ShortGap {
			return
		}
	case fact.Blind:
		delete(t.sight.looked, o.Camera)
	}
	if (o.Kind == fact.Rack || o.Kind == fact.PartialReading) && o.Since.Before(o.Time) {
		at = o.Since
	}
	if o.Kind == fact.Stable && !o.Since.IsZero() && o.Since.Before(o.Time) && !t.rests[o.Zone].Equal(o.Since) {
		if _, known := t.layout.Zones[o.Zone]; known {
			t.rests[o.Zone] = o.Since
		}
		at = o.Since
	}
	// A zone may rest since before the round.
	t.insert(scene.Input{At: scene.Latest(at, t.base.Until), Seen: &o})
}

// Lost reports whether the table could not be followed for a while, up to now: its
// reader was replaced. The running round is not verifiable.
func (t *Tracker) Lost(at time.Time, why string) {
	t.sight.looked = nil
	t.lost(at, why)
}

func (t *Tracker) lost(at time.Time, why string) {
	t.insert(scene.Input{At: scene.Latest(at, t.base.Until), Lost: why})
}

// Hear takes in what a sensor or the terminal reported. A line that the round
// record cannot hold is refused with a note.
func (t *Tracker) Hear(s fact.Sensed) {
	if s.Table != "" && s.Table != t.cfg.Table || s.Time.IsZero() {
		return
	}
	if s.ID != "" {
		id := s.Source + "\x00" + s.ID
		if slices.Contains(t.ids, id) {
			return // heard before
		}
		t.ids = append(t.ids[max(0, len(t.ids)+1-maxIDs):], id)
	}
	if s.Time.Before(t.base.Until) {
		t.note(NoteLate, fmt.Sprintf("%s from %s belongs to a round that is finished", s.Kind, s.Source), s.Time)
		return
	}
	if s.Kind == "round" {
		t.insert(scene.Input{At: s.Time, Ending: "the terminal ended the round"})
		return
	}
	e, err := eventOf(s)
	if err == nil {
		err = t.sensible(e)
	}
	if err != nil {
		t.note(NoteRefused, fmt.Sprintf("%s from %s: %v", s.Kind, s.Source, err), s.Time)
		return
	}
	t.insert(scene.Input{At: s.Time, Heard: &e, Source: s.Source})
}

// sensible fails where an event makes no sense in this game whatever else happens: a record
// that held it could not be judged at all.
func (t *Tracker) sensible(e round.Event) error {
	rec := round.Record{
		Schema: round.Schema, ID: "line", Norm: t.cfg.Norm, Game: t.cfg.Game, Table: t.inference.Table,
		Events: []round.Event{e},
	}
	_, err := t.inference.Check(&rec)
	var bad *round.Error
	if errors.As(err, &bad) && strings.HasPrefix(bad.Path, "events[0]") {
		return fmt.Errorf("%s; %s", bad.Problem, bad.Fix)
	}
	return nil
}

// eventOf reads a line as the event it reports, as strictly as a record.
func eventOf(s fact.Sensed) (round.Event, error) {
	fields := map[string]any{}
	for k, v := range s.Args {
		fields[k] = v
	}
	fields["t"], fields["type"] = 0, s.Kind
	if s.Kind == "card" && fields["face"] == nil {
		fields["face"] = "up"
	}
	if s.Kind == "announce" && fields["by"] == nil {
		fields["by"] = round.Croupier
	}
	var e round.Event
	raw, err := json.Marshal(fields)
	if err == nil {
		err = e.UnmarshalJSON(raw)
	}
	return e, err
}

func (t *Tracker) note(code, text string, at time.Time) {
	t.emit(&Note{t.cfg.Table, narrate.Note{Code: code, Text: text, Time: at}})
}

func (t *Tracker) emit(o Out) {
	const most = 1000 // an owner that never calls Advance must not cost memory
	if len(t.outs) < most {
		t.outs = append(t.outs, o)
	}
}

// explain is a scene under the likeliest hypothesis: once, as long as nothing comes in.
func (t *Tracker) explain(sc *scene.Scene, carryOver narrate.CarryOver, final bool) *infer.Ruling {
	k := rulingKey{sc, final}
	r := t.rulings[k]
	if r == nil {
		if r = t.inference.Explain(sc, hypothesis.Likeliest, carryOver, final); t.rulings == nil {
			t.rulings = map[rulingKey]*infer.Ruling{}
		}
		t.rulings[k] = r
	}
	return r
}

// insert puts an entry where its time belongs.
func (t *Tracker) insert(e scene.Input) {
	t.changed = true
	t.seq++
	e.Seq = t.seq
	i := len(t.log)
	for i > 0 && t.log[i-1].At.After(e.At) {
		i--
	}
	if i < len(t.log) || !e.Stirs() {
		t.rulings = nil
	}
	if t.log = slices.Insert(t.log, i, e); i+1 == len(t.log) {
		t.now.Fold(e)
	} else {
		t.refold()
	}
	if len(t.log) > maxLog {
		t.forget(len(t.log) / 2)
	}
}

func (t *Tracker) refold() {
	t.now = t.base.Clone()
	for _, e := range t.log {
		t.now.Fold(e)
	}
}

// forget folds the first n entries into the base for good.
func (t *Tracker) forget(n int) {
	for _, e := range t.log[:n] {
		t.base.Fold(e)
	}
	t.log = append([]scene.Input(nil), t.log[n:]...)
}
