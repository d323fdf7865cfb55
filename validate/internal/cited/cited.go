// Package cited keeps account of which test judges a round by which article of
// a norm. Table tests note what they judge; Main compares the account with the
// one that is kept beside the tests and from which docs/norms.md is made.
package cited

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"vision/validate/round"
	"vision/validate/rulebook"
)

// Line is one article of one game with the tests that judge by it.
type Line struct {
	Norm, Game string
	Rule       string   // as findings cite it
	Tests      []string // names of test functions, sorted
}

// Variants is the name under which a Line stands that no table test reaches:
// rounds of the table tests with one event changed, under every norm, do.
const Variants = "variants"

var (
	mu     sync.Mutex
	tests  = map[string]map[string]bool{} // by "norm game|rule"
	judged []*round.Record
	alike  = map[string]bool{} // what the rounds kept are made of
)

func key(norm, game, rule string) string { return norm + " " + game + "|" + rule }

// Judged notes a round that a table test judges and compares whole. It gives
// the verdict back.
func Judged(t testing.TB, rec *round.Record, v round.Verdict) round.Verdict {
	name, _, _ := strings.Cut(t.Name(), "/")
	mu.Lock()
	defer mu.Unlock()
	note(name, v)
	if made := makeup(rec); !alike[made] {
		alike[made] = true
		clone := *rec
		clone.Events = slices.Clone(rec.Events)
		judged = append(judged, &clone)
	}
	return v
}

// makeup is what a round is made of, without amounts and cards: of rounds that
// are alike one is enough to vary.
func makeup(rec *round.Record) string {
	var b strings.Builder
	b.WriteString(rec.Game)
	for i := range rec.Events {
		e := &rec.Events[i]
		fmt.Fprintf(&b, "|%s%s%s%s%s", e.Type, e.Call, e.Action, e.Spot, e.Kind)
	}
	return b.String()
}

func note(name string, v round.Verdict) {
	add := func(rule string) {
		k := key(v.Norm, v.Game, rule)
		if tests[k] == nil {
			tests[k] = map[string]bool{}
		}
		if name != Variants || len(tests[k]) == 0 {
			tests[k][name] = true
		}
	}
	for i := range v.Findings {
		add(v.Findings[i].Rule)
	}
	for i := range v.Settlement {
		add(v.Settlement[i].Rule)
	}
}

// Check judges a record.
type Check func(*rulebook.Books, *round.Record) (round.Verdict, error)

// Main runs a package's tests and, when all of them ran, compares the account
// of one family with the file. VISION_UPDATE=1 writes it.
func Main(m *testing.M, load func() (*rulebook.Books, error), family string, check Check, file string) int {
	code := m.Run()
	for _, name := range []string{"test.run", "test.fuzz", "test.list", "test.skip"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return code
		}
	}
	if code != 0 && os.Getenv("VISION_UPDATE") == "" {
		return code
	}
	books, err := load()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	vary(books, family, check)
	got := write(books, family)
	if os.Getenv("VISION_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		fmt.Printf("%s is not what the tests judge by (%v): VISION_UPDATE=1 writes it\n", file, err)
		return 1
	}
	return code
}

// vary judges variants of the rounds noted until every article of their games is cited.
func vary(books *rulebook.Books, family string, check Check) {
	for _, norm := range books.Codes() {
		n, _ := books.Norm(norm)
		for _, code := range n.Codes() {
			if g := n.Games[code]; g.Family == family {
				open := missing(n, g)
				for rule := range open {
					if Without(g, strings.TrimPrefix(rule, norm+" ")) != "" {
						delete(open, rule)
					}
				}
				for _, rec := range judged {
					if len(open) > 0 && rec.Game == code {
						reach(books, norm, rec, open, check)
					}
				}
			}
		}
	}
}

// Without says why no test can judge by an article; "" where one has to.
func Without(g *rulebook.Game, article string) string {
	of := reflect.ValueOf(g.Rules).Elem().FieldByName("Articles")
	if g.Family == "circle" && of.MapIndex(reflect.ValueOf("game")).String() == article {
		return "the game as a whole, for what has no article of its own: all has"
	}
	return ""
}

