package demo

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vision/internal/lab/sim/script"
	"vision/stream/alert"
	"vision/stream/ledger"
)

// Outcome is what came of a mistake that was planted.
type Outcome int

// The outcomes.
const (
	Pending Outcome = iota // its round is not judged yet
	Found                  // an alert was raised of it
	Noted                  // it was found, and too unsure for an alert
	Unseen                 // its round is not verifiable, which the wall says
	Missed                 // nothing was said of it
)

// Mistake is one that was planted, or an alert that names one that was not made.
type Mistake struct {
	Table   string
	At      time.Time // when its round ended, or the alert was raised
	Code    string    // of the finding
	Seat    int       // 0: of none
	ES, EN  string    // of an alert: what it says
	Outcome Outcome
}

// Report is what the simulated tables played since the demonstration started, held against what
// the node said of it.
type Report struct {
	Since         time.Time
	Rounds        int            // played to their end
	Verifiable    int            // of those that were judged
	NotVerifiable map[string]int // rounds by the reason
	Planted       []Mistake      // in the order of their rounds
	False         []Mistake      // alerts of mistakes that nobody made
	Resolved      []Mistake      // others, which no longer held when the round had ended: put right, or ruled out by it
}

// Count is how many planted mistakes came out so.
func (r *Report) Count(o Outcome) (n int) {
	for _, m := range r.Planted {
		if m.Outcome == o {
			n++
		}
	}
	return n
}

// played is what the report needs of a round as the simulator writes it down.
type played struct {
	Record struct {
		Table struct {
			ID string `json:"id"`
		} `json:"table"`
	} `json:"record"`
	Findings []script.Finding `json:"findings"`
	Ended    time.Time        `json:"ended"`

	from time.Time // when the table's round before ended
}

// judged is what the report needs of the ledger's entry of that kind.
type judged struct {
	Findings []struct {
		Code string `json:"code"`
		Seat int    `json:"seat"`
	} `json:"findings"`
	Start         time.Time `json:"start"`
	End           time.Time `json:"end"`
	NotVerifiable string    `json:"not_verifiable"`
	table         string
}

// raisedAlert is an alert, and whether it no longer holds.
type raisedAlert struct {
	alert.Alert
	resolved bool
}

// report reads what was played and what was said of it since a time.
func report(truth, book string, since time.Time) (*Report, error) {
	rounds, err := readPlayed(truth, since)
	if err != nil {
		return nil, err
	}
	r := &Report{Since: since, Rounds: len(rounds), NotVerifiable: map[string]int{}}
	if _, err := os.Stat(book); errors.Is(err, fs.ErrNotExist) {
		return r, nil // the node is starting
	}
	var said []judged
	var raised []raisedAlert
	for e, err := range ledger.Read(book, 0) {
		if err != nil {
			return nil, fmt.Errorf("demonstration: ledger: %w", err)
		}
		if e.Time.Before(since) || !simulated(e.Table) {
			continue
		}
		switch e.Kind {
		case ledger.Judged:
			j := judged{table: e.Table}
			if err := json.Unmarshal(e.Payload, &j); err != nil {
				return nil, fmt.Errorf("demonstration: ledger: entry %d: %w", e.Seq, err)
			}
			said = append(said, j)
			if j.NotVerifiable == "" {
				r.Verifiable++
			} else {
				r.NotVerifiable[j.NotVerifiable]++
			}
		case ledger.Alert:
			var a struct {
				State alert.State `json:"state"`
				alert.Alert
			}
			if err := json.Unmarshal(e.Payload, &a); err != nil {
				return nil, fmt.Errorf("demonstration: ledger: entry %d: %w", e.Seq, err)
			}
			if a.Round == "" {
				continue
			}
			// What is added to an alert opens it once more.
			if i := slices.IndexFunc(raised, func(r raisedAlert) bool { return r.ID == a.ID }); i >= 0 {
				raised[i].resolved = raised[i].resolved || a.State == alert.Over
			} else if a.State == alert.Open {
				raised = append(raised, raisedAlert{Alert: a.Alert})
			}
		}
	}
	for _, p := range rounds {
		r.hold(p, said, &raised)
	}
	for _, a := range raised {
		// where none holds it, its truth is not known yet
		if i := slices.IndexFunc(rounds, func(p played) bool { return p.holds(a.Table, a.At) }); i >= 0 {
			to := &r.False
			if a.resolved {
				to = &r.Resolved
			}
			*to = append(*to, Mistake{Table: a.Table, At: a.Raised, Code: a.Code, Seat: a.Seat, ES: a.ES, EN: a.EN})
		}
	}
	return r, nil
}

// hold looks for what was said of a round's mistakes, and takes the alerts of them out of raised.
func (r *Report) hold(p played, said []judged, raised *[]raisedAlert) {
	for _, f := range p.Findings {
		m := Mistake{Table: p.Record.Table.ID, At: p.Ended, Code: string(f.Code), Seat: f.Seat}
		same := func(code string, seat int) bool {
			return code == m.Code && (m.Seat == 0 || seat == 0 || seat == m.Seat)
		}
		if i := slices.IndexFunc(*raised, func(a raisedAlert) bool {
			return p.holds(a.Table, a.At) && same(a.Code, a.Seat)
		}); i >= 0 {
			m.Outcome, *raised = Found, slices.Delete(*raised, i, i+1)
			r.Planted = append(r.Planted, m)
			continue
		}
		for _, j := range said {
			if j.table != m.Table || !j.End.After(p.from) {
				continue
			}
			middle := j.Start.Add(j.End.Sub(j.Start) / 2)
			switch {
			case middle.After(p.Ended): // a later one is judged, so that this one was passed over
				m.Outcome = max(m.Outcome, Missed)
			case !middle.After(p.from):
				continue
			case j.NotVerifiable != "":
				m.Outcome = Unseen
			default:
				m.Outcome = Missed
				for _, f := range j.Findings {
					if same(f.Code, f.Seat) {
						m.Outcome = Noted
					}
				}
			}
			break
		}
		r.Planted = append(r.Planted, m)
	}
}

// holds reports whether a moment of a table is in the round.
func (p played) holds(table string, at time.Time) bool {
	return p.Record.Table.ID == table && at.After(p.from) && !at.After(p.Ended)
}

// readPlayed reads the simulator's file; a line that is still being written is left for later.
func readPlayed(path string, since time.Time) ([]played, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("demonstration: %w", err)
	}
	defer f.Close()
	var out []played
	ended := map[string]time.Time{}
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("demonstration: %s: %w", path, err)
		}
		p := played{from: since}
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, fmt.Errorf("demonstration: %s: %w", path, err)
		}
		table := p.Record.Table.ID
		if before, ok := ended[table]; ok {
			p.from = before
		}
		ended[table] = p.Ended
		out = append(out, p)
	}
}

// Report says what was planted since the start, and what came of it.
func (d *Demo) Report() (*Report, error) {
	return report(d.truth(), filepath.Join(d.Config.Data, "ledger"), d.began)
}

// truth is the file in which the simulator writes down what it plays.
func (d *Demo) truth() string { return filepath.Join(d.opts.Data, "played.jsonl") }
