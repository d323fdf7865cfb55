package checkpoint

import (
	"cmp"
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"
	"time"

	fnote "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"

	"vision/stream/ledger"
)

// Audit holds checkpoints against a ledger: give it every entry, then ask for the Report.
type Audit struct {
	list   []witnessed // by size
	at     int         // the first that is not reached yet
	edge   Edge
	agreed uint64 // size of the newest that agrees
	hole   uint64 // an entry that is missing; 0 = none so far
	wrong  bool   // the first difference was named: every later one follows from it
	asked  []string
	report AuditReport
}

// witnessed is a checkpoint, who cosigned it and when.
type witnessed struct {
	Checkpoint
	by map[string]time.Time
}

// AuditReport is what checkpoints say of a ledger.
type AuditReport struct {
	Checkpoints int                 `json:"checkpoints"`       // that agree with the ledger
	Cosigned    map[string]Cosigned `json:"cosigned"`          // by witness: the newest that agrees
	Stamped     *Cosigned           `json:"stamped,omitempty"` // the newest time stamp that agrees
	Problems    []string            `json:"problems"`
	Notes       []string            `json:"notes"`
}

// Cosigned is up to which entry somebody else vouches for the ledger, and when it did.
type Cosigned struct {
	Entries uint64    `json:"entries"`
	At      time.Time `json:"at"`
}

// StampCheck checks a time stamp over a text and gives its time.
type StampCheck func(token, text []byte) (time.Time, error)

// NewAudit takes checkpoints that were kept, here or elsewhere. Those that the ledger's
// key has not signed are named; the witnesses are those whose keys are known.
func NewAudit(pub ed25519.PublicKey, kept []Kept, witnesses []note.Verifier, stamps StampCheck) (*Audit, error) {
	own, err := Verifier(pub)
	if err != nil {
		return nil, err
	}
	a := &Audit{report: AuditReport{Cosigned: map[string]Cosigned{}, Problems: []string{}, Notes: []string{}}}
	for _, w := range witnesses {
		a.asked = append(a.asked, w.Name())
	}
	known := note.VerifierList(append(slices.Clone(witnesses), own)...)
	seen := map[string]bool{}
	for _, k := range kept {
		if seen[k.Note] && k.Stamp == nil {
			continue
		}
		seen[k.Note] = true
		a.take(k, own, known, stamps)
	}
	slices.SortStableFunc(a.list, func(x, y witnessed) int { return cmp.Compare(x.Size, y.Size) })
	a.reach()
	return a, nil
}

// take takes one in.
func (a *Audit) take(k Kept, own note.Verifier, known note.Verifiers, stamps StampCheck) {
	if OriginOf(k.Note) != own.Name() {
		return // of another ledger: a witness has those of many
	}
	c, err := Parse(k.Note, known)
	if err != nil {
		a.bad("a checkpoint that claims to be of this ledger is not signed by its key: %v", err)
		return
	}
	n, err := note.Open([]byte(k.Note), known)
	if err != nil {
		return // Parse has opened it
	}
	w := witnessed{c, map[string]time.Time{}}
	for _, s := range n.Sigs {
		if s.Name == own.Name() {
			continue
		}
		if at, err := fnote.CoSigV1Timestamp(s); err == nil {
			w.by[s.Name] = at
		}
	}
	if k.Stamp != nil && stamps != nil {
		at, err := stamps(k.Stamp, []byte(n.Text))
		if err != nil {
			a.bad("the time stamp of the checkpoint over %d entries: %v", c.Size, err)
		} else {
			w.by[stampName] = at
		}
	}
	a.list = append(a.list, w)
}

// stampName stands for the time-stamping service among those who vouch.
const stampName = "\x00stamp"

func (a *Audit) bad(format string, x ...any) {
	a.report.Problems = append(a.report.Problems, fmt.Sprintf(format, x...))
}

// Entry takes in the next entry, in the order of the ledger's files; what stands at
// another place than its own is for the check of the ledger to name.
func (a *Audit) Entry(e ledger.Entry) {
	if e.Seq <= a.edge.n {
		return
	}
	for a.edge.n < e.Seq-1 {
		a.hole = cmp.Or(a.hole, a.edge.n+1)
		a.edge.Add(noEntry)
		a.reach()
	}
	a.edge.Add(Leaf(e.Hash))
	a.reach()
}

// reach compares the checkpoints over as many entries as there were.
func (a *Audit) reach() {
	for ; a.at < len(a.list) && a.list[a.at].Size == a.edge.n; a.at++ {
		c := a.list[a.at]
		switch {
		case a.wrong:
		case c.Root == a.edge.Root():
			a.agree(c)
		case a.hole > 0:
			a.wrong = true
			a.bad("checkpoints over %d and more entries cannot be checked: entry %d is missing", c.Size, a.hole)
		default:
			a.wrong = true
			a.bad("entries %d to %d are not those that were signed%s: the past was rewritten there", a.agreed+1, c.Size, c.who())
		}
	}
}

func (a *Audit) agree(c witnessed) {
	a.agreed = c.Size
	a.report.Checkpoints++
	for name, at := range c.by {
		if name == stampName {
			a.report.Stamped = &Cosigned{c.Size, at}
			continue
		}
		a.report.Cosigned[name] = Cosigned{c.Size, at}
	}
}

// who is who else vouches for a checkpoint, for a sentence.
func (w witnessed) who() string {
	var out []string
	for name, at := range w.by {
		if name == stampName {
			name = "the time-stamping service"
		}
		out = append(out, fmt.Sprintf("%s on %s", name, at.UTC().Format(time.RFC3339)))
	}
	if len(out) == 0 {
		return ""
	}
	slices.Sort(out)
	return ", seen by " + strings.Join(out, ", ")
}

// Report is what was found, when the ledger has ended.
func (a *Audit) Report() AuditReport {
	if a.at < len(a.list) && !a.wrong {
		c := a.list[len(a.list)-1]
		a.bad("the ledger ends at entry %d, and %d entries were signed%s: its end was cut off, or an old copy was put in its place", a.edge.n, c.Size, c.who())
	}
	for _, name := range a.asked {
		if _, ok := a.report.Cosigned[name]; !ok {
			a.bad("no checkpoint that agrees with the ledger is cosigned by %s", name)
		}
	}
	return a.report
}
