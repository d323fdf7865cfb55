package alert

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vision/internal/health"
	"vision/internal/text"
)

// Ailing raises the alerts of problems with recordings: somebody has to see to
// them before evidence is lost, also where nobody looks at the page of health. An
// alert ends some time after its problem, and outlasts a restart. (A camera that
// is blind or moved raises its own, with its recording.)
type Ailing struct {
	desk  *Desk
	board *health.Board
	of    func(table string) (game, norm string)
	open  map[string]ailment // by the beginning of the alerts' ids
}

// ailment is an alert whose problem was there when it was last looked at.
type ailment struct {
	alert string
	seen  time.Time
}

// alarming are the problems that raise an alert, with its severity.
var alarming = map[string]string{
	health.DiskLow: "major", health.DiskFull: "critical", health.RecordingFailed: "critical",
}

// calm is how long a problem has to be gone before its alert ends.
const calm = 10 * time.Second

const ailingPrefix = "recordings/"

func ailingKey(p health.Problem) string { return ailingPrefix + p.Code + "/" + p.Object + "/" }

// NewAiling takes up what an earlier run left open; a problem has some time from begun on
// to show itself again. of is a table's game and norm.
func NewAiling(desk *Desk, board *health.Board, of func(table string) (game, norm string), begun time.Time) *Ailing {
	a := &Ailing{desk: desk, board: board, of: of, open: map[string]ailment{}}
	for _, x := range desk.List(func(x *Alert) bool {
		return strings.HasPrefix(x.ID, ailingPrefix) && x.Resolved.IsZero() && desk.Own(x)
	}) {
		a.open[x.ID[:strings.LastIndex(x.ID, "/")+1]] = ailment{x.ID, begun.Add(2 * calm)}
	}
	return a
}

// Look raises and ends alerts by the problems of this moment. What the ledger
// refuses is tried again at the next look.
func (a *Ailing) Look(ctx context.Context, now time.Time) {
	for _, p := range a.board.Present() {
		severity, ok := alarming[p.Code]
		if !ok {
			continue
		}
		key := ailingKey(p)
		x, had := a.open[key]
		if !had {
			x.alert = key + fmt.Sprint(p.Since.UnixMilli())
			if a.desk.Raise(ctx, a.alertOf(p, x.alert, severity)) != nil {
				continue
			}
		}
		if now.After(x.seen) {
			x.seen = now
		}
		a.open[key] = x
	}
	for key, x := range a.open {
		if now.Sub(x.seen) >= calm && a.desk.Resolve(ctx, x.alert) == nil {
			delete(a.open, key)
		}
	}
}

// alertOf is a problem as an alert.
func (a *Ailing) alertOf(p health.Problem, id, severity string) Alert {
	where := ""
	if p.Table != "" {
		where = " (" + p.Object + ")"
	}
	x := Alert{ID: id, Kind: "health", Table: p.Table, Code: p.Code, Severity: severity, Probability: 1, At: p.Since,
		Localized: text.Localize(func(lang string) string {
			return p.In(lang) + where + ". " + p.Advice().In(lang)
		})}
	x.Game, x.Norm = a.of(p.Table)
	return x
}
