package eval

import (
	"encoding/json"
	"fmt"
	"slices"

	"vision/internal/card"
)

// Face is the upper face of a die, 1 to 6; 0 where nobody can say. It is written as
// a number or as a label.
type Face int

// UnmarshalJSON reads 5 and "5".
func (f *Face) UnmarshalJSON(data []byte) error {
	var n json.Number
	if err := json.Unmarshal(data, &n); err != nil {
		return fmt.Errorf("die %s: want its face, 1 to 6", data)
	}
	v, err := n.Int64()
	if err != nil || v < 0 || v > 6 {
		return fmt.Errorf("die %s: want its face, 1 to 6, or 0 where nobody can tell it", data)
	}
	*f = Face(v)
	return nil
}

// checkCard refuses what names no card: rank and suit, a rank with "?", Jk, BK or ??.
func checkCard(label string) error {
	if label == "BK" || len(label) == 2 && label[1] == '?' {
		return nil
	}
	if _, err := card.Parse(label); err != nil {
		return fmt.Errorf("%w, K? for a rank, or BK for a back", err)
	}
	return nil
}

// Lies are the ways in which a die may lie.
var Lies = []string{"flat", "cocked", "stacked", "on_chips", "broken"}

// unread is a card of which nobody can say the face.
const unread = "??"

// shared is how many of a multiset of labels are met by those of another: the same
// label first, then a rank alone by any of its cards.
func shared(truth, read []string) int {
	left := slices.Clone(read)
	n := 0
	var ranks []string
	for _, l := range truth {
		if i := slices.Index(left, l); i >= 0 {
			left = slices.Delete(left, i, i+1)
			n++
		} else {
			ranks = append(ranks, l)
		}
	}
	for _, l := range ranks {
		if i := slices.IndexFunc(left, func(r string) bool { return sameLabel(l, r) }); i >= 0 {
			left = slices.Delete(left, i, i+1)
			n++
		}
	}
	return n
}
