package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"vision/stream/ledger"
)

// Query narrows a question; the zero value asks for everything, newest first.
type Query struct {
	Table    string
	From, To time.Time   // From ≤ time < To; zero = open
	Kind     ledger.Kind // Entries only
	Code     string      // Findings and Alerts
	Severity string      // Findings and Alerts
	State    string      // Alerts
	Camera   string      // Segments
	Findings bool        // Rounds: only those with findings
	Oldest   bool        // oldest first
	Limit    int         // 0 = 100, at most 10000
	Offset   int

	bySeq bool
}

// where builds the condition. Names of columns come from this package only.
func (q Query) where(timeColumn string, columns map[string]string, more ...string) (string, []any) {
	conds, args := more, []any{}
	for column, value := range columns {
		if value != "" {
			conds, args = append(conds, column+" = ?"), append(args, value)
		}
	}
	if !q.From.IsZero() {
		conds, args = append(conds, timeColumn+" >= ?"), append(args, nano(q.From))
	}
	if !q.To.IsZero() {
		conds, args = append(conds, timeColumn+" < ?"), append(args, nano(q.To))
	}
	s := ""
	if len(conds) > 0 {
		s = " WHERE " + strings.Join(conds, " AND ")
	}
	limit := min(q.Limit, 10000)
	if limit <= 0 {
		limit = 100
	}
	order := timeColumn
	if q.bySeq {
		order = "seq" // the order of the ledger, also where the clock was set back
	}
	return s + fmt.Sprintf(" ORDER BY %s %s LIMIT %d OFFSET %d", order, direction(q), limit, max(q.Offset, 0)), args
}

// collect runs a query and reads its rows.
func collect[T any](ctx context.Context, x *Index, query string, args []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := x.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return out, nil
}

// Entry is a ledger entry as it is indexed.
type Entry struct {
	Seq     uint64          `json:"seq"`
	Time    time.Time       `json:"time"`
	Kind    ledger.Kind     `json:"kind"`
	Table   string          `json:"table,omitempty"`
	Payload json.RawMessage `json:"payload"`
}

// Entries finds entries by table, kind and time.
func (x *Index) Entries(ctx context.Context, q Query) ([]Entry, error) {
	q.bySeq = true
	w, args := q.where("time", map[string]string{"tbl": q.Table, "kind": string(q.Kind)})
	return collect(ctx, x, "SELECT seq, time, kind, tbl, payload FROM entries"+w, args, scanEntry)
}

func direction(q Query) string {
	if q.Oldest {
		return "ASC"
	}
	return "DESC"
}

func scanEntry(r *sql.Rows) (e Entry, err error) {
	var at int64
	var kind, payload string
	err = r.Scan(&e.Seq, &at, &kind, &e.Table, &payload)
	e.Time, e.Kind, e.Payload = fromNano(at), ledger.Kind(kind), json.RawMessage(payload)
	return e, err
}

// Entry returns one entry by its number.
func (x *Index) Entry(ctx context.Context, seq uint64) (Entry, error) {
	es, err := collect(ctx, x, "SELECT seq, time, kind, tbl, payload FROM entries WHERE seq = ?", []any{seq}, scanEntry)
	if err == nil && len(es) == 0 {
		err = fmt.Errorf("index: entry %d: %w", seq, sql.ErrNoRows)
	}
	if err != nil {
		return Entry{}, err
	}
	return es[0], nil
}

// Round is a round with the numbers of its ledger entries.
type Round struct {
	ID       string    `json:"id"`
	Table    string    `json:"table"`
	Time     time.Time `json:"time"`
	Game     string    `json:"game"`
	Norm     string    `json:"norm"`
	Void     bool      `json:"void"`
	Judged   bool      `json:"judged"`
	Findings int       `json:"findings"`
	Round    uint64    `json:"round_entry,omitempty"`
	Verdict  uint64    `json:"verdict_entry,omitempty"`
}

