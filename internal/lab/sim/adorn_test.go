package sim

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"slices"
	"testing"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/internal/lab/sim/condition"
	"vision/internal/lab/sim/scene"
)

// felts are the conditions of the cloth that print anything.
func felts(t testing.TB) map[string]condition.Felt {
	t.Helper()
	out := map[string]condition.Felt{}
	for _, name := range []string{condition.House, condition.Hard} {
		c, err := condition.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = c.Felt
	}
	return out
}

func stageOf(t testing.TB, game string) *stage {
	t.Helper()
	s, err := newStage(game, [2]int{1920, 1080})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func printed(f *scene.Felt) *image.RGBA { return f.Draw.Image().(*image.RGBA) }

// bare prints a game's layout alone, with dice in the fields named after them or not.
func bare(s *stage, dice bool) (*scene.Felt, *ink) {
	f := scene.NewFelt(s.area(), s.cloth)
	i := newInk(f)
	i.dice = dice
	i.layout(s)
	return f, i
}

func TestACleanClothIsTheLayoutAlone(t *testing.T) {
	for _, game := range allGames {
		s := stageOf(t, game)
		f, _ := bare(s, false)
		if !bytes.Equal(printed(s.printed(condition.Felt{}, 7)).Pix, printed(f).Pix) {
			t.Errorf("%s: more than the layout is printed", game)
		}
	}
}

func TestTheClothFollowsFromTheSeed(t *testing.T) {
	for _, game := range []string{"blackjack", "ruleta_francesa", "sic_bo"} {
		s, c := stageOf(t, game), felts(t)[condition.House]
		one := printed(s.printed(c, 1))
		if !bytes.Equal(one.Pix, printed(s.printed(c, 1)).Pix) {
			t.Errorf("%s: one seed printed two cloths", game)
		}
		if bytes.Equal(one.Pix, printed(s.printed(c, 2)).Pix) {
			t.Errorf("%s: two seeds printed one cloth", game)
		}
	}
}

// Under both conditions every game's cloth has prints in its zones of cards and of
// chips over a handful of seeds, all prints stay on the cloth and off the layout's
// text, and a hard cloth has more of them; of all, about the condition's share is in zones.
func TestPrints(t *testing.T) {
	const seeds = 4
	inside, all := map[string]float64{}, map[string]float64{}
	for _, game := range Games() {
		s := stageOf(t, game)
		count := map[string]int{}
		for name, c := range felts(t) {
			in := map[string]int{}
			for seed := range uint64(seeds) {
				i := newInk(scene.NewFelt(image.Rect(0, 0, 1, 1), s.cloth)) // where, not how it looks
				i.dice = true
				i.layout(s)
				text := slices.Clone(i.taken)
				marks := i.adorn(s, c, seed)
				count[name] += len(marks)
				all[name] += float64(len(marks))
				for _, m := range marks {
					if m.zone != "" {
						inside[name]++
					}
					for _, kind := range wanted(s, m.zone) {
						in[kind]++
					}
					check(t, fmt.Sprintf("%s, %s, seed %d: %s", game, name, seed, m.kind), s, m, text)
				}
			}
			for _, kind := range []string{"cards", "chips"} {
				if has(s, kind) && in[kind] == 0 {
					t.Errorf("%s, %s: no print in a zone of %s over %d seeds", game, name, kind, seeds)
				}
			}
		}
		if count[condition.Hard] <= count[condition.House] {
			t.Errorf("%s: %d prints under house, %d under hard", game, count[condition.House], count[condition.Hard])
		}
	}
	for name, c := range felts(t) {
		if share := inside[name] / all[name]; math.Abs(share-c.Zones) > 0.1 {
			t.Errorf("%s: %.2f of the prints are in zones, want about %.2f", name, share, c.Zones)
		}
	}
}

// wanted is what is read in a zone.
func wanted(s *stage, zone string) []string {
	if z := s.zone(zone); z != nil && zone != "" {
		return z.Reads
	}
	return nil
}

func has(s *stage, kind string) bool {
	return slices.ContainsFunc(s.layout.Zones, func(z calibration.Zone) bool { return z.Wants(kind) })
}

func check(t *testing.T, what string, s *stage, m mark, text []layout.Rect) {
	t.Helper()
	if !holds(layout.Rect{-60, s.far(), clothW + 60, s.near()}, m.box) {
		t.Errorf("%s leaves the cloth: %v", what, m.box)
	}
	if m.zone != "" && m.kind != "text" && !holds(zoneRect(*s.zone(m.zone)), m.box) {
		t.Errorf("%s leaves its zone %q: %v", what, m.zone, m.box)
	}
	if m.kind == "text" { // an arc's box holds more than its letters
		return
	}
	for _, r := range text {
		if overlap(r, m.box) {
			t.Errorf("%s lies over the layout's text at %v: %v", what, r, m.box)
		}
	}
}

// The pixels of the layout's text, and of the fields of the numbers, are what they are
// without the other prints.
func TestLayoutsStayLegible(t *testing.T) {
	for _, game := range []string{"blackjack", "punto_banco", "dados_craps", "ruleta_francesa", "ruleta_americana_doble_cero", "boule", "ruleta_fortuna"} {
		s, c := stageOf(t, game), felts(t)[condition.Hard]
		plain, before := bare(s, true)
		text := before.taken
		for _, cell := range s.layout.Cells {
			if cell.Ink != "" {
				text = append(text, cell.Rect)
			}
		}
		for seed := range uint64(3) {
			f, i := bare(s, true)
			i.adorn(s, c, seed)
			for _, r := range text {
				if n := changed(s, printed(plain), printed(f), r); n > 0 {
					t.Errorf("%s, seed %d: %d pixels of the text at %v are printed over", game, seed, n, r)
				}
			}
		}
	}
}

// changed counts the pixels that differ within a box of the felt, but for its margin: the
// strokes of a neighbour end softly.
func changed(s *stage, a, b *image.RGBA, r layout.Rect) int {
	at := func(v float64, from int) int { return int(math.Round((v - float64(from)) * scene.FeltPx)) }
	area, n := s.area(), 0
	box := image.Rect(at(r[0], area.Min.X), at(r[1], area.Min.Y), at(r[2], area.Min.X), at(r[3], area.Min.Y)).
		Inset(3).
		Intersect(a.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				n++
			}
		}
	}
	return n
}

