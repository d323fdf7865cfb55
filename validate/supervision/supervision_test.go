package supervision_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/shared"
	"vision/internal/testkit/books"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
	"vision/validate/rulebook"
	"vision/validate/supervision"
)

// laid reads "R1 ruleta_americana ok 1; B1 blackjack/nou none - croupier=1": id,
// game/variant, recording, position or neighbours, then staff. A leading ! is a
// closed table. Staff that is left out is ample.
func laid(t testing.TB, text string) []room.Table {
	t.Helper()
	var out []room.Table
	for _, line := range strings.Split(text, ";") {
		w := strings.Fields(line)
		if len(w) < 3 {
			continue
		}
		game, variant, _ := strings.Cut(w[1], "/")
		table := room.Table{ID: strings.TrimPrefix(w[0], "!"), Game: game, Variant: variant,
			Open: w[0][0] != '!', Recording: room.Recording(w[2]), Staff: map[string]int{}}
		if len(w) > 3 && w[3] != "-" {
			if n, err := strconv.Atoi(w[3]); err == nil {
				table.Position = &n
			} else {
				table.Adjacent = strings.Split(w[3], ",")
			}
		}
		for _, s := range w[min(4, len(w)):] {
			role, n, ok := strings.Cut(s, "=")
			if !ok {
				table.Waived = append(table.Waived, role)
				continue
			}
			table.Staff[role], _ = strconv.Atoi(n)
		}
		if len(w) < 5 {
			table.Staff = map[string]int{"subjefe": 1, "croupier": 4, "extremo": 2, "stickman": 1, "cambista": 1, "auxiliar": 1}
		}
		out = append(out, table)
	}
	return out
}

