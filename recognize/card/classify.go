package card

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	vocab "vision/internal/card"
	"vision/internal/fact"
	"vision/models"
)

// none is the class of what is no card, or of a corner without an index.
const none = "none"

// corner is the output of the index network for one corner: rank and suit.
type corner struct{ rank, suit []float64 }

// sight is the outputs of all networks for one rectified patch.
type sight struct {
	face    []float64
	texture float64 // standard deviation of the middle, grey levels of the channel that varies most
	corners []corner
}

// labels maps the classes of both networks onto each other. The Spanish pack's
// numbers stand without a suit, and its 10, the sota, reads as a French ten does.
type labels struct {
	face       []string
	rank, suit map[byte]int
	joker      int
	noRank     int
	noSuit     int
	nothing    int // index of none in face
}

const suitlessNumber = "sp" // suit class of a number without a suit

func newLabels(face, index *models.Entry) (labels, error) {
	l := labels{face: face.Heads[0].Classes, rank: map[byte]int{}, suit: map[byte]int{}, joker: -1, noRank: -1, noSuit: -1}
	if len(index.Heads) != 2 {
		return l, fmt.Errorf("%w index: want the heads rank and suit", models.ErrModel)
	}
	for i, c := range index.Heads[0].Classes {
		switch c {
		case "Jk":
			l.joker = i
		case none:
			l.noRank = i
		default:
			l.rank[c[0]] = i
		}
	}
	for i, c := range index.Heads[1].Classes {
		switch c {
		case none:
			l.noSuit = i
		case suitlessNumber:
			for _, s := range []byte(vocab.SpanishSuits) {
				l.suit[s] = i
			}
		default:
			l.suit[c[0]] = i
		}
	}
	l.rank['S'] = l.rank['T']
	l.nothing = slices.Index(l.face, none)
	if l.nothing < 0 || l.joker < 0 || l.noRank < 0 || l.noSuit < 0 {
		return l, fmt.Errorf("%w face or index: a class none or Jk is lacking", models.ErrModel)
	}
	for _, c := range l.face {
		if !isCard(c) {
			continue
		}
		if _, ok := l.rank[c[0]]; !ok {
			return l, fmt.Errorf("%w index: no rank of %s", models.ErrModel, c)
		}
		if _, ok := l.suit[c[1]]; !ok {
			return l, fmt.Errorf("%w index: no suit of %s", models.ErrModel, c)
		}
	}
	return l, nil
}

// isCard reports whether a face class is a card with rank and suit.
func isCard(label string) bool { return label != none && label != "BK" && label != "Jk" }

// spanish reports whether a face class is of the Spanish pack.
func spanish(label string) bool {
	return isCard(label) && strings.IndexByte(vocab.SpanishSuits, label[1]) >= 0
}

// only leaves of a face's probabilities those of the pack that lies there.
func (l *labels) only(face []float64, deck string) {
	if deck == "" {
		return
	}
	sum := 0.0
	for i, name := range l.face {
		if isCard(name) && spanish(name) != (deck == "spanish") || name == "Jk" && deck == "spanish" {
			face[i] = 0
		}
		sum += face[i]
	}
	for i := range face {
		face[i] /= max(sum, 1e-9)
	}
}

// at is the probability that a corner of a card of face class i looks like c,
// where the deck has indices; of what has none, that no index stands there.
func (l *labels) at(c corner, i int) float64 {
	switch name := l.face[i]; name {
	case "BK", none:
		return max(fitted.Fusion.CornerFloor, c.rank[l.noRank])
	case "Jk":
		return max(fitted.Fusion.CornerFloor, c.rank[l.joker]+fitted.Fusion.JokerPlain*c.rank[l.noRank])
	default:
		indexed := c.rank[l.rank[name[0]]] * c.suit[l.suit[name[1]]]
		return max(fitted.Fusion.CornerFloor, indexed+c.rank[l.noRank]*fitted.Fusion.CardPlain)
	}
}

// corners is the probability that the corners of a card of face class i look as
// they do: a deck has its indices in all of them or, with probability noIndex, in none.
func (l *labels) corners(all []corner, i int, noIndex float64) float64 {
	printed, plain := 1.0, noIndex
	for _, c := range all {
		printed *= l.at(c, i)
		plain *= c.rank[l.noRank] * l.sign(c, i)
	}
	if !isCard(l.face[i]) || len(all) == 0 {
		return printed
	}
	return (1-noIndex)*printed + plain
}

// sign is the probability that a corner without an index shows what a card of
// face class i has there: a pip of its suit from four on and, mostly, beside a
// court; nothing in aces, twos and threes.
func (l *labels) sign(c corner, i int) float64 {
	name := l.face[i]
	if !isCard(name) || spanish(name) {
		return 1
	}
	nothing := c.suit[l.noSuit]
	if strings.IndexByte("A23", name[0]) >= 0 {
		return max(fitted.Fusion.SignFloor, nothing)
	}
	return max(fitted.Fusion.SignFloor, c.suit[l.suit[name[1]]]+fitted.Fusion.HiddenSign*nothing)
}

// fuse multiplies the likelihoods of face and corners and gives the guesses, best first,
// "none" among them; their probabilities sum to one. deck is the hint's.
func (l *labels) fuse(s sight, deck string) []fact.Guess {
	noIndex, least := fitted.Fusion.BareUnknown, fitted.Fusion.FaceLeast
	switch deck {
	case noIndexDeck:
		noIndex, least = fitted.Fusion.BareKnown, fitted.Fusion.FaceLeastBare
	case "french", "spanish":
		noIndex = 0
	}
	out := make([]fact.Guess, len(l.face))
	sum := 0.0
	for i, name := range l.face {
		p := math.Pow(max(s.face[i], least)*l.corners(s.corners, i, noIndex), fitted.Fusion.Temper)
		out[i] = fact.Guess{Label: name, P: p}
		sum += p
	}
	for i := range out {
		out[i].P /= sum
	}
	slices.SortStableFunc(out, byProbability)
	return out
}

func byProbability(a, b fact.Guess) int { return cmp.Compare(b.P, a.P) }
