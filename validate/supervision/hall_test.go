package supervision_test

import (
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/supervision"
)

// row are French roulettes side by side, all open, under the norms named.
func row(norms ...string) (places []room.Place, recording map[string]room.Recording) {
	recording = map[string]room.Recording{}
	for i, norm := range norms {
		id := string(rune('A' + i))
		places = append(places, room.Place{ID: id, Game: "ruleta_francesa", Norm: norm, Position: &i, Duty: room.Duty{Open: true}})
		recording[id] = room.RecordingOK
	}
	return places, recording
}

// breaches are what rulings find, as "code jefe table".
func breaches(rulings []room.Ruling) (list []room.Breach, brief []string) {
	for _, r := range rulings {
		for _, x := range r.Verdict.Findings {
			list = append(list, room.Breach{Finding: x, Norm: r.Record.Norm})
			brief = append(brief, strings.Join([]string{string(x.Code), x.Jefe, x.Table}, " "))
		}
	}
	return list, brief
}

// Two recorded roulettes side by side may be under one jefe, and may not once one is not
// recorded (Cantabria 2010, A.1: reduction of staff where the tables are recorded).
func TestAHallIsJudgedAsItIsRecorded(t *testing.T) {
	h := supervision.Hall{Books: books.Shipped(t)}
	places, recording := row("cantabria-2010", "cantabria-2010")
	s := room.State{Assignments: []room.Assignment{{Jefe: "eva", Tables: []string{"A", "B"}}}}
	for _, c := range []struct {
		of   room.Recording
		want []string
	}{{room.RecordingOK, nil}, {room.RecordingDegraded, nil}, {room.RecordingDown, []string{"recording_required eva B"}},
		{room.RecordingNone, []string{"recording_required eva B"}}} {
		recording["B"] = c.of
		rulings, err := h.Judge("now", places, s, recording)
		if err != nil {
			t.Fatal(err)
		}
		list, got := breaches(rulings)
		if !slices.Equal(got, c.want) || len(rulings) != 1 || rulings[0].Record.ID != "now" {
			t.Errorf("%s: %v, want %v", c.of, got, c.want)
		}
		for _, b := range list {
			if !strings.HasPrefix(b.Rule, "cantabria-2010 A.1") {
				t.Errorf("by %q", b.Rule)
			}
		}
	}
}

// Tables under several norms are judged by each, with the part of an assignment that
// concerns it; what was judged can be judged again with the same verdict.
func TestEachNormJudgesItsOwnTables(t *testing.T) {
	h := supervision.Hall{Books: books.Shipped(t)}
	places, recording := row("cantabria-2010", "balears-2005", "cantabria-2010")
	rulings, err := h.Judge("x", places, room.State{Assignments: []room.Assignment{{Jefe: "eva", Tables: []string{"A", "B"}}}},
		recording)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rulings {
		for _, tab := range r.Record.Tables {
			got = append(got, r.Record.Norm+" "+tab.ID)
		}
		if len(r.Record.Assignments) != 1 || len(r.Record.Assignments[0].Tables) != 1 {
			t.Errorf("%s: %+v", r.Record.Norm, r.Record.Assignments)
		}
	}
	if want := []string{"balears-2005 B", "cantabria-2010 A", "cantabria-2010 C"}; !slices.Equal(got, want) {
		t.Errorf("judged %v, want %v", got, want)
	}
	places[0].Game = "ajedrez"
	if _, err := h.Judge("x", places, room.State{}, recording); err == nil || !strings.Contains(err.Error(), "ajedrez") {
		t.Errorf("a game that no norm knows: %v", err)
	}
}

// Staff of which nobody has said anything is not found missing; once it is said, it is.
func TestUnsaidStaffIsNotJudged(t *testing.T) {
	h := supervision.Hall{Books: books.Shipped(t)}
	places, recording := row("cantabria-2010")
	missing := func(s room.State) (n int) {
		t.Helper()
		rulings, err := h.Judge("x", places, s, recording)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := breaches(rulings)
		for _, b := range list {
			if b.Code == finding.StaffMissing {
				n++
			}
		}
		return n
	}
	if n := missing(room.State{}); n != 0 {
		t.Errorf("%d, of which nobody has spoken", n)
	}
	if n := missing(room.State{Duty: map[string]room.Duty{"A": {Open: true, Staff: map[string]int{"croupier": 0}}}}); n == 0 {
		t.Error("no croupier, and nothing is missing")
	}
}

