package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"vision/internal/fact"
)

// Rack is one line of truth of a set of racks: pictures of a bank's rack at rest, one after the other.
type Rack struct {
	Calibration string     `json:"calibration"`
	Tags        []string   `json:"tags"`
	Rests       []RackRest `json:"rests"`
}

// RackRest is a picture, and how many chips of its kind stand in each tube of its calibration.
type RackRest struct {
	Image string `json:"image"`
	Tubes []int  `json:"tubes"`
	// Amiss says of tubes what is not there as it should be: such a one is judged by itself.
	Amiss map[int]string `json:"amiss,omitempty"`
}

func (r *Rack) check() error {
	if err := below("calibration", r.Calibration); err != nil {
		return err
	}
	if len(r.Rests) == 0 {
		return fmt.Errorf("calibration %q has no rests: want a picture at least", r.Calibration)
	}
	for i, one := range r.Rests {
		if err := below(fmt.Sprintf("rests[%d].image", i), one.Image); err != nil {
			return err
		}
		if len(one.Tubes) == 0 || len(one.Tubes) != len(r.Rests[0].Tubes) {
			return fmt.Errorf("rests[%d] has %d tubes: want as many as the rack, in each rest", i, len(one.Tubes))
		}
		if k := slices.IndexFunc(one.Tubes, func(n int) bool { return n < 0 }); k >= 0 {
			return fmt.Errorf("rests[%d].tubes[%d]: %d chips: want 0 or more", i, k, one.Tubes[k])
		}
	}
	return nil
}

// rackUnlearned is how many rests a reader is given to learn how a rack looks, and one to compare with.
const rackUnlearned = 3

// RackFigures say how racks were read.
type RackFigures struct {
	Exact     Share          `json:"exact"` // changes of tubes between rests
	Wrong     Share          `json:"wrong"`
	Abstained Share          `json:"abstained"`
	Moved     Share          `json:"moved"`  // exact, of those with chips that came or went
	Within    Share          `json:"within"` // numbers with nothing in their interval further than one from the truth
	Holds     Share          `json:"holds"`  // numbers whose interval holds the truth
	Why       map[string]int `json:"why"`    // of abstentions
	Amiss     map[string]int `json:"amiss"`  // of tubes with something amiss: what it was, and what was told
}

// RackResult is what a set of racks gave, and that by each of its tags.
type RackResult struct {
	RackFigures
	Set    string                  `json:"set"`
	ByTag  map[string]*RackFigures `json:"by_tag"`
	Failed []Failure               `json:"failed,omitempty"`
}

// Add judges what a reader told of each rest of a series.
func (r *RackResult) Add(s *Rack, told [][]fact.Tube) {
	rest := map[int64]int{}
	for n, tubes := range told {
		rest[tubes[0].Rest.UnixNano()] = n
	}
	if r.ByTag == nil {
		r.ByTag = map[string]*RackFigures{}
	}
	into := []*RackFigures{&r.RackFigures}
	for _, tag := range s.Tags {
		if r.ByTag[tag] == nil {
			r.ByTag[tag] = &RackFigures{}
		}
		into = append(into, r.ByTag[tag])
	}
	for n := rackUnlearned; n < len(told); n++ {
		for _, u := range told[n] {
			was := n
			if !u.Since.IsZero() {
				was = rest[u.Since.UnixNano()]
			}
			for _, f := range into {
				f.add(u, &s.Rests[was], &s.Rests[n])
			}
		}
	}
}

// add judges one tube at one rest.
func (f *RackFigures) add(u fact.Tube, was, now *RackRest) {
	if f.Why == nil {
		f.Why, f.Amiss = map[string]int{}, map[string]int{}
	}
	here := now.Tubes[u.Tube]
	want := here - was.Tubes[u.Tube]
	right := u.Abstain == "" && len(u.Change) > 0 && u.Change[0].N == want
	if odd := cmp.Or(now.Amiss[u.Tube], was.Amiss[u.Tube]); odd != "" {
		read := cmp.Or(u.Abstain, "wrong")
		if right {
			read = "right"
		}
		f.Amiss[odd+": "+read]++
		return
	}
	f.Exact.add(right)
	f.Wrong.add(u.Abstain == "" && !right)
	f.Abstained.add(u.Abstain != "")
	if want != 0 {
		f.Moved.add(right)
	}
	if u.Abstain != "" {
		f.Why[u.Abstain]++
		return
	}
	f.Within.add(u.Low >= here-1 && u.High <= here+1)
	f.Holds.add(u.Low <= here && here <= u.High)
}

// Fail names a series that cannot be measured.
func (r *RackResult) Fail(name string, err error) {
	r.Failed = append(r.Failed, Failure{Name: name, Err: err.Error()})
}

// Write prints the figures for people.
func (r *RackResult) Write(w io.Writer) error {
	show := func(name string, f *RackFigures) error {
		_, err := fmt.Fprintf(w, "%s\n  changes exact %v, of those that moved %v\n  wrong %v, abstained %v%v\n"+
			"  numbers within one %v, interval holds it %v\n", name, f.Exact, f.Moved, f.Wrong, f.Abstained, listed(f.Why),
			f.Within, f.Holds)
		if err == nil && len(f.Amiss) > 0 {
			_, err = fmt.Fprintf(w, "  amiss%v\n", listed(f.Amiss))
		}
		return err
	}
	for _, tag := range slices.Sorted(maps.Keys(r.ByTag)) {
		if err := show(tag, r.ByTag[tag]); err != nil {
			return err
		}
	}
	return show(r.Set, &r.RackFigures)
}

// listed is how often each of some things was, in order of their names.
func listed(n map[string]int) (out string) {
	for _, name := range slices.Sorted(maps.Keys(n)) {
		out += fmt.Sprintf("; %s %d", name, n[name])
	}
	return out
}
