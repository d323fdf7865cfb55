package chip

import "testing"

// No palette says how far an inlay or the inserts reach: in single pictures both may show on the
// ring between them, else only the field's colour.
func TestInlaysOfAnySize(t *testing.T) {
	for _, c := range []struct {
		name string
		wear wear
		may  bool
	}{{"as new", asNew, false}, {"in use", inUse, false}, {"foreign", foreign, true}} {
		p, err := newPaints(palette, c.wear, 1)
		if err != nil {
			t.Fatal(err)
		}
		for k := range p.kinds {
			for name, colour := range map[string]rgb{"inlay": {235, 235, 235}, "insert": p.kinds[k].insert} {
				fits := p.face(colour.lit(1), field)[k]
				plain := p.face(p.kinds[k].field.lit(1), field)[k]
				if plain < -0.5 {
					t.Errorf("%s: %s, the field's own colour: %.2f", c.name, palette[k].ID, plain)
				}
				if c.may && fits < -1.5 {
					t.Errorf("%s: %s, the %s's colour: %.2f", c.name, palette[k].ID, name, fits)
				}
				if off := apart(colour, p.kinds[k].field); !c.may && off > 90 && fits > -3 {
					t.Errorf("%s: %s, the %s's colour, %.0f off: %.2f", c.name, palette[k].ID, name, off, fits)
				}
			}
		}
	}
}
