package ringpoker_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"vision/internal/card"
	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/game/ringpoker"
	"vision/validate/round"
)

// dealer plays a whole hand of any game by its rules: everybody puts the least
// and stays to the showdown. Who is next he finds by asking whom the rules let.
type dealer struct {
	t     testing.TB
	r     *ringpoker.Rules
	rec   *round.Record
	pack  []card.Card
	own   map[int][]card.Card
	board []card.Card
	order []int               // of the deal
	put   map[int]money.Cents // in this interval
}

var seats4 = []int{1, 2, 3, 4}

func newDealer(t testing.TB, norm, game string) *dealer {
	_, g, err := books.Shipped(t).Game(norm, game)
	if err != nil {
		t.Fatal(err)
	}
	d := &dealer{t: t, r: g.Rules.(*ringpoker.Rules), own: map[int][]card.Card{}}
	options := map[string]json.RawMessage{"marca": []byte("4"), "players": []byte("[1,2,3,4]"),
		"rake": []byte(fmt.Sprintf(`{"mode":%q,"rate_bp":300}`, d.rake()))}
	d.rec = &round.Record{Schema: round.Schema, ID: "hand", Norm: norm, Game: game,
		Table: round.Table{ID: "C", Min: 200, Options: options}}
	for k := range 52 {
		if c := card.Card(k*23%52 + 1); c.Number() == 1 || c.Number() >= d.r.Packs[0] {
			d.pack = append(d.pack, c)
		}
	}
	return d
}

func (d *dealer) rake() string {
	if slices.Contains(d.r.Rake.Modes, "percent") {
		return "percent"
	}
	return "none"
}

func (d *dealer) add(e round.Event) {
	e.T = float64(len(d.rec.Events))
	d.rec.Events = append(d.rec.Events, e)
}

func (d *dealer) draw() card.Card {
	c := d.pack[0]
	d.pack = d.pack[1:]
	return c
}

// lets reports whether the rules have nothing against events that come now. What
// is only missing yet does not count.
func (d *dealer) lets(events ...round.Event) bool {
	try := *d.rec
	try.Events = slices.Concat(d.rec.Events, events)
	for i := range try.Events {
		try.Events[i].T = float64(i)
	}
	for _, f := range rounds.Verdict(d.t, &try).Findings {
		if f.Event >= len(d.rec.Events) && f.Code != finding.AnnouncementMissing && f.Code != finding.NotObservable &&
			f.Code != finding.CommissionMissing && !(f.Code == finding.BetBelowMin && f.Spot != "bote") &&
			f.Code != finding.PayoutMissing && f.Code != finding.ReturnWrong && f.Code != finding.CardCountWrong &&
			!(f.Code == finding.OtherProcedure && f.Seat == 0) {
			return false
		}
		if f.Code == finding.DealOrderWrong {
			return false
		}
	}
	return true
}

// next adds the first choice that the rules let somebody make.
func (d *dealer) next(choices func(seat int) []round.Event) bool {
	for _, seat := range seats4 {
		for _, e := range choices(seat) {
			if d.lets(e) {
				d.add(e)
				if e.Type == round.Bet {
					d.put[seat] += e.Amount
				}
				return true
			}
		}
	}
	return false
}

func chips(seat int, amount money.Cents) round.Event {
	return round.Event{Type: round.Bet, Seat: seat, Spot: "bote", Amount: amount}
}

func says(seat int, word string) round.Event {
	return round.Event{Type: round.Action, Seat: seat, Action: word}
}

func call(name string) round.Event {
	return round.Event{Type: round.Announce, By: round.Croupier, Call: name}
}

// forced puts the antes or the blinds.
func (d *dealer) forced() {
	if d.r.Forced[0] == "ante" {
		ante := money.Cents(100)
		if d.r.AnteMin {
			ante = 200
		}
		for _, s := range seats4 {
			d.add(round.Event{Type: round.Bet, Seat: s, Spot: "ante", Amount: ante})
		}
		return
	}
	first := d.order[0]
	next := func(s int) int { return s%4 + 1 }
	d.add(round.Event{Type: round.Bet, Seat: first, Spot: "ciega_pequena", Amount: 100})
	d.add(round.Event{Type: round.Bet, Seat: next(first), Spot: "ciega_grande", Amount: 200})
	d.put[first], d.put[next(first)] = 100, 200
}

