package acta

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"vision/internal/money"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/validate/finding"
	"vision/validate/room"
	"vision/validate/round"
)

// ErrNothing means that the ledger has nothing about what was asked for.
var ErrNothing = errors.New("the ledger has nothing about it in that time")

// Make makes the acta of a request from the entries of a ledger, oldest first: all that came
// after its last word on supervision before r.From, or all. ID, Made and By are the
// caller's to fill in. The same entries make the same acta.
func Make(entries iter.Seq2[ledger.Entry, error], r Request) (*Acta, error) {
	b := book{tables: map[string]*gathered{}}
	a := &Acta{Schema: Schema, Request: r, Tables: []Table{}}
	for e, err := range entries {
		if errors.Is(err, ledger.ErrLine) {
			a.Source.Unread++
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("acta: %w", err)
		}
		if a.Source.First == 0 {
			a.Source.First = e.Seq
		}
		if !b.take(e) {
			a.Source.Unread++
		}
		a.Source.Last, a.Source.Hash = e.Seq, e.Hash.String()
	}
	for _, id := range b.about(r) {
		a.Tables = append(a.Tables, b.table(id, r))
	}
	if len(a.Tables) == 0 {
		return nil, fmt.Errorf("acta: %w", ErrNothing)
	}
	a.total()
	return a, nil
}

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
	case ledger.Segment, ledger.Retention:
		var n record.SegmentNote
		if json.Unmarshal(e.Payload, &n) != nil {
			return false
		}
		g := b.of(n.Table)
		if e.Kind == ledger.Retention {
			g.removed[n.File] = true
			return true
		}
		g.segments, g.lossy[n.File] = append(g.segments, n.Segment), n.Gaps || n.Dropped > 0
	case ledger.Round:
		return b.record(e)
	case ledger.Judged:
		return b.judged(e)
	case ledger.Alert:
		return b.alert(e)
	case ledger.Session:
		return b.session(e)
	case ledger.Seal:
		var n record.SealSpan
		if json.Unmarshal(e.Payload, &n) != nil {
			return false
		}
		b.of(n.Table).seal(n)
	}
	return true
}

func (b *book) supervision(e ledger.Entry) bool {
	var p struct {
		Records []struct {
			Norm        string
			Tables      []room.Table
			Assignments []room.Assignment
		}
		Verdicts []struct{ Findings []room.Finding }
	}
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
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
	return true
}

// node notes when no node ran: from the last entry before it started. At an orderly stop
// that is a segment that was closed then; at another, one of a segment's length before.
func (b *book) node(e ledger.Entry) bool {
	var p struct{ Action string }
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
	if p.Action == ledger.Started && !b.before.IsZero() && b.before.Before(e.Time) {
		b.off = append(b.off, Span{b.before, e.Time})
	}
	return true
}

func (b *book) record(e ledger.Entry) bool {
	var p struct {
		ID     string
		Table  struct{ Min, Max money.Cents }
		Events []struct {
			Type   round.Type
			Amount money.Cents
		}
	}
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
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
	return true
}

func (b *book) judged(e ledger.Entry) bool {
	var p struct {
		Round         string
		Start, End    time.Time
		NotVerifiable string `json:"not_verifiable"`
		Findings      []found
	}
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
	g := b.of(e.Table)
	for i := range p.Findings {
		f := &p.Findings[i]
		f.id = fmt.Sprintf("%s/%s/%s/%d/%s/%s", e.Table, p.Round, f.Code, f.Seat, f.Spot, f.Zone)
	}
	g.rounds = append(g.rounds, judged{p.Start, p.End, p.NotVerifiable, p.Findings, g.moved[p.Round]})
	delete(g.moved, p.Round)
	return true
}