// A change is refused for what is new about somebody's tables, and for all of it where he
// gets more; never for giving up, and never for what concerns no jefe.
func TestAgainstAChange(t *testing.T) {
	b := func(code finding.Code, jefe, table string, actual int) room.Breach {
		return room.Breach{Norm: "n", Finding: room.Finding{Code: code, Jefe: jefe, Table: table, Actual: &actual}}
	}
	old := b(finding.TooManyTables, "eva", "", 3)
	for what, c := range map[string]struct {
		before, after []room.Breach
		more          string
		want          int
	}{
		"new":                       {nil, []room.Breach{old}, "", 1},
		"held before, fewer tables": {[]room.Breach{old}, []room.Breach{b(finding.TooManyTables, "eva", "", 2)}, "", 0},
		"held before, more tables":  {[]room.Breach{old}, []room.Breach{b(finding.TooManyTables, "eva", "", 4)}, "eva", 1},
		"another's":                 {[]room.Breach{old}, []room.Breach{old}, "luis", 0},
		"no jefe at a table":        {nil, []room.Breach{b(finding.NoJefe, "", "A", 0)}, "eva", 0},
	} {
		if got := (supervision.Hall{}).Against(c.before, c.after, c.more); len(got) != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

func TestVariantsFollowTheOptions(t *testing.T) {
	for _, c := range []struct {
		game    string
		options map[string]any
		want    string
	}{
		{"punto_banco", map[string]any{"mesa": "mini"}, "mini"},
		{"punto_banco", map[string]any{"mesa": "otra"}, ""},
		{"ruleta_francesa", map[string]any{"panos": uint64(2)}, "two_layouts"},
		{"ruleta_francesa", map[string]any{"panos": 1}, ""},
		{"blackjack", nil, ""},
	} {
		if got := supervision.VariantOf(c.game, c.options); got != c.want {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
}

// One of the open boules stands at the authorised minimum (Cantabria 2010, A.5 L1158-1166).
func TestAHallOffersTheAuthorisedMinimum(t *testing.T) {
	places := []room.Place{
		{ID: "A", Game: "boule", Norm: "cantabria-2010", AuthorisedMin: 200, Duty: room.Duty{Open: true}},
		{ID: "B", Game: "boule", Norm: "cantabria-2010", AuthorisedMin: 200, Duty: room.Duty{Open: true}},
	}
	recording := map[string]room.Recording{"A": room.RecordingOK, "B": room.RecordingOK}
	for what, c := range map[string]struct {
		minimum map[string]int
		waived  []string
		want    bool
	}{
		"both above":            {map[string]int{"A": 400, "B": 400}, nil, true},
		"one at it":             {map[string]int{"A": 400, "B": 200}, nil, false},
		"one is not known":      {map[string]int{"A": 400}, nil, false},
		"the authorisation":     {map[string]int{"A": 400, "B": 400}, []string{"boule"}, false},
		"of another norm, too":  {map[string]int{"A": 400, "B": 400}, []string{"bola", "boule"}, false},
		"of another norm alone": {map[string]int{"A": 400, "B": 400}, []string{"bola"}, true},
		"nothing that is known": {nil, nil, false},
	} {
		h := supervision.Hall{Books: books.Shipped(t), WaivedMinimum: c.waived}
		rulings, err := h.Judge("x", places, room.State{Minimum: c.minimum}, recording)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := breaches(rulings)
		i := slices.IndexFunc(list, func(b room.Breach) bool { return b.Code == finding.MinimumNotOffered })
		if (i >= 0) != c.want || c.want && (*list[i].Limit != 200 || *list[i].Actual != 400) {
			t.Errorf("%s: %+v", what, list)
		}
	}
}