// Rounds finds rounds by table and time.
func (x *Index) Rounds(ctx context.Context, q Query) ([]Round, error) {
	var more []string
	if q.Findings {
		more = append(more, "findings > 0")
	}
	w, args := q.where("time", map[string]string{"tbl": q.Table}, more...)
	return collect(ctx, x, "SELECT id, tbl, time, game, norm, void, findings, round, verdict FROM rounds"+w, args, func(r *sql.Rows) (o Round, err error) {
		var at int64
		var findings, round, verdict sql.NullInt64
		err = r.Scan(&o.ID, &o.Table, &at, &o.Game, &o.Norm, &o.Void, &findings, &round, &verdict)
		o.Time, o.Judged, o.Findings = fromNano(at), findings.Valid, int(findings.Int64)
		o.Round, o.Verdict = uint64(round.Int64), uint64(verdict.Int64)
		return o, err
	})
}

// Finding is one finding of a verdict.
type Finding struct {
	Verdict uint64          `json:"verdict_entry"`
	Round   string          `json:"round"`
	Table   string          `json:"table"`
	Time    time.Time       `json:"time"`
	Body    json.RawMessage `json:"finding"` // as in the verdict
}

// Findings finds findings by table, time, code and severity.
func (x *Index) Findings(ctx context.Context, q Query) ([]Finding, error) {
	w, args := q.where("time", map[string]string{"tbl": q.Table, "code": q.Code, "severity": q.Severity})
	return collect(ctx, x, "SELECT verdict, round, tbl, time, body FROM findings"+w, args, func(r *sql.Rows) (f Finding, err error) {
		var at int64
		var body string
		err = r.Scan(&f.Verdict, &f.Round, &f.Table, &at, &body)
		f.Time, f.Body = fromNano(at), json.RawMessage(body)
		return f, err
	})
}

// Alert is an alert as its newest transition left it.
type Alert struct {
	ID      string          `json:"id"`
	Table   string          `json:"table"`
	Opened  time.Time       `json:"opened"`
	Changed time.Time       `json:"changed"`
	State   string          `json:"state"`
	Body    json.RawMessage `json:"alert"` // payload of the newest transition
	Seq     uint64          `json:"entry"`
}

// Alerts finds alerts by table, time of opening, state, code and severity.
func (x *Index) Alerts(ctx context.Context, q Query) ([]Alert, error) {
	w, args := q.where("opened", map[string]string{"tbl": q.Table, "state": q.State, "code": q.Code, "severity": q.Severity})
	return collect(ctx, x, "SELECT id, tbl, opened, changed, state, body, seq FROM alerts"+w, args, func(r *sql.Rows) (a Alert, err error) {
		var opened, changed int64
		var body string
		err = r.Scan(&a.ID, &a.Table, &opened, &changed, &a.State, &body, &a.Seq)
		a.Opened, a.Changed, a.Body = fromNano(opened), fromNano(changed), json.RawMessage(body)
		return a, err
	})
}

// Segment is a recording segment as the ledger lists it.
type Segment struct {
	File    string    `json:"file"`
	Table   string    `json:"table"`
	Camera  string    `json:"camera"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Bytes   int64     `json:"bytes"`
	SHA256  string    `json:"sha256"`
	Seq     uint64    `json:"entry"`
	Removed uint64    `json:"removed_entry,omitempty"`
}

// Segments finds segments by table, camera and start.
func (x *Index) Segments(ctx context.Context, q Query) ([]Segment, error) {
	w, args := q.where("start", map[string]string{"tbl": q.Table, "camera": q.Camera})
	return collect(ctx, x, "SELECT file, tbl, camera, start, stop, bytes, sha256, seq, removed FROM segments"+w, args, func(r *sql.Rows) (s Segment, err error) {
		var from, to int64
		var removed sql.NullInt64
		err = r.Scan(&s.File, &s.Table, &s.Camera, &from, &to, &s.Bytes, &s.SHA256, &s.Seq, &removed)
		s.From, s.To, s.Removed = fromNano(from), fromNano(to), uint64(removed.Int64)
		return s, err
	})
}