// brief writes findings as "too_many_tables ana 1/2".
func brief(list []room.Finding) string {
	var out []string
	for _, f := range list {
		s := string(f.Code)
		for _, w := range []string{f.Jefe, f.Table, f.Role} {
			if w != "" {
				s += " " + w
			}
		}
		if f.Limit != nil {
			s += fmt.Sprintf(" %d/%d", *f.Limit, *f.Actual)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// everyone puts all tables under one jefe.
func everyone(tables []room.Table) []room.Assignment {
	a := room.Assignment{Jefe: "ana"}
	for _, t := range tables {
		a.Tables = append(a.Tables, t.ID)
	}
	return []room.Assignment{a}
}

func TestSharing(t *testing.T) {
	const nac, and, cant, bal, cyl = "nacional-1979", "andalucia-2010", "cantabria-2010", "balears-2005", "castilla-y-leon-2013"
	for _, c := range []struct{ name, norm, room, want string }{
		{"1979: two blackjacks", nac, "A blackjack none; B blackjack none", ""},
		{"1979: three", nac, "A blackjack ok; B blackjack ok; C blackjack ok", "too_many_tables ana 2/3"},
		{"1979: roulettes are not shared", nac, "A ruleta_americana ok; B ruleta_americana ok", "too_many_tables ana 1/2"},
		{"1979: mixed", nac, "A blackjack ok; B boule ok", "mixed_games_not_allowed ana"},
		{"1979: two games, none shared", nac, "A ruleta_americana ok; B boule ok", "mixed_games_not_allowed ana"},
		{"Andalucía: two banked card games", and, "A casino_monte none; B punto_banco/midi none", ""},
		{"Andalucía: mini and midi are one class", and, "A punto_banco/mini none; B punto_banco/midi none", ""},
		{"Andalucía: grande and mini", and, "A punto_banco ok; B punto_banco/mini ok", "not_homogeneous ana"},
		{"Andalucía: two grande", and, "A punto_banco ok; B punto_banco ok", "too_many_tables ana 1/2"},
		{"Andalucía: the wheel needs none and is left out", and, "A blackjack ok; B blackjack ok; W ruleta_fortuna ok", ""},
		{"A.1: apart", cant, "A ruleta_francesa ok 1; B ruleta_francesa ok 3", "not_contiguous ana"},
		{"A.1: unrecorded and apart", cant, "A ruleta_francesa none 1; B ruleta_francesa ok 3", "recording_required ana A; not_contiguous ana"},
		{"A.1: three", cant, "A ruleta_francesa none 1; B ruleta_francesa ok 2; C ruleta_francesa ok 3", "too_many_tables ana 2/3"},
		{"A.1: one and two layouts", cant, "A ruleta_francesa ok 1; B ruleta_francesa/two_layouts ok 2", "not_homogeneous ana"},
		{"A.1: two of two layouts", cant, "A ruleta_francesa/two_layouts ok 1; B ruleta_francesa/two_layouts ok 2", "too_many_tables ana 1/2"},
		{"A.2: two apart, unrecorded", cant, "A ruleta_americana none 1; B ruleta_americana_doble_cero none 9", ""},
		{"A.2: three with double zero", cant, "A ruleta_americana ok 1; B ruleta_americana_doble_cero degraded 2; C ruleta_americana down 3", "recording_required ana C"},
		{"A.2: neighbours by name, one way", cant, "A ruleta_americana ok B; B ruleta_americana ok C; C ruleta_americana ok -", ""},
		{"A.2: the closed one between breaks the chain", cant, "A ruleta_americana ok 1; !B ruleta_americana ok 2; C ruleta_americana ok 3; D ruleta_americana ok 4", "not_contiguous ana"},
		{"A.2: closed tables leave two", cant, "A ruleta_americana none 1; !B ruleta_americana none 2; C ruleta_americana none 9", ""},
		{"A.4: blackjacks need no recording", cant, "A blackjack none 1; B blackjack none 2; C blackjack none 3", ""},
		{"A.4: recorded blackjacks apart", cant, "A blackjack ok 1; B blackjack ok 3; C blackjack ok 5", "not_contiguous ana"},
		{"A.4: mixed apart, recorded", cant, "A blackjack ok 1; B tripoker ok 3; C punto_banco/mini ok 9", ""},
		{"A.4: mini alone", cant, "A punto_banco/mini ok 1; B punto_banco/mini none 9", "recording_required ana B"},
		{"A.4: mini with midi", cant, "A punto_banco/mini ok 1; B punto_banco/midi ok 2", "not_homogeneous ana"},
		{"A.4: midi alone", cant, "A punto_banco/midi ok 1; B punto_banco/midi ok 2", "too_many_tables ana 1/2"},
		{"A.4: five", cant, "A blackjack ok 1; B tripoker ok 2; C tripoker ok 3; D blackjack ok 4; E blackjack ok 5", "too_many_tables ana 4/5"},
		{"A.14.1-2: sectors", cant, "A poker_trijoker none; B poker_trijoker none; C poker_trijoker none; D poker_trijoker none", ""},
		{"A.14.3: contiguous", cant, "A pai_gow_poker none 1; B pai_gow_poker none 3", "not_contiguous ana"},
		{"A.14.4: tripoker", cant, "A tripoker none; B tripoker none", ""},
		{"A.14.6: recorded", cant, "A poker_holdem_banca ok; B poker_holdem_banca down", "recording_required ana B"},
		{"A.15.III: circle poker with blackjack", cant, "A holdem_circulo ok; B blackjack ok", "mixed_games_not_allowed ana"},
		{"A.13: fortune", cant, "A ruleta_fortuna ok; B ruleta_fortuna ok", "too_many_tables ana 1/2"},
		{"Balears: the smallest number", bal, "A ruleta_americana none; B ruleta_francesa none; C blackjack none", "too_many_tables ana 2/3"},
		{"Balears: four mixed", bal, "A ruleta_americana none; B blackjack/nou none; C boule none; D ruleta_fortuna none", ""},
		{"Balears: others one", bal, "A dados_craps none; B blackjack none", "too_many_tables ana 1/2"},
		{"Balears: grande", bal, "A punto_banco/one_wing none; B blackjack none", "too_many_tables ana 1/2"},
		{"Balears: sintético is left out", bal, "A dados_craps none; B poker_sintetico none", ""},
		{"Castilla y León: anything", cyl, "A pai_gow_poker none; B pai_gow_poker none; C pai_gow_poker none; D pai_gow_poker none; E pai_gow_poker none", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables := laid(t, c.room)
			v, err := supervision.Check(books.Shipped(t),
				&room.Record{Norm: c.norm, Tables: tables, Assignments: everyone(tables)})
			if err != nil {
				t.Fatal(err)
			}
			if got := brief(v.Findings); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, f := range v.Findings {
				if !strings.HasPrefix(f.Rule, c.norm+" ") {
					t.Errorf("%s cites %q", f.Code, f.Rule)
				}
			}
		})
	}
}

func TestHouseOptions(t *testing.T) {
	limit := func(n int) room.Options { return room.Options{MaxTables: &n} }
	for _, c := range []struct {
		name, norm, room string
		options          room.Options
		want, rule       string
	}{
		{"lower than the norm's", "cantabria-2010", "A blackjack ok 1; B blackjack ok 2; C blackjack ok 3", limit(2), "too_many_tables ana 2/3", "cantabria-2010 A.4 L736-742 (house limit)"},
		{"higher changes nothing", "nacional-1979", "A blackjack ok 1; B blackjack ok 2; C blackjack ok 3", limit(9), "too_many_tables ana 2/3", "nacional-1979 03.III L323"},
		{"the only one in Castilla y León", "castilla-y-leon-2013", "A pai_gow_poker ok; B pai_gow_poker ok", limit(1), "too_many_tables ana 1/2", "castilla-y-leon-2013 (house limit)"},
		{"lower than one table for a game that is not shared", "nacional-1979", "A boule ok; B boule ok", limit(0), "too_many_tables ana 0/2", "nacional-1979 04 (house limit)"},
		{"below one", "andalucia-2010", "A blackjack ok", limit(0), "too_many_tables ana 0/1", "andalucia-2010 Catálogo (house limit)"},
		{"degraded is recorded", "cantabria-2010", "A ruleta_francesa degraded 1; B ruleta_francesa ok 2", room.Options{}, "", ""},
		{"unless the house is strict", "cantabria-2010", "A ruleta_francesa degraded 1; B ruleta_francesa ok 2", room.Options{StrictRecording: true}, "recording_required ana A", "cantabria-2010 A.1 L226-230"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables := laid(t, c.room)
			v, err := supervision.Check(books.Shipped(t),
				&room.Record{Norm: c.norm, Options: c.options, Tables: tables, Assignments: everyone(tables)})
			if err != nil {
				t.Fatal(err)
			}
			if got := brief(v.Findings); got != c.want || c.want != "" && v.Findings[0].Rule != c.rule {
				t.Errorf("got  %s %+v\nwant %s %s", got, v.Findings, c.want, c.rule)
			}
		})
	}
}

func TestStaff(t *testing.T) {
	for _, c := range []struct{ norm, table, want string }{
		{"nacional-1979", "ruleta_francesa/two_layouts", "subjefe 1, croupier 4, extremo 2"},
		{"nacional-1979", "ruleta_francesa", "croupier 2, extremo 1"},
		{"nacional-1979", "baccara_dos_panos", "croupier 1, cambista 1, auxiliar 1"},
		{"nacional-1979", "bingo", ""},
		{"balears-2005", "ruleta_francesa/two_layouts", "croupier 4, extremo 2"},
		{"balears-2005", "dados_craps", "croupier 1, stickman 1"},
		{"balears-2005", "dados_craps/half", "stickman 1"},
		{"balears-2005", "punto_banco", "croupier 2"},
		{"balears-2005", "punto_banco/one_wing", "croupier 1"},
		{"andalucia-2010", "ruleta_francesa/two_layouts", "subjefe 1, croupier 4"},
		{"andalucia-2010", "punto_banco", "croupier 3"},
		{"andalucia-2010", "punto_banco/midi", "croupier 1"},
		{"andalucia-2010", "baccara_chemin_de_fer", "croupier 1, cambista 1"},
		{"andalucia-2010", "casino_monte", "croupier 1"},
		{"cantabria-2010", "baccara_dos_panos", "croupier 1, cambista 1"},
		{"cantabria-2010", "banca_francesa_dados", "croupier 2"},
		{"cantabria-2010", "boule/two_layouts", "croupier 2"},
		{"cantabria-2010", "treinta_cuarenta", "croupier 2"},
		{"cantabria-2010", "sic_bo", ""},
		{"castilla-y-leon-2013", "pai_gow_poker", "croupier 1"},
	} {
		t.Run(c.norm+" "+c.table, func(t *testing.T) {
			tables := laid(t, "T "+c.table+" ok - croupier=0")
			v, err := supervision.Check(books.Shipped(t),
				&room.Record{Norm: c.norm, Tables: tables, Assignments: everyone(tables)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range v.Findings {
				if f.Code == finding.StaffMissing && f.Table == "T" {
					got = append(got, fmt.Sprint(f.Role, " ", *f.Limit))
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestRoom(t *testing.T) {
	for _, c := range []struct{ name, norm, room, want string }{
		{"waived in Cantabria", "cantabria-2010", "A ruleta_francesa/two_layouts ok - croupier=4 extremo=1 subjefe extremo", ""},
		{"waived with one layout", "cantabria-2010", "A ruleta_francesa ok - croupier=2 extremo", ""},
		{"not elsewhere", "nacional-1979", "A ruleta_francesa ok - croupier=2 extremo", "staff_missing A extremo 1/0"},
		{"one changer for the room", "balears-2005", "A baccara_chemin_de_fer ok - croupier=1 cambista=1; B baccara_chemin_de_fer ok - croupier=1", "too_many_tables ana 1/2"},
		{"no changer", "balears-2005", "A baccara_chemin_de_fer ok - croupier=1", "staff_missing cambista 1/0"},
		{"a closed table needs none", "balears-2005", "!A baccara_chemin_de_fer ok - croupier=1", ""},
		{"one servant for four tables", "nacional-1979", "A baccara_chemin_de_fer ok - croupier=1 cambista=1 servidor=2", "staff_excess servidor 1/2"},
		{"a fifth table admits another", "nacional-1979", "A baccara_chemin_de_fer ok - croupier=1 cambista=1 servidor=2; B baccara_chemin_de_fer ok - croupier=1 cambista=1; C baccara_chemin_de_fer ok - croupier=1 cambista=1; D baccara_chemin_de_fer ok - croupier=1 cambista=1; E baccara_chemin_de_fer ok - croupier=1 cambista=1", "too_many_tables ana 1/5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables := laid(t, c.room)
			v, err := supervision.Check(books.Shipped(t),
				&room.Record{Norm: c.norm, Tables: tables, Assignments: everyone(tables)})
			if err != nil {
				t.Fatal(err)
			}
			if got := brief(v.Findings); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNoJefe(t *testing.T) {
	for _, c := range []struct{ norm, room, want string }{
		{"andalucia-2010", "A ruleta_fortuna ok; B blackjack ok; !C blackjack ok", "no_jefe B"},
		{"balears-2005", "A poker_sintetico ok; B dados_craps/mini ok", "no_jefe B"},
		{"cantabria-2010", "A sic_bo ok; B holdem_circulo ok", "no_jefe B"},
		{"castilla-y-leon-2013", "A pai_gow_poker ok", ""},
	} {
		t.Run(c.norm, func(t *testing.T) {
			v, err := supervision.Check(books.Shipped(t), &room.Record{Norm: c.norm, Tables: laid(t, c.room)})
			if err != nil {
				t.Fatal(err)
			}
			if got := brief(v.Findings); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestMinimum: of a game's open tables one is at the authorised minimum (01.2.B
// L216 of 1979 and its like; at boule, one cloth keeps it).
func TestMinimum(t *testing.T) {
	at := func(text string, least ...int) []room.Table {
		tables := laid(t, text)
		for i := range tables {
			if least[i] >= 0 {
				tables[i].Min = &least[i]
			}
		}
		return tables
	}
	two := "A blackjack ok; B blackjack ok"
	for _, c := range []struct {
		name, norm string
		tables     []room.Table
		authorised map[string]int
		waived     []string
		want, rule string
	}{
		{"none is", "nacional-1979", at(two, 500, 1000), map[string]int{"blackjack": 200}, nil, "minimum_not_offered blackjack 200/500", "nacional-1979 03 L385"},
		{"one is", "balears-2005", at(two, 200, 1000), map[string]int{"blackjack": 200}, nil, "", ""},
		{"one below it", "balears-2005", at(two, 100, 1000), map[string]int{"blackjack": 200}, nil, "", ""},
		{"not of all tables is it known", "andalucia-2010", at(two, 500, -1), map[string]int{"blackjack": 200}, nil, "", ""},
		{"the authorisation dispenses with it", "andalucia-2010", at(two, 500, 500), map[string]int{"blackjack": 200}, []string{"blackjack"}, "", ""},
		{"nothing is authorised", "andalucia-2010", at(two, 500, 500), nil, nil, "", ""},
		{"closed tables offer nothing", "andalucia-2010", at("A blackjack ok; !B blackjack ok", 500, 200), map[string]int{"blackjack": 200}, nil, "minimum_not_offered blackjack 200/500", "andalucia-2010 I.1.3 L1010-1013"},
		{"and need nothing", "andalucia-2010", at("!A blackjack ok; !B blackjack ok", 500, 500), map[string]int{"blackjack": 200}, nil, "", ""},
		{"a permission in Cantabria", "cantabria-2010", at("A blackjack ok 1; B blackjack ok 2", 500, 500), map[string]int{"blackjack": 200}, nil, "", ""},
		{"but not at boule", "cantabria-2010", at("A boule ok", 400), map[string]int{"boule": 200}, nil, "minimum_not_offered boule 200/400", "cantabria-2010 A.5 L1158-1166"},
		{"no clause in Castilla y León", "castilla-y-leon-2013", at("A tripoker ok", 400), map[string]int{"tripoker": 200}, nil, "", ""},
		{"in the order of the tables", "nacional-1979", at("A ruleta_americana ok; B blackjack ok", 400, 400), map[string]int{"blackjack": 200, "ruleta_americana": 200}, nil, "minimum_not_offered ruleta_americana 200/400; minimum_not_offered blackjack 200/400", ""},
	} {
		t.Run(c.norm+" "+c.name, func(t *testing.T) {
			var each []room.Assignment // a jefe for each
			for _, x := range c.tables {
				each = append(each, room.Assignment{Jefe: "jefe of " + x.ID, Tables: []string{x.ID}})
			}
			v, err := supervision.Check(books.Shipped(t),
				&room.Record{Norm: c.norm, Tables: c.tables, Assignments: each, AuthorisedMin: c.authorised,
					WaivedMinimum: c.waived})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range v.Findings {
				got = append(got, fmt.Sprintf("%s %s %d/%d", f.Code, f.Game, *f.Limit, *f.Actual))
			}
			if s := strings.Join(got, "; "); s != c.want || c.rule != "" && v.Findings[0].Rule != c.rule {
				t.Errorf("got %s %+v, want %s %s", s, v.Findings, c.want, c.rule)
			}
		})
	}
}

const whole = `{"schema":"supervision/1","id":"s","norm":"cantabria-2010","options":{"max_tables":4},"tables":[{"id":"A","game":"boule","variant":"two_layouts","open":true,"recording":"ok","position":1,"adjacent":["B"],"waived":["subjefe"],"staff":{"croupier":2}},{"id":"B","game":"boule","open":false,"recording":"ok"}],"assignments":[{"jefe":"ana","tables":["A"]}]}`

func TestRefuses(t *testing.T) {
	if _, err := check(whole, books.Shipped(t)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, path string }{
		{"schema", "supervision/1", "supervision/2", "schema"},
		{"unknown field", `"norm"`, `"rule":1,"norm"`, ""},
		{"no id", `"id":"s",`, "", "id"},
		{"no tables", `"tables":[{`, `"x":[{`, ""},
		{"norm", "cantabria-2010", "cantabria-2011", "norm"},
		{"game", `"boule"`, `"bola"`, "tables[0].game"},
		{"variant", "two_layouts", "three_layouts", "tables[0].variant"},
		{"variant of a game without", `"boule"`, `"sic_bo"`, "tables[0].variant"},
		{"no open", `"open":true,`, "", "tables[0].open"},
		{"no recording", `"recording":"ok",`, "", "tables[0].recording"},
		{"recording", `"ok"`, `"maybe"`, "tables[0].recording"},
		{"role", `"croupier":2`, `"pitboss":2`, "tables[0].staff.pitboss"},
		{"staff", `"croupier":2`, `"croupier":-2`, "tables[0].staff.croupier"},
		{"waived", `["subjefe"]`, `["croupier"]`, "tables[0].waived"},
		{"position", `"position":1`, `"position":"1"`, "tables[0].position"},
		{"neighbour", `"adjacent":["B"]`, `"adjacent":["B","C"]`, "tables[0].adjacent[1]"},
		{"assigned table", `"tables":["A"]`, `"tables":["A","C"]`, "assignments[0].tables[1]"},
		{"jefe twice", `{"jefe":"ana","tables":["A"]}`, `{"jefe":"ana","tables":["A"]},{"jefe":"ana","tables":[]}`, "assignments[1].jefe"},
		{"no jefe", `"jefe":"ana",`, "", "assignments[0].jefe"},
		{"no assigned tables", `"jefe":"ana","tables":["A"]`, `"jefe":"ana"`, "assignments[0].tables"},
		{"limit", `"max_tables":4`, `"max_tables":-1`, "options.max_tables"},
		{"option", `"max_tables":4`, `"most":4`, "options"},
		{"staff that nobody counted", `"croupier":2`, `"croupier":null`, "tables[0].staff.croupier"},
		{"authorised amount that nobody knows", `"norm"`, `"authorised_min":{"boule":null},"norm"`, "authorised_min.boule"},
		{"authorised game", `"norm"`, `"authorised_min":{"bola":5},"norm"`, "authorised_min.bola"},
		{"authorised amount", `"norm"`, `"authorised_min":{"boule":-5},"norm"`, "authorised_min.boule"},
		{"dispensed game", `"norm"`, `"waived_minimum":["boule","bola"],"norm"`, "waived_minimum[1]"},
		{"minimum", `"position":1`, `"min":-1`, "tables[0].min"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(whole, c.old, c.new, 1)
			_, err := check(text, books.Shipped(t))
			var e *round.Error
			if text == whole || !errors.As(err, &e) || e.Path != c.path {
				t.Errorf("got %v, want an error at %s", err, c.path)
			}
		})
	}
	// section 1: a game that the norm lacks, though its staff could be read out of another's clause
	double := strings.NewReplacer("cantabria-2010", "andalucia-2010", `"boule","variant":"two_layouts"`, `"ruleta_americana_doble_cero"`).Replace(whole)
	var e *round.Error
	if _, err := check(double, books.Shipped(t)); !errors.As(err, &e) || e.Path != "tables[0].game" {
		t.Errorf("double zero in Andalucía: %v", err)
	}
	twice := strings.Replace(whole, `"tables":[{`, `"tables":[{"id":"A","game":"boule","open":false,"recording":"ok"},{`, 1)
	if _, err := check(twice, books.Shipped(t)); err == nil || !strings.Contains(err.Error(), "tables[1].id") {
		t.Errorf("an id that stands twice: %v", err)
	}
}

func check(text string, b *rulebook.Books) (room.Verdict, error) {
	rec, err := room.Parse([]byte(text))
	if err != nil {
		return room.Verdict{}, err
	}
	return supervision.Check(b, rec)
}

// TestCases runs the conformance cases of the contract.
func TestCases(t *testing.T) {
	data, err := os.ReadFile(shared.Dir(t, "cases", "supervision.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			Case, Why string
			Record    json.RawMessage
			Expect    struct {
				Exit     int
				Findings []map[string]any
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.Case, func(t *testing.T) {
			v, err := check(string(c.Record), books.Shipped(t))
			if (err != nil) != (c.Expect.Exit == 2) {
				t.Fatalf("%s: error %v, want exit %d", c.Why, err, c.Expect.Exit)
			}
			if len(v.Findings) != len(c.Expect.Findings) {
				t.Fatalf("%s: got %s, want %v", c.Why, brief(v.Findings), c.Expect.Findings)
			}
			for i, want := range c.Expect.Findings {
				raw, _ := json.Marshal(v.Findings[i])
				var got map[string]any
				if err := json.Unmarshal(raw, &got); err != nil {
					t.Fatal(err)
				}
				for k, x := range want {
					if !reflect.DeepEqual(got[k], x) {
						t.Errorf("%s: finding %d: %s is %v, want %v", c.Why, i, k, got[k], x)
					}
				}
			}
		})
	}
}

// TestChain: tables in a row are contiguous in any order of listing, and are not
// once a gap opens between two of them.
func TestChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "n")
		gap := rapid.IntRange(0, n-1).Draw(t, "gap") // 0 is no gap
		var tables []room.Table
		for i := range n {
			at := i
			if gap > 0 && i >= gap {
				at++
			}
			tables = append(tables, room.Table{ID: fmt.Sprint("T", i), Game: "blackjack", Open: true, Recording: room.RecordingNone,
				Position: &at, Staff: map[string]int{"croupier": 1}})
		}
		tables = rapid.Permutation(tables).Draw(t, "tables")
		b := books.Shipped(t)
		v, err := supervision.Check(b, &room.Record{Norm: "cantabria-2010", Tables: tables, Assignments: everyone(tables)})
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if gap > 0 {
			want = "not_contiguous ana"
		}
		if got := brief(v.Findings); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// FuzzCheck: whatever is read is judged or refused, and findings come in the order of the contract.
func FuzzCheck(f *testing.F) {
	b := books.Shipped(f)
	f.Add([]byte(whole))
	f.Add([]byte(`{"schema":"supervision/1","id":"","norm":"balears-2005","tables":[],"assignments":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := check(string(data), b)
		if err != nil {
			return
		}
		stage := func(f room.Finding) int {
			switch {
			case f.Jefe != "":
				return 0
			case f.Table != "":
				return 1
			}
			return 2
		}
		if !slices.IsSortedFunc(v.Findings, func(a, b room.Finding) int { return stage(a) - stage(b) }) {
			t.Fatalf("out of order: %s", brief(v.Findings))
		}
	})
}
