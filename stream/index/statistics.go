package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// What statistics may be grouped by.
const (
	ByTable = "table"
	ByGame  = "game"
	ByDay   = "day"
	ByWeek  = "week"
	ByHour  = "hour"
)

// Groupings are all of them.
var Groupings = []string{ByTable, ByGame, ByDay, ByWeek, ByHour}

// Statistics are the figures of one group of rounds and of the alerts about rounds.
// Rounds count by when they ended, alerts by when they were raised.
type Statistics struct {
	Table string `json:"table,omitempty"` // "" where it is not grouped by it, as with the two below
	Game  string `json:"game,omitempty"`
	Day   string `json:"day,omitempty"`  // "2026-11-20", in the zone of the question
	Week  string `json:"week,omitempty"` // its Monday
	Hour  string `json:"hour,omitempty"` // of the day, "21"

	Rounds        int            `json:"rounds"`
	Hours         int            `json:"hours"`    // clock hours of a table in which a round ended
	PerHour       float64        `json:"per_hour"` // rounds in each of them
	WithFindings  int            `json:"with_findings"`
	NotVerifiable int            `json:"not_verifiable"`
	Reasons       map[string]int `json:"reasons"` // of those

	Alerts      int            `json:"alerts"`
	Codes       map[string]int `json:"codes"`
	Places      map[string]int `json:"places"`       // of alerts that name one: "3 main", seat and spot; seat 0 is all
	Outcomes    map[string]int `json:"outcomes"`     // of those that somebody has acknowledged
	Judged      map[string]int `json:"judged"`       // by code, of those that somebody has acknowledged
	FalseCodes  map[string]int `json:"false_codes"`  // by code, of those, the false alarms
	FalseAlarms float64        `json:"false_alarms"` // share of those, as judged by the staff; 0 without any
	Amount      int64          `json:"amount"`       // cents at stake
	AckMedian   float64        `json:"ack_median_s"` // seconds from raised to acknowledged
	Ack95       float64        `json:"ack_p95_s"`
	// Acknowledged are the seconds of each, for who puts the figures of several indexes
	// together.
	Acknowledged []float64 `json:"acknowledged_s,omitempty"`
}

// Statistics counts rounds and alerts by what a question groups them by; of the query it
// reads the tables and the times. zone says when a day begins.
func (x *Index) Statistics(ctx context.Context, q Query, by []string, zone *time.Location) ([]Statistics, error) {
	for _, g := range by {
		if !slices.Contains(Groupings, g) {
			return nil, fmt.Errorf("by %q: want some of %v", g, Groupings)
		}
	}
	c := counted{by: by, zone: zone, groups: map[groupKey]*Statistics{}}
	if err := errors.Join(x.countRounds(ctx, q, &c), x.countAlerts(ctx, q, &c)); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return c.finish(), nil
}

// groupKey has a group's value of each of Groupings, "" where it is not grouped by it.
type groupKey [5]string

func (k groupKey) empty() *Statistics {
	return &Statistics{Table: k[0], Game: k[1], Day: k[2], Week: k[3], Hour: k[4], Reasons: map[string]int{},
		Codes: map[string]int{}, Places: map[string]int{}, Outcomes: map[string]int{},
		Judged: map[string]int{}, FalseCodes: map[string]int{}}
}

// counted are the groups so far.
type counted struct {
	by     []string
	zone   *time.Location
	groups map[groupKey]*Statistics
}

// monday is the first day of the week of a time.
func monday(at time.Time) time.Time { return at.AddDate(0, 0, -(int(at.Weekday())+6)%7) }

// group is that of something at a table.
func (c *counted) group(table, game string, at time.Time) *Statistics {
	var k groupKey
	at = at.In(c.zone)
	for i, v := range []string{table, game, at.Format(time.DateOnly), monday(at).Format(time.DateOnly), at.Format("15")} {
		if slices.Contains(c.by, Groupings[i]) {
			k[i] = v
		}
	}
	return c.of(k)
}

func (c *counted) of(k groupKey) *Statistics {
	if c.groups[k] == nil {
		c.groups[k] = k.empty()
	}
	return c.groups[k]
}

