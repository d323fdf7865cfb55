package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// In a cluster of several machines every desk has the alerts of all. A step is made at one
// desk, whose ledger has it first, and merged at the others. What each knows of an alert is
// joined: whichever way and however often steps come, all end with the same.

// Own reports whether an alert was raised at this desk: then its ledger has every step.
func (d *Desk) Own(a *Alert) bool { return a.Node == d.cfg.Node || a.Node == "" }

// Merge takes what another desk knows of an alert. Steps that are new here are notified in
// their order, each once; where the alert was raised at this desk, its ledger has them
// first.
func (d *Desk) Merge(ctx context.Context, a Alert) error {
	if a.ID == "" {
		return fmt.Errorf("alert without id from another node")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.alerts[a.ID]
	joined := a
	if old != nil {
		var lacked bool
		if joined, lacked, _ = Join(*old, a); !lacked {
			return nil
		}
		if d.Own(old) {
			if err := d.cfg.Ledger.Append(ctx, Entry, joined.Table, step{joined.State(), joined}); err != nil {
				return fmt.Errorf("alert %s: %w", a.ID, err)
			}
		}
		if old.Ack == nil && joined.Ack != nil && d.Own(old) {
			d.acked[CodeOutcome{a.Code, joined.Ack.Outcome}]++
		}
	}
	d.alerts[a.ID] = &joined
	for _, s := range newSteps(old, joined) {
		d.cfg.Merged(s)
	}
	d.tidy()
	return nil
}

// newSteps are the alert as each step left it that old (nil: none) lacks.
func newSteps(old *Alert, a Alert) (out []Alert) {
	at, none := a, old == nil
	if none {
		old = &Alert{}
	}
	at.Escalated, at.Resolved, at.Ack = old.Escalated, old.Resolved, old.Ack // a step that comes late takes none back
	if none {
		out = append(out, at)
	}
	if at.Escalated = a.Escalated; old.Escalated.IsZero() && !a.Escalated.IsZero() {
		out = append(out, at)
	}
	if at.Resolved = a.Resolved; old.Resolved.IsZero() && !a.Resolved.IsZero() {
		out = append(out, at)
	}
	if at.Ack = a.Ack; a.Ack != nil && (old.Ack == nil || !sameAck(*old.Ack, *a.Ack)) {
		out = append(out, at)
	}
	return out
}

// Join is what two desks know of one alert together, and which of them lacked some of it.
// Of two who acknowledged the same alert the earlier counts, and of two times the earlier.
func Join(a, b Alert) (joined Alert, aLacked, bLacked bool) {
	joined = a
	joined.Escalated = earlier(a.Escalated, b.Escalated)
	joined.Resolved = earlier(a.Resolved, b.Resolved)
	if joined.Ack == nil || b.Ack != nil && first(*b.Ack, *a.Ack) {
		joined.Ack = b.Ack
	}
	lacks := func(x Alert) bool {
		return !x.Escalated.Equal(joined.Escalated) || !x.Resolved.Equal(joined.Resolved) ||
			(x.Ack == nil) != (joined.Ack == nil) || x.Ack != nil && !sameAck(*x.Ack, *joined.Ack)
	}
	return joined, lacks(a), lacks(b)
}

// JoinRaw is Join of alerts as they are sent to other nodes.
func JoinRaw(a, b json.RawMessage) (joined json.RawMessage, aLacked, bLacked bool, err error) {
	var x, y Alert
	if err = json.Unmarshal(a, &x); err == nil {
		err = json.Unmarshal(b, &y)
	}
	if err != nil {
		return nil, false, false, fmt.Errorf("alert of another node: %w", err)
	}
	z, aLacked, bLacked := Join(x, y)
	joined, err = json.Marshal(z)
	return joined, aLacked, bLacked, err
}

// earlier is the earlier of two times, zero where neither is known.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// first reports whether an acknowledgement came before another; of the same moment, that
// of the name which comes first.
func first(a, b Ack) bool {
	said := func(x Ack) string { return string(x.Outcome) + x.Note }
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.By, b.By), cmp.Compare(said(a), said(b))) < 0
}

func sameAck(a, b Ack) bool {
	return a.At.Equal(b.At) && a.By == b.By && a.Outcome == b.Outcome && a.Note == b.Note
}
