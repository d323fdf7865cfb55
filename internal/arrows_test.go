// Package internal_test holds the whole tree against its architecture.
package internal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// An arrow that must not be. Packages are named from the module's root, those of others
// by their import path; "x/..." is x and all below it.
type arrow struct {
	from []string // that must not
	not  []string // lead to these, straight or over others
	but  []string // exceptions to from
	save []string // exceptions to not
	// straight: only what these packages import themselves counts.
	straight bool
	tests    bool // what the tests of these packages import counts too
	why      string
}

// Names of several packages.
var (
	// vocabulary of validate: how rounds are written down, and the catalogue of findings.
	// They judge nothing, and import nothing that does.
	vocabulary = []string{"validate/round", "validate/room", "validate/finding"}
	// opencv is what only readers and the laboratory may link.
	opencv = []string{"gocv.io/x/gocv", "internal/cv", "internal/av"}
	// whole are the packages that see all of the way of a frame.
	whole = []string{"internal/node", "internal/doctor", "internal/pipeline", "internal/command", "cmd/vision"}
	// laboratory is what makes and measures the product, and is no part of it: the simulator, what
	// plays and scores it, and commands that fit what readers are shipped with.
	laboratory = []string{"internal/lab/...", "cmd/lab", "models/train/..."}
	// kits are for tests.
	kits = []string{"internal/testkit/...", "internal/shared", "validate/track/tracktest"}
)

// arrows are those that architecture forbids: one direction only, capture ▶ recognize ▶
// validate ▶ stream.
var arrows = []arrow{
	{from: []string{"capture/..."}, not: []string{"recognize/...", "stream/...", "validate/..."}, save: vocabulary, tests: true,
		why: "capture decodes no meaning"},
	{from: []string{"internal/lab/sim/..."}, not: []string{"recognize/...", "stream/...", "validate/..."}, save: vocabulary, tests: true,
		why: "the simulator's truth does not come from what is tested with it"},
	{from: []string{"capture/..."}, not: []string{"validate/...", "calibration/...", "internal/money", "internal/card"},
		why: "capture knows no game"},
	{from: []string{"calibration/..."}, not: []string{"recognize/...", "validate/...", "stream/...", "internal/money", "internal/card"},
		why: "calibration reads no cards"},
	{from: []string{"recognize/..."}, not: []string{"validate/...", "stream/...", "internal/money"},
		why: "recognize knows no game and no money"},
	{from: []string{"models/..."}, but: []string{"models/train/..."}, not: []string{"validate/...", "stream/...", "internal/money"},
		why: "networks know no rules"},
	{from: []string{"validate/..."}, but: kits, not: append([]string{"recognize/...", "capture/...", "stream/..."}, opencv...),
		why: "validate knows no image and no OpenCV, and not who asks"},
	{from: []string{"validate/game/...", "validate/session", "validate/supervision", "validate/round", "validate/room", "validate/finding"}, not: []string{"os", "os/exec", "net", "net/http"}, straight: true,
		why: "engines are pure functions: no I/O"},
	{from: []string{"vision/..."}, but: slices.Concat(laboratory, kits), not: laboratory,
		why: "the product knows nothing of the laboratory, and its program links nothing of it; tests may"},
	{from: []string{"validate/track/scene"}, not: []string{"validate/track", "validate/track/hypothesis", "validate/track/narrate", "validate/track/infer", "validate/game/...", "validate/rulebook"}, tests: true,
		why: "what lies on the table knows no rules, and not what it means"},
	{from: []string{"validate/track/hypothesis"}, not: []string{"validate/track", "validate/track/narrate", "validate/track/infer"}, tests: true,
		why: "choices know nobody who comes to them"},
	{from: []string{"validate/track/narrate"}, not: []string{"validate/track", "validate/track/infer"}, tests: true,
		why: "a narration does not know how likely it is"},
	{from: []string{"validate/track/infer"}, not: []string{"validate/track"}, tests: true,
		why: "inference raises nothing"},
	{from: []string{"vision/..."}, but: []string{"validate/track/..."}, not: []string{"validate/track/scene", "validate/track/hypothesis", "validate/track/narrate"}, straight: true,
		why: "the tracker's rooms are its own"},
	{from: []string{"validate/finding"}, not: []string{"vision/..."}, save: []string{"internal/text"},
		why: "the catalogue of findings is a vocabulary"},
	{from: []string{"validate/round", "validate/room"}, not: []string{"vision/..."}, save: append([]string{"internal/card", "internal/money", "internal/text"}, vocabulary...),
		why: "the records of a round and of a room are vocabularies"},
	{from: []string{"stream/..."}, not: append([]string{"recognize/...", "calibration/...", "validate/..."}, opencv...), save: vocabulary,
		why: "stream sees finished facts: it judges nothing and starts no reader"},
	{from: []string{"internal/..."}, but: append([]string{"internal/testkit/...", "internal/lab/..."}, whole...), not: []string{"recognize/...", "validate/...", "stream/..."},
		why: "internal is vocabulary that several share"},
	{from: []string{"internal/pipeline"}, not: []string{"stream/console", "stream/live", "stream/floor", "stream/bus", "stream/account", "internal/node"},
		why: "a table's pipeline knows nobody who watches it"},
	{from: []string{"internal/node", "stream/...", "internal/pipeline"}, not: opencv,
		why: "C++ lives in a process of its own"},
	{from: []string{"vision/..."}, but: slices.Concat([]string{"internal/command", "cmd/vision"}, laboratory, kits),
		not: []string{"internal/node", "internal/doctor", "internal/command", "cmd/vision"},
		why: "nothing stands on what sees all"},
	{from: []string{"vision/..."}, but: kits, not: append([]string{"testing"}, kits...),
		why: "test kits are for tests"},
	{from: []string{"vision/..."}, but: []string{"stream/bus"}, not: []string{"github.com/redis/go-redis/v9"}, straight: true,
		why: "what Redis says is understood, and what it refuses named, in one place"},
	{from: []string{"cmd/..."}, not: []string{"validate/game/...", "recognize/card", "recognize/dice", "stream/console", "stream/live", "stream/floor"}, straight: true,
		why: "a command line holds no logic: it names no engine, reader or page"},
}

