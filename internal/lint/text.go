package main

import (
	"go/ast"
	"go/token"
	"os"
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
			file := pass.Fset.File(f.FileStart)
			src, err := os.ReadFile(file.Name())
			if err != nil {
				return nil, err
			}
			free := map[int]int{} // characters of strings, by line
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
					for i, part := range strings.Split(s.Value, "\n") {
						free[file.Line(s.Pos())+i] += utf8.RuneCountInString(part)
					}
				}
				return true
			})
			for i, line := range strings.Split(string(src), "\n") {
				n := utf8.RuneCountInString(line)
				if n-free[i+1] <= width || strings.Contains(line, "://") {
					continue
				}
				pass.Reportf(file.LineStart(i+1), "a line of %d characters, want at most %d besides its texts", n, width)
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