// Fields that name dice show them.
func TestDiceInFields(t *testing.T) {
	s := stageOf(t, "sic_bo")
	words, _ := bare(s, false)
	dice, _ := bare(s, true)
	for _, c := range s.layout.Cells {
		if c.Text == "layout" {
			continue // all of them
		}
		n := changed(s, printed(words), printed(dice), c.Rect)
		if faces := named(c); (n > 0) != (len(faces) > 0) {
			t.Errorf("%q names the faces %v: %d pixels differ from words", c.Text, faces, n)
		}
	}
	for text, want := range map[string]int{"unica:6": 1, "doble:2": 2, "triple:3": 3, "combinacion:1-4": 2, "ases": 3, "total:4": 0, "doble": 0} {
		if got := len(named(layout.Cell{Text: text})); got != want {
			t.Errorf("%q: %d faces, want %d", text, got, want)
		}
	}
}

// The calibration holds the colours that a technician takes who clicks on chips in use:
// faded ones under house, the new ones' in a laboratory. Nothing else of a kind differs.
func TestTheCalibrationHasTheColoursInUse(t *testing.T) {
	for _, game := range []string{"blackjack", "ruleta_francesa"} {
		worn := newTable(t, Config{Game: game, Seed: 1, Size: [2]int{320, 180}, Condition: house(t)})
		clean := newTable(t, Config{Game: game, Seed: 1, Size: [2]int{320, 180}})
		if !slices.Equal(clean.Calibration().Palette, clean.stage.palette) {
			t.Errorf("%s: a laboratory's palette is not that of new chips", game)
		}
		for i, c := range worn.Calibration().Palette {
			as := clean.stage.palette[i]
			if c.Face == as.Face || c.Edge == as.Edge {
				t.Errorf("%s: %s has the colours of a new chip", game, c.ID)
			}
			if c.Face, c.Edge = as.Face, as.Edge; c != as {
				t.Errorf("%s: %+v, new %+v", game, c, as)
			}
		}
	}
}
