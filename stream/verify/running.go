package verify

import (
	"path/filepath"
	"slices"
	"time"

	"vision/stream/ledger"
)

// How the check of a running node leaves it room: after so many entries it rests, so
// that it takes about half of one processor.
const (
	stretch = 200
	rest    = 10 * time.Millisecond
)

// Running verifies the ledger of a node that goes on writing: up to head, which is
// its head now. The recordings are for Dir.
func Running(dir string, head ledger.Head) (ledger.Report, error) {
	n := 0
	opts := ledger.VerifyOptions{OnEntry: func(ledger.Entry) {
		if n++; n%stretch == 0 {
			time.Sleep(rest) //permit:time.Sleep // too short to be cut off
		}
	}}
	if head.Seq > 0 {
		opts.Known = []ledger.Head{head}
	}
	r, err := ledger.Verify(filepath.Join(dir, LedgerDir), opts)
	if err != nil {
		return r, err
	}
	r.Problems = slices.DeleteFunc(r.Problems, func(p ledger.Problem) bool { // what was written meanwhile
		return p.From > head.Seq && (p.What == ledger.Truncated || p.What == ledger.Torn) ||
			p.What == ledger.Torn && p.From == 0
	})
	return r, nil
}
