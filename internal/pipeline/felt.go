package pipeline

import (
	"fmt"
	"math"
	"slices"
	"time"

	"vision/calibration"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/money"
	"vision/internal/text"
	"vision/recognize/fusion"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// follower is a table's tracker behind the fusion of its cameras.
type follower struct {
	*track.Tracker
	views *fusion.Views
}

// Observe folds in an observation of one camera.
func (f *follower) Observe(o fact.Observation) {
	for _, o := range f.views.Observe(o) {
		f.Tracker.Observe(o)
	}
}

// Lost reports to the tracker that the table could not be followed for a while, up to now.
func (f *follower) Lost(at time.Time, why string) {
	f.views.Reset()
	f.Tracker.Lost(at, why)
}

// newTracker makes the tracker from the zones and palettes of all the table's
// cameras. policy says how findings are judged; nil: that of track.
// patience, unless it is 0, is for how long a reader is waited for; what it did not look at
// is not verified all the same.
func newTracker(
	cfg config.Table,
	books *rulebook.Books,
	cams []*Camera,
	policy func() track.Policy,
	patience time.Duration,
) (*follower, error) {
	m, err := mergedLayout(cams)
	if err != nil {
		return nil, err
	}
	trk, err := track.New(track.Config{Table: cfg.ID, Game: cfg.Game, Norm: cfg.Norm, Min: money.Cents(cfg.Min),
		Max: money.Cents(cfg.Max), Decks: cfg.Decks, Options: cfg.Options, Books: books, Policy: policy, Slowest: patience,
		Zones: m.zones, Palette: m.palette, Racks: m.racks})
	if err != nil {
		return nil, err
	}
	return &follower{trk, fusion.NewViews(m.names, func(camera string) []string { return m.read[camera] })}, nil
}

// feltLayout is what the cameras of a table see, as one felt.
type feltLayout struct {
	names   []string // of the cameras, the main one first
	zones   []calibration.Zone
	read    map[string][]string // zones that are read, by camera
	palette []calibration.Chip
	racks   track.Racks
}

// mergedLayout is the layout of a table by its cameras' calibrations. A zone of several cameras must lie
// at one place of the felt.
func mergedLayout(cams []*Camera) (*feltLayout, error) {
	m := &feltLayout{read: map[string][]string{}, racks: track.Racks{}}
	for _, c := range cams {
		m.names = append(m.names, c.cfg.Name)
		if c.cal == nil {
			continue
		}
		for _, z := range c.cal.Zones {
			if isFloat(z) {
				continue
			}
			i := slices.IndexFunc(m.zones, func(o calibration.Zone) bool { return o.Name == z.Name })
			if i < 0 {
				m.zones = append(m.zones, z)
			} else if d := distance(m.zones[i], z); d > fusion.Stacks.Reach {
				return nil, fmt.Errorf("camera %s: zone %q lies %.0f mm from where another camera has it: "+
					"calibrate both by the same points of the felt", c.cfg.Name, z.Name, d)
			}
			if len(z.Reads) > 0 {
				m.read[c.cfg.Name] = append(m.read[c.cfg.Name], z.Name)
			}
		}
		if m.palette == nil {
			m.palette = c.cal.Palette
		}
		m.racks.Add(c.cfg.Name, c.cal.Rack, c.cal.Palette)
	}
	return m, nil
}

// distance is that between the middles of two zones, millimetres.
func distance(a, b calibration.Zone) float64 {
	p, q := a.Centre(), b.Centre()
	return math.Hypot(p[0]-q[0], p[1]-q[1])
}

// coveredByOthers reports whether other cameras of the table that send pictures and have not moved
// see every zone that this one reads.
func (c *Camera) coveredByOthers() bool {
	t := c.table
	t.sight.Lock()
	defer t.sight.Unlock()
	if c.cal == nil {
		return false
	}
	return !slices.ContainsFunc(c.cal.Zones, func(z calibration.Zone) bool {
		return len(z.Reads) > 0 && !slices.ContainsFunc(t.cameras, func(o *Camera) bool {
			return o != c && o.cal != nil && o.reliable() && slices.ContainsFunc(o.cal.Zones, func(p calibration.Zone) bool {
				return p.Name == z.Name && len(p.Reads) > 0
			})
		})
	})
}

// reliable reports whether the camera sends pictures and has not moved, as far as is known.
func (c *Camera) reliable() bool { return !c.feed.Blind() && c.movedAlert.Load() == nil }

// unwatched is the text of what happened to the camera and what follows: that, or that other cameras go on.
func (c *Camera) unwatched(follows, what text.Text, a ...any) text.Localized {
	if c.coveredByOthers() {
		follows = text.Text{ES: "la mesa se sigue con las otras cámaras", EN: "the table is followed by its other cameras"}
	}
	return text.Localize(func(lang string) string { return what.Sprintf(lang, a...) + "; " + follows.In(lang) })
}

// unverified is what follows where no other camera goes on.
var unverified = text.Text{ES: "las jugadas no se verifican", EN: "rounds are not verified"}
