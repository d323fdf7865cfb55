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
	Tables   []string    // only of these, or of no table; nil = all
	From, To time.Time   // From ≤ time < To; zero = open
	Kind     ledger.Kind // Entries only
	Code     string      // Findings, Alerts, and Rounds that have such a finding
	Severity string      // Alerts
	State    string      // Alerts
	Person   string      // Alerts: who acknowledged; Entries: who acted
	Own      string      // Entries, with Tables: those of these tables and what this person did, no others
	Amount   int64       // Alerts, and Rounds in which so many moved at once: at least so many cents
	Card     string      // Rounds, and Alerts about such: "Td", or a rank alone
	Seat     int         // Rounds in which it has that card or amount, or anything; Alerts about it
	Reviewer string      // Alerts: whose reviews Reviewed speaks of
	Reviewed *bool       // Alerts: only those that Reviewer has looked at, or has not
	Camera   string      // Segments and Marks
	Findings bool        // Rounds: only those with findings
	Oldest   bool        // oldest first
	Limit    int         // 0 = 100, at most 10000
	Offset   int

	bySeq bool
}

// where builds the condition, the order and the limit.
func (q Query) where(timeColumn string, columns map[string]string, more ...string) (string, []any) {
	s, args := q.conditions(timeColumn, columns, more...)
	limit := min(q.Limit, 10000)
	if limit <= 0 {
		limit = 100
	}
	order, direction := timeColumn, "DESC"
	if q.bySeq {
		order = "seq" // the order of the ledger, also where the clock was set back
	}
	if q.Oldest {
		direction = "ASC"
	}
	return s + fmt.Sprintf(" ORDER BY %s %s LIMIT %d OFFSET %d", order, direction, limit, max(q.Offset, 0)), args
}

// conditions builds the condition alone. Names of columns come from this package only.
func (q Query) conditions(timeColumn string, columns map[string]string, more ...string) (string, []any) {
	conds, args := more, []any{}
	for column, value := range columns {
		if value != "" {
			conds, args = append(conds, column+" = ?"), append(args, value)
		}
	}
	switch {
	case q.Tables != nil && q.Own != "":
		conds = append(conds, "("+personOfEntry+" = ? OR tbl IN (NULL"+strings.Repeat(",?", len(q.Tables))+"))")
		args = append(args, q.Own)
	case q.Tables != nil:
		conds = append(conds, "tbl IN (''"+strings.Repeat(",?", len(q.Tables))+")")
	}
	for _, t := range q.Tables {
		args = append(args, t)
	}
	if !q.From.IsZero() {
		conds, args = append(conds, timeColumn+" >= ?"), append(args, nano(q.From))
	}
	if !q.To.IsZero() {
		conds, args = append(conds, timeColumn+" < ?"), append(args, nano(q.To))
	}
	if len(conds) == 0 {
		return "", args
	}
	return " WHERE " + strings.Join(conds, " AND "), args
}