// missing are the articles of a game that nothing has cited yet.
func missing(n *rulebook.Norm, g *rulebook.Game) map[string]bool {
	open := map[string]bool{}
	for _, rule := range Rules(n, g) {
		if len(tests[key(n.Code, g.Code, rule)]) == 0 {
			open[rule] = true
		}
	}
	return open
}

func reach(books *rulebook.Books, norm string, rec *round.Record, open map[string]bool, check Check) {
	for _, r := range variants(rec) {
		r.Norm = norm
		v, err := check(books, r)
		if err != nil {
			continue
		}
		seen := false
		for i := range v.Findings {
			seen = seen || open[v.Findings[i].Rule]
			delete(open, v.Findings[i].Rule)
		}
		for i := range v.Settlement {
			seen = seen || open[v.Settlement[i].Rule]
			delete(open, v.Settlement[i].Rule)
		}
		if seen {
			note(Variants, v)
		}
		if len(open) == 0 {
			return
		}
	}
}

// variants are a round as it is and with one event left out, doubled, exchanged
// with the next, or with another amount, seat, face or count.
func variants(rec *round.Record) []*round.Record {
	var out []*round.Record
	with := func(events []round.Event) {
		c := *rec
		c.Events = events
		for i := range c.Events {
			c.Events[i].T = float64(i)
		}
		out = append(out, &c)
	}
	with(slices.Clone(rec.Events))
	for i := range rec.Events {
		change := func(do func(*round.Event)) {
			ev := slices.Clone(rec.Events)
			do(&ev[i])
			with(ev)
		}
		with(slices.Delete(slices.Clone(rec.Events), i, i+1))
		with(slices.Insert(slices.Clone(rec.Events), i, rec.Events[i]))
		if i+1 < len(rec.Events) {
			ev := slices.Clone(rec.Events)
			ev[i], ev[i+1] = ev[i+1], ev[i]
			with(ev)
		}
		if rec.Events[i].Amount > 0 {
			change(func(e *round.Event) { e.Amount++ })
			change(func(e *round.Event) { e.Amount *= 100 })
			change(func(e *round.Event) { e.Amount = 1 })
			change(func(e *round.Event) { e.Seat++ })
		}
		if f := rec.Events[i].Face; f != "" {
			change(func(e *round.Event) { e.Face = map[string]string{"up": "down", "down": "up"}[f] })
		}
		if rec.Events[i].Action == "check" {
			change(func(e *round.Event) { e.Action = "fold" })
		}
		if rec.Events[i].Category != "" {
			change(func(e *round.Event) { e.Category = "cinco_ases" })
		}
		if rec.Events[i].Count > 0 {
			change(func(e *round.Event) { e.Count++ })
		}
		if rec.Events[i].Type == round.Pay {
			change(func(e *round.Event) { e.Type = round.Commission })
		}
	}
	return append(out, stirred(rec)...)
}

// kinds are incidents that some norm draws consequences from.
var kinds = []string{"card_exposed", "card_into_basket", "cards_stuck", "fifth_card", "croupier_carta_error", "card_floor", "advice",
	"card_faceup_in_shoe", "cards_touch", "player_disclosure", "wrong_card_seen", "chips_added", "protected_mucked", "misdeal",
	"dice_changed", "ball_out", "foreign_object", "on_peg"}

