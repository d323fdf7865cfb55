package eval

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func one(t *testing.T, line string) *Image {
	t.Helper()
	m, err := Parse(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	return &m[0]
}

func read(label string, x, y, w, h float64) Reading {
	return Reading{Label: label, Box: Box{x, y, w, h}}
}

// figures are what a case expects; a share of -1 means absent.
type figures struct {
	accepted, right, abstained         int
	precision, recall, accuracy, exact float64
}

func TestMatching(t *testing.T) {
	cases := []struct {
		name     string
		truth    string
		kind     Kind
		readings []Reading
		want     figures
	}{
		{"a card with its box is right at IoU 0.5 and above",
			`{"image":"a.jpg","cards":[{"label":"As","box":[0,0,100,100]}],"complete":["cards"]}`, Cards,
			[]Reading{read("As", 0, 0, 100, 50)},
			figures{1, 1, 0, 1, 1, 1, 1}},
		{"below IoU 0.5 it is both spurious and missed",
			`{"image":"a.jpg","cards":[{"label":"As","box":[0,0,100,100]}],"complete":["cards"]}`, Cards,
			[]Reading{read("As", 0, 0, 100, 49)},
			figures{1, 0, 0, 0, 0, -1, 0}},
		{"a wrong label at the right place lowers accuracy",
			`{"image":"a.jpg","cards":[{"label":"As","box":[0,0,100,100]}],"complete":["cards"]}`, Cards,
			[]Reading{read("Ac", 0, 0, 100, 100)},
			figures{1, 0, 0, 0, 0, 0, 0}},
		{"one reading per truth: a second one is spurious",
			`{"image":"a.jpg","cards":[{"label":"As","box":[0,0,100,100]}],"complete":["cards"]}`, Cards,
			[]Reading{read("As", 0, 0, 100, 100), read("As", 2, 0, 100, 100)},
			figures{2, 1, 0, 0.5, 1, 1, 0}},
		{"an abstention costs recall, not precision",
			`{"image":"a.jpg","cards":[{"label":"As","box":[0,0,100,100]},{"label":"2s","box":[200,0,100,100]}],"complete":["cards"]}`, Cards,
			[]Reading{read("As", 0, 0, 100, 100), read("?", 200, 0, 100, 100)},
			figures{1, 1, 1, 1, 0.5, 1, 0}},
		{"readings in an ignore box count neither way, abstentions too",
			`{"image":"a.jpg","cards":[{"label":"As","box":[0,0,100,100]}],"ignore":[[300,0,100,100]],"complete":["cards"]}`, Cards,
			[]Reading{read("As", 0, 0, 100, 100), read("BK", 310, 10, 50, 50), read("?", 310, 10, 50, 50)},
			figures{1, 1, 0, 1, 1, 1, 1}},
		{"an incomplete picture has no false positives",
			`{"image":"a.jpg","cards":[{"label":"As","box":[0,0,100,100]}],"complete":[]}`, Cards,
			[]Reading{read("As", 0, 0, 100, 100), read("Ks", 500, 0, 100, 100)},
			figures{2, 1, 0, -1, 1, 1, -1}},
		{"a truth of a rank is met by any suit of it, not by another rank or a back",
			`{"image":"a.jpg","cards":[{"label":"K?","box":[0,0,9,9]},{"label":"Q?","box":[20,0,9,9]},{"label":"J?","box":[40,0,9,9]}],"complete":["cards"]}`, Cards,
			[]Reading{read("Kd", 0, 0, 9, 9), read("Kd", 20, 0, 9, 9), read("BK", 40, 0, 9, 9)},
			figures{3, 1, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0}},
		{"a point is met within half the card's shorter side",
			`{"image":"a.jpg","cards":[{"label":"As","point":[50,50]},{"label":"2s","point":[250,50]}],"complete":["cards"]}`, Cards,
			[]Reading{{Label: "As", Box: Box{0, 0, 160, 100}, Short: 80}, {Label: "2s", Box: Box{250, 0, 100, 100}, Short: 80}},
			figures{2, 1, 0, 0.5, 0.5, 1, 0}},
		{"without boxes the multiset counts; accuracy is of min(accepted, instances)",
			`{"image":"a.jpg","cards":[{"label":"As"},{"label":"As"},{"label":"Kd"}],"complete":["cards"]}`, Cards,
			[]Reading{read("As", 0, 0, 9, 9), read("Kd", 20, 0, 9, 9), read("Qc", 40, 0, 9, 9), read("As", 60, 0, 9, 9)},
			figures{4, 3, 0, 0.75, 1, 1, 0}},
		{"an exact label goes before a rank alone",
			`{"image":"a.jpg","cards":[{"label":"K?"},{"label":"Kd"}],"complete":["cards"]}`, Cards,
			[]Reading{read("Kd", 0, 0, 9, 9), read("Ks", 20, 0, 9, 9)},
			figures{2, 2, 0, 1, 1, 1, 1}},
		{"dice match by centre, the nearest first",
			`{"image":"a.jpg","dice":[{"label":"5","box":[0,0,40,40]},{"label":"2","box":[30,0,40,40]}],"complete":["dice"]}`, Dice,
			[]Reading{read("2", 45, 15, 10, 10), read("5", 28, 15, 10, 10)},
			figures{2, 2, 0, 1, 1, 1, 1}},
		{"a picture that holds none of a kind counts what is read there",
			`{"image":"a.jpg","chips":[],"complete":["chips"]}`, Chips,
			[]Reading{read("red", 0, 0, 9, 9)},
			figures{1, 0, 0, 0, -1, -1, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tally := Tally{Kind: c.kind}
			tally.Add(one(t, c.truth), c.readings, time.Millisecond)
			r := tally.Result("made-up")
			got := figures{r.Accepted, r.Right, r.Abstained, share(r.Precision), share(r.Recall), share(r.AccuracyAccepted),
				share(r.ExactImages)}
			if got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func share(p *float64) float64 {
	if p == nil {
		return -1
	}
	return *p
}

// Cards of a fan lie closer than they are read: each reading goes to the card it
// names where that one's box is near enough, though a neighbour's is nearer.
func TestAReadingGoesToTheCardItNames(t *testing.T) {
	seven, eight := Box{0, 0, 100, 140}, Box{12, 0, 100, 140}
	m := &Image{Cards: []Item{{Label: "7h", Box: &seven}, {Label: "8h", Box: &eight}}, Complete: []Kind{Cards}}
	for _, c := range []struct {
		read  []Reading
		right int
	}{
		{[]Reading{{Label: "7h", Box: Box{9, 0, 100, 140}}, {Label: "8h", Box: Box{20, 0, 100, 140}}}, 2},
		{[]Reading{{Label: "9h", Box: Box{9, 0, 100, 140}}, {Label: "8h", Box: Box{20, 0, 100, 140}}}, 1},
		{[]Reading{{Label: "7h", Box: Box{90, 0, 100, 140}}, {Label: "8h", Box: Box{12, 0, 100, 140}}}, 1},
	} {
		right := 0
		for _, p := range match(m, Cards, c.read).pairs {
			if p.right(Cards) {
				right++
			}
		}
		if right != c.right {
			t.Errorf("%v: %d right, want %d", c.read, right, c.right)
		}
	}
}

func TestDiceSumMayBeRightWhereFacesAreNot(t *testing.T) {
	tally := Tally{Kind: Dice}
	tally.Add(one(t, `{"image":"a.jpg","dice":[{"label":"5"},{"label":"2"}],"complete":["dice"]}`),
		[]Reading{read("4", 0, 0, 9, 9), read("3", 20, 0, 9, 9)}, 0)
	r := tally.Result("")
	if *r.SumExact != 1 || *r.ExactImages != 0 {
		t.Errorf("sum exact %v, images exact %v: want 1 and 0", *r.SumExact, *r.ExactImages)
	}
}

func TestChips(t *testing.T) {
	tally := Tally{Kind: Chips}
	tally.Add(one(t, `{"image":"a.jpg","chips":[{"color":"red","count":7,"box":[0,0,50,90]},{"color":"blue","count":3,"box":[100,0,50,50]},{"box":[200,0,50,50]}],"complete":["chips"]}`),
		[]Reading{
			{Label: "red", Count: 6, Box: Box{0, 0, 50, 90}},
			{Label: "green", Count: 3, Box: Box{100, 0, 50, 50}},
			{Label: "white", Count: 1, Box: Box{200, 0, 50, 50}},
		}, 0)
	r := tally.Result("")
	if *r.CountExact != 0.5 || *r.CountWithin1 != 1 || *r.CountMAE != 0.5 || *r.ColorAccuracy != 0.5 {
		t.Errorf("count exact %v, within 1 %v, mae %v, colour %v", *r.CountExact, *r.CountWithin1, *r.CountMAE, *r.ColorAccuracy)
	}
	if r.Right != 1 { // the box alone, found; the others have a wrong count or colour
		t.Errorf("right %d, want 1", r.Right)
	}
}

func TestChipsWithoutBoxesAreSummedByColour(t *testing.T) {
	tally := Tally{Kind: Chips}
	tally.Add(one(t, `{"image":"a.jpg","chips":[{"color":"red","count":3},{"color":"blue","count":1}],"complete":["chips"]}`),
		[]Reading{{Label: "red", Count: 1}, {Label: "red", Count: 2}, {Label: "blue", Count: 2}}, 0)
	r := tally.Result("")
	if *r.CountExact != 0.5 || *r.ColorAccuracy != 1 || r.Accepted != 2 {
		t.Errorf("count exact %v, colour %v, accepted %d", *r.CountExact, *r.ColorAccuracy, r.Accepted)
	}
}

func TestPartsAndConfusion(t *testing.T) {
	tally := Tally{Kind: Cards}
	tally.Add(one(t, `{"image":"a.jpg","cards":[{"label":"BK","box":[0,0,9,9],"owner":"dealer"},{"label":"As","box":[20,0,9,9],"owner":"dealer"}],"complete":["cards"]}`),
		[]Reading{read("BK", 0, 0, 9, 9), read("Ac", 20, 0, 9, 9), read("Kd", 90, 0, 9, 9)}, 0)
	r := tally.Result("")
	if r.Parts["dealer"] != (Part{2, 1}) || r.Parts["backs"] != (Part{1, 1}) {
		t.Errorf("parts %v", r.Parts)
	}
	want := []Confused{{"", "Kd", 1}, {"As", "Ac", 1}}
	if len(r.Confusion) != 2 || r.Confusion[0] != want[0] || r.Confusion[1] != want[1] {
		t.Errorf("confusion %v, want %v", r.Confusion, want)
	}
}

func TestTimesByNearestRank(t *testing.T) {
	var ts []time.Duration
	for i := 20; i >= 1; i-- {
		ts = append(ts, time.Duration(i)*time.Millisecond)
	}
	if m, p := quantile(ts, 0.5), quantile(ts, 0.95); m != 10 || p != 19 {
		t.Errorf("median %v, 95th percentile %v; want 10 and 19", m, p)
	}
}

// Matching never uses a reading or a truth twice, and sums stay consistent.
func TestMatchIsOneToOne(t *testing.T) {
	labels := rapid.SampledFrom([]string{"As", "Ks", "K?", "BK", "?"})
	rapid.Check(t, func(t *rapid.T) {
		m := Image{Image: "a.jpg", Complete: []Kind{Cards}}
		boxed := rapid.Bool().Draw(t, "boxed")
		for range rapid.IntRange(0, 6).Draw(t, "truths") {
			it := Item{Label: rapid.SampledFrom([]string{"As", "Ks", "K?", "BK"}).Draw(t, "label")}
			if boxed {
				it.Box = &Box{rapid.Float64Range(0, 50).Draw(t, "x"), 0, 30, 30}
			}
			m.Cards = append(m.Cards, it)
		}
		var rs []Reading
		for range rapid.IntRange(0, 6).Draw(t, "readings") {
			rs = append(rs, read(labels.Draw(t, "said"), rapid.Float64Range(0, 50).Draw(t, "rx"), 0, 30, 30))
		}
		o := match(&m, Cards, rs)
		if len(o.pairs)+len(o.missed) != len(m.Cards) || len(o.pairs)+len(o.spurious) != o.accepted ||
			o.accepted+o.abstained != len(rs) {
			t.Fatalf("%d pairs, %d missed, %d spurious of %d truths and %d readings", len(o.pairs), len(o.missed), len(o.spurious), len(m.Cards), len(rs))
		}
	})
}

func TestParseNamesTheLine(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "no line of truth"},
		{"{\"image\":\"a.jpg\"}\n{", "line 2"},
		{`{"image":"../a.jpg"}`, "below the set's folder"},
		{`{"image":"a.jpg","cards":[{}]}`, "cards[0]: no label"},
		{`{"image":"a.jpg","chips":[{"count":1}]}`, "neither color nor box"},
		{`{"image":"a.jpg","chips":[{"color":"red","count":-1}]}`, "count -1"},
	} {
		if _, err := Parse(strings.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.in, err, c.want)
		}
	}
}

func TestLoadWithoutTruth(t *testing.T) {
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no truth.jsonl") {
		t.Errorf("error %v", err)
	}
}

func TestJSONNames(t *testing.T) {
	tally := Tally{Kind: Cards}
	tally.Add(one(t, `{"image":"a.jpg","cards":[{"label":"As"}],"complete":["cards"]}`), []Reading{read("As", 0, 0, 1, 1)}, time.Millisecond)
	r := tally.Result("s")
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"images", "instances", "precision", "recall", "f1", "abstained", "accuracy_accepted", "exact_images", "confusion", "intervals"} {
		if !bytes.Contains(raw, []byte(`"`+name+`":`)) {
			t.Errorf("no %s in %s", name, raw)
		}
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil || !strings.Contains(b.String(), "100.0 %") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestAbstentionsAreCountedByReason(t *testing.T) {
	tally := Tally{Kind: Cards}
	tally.Add(one(t, `{"image":"a.jpg","cards":[{"label":"As"}],"ignore":[[300,0,50,50]],"complete":["cards"]}`), []Reading{
		{Label: "?", Reason: "glare"}, {Label: "?", Reason: "glare"}, {Label: "?"},
		{Label: "?", Reason: "blurred", Box: Box{310, 10, 9, 9}}}, time.Millisecond)
	r := tally.Result("s")
	if len(r.Reasons) != 2 || r.Reasons["glare"] != 2 || r.Reasons["unsure"] != 1 || r.Abstained != 3 {
		t.Errorf("%d abstained, %v", r.Abstained, r.Reasons)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil || !strings.Contains(b.String(), "abstained: glare") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"image":"a.jpg","cards":[{"label":"As","box":[1,2,3,4]}],"ignore":[[0,0,1,1]],"complete":["cards"]}`))
	f.Add([]byte("{}\n\n[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		images, err := Parse(bytes.NewReader(data))
		if err == nil && len(images) == 0 {
			t.Fatal("neither images nor an error")
		}
	})
}
