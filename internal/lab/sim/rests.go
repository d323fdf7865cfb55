package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"vision/calibration"
	"vision/internal/fact"
	"vision/internal/lab/sim/scene"
)

// rest is a span of a film, in seconds from its first picture, in which the things of one
// kind lie still and no hand is before them, as spec/eval-tables.md has it.
type rest struct {
	From  float64  `json:"from"`
	To    float64  `json:"to"`
	Cards []string `json:"cards,omitempty"`
	Dice  []int    `json:"dice,omitempty"`
	Chips []string `json:"chips,omitempty"`
}

// shortRest is the least time in seconds in which a person sees what lies there.
const shortRest = 1.0

// covered is how near, in millimetres, the middle of a card lies to that of one over it
// where a person cannot tell it any more.
const covered = 20.0

// rests follows what lies on a table through a film: for each kind of things the spans in
// which a person could say what it is.
type rests struct {
	table *Table
	kinds map[string]*restsOf
	held  int // frames
}

// restsOf are those of one kind of things.
type restsOf struct {
	lie  []*scene.Sprite // what lies there
	gone []*scene.Sprite // what lay there and is behind a hand since it was taken up
	now  rest
	open bool
	done []rest
	any  bool // some thing of the kind lay there once
}

func newRests(t *Table) *rests {
	r := &rests{table: t, kinds: map[string]*restsOf{}}
	for _, z := range t.stage.layout.Zones {
		for _, k := range z.Reads {
			r.kinds[k] = &restsOf{}
		}
	}
	return r
}

// frame looks at the table as the film's next picture shows it.
func (r *rests) frame() {
	at := float64(r.held) / r.table.cfg.FPS
	r.held++
	for kind, k := range r.kinds {
		now, lie, seen := r.lying(kind)
		k.any = k.any || len(lie) > 0
		for _, sp := range k.lie {
			if !slices.Contains(lie, sp) {
				k.gone = append(k.gone, sp)
			}
		}
		k.gone = slices.DeleteFunc(k.gone, func(sp *scene.Sprite) bool { return !r.table.scene.Behind(sp) })
		if k.open && (!seen || !slices.Equal(lie, k.lie)) {
			k.end()
		}
		k.lie = lie
		if seen && len(k.gone) == 0 && !k.open {
			now.From = at
			k.now, k.open = now, true
		}
		k.now.To = at
	}
}

func (k *restsOf) end() {
	if k.open && k.now.To-k.now.From >= shortRest {
		k.done = append(k.done, k.now)
	}
	k.open = false
}

// lying is what lies in the zones that read a kind, and whether a person can tell: nothing
// of it is in somebody's hand, behind one, or under another card.
func (r *rests) lying(kind string) (out rest, lie []*scene.Sprite, seen bool) {
	d := r.table.dir
	seen = true
	for _, tag := range slices.Sorted(maps.Keys(d.things)) {
		t := d.things[tag]
		if t.kind() != kind || !r.read(kind, t.at) {
			continue
		}
		if t.id == 0 {
			seen = seen && !d.inHand(t)
			continue
		}
		seen = seen && !t.fallen && !d.scene.Behind(t.sprite) && (kind != "cards" || !d.under(t))
		lie = append(lie, t.sprite)
		switch {
		case t.card != nil && t.card.Down:
			out.Cards = append(out.Cards, "BK")
		case t.card != nil:
			out.Cards = append(out.Cards, t.card.Card.String())
		case t.face > 0:
			out.Dice = append(out.Dice, t.face)
		default:
			out.Chips = append(out.Chips, t.chips...)
		}
	}
	return out, lie, seen
}

// kind of the readers that a thing is for.
func (t *thing) kind() string {
	switch {
	case t.card != nil:
		return "cards"
	case t.chips != nil:
		return "chips"
	}
	return "dice"
}

// read reports whether a place lies in a zone in which things of a kind are read.
func (r *rests) read(kind string, at [2]float64) bool {
	return slices.ContainsFunc(r.table.stage.layout.Zones, func(z calibration.Zone) bool {
		return slices.Contains(z.Reads, kind) && z.Contains(fact.Point{at[0], at[1]})
	})
}

// inHand reports whether a hand has taken a thing up for a moment; what is drawn and does
// not lie is else not laid yet.
func (d *director) inHand(t *thing) bool {
	for _, list := range d.held {
		if slices.ContainsFunc(list, func(c carried) bool { return c.sprite == t.sprite }) {
			return true
		}
	}
	return false
}

// under reports whether another card lies nearly in the same place and over a card.
func (d *director) under(t *thing) bool {
	for _, o := range d.things {
		if o.card != nil && o.id > t.id && math.Hypot(o.at[0]-t.at[0], o.at[1]-t.at[1]) < covered {
			return true
		}
	}
	return false
}

// clips shoots every table into a set of clips for lab eval: a film, the calibration
// with the picture of the empty table, and a line for every kind of things that lay there.
func (s *Studio) clips(ctx context.Context, tables []*Table) error {
	if err := os.MkdirAll(filepath.Join(s.Clips, "clips"), 0o755); err != nil {
		return fmt.Errorf("clips: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(s.Clips, "truth.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("clips: %w", err)
	}
	defer f.Close()
	for _, t := range tables {
		name := fmt.Sprintf("%s-%d", t.cfg.Table, t.cfg.Seed)
		film, r := filepath.Join("clips", name+".mp4"), newRests(t)
		if _, err := os.Stat(filepath.Join(s.Clips, film)); err == nil {
			return fmt.Errorf("clips: %s is in %s already: take another seed or another folder", film, s.Clips)
		}
		if err := t.calibrate(s.Clips, name); err != nil {
			return err
		}
		if err := t.shoot(ctx, s.Rounds, filepath.Join(s.Clips, film), nil, s.Shot, r.frame); err != nil {
			return err
		}
		for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
			k := r.kinds[kind]
			if k.end(); !k.any {
				continue
			}
			line := struct {
				Clip        string   `json:"clip"`
				Kind        string   `json:"kind"`
				Tags        []string `json:"tags"`
				Calibration string   `json:"calibration"`
				Empty       string   `json:"empty"`
				Rest        []rest   `json:"rest"`
			}{film, kind, []string{t.cfg.Game}, name + ".yaml", name + "-empty.jpg", k.done}
			if err := json.NewEncoder(f).Encode(line); err != nil {
				return fmt.Errorf("clips: %w", err)
			}
		}
	}
	return f.Close()
}

// Lying is a card, a die or a pile of chips that lies on the table and is in nobody's hand.
type Lying struct {
	Tag   int        // of the script
	Kind  string     // as zones read it
	Label string     // of a card or a die
	Chips []string   // of a pile: palette ids from the felt upwards
	At    fact.Point // its middle, of a pile that of the lowest chip, millimetres
	Clear bool       // nothing is before it or on it
}

// Lying is what lies on the table, by tag. Plaques are left out.
func (t *Table) Lying() (out []Lying) {
	d := t.dir
	for _, tag := range slices.Sorted(maps.Keys(d.things)) {
		p := d.things[tag]
		if p.id == 0 || p.plaques {
			continue
		}
		one := Lying{Tag: tag, Kind: p.kind(), Chips: p.chips, At: p.at, Clear: !p.fallen && !d.scene.Behind(p.sprite)}
		switch {
		case p.card != nil:
			one.Clear = one.Clear && !d.under(p)
			if one.Label = p.card.Card.String(); p.card.Down {
				one.Label = "BK"
			}
		case p.face > 0:
			one.Label = fmt.Sprint(p.face)
		}
		out = append(out, one)
	}
	return out
}
