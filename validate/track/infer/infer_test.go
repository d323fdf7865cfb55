package infer

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"vision/internal/card"
	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/round"
	"vision/validate/track/hypothesis"
	"vision/validate/track/narrate"
	"vision/validate/track/scene"
)

// Whatever was tried, a probability is one, and more weight of hypotheses without a finding
// makes it less likely.
func TestPosteriorProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := round.Finding{Code: finding.PayoutUnder, Seat: 1, Spot: "main"}
	in := &Inference{Priors: hypothesis.BuiltIn(), Rates: operating.Usual()}
	for range 200 {
		r := &Ruling{weight: rng.Float64() + 1e-6, Verdict: round.Verdict{Findings: []round.Finding{f}}}
		r.tried = []*Ruling{r}
		before := weighed(in, r, f)
		for range rng.IntN(8) {
			o := &Ruling{weight: rng.Float64()}
			if rng.IntN(2) == 0 {
				o.Verdict.Findings = []round.Finding{f}
			}
			r.tried = append(r.tried, o)
		}
		p := weighed(in, r, f)
		if p <= 0 || p > 1 || math.IsNaN(p) || before <= 0 || before > 1 {
			t.Fatalf("probabilities %v and %v", before, p)
		}
		r.tried = append(r.tried, &Ruling{weight: 0.5})
		if less := weighed(in, r, f); less >= p {
			t.Fatalf("with more against it %v, before %v", less, p)
		}
	}
}

// One mistake may be found in several ways; several are less likely.
func TestMistakesThatFindingsNeed(t *testing.T) {
	at := func(code finding.Code, seat int) round.Finding {
		return round.Finding{Code: code, Seat: seat, Spot: "x", Event: seat}
	}
	for name, c := range map[string]struct {
		found []round.Finding
		held  bool
		want  int
		apart bool // a procedure beside it
	}{
		"none":                           {},
		"not observable":                 {found: []round.Finding{at(finding.NotObservable, 1)}},
		"two of one seat's money":        {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.CommissionMissing, 1)}, false, 1, false},
		"of two seats' money":            {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.PayoutOver, 2)}, false, 2, false},
		"of two seats' money of one pot": {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.PayoutOver, 2)}, true, 1, false},
		"an order with it":               {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.PaidBeforeCollect, 0)}, false, 1, false},
		"a procedure beside it":          {[]round.Finding{at(finding.PayoutUnder, 1), at(finding.OtherProcedure, 0)}, false, 1, true},
		"an order alone":                 {[]round.Finding{at(finding.PaidBeforeCollect, 0)}, false, 1, false},
		"a procedure alone":              {[]round.Finding{at(finding.OtherProcedure, 0)}, false, 1, false},
		"two calls": {
			[]round.Finding{at(finding.DealtBeforeClose, 3), at(finding.DealtBeforeClose, 7)}, false, 2, false},
		"two antes of one pot, and what it lacks": {
			[]round.Finding{at(finding.BetBelowMin, 1), at(finding.BetBelowMin, 2), at(finding.PayoutUnder, 1)}, true, 3, false},
		"a table's limit, twice": {[]round.Finding{at(finding.BetBelowMin, 1), at(finding.BetBelowMin, 2)}, false, 1, false},
		"a void round that was settled": {[]round.Finding{at(finding.NullBallCounted, 0),
			at(finding.VoidRoundSettled, 1), at(finding.VoidRoundSettled, 2), at(finding.PayoutToLoser, 3)}, false, 1, false},
		"two cards": {[]round.Finding{at(finding.FaceWrong, 1), at(finding.FaceWrong, 2)}, false, 2, false},
	} {
		r := &Ruling{
			Narration: &narrate.Narration{
				Given: narrate.Given{Game: &narrate.Game{Course: scene.Course{Held: c.held}}, Final: true},
			},
			Verdict: round.Verdict{Findings: c.found},
		}
		if got, beside := r.mistakes(); got != c.want || beside != c.apart {
			t.Errorf("%s: %d mistakes, a procedure beside them %v; want %d, %v", name, got, beside, c.want, c.apart)
		}
	}
}