func (x *Index) countRounds(ctx context.Context, q Query, c *counted) error {
	const hour = int64(time.Hour)
	w, args := q.conditions("stop", map[string]string{"tbl": q.Table}, "stop > 0")
	query := fmt.Sprintf("SELECT tbl, game, stop/%d, unsure, count(*), sum(findings > 0 AND unsure = '') FROM rounds%s GROUP BY 1, 2, 3, 4", hour, w)
	type tick struct {
		table string
		hour  int64
	}
	ended := map[*Statistics]map[tick]bool{}
	err := each(ctx, x.read, query, args, func(r *sql.Rows) error {
		var table, game, why string
		var n, found int
		var at int64
		if err := r.Scan(&table, &game, &at, &why, &n, &found); err != nil {
			return err
		}
		g := c.group(table, game, fromNano(at*hour))
		g.Rounds += n
		g.WithFindings += found
		if why != "" {
			g.NotVerifiable += n
			g.Reasons[why] += n
		}
		if ended[g] == nil {
			ended[g] = map[tick]bool{}
		}
		ended[g][tick{table, at}] = true
		return nil
	})
	for g, hours := range ended {
		g.Hours = len(hours)
	}
	return err
}

// countAlerts counts the alerts that were raised here. One of another machine has steps in
// this ledger where that machine was away: it counts there.
func (x *Index) countAlerts(ctx context.Context, q Query, c *counted) error {
	w, args := q.conditions("opened", map[string]string{"tbl": q.Table}, "here", "json_extract(body, '$.kind') IN ('finding', 'variance')")
	return each(ctx, x.read, "SELECT tbl, code, opened, amount, body FROM alerts"+w, args, func(r *sql.Rows) error {
		var table, code, body string
		var at, amount int64
		if err := r.Scan(&table, &code, &at, &amount, &body); err != nil {
			return err
		}
		var a struct {
			Game   string
			Seat   int
			Spot   string
			Raised time.Time
			Ack    *struct {
				Outcome string
				At      time.Time
			}
		}
		if err := json.Unmarshal([]byte(body), &a); err != nil {
			return fmt.Errorf("alert of table %q: %w", table, err)
		}
		g := c.group(table, a.Game, fromNano(at))
		g.Alerts++
		g.Codes[code]++
		if a.Seat > 0 || a.Spot != "" {
			g.Places[strings.TrimSpace(fmt.Sprint(a.Seat, " ", a.Spot))]++
		}
		g.Amount += amount
		if a.Ack != nil {
			g.Outcomes[a.Ack.Outcome]++
			g.Judged[code]++
			if a.Ack.Outcome == falseAlarm {
				g.FalseCodes[code]++
			}
			g.Acknowledged = append(g.Acknowledged, a.Ack.At.Sub(a.Raised).Seconds())
		}
		return nil
	})
}

// falseAlarm is the outcome of an alert that was none.
const falseAlarm = "false_alarm"

// finish gives the groups in order: by table, game, day, week and hour.
func (c *counted) finish() []Statistics {
	out := make([]Statistics, 0, len(c.groups))
	inOrder := func(a, b groupKey) int { return slices.Compare(a[:], b[:]) }
	for _, k := range slices.SortedFunc(maps.Keys(c.groups), inOrder) {
		g := c.groups[k]
		if g.Hours > 0 {
			g.PerHour = float64(g.Rounds) / float64(g.Hours)
		}
		if n := len(g.Acknowledged); n > 0 {
			slices.Sort(g.Acknowledged)
			g.FalseAlarms = float64(g.Outcomes[falseAlarm]) / float64(n)
			g.AckMedian, g.Ack95 = g.Acknowledged[(n-1)/2], g.Acknowledged[(n-1)*95/100]
		}
		out = append(out, *g)
	}
	return out
}

// Together are the figures of several indexes of which each has other rounds.
func Together(parts ...[]Statistics) []Statistics {
	c := counted{groups: map[groupKey]*Statistics{}}
	add := func(to, from map[string]int) {
		for k, n := range from {
			to[k] += n
		}
	}
	for _, x := range slices.Concat(parts...) {
		g := c.of(groupKey{x.Table, x.Game, x.Day, x.Week, x.Hour})
		g.Rounds, g.Hours, g.WithFindings = g.Rounds+x.Rounds, g.Hours+x.Hours, g.WithFindings+x.WithFindings
		g.NotVerifiable, g.Alerts, g.Amount = g.NotVerifiable+x.NotVerifiable, g.Alerts+x.Alerts, g.Amount+x.Amount
		add(g.Reasons, x.Reasons)
		add(g.Codes, x.Codes)
		add(g.Places, x.Places)
		add(g.Outcomes, x.Outcomes)
		add(g.Judged, x.Judged)
		add(g.FalseCodes, x.FalseCodes)
		g.Acknowledged = append(g.Acknowledged, x.Acknowledged...)
	}
	out := c.finish()
	for i := range out {
		out[i].Acknowledged = nil
	}
	return out
}
