package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"vision/internal/health"
	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/validate/explain"
	"vision/validate/round"
	"vision/validate/track"
)

// conclude handles the tracker's outputs.
func (l *tableLoop) conclude(ctx context.Context, outs []track.Out) error {
	if len(outs) > 0 && l.t.deps.OwnsLease != nil && !l.t.deps.OwnsLease(ctx, l.t.cfg.ID) {
		l.t.deps.Log.Warn("lease lost, outputs dropped", "table", l.t.cfg.ID, "what", len(outs))
		return nil
	}
	for _, o := range outs {
		var err error
		switch o := o.(type) {
		case *track.PhaseChange:
			l.state.Phase = string(o.Phase)
			l.noteQuiet()
			l.show("state", "", &l.state)
		case *track.Live:
			l.state.live(o)
			l.noteQuiet()
			l.show("state", "", &l.state)
		case *track.Alert:
			err = l.alert(ctx, o)
		case *track.Round:
			err = l.round(ctx, o)
		case *track.Variance:
			err = l.variance(ctx, o)
		case *track.Note:
			err = l.note(ctx, o)
		case *track.Reread:
			for _, zone := range o.Zones {
				(*l.t.reader.Load()).Again(zone)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *tableLoop) note(ctx context.Context, n *track.Note) error {
	if n.Code == track.NoteLate {
		l.t.deps.Passing(health.SensorLate, l.t.cfg.ID, l.t.cfg.ID, n.Text)
	}
	if err := l.append(ctx, "note", n); err != nil {
		return err
	}
	l.publish(StreamNotes, n)
	return nil
}

// alertID is the same for a finding raised early and for the one of the finished round.
func alertID(table, round string, f round.Finding) string {
	return strings.Join([]string{table, round, string(f.Code), fmt.Sprint(f.Seat), f.Spot, f.Zone}, "/")
}

func (l *tableLoop) alert(ctx context.Context, a *track.Alert) error {
	if a.State == track.Corrected {
		id := alertID(l.t.cfg.ID, a.Round, a.Finding)
		return l.insist(ctx, func() error { return l.t.deps.Desk.Resolve(ctx, id) })
	}
	return l.raise(ctx, a.Round, a.Judged)
}

func (l *tableLoop) raise(ctx context.Context, id string, f track.Judged) error {
	if !f.Alert {
		return nil
	}
	var amount int64
	if f.Delta != nil {
		amount = max(int64(*f.Delta), -int64(*f.Delta))
	}
	v := round.Verdict{ID: id, Norm: l.t.cfg.Norm, Game: l.t.cfg.Game}
	var accounts []alert.Account
	for i := range f.Accounts {
		a := &f.Accounts[i]
		accounts = append(accounts, alert.Account{
			Probability: a.P, Holds: a.Holds,
			Localized: text.Localize(func(lang string) string { return explain.Account(lang, a, time.Local) }),
		})
	}
	sentence := func(lang string) string {
		out := explain.Sentence(lang, &v, &f.Finding)
		if f.Rack != nil {
			out += " · " + explain.Rack(lang, *f.Rack)
		}
		return out
	}
	var with []string
	for _, o := range f.With {
		with = append(with, alertID(l.t.cfg.ID, id, o))
	}
	return l.raiseAlert(ctx, alert.Alert{
		ID: alertID(l.t.cfg.ID, id, f.Finding), Incident: l.t.deps.Desk.Incident(with), Kind: "finding",
		Table: l.t.cfg.ID, Game: l.t.cfg.Game, Norm: l.t.cfg.Norm, Round: id,
		Code: string(f.Code), Severity: string(f.Severity), Seat: f.Seat, Spot: f.Spot, Expected: f.Expected,
		Observed:  f.Observed,
		Localized: text.Localize(sentence), Rule: f.Rule, Evidence: f.Evidence, Probability: f.P, At: f.At, Amount: amount,
		Clip:     &alert.Clip{Camera: l.t.cameras[0].cfg.Name, From: f.From, To: f.To},
		Accounts: accounts,
	})
}

func (l *tableLoop) raiseAlert(ctx context.Context, a alert.Alert) error {
	return l.insist(ctx, func() error { return l.t.deps.Desk.Raise(ctx, a) })
}

// judgedRound is a finished round as the ledger has it: the record and the verdict
// are the spec's own; this is what else is known of it.
type judgedRound struct {
	Round         string         `json:"round"`
	Findings      []track.Judged `json:"findings"`
	Start         time.Time      `json:"start"`
	End           time.Time      `json:"end"`
	Times         []time.Time    `json:"times"`
	NotVerifiable string         `json:"not_verifiable,omitempty"`
}

// round keeps a finished round and shows it. Its alerts come first: a stop
// between the two must not leave a verdict of which nobody was notified. What an earlier run has
// kept of the round is not kept twice: its calls are replayed if it was killed before its
// snapshot.
func (l *tableLoop) round(ctx context.Context, r *track.Round) error {
	l.takeEarlierID(r)
	for _, f := range r.Findings {
		if err := l.raise(ctx, r.Record.ID, f); err != nil {
			return err
		}
	}
	id := r.Record.ID
	for _, e := range []struct {
		kind ledger.Kind
		body any
	}{
		{ledger.Round, r.Record},
		{ledger.Verdict, r.Verdict},
		{ledger.Judged, judgedRound{id, r.Findings, r.Start, r.End, r.Times, r.NotVerifiable}},
	} {
		if !l.hasKept(e.kind, id) {
			if err := l.append(ctx, e.kind, e.body); err != nil {
				return err
			}
		}
	}
	if !l.hasKept(ledger.Judged, id) {
		l.publishRound(r)
	}
	return l.keep(ctx)
}

// publishRound shows a round that is kept.
func (l *tableLoop) publishRound(r *track.Round) {
	l.publish(StreamRounds, r)
	l.last = &span{r.Start, r.End}
	l.ended = append(l.ended, r.End)
	for len(l.ended) > 0 && r.End.Sub(l.ended[0]) > time.Hour {
		l.ended = l.ended[1:]
	}
	l.perHour.Store(int64(len(l.ended)))
	l.rounds.Add(1)
	if r.NotVerifiable != "" {
		l.unsure.Add(1)
	}
	l.apply()
	if l.t.deps.Played != nil {
		l.t.deps.Played(l.t.cfg.ID, r)
	}
	l.state.finished(r, l.last, l.ended)
	l.show("state", "", &l.state)
	l.show("round", r.Record.ID, r)
}

func (l *tableLoop) variance(ctx context.Context, v *track.Variance) error {
	l.publish(StreamVariances, v)
	k, known := alert.Find("variance_" + v.Fact) // a test holds the tracker's facts against the catalogue
	title := k.Localized
	if !known {
		title = text.Text{ES: "Dos lecturas del mismo hecho no coinciden", EN: "Two readings of one fact disagree"}.Localized()
	}
	sentence := func(lang string) string {
		one, other := &v.One, &v.Other
		return fmt.Sprintf("%s: %s · %s", title.In(lang),
			explain.Reading(lang, one.By, one.What, one.Zone), explain.Reading(lang, other.By, other.What, other.Zone))
	}
	return l.raiseAlert(ctx, alert.Alert{
		ID:   fmt.Sprintf("%s/variance/%s/%d", l.t.cfg.ID, v.Fact, v.Time.UnixMilli()),
		Kind: "variance", Table: l.t.cfg.ID, Game: l.t.cfg.Game, Norm: l.t.cfg.Norm, Code: "variance_" + v.Fact,
		Severity: cmp.Or(k.Severity, "major"), Probability: 1,
		Localized: text.Localize(sentence),
		At:        v.Time,
		Clip: &alert.Clip{
			Camera: l.t.cameras[0].cfg.Name, From: v.Time.Add(-2 * time.Second), To: v.Time.Add(2 * time.Second),
		},
	})
}
