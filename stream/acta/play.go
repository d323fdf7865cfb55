package acta

import (
	"cmp"
	"maps"
	"slices"
	"time"
	"vision/stream/record"

	"vision/validate/finding"
)

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
