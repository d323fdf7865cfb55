// Command lint is what go vet runs over this repository (make lint): staticcheck's
// analyzers and a few more. Rules that find defects are on; one that is off has its
// reason here. The arrows between packages are a test (internal/arrows_test.go), which
// follows an import over any number of packages and knows what tests may do; a list of
// imports for a linter would be the same said twice.
//
// golangci-lint would bring all this and revive in one program, and takes 276 s of a
// processor to compile from nothing; this and revive take 144 s, most of it for packages
// of the standard library that the product needs too, and go vet keeps what it found of
// a package that has not changed.
package main

import (
	"slices"
	"strings"

	"github.com/ashanbrown/forbidigo/v2/pkg/analyzer"
	critic "github.com/go-critic/go-critic/checkers/analyzer"
	"github.com/polyfloyd/go-errorlint/errorlint"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
)

func main() { unitchecker.Main(all()...) }

func all() []*analysis.Analyzer {
	out := []*analysis.Analyzer{errors(), forbidden(), critique(), spelling, long}
	for _, a := range slices.Concat(checks(staticcheck.Analyzers), checks(simple.Analyzers)) {
		out = append(out, a)
	}
	return out
}

// off are checks of staticcheck that only nag.
var off = map[string]string{
	"SA1019": "what is deprecated in a library is replaced with its next version, not by a build that fails",
}

func checks(of []*lint.Analyzer) (out []*analysis.Analyzer) {
	for _, a := range of {
		if off[a.Analyzer.Name] == "" {
			out = append(out, a.Analyzer)
		}
	}
	return out
}

// errors finds comparisons and assertions that a wrapped error escapes. That %v hides
// an error from errors.Is is sometimes meant: that check is off.
func errors() *analysis.Analyzer { return errorlint.NewAnalyzer() }

// forbidden is what library code leaves to the commands.
func forbidden() *analysis.Analyzer {
	a := analyzer.NewAnalyzer()
	set(a, "analyze_types", "true")
	for _, p := range []string{
		`{p: "^fmt\\.Print(|f|ln)$", msg: "a package writes to what it is given, or to its log"}`,
		`{p: "^log\\.", pkg: "^log$", msg: "use the slog.Logger that is given"}`,
		`{p: "^os\\.Exit$", msg: "return an error"}`,
		`{p: "^time\\.Sleep$", msg: "wait with backoff.Sleep, which a context ends"}`,
	} {
		set(a, "p", p)
	}
	only(a, func(p *analysis.Pass, file string) bool {
		return !strings.HasSuffix(file, "_test.go") && p.Pkg.Name() != "main" && !strings.HasPrefix(p.Pkg.Path(), "vision/internal/testkit")
	})
	return a
}

// critique is gocritic's diagnostics.
func critique() *analysis.Analyzer {
	a := critic.Analyzer
	set(a, "enable", "#diagnostic")
	set(a, "disable", strings.Join([]string{
		"appendAssign",     // a slice that is extended into another is meant where it is written
		"badRegexp",        // it takes the ^ of (?m) in the middle of a pattern for a slip
		"commentedOutCode", // formulas in comments look like code
		"deferInLoop",      // several things that are closed at a function's end are meant where they are opened
		"dupSubExpr",       // staticcheck finds these, without those that cgo writes
		"weakCond",         // a slice that is either nil or of a known length is not asked for its length
		"filepathJoin",     // "../.." is the same on every machine that this runs on
	}, ","))
	return a
}

func set(a *analysis.Analyzer, flag, value string) {
	if err := a.Flags.Set(flag, value); err != nil {
		panic(err)
	}
}

// only makes an analyzer report what keep says yes to.
func only(a *analysis.Analyzer, keep func(p *analysis.Pass, file string) bool) {
	run := a.Run
	a.Run = func(p *analysis.Pass) (any, error) {
		q := *p
		q.Report = func(d analysis.Diagnostic) {
			if keep(p, p.Fset.Position(d.Pos).Filename) {
				p.Report(d)
			}
		}
		return run(&q)
	}
}