// The less likely it is that a mistake is just this one, the less sure is a finding against the
// same other count; what went unseen is as seldom just this. A hypothesis under which it hangs on
// chips that nobody counted speaks for it as far as such findings are so.
func TestWhatAFindingIsWeighedBy(t *testing.T) {
	f := round.Finding{Code: finding.PayoutUnder, Seat: 1, Spot: "main"}
	in := &Inference{Priors: maps.Clone(hypothesis.BuiltIn()), Rates: operating.Usual()}
	under := func(odds float64, uncounted bool, found ...round.Finding) *Ruling {
		count := hypothesis.Choice{Kind: hypothesis.ChipsCounted}
		hyp := hypothesis.Likeliest.With(count, hypothesis.Alternative{Odds: odds})
		given := narrate.Given{Game: &narrate.Game{}, Final: true, Scene: &scene.Scene{}, Hyp: hyp}
		r := &Ruling{
			Narration: &narrate.Narration{Given: given}, seen: given.Scene, Verdict: round.Verdict{Findings: found},
		}
		if uncounted {
			r.Uncounted = map[scene.Place]bool{{Seat: 1, Spot: "main"}: true}
		}
		r.weigh(in.Priors)
		return r
	}
	p := func(root *Ruling, others ...*Ruling) float64 {
		root.tried = append([]*Ruling{root}, others...)
		return weighed(in, root, f)
	}
	in.Priors[hypothesis.GivenMistake] = 0.5
	any := p(under(1, false, f), under(0.002, false))
	in.Priors[hypothesis.GivenMistake] = 0.05
	if one := p(under(1, false, f), under(0.002, false)); one >= any {
		t.Errorf("of one mistake in twenty %v, in two %v", one, any)
	}
	root := under(1, false, f)
	alone := p(root)
	least := in.Rates.Odds(finding.ClassMoney) / in.Priors.Against(hypothesis.HangsOnChips)
	if hangs := p(root, under(1, true, f)); hangs >= alone || hangs <= least/(1+least) {
		t.Errorf("beside one that hangs on uncounted chips %v, alone %v", hangs, alone)
	}
}

// Chips that lay unread once, or were counted roughly, leave in doubt what follows from all bets,
// unless all that was bet is accounted for: given out, or left in the pot. Where bets or pushes are
// recorded by what the pot held, that it balances does not say whose they were.
func TestWhatBalancesHangsOnNothingHidden(t *testing.T) {
	f := round.Finding{Code: finding.PayoutToLoser, Seat: 1, Spot: scene.BoteSpot}
	pot := scene.Place{Spot: scene.PotSpot}
	for name, c := range map[string]struct {
		paid, left money.Cents
		rough      map[int]bool
		hidden     bool
		ofPot      bool
		want       bool
	}{
		"all is paid":                {paid: 7000, hidden: true},
		"counted roughly once":       {paid: 7000, rough: map[int]bool{1: true}},
		"some by what the pot held":  {paid: 7000, rough: map[int]bool{1: true}, ofPot: true, want: true},
		"the pot's end was not seen": {paid: 7000, left: 500, hidden: true},
		"a part is left in the pot":  {paid: 6500, left: 500, hidden: true},
		"more was paid than was bet": {paid: 7500, hidden: true, want: true},
		"of rough bets, too":         {paid: 7500, rough: map[int]bool{2: true}, want: true},
		"less was paid":              {paid: 6500, hidden: true, want: true},
		"nothing was hidden":         {paid: 7500},
	} {
		r := &Ruling{
			Narration: &narrate.Narration{
				Given: narrate.Given{Game: &narrate.Game{Course: scene.Course{Held: true}}},
				Counts: narrate.Counts{
					Hidden: c.hidden, Rough: c.rough,
					Moves: []narrate.Move{{Place: pot, Delta: 7000}, {Place: pot, Delta: c.left - 7000}},
				},
				Account: narrate.Account{OfPot: c.ofPot},
			},
			Record: round.Record{Events: []round.Event{
				{Type: round.Bet, Seat: 1, Amount: 3500}, {Type: round.Bet, Seat: 2, Amount: 3500},
				{Type: round.Pay, Seat: 1, Amount: c.paid},
			}},
		}
		if got := r.Unsure(f); got != c.want {
			t.Errorf("%s: hangs on what was hidden: %v", name, got)
		}
	}
}

