package monte

import (
	"strconv"
	"strings"

	"vision/validate/game"
)

// mbSpot is a bet's name taken apart.
type mbSpot struct {
	second bool   // of Segundas
	kind   string // vis, camo, anti, viudo, salto, cartas
	n      int    // emplazado
	a, b   []int  // the two sides of cartas
}

// parseMB reads a spot; ok is false for a name that the game does not know.
func parseMB(spot string) (s mbSpot, ok bool) {
	spot, s.second = strings.CutPrefix(spot, "s2/")
	kind, arg, _ := strings.Cut(spot, ":")
	s.kind = kind
	switch kind {
	case "vis", "camo", "anti", "viudo", "salto":
		n, err := strconv.Atoi(arg)
		s.n = n
		return s, err == nil && len(arg) == 1 && n >= 1 && n <= 4
	case "cartas":
		a, b, has := strings.Cut(arg, "-")
		s.a, s.b = digits(a), digits(b)
		return s, has && len(s.a) == len(s.b) && (len(s.a) == 1 || len(s.a) == 2)
	}
	return s, false
}

// digits are places 1 to 4; nil for anything else.
func digits(text string) []int {
	var out []int
	for _, c := range text {
		if c < '1' || c > '4' {
			return nil
		}
		out = append(out, int(c-'0'))
	}
	return out
}

// neighbours reports whether cartas stand beside one another: two of them
// horizontally or vertically, or two against the other two.
func (s mbSpot) neighbours() bool {
	seen := map[int]bool{}
	for _, n := range append(append([]int{}, s.a...), s.b...) {
		if seen[n] {
			return false
		}
		seen[n] = true
	}
	return len(seen) == 4 || s.a[0]+s.b[0] != 5 // 1-4 and 2-3 are diagonal
}

const uncovered = "descubiertas"

func placeOf(zone string) int {
	place, ok := strings.CutPrefix(zone, "emplazado:")
	if n := game.Ordinal(place); ok && n <= 4 {
		return n
	}
	return 0
}

// laid reports whether a zone is one of the four places, from where cards may be burned.
func laid(zone string) bool { return placeOf(zone) > 0 }
