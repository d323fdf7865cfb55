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

// conclude carries out what the tracker says.
func (j *judge) conclude(ctx context.Context, outs []track.Out) error {
	if len(outs) > 0 && j.ours != nil && !j.ours(ctx, j.table) {
		j.log.Warn("what a table came to is not said: another machine has it by now", "table", j.table, "what", len(outs))
		return nil
	}
	for _, o := range outs {
		var err error
		switch o := o.(type) {
		case *track.PhaseChange:
			j.state.Phase = string(o.Phase)
			j.rest()
			j.show("state", "", &j.state)
		case *track.Live:
			j.state.live(o)
			j.rest()
			j.show("state", "", &j.state)
		case *track.Alert:
			err = j.alert(ctx, o)
		case *track.Round:
			err = j.round(ctx, o)
		case *track.Variance:
			err = j.variance(ctx, o)
		case *track.Note:
			err = j.note(ctx, o)
		case *track.Reread:
			for _, zone := range o.Zones {
				j.again(zone)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *judge) note(ctx context.Context, n *track.Note) error {
	if n.Code == track.NoteLate {
		j.passing(health.SensorLate, j.table, n.Text)
	}
	if err := j.append(ctx, "note", n); err != nil {
		return err
	}
	j.publish(StreamNotes, n)
	return nil
}

// alertID is the same for a finding raised early and for the one of the finished round.
func alertID(table, round string, f round.Finding) string {
	return strings.Join([]string{table, round, string(f.Code), fmt.Sprint(f.Seat), f.Spot, f.Zone}, "/")
}

func (j *judge) alert(ctx context.Context, a *track.Alert) error {
	if a.State == track.Corrected {
		id := alertID(j.table, a.Round, a.Finding)
		return j.insist(ctx, func() error { return j.desk.Resolve(ctx, id) })
	}
	return j.raise(ctx, a.Round, a.Judged)
}

func (j *judge) raise(ctx context.Context, id string, f track.Judged) error {
	if !f.Alert {
		return nil
	}
	var amount int64
	if f.Delta != nil {
		amount = max(int64(*f.Delta), -int64(*f.Delta))
	}
	v := round.Verdict{ID: id, Norm: j.norm, Game: j.game}
	var accounts []alert.Account
	for i := range f.Accounts {
		a := &f.Accounts[i]
		accounts = append(accounts, alert.Account{
			Probability: a.P, Holds: a.Holds,
			Localized: text.Localize(func(lang string) string { return explain.Account(lang, a, time.Local) }),
		})
	}
	say := func(lang string) string {
		said := j.say(lang, v, f.Finding)
		if f.Rack != nil {
			said += " · " + explain.Rack(lang, *f.Rack)
		}
		return said
	}
	var with []string
	for _, o := range f.With {
		with = append(with, alertID(j.table, id, o))
	}
	return j.raiseAlert(ctx, alert.Alert{
		ID: alertID(j.table, id, f.Finding), Incident: j.desk.Incident(with), Kind: "finding",
		Table: j.table, Game: j.game, Norm: j.norm, Round: id,
		Code: string(f.Code), Severity: string(f.Severity), Seat: f.Seat, Spot: f.Spot, Expected: f.Expected,
		Observed:  f.Observed,
		Localized: text.Localize(say), Rule: f.Rule, Evidence: f.Evidence, Probability: f.P, At: f.At, Amount: amount,
		Clip:     &alert.Clip{Camera: j.camera, From: f.From, To: f.To},
		Accounts: accounts,
	})
}

func (j *judge) raiseAlert(ctx context.Context, a alert.Alert) error {
	return j.insist(ctx, func() error { return j.desk.Raise(ctx, a) })
}

// kept is a finished round as the ledger has it: the record and the verdict
// are the spec's own; this is what else is known of it.
type kept struct {
	Round         string         `json:"round"`
	Findings      []track.Judged `json:"findings"`
	Start         time.Time      `json:"start"`
	End           time.Time      `json:"end"`
	Times         []time.Time    `json:"times"`
	NotVerifiable string         `json:"not_verifiable,omitempty"`
}

// round keeps a finished round and shows it. Its alerts come first: a stop
// between the two must not leave a verdict of which nobody was notified. What an earlier run has
// kept of the round is not kept twice: its calls are heard again where it was killed before it
// kept the tracker's state.
func (j *judge) round(ctx context.Context, r *track.Round) error {
	j.earlier(r)
	for _, f := range r.Findings {
		if err := j.raise(ctx, r.Record.ID, f); err != nil {
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
		{ledger.Judged, kept{id, r.Findings, r.Start, r.End, r.Times, r.NotVerifiable}},
	} {
		if !j.has(e.kind, id) {
			if err := j.append(ctx, e.kind, e.body); err != nil {
				return err
			}
		}
	}
	if !j.has(ledger.Judged, id) {
		j.tell(r)
	}
	return j.keep(ctx)
}

// tell shows a round that is kept.
func (j *judge) tell(r *track.Round) {
	j.publish(StreamRounds, r)
	j.last = &span{r.Start, r.End}
	j.ended = append(j.ended, r.End)
	for len(j.ended) > 0 && r.End.Sub(j.ended[0]) > time.Hour {
		j.ended = j.ended[1:]
	}
	j.perHour.Store(int64(len(j.ended)))
	j.rounds.Add(1)
	if r.NotVerifiable != "" {
		j.unsure.Add(1)
	}
	j.apply()
	j.played(r)
	j.state.finished(r, j.last, j.ended)
	j.show("state", "", &j.state)
	j.show("round", r.Record.ID, r)
}

func (j *judge) variance(ctx context.Context, v *track.Variance) error {
	j.publish(StreamVariances, v)
	k, known := alert.Find("variance_" + v.Fact) // a test holds the tracker's facts against the catalogue
	title := k.Localized
	if !known {
		title = text.Text{ES: "Dos lecturas del mismo hecho no coinciden", EN: "Two readings of one fact disagree"}.Localized()
	}
	said := func(lang string) string {
		one, other := &v.One, &v.Other
		return fmt.Sprintf("%s: %s · %s", title.In(lang),
			explain.Reading(lang, one.By, one.What, one.Zone), explain.Reading(lang, other.By, other.What, other.Zone))
	}
	return j.raiseAlert(ctx, alert.Alert{
		ID:   fmt.Sprintf("%s/variance/%s/%d", j.table, v.Fact, v.Time.UnixMilli()),
		Kind: "variance", Table: j.table, Game: j.game, Norm: j.norm, Code: "variance_" + v.Fact, Severity: cmp.Or(k.Severity, "major"), Probability: 1,
		Localized: text.Localize(said),
		At:        v.Time,
		Clip:      &alert.Clip{Camera: j.camera, From: v.Time.Add(-2 * time.Second), To: v.Time.Add(2 * time.Second)},
	})
}