// deal gives the first cards, in whichever order the rules want.
func (d *dealer) deal() {
	base := *d.rec
	pack := slices.Clone(d.pack)
	for start := range 4 {
		for _, dir := range []int{1, 3} {
			*d.rec, d.pack, d.own, d.board = base, slices.Clone(pack), map[int][]card.Card{}, nil
			d.rec.Events = slices.Clone(base.Events)
			d.order, d.put = nil, map[int]money.Cents{}
			for k := range 4 {
				d.order = append(d.order, seats4[(start+dir*k)%4])
			}
			d.forced()
			for k := range len(d.r.Own) {
				for _, s := range d.order {
					d.give(s, d.r.Own[k] == 'u')
				}
			}
			if b := d.r.Board; b != nil {
				for k := range b.WithDeal {
					d.lay("board", !b.Turned || k == 0)
				}
			}
			if d.r.Calls.Stud {
				d.add(call("hagan_sus_apuestas"))
			}
			if d.next(d.opens) {
				return
			}
		}
	}
	d.t.Fatal("nobody may open")
}

func (d *dealer) give(seat int, up bool) {
	c := d.draw()
	d.own[seat] = append(d.own[seat], c)
	e := round.Event{Type: round.CardDealt, Zone: fmt.Sprint("seat:", seat), Face: "down"}
	if up {
		e.Card, e.Face = c, "up"
	}
	d.add(e)
}

func (d *dealer) lay(zone string, up bool) {
	c := d.draw()
	d.board = append(d.board, c)
	e := round.Event{Type: round.CardDealt, Zone: zone, Face: "down"}
	if up {
		e.Card, e.Face = c, "up"
	}
	d.add(e)
}

// opens puts 200, or what is lacking to it.
func (d *dealer) opens(seat int) []round.Event {
	if d.put[seat] >= 200 {
		return nil
	}
	return []round.Event{chips(seat, 200-d.put[seat])}
}

// stays checks, or puts what is lacking to what somebody put.
func (d *dealer) stays(seat int) []round.Event {
	most := money.Cents(0)
	for _, n := range d.put {
		most = max(most, n)
	}
	if most > d.put[seat] {
		return []round.Event{chips(seat, most-d.put[seat])}
	}
	return []round.Event{says(seat, "check")}
}

// interval lets everybody speak who has to.
func (d *dealer) interval() {
	for range 4 {
		if !d.next(d.stays) {
			break
		}
	}
	d.put = map[int]money.Cents{}
}

// streets lays or deals the cards that follow, each with its bets.
func (d *dealer) streets() {
	switch {
	case d.r.Board != nil && d.r.Board.Turned:
		for k := 2; k <= len(d.board); k++ {
			shown := slices.Clone(d.board)
			for i := k; i < len(shown); i++ {
				shown[i] = card.Unseen
			}
			d.add(round.Event{Type: round.Reveal, Zone: "board", Cards: shown})
			d.interval()
		}
	case d.r.Board != nil:
		for _, n := range d.r.Board.Streets {
			d.burn()
			for l := range d.r.Board.Lines {
				zone := "board"
				if d.r.Board.Lines > 1 {
					zone = fmt.Sprint("board", l+1)
				}
				for range n {
					d.lay(zone, true)
				}
			}
			d.interval()
		}
	case d.r.Draw:
		stood := map[int]bool{}
		for range 4 {
			d.next(func(seat int) []round.Event {
				if stood[seat] {
					return nil
				}
				return []round.Event{says(seat, "stand")}
			})
			stood[d.rec.Events[len(d.rec.Events)-1].Seat] = true
		}
		d.interval()
	default:
		d.stud()
	}
}

func (d *dealer) stud() {
	order := d.order
	for k, face := range d.r.Streets {
		if d.r.Calls.Stud && k == len(d.r.Streets)-1 {
			d.add(call("ultima_carta"))
		}
		d.burn()
		for _, s := range order {
			d.give(s, face == 'u')
		}
		d.interval()
	}
}

func (d *dealer) burn() {
	if d.r.Burn == "one" {
		d.add(round.Event{Type: round.Burn, Count: 1})
	}
}

