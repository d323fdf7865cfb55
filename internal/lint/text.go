package main

import (
	"cmp"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/golangci/misspell"
	"golang.org/x/tools/go/analysis"
)

// width is how many characters a line may have; a tab counts as one.
const width = 120

// long finds long lines. A text is not broken for its length: lines that are long by a
// string, and a comment's address, may be.
var long = &analysis.Analyzer{
	Name: "longline",
	Doc:  "report lines of more than 120 characters",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			// Of a file that cgo has rewritten the one before it is looked at, to which
			// its positions point; what cgo adds is nobody's.
			name := pass.Fset.Position(f.Package).Filename
			if strings.HasPrefix(filepath.Base(name), "_cgo_") {
				continue
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			free := map[int]int{} // characters of strings, by line
			on := map[int]token.Pos{}
			ast.Inspect(f, func(n ast.Node) bool {
				if n == nil {
					return false
				}
				line := pass.Fset.Position(n.Pos()).Line
				if on[line] == token.NoPos {
					on[line] = n.Pos()
				}
				if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
					for i, part := range strings.Split(s.Value, "\n") {
						free[line+i] += utf8.RuneCountInString(part)
					}
				}
				return true
			})
			for i, line := range strings.Split(string(src), "\n") {
				n := utf8.RuneCountInString(line)
				if n-free[i+1] <= width || strings.Contains(line, "://") {
					continue
				}
				pass.Reportf(cmp.Or(on[i+1], f.Package), "line %d has %d characters, want at most %d besides its texts", i+1, n, width)
			}
		}
		return nil, nil
	},
}

// spelling finds misspelt English in comments. Texts for people are Spanish too.
var spelling = &analysis.Analyzer{
	Name: "misspell",
	Doc:  "report misspelt words of comments",
	Run: func(pass *analysis.Pass) (any, error) {
		r := misspell.New()
		for _, f := range pass.Files {
			for _, g := range f.Comments {
				for _, c := range g.List {
					_, found := r.Replace(c.Text)
					for _, d := range found {
						pass.Reportf(c.Pos(), "%q is a misspelling of %q", d.Original, d.Corrected)
					}
				}
			}
		}
		return nil, nil
	},
}
