package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"vision/stream/acta"
	"vision/stream/ledger"
)

// ActaReport is what was found in the file of one acta.
type ActaReport struct {
	OK       bool      `json:"ok"`
	ID       string    `json:"id"`
	Made     time.Time `json:"made"`
	By       string    `json:"by"`
	Entry    uint64    `json:"entry"` // of the ledger, where the same line stands
	Key      string    `json:"key"`   // fingerprint of the key that the signature was checked with
	Problems []string  `json:"problems"`
}

// Acta checks the file of an acta, which is its line of the ledger, against the key that
// was kept outside. Whether it states what the ledger says is for Dir, which has the ledger.
func Acta(file string, opts Options) (ActaReport, error) {
	line, err := os.ReadFile(file)
	if err != nil {
		return ActaReport{}, fmt.Errorf("verify: %w", err)
	}
	if opts.Key == nil {
		return ActaReport{}, fmt.Errorf("verify %s: an acta carries no key; give the ledger's public key with --key", file)
	}
	r := ActaReport{Key: ledger.Fingerprint(opts.Key), Problems: []string{}}
	e, err := ledger.Parse(bytes.TrimRight(line, "\r\n"))
	if err != nil {
		r.Problems = append(r.Problems, fmt.Sprintf("%v: it was changed, or is no acta", err))
		return r, nil
	}
	var a acta.Acta
	switch err := json.Unmarshal(e.Payload, &a); {
	case e.Kind != ledger.Acta || err != nil || a.ID == "":
		r.Problems = append(r.Problems, "it is an entry of a ledger, and no acta")
	case !e.Verified(opts.Key):
		r.Problems = append(r.Problems, fmt.Sprintf("it is not signed by the key %s: it was changed, or another node made it", r.Key))
	}
	r.ID, r.Made, r.By, r.Entry = a.ID, a.Made, a.By, e.Seq
	r.OK = len(r.Problems) == 0
	return r, nil
}
