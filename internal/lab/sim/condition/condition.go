// Package condition says what a simulated table is like beside its game: how people
// move and at what pace, light, camera, cloth, chips, and how the pictures are sent.
//
// It is data alone and known to the simulator alone. Nothing that reads or follows a
// table may import it, and no constant of theirs may be chosen to equal one of these.
package condition

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Set is the conditions of one table. The zero value is a laboratory: even pauses,
// steady light, one camera, a clean cloth.
type Set struct {
	Name    string
	Pace    Pace
	Hands   Hands
	Mishaps float64 // share of clean rounds to which a mishap comes, 0 to 1
	Light   Light
	Camera  Camera
	Felt    Felt
	Chips   Chips
	Codec   Codec
}

// Ideal reports whether the set is the laboratory, whatever its name.
func (s Set) Ideal() bool {
	s.Name = ""
	return s == Set{}
}

// The names of the sets.
const (
	Ideal = "ideal" // the zero Set
	House = "house" // a casino's table on an ordinary night
	Hard  = "hard"  // a bad night: all of it stronger, and packets are lost
)

// Names lists the sets, from the easiest on.
func Names() []string { return []string{Ideal, House, Hard} }

// Named is the set of a name; "" is Ideal.
func Named(name string) (Set, error) {
	switch name {
	case "", Ideal:
		return Set{Name: Ideal}, nil
	case House:
		return Set{Name: House, Pace: housePace, Hands: houseHands, Mishaps: 0.1, Light: houseLight, Camera: houseCamera,
			Felt: houseFelt, Chips: houseChips, Codec: houseCodec}, nil
	case Hard:
		return Set{Name: Hard, Pace: hardPace, Hands: hardHands, Mishaps: 0.25, Light: hardLight, Camera: hardCamera,
			Felt: hardFelt, Chips: hardChips, Codec: hardCodec}, nil
	}
	return Set{}, fmt.Errorf("conditions %q: want one of %q", name, Names())
}

// parts take one part of a set over into another.
var parts = map[string]func(to *Set, from Set){
	"pace":    func(to *Set, from Set) { to.Pace = from.Pace },
	"hands":   func(to *Set, from Set) { to.Hands = from.Hands },
	"mishaps": func(to *Set, from Set) { to.Mishaps = from.Mishaps },
	"light":   func(to *Set, from Set) { to.Light = from.Light },
	"camera":  func(to *Set, from Set) { to.Camera = from.Camera },
	"felt":    func(to *Set, from Set) { to.Felt = from.Felt },
	"chips":   func(to *Set, from Set) { to.Chips = from.Chips },
	"codec":   func(to *Set, from Set) { to.Codec = from.Codec },
}

// Parts lists the parts of a set by name.
func Parts() []string { return slices.Sorted(maps.Keys(parts)) }

// Only is the set with the named parts and the others ideal: what one part costs.
func (s Set) Only(names ...string) (Set, error) {
	out := Set{Name: s.Name + ":" + strings.Join(names, ",")}
	for _, name := range names {
		take, ok := parts[name]
		if !ok {
			return Set{}, fmt.Errorf("part %q of the conditions: want one of %q", name, Parts())
		}
		take(&out, s)
	}
	return out, nil
}

// Span is a range from which a table draws one value; the zero Span is unset.
type Span [2]float64

// Set reports whether the span has been given.
func (s Span) Set() bool { return s != Span{} }

// At is the value at k of its way, 0 to 1.
func (s Span) At(k float64) float64 { return s[0] + k*(s[1]-s[0]) }
