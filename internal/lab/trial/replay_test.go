package trial

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/internal/lab/sim/script"
	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/recognize/card"
	"vision/validate/track"
)

// A hand is the photographs of one hand of blackjack, from the deal to its end.
type photoHand struct {
	name   string
	images []eval.Image
}

// scale is millimetres to a pixel: a card is 63.5 mm wide, and 105 or, on the
// photographs named by a number, 150 pixels.
func (h photoHand) scale() float64 {
	if strings.HasPrefix(h.name, "deck") {
		return 63.5 / 105
	}
	return 63.5 / 150
}

// stage is where in a hand a photograph was taken: "deck1_hand1_start" comes
// before "deck1_hand1_end", "6237_hand1-1" before "6237_hand1-2".
func stage(image string) (hand string, order int) {
	base := strings.TrimSuffix(filepath.Base(image), ".jpg")
	if h, ok := strings.CutSuffix(base, "_start"); ok {
		return h, 0
	}
	if h, ok := strings.CutSuffix(base, "_end"); ok {
		return h, 1
	}
	h, n, _ := strings.Cut(base, "-")
	order = int(n[0])
	return h, order
}

func photoHands(images []eval.Image) (hands []photoHand) {
	slices.SortStableFunc(images, func(a, b eval.Image) int {
		h, n := stage(a.Image)
		k, m := stage(b.Image)
		return cmp.Or(cmp.Compare(h, k), cmp.Compare(n, m))
	})
	for _, img := range images {
		h, _ := stage(img.Image)
		if n := len(hands); n == 0 || hands[n-1].name != h {
			hands = append(hands, photoHand{name: h})
		}
		last := &hands[len(hands)-1]
		last.images = append(last.images, img)
	}
	return hands
}

// dealerBelow is the line on these photographs that parts the dealer's cards
// from the player's, in pixels from the top.
const dealerBelow = 540

// photoZones is a table of one box, as the tracker needs it.
var photoZones = []calibration.Zone{
	{Name: "bank", Reads: []string{"cards"}, Polygon: []fact.Point{{0, 0}, {1920, 0}, {1920, dealerBelow}, {0, dealerBelow}}},
	{Name: "seat:1", Seat: 1, Reads: []string{"cards"}, Polygon: []fact.Point{{0, dealerBelow}, {1920, dealerBelow}, {1920, 1080},
		{0, 1080}}},
}

// told is what the tracker makes of a hand whose photographs are the table as
// it lay, ten seconds apart, before and after an empty table.
func (h photoHand) told(t *testing.T, look func(eval.Image) []fact.Card) *track.Round {
	t.Helper()
	norms := books.Shipped(t)
	trk, err := track.New(track.Config{Table: "photo", Game: "blackjack", Norm: script.Norm, Min: 500, Max: 50000, Zones: photoZones,
		Books: norms})
	if err != nil {
		t.Fatal(err)
	}
	at := Start
	lay := func(cards []fact.Card) {
		for _, z := range photoZones {
			o := fact.Observation{Kind: fact.Stable, Zone: z.Name, Since: at, Time: at.Add(200 * time.Millisecond)}
			for _, c := range cards {
				if z.Contains(c.At) {
					c.At = fact.Point{c.At[0] * h.scale(), c.At[1] * h.scale()}
					o.Cards = append(o.Cards, c)
				}
			}
			trk.Observe(fact.Observation{Kind: fact.MotionStarted, Zone: z.Name, Time: at.Add(-2 * time.Second)})
			trk.Observe(o)
		}
		at = at.Add(10 * time.Second)
	}
	lay(nil)
	for _, img := range h.images {
		lay(look(img))
	}
	lay(nil)
	var out *track.Round
	for range 40 {
		for _, o := range trk.Advance(at) {
			if r, ok := o.(*track.Round); ok && out == nil {
				out = r
			}
		}
		at = at.Add(time.Second)
	}
	if out == nil {
		t.Fatalf("%s: no round was told", h.name)
	}
	return out
}

// labelled are the cards that the hand-made truth names.
func labelled(img eval.Image) (cards []fact.Card) {
	for _, c := range img.Cards {
		cards = append(cards, fact.Card{Guesses: []fact.Guess{{Label: c.Label, P: 1}}, At: fact.Point(*c.Point)})
	}
	return cards
}

// verdictOf is what matters of a hand: its cards, its values and its findings.
func verdictOf(r *track.Round) (hands, findings []string) {
	for _, h := range r.Verdict.Hands {
		cards := []string{}
		for _, c := range h.Cards {
			cards = append(cards, c.String())
		}
		slices.Sort(cards)
		hands = append(hands, fmt.Sprint(h.Zone, " ", cards, " ", text(h.Value), " ", h.Category))
	}
	for _, f := range r.Findings {
		if f.Alert {
			findings = append(findings, fmt.Sprint(f.Code, " ", f.Zone, f.Seat, " ", text(f.Expected), text(f.Observed)))
		}
	}
	slices.Sort(hands)
	slices.Sort(findings)
	return hands, findings
}

// Dealt hands of a real table, photographed at their start and their end, are
// read, followed and judged as the hand-made truth is. Without VISION_TRIAL=all
// three of them are.
func TestPhotographedHands(t *testing.T) {
	dir := shared.Dir(t, "data", "nickreisner-blackjack")
	images, err := eval.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	hands := photoHands(images)
	if os.Getenv("VISION_TRIAL") != "all" {
		hands = hands[len(hands)-3:]
	}
	if testing.Short() {
		hands = hands[:1]
	}
	reader, err := card.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	read := func(img eval.Image) (cards []fact.Card) {
		pic, err := cv.ReadImage(filepath.Join(dir, img.Image))
		if err != nil {
			t.Fatal(err)
		}
		defer pic.Close()
		all, err := reader.Read(pic, card.Hint{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			aside := slices.ContainsFunc(img.Ignore, func(b eval.Box) bool {
				return c.At[0] >= b[0] && c.At[0] <= b[0]+b[2] && c.At[1] >= b[1] && c.At[1] <= b[1]+b[3]
			})
			if !aside { // the zones of a calibrated table leave out the discard pile and the deck
				cards = append(cards, c)
			}
		}
		return cards
	}
	same, unsure := 0, 0
	for _, h := range hands {
		want, wantFindings := verdictOf(h.told(t, labelled))
		got := h.told(t, read)
		have, haveFindings := verdictOf(got)
		switch {
		case slices.Equal(want, have) && slices.Equal(wantFindings, haveFindings):
			same++
		default:
			t.Logf("%s: read %q %q, not verifiable %q; the truth is %q %q", h.name, have, haveFindings, got.NotVerifiable, want, wantFindings)
		}
		if slices.Equal(wantFindings, haveFindings) {
			continue
		}
		unsure++
		for _, f := range haveFindings {
			if !slices.Contains(wantFindings, f) {
				t.Errorf("%s: raised %q, which the truth does not hold", h.name, f)
			}
		}
	}
	t.Logf("%d hands: %d told and judged as the truth; of %d fewer findings were raised", len(hands), same, unsure)
	if 3*same < 2*len(hands) {
		t.Errorf("%d of %d hands are told and judged as the truth; want at least two in three", same, len(hands))
	}
}
