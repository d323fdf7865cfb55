package rounds

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"vision/internal/money"
	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/round"
)

// Clean are rounds of one or more games that were played by the rules, with what holds
// for them.
type Clean struct {
	File      string   // of the records, one a line
	BankZones []string // without whose cards nobody wins; none where one hand may be decided without another
	Ordered   bool     // the seat is the order of dealing: seats cannot be exchanged
	ZeroSum   bool     // what one side wins the other loses
}

// Hold demands what holds for clean rounds.
func (c Clean) Hold(t *testing.T) {
	t.Helper()
	for _, rec := range File(t, c.File) {
		t.Run(rec.ID, func(t *testing.T) {
			v := Cited(t, rec)
			if len(v.Findings) > 0 {
				t.Errorf("a clean round has findings: %s", Full(v.Findings))
			}
			c.conserved(t, v)
			Same(t, rec)
			OnePaymentChanged(t, rec, 1, -1)
			if !c.Ordered && len(rec.Carry) <= len("{}") {
				c.seatsExchanged(t, rec)
			}
			if len(c.BankZones) > 0 {
				c.unseen(t, rec)
			}
		})
	}
}

// conserved: nobody keeps more than he staked beside his winnings.
func (c Clean) conserved(t *testing.T, v round.Verdict) {
	t.Helper()
	var sum money.Cents
	for _, s := range v.Settlement {
		if s.Returns < 0 || s.Returns > s.Stake || s.Pays < 0 || s.Commission < 0 || s.Commission > s.Pays {
			t.Errorf("%+v", s)
		}
		sum += s.Pays - (s.Stake - s.Returns)
	}
	if c.ZeroSum && sum != 0 {
		t.Errorf("%d won from nowhere", sum)
	}
}

// Benchmark is the time of one verdict of the longest round of a file.
func Benchmark(b *testing.B, file string) {
	list := File(b, file)
	rec := slices.MaxFunc(list, func(x, y *round.Record) int { return len(x.Events) - len(y.Events) })
	b.Run(rec.Game, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Verdict(b, rec)
		}
		b.ReportMetric(float64(len(rec.Events)), "events")
	})
}

// Same demands that a record has the same verdict each time.
func Same(t T, rec *round.Record) {
	t.Helper()
	first := JSON(Verdict(t, rec))
	for range 5 {
		if again := JSON(Verdict(t, rec)); again != first {
			t.Fatalf("%s: two verdicts of one record:\n%s\n%s", rec.ID, first, again)
		}
	}
}

// OnePaymentChanged demands of a clean round that each payment changed by an amount is
// exactly one finding, with that difference.
func OnePaymentChanged(t testing.TB, rec *round.Record, by ...money.Cents) {
	t.Helper()
	for i := range rec.Events {
		e := &rec.Events[i]
		if e.Type != round.Pay {
			continue
		}
		for _, d := range by {
			e.Amount += d
			v := Verdict(t, rec)
			if len(v.Findings) != 1 || v.Findings[0].Delta == nil || *v.Findings[0].Delta != d || v.Findings[0].Event != i {
				t.Errorf("payment of event %d changed by %d: %s", i, d, Full(v.Findings))
			}
			e.Amount -= d
		}
	}
}

// seatsExchanged: a player pays nothing for where he sits: seats exchanged, the same
// verdict.
func (c Clean) seatsExchanged(t *testing.T, rec *round.Record) {
	t.Helper()
	there := func(seat int) int { return 30 - seat }
	moved := *rec
	moved.Events = slices.Clone(rec.Events)
	for i := range moved.Events {
		if e := &moved.Events[i]; e.Seat > 0 {
			e.Seat = there(e.Seat)
		}
	}
	type place struct {
		seat int
		spot string
	}
	due := map[place]round.Settlement{}
	after := Verdict(t, &moved)
	for _, s := range after.Settlement {
		s.Seat = there(s.Seat)
		due[place{s.Seat, s.Spot}] = s
	}
	for _, s := range Verdict(t, rec).Settlement {
		if got := due[place{s.Seat, s.Spot}]; !reflect.DeepEqual(got, s) {
			t.Errorf("%+v became %+v", s, got)
		}
	}
	if len(after.Findings) > 0 {
		t.Errorf("seats exchanged: %s", Full(after.Findings))
	}
}

// unseen: cards of the bank that are not read never lead to a guess: nobody wins by them.
// Side bets, and what a player's own hand decides, are won without them.
func (c Clean) unseen(t *testing.T, rec *round.Record) {
	t.Helper()
	blind := *rec
	blind.Events = slices.Clone(rec.Events)
	for i := range blind.Events {
		e := &blind.Events[i]
		if (e.Type == round.CardDealt || e.Type == round.Reveal) && slices.Contains(c.BankZones, e.Zone) {
			e.Conf = new(float64) // nothing was read
		}
	}
	for _, s := range Verdict(t, &blind).Settlement {
		if s.Outcome == round.Win && s.Spot != "bolsa" && s.Spot != "jackpot" && s.Spot != "main" {
			t.Errorf("%+v without the bank's cards", s)
		}
	}
}