// stirred are a round with something that happens beside it: an incident, a
// call of a misdeal, chips taken back, a shuffle, the cut card; and with
// something that it inherits.
func stirred(rec *round.Record) []*round.Record {
	var out []*round.Record
	for at := 0; at <= len(rec.Events); at += max(1, len(rec.Events)/12) {
		add := func(e round.Event) {
			c := *rec
			c.Events = slices.Insert(slices.Clone(rec.Events), at, e)
			for i := range c.Events {
				c.Events[i].T = float64(i)
			}
			out = append(out, &c)
		}
		for _, kind := range kinds {
			for _, zone := range []string{"", "seat:1", "punto", "pano1", "banca"} {
				add(round.Event{Type: round.Incident, Kind: kind, By: round.Banquero, Zone: zone, Count: 1})
			}
		}
		add(round.Event{Type: round.Announce, By: round.Croupier, Call: "misdeal"})
		add(round.Event{Type: round.Shuffle})
		add(round.Event{Type: round.CutCard})
		add(round.Event{Type: round.Burn, Count: 2})
		for i := range rec.Events[:min(at, len(rec.Events))] {
			if e := rec.Events[i]; e.Type == round.Bet {
				e.Type = round.Withdraw
				add(e)
				e.Type, e.Amount = round.Bet, 1
				add(e)
			}
		}
	}
	for _, carry := range []string{`{"marca":1}`, `{"marca":4,"bote":100,"blank_hands":3}`, `{"cut_card":true}`} {
		c := *rec
		c.Carry = []byte(carry)
		out = append(out, &c)
	}
	for _, o := range [][2]string{{"players", "[1,2,4]"}, {"players", "[1,2,3,4,5,6,7,8,9,10,11]"}, {"ante", "190"}, {"bolsa_stake", "1"}} {
		name, value := o[0], o[1]
		c := *rec
		c.Table.Options = maps.Clone(rec.Table.Options)
		if c.Table.Options == nil {
			c.Table.Options = round.Options{}
		}
		c.Table.Options[name] = []byte(value)
		out = append(out, &c)
	}
	return out
}

// write is the account of one family.
func write(books *rulebook.Books, family string) string {
	var b strings.Builder
	for _, norm := range books.Codes() {
		n, _ := books.Norm(norm)
		for _, code := range n.Codes() {
			g := n.Games[code]
			if g.Family != family {
				continue
			}
			for _, rule := range Rules(n, g) {
				names := slices.Sorted(maps.Keys(tests[key(norm, code, rule)]))
				if len(names) > 1 {
					names = slices.DeleteFunc(names, func(s string) bool { return s == Variants })
				}
				fmt.Fprintf(&b, "%s %s | %s | %s\n", norm, code, rule, strings.Join(names, " "))
			}
		}
	}
	return b.String()
}

// Read reads an account.
func Read(data string) ([]Line, error) {
	var out []Line
	for i, text := range strings.Split(strings.TrimSpace(data), "\n") {
		parts := strings.Split(text, " | ")
		if len(parts) == 2 {
			parts = append(parts, "")
		}
		head := strings.Fields(parts[0])
		if len(parts) != 3 || len(head) != 2 {
			return nil, fmt.Errorf("line %d: %q", i+1, text)
		}
		out = append(out, Line{head[0], head[1], strings.TrimSuffix(parts[1], " |"), strings.Fields(parts[2])})
	}
	return out, nil
}

// Rules are the citations that the rulebook gives a game, sorted.
func Rules(n *rulebook.Norm, g *rulebook.Game) []string {
	found := map[string]bool{}
	collect(reflect.ValueOf(g.Rules), found)
	out := map[string]bool{}
	for a := range found {
		switch g.Family {
		case "circle":
			out[n.Code+" "+a] = true
		case "banked":
			out[n.Rule(g)+" "+a] = true
		default:
			out[n.Rule(g)+"."+a] = true
		}
	}
	if len(out) == 0 {
		out[n.Rule(g)] = true
	}
	return slices.Sorted(maps.Keys(out))
}

// collect finds the articles in a family's rules, whatever their shape.
func collect(v reflect.Value, found map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), found)
		}
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), found)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			collect(it.Value(), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch {
			case !f.IsExported():
			case f.Name == "Article", f.Name == "TotalArticle", f.Name == "Articles":
				texts(v.Field(i), found)
			default:
				collect(v.Field(i), found)
			}
		}
	}
}

// texts are the words in a value: one, or those of a map or a struct.
func texts(v reflect.Value, found map[string]bool) {
	switch v.Kind() {
	case reflect.String:
		if v.String() != "" {
			found[v.String()] = true
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			texts(it.Value(), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			texts(v.Field(i), found)
		}
	}
}
