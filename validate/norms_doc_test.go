package validate_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/cited"
	"vision/internal/text"
	"vision/validate"
	"vision/validate/rulebook"
	"vision/validate/session"
)

// docs/norms.md says which games of which norm are judged, under which of the norm's
// labels, and by which articles. VISION_UPDATE=1 writes it again.
func TestNormsPageIsTrue(t *testing.T) {
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	want := normsPage(t, books) + sessionsPage(t, books) + articlesPage(t, books)
	const path = "../docs/norms.md"
	if os.Getenv("VISION_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/norms.md is not what the rulebooks and the tests say; VISION_UPDATE=1 go test ./validate/... writes it")
	}
}

func normsPage(t *testing.T, books *rulebook.Books) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Norms\n\nGames that are judged, with the label under which each norm has them; a finding cites the norm and its label. `vision rules show NORM GAME` prints the odds, tables and articles, `vision rules check FILE` a rulebook of your own, `--norms DIR` adds or overrides. A test makes this page from the rulebooks and the articles that tests judge by.\n\n")
	games := map[string]text.Text{}
	for _, code := range books.Codes() {
		n, err := books.Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "- **%s**: %s\n", code, n.Name.ES)
		for g, x := range n.Games {
			if _, ok := games[g]; !ok {
				games[g] = x.Name
			}
		}
	}
	fmt.Fprintf(&b, "\n| game | %s |\n|---|%s\n", strings.Join(books.Codes(), " | "), strings.Repeat("---|", len(books.Codes())))
	for _, g := range slices.Sorted(maps.Keys(games)) {
		fmt.Fprintf(&b, "| `%s` |", g)
		for _, code := range books.Codes() {
			label := "–"
			if _, x, err := books.Game(code, g); err == nil {
				label = x.Label
			}
			fmt.Fprintf(&b, " %s |", label)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// articlesPage lists the articles that a rulebook cites and tests judge by. An
// article without a test fails, unless there is a reason.
func articlesPage(t *testing.T, books *rulebook.Books) string {
	t.Helper()
	by := map[string][]string{}
	accounts, err := filepath.Glob(filepath.Join("game", "*", filepath.FromSlash(cited.File)))
	if err != nil || len(accounts) == 0 {
		t.Fatal("no account of what tests judge by", err)
	}
	for _, file := range accounts {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := cited.Read(string(data))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, l := range lines {
			id := l.Norm + " " + l.Game + " " + l.Rule
			by[id] = append(by[id], l.Tests...)
		}
	}
	var b strings.Builder
	b.WriteString("\n## Articles that are judged\n\n[Tests](rules.md) judge a round by each of them. What all games of a family share has a row of its own.\n")
	for _, code := range books.Codes() {
		n, err := books.Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n### %s\n\n| game | articles |\n|---|---|\n", code)
		judged := map[string][]string{}
		for _, name := range n.Codes() {
			g := n.Games[name]
			for _, rule := range cited.Rules(n, g) {
				article := strings.TrimPrefix(rule, code+" ")
				switch {
				case len(by[code+" "+name+" "+rule]) > 0:
					judged[name] = append(judged[name], article)
				case cited.Without(g, article) == "":
					t.Errorf("%s of %s: no test judges by it", rule, name)
				}
			}
		}
		shared := sharedArticles(n, judged)
		for _, name := range n.Codes() {
			g, own := n.Games[name], slices.Clone(judged[name])
			if common := shared[g.Family]; len(common) > 0 {
				own = slices.DeleteFunc(own, func(a string) bool { return slices.Contains(common, a) })
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, strings.Join(own, ", "))
		}
		for _, family := range slices.Sorted(maps.Keys(shared)) {
			fmt.Fprintf(&b, "| all of `%s` | %s |\n", family, strings.Join(shared[family], ", "))
		}
	}
	return b.String()
}

// sharedArticles are those by which every game of a family is judged, where a norm has several games of it.
func sharedArticles(n *rulebook.Norm, judged map[string][]string) map[string][]string {
	games, shared := map[string]int{}, map[string][]string{}
	for _, name := range n.Codes() {
		family := n.Games[name].Family
		if games[family]++; games[family] == 1 {
			shared[family] = slices.Clone(judged[name])
		}
		shared[family] = slices.DeleteFunc(shared[family], func(a string) bool { return !slices.Contains(judged[name], a) })
	}
	maps.DeleteFunc(shared, func(family string, articles []string) bool { return games[family] < 2 || len(articles) == 0 })
	return shared
}

// sessionParts are the parts of a norm's rules on sessions, as the page names them.
var sessionParts = []struct{ part, says string }{
	{"limit_change", "change of the minimum"}, {"ratio", "maximum by the minimum"}, {"minimum", "minimum by the authorised one"}, {"sign", "the minimum on show"},
	{"turn", "change of game on a reversible cloth"}, {"half_float", "half the float for one of two cloths"}, {"packs", "packs"}, {"replaced", "a card replaced"},
	{"talla", "cut and cut card"}, {"player_cut", "the player's cut"}, {"control", "control of the cards on request"}, {"dice", "dice"},
	{"last_rounds", "last rounds of the day"}, {"charge", "charge per session (circle poker)"}, {"cover", "wheel covered over night"},
	{"shoe_left", "shoe put away over night"}, {"meters", "start and growth of meters"}, {"permanent", "staff that is there permanently"},
}

// sessionsPage says what a session is and which rules of it each norm prints.
func sessionsPage(t *testing.T, books *rulebook.Books) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n## Sessions\n\nA session is the life of one table from opening to closing, as a record `session/1`: limits, changes of game, packs, dice, float, who was in charge, last rounds. `vision check` judges it by the norm's own rules; where a norm is silent nothing is found. The float's book is the house's own control, in every norm; supervision goes by the norm's rules for the jefe de mesa and the staff. The numbers are those of the games with the rule.\n\n")
	fmt.Fprintf(&b, "| rule | %s |\n|---|%s\n", strings.Join(books.Codes(), " | "), strings.Repeat("---|", len(books.Codes())))
	for _, p := range sessionParts {
		fmt.Fprintf(&b, "| %s |", p.says)
		for _, code := range books.Codes() {
			n, err := books.Norm(code)
			if err != nil {
				t.Fatal(err)
			}
			var games []string
			if r, ok := n.Session.(*session.Rules); ok { // a norm may be silent
				games = r.Games(n, p.part)
			}
			if len(games) == 0 {
				b.WriteString(" – |")
			} else {
				fmt.Fprintf(&b, " %d |", len(games))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestEverySessionPartIsNamed: the page leaves no part of the rules out, and the
// rules are of games that the norm has.
func TestEverySessionPartIsNamed(t *testing.T) {
	books, err := validate.Books()
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, p := range sessionParts {
		named[p.part] = true
	}
	for _, code := range books.Codes() {
		n, err := books.Norm(code)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := n.Session.(*session.Rules)
		if !ok {
			continue
		}
		for _, part := range r.Parts() {
			if !named[part] {
				t.Errorf("%s: %s is not on the page", code, part)
			}
			for _, game := range r.Games(n, part) {
				if n.Games[game] == nil {
					t.Errorf("%s: %s: no game %s", code, part, game)
				}
			}
		}
	}
}
