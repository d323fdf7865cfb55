// Package books has the norms that the product ships, loaded once for all tests of a
// program.
package books

import (
	"sync"

	"vision/validate"
	"vision/validate/rulebook"
)

// T is what is needed of a test: a *testing.T or B, a *rapid.T.
type T interface {
	Helper()
	Fatal(args ...any)
}

var load = sync.OnceValues(func() (*rulebook.Books, error) { return validate.Books() })

// Shipped are the norms that the product ships. No test may alter them.
func Shipped(t T) *rulebook.Books {
	t.Helper()
	b, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
