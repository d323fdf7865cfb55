package e2e

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/internal/money"
	"vision/internal/text"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/validate/finding"
	"vision/validate/round"
)

// hall are the tables of the weeks, and what may be wrong at each.
var hall = map[string]struct {
	game  string
	seats int
	spots []string
	codes []finding.Code
}{
	"BJ1": {"blackjack", 7, []string{"main"}, []finding.Code{finding.PayoutUnder, finding.PayoutUnder, finding.PayoutUnder,
		finding.LateBet, finding.StoodMustDraw}},
	"PB1": {"punto_banco", 12, []string{"punto", "banca", "empate"}, []finding.Code{finding.PayoutOver, finding.PayoutOver,
		finding.LateBet, finding.BetBelowMin, finding.AnnouncementMissing}},
}

// night is what is written of one: what may come in any order stands together.
type night [4][]ledgered

type ledgered struct {
	kind    ledger.Kind
	table   string
	payload any
}

// weeks writes into the data folder dir that its tables were played at every night of the
// last n weeks, per rounds each: some rounds could not be verified, some have findings, and
// of those fewer from week to week turned out to be false alarms, and sooner.
func weeks(t *testing.T, dir string, n, per int) {
	t.Helper()
	var now time.Time
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	rng := rand.New(rand.NewPCG(21, 11))
	today := time.Now().Truncate(24 * time.Hour)
	for day := range 7 * n {
		var all night
		age := float64(7*n-day) / float64(7*n) // of the first night 1
		now = today.AddDate(0, 0, day-7*n).Add(20 * time.Hour)
		for i := range per {
			for _, table := range []string{"BJ1", "PB1"} {
				all.round(rng, table, now.Add(time.Duration(i)*6*time.Hour/time.Duration(per)), age)
			}
		}
		now = now.Add(7 * time.Hour)
		for _, some := range all {
			if err := together(l, some); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// together writes entries at once, so that they share their ways to the disk.
func together(l *ledger.Ledger, some []ledgered) error {
	var g errgroup.Group
	for _, e := range some {
		g.Go(func() error {
			_, err := l.Append(e.kind, e.table, e.payload)
			return err
		})
	}
	return g.Wait()
}

// round adds one that ended then.
func (x *night) round(rng *rand.Rand, table string, end time.Time, age float64) {
	at := hall[table]
	put := func(step int, kind ledger.Kind, payload any) {
		x[step] = append(x[step], ledgered{kind, table, payload})
	}
	id := fmt.Sprintf("%s-%s", table, end.UTC().Format("20060102T150405"))
	v := round.Verdict{Schema: "verdict/1", ID: id, Norm: "cantabria-2010", Game: at.game, Findings: []round.Finding{}}
	why := ""
	switch dice := rng.Float64(); {
	case dice < 0.05+0.1*age:
		why = []string{"part of the round was not seen", "the camera moved", "the camera sent nothing"}[rng.IntN(3)]
	case dice > 0.85:
		cents := money.Cents(500 * (1 + rng.IntN(20)))
		f := round.Finding{Code: at.codes[rng.IntN(len(at.codes))], Severity: finding.Major, Seat: 1 + rng.IntN(at.seats),
			Spot: at.spots[rng.IntN(len(at.spots))], Delta: &cents, Rule: "cantabria-2010 A.4"}
		v.Findings = append(v.Findings, f)
		a := alert.Alert{ID: id + "/" + string(f.Code), Kind: "finding", Table: table, Game: at.game, Norm: v.Norm,
			Round: id, Code: string(f.Code), Severity: string(f.Severity), Seat: f.Seat, Spot: f.Spot,
			Amount: int64(cents), Localized: text.Localized{ES: "Paga de menos", EN: "Pays too little", CA: "Paga de menys"}, Probability: 0.9, At: end, Raised: end}
		put(2, ledger.Alert, stepped{alert.Open, a})
		outcome := append(slices.Repeat(alert.Outcomes[:1], 3), alert.Escalated, alert.Noted)[rng.IntN(5)]
		if rng.Float64() < 0.5*age {
			outcome = alert.FalseAlarm
		}
		if later := end.Add(time.Duration((10 + 200*age*rng.Float64()) * float64(time.Second))); rng.Float64() < 0.95 {
			a.Ack = &alert.Ack{By: "ana", At: later, Outcome: outcome}
			put(3, ledger.Alert, stepped{alert.Acknowledged, a})
		}
	}
	put(0, ledger.Verdict, v)
	begin := end.Add(-time.Minute)
	put(1, ledger.Judged, map[string]any{"round": id, "start": begin, "end": end, "not_verifiable": why})
}

// stepped is an alert as a step of its life left it, as the ledger has it.
type stepped struct {
	State alert.State `json:"state"`
	alert.Alert
}
