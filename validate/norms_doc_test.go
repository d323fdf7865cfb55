package validate

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"vision/validate/rulebook"
)

// docs/norms.md says which games of which norm are judged, and under which of the
// norm's labels. VISION_UPDATE=1 writes it again.
func TestNormsPageIsTrue(t *testing.T) {
	books, err := Books()
	if err != nil {
		t.Fatal(err)
	}
	want := normsPage(t, books)
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
		t.Error("docs/norms.md is not what the rulebooks say; VISION_UPDATE=1 go test ./validate -run NormsPage")
	}
}

func normsPage(t *testing.T, books *rulebook.Books) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Norms\n\nGames that are judged, with the label under which each norm has them; a finding cites the norm and its label. `vision rules show NORM GAME` prints the odds, tables and articles, `vision rules check FILE` a rulebook of your own, `--norms DIR` adds or overrides. This page is checked against the rulebooks by a test.\n\n")
	games := map[string]rulebook.Text{}
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
