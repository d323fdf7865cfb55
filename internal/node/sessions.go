package node

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"vision/internal/config"
	"vision/internal/text"
	"vision/stream/floor"
	"vision/stream/index"
	"vision/stream/jornada"
	"vision/stream/ledger"
	"vision/stream/snapshot"
	"vision/validate/explain"
	"vision/validate/room"
	"vision/validate/session"
	"vision/validate/track"
)

// places are the tables as their sessions need them. It refuses options that make no sense.
func (n *Node) places(cfg *config.Config) (places []jornada.Place, err error) {
	for _, t := range cfg.Tables {
		p := jornada.Place{
			ID:      t.ID,
			Game:    t.Game,
			Norm:    t.Norm,
			Variant: t.Variant,
			Options: t.Session,
			Camera:  t.Cameras[0].Name,
		}
		record, err := json.Marshal(map[string]any{
			"schema": session.Schema, "id": t.ID, "norm": t.Norm, "table": t.ID, "date": time.Now().Format(time.DateOnly), "game": t.Game,
			"options": options(t.Session), "events": []map[string]any{{"t": 0, "type": "shuffle"}},
		})
		if err == nil {
			_, err = n.judgeSession(record)
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: session: %w", t.ID, err)
		}
		places = append(places, p)
	}
	return places, nil
}

// openSessions prepares the sessions of the tables.
func (n *Node) openSessions() error {
	places, err := n.places(n.inForce())
	if err != nil {
		return err
	}
	n.sessions = jornada.New(jornada.Config{
		Tables: places, Judge: n.judgeSession, Ledger: sessionLedger{n}, Desk: n.desk, Log: n.log,
		Limits: func(table string, low, high int64) {
			if t := n.table(table); t != nil {
				t.SetLimits(low, high)
			}
		},
		Float: func(table string) (jornada.Float, bool) {
			t := n.table(table)
			if t == nil {
				return jornada.Float{}, false
			}
			f, ok := t.Float()
			return jornada.Float{Low: f.Low, High: f.High}, ok
		},
		Said: func(table string, at time.Time) {
			m := snapshot.StepMark(table, at)
			n.store.Mark(fmt.Sprint(jornada.Entry, "/", table, "/", at.UnixNano()), m.Table, m.From, m.To)
		},
	})
	return nil
}

func options(o map[string]any) map[string]any {
	if o == nil {
		return map[string]any{}
	}
	return o
}

// judgeSession judges a record by the norm.
func (n *Node) judgeSession(record []byte) (jornada.Ruling, error) {
	rec, err := session.Parse(record)
	if err != nil {
		return jornada.Ruling{}, err
	}
	v, err := session.Check(n.books, rec)
	if err != nil {
		return jornada.Ruling{}, err
	}
	out := jornada.Ruling{Findings: []jornada.Finding{}}
	for i := range v.Findings {
		f := &v.Findings[i]
		x := jornada.Finding{
			Code: f.Code, Severity: string(f.Severity), Event: f.Event, Rule: f.Rule,
			Localized: text.Localize(func(lang string) string { return explain.Happening(lang, rec.Table, f) }),
			Key:       strings.Join([]string{string(f.Code), fmt.Sprint(f.Event), f.What, f.Card, f.Jefe, f.Table, f.Role}, "/"),
		}
		if f.Delta != nil {
			x.Amount = max(*f.Delta, -*f.Delta)
		}
		out.Findings = append(out.Findings, x)
	}
	if out.Summary, err = json.Marshal(v.Summary); err != nil {
		return out, err
	}
	out.Next, err = json.Marshal(v.Next)
	return out, err
}

// room is the room as the sessions of its tables need it.
func (n *Node) room(s floor.Status) (out []jornada.Table) {
	for _, t := range s.Tables {
		x := jornada.Table{Jefe: t.Jefe, Table: room.Table{ID: t.ID, Game: t.Game, Variant: t.Variant, Open: t.Open,
			Recording: t.Recording}}
		if c, err := n.inForce().Table(t.ID); err == nil {
			x.Position, x.Adjacent = c.Position, c.Adjacent
		}
		out = append(out, x)
	}
	return out
}

// played adds a round to the session of its table.
func (n *Node) played(table string, r *track.Round) {
	rec, v, why := r.Record, r.Verdict, r.NotVerifiable
	n.later(func(ctx context.Context) error { return n.sessions.Played(ctx, table, &rec, &v, why) })
}

// jornadaLasts is how far back a session that still runs may have begun.
const jornadaLasts = 48 * time.Hour

// resumeSessions restores the tables' sessions from the ledger.
func (n *Node) resumeSessions(tables []string) error {
	for _, id := range tables {
		q := index.Query{Kind: ledger.Session, Table: id, From: time.Now().Add(-jornadaLasts), Oldest: true, Limit: 10000}
		entries, err := n.index.Entries(context.Background(), q)
		if err != nil {
			return err
		}
		payloads := make([]json.RawMessage, len(entries))
		for i, e := range entries {
			payloads[i] = e.Payload
		}
		if err := n.sessions.Restore(id, payloads); err != nil {
			n.log.Error("session not restored", "table", id, "err", err)
		}
	}
	return nil
}