func (b *book) alert(e ledger.Entry) bool {
	var p struct {
		ID, Kind, Code, Severity, Rule, Round, Spot, ES, EN string
		Seat                                                int
		Amount                                              money.Cents
		Probability                                         float64
		At, Raised, Resolved                                time.Time
		Ack                                                 *struct {
			By, Outcome, Note string
			At                time.Time
		}
	}
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
	f := &Finding{
		Alert: p.ID, Kind: p.Kind, Code: p.Code, Severity: p.Severity, Rule: p.Rule, Round: p.Round, Seat: p.Seat,
		Spot: p.Spot, Amount: p.Amount, Probability: p.Probability, ES: p.ES, EN: p.EN, At: p.At, Raised: p.Raised,
		Resolved: p.Resolved,
	}
	if p.Ack != nil {
		f.Acknowledged, f.By, f.Outcome, f.Note = p.Ack.At, p.Ack.By, p.Ack.Outcome, p.Ack.Note
	}
	b.of(e.Table).alerts[p.ID] = f
	return true
}

// session takes up what a person put on record; what comes by itself stands elsewhere.
func (b *book) session(e ledger.Entry) bool {
	var p struct {
		By                string
		Event             json.RawMessage
		Refused, Findings []struct{ Code string }
	}
	if json.Unmarshal(e.Payload, &p) != nil {
		return false
	}
	if p.By == "" {
		return true
	}
	s := Step{At: e.Time, By: p.By, Event: p.Event, Refused: len(p.Refused) > 0}
	for _, f := range append(p.Refused, p.Findings...) {
		s.Codes = append(s.Codes, f.Code)
	}
	g := b.of(e.Table)
	g.session = append(g.session, s)
	return true
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

// about are the tables that an acta is about, by name.
func (b *book) about(r Request) (ids []string) {
	if r.Table != "" {
		if _, ok := b.tables[r.Table]; ok || slices.ContainsFunc(b.steps, func(s step) bool {
			_, has := s.tables[r.Table]
			return has
		}) {
			return []string{r.Table}
		}
		return nil
	}
	had := map[string]bool{}
	for i, s := range b.steps {
		if span := b.during(i, r); span.From.Before(span.To) {
			for id, jefe := range s.jefes {
				had[id] = had[id] || jefe == r.Jefe
			}
		}
	}
	maps.DeleteFunc(had, func(_ string, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(had))
}

// during is the part of a request's time in which a step held.
func (b *book) during(i int, r Request) Span {
	to := r.To
	if i+1 < len(b.steps) && b.steps[i+1].at.Before(to) {
		to = b.steps[i+1].at
	}
	return Span{latest(b.steps[i].at, r.From), to}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// table states what held at one table.
func (b *book) table(id string, r Request) Table {
	t := Table{ID: id, Supervision: b.supervised(id, r)}
	for _, s := range b.steps {
		if has, ok := s.tables[id]; ok && s.at.Before(r.To) {
			t.Game, t.Norm = has.Game, s.norms[id]
		}
	}
	within, open := scope(t.Supervision, r)
	g := b.of(id)
	t.Cameras = g.cameras(r, open, b.before)
	recorded := g.recorded()
	for _, c := range t.Cameras {
		recorded = join(append(recorded, c.Pending...))
	}
	t.Condition = b.condition(id, r, open, recorded)
	t.Seals = slices.DeleteFunc(slices.Clone(g.seals), func(s Seal) bool {
		return !s.From.Before(r.To) || !r.From.Before(s.To)
	})
	if t.Seals == nil {
		t.Seals = []Seal{}
	}
	t.Findings = g.findings(within)
	t.Session = []Step{}
	for _, s := range g.session {
		if covers(within, s.At) {
			t.Session = append(t.Session, s)
		}
	}
	t.Rounds, t.Money, t.Limits = g.play(within)
	return t
}

// supervised are the stretches of a table's supervision over the whole time.
func (b *book) supervised(id string, r Request) (out []Supervision) {
	put := func(s Supervision) {
		if n := len(out); n > 0 && out[n-1].Known == s.Known && out[n-1].Open == s.Open && out[n-1].Jefe == s.Jefe &&
			out[n-1].Tables == s.Tables && out[n-1].To.Equal(s.From) {
			out[n-1].To = s.To
			return
		}
		if s.From.Before(s.To) {
			out = append(out, s)
		}
	}
	first := r.To
	if len(b.steps) > 0 {
		first = earliest(latest(b.steps[0].at, r.From), r.To)
	}
	put(Supervision{Span: Span{r.From, first}})
	for i, s := range b.steps {
		span := b.during(i, r)
		if !span.From.Before(span.To) {
			continue
		}
		t, known := s.tables[id]
		jefe := s.jefes[id]
		put(Supervision{Span: span, Known: known, Open: t.Open, Jefe: jefe, Tables: s.had(jefe)})
	}
	if out == nil {
		out = []Supervision{}
	}
	return out
}

// had is how many open tables a jefe has.
func (s *step) had(jefe string) (n int) {
	for id, of := range s.jefes {
		if jefe != "" && of == jefe && s.tables[id].Open {
			n++
		}
	}
	return n
}

// scope are the spans that an acta is about at a table, and those of them in which it was open.
func scope(stretches []Supervision, r Request) (within, open []Span) {
	for _, s := range stretches {
		if r.Jefe != "" && s.Jefe != r.Jefe {
			continue
		}
		within = join(append(within, s.Span))
		if s.Open {
			open = join(append(open, s.Span))
		}
	}
	return within, open
}

// condition is what held of the norm's condition while the table was open.
func (b *book) condition(id string, r Request, open, recorded []Span) []Condition {
	out := []Condition{}
	for i, s := range b.steps {
		span := b.during(i, r)
		breaches := s.breaches(id)
		for _, o := range both([]Span{span}, open) {
			for _, at := range cut(o, slices.Concat(b.off, recorded)) {
				c := Condition{Span: at, State: Held, Recorded: len(both([]Span{at}, recorded)) > 0, Breaches: breaches}
				switch {
				case len(both([]Span{at}, b.off)) > 0:
					c.State, c.Breaches = Unproven, []Breach{}
				case len(breaches) > 0:
					c.State = Broken
				}
				if n := len(out); n > 0 && out[n-1].To.Equal(c.From) && out[n-1].State == c.State &&
					out[n-1].Recorded == c.Recorded && slices.EqualFunc(out[n-1].Breaches, c.Breaches, sameBreach) {
					out[n-1].To = c.To
					continue
				}
				out = append(out, c)
			}
		}
	}
	return out
}

func sameBreach(a, b Breach) bool {
	same := func(x, y *int) bool { return x == y || x != nil && y != nil && *x == *y }
	return a.Code == b.Code && a.Rule == b.Rule && a.Jefe == b.Jefe && a.Role == b.Role && same(a.Limit, b.Limit) &&
		same(a.Actual, b.Actual)
}

// breaches are what the norm says against a table or its jefe.
func (s *step) breaches(id string) []Breach {
	out := []Breach{}
	for _, f := range s.against {
		if f.Table == id || f.Table == "" && f.Jefe != "" && f.Jefe == s.jefes[id] {
			out = append(out, Breach{string(f.Code), f.Rule, f.Jefe, f.Role, f.Limit, f.Actual})
		}
	}
	return out
}

// recorded is when at least one camera recorded.
func (g *gathered) recorded() (out []Span) {
	for _, s := range g.segments {
		out = append(out, Span{s.From, s.To})
	}
	return join(out)
}

// cameras are those that recorded in the time; last is the time of the last entry. A segment
// is in the ledger once it is closed: the time after the last one is no gap while as long a
// one as it may still be open.
func (g *gathered) cameras(r Request, open []Span, last time.Time) []Camera {
	of := map[string][]record.Segment{}
	for _, s := range g.segments {
		if s.From.Before(r.To) && r.From.Before(s.To) {
			of[s.Camera.Camera] = append(of[s.Camera.Camera], s)
		}
	}
	out := []Camera{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		c := Camera{Camera: name, Gaps: []Span{}, Pending: []Span{}, Removed: []Span{}}
		var has, gone []Span
		var end time.Time
		var longest time.Duration
		for _, s := range of[name] {
			end, longest = latest(end, s.To), max(longest, s.To.Sub(s.From))
			c.Segments++
			if g.lossy[s.File] {
				c.Lossy++
			}
			has = append(has, Span{s.From, s.To})
			if g.removed[s.File] {
				gone = append(gone, Span{s.From, s.To})
			}
		}
		if end.Before(r.To) && last.Sub(end) < 2*longest {
			c.Pending = append(c.Pending, Span{end, r.To})
		}
		c.Gaps = append(c.Gaps, without(open, join(append(has, c.Pending...)))...)
		c.Removed = append(c.Removed, both(join(gone), []Span{{r.From, r.To}})...)
		out = append(out, c)
	}
	return out
}

func (g *gathered) findings(within []Span) []Finding {
	out := []Finding{}
	for _, f := range g.alerts {
		if covers(within, f.At) {
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, func(a, b Finding) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Alert, b.Alert)) })
	return out
}

// play sums up the rounds that ended in the time, and the stakes that were in force.
func (g *gathered) play(within []Span) (n Rounds, m Money, limits []Limits) {
	n.Reasons, limits = map[string]int{}, []Limits{}
	rounds := slices.Clone(g.rounds)
	slices.SortStableFunc(rounds, func(a, b judged) int { return a.end.Compare(b.end) })
	for _, r := range rounds {
		if !covers(within, r.end) {
			continue
		}
		n.Judged++
		alerts := 0
		for _, f := range r.findings {
			if !f.Alert {
				continue
			}
			alerts++
			if a := g.alerts[f.id]; a == nil || a.Outcome != falseAlarm {
				m.wrong(f)
			}
		}
		switch {
		case r.unverifiable != "":
			n.NotVerifiable++
			n.Reasons[r.unverifiable]++
		case alerts > 0:
			n.WithFindings++
		default:
			n.InOrder++
		}
		if r.unverifiable == "" {
			m.Collected += r.moved.collected
			m.Paid += r.moved.paid
			m.Commission += r.moved.commission
		}
		if k := len(limits); k == 0 || limits[k-1].Min != r.moved.min || limits[k-1].Max != r.moved.max {
			limits = append(limits, Limits{r.start, r.moved.min, r.moved.max})
		}
	}
	return n, m, limits
}

// falseAlarm is the outcome of an alert that was none.
const falseAlarm = "false_alarm"

// wrong adds what a finding says that was moved otherwise than due.
func (m *Money) wrong(f found) {
	if !finding.Known(f.Code) || finding.Of(f.Code).About != finding.Money {
		return
	}
	gain := -f.Delta
	if finding.Of(f.Code).Round.ToHouse {
		gain = f.Delta
	}
	m.ForHouse += max(gain, 0)
	m.AgainstHouse += max(-gain, 0)
}

// total sums the tables up.
func (a *Acta) total() {
	t := &a.Totals
	t.Rounds.Reasons = map[string]int{}
	for i := range a.Tables {
		x := &a.Tables[i]
		for _, c := range x.Condition {
			sec := int64(c.To.Sub(c.From).Round(time.Second) / time.Second)
			t.Open += sec
			switch c.State {
			case Held:
				t.Held += sec
			case Broken:
				t.Broken += sec
			default:
				t.Unproven += sec
			}
		}
		t.Rounds.Judged += x.Rounds.Judged
		t.Rounds.InOrder += x.Rounds.InOrder
		t.Rounds.WithFindings += x.Rounds.WithFindings
		t.Rounds.NotVerifiable += x.Rounds.NotVerifiable
		for why, n := range x.Rounds.Reasons {
			t.Rounds.Reasons[why] += n
		}
		t.Findings += len(x.Findings)
		for _, f := range x.Findings {
			if f.Outcome == "" {
				t.Waiting++
			}
		}
		t.Money.Collected += x.Money.Collected
		t.Money.Paid += x.Money.Paid
		t.Money.Commission += x.Money.Commission
		t.Money.ForHouse += x.Money.ForHouse
		t.Money.AgainstHouse += x.Money.AgainstHouse
	}
}
