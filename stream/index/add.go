package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"vision/stream/ledger"
)

// filing changes the index by a statement.
type filing func(statement string, args ...any) error

// addEntry files e under everything that it may be asked for. A payload of
// another form than expected is kept as an entry and filed nowhere else.
func addEntry(ctx context.Context, tx *sql.Tx, e ledger.Entry) error {
	file := filing(func(statement string, args ...any) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
	err := file("INSERT OR REPLACE INTO entries (seq, time, kind, tbl, hash, payload) VALUES (?,?,?,?,?,?)",
		e.Seq, nano(e.Time), string(e.Kind), e.Table, e.Hash.String(), text(e.Payload))
	if err != nil {
		return err
	}
	switch e.Kind {
	case ledger.Round:
		return file.round(e)
	case ledger.Verdict:
		return file.verdict(e)
	case ledger.Alert:
		return file.alert(e)
	case ledger.Judged:
		return file.judged(e)
	case ledger.Operator:
		return file.act(e)
	}
	return nil
}

func (file filing) round(e ledger.Entry) error {
	var r struct {
		ID, Norm, Game string
		Events         []event
	}
	if json.Unmarshal(e.Payload, &r) != nil || r.ID == "" {
		return nil
	}
	err := file(`INSERT INTO rounds (id, tbl, time, game, norm, round) VALUES (?,?,?,?,?,?)
		ON CONFLICT (tbl, id) DO UPDATE SET round = excluded.round`, r.ID, e.Table, nano(e.Time), r.Game, r.Norm, e.Seq)
	if err != nil {
		return err
	}
	return file.plays(e.Table, r.ID, r.Events)
}

func (file filing) verdict(e ledger.Entry) error {
	var v struct {
		ID, Norm, Game string
		Void           bool
		Findings       []struct{ Code string }
	}
	if json.Unmarshal(e.Payload, &v) != nil || v.ID == "" {
		return nil
	}
	err := file(`INSERT INTO rounds (id, tbl, time, game, norm, void, findings, verdict) VALUES (?,?,?,?,?,?,?,?)
		ON CONFLICT (tbl, id) DO UPDATE SET time = excluded.time, void = excluded.void, findings = excluded.findings, verdict = excluded.verdict`,
		v.ID, e.Table, nano(e.Time), v.Game, v.Norm, v.Void, len(v.Findings), e.Seq)
	for _, f := range v.Findings {
		if err != nil {
			break
		}
		err = file("INSERT OR REPLACE INTO findings (verdict, code) VALUES (?,?)", e.Seq, f.Code)
	}
	return err
}

// raised is the state of an alert's first step, which only the ledger of the machine that
// raised it has.
const raised = "open"

func (file filing) alert(e ledger.Entry) error {
	var a struct {
		ID, State, Code, Severity string
		Amount                    int64
		Ack                       struct{ By string }
	}
	if json.Unmarshal(e.Payload, &a) != nil || a.ID == "" {
		return nil
	}
	return file(`INSERT INTO alerts (id, tbl, opened, changed, state, code, severity, seq, person, amount, here, body) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET person = excluded.person, amount = excluded.amount, changed = excluded.changed, state = excluded.state, seq = excluded.seq, body = excluded.body,
		code = CASE excluded.code WHEN '' THEN code ELSE excluded.code END,
		severity = CASE excluded.severity WHEN '' THEN severity ELSE excluded.severity END`,
		a.ID, e.Table, nano(e.Time), nano(e.Time), a.State, a.Code, a.Severity, e.Seq, a.Ack.By, a.Amount,
		a.State == raised, text(e.Payload))
}

// judged files when a round was played, and whether anybody can know it.
func (file filing) judged(e ledger.Entry) error {
	var j struct {
		Round         string
		Start, End    time.Time
		NotVerifiable string `json:"not_verifiable"`
	}
	if json.Unmarshal(e.Payload, &j) != nil || j.Round == "" {
		return nil
	}
	return file("UPDATE rounds SET start = ?, stop = ?, unsure = ? WHERE tbl = ? AND id = ?",
		nano(j.Start), nano(j.End), j.NotVerifiable, e.Table, j.Round)
}

// What people do in review.
const (
	ActReviewed   = "reviewed"
	ActUnreviewed = "unreviewed"
	ActNote       = "note"
	ActMark       = "mark"
	ActUnmark     = "unmark"
)

func (file filing) act(e ledger.Entry) error {
	var a struct{ User, Action, Object, Text string }
	if json.Unmarshal(e.Payload, &a) != nil {
		return nil
	}
	switch a.Action {
	case ActReviewed:
		return file("INSERT OR REPLACE INTO reviews (alert, person, time) VALUES (?,?,?)", a.Object, a.User, nano(e.Time))
	case ActUnreviewed:
		return file("DELETE FROM reviews WHERE alert = ? AND person = ?", a.Object, a.User)
	case ActMark, ActUnmark:
		return file.mark(a.Action == ActMark, a.Object, a.User, a.Text)
	case ActNote:
		return file("INSERT OR REPLACE INTO notes (seq, alert, person, time, text) VALUES (?,?,?,?,?)", e.Seq, a.Object, a.User, nano(e.Time), a.Text)
	}
	return nil
}

// event is what is filed of an event of a round's record.
type event struct {
	Seat   int
	Zone   string
	Card   string
	Cards  []string
	Amount int64
}

// at is the seat of an event, 0 for none: some name it by their zone, "seat:3/2 main".
func (e *event) at() int {
	rest, ok := strings.CutPrefix(e.Zone, "seat:")
	if e.Seat != 0 || !ok {
		return e.Seat
	}
	digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if digits >= 0 {
		rest = rest[:digits]
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return 0
	}
	return n
}

// plays files a round's cards and money. A record that comes again replaces the one
// before.
func (file filing) plays(table, round string, events []event) error {
	if err := file("DELETE FROM plays WHERE tbl = ? AND round = ?", table, round); err != nil {
		return err
	}
	n := 0
	add := func(seat int, card string, amount int64) error {
		n++
		return file("INSERT INTO plays (tbl, round, n, seat, card, amount) VALUES (?,?,?,?,?,?)", table, round, n, seat, card, amount)
	}
	for _, e := range events {
		cards := e.Cards
		if e.Card != "" {
			cards = append(cards, e.Card)
		}
		for _, c := range cards {
			if err := add(e.at(), c, 0); err != nil {
				return err
			}
		}
		if e.Amount != 0 {
			if err := add(e.at(), "", e.Amount); err != nil {
				return err
			}
		}
	}
	return nil
}
