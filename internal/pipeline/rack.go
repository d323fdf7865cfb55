package pipeline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	"vision/internal/fact"
	"vision/validate/track"
)

// rackRead is what a camera reads of the bank's rack.
type rackRead struct {
	tubes  []Reading
	moved  []int       // the newest change of each tube that was one
	unread []time.Time // of each tube: since which rest it has not been read; zero: it is read
	float  *Float      // what all of it is worth; nil: not known
	why    string      // it cannot be read, and how to mend it; "": it can
}

// rackPatience is for how long a tube may be covered or odd before somebody has to look: longer than a hand stays.
const rackPatience = time.Minute

// unreadable is why a tube cannot be read for long, and how to mend it.
var unreadable = map[string]string{
	"small":     "it is seen too small or not whole: move the camera closer, or place the rack anew",
	"unlearned": "how it looks empty is not known: leave room for two chips at its open end, and chips at the closed one",
	"hand":      "something lies over its rim: clear it",
	"covered":   "something lies over it: open the lid or clear it",
	"across":    "something lies in it beside the chips: clear it",
	"gap":       "its chips stand apart: push them together",
	"moved":     "its chips do not stand where they stood: push them to the closed end",
	"foreign":   "a chip of another kind stands in it: put it into its own tube",
}

// observe takes in a reading of the rack by the calibration that holds.
func (r *rackRead) observe(o *fact.Observation, cal *calibration.Table) {
	if cal == nil || cal.Rack == nil || len(cal.Rack.Tubes) != len(o.Tubes) {
		return
	}
	if len(r.moved) != len(o.Tubes) {
		*r = rackRead{moved: make([]int, len(o.Tubes)), unread: make([]time.Time, len(o.Tubes))}
	}
	racks := track.Racks{}
	racks.Add(o.Camera, cal.Rack, cal.Palette)
	r.why, r.tubes, r.float = "", nil, nil
	if worth := racks[o.Camera]; !slices.Contains(worth, 0) && len(worth) > 0 {
		r.float = &Float{At: o.Time}
		for i, u := range o.Tubes {
			r.float.Low += int64(u.Low) * int64(worth[i])
			r.float.High += int64(u.High) * int64(worth[i])
		}
	}
	quads, err := cal.TubeQuads()
	for i := range o.Tubes {
		u := &o.Tubes[i]
		read := u.Abstain == "" || u.Abstain == "unsure"
		if !read {
			r.float = nil
		}
		if u.Abstain == "" && len(u.Change) > 0 && u.Change[0].N != 0 {
			r.moved[i] = u.Change[0].N
		}
		r.follow(i, u, read)
		if err == nil {
			r.tubes = append(r.tubes, tubeReading(u, cal.Rack.Tubes[i].Chip, r.moved[i], read, quads[i]))
		}
	}
}

// follow reports in why that a tube has not been read for so long that somebody has to look.
func (r *rackRead) follow(i int, u *fact.Tube, read bool) {
	switch {
	case read:
		r.unread[i] = time.Time{}
		return
	case r.unread[i].IsZero():
		r.unread[i] = u.Rest
	}
	if u.Rest.Sub(r.unread[i]) >= rackPatience || u.Abstain == "small" {
		r.why = cmp.Or(r.why, fmt.Sprintf("tube %d of the rack: %s", i+1, unreadable[u.Abstain]))
	}
}

// tubeReading is a tube as the overlay draws it: "12–13 (+2)".
func tubeReading(u *fact.Tube, chip string, moved int, read bool, quad fact.Quad) Reading {
	r := Reading{Kind: "tube", Label: "?", Chip: chip, Quad: quad, Abstain: !read}
	if read {
		r.Label = fmt.Sprint(u.Low)
		if u.High != u.Low {
			r.Label += fmt.Sprintf("–%d", u.High)
		}
		r.P = 1
		if len(u.Change) > 0 {
			sum := 0.0
			for _, c := range u.Change {
				sum += math.Exp(c.LogP)
			}
			r.P = 1 / sum
		}
	}
	if moved != 0 {
		r.Label += strings.Replace(fmt.Sprintf(" (%+d)", moved), "-", "−", 1)
	}
	return r
}