// collect runs a query and reads its rows.
func collect[T any](ctx context.Context, x *Index, query string, args []any,
	scan func(*sql.Rows) (T, error)) ([]T, error) {
	out := []T{}
	err := each(ctx, x.read, query, args, func(rows *sql.Rows) error {
		v, err := scan(rows)
		out = append(out, v)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return out, nil
}

// single is the one row that a query finds; sql.ErrNoRows, with what was asked for, where there is none.
func single[T any](ctx context.Context, x *Index, what, query string, args []any,
	scan func(*sql.Rows) (T, error)) (one T, err error) {
	list, err := collect(ctx, x, query, args, scan)
	switch {
	case err != nil:
		return one, err
	case len(list) == 0:
		return one, fmt.Errorf("index: %s: %w", what, sql.ErrNoRows)
	}
	return list[0], nil
}

// querier is a database, or a transaction on it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls do with every row that a query finds.
func each(ctx context.Context, db querier, query string, args []any, do func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Entry is a ledger entry as it is indexed.
type Entry struct {
	Seq     uint64          `json:"seq"`
	Time    time.Time       `json:"time"`
	Kind    ledger.Kind     `json:"kind"`
	Table   string          `json:"table,omitempty"`
	Payload json.RawMessage `json:"payload"`
}

// personOfEntry is who did what an entry tells.
const personOfEntry = "coalesce(json_extract(payload, '$.user'), json_extract(payload, '$.by'))"

// Entries finds entries by table, kind, person and time.
func (x *Index) Entries(ctx context.Context, q Query) ([]Entry, error) {
	q.bySeq = true
	w, args := q.where("time", map[string]string{"tbl": q.Table, "kind": string(q.Kind), personOfEntry: q.Person})
	return collect(ctx, x, "SELECT seq, time, kind, tbl, payload FROM entries"+w, args, scanEntry)
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
	return single(ctx, x, fmt.Sprint("entry ", seq), "SELECT seq, time, kind, tbl, payload FROM entries WHERE seq = ?",
		[]any{seq}, scanEntry)
}

// First is the number of the first entry at or after a time, 0 where there is none.
func (x *Index) First(ctx context.Context, at time.Time) (seq uint64, err error) {
	var n sql.NullInt64
	if err := x.read.QueryRowContext(ctx, "SELECT min(seq) FROM entries WHERE time >= ?", nano(at)).Scan(&n); err != nil {
		return 0, fmt.Errorf("index: %w", err)
	}
	return uint64(n.Int64), nil
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
	Start    time.Time `json:"start,omitzero"` // on the felt
	End      time.Time `json:"end,omitzero"`
	Unsure   string    `json:"not_verifiable,omitempty"`
	Findings int       `json:"findings"`
	Round    uint64    `json:"round_entry,omitempty"`
	Verdict  uint64    `json:"verdict_entry,omitempty"`
}

const roundColumns = "id, tbl, time, game, norm, void, findings, round, verdict, start, stop, unsure"

func scanRound(r *sql.Rows) (o Round, err error) {
	var at, start, stop int64
	var findings, round, verdict sql.NullInt64
	err = r.Scan(&o.ID, &o.Table, &at, &o.Game, &o.Norm, &o.Void, &findings, &round, &verdict, &start, &stop, &o.Unsure)
	o.Time, o.Judged, o.Findings = fromNano(at), findings.Valid, int(findings.Int64)
	o.Round, o.Verdict = uint64(round.Int64), uint64(verdict.Int64)
	o.Start, o.End = fromNano(start), fromNano(stop)
	return o, err
}

// Rounds finds rounds by table and time, and by what was found, dealt and moved in them.
func (x *Index) Rounds(ctx context.Context, q Query) ([]Round, error) {
	var more []string
	var asked []any
	if q.Findings {
		more = append(more, "findings > 0")
	}
	if q.Code != "" {
		more, asked = append(more, "EXISTS (SELECT 1 FROM findings f WHERE f.verdict = rounds.verdict AND f.code = ?)"), append(asked, q.Code)
	}
	if is, args := q.played("rounds.tbl", "rounds.id", q.Amount); is != "" {
		more, asked = append(more, is), append(asked, args...)
	}
	w, args := q.where("time", map[string]string{"tbl": q.Table}, more...)
	return collect(ctx, x, "SELECT "+roundColumns+" FROM rounds"+w, append(asked, args...), scanRound)
}

// Round is one round of a table; sql.ErrNoRows where there is none.
func (x *Index) Round(ctx context.Context, table, id string) (Round, error) {
	return single(ctx, x, "round "+id+" of "+table, "SELECT "+roundColumns+" FROM rounds WHERE tbl = ? AND id = ?",
		[]any{table, id}, scanRound)
}

// Alert is an alert as its newest transition left it.
type Alert struct {
	ID       string          `json:"id"`
	Table    string          `json:"table"`
	Opened   time.Time       `json:"opened"`
	Changed  time.Time       `json:"changed"`
	State    string          `json:"state"`
	Body     json.RawMessage `json:"alert"` // payload of the newest transition
	Seq      uint64          `json:"entry"`
	Reviewed bool            `json:"reviewed"` // by the query's Reviewer
	Notes    int             `json:"notes"`
}

// Alerts finds alerts by table, time of opening, state, code, severity, amount, seat, a
// card of their round, who acknowledged, and who has looked at them.
func (x *Index) Alerts(ctx context.Context, q Query) ([]Alert, error) {
	var more []string
	if q.Amount > 0 {
		more = append(more, fmt.Sprintf("amount >= %d", q.Amount))
	}
	if q.Reviewed != nil && *q.Reviewed {
		more = append(more, "reviewed")
	} else if q.Reviewed != nil {
		more = append(more, "NOT reviewed")
	}
	asked := []any{q.Reviewer}
	if q.Seat > 0 {
		more, asked = append(more, "json_extract(body, '$.seat') = ?"), append(asked, q.Seat)
	}
	of := Query{Card: q.Card} // the seat is the alert's, and so is the amount
	if is, args := of.played("a.tbl", "json_extract(a.body, '$.round')", 0); is != "" {
		more, asked = append(more, is), append(asked, args...)
	}
	w, args := q.where("opened", map[string]string{"tbl": q.Table, "state": q.State, "code": q.Code, "severity": q.Severity, "person": q.Person}, more...)
	const from = `SELECT id, tbl, opened, changed, state, body, seq, reviewed, (SELECT count(*) FROM notes WHERE alert = id) FROM
		(SELECT *, EXISTS (SELECT 1 FROM reviews r WHERE r.alert = alerts.id AND r.person = ?) AS reviewed FROM alerts) a`
	return collect(ctx, x, from+w, append(asked, args...), func(r *sql.Rows) (a Alert, err error) {
		err = a.scan(r, &a.Reviewed, &a.Notes)
		return a, err
	})
}

// scan reads the columns id, tbl, opened, changed, state, body, seq, and more.
func (a *Alert) scan(r *sql.Rows, more ...any) error {
	var opened, changed int64
	var body string
	err := r.Scan(append([]any{&a.ID, &a.Table, &opened, &changed, &a.State, &body, &a.Seq}, more...)...)
	a.Opened, a.Changed, a.Body = fromNano(opened), fromNano(changed), json.RawMessage(body)
	return err
}

// Alert is one alert; sql.ErrNoRows where there is none.
func (x *Index) Alert(ctx context.Context, id string) (Alert, error) {
	return single(ctx, x, "alert "+id, "SELECT id, tbl, opened, changed, state, body, seq FROM alerts WHERE id = ?", []any{id},
		func(r *sql.Rows) (a Alert, err error) { err = a.scan(r); return a, err })
}

// Note is what a person wrote about an alert.
type Note struct {
	Person string    `json:"person"`
	Time   time.Time `json:"time"`
	Text   string    `json:"text"`
}

// Notes are those of an alert, oldest first.
func (x *Index) Notes(ctx context.Context, alert string) ([]Note, error) {
	return collect(ctx, x, "SELECT person, time, text FROM notes WHERE alert = ? ORDER BY seq", []any{alert}, func(r *sql.Rows) (n Note, err error) {
		var at int64
		err = r.Scan(&n.Person, &at, &n.Text)
		n.Time = fromNano(at)
		return n, err
	})
}

// Mark is a place in a camera's recording that somebody wants to find again.
type Mark struct {
	Camera string    `json:"camera"`
	At     time.Time `json:"at"`
	Person string    `json:"person"`
	Text   string    `json:"text"`
}

// Object names what is marked, as the ledger has it: the camera and the time.
func (m *Mark) Object() string { return m.Camera + "@" + m.At.UTC().Format(time.RFC3339Nano) }

// marked is what an object names; false where it names nothing.
func marked(object string) (camera string, at time.Time, ok bool) {
	i := strings.LastIndex(object, "@")
	if i < 1 {
		return "", time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, object[i+1:])
	return object[:i], at, err == nil
}

// mark files that a person set a mark or took it back.
func (file filing) mark(set bool, object, person, text string) error {
	camera, at, ok := marked(object)
	if !ok {
		return nil // kept as an entry
	}
	if set {
		return file("INSERT OR REPLACE INTO marks (camera, at, person, text) VALUES (?,?,?,?)", camera, nano(at), person, text)
	}
	return file("DELETE FROM marks WHERE camera = ? AND at = ? AND person = ?", camera, nano(at), person)
}

// Marks are those of everybody in a camera's recording, by the query's Camera and times,
// oldest first.
func (x *Index) Marks(ctx context.Context, q Query) ([]Mark, error) {
	q.Oldest = true
	w, args := q.where("at", map[string]string{"camera": q.Camera})
	return collect(ctx, x, "SELECT camera, at, person, text FROM marks"+w, args, func(r *sql.Rows) (m Mark, err error) {
		var at int64
		err = r.Scan(&m.Camera, &at, &m.Person, &m.Text)
		m.At = fromNano(at)
		return m, err
	})
}

// played is the condition that one event of a round, whose table and name are in these
// columns, has the card, seat and amount that are asked for; "" where none is. A card is
// as records have it, "Td", or a rank alone, "T".
func (q *Query) played(table, round string, amount int64) (string, []any) {
	var conds []string
	var args []any
	if q.Card != "" {
		pattern := q.Card
		if len(pattern) == 1 { // a rank alone is of any suit
			pattern += "?"
		}
		conds, args = append(conds, "p.card GLOB ?"), append(args, pattern)
	}
	if q.Seat > 0 {
		conds, args = append(conds, "p.seat = ?"), append(args, q.Seat)
	}
	if amount > 0 {
		conds, args = append(conds, "p.amount >= ?"), append(args, amount)
	}
	if len(conds) == 0 {
		return "", nil
	}
	return "EXISTS (SELECT 1 FROM plays p WHERE p.tbl = " + table + " AND p.round = " + round + " AND " + strings.Join(conds, " AND ") + ")", args
}