// showdown shows, names the winners and pays as due.
func (d *dealer) showdown() {
	shown := map[int]bool{}
	for range 4 {
		d.next(func(seat int) []round.Event {
			if shown[seat] {
				return nil
			}
			return []round.Event{{Type: round.Reveal, Zone: fmt.Sprint("seat:", seat), Cards: d.own[seat]}}
		})
		for i := range d.rec.Events {
			if e := &d.rec.Events[i]; e.Type == round.Reveal && e.Zone != "board" {
				var n int
				_, _ = fmt.Sscanf(e.Zone, "seat:%d", &n)
				shown[n] = true
			}
		}
	}
	v := rounds.Verdict(d.t, d.rec)
	var rake money.Cents
	if raw, err := json.Marshal(v.Result); err == nil {
		var result struct {
			Rake    money.Cents
			Winners []int
		}
		_ = json.Unmarshal(raw, &result)
		rake = result.Rake
		for _, seat := range result.Winners {
			e := call("gana")
			e.Seat = seat
			d.add(e)
		}
	}
	if rake > 0 {
		d.add(round.Event{Type: round.Commission, Zone: "pot", Amount: rake})
	}
	for _, s := range v.Settlement {
		if s.Pays > 0 {
			d.add(round.Event{Type: round.Pay, Seat: s.Seat, Spot: "bote", Amount: s.Pays})
		}
		if s.Returns > 0 {
			d.add(round.Event{Type: round.Return, Seat: s.Seat, Spot: "bote", Amount: s.Returns})
		}
	}
	d.add(round.Event{Type: round.Clear})
}

// playHand is a whole hand of a game.
func playHand(t testing.TB, norm, game string) *round.Record {
	d := newDealer(t, norm, game)
	d.deal()
	d.interval()
	d.streets()
	d.showdown()
	return d.rec
}

// eachGame runs a test for every game of every norm.
func eachGame(t *testing.T, test func(t *testing.T, norm, game string)) {
	all := books.Shipped(t)
	for _, norm := range all.Codes() {
		n, err := all.Norm(norm)
		if err != nil {
			t.Fatal(err)
		}
		for _, game := range n.Codes() {
			if n.Games[game].Family == ringpoker.Family {
				t.Run(norm+" "+game, func(t *testing.T) { test(t, norm, game) })
			}
		}
	}
}

// TestWholeHands: a hand of every game of every norm, played by the rules to
// the showdown and paid as due, raises nothing, and its pots are conserved.
func TestWholeHands(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rec := playHand(t, norm, game)
		v := rounds.Cited(t, rec)
		if len(v.Findings) > 0 || v.Void {
			t.Fatalf("%s", brief(v.Findings))
		}
		if err := conserved(rec, v); err != nil {
			t.Error(err)
		}
		won := money.Cents(0)
		for _, s := range v.Settlement {
			won += s.Pays
		}
		if len(v.Settlement) != 4 || won == 0 {
			t.Errorf("%s", lines(v.Settlement))
		}
	})
}

// TestOneAmountChanged: one payment changed in a whole hand is exactly one
// finding, with that difference.
func TestOneAmountChanged(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rec := playHand(t, norm, game)
		rounds.OnePaymentChanged(t, rec, 1, -1, 100)
	})
}

// TestSeatsNumberedOtherwise: the same hand at seats 11 to 14 comes out alike.
func TestSeatsNumberedOtherwise(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		rec := playHand(t, norm, game)
		before := rounds.Verdict(t, rec)
		rec.Table.Options["marca"], rec.Table.Options["players"] = []byte("14"), []byte("[11,12,13,14]")
		for i := range rec.Events {
			e := &rec.Events[i]
			if e.Seat > 0 {
				e.Seat += 10
			}
			var n int
			if _, err := fmt.Sscanf(e.Zone, "seat:%d", &n); err == nil {
				e.Zone = fmt.Sprint("seat:", n+10)
			}
		}
		after := rounds.Verdict(t, rec)
		if len(after.Findings) > 0 || len(after.Settlement) != len(before.Settlement) {
			t.Fatalf("%s", brief(after.Findings))
		}
		for k, s := range after.Settlement {
			s.Seat -= 10
			if s != before.Settlement[k] {
				t.Errorf("%+v became %+v", before.Settlement[k], s)
			}
		}
	})
}