const module = "vision"

// graph has what each package imports, by its path from the module's root.
type graph map[string]struct{ imports, tests []string }

// under reports whether a package is one of these.
func under(pkg string, of []string) bool {
	return slices.ContainsFunc(of, func(p string) bool {
		tree, all := strings.CutSuffix(p, "/...")
		switch {
		case !all:
			return pkg == p
		case tree == module:
			top, _, _ := strings.Cut(pkg, "/")
			return slices.Contains(tops, top)
		}
		return pkg == tree || strings.HasPrefix(pkg, tree+"/")
	})
}

// tops are the folders of the module, which tell its packages from the standard library's.
var tops = []string{"calibration", "capture", "cmd", "internal", "models", "recognize", "stream", "validate"}

// load asks the go command.
func load(t *testing.T) graph {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = ".."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	g := graph{}
	short := func(paths []string) (out []string) {
		for _, p := range paths {
			out = append(out, strings.TrimPrefix(p, module+"/"))
		}
		return out
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return g
		} else if err != nil {
			t.Fatal(err)
		}
		node := g[strings.TrimPrefix(p.ImportPath, module+"/")]
		node.imports, node.tests = short(p.Imports), short(append(p.TestImports, p.XTestImports...))
		g[strings.TrimPrefix(p.ImportPath, module+"/")] = node
	}
}

// way finds how a package leads to what an arrow forbids it, as one line; "" where it does not.
func (g graph) way(from string, a arrow) string {
	before := map[string]string{} // package: what imports it
	next := []string{from}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		imports := g[at].imports
		if at == from && a.tests {
			imports = slices.Concat(imports, g[at].tests)
		}
		for _, p := range imports {
			if _, seen := before[p]; seen || p == from {
				continue
			}
			before[p] = at
			if under(p, a.not) && !under(p, a.save) {
				line := p
				for p != from {
					p = before[p]
					line = p + " ▶ " + line
				}
				return line
			}
			if !a.straight {
				next = append(next, p)
			}
		}
	}
	return ""
}

// breaches are the ways that are forbidden and there.
func (g graph) breaches(a arrow) (out []string) {
	for pkg := range g {
		if under(pkg, a.from) && !under(pkg, a.but) {
			if w := g.way(pkg, a); w != "" {
				out = append(out, w)
			}
		}
	}
	slices.Sort(out)
	return out
}

// The arrows of design/architecture.md hold.
func TestOneDirectionOnly(t *testing.T) {
	g := load(t)
	if len(g) < 80 {
		t.Fatalf("go list names only %d packages", len(g))
	}
	for _, a := range arrows {
		for _, w := range g.breaches(a) {
			t.Errorf("%s: %s", w, a.why)
		}
		for _, p := range slices.Concat(a.from, a.but, a.not, a.save) { // a name that is gone forbids nothing
			if !known(g, p) {
				t.Errorf("%q, of the arrow “%s”, is no package any more", p, a.why)
			}
		}
	}
}

func known(g graph, name string) bool {
	for pkg, n := range g {
		if under(pkg, []string{name}) ||
			slices.ContainsFunc(n.imports, func(p string) bool { return under(p, []string{name}) }) {
			return true
		}
	}
	return false
}

// Every arrow is seen where it is drawn, straight or over a package between.
func TestAForbiddenArrowIsSeen(t *testing.T) {
	for _, a := range arrows {
		for _, f := range a.from {
			for _, n := range a.not {
				from, not := leaf(f, a.but), leaf(n, slices.Concat(a.save, a.from))
				if n == "vision/..." {
					not = "validate/track"
				}
				for _, over := range []string{"", "internal/between"} {
					g := graph{}
					put := func(from, to string, test bool) {
						x := g[from]
						if test {
							x.tests = append(x.tests, to)
						} else {
							x.imports = append(x.imports, to)
						}
						g[from] = x
					}
					if over == "" {
						put(from, not, a.tests)
					} else {
						put(from, over, false)
						put(over, not, false)
					}
					want := over == "" || !a.straight
					if got := len(slices.DeleteFunc(g.breaches(a),
						func(w string) bool { return !strings.HasPrefix(w, from) })) > 0; got != want {
						t.Errorf("%s ▶ %s ▶ %s: seen %v, want %v", from, over, not, got, want)
					}
				}
			}
		}
	}
}

// leaf is a package that a name stands for and the exceptions do not.
func leaf(name string, except []string) string {
	tree, all := strings.CutSuffix(name, "/...")
	if tree == module {
		tree = "stream"
	}
	for i := 0; all; i++ {
		if p := fmt.Sprintf("%s/x%d", tree, i); !under(p, except) {
			return p
		}
		if i > 9 {
			return tree
		}
	}
	return tree
}
