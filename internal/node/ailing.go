package node

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vision/internal/health"
	"vision/stream/alert"
)

// ailing raises the alerts of problems with recordings: somebody has to see to
// them before evidence is lost, also where nobody looks at the page of health. An
// alert ends some time after its problem, and outlasts a restart. (A camera that
// is blind or moved raises its own, with its recording.)
type ailing struct {
	node *Node
	open map[string]ailment // by the beginning of the alerts' ids
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

// newAiling takes up what an earlier run left open; a problem has some time to
// show itself again.
func newAiling(n *Node) *ailing {
	a := &ailing{node: n, open: map[string]ailment{}}
	for _, x := range n.desk.List(func(x *alert.Alert) bool {
		return strings.HasPrefix(x.ID, ailingPrefix) && x.Resolved.IsZero()
	}) {
		a.open[x.ID[:strings.LastIndex(x.ID, "/")+1]] = ailment{x.ID, n.begun.Add(2 * calm)}
	}
	return a
}

// look raises and ends alerts by the problems of this moment. What the ledger
// refuses is tried again at the next look.
func (a *ailing) look(ctx context.Context, now time.Time) {
	for _, p := range a.node.board.Present() {
		severity, ok := alarming[p.Code]
		if !ok {
			continue
		}
		key := ailingKey(p)
		x, had := a.open[key]
		if !had {
			x.alert = key + fmt.Sprint(p.Since.UnixMilli())
			if a.node.desk.Raise(ctx, a.of(p, x.alert, severity)) != nil {
				continue
			}
		}
		if now.After(x.seen) {
			x.seen = now
		}
		a.open[key] = x
	}
	for key, x := range a.open {
		if now.Sub(x.seen) >= calm && a.node.desk.Resolve(ctx, x.alert) == nil {
			delete(a.open, key)
		}
	}
}

// of is a problem as an alert.
func (a *ailing) of(p health.Problem, id, severity string) alert.Alert {
	where := ""
	if p.Table != "" {
		where = " (" + p.Object + ")"
	}
	x := alert.Alert{ID: id, Kind: "health", Table: p.Table, Code: p.Code, Severity: severity, Probability: 1, At: p.Since,
		ES: fmt.Sprintf("%s%s. %s", p.ES, where, p.AdviceES), EN: fmt.Sprintf("%s%s. %s", p.EN, where, p.AdviceEN)}
	if t := a.node.table(p.Table); t != nil {
		x.Game, x.Norm = t.Config().Game, t.Config().Norm
	}
	return x
}
