package acta

import (
	"encoding/json"
	"fmt"
	"time"

	"vision/internal/money"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
)

// book is what the entries said, by table.
type book struct {
	steps  []step
	off    []Span // in which no node ran
	before time.Time
	tables map[string]*gathered
}

// gathered is what they said of one table.
type gathered struct {
	segments []record.Segment
	lossy    map[string]bool // segments by file
	removed  map[string]bool
	rounds   []judged
	moved    map[string]moved // by round, until it is judged
	alerts   map[string]*Finding
	seals    []Seal
	session  []Step
	unread   []Unread // To is zero of those that have not ended
}

// step is one word on supervision: all that held from its time on.
type step struct {
	at      time.Time
	tables  map[string]room.Table
	norms   map[string]string // norm by table
	jefes   map[string]string // jefe by table
	against []room.Finding
}

// judged is a round that has ended.
type judged struct {
	start, end   time.Time
	unverifiable string
	findings     []found
	moved        moved
}

type found struct {
	Code  finding.Code
	Seat  int
	Spot  string
	Zone  string
	Alert bool
	Delta money.Cents
	id    string // of its alert
}

// moved is what a record says of stakes and of money.
type moved struct {
	min, max                    money.Cents
	collected, paid, commission money.Cents
}

func (b *book) of(table string) *gathered {
	g := b.tables[table]
	if g == nil {
		g = &gathered{lossy: map[string]bool{}, removed: map[string]bool{}, moved: map[string]moved{},
			alerts: map[string]*Finding{}}
		b.tables[table] = g
	}
	return g
}

// read hands on what an entry has; false where it is of another form.
func read[T any](e ledger.Entry, take func(T)) bool {
	var p T
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
	take(p)
	return true
}

// take reads one entry; false where it is of another form.
func (b *book) take(e ledger.Entry) bool {
	defer func() {
		if e.Kind != ledger.Repair { // the next run writes it before it says that it has started
			b.before = e.Time
		}
	}()
	switch e.Kind {
	case ledger.Supervision:
		return b.supervision(e)
	case ledger.Node:
		return b.node(e)
	case ledger.Segment:
		return read(e, func(n record.SegmentNote) {
			g := b.of(n.Table)
			g.segments, g.lossy[n.File] = append(g.segments, n.Segment), n.Gaps || n.Dropped > 0
		})
	case ledger.Retention:
		return read(e, func(n record.SegmentNote) { b.of(n.Table).removed[n.File] = true })
	case ledger.Round:
		return b.record(e)
	case ledger.Judged:
		return b.judged(e)
	case ledger.Alert:
		return b.alert(e)
	case ledger.Session:
		return b.session(e)
	case ledger.Health:
		return b.coarse(e)
	case ledger.Seal:
		return read(e, func(n record.SealSpan) { b.of(n.Table).seal(n) })
	}
	return true
}

func (b *book) supervision(e ledger.Entry) bool {
	return read(e, func(p struct {
		Records []struct {
			Norm        string
			Tables      []room.Table
			Assignments []room.Assignment
		}
		Verdicts []struct{ Findings []room.Finding }
	}) {
		s := step{at: e.Time, tables: map[string]room.Table{}, norms: map[string]string{}, jefes: map[string]string{}}
		for _, r := range p.Records {
			for _, t := range r.Tables {
				s.tables[t.ID], s.norms[t.ID] = t, r.Norm
			}
			for _, a := range r.Assignments {
				for _, id := range a.Tables {
					s.jefes[id] = a.Jefe
				}
			}
		}
		for _, v := range p.Verdicts {
			s.against = append(s.against, v.Findings...)
		}
		b.steps = append(b.steps, s)
	})
}

// node notes when no node ran: from the last entry before it started. At an orderly stop
// that is a segment that was closed then; at another, one of a segment's length before.
func (b *book) node(e ledger.Entry) bool {
	return read(e, func(p struct{ Action string }) {
		if p.Action == ledger.Started && !b.before.IsZero() && b.before.Before(e.Time) {
			b.off = append(b.off, Span{b.before, e.Time})
			b.stopped(b.before)
		}
	})
}

func (b *book) record(e ledger.Entry) bool {
	return read(e, func(p struct {
		ID     string
		Table  struct{ Min, Max money.Cents }
		Events []struct {
			Type   round.Type
			Amount money.Cents
		}
	}) {
		m := moved{min: p.Table.Min, max: p.Table.Max}
		for _, ev := range p.Events {
			switch ev.Type {
			case round.Collect:
				m.collected += ev.Amount
			case round.Pay:
				m.paid += ev.Amount
			case round.Commission:
				m.commission += ev.Amount
			}
		}
		b.of(e.Table).moved[p.ID] = m
	})
}

func (b *book) judged(e ledger.Entry) bool {
	return read(e, func(p struct {
		Round         string
		Start, End    time.Time
		NotVerifiable string `json:"not_verifiable"`
		Findings      []found
	}) {
		g := b.of(e.Table)
		for i := range p.Findings {
			f := &p.Findings[i]
			f.id = fmt.Sprintf("%s/%s/%s/%d/%s/%s", e.Table, p.Round, f.Code, f.Seat, f.Spot, f.Zone)
		}
		g.rounds = append(g.rounds, judged{p.Start, p.End, p.NotVerifiable, p.Findings, g.moved[p.Round]})
		delete(g.moved, p.Round)
	})
}

func (b *book) alert(e ledger.Entry) bool {
	return read(e, func(p struct {
		Finding
		ID  string
		Ack *struct {
			By, Outcome, Note string
			At                time.Time
		}
	}) {
		f := &p.Finding
		f.Alert = p.ID
		if a := p.Ack; a != nil {
			f.Acknowledged, f.By, f.Outcome, f.Note = a.At, a.By, a.Outcome, a.Note
		}
		b.of(e.Table).alerts[p.ID] = f
	})
}

// session takes up what a person put on record; what comes by itself stands elsewhere.
func (b *book) session(e ledger.Entry) bool {
	return read(e, func(p struct {
		By                string
		Event, Float      json.RawMessage
		Refused, Findings []struct{ Code string }
	}) {
		if p.By == "" {
			return
		}
		s := Step{At: e.Time, By: p.By, Event: p.Event, Float: p.Float, Refused: len(p.Refused) > 0}
		for _, f := range append(p.Refused, p.Findings...) {
			s.Codes = append(s.Codes, f.Code)
		}
		g := b.of(e.Table)
		g.session = append(g.session, s)
	})
}

// seal notes that a span was sealed, or that its seals were released.
func (g *gathered) seal(n record.SealSpan) {
	if !n.Gone {
		g.seals = append(g.seals, Seal{Span{n.From, n.To}, n.By, n.Why, false})
		return
	}
	for i := range g.seals {
		if s := &g.seals[i]; s.From.Equal(n.From) && s.To.Equal(n.To) {
			s.Released = true
		}
	}
}
