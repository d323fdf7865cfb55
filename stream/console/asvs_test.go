package console

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// levelTwo are the points of OWASP ASVS 5.0 up to level 2, by section: "6.2 1-12" is
// 6.2.1 to 6.2.12. Those between that are missing are of level 3.
const levelTwo = `1.1 1-2, 1.2 1-9, 1.3 1-11, 1.4 1-3, 1.5 1-2, 2.1 1-3, 2.2 1-3, 2.3 1-4, 2.4 1-1, 3.2 1-2, 3.3 1-4, 3.4 1-6, 3.5 1-5, 3.7 1-2,
4.1 1-3, 4.2 1-1, 4.3 1-2, 4.4 1-4, 5.1 1-1, 5.2 1-3, 5.3 1-2, 5.4 1-3, 6.1 1-3, 6.2 1-12, 6.3 1-4, 6.4 1-4, 6.5 1-5, 6.6 1-3, 6.8 1-4,
7.1 1-3, 7.2 1-4, 7.3 1-2, 7.4 1-5, 7.5 1-2, 7.6 1-2, 8.1 1-2, 8.2 1-3, 8.3 1-1, 8.4 1-1, 9.1 1-3, 9.2 1-4, 10.1 1-2, 10.2 1-2, 10.3 1-4, 10.4 1-11,
10.5 1-5, 10.6 1-2, 10.7 1-3, 11.1 1-2, 11.2 1-3, 11.3 1-3, 11.4 1-4, 11.5 1-1, 11.6 1-1, 12.1 1-3, 12.2 1-2, 12.3 1-4, 13.1 1-1, 13.2 1-5, 13.3 1-2, 13.4 1-5,
14.1 1-2, 14.2 1-4, 14.3 1-3, 15.1 1-3, 15.2 1-3, 15.3 1-7, 16.1 1-1, 16.2 1-5, 16.3 1-4, 16.4 1-3, 16.5 1-3, 17.1 1-1, 17.2 1-4, 17.3 1-2`

// docs/security.md has every point of the standard once, with an answer, and names
// only tests that there are.
func TestTheCheckListIsWhole(t *testing.T) {
	raw, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(raw), "## The check list")
	list, _, ok2 := strings.Cut(list, "### Beyond level 2")
	if !ok || !ok2 {
		t.Fatal("no check list")
	}
	got := map[string]int{}
	row := regexp.MustCompile(`(?m)^\| (\d[\d., –]*) \| (.) \| (.+) \| (.+) \|$`)
	for _, m := range row.FindAllStringSubmatch(list, -1) {
		for p := range strings.SplitSeq(m[1], ", ") {
			for _, q := range pointsOf(t, p) {
				got[q]++
			}
		}
		if !strings.Contains("✓◐✗○", m[2]) || len(m[3]) < 5 {
			t.Errorf("%s: %q, %q", m[1], m[2], m[3])
		}
	}
	want := 0
	for s := range strings.SplitSeq(strings.ReplaceAll(levelTwo, "\n", " "), ", ") {
		var section string
		var from, to int
		if _, err := fmt.Sscanf(strings.TrimSpace(s), "%s %d-%d", &section, &from, &to); err != nil {
			t.Fatal(s, err)
		}
		for n := from; n <= to; n++ {
			p := fmt.Sprintf("%s.%d", section, n)
			want++
			if got[p] != 1 {
				t.Errorf("%s stands there %d times", p, got[p])
			}
			delete(got, p)
		}
	}
	if want != 253 || len(got) > 0 {
		t.Errorf("%d points; not of level 2: %v", want, got)
	}
	have := testNames(t)
	for _, name := range regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`).FindAllString(list, -1) {
		if !slices.Contains(have, name) {
			t.Errorf("there is no %s", name)
		}
	}
}

// pointsOf are the points of "6.2.5" or of a range like "6.2.1–12".
func pointsOf(t *testing.T, s string) (out []string) {
	t.Helper()
	first, last, isRange := strings.Cut(s, "–")
	if !isRange {
		return []string{s}
	}
	dot := strings.LastIndex(first, ".")
	from, err := strconv.Atoi(first[dot+1:])
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil || from >= to {
		t.Fatalf("%q is no range of points", s)
	}
	for n := from; n <= to; n++ {
		out = append(out, first[:dot+1]+strconv.Itoa(n))
	}
	return out
}

// testNames are all tests and fuzz targets of the repository.
func testNames(t *testing.T) (out []string) {
	t.Helper()
	name := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, m := range name.FindAllStringSubmatch(string(b), -1) {
			out = append(out, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
