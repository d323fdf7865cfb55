package calibration

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"vision/internal/fact"
)

func TestSaveAndLoad(t *testing.T) {
	c := example(t)
	path := filepath.Join(t.TempDir(), "bj1.yaml")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, back) {
		t.Errorf("came back as %+v, want %+v", back, c)
	}
	if c.Hash() != back.Hash() || len(c.Hash()) != 64 {
		t.Errorf("hash %s, after loading %s", c.Hash(), back.Hash())
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}

func TestHashSeesEveryChange(t *testing.T) {
	base := example(t).Hash()
	for name, change := range map[string]func(*Table){
		"a zone's corner": func(c *Table) { c.Zones[0].Polygon[0][0]++ },
		"a chip's value":  func(c *Table) { c.Palette[0].Value++ },
		"the plane":       func(c *Table) { c.Plane[2] += 1e-9 },
	} {
		c := example(t)
		change(c)
		if c.Hash() == base {
			t.Errorf("%s changed and the hash did not", name)
		}
	}
}

func TestHashIgnoresTheFilesLayout(t *testing.T) {
	c := example(t)
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(append([]byte("# measured in May\n"), text...))
	if err != nil || back.Hash() != c.Hash() {
		t.Errorf("a comment changed the hash (%v)", err)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	cases := []struct {
		name   string
		change func(*Table)
		want   string
	}{
		{"schema", func(c *Table) { c.Schema = "calibration/9" }, `schema: "calibration/9"`},
		{"unnamed", func(c *Table) { c.Camera = "" }, "both must be named"},
		{"no size", func(c *Table) { c.Size[0] = 0 }, "size"},
		{"singular plane", func(c *Table) { c.Plane = [9]float64{1, 2, 3, 2, 4, 6, 0, 0, 1} }, "plane"},
		{"empty plane", func(c *Table) { c.Plane = [9]float64{} }, "plane"},
		{"NaN", func(c *Table) { c.Plane[0] = math.NaN() }, "no sensible number"},
		{"mirrored", func(c *Table) {
			c.Pose = Pose{}
			c.Plane = Homography{-1, 0, 1200, 0, 1, 0, 0, 0, 1}.Mul(c.Plane)
		}, "mirrors the table"},
		{"pose of another plane", func(c *Table) { c.Pose.T[0] += 100 }, "contradicts the plane"},
		{"pose without lens", func(c *Table) { c.Lens = Lens{} }, "pose: is given without a lens"},
		{"doubled zone", func(c *Table) { c.Zones[1].Name = "bank" }, `zones[1] "bank": the name is there twice`},
		{"unnamed zone", func(c *Table) { c.Zones[1].Name = "" }, "has no name"},
		{"unknown reading", func(c *Table) { c.Zones[1].Reads = []string{"coins"} }, `reads "coins"`},
		{"two corners", func(c *Table) { c.Zones[2].Polygon = c.Zones[2].Polygon[:2] }, "2 corners"},
		{"crossing outline", func(c *Table) {
			p := c.Zones[0].Polygon
			p[0], p[1] = p[1], p[0]
		}, "crosses itself"},
		{"tiny", func(c *Table) { c.Zones[2].Polygon = []fact.Point{{600, 400}, {601, 400}, {601, 401}} }, "too small"},
		{"outside", func(c *Table) {
			for i := range c.Zones[0].Polygon {
				c.Zones[0].Polygon[i][0] += 5000
			}
		}, "outside the frame"},
		{"negative seat", func(c *Table) { c.Zones[1].Seat = -1 }, "seats count from 1"},
		{"chips without palette", func(c *Table) { c.Palette = nil }, "zones read chips"},
		{"dice without size", func(c *Table) { c.Die = 0 }, "zones read dice"},
		{"cards without size", func(c *Table) { c.Card = [2]float64{} }, "zones read cards"},
		{"wild card", func(c *Table) { c.Card[0] = 3000 }, "card: 3000 mm"},
		{"deck", func(c *Table) { c.Deck = "tarot" }, `deck: "tarot"`},
		{"chip twice", func(c *Table) { c.Palette[1].ID = "5" }, "the id is there twice"},
		{"chip unnamed", func(c *Table) { c.Palette[1].ID = "" }, "has no id"},
		{"alike chips", func(c *Table) { c.Palette[1].Face = c.Palette[0].Face }, `looks like "5"`},
		{"colour", func(c *Table) { c.Palette[0].Face = "red" }, `colour "red": want #rrggbb`},
		{"thick chip", func(c *Table) { c.Palette[0].Thickness = 40 }, "thickness 40 mm"},
		{"wide chip", func(c *Table) { c.Palette[0].Diameter = 4 }, "diameter 4 mm"},
		{"no diameter", func(c *Table) { c.Palette[0].Diameter = 0 }, "diameter 0 mm: want 20 to 100, or for a plaque"},
		{"round and rectangular", func(c *Table) { c.Palette[2].Diameter = 39 }, "has a diameter and a length"},
		{"long plaque", func(c *Table) { c.Palette[2].Length = 300 }, "plaque of 300 × 49 mm: want a length of 40 to 200"},
		{"narrow plaque", func(c *Table) { c.Palette[2].Width = 10 }, "plaque of 78 × 10 mm"},
		{"plaque without width", func(c *Table) { c.Palette[2].Width = 0 }, "plaque of 78 × 0 mm"},
		{"plaque without length", func(c *Table) { c.Palette[2].Length = 0 }, "plaque of 0 × 49 mm"},
		{"sides swapped", func(c *Table) { c.Palette[2].Length, c.Palette[2].Width = 49, 78 }, "plaque of 49 × 78 mm"},
		{"no number", func(c *Table) { c.Palette[2].Width = math.NaN() }, "plaque of 78 × NaN mm"},
		{"thick plaque", func(c *Table) { c.Palette[2].Thickness = 40 }, "thickness 40 mm"},
		{"worthless plaque", func(c *Table) { c.Palette[2].Value = 0 }, "plaque without a value"},
		{"debt", func(c *Table) { c.Palette[0].Value = -1 }, "value -1"},
	}
	for _, x := range cases {
		c := example(t)
		x.change(c)
		err := c.Check()
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Count(err.Error(), "palette[2]") > 1 {
			t.Errorf("%s: error %v, want one with %q", x.name, err, x.want)
		}
		if err := c.Save(filepath.Join(t.TempDir(), "x.yaml")); err == nil {
			t.Errorf("%s: was saved", x.name)
		}
	}
}

func TestParseIsStrict(t *testing.T) {
	text, err := example(t).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	good := string(text)
	cases := []struct{ name, text, want string }{
		{"empty", "", "empty"},
		{"no YAML", "{", "calibration"},
		{"a list", "- 1\n- 2\n", "calibration"},
		{"unknown key", good + "colour: red\n", "colour"},
		{"doubled key", good + "table: other\n", "table"},
		{"two documents", good + "---\n" + good, "more than one document"},
		{"short plane", strings.Replace(good, "plane: [", "plane: [\"x\", ", 1), "calibration"},
		{"huge", strings.Repeat("#", maxFile+1), "larger than"},
	}
	for _, c := range cases {
		if _, err := Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestLoadErrorsNameTheFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	if _, err := Load(missing); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("error %v", err)
	}
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("schema: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(bad); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("error %v does not name the file", err)
	}
}

func TestFramesOfAnotherSizeAreRefused(t *testing.T) {
	c := example(t)
	if err := c.Fits(1920, 1080); err != nil {
		t.Error(err)
	}
	if err := c.Fits(1280, 720); !errors.Is(err, ErrOtherCamera) || !strings.Contains(err.Error(), "1280×720") {
		t.Errorf("error %v", err)
	}
}

func TestZoneGeometry(t *testing.T) {
	l := Zone{Polygon: []fact.Point{{0, 0}, {30, 0}, {30, 10}, {10, 10}, {10, 30}, {0, 30}}}
	for p, want := range map[fact.Point]bool{{5, 5}: true, {25, 5}: true, {5, 25}: true, {20, 20}: false, {-1, 5}: false,
		{31, 5}: false} {
		if l.Contains(p) != want {
			t.Errorf("%v inside: %v, want %v", p, !want, want)
		}
	}
	if l.Area() != 500 {
		t.Errorf("area %v, want 500", l.Area())
	}
	if c := l.Centre(); c != (fact.Point{11, 11}) {
		t.Errorf("centre %v, want 11, 11", c)
	}
	c := example(t)
	if z, ok := NewPlaces(c.Zones).At("layout", fact.Point{310, 410}); !ok || z.Spot != "pleno:1" {
		t.Errorf("place %q, %v", z.Name, ok)
	}
	if z, ok := NewPlaces(c.Zones).At("layout", fact.Point{450, 450}); ok {
		t.Errorf("a read zone %q was taken for a place", z.Name)
	}
	if _, ok := c.Zone("dice"); !ok {
		t.Error("no zone dice")
	}
	if _, ok := c.Zone("roof"); ok {
		t.Error("a zone roof")
	}
}

func FuzzParse(f *testing.F) {
	good, err := example(f).Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	tubes, err := racked(f).Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(tubes)
	f.Add(bytes.Replace(tubes, []byte("depth: 12"), []byte("depth: .inf"), 1))
	f.Add(bytes.Replace(tubes, []byte("capacity: 29"), []byte("capacity: -29"), 1))
	f.Add(bytes.Replace(good, []byte("width: 49"), []byte("width: .nan"), 1))
	f.Add(bytes.Replace(good, []byte("length: 78"), []byte("length: -78\n  diameter: 39"), 1))
	f.Add([]byte("schema: calibration/1\nzones: [{name: a, polygon: [[0,0],[1,.nan]]}]\n"))
	f.Add([]byte("a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data)
		if err != nil {
			return
		}
		again, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse(again)
		if err != nil {
			t.Fatalf("what was accepted is refused after being written: %v\n%s", err, again)
		}
		if back.Hash() != c.Hash() {
			t.Fatalf("the hash changed by writing\n%s", again)
		}
	})
}