// Sound judges a record of any events: it is refused with a path, or its verdict is the
// same each time, every finding has code, rule, severity and an event of the record, no
// amount is negative, and what it carries to the next round can be written. judged is false
// where it is refused.
func Sound(t T, rec *round.Record) (v round.Verdict, judged bool) {
	t.Helper()
	v, err := validate.Check(books.Shipped(t), rec)
	if err != nil {
		var e *round.Error
		if !errors.As(err, &e) || e.Path == "" {
			t.Fatalf("an error without path: %v", err)
		}
		return v, false // one clear error is an answer
	}
	if a, b := JSON(v), JSON(Verdict(t, rec)); a != b {
		t.Fatalf("two verdicts of one record:\n%s\n%s", a, b)
	}
	for _, f := range v.Findings {
		if f.Code == "" || f.Rule == "" || f.Severity == "" || f.Event < 0 || f.Event > max(0, len(rec.Events)-1) {
			t.Fatalf("finding %+v", f)
		}
	}
	for _, s := range v.Settlement {
		if s.Outcome == "" || s.Rule == "" || s.Pays < 0 || s.Commission < 0 || s.Returns < 0 {
			t.Fatalf("settlement %+v", s)
		}
	}
	if _, err := v.Carry(); err != nil {
		t.Fatal(err)
	}
	return v, true
}

// Refused demands that a record is refused at a path.
func Refused(t testing.TB, rec *round.Record, path string) {
	t.Helper()
	_, err := validate.Check(books.Shipped(t), rec)
	var e *round.Error
	if !errors.As(err, &e) || e.Path != path || e.Record != rec.ID {
		t.Errorf("got %v, want an error at %s", err, path)
	}
}

// Incident is one that is added to the clean round of an id: accepted where Field is empty,
// else refused at that field.
type Incident struct {
	ID    string
	Event round.Event
	Field string
}

// Incidents demands that an incident whose words are not of the game's vocabulary is
// refused, and never applied in part.
func Incidents(t *testing.T, file, norm string, list []Incident) {
	t.Helper()
	for _, c := range list {
		rec := Edited(t, file, c.ID, norm, "")
		c.Event.Type, c.Event.T = round.Incident, rec.Events[len(rec.Events)-1].T
		rec.Events = append(rec.Events, c.Event)
		if c.Field != "" {
			Refused(t, rec, round.At(len(rec.Events)-1, c.Field))
		} else if _, err := validate.Check(books.Shipped(t), rec); err != nil {
			t.Errorf("%+v: %v", c.Event, err)
		}
	}
}

// Judged demands that a record as written is judged, or where a field is named that it is
// refused at that field of an event, by the reader or by the game.
func Judged(t testing.TB, raw string, event int, field string) {
	t.Helper()
	rec, err := round.Parse([]byte(raw))
	if err == nil {
		_, err = validate.Check(books.Shipped(t), rec)
	}
	var e *round.Error
	switch errors.As(err, &e); {
	case field == "" && err != nil:
		t.Errorf("refused: %v", err)
	case field != "" && (e == nil || e.Path != round.At(event, field) || e.Record == "" || e.Problem == ""):
		t.Errorf("got %v, want an error at %s", err, round.At(event, field))
	}
}

// Worded demands of a record that is judged so that no incident whose place is not of the
// game is taken, and that a call that says what is no word either is refused or was not
// read for it: the verdict is the same.
func Worded(t T, rec *round.Record, v round.Verdict) {
	t.Helper()
	at := func(i int, spoil func(e *round.Event)) (round.Verdict, error) {
		other := *rec
		other.Events = slices.Clone(rec.Events)
		spoil(&other.Events[i])
		return validate.Check(books.Shipped(t), &other)
	}
	for i := range rec.Events {
		switch rec.Events[i].Type {
		case round.Incident:
			if _, err := at(i, func(e *round.Event) { e.Zone = "nowhere" }); err == nil {
				t.Fatalf("incident %d is taken nowhere: %s", i, JSON(rec.Events[i]))
			}
		case round.Announce:
			for _, word := range []func(*round.Event) *string{
				func(e *round.Event) *string { return &e.Category }, func(e *round.Event) *string { return &e.Color },
				func(e *round.Event) *string { return &e.Combination }, func(e *round.Event) *string { return &e.Half },
				func(e *round.Event) *string { return &e.Hand }, func(e *round.Event) *string { return &e.Parity },
				func(e *round.Event) *string { return &e.Prize }, func(e *round.Event) *string { return &e.Winner },
			} {
				got, err := at(i, func(e *round.Event) { *word(e) = "no word" })
				if a, b := JSON(got), JSON(v); err == nil && a != b {
					t.Fatalf("call %d says no word and is taken for one:\n%s\n%s", i, a, b)
				}
			}
		}
	}
}
