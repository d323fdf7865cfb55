package density

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Quality is how well something is read.
type Quality int

// The grades. A zone that reads several things has one of each.
const (
	Not  Quality = iota // too few pixels, or seen from a wrong angle
	Poor                // read, with many abstentions
	Good
)

var grades = []string{"not", "poor", "good"}

func (q Quality) String() string { return grades[q] }

// MarshalText writes the grade as a word.
func (q Quality) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalText reads the word of a grade.
func (q *Quality) UnmarshalText(text []byte) error {
	i := slices.Index(grades, string(text))
	if i < 0 {
		return fmt.Errorf("quality %q: want %s", text, strings.Join(grades, ", "))
	}
	*q = Quality(i)
	return nil
}

// The shares of what lies at rest that are read right from which on it is read well, or poorly.
const (
	goodShare = 0.9
	poorShare = 0.5
)

// Steep is the angle from straight down, in degrees, below which the sides of chips are too
// flat to be counted, however many pixels there are (docs/technician.md).
const Steep = 30

// kinds of things that are read.
var kinds = []string{"cards", "chips", "dice"}

// Row is one measurement: of the things that lay at rest, seen at this density, how many were
// read right.
type Row struct {
	// Pixels of what decides: a chip's side in a stack, a card's width, a die's edge.
	Pixels float64 `json:"pixels"`
	Right  int     `json:"right"`
	Of     int     `json:"of"`
}

func (r Row) share() float64 { return float64(r.Right) / float64(r.Of) }

// Measured are the measurements by what is read, from the fewest pixels to the most:
// docs/accuracy.md says how they were made.
var Measured = func() (m map[string][]Row) {
	if err := json.Unmarshal(measured, &m); err != nil {
		panic("calibration/density: measured.json: " + err.Error())
	}
	return m
}()

//go:embed measured.json
var measured []byte

// From is the fewest pixels from which something is read that well, interpolated between the
// measurements; false where no measurement reached it.
func From(what string, q Quality) (float64, bool) {
	want := poorShare
	if q == Good {
		want = goodShare
	}
	rows := Measured[what]
	// The last density at which it was still read worse counts: more pixels are to hold
	// what fewer promise.
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].share() >= want {
			continue
		}
		if i == len(rows)-1 {
			return 0, false
		}
		a, b := rows[i], rows[i+1]
		return a.Pixels + (b.Pixels-a.Pixels)*(want-a.share())/(b.share()-a.share()), true
	}
	if len(rows) == 0 {
		return 0, false
	}
	return rows[0].Pixels, true
}

// judge fills in the quality of all that the zone reads.
func (z *Zone) judge() {
	z.Quality = map[string]Quality{}
	for _, what := range z.Reads {
		q := Not
		for _, grade := range []Quality{Poor, Good} {
			if least, ok := From(what, grade); ok && z.pixels(what) >= least {
				q = grade
			}
		}
		if !z.Inside || what == "chips" && z.Angle < Steep {
			q = Not
		}
		z.Quality[what] = q
	}
}

// pixels of what decides whether it is read.
func (z *Zone) pixels(what string) float64 {
	switch what {
	case "chips":
		return z.Chip
	case "cards":
		return z.Card
	default:
		return z.Die
	}
}

// Sentence returns what of a table is read worse than wanted, and why; empty where nothing is. It
// names at most three zones of each kind.
func Sentence(zones []Zone, want Quality) string {
	var out []string
	for _, what := range kinds {
		for q := Not; q < want; q++ {
			var names []string
			var fewest Zone
			for _, z := range zones {
				if got, ok := z.Quality[what]; !ok || got != q {
					continue
				}
				if len(names) == 0 || z.pixels(what) < fewest.pixels(what) {
					fewest = z
				}
				names = append(names, z.Name)
			}
			if len(names) == 0 {
				continue
			}
			more := ""
			if n := len(names) - 3; n > 0 {
				names, more = names[:3], fmt.Sprintf(" and %d more", n)
			}
			out = append(out, fmt.Sprintf("%s %s in %s%s: %s", what, map[Quality]string{Not: "are not read", Poor: "are read poorly"}[q],
				strings.Join(names, ", "), more, fewest.reason(what)))
		}
	}
	return strings.Join(out, "; ")
}

func (z *Zone) reason(what string) string {
	unit := map[string]string{"chips": "a chip's side in a stack", "cards": "a card's width", "dice": "a die's edge"}[what]
	switch {
	case !z.Inside:
		return "not wholly in the picture"
	case what == "chips" && z.Angle < Steep:
		return fmt.Sprintf("%.0f° from straight down, the sides of stacks are hidden: %d° or more", z.Angle, Steep)
	}
	least, ok := From(what, Good)
	if !ok {
		return fmt.Sprintf("%.1f pixels for %s, and at no measured density are they read well", z.pixels(what), unit)
	}
	return fmt.Sprintf("%.1f pixels for %s, read well from %.1f on", z.pixels(what), unit, least)
}
