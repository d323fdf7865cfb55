package jornada

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vision/internal/card"
	"vision/validate"
	"vision/validate/round"
)

// dealing is a round in which the punto got these cards.
func dealing(ref string, cards ...string) *round.Record {
	rec := &round.Record{ID: ref}
	for _, name := range cards {
		c, err := card.Parse(name)
		if err != nil {
			panic(err)
		}
		rec.Events = append(rec.Events, round.Event{Type: round.CardDealt, Zone: "punto", Card: c})
	}
	return rec
}

func (h *house) played(t *testing.T, rec *round.Record, unverifiable string) {
	t.Helper()
	h.now = h.now.Add(1e9)
	if err := h.Played(t.Context(), "R1", rec, &round.Verdict{}, unverifiable); err != nil {
		t.Fatal(err)
	}
}

// newSabot is a house with one punto y banca table.
func newSabot(t *testing.T) *house {
	h := newHouse(t, "cantabria-2010")
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	h.Book = h.of(Place{ID: "R1", Game: "punto_banco", Norm: "cantabria-2010", Camera: "top"}, norm(books))
	h.must("luis", `{"type":"open","float":5000000,"limits":{"min":500,"max":50000}}`)
	return h
}

// One touch at the end of a talla compares what was read with the packs: a card too many is
// named with its rounds and shown; it accuses nobody.
func TestTheEndOfATallaIsCounted(t *testing.T) {
	h := newSabot(t)
	h.played(t, dealing("before", "Ks"), "")
	h.must("", `{"type":"talla_begin"}`)
	for i := range 7 {
		h.played(t, dealing(fmt.Sprint("r", i), "Ks", "2h", "??"), "")
	}
	st := h.must("", `{"type":"talla_end"}`)
	if st.Talla == nil || !st.Talla.Ended || st.Talla.Unread != 7 || st.Talla.Blind != 0 ||
		!slices.Equal(st.Talla.Rounds["Ks"], []string{"r0", "r1", "r2", "r3", "r4", "r5", "r6"}) {
		t.Fatalf("%+v", st.Talla)
	}
	var found []string
	for _, f := range st.Findings {
		found = append(found, string(f.Code)+" "+f.ES)
	}
	if all := strings.Join(found, "\n"); strings.Count(all, "duplicate_card") != 2 || !strings.Contains(all, "El Ks salió 7 veces") {
		t.Errorf("%s", all)
	}
	for _, a := range h.desk.List(nil) {
		if a.Code == "duplicate_card" {
			t.Errorf("what may have been misread is an alert: %+v", a)
		}
	}
	// A restart tells the same.
	again := h.of(h.tables["R1"].place, h.cfg.Judge)
	payloads := make([]json.RawMessage, len(h.paper.entries))
	for i, e := range h.paper.entries {
		payloads[i] = json.RawMessage(e)
	}
	if err := again.Restore("R1", payloads); err != nil {
		t.Fatal(err)
	}
	a, err := again.Status("R1")
	if err != nil || fmt.Sprintf("%+v", a.Talla) != fmt.Sprintf("%+v", st.Talla) ||
		!again.tables["R1"].asRead(st.Findings[len(st.Findings)-1]) {
		t.Errorf("after a restart: %+v, %v", a.Talla, err)
	}
}

// The total is compared where every card was seen, and only there; who counts himself is
// taken at his word.
func TestATallaThatWasNotSeenWholeIsNotCompared(t *testing.T) {
	for what, c := range map[string]struct {
		unverifiable, end string
		wrong, alert      bool
	}{
		"all seen, as many as the packs hold": {"", `{"type":"talla_end","left":309}`, false, false},
		"all seen, one lacks":                 {"", `{"type":"talla_end","left":308}`, true, false},
		"a round was not seen":                {"recording_gap", `{"type":"talla_end","left":300}`, false, false},
		"counted by people":                   {"", `{"type":"talla_end","seen":{"Ks":2},"left":309}`, true, true},
	} {
		h := newSabot(t)
		h.must("", `{"type":"talla_begin"}`)
		h.played(t, dealing("r1", "Ks", "2h", "??"), c.unverifiable)
		st := h.must("", c.end)
		if got := slices.Contains(codes(st.Findings), "card_count_wrong"); got != c.wrong {
			t.Errorf("%s: found %v, %v", what, got, codes(st.Findings))
		}
		alerted := false
		for _, a := range h.desk.List(nil) {
			alerted = alerted || a.Code == "card_count_wrong"
		}
		if alerted != c.alert {
			t.Errorf("%s: an alert: %v", what, alerted)
		}
	}
}

// A card that lay face down counts once, as what it was.
func TestRevealedCardsCountOnce(t *testing.T) {
	cards := func(names ...string) (out []card.Card) {
		for _, n := range names {
			c, err := card.Parse(n)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, c)
		}
		return out
	}
	rec := dealing("r", "Ks", "??", "??")
	rec.Events = append(rec.Events, round.Event{Type: round.Reveal, Zone: "punto", Cards: cards("Ks", "Ks", "??")},
		round.Event{Type: round.Burn, Count: 2})
	if got := dealt(rec); !slices.Equal(got, []string{"Ks", "Ks", "??", "??", "??"}) {
		t.Errorf("%q", got)
	}
}