// A wrong order of payments is sure where it is wrong whichever of a seat's bets was
// paid, and as likely as not where it is right for one of two.
func TestAnOrderThatDependsOnWhichBetWasPaid(t *testing.T) {
	f := round.Finding{Code: finding.PayoutOrderWrong, Seat: 2}
	found := func(fs ...round.Finding) *Ruling { return &Ruling{weight: 1, Verdict: round.Verdict{Findings: fs}} }
	for name, c := range map[string]struct {
		other *Ruling
		want  float64
	}{"wrong in each": {found(f), 1}, "right in one": {found(), 0.5}} {
		r := found(f)
		r.tried = []*Ruling{r, c.other}
		if got := weighed(&Inference{Rates: operating.Rates{finding.ClassProcedure: 500}}, r, f); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Where all play for one pot, what was bet is deducted or pushed to somebody.
func TestAPotBalances(t *testing.T) {
	events := func(paid money.Cents) []round.Event {
		return []round.Event{
			{Type: round.Bet, Seat: 1, Amount: 3500},
			{Type: round.Bet, Seat: 2, Amount: 4000},
			{Type: round.Return, Seat: 2, Amount: 500},
			{Type: round.Commission, Amount: 350},
			{Type: round.Pay, Seat: 1, Amount: paid},
		}
	}
	for name, c := range map[string]struct {
		held bool
		paid money.Cents
		want bool
	}{"all of it": {true, 6650, true}, "less": {true, 6550, false}, "against the house": {false, 6650, false}} {
		r := &Ruling{
			Narration: &narrate.Narration{
				Given: narrate.Given{Game: &narrate.Game{Course: scene.Course{Held: c.held}}},
			},
			Record: round.Record{Events: events(c.paid)},
		}
		if got := r.potBalances(); got != c.want {
			t.Errorf("%s: balances %v", name, got)
		}
	}
	held := narrate.Given{Game: &narrate.Game{Course: scene.Course{Held: true}}}
	if r := (&Ruling{Narration: &narrate.Narration{Given: held}}); r.potBalances() {
		t.Error("a pot of which nothing was pushed yet balances")
	}
}

// Chips that hands began to take before the table was cleared belong to the round, also
// where it makes no event of them; chips that are laid then are the next one's.
func TestARoundEndsAfterWhatWasTakenInIt(t *testing.T) {
	bote := scene.Place{Seat: 2, Spot: scene.BoteSpot}
	for name, c := range map[string]struct {
		of    scene.CourseKind
		moved narrate.Move
		want  float64
	}{
		"taken before it was cleared":    {scene.ByCards, narrate.Move{Place: bote, Delta: -250, From: at(4), At: at(6.2)}, 6.2},
		"taken since":                    {scene.ByCards, narrate.Move{Place: bote, Delta: -250, From: at(6.1), At: at(7)}, 6},
		"laid":                           {scene.ByCards, narrate.Move{Place: bote, Delta: 250, From: at(4), At: at(6.2)}, 6},
		"taken where nothing is cleared": {scene.ByWheel, narrate.Move{Place: bote, Delta: -250, From: at(4), At: at(6.2)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			g := &narrate.Game{Course: scene.Course{Kind: c.of}}
			r := &Ruling{
				Narration: &narrate.Narration{
					Given:  narrate.Given{Game: g, Scene: &scene.Scene{Course: &g.Course}},
					Counts: narrate.Counts{Moves: []narrate.Move{c.moved}},
				},
			}
			got, want := r.SettledAt(at(6), c.of), at(c.want)
			if c.of != scene.ByCards {
				want = time.Time{}
			}
			if !got.Equal(want) {
				t.Errorf("settled at %v, want %v", got, want)
			}
		})
	}
}

// A payment that was taken back to the chip may be put right as long as nothing else happened; a
// stake that was laid after the deal, and is gone, may not.
func TestWhatIsBeingCorrected(t *testing.T) {
	p := scene.Place{Seat: 3, Spot: "double"}
	s := &narrate.Narration{
		Given: narrate.Given{Scene: &scene.Scene{Events: []scene.Event{{Kind: scene.ChipsSeen, At: at(10)}}}},
		Counts: narrate.Counts{Moves: []narrate.Move{
			{Place: p, Delta: 1000, From: at(4), At: at(5)}, {Place: p, Delta: -1000, From: at(9), At: at(10)}}},
		Progress: narrate.Progress{Close: at(1)},
	}
	awaited := func(code finding.Code) bool {
		return (&Ruling{Narration: s}).BeingCorrected(round.Finding{Code: code, Seat: 3, Spot: "double"})
	}
	for code, want := range map[finding.Code]bool{finding.PayoutOver: true, finding.PayoutToLoser: true,
		finding.PushPaid: true, finding.PushCollected: false, finding.CollectedWinner: false} {
		if got := awaited(code); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
	s.Entries = []narrate.Entry{
		{Event: round.Event{Type: round.Bet, Seat: 3, Spot: "double", Amount: 1000}, From: at(4), At: at(5)},
	}
	if awaited(finding.LoserNotCollected) {
		t.Error("a raise that its owner took up again is no payment taken back")
	}
	s.Entries = nil
	s.Scene.Events = append(s.Scene.Events, scene.Event{Kind: scene.ChipsSeen, At: at(15)})
	if awaited(finding.PayoutOver) {
		t.Error("what was taken back before something else was done is not put right any more")
	}
}

// What is due to a bank that a player keeps hangs on the chips of all.
func TestWhatIsDueToTheBankHangsOnRoughStakes(t *testing.T) {
	for rough, want := range map[bool]bool{true: true, false: false} {
		r := &Ruling{Narration: &narrate.Narration{
			Given:  narrate.Given{Game: &narrate.Game{Paying: narrate.Paying{Bank: []string{"banca"}}}},
			Counts: narrate.Counts{Rough: map[int]bool{3: rough}},
		}}
		if got := r.Unsure(round.Finding{Code: finding.PayoutOver, Seat: 1, Spot: "banca"}); got != want {
			t.Errorf("rough %v: what is due to the bank is unsure: %v, want %v", rough, got, want)
		}
	}
}

// Of a hand of pai gow that is set wrong all cards must be seen before it is raised.
func TestAHandSetWrongIsRaisedWhenItIsSeenWhole(t *testing.T) {
	var cards []card.Card
	for _, name := range []string{"Qc", "8c", "4d", "3s", "3d", "2s"} {
		c, err := card.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, c)
	}
	set := func(high, low int) *Ruling {
		e := round.Event{Type: round.Arrange, Zone: "seat:1", High: slices.Clone(cards[:high]), Low: cards[:low]}
		return &Ruling{
			Narration: &narrate.Narration{
				Given:   narrate.Given{Game: &narrate.Game{}},
				Account: narrate.Account{Entries: []narrate.Entry{{Event: e}}},
			},
		}
	}
	f := round.Finding{Code: finding.HandSetWrong, Seat: 1, Zone: "seat:1"}
	hidden := set(5, 2)
	hidden.Entries[0].Event.High[3] = card.Unseen
	for name, c := range map[string]struct {
		r    *Ruling
		want bool
	}{"six and two": {set(6, 2), true}, "five and two": {set(5, 2), true}, "four so far": {set(4, 2), false}, "one of the low": {set(6, 1), false}, "one not read": {hidden, false}} {
		if got := !c.r.Premature(f, at(1)); got != c.want {
			t.Errorf("%s: told %v", name, got)
		}
	}
}

// However many times are open under which a finding holds, it has the evidence that it has under one.
func TestManyTimesAreNoEvidence(t *testing.T) {
	p, is := hypothesis.BuiltIn(), Weight{Holds: true, Odds: 1, Mistakes: 1, Rack: notRead}
	e := Basis{
		Hypotheses: []Weight{is}, Unseen: map[hypothesis.Prior]int{hypothesis.Unseen: 1},
		UnseenShares: []hypothesis.Prior{hypothesis.LooksAmount}, Class: finding.ClassMoney, Backed: notRead,
	}
	one := e.Weigh(p, operating.Usual()).Evidence
	for range 4 {
		other := is
		other.By = map[hypothesis.Prior]int{hypothesis.InCourse: 1}
		e.Hypotheses = append(e.Hypotheses, other)
	}
	if many := e.Weigh(p, operating.Usual()).Evidence; math.Abs(many-one) > 1e-9 {
		t.Errorf("evidence of %v under five times, %v under one", many, one)
	}
}
