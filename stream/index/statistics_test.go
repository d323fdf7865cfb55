package index

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"vision/stream/ledger"
)

// Statistics are what was put in, however it is grouped.
func TestStatistics(t *testing.T) {
	l, x := setup(t)
	madrid := time.FixedZone("CET", 3600)
	rng := rand.New(rand.NewPCG(5, 6))
	type sum struct {
		rounds, found, unsure, alerts, wrong, acked int
		amount                                      int64
	}
	want, all := map[string]*sum{}, &sum{}
	tables := map[string]string{"BJ1": "blackjack", "BJ2": "blackjack", "R1": "ruleta_francesa"}
	for i := range 300 {
		table := []string{"BJ1", "BJ2", "R1"}[rng.IntN(3)]
		end := begin.Add(time.Duration(rng.IntN(72*60)) * time.Minute)
		day := end.In(madrid).Format(time.DateOnly)
		key := table + " " + day
		if want[key] == nil {
			want[key] = &sum{}
		}
		id, why, findings := fmt.Sprint("r", i), "", "[]"
		for _, s := range []*sum{want[key], all} {
			s.rounds++
		}
		switch rng.IntN(4) {
		case 0:
			why = "the camera sent nothing"
			want[key].unsure++
			all.unsure++
		case 1:
			findings = `[{"code":"payout_over","severity":"major","delta":500}]`
			want[key].found++
			all.found++
		}
		put(t, l, ledger.Verdict, table, fmt.Sprintf(`{"id":%q,"norm":"n","game":%q,"findings":%s}`, id, tables[table], findings))
		put(t, l, ledger.Judged, table, fmt.Sprintf(`{"round":%q,"start":%q,"end":%q,"not_verifiable":%q}`, id, end.Add(-time.Minute).Format(time.RFC3339),
			end.Format(time.RFC3339), why))
		if findings == "[]" {
			continue
		}
		all.alerts++
		all.amount += 500
		a := map[string]any{"id": id, "kind": "finding", "state": "open", "code": "payout_over", "game": tables[table], "amount": 500, "raised": end,
			"seat": 3, "spot": "main"}
		switch rng.IntN(3) {
		case 0:
			a["ack"] = map[string]any{"by": "vera", "outcome": "false_alarm", "at": end.Add(10 * time.Second)}
			all.wrong++
			all.acked++
		case 1:
			a["ack"] = map[string]any{"by": "vera", "outcome": "corrected", "at": end.Add(30 * time.Second)}
			all.acked++
		}
		b, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		put(t, l, ledger.Alert, table, string(b))
	}
	put(t, l, ledger.Alert, "BJ1", `{"id":"h","kind":"health","state":"open","code":"camera_blind"}`) // not about a round
	if err := x.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := x.Statistics(t.Context(), Query{}, nil, madrid)
	if err != nil || len(got) != 1 {
		t.Fatalf("%v: %+v", err, got)
	}
	if g := got[0]; g.Rounds != all.rounds || g.WithFindings != all.found || g.NotVerifiable != all.unsure ||
		g.Alerts != all.alerts || g.Amount != all.amount || g.Outcomes["false_alarm"] != all.wrong ||
		g.Judged["payout_over"] != all.acked || g.FalseCodes["payout_over"] != all.wrong ||
		g.FalseAlarms != float64(
			all.wrong,
		)/float64(
			all.acked,
		) || g.Codes["payout_over"] != all.alerts || g.Places["3 main"] != all.alerts || g.Reasons["the camera sent nothing"] != all.unsure ||
		g.AckMedian < 10 || g.AckMedian > 30 || g.Ack95 != 30 {
		t.Errorf("%+v, want %+v", g, all)
	}
	byDay, err := x.Statistics(t.Context(), Query{}, []string{ByTable, ByDay}, madrid)
	if err != nil || len(byDay) != len(want) {
		t.Fatalf("%v: %d groups, want %d", err, len(byDay), len(want))
	}
	for _, g := range byDay {
		w := want[g.Table+" "+g.Day]
		if w == nil || g.Rounds != w.rounds || g.WithFindings != w.found || g.NotVerifiable != w.unsure || g.Game != "" {
			t.Errorf("%+v, want %+v", g, w)
		}
		if g.Hours == 0 || g.Hours > 24 || g.PerHour != float64(g.Rounds)/float64(g.Hours) {
			t.Errorf("%d rounds in %d hours: %v", g.Rounds, g.Hours, g.PerHour)
		}
	}
	if !slices.IsSortedFunc(byDay, func(a, b Statistics) int {
		return slices.Compare([]string{a.Table, a.Day}, []string{b.Table, b.Day})
	}) {
		t.Error("out of order")
	}
	weeks, err := x.Statistics(t.Context(), Query{}, []string{ByWeek}, madrid)
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for _, g := range weeks {
		played += g.Rounds
		if day, err := time.Parse(time.DateOnly, g.Week); err != nil || day.Weekday() != time.Monday {
			t.Errorf("a week begins on %q", g.Week)
		}
	}
	if played != all.rounds || len(weeks) >= len(byDay) {
		t.Errorf("%d rounds in %d weeks, want %d", played, len(weeks), all.rounds)
	}
	hours, err := x.Statistics(t.Context(), Query{}, []string{ByHour}, madrid)
	if err != nil || len(hours) < 20 || len(hours) > 24 {
		t.Errorf("%v: %d hours of the day", err, len(hours))
	}
	for _, g := range hours {
		played -= g.Rounds
		if at, err := time.ParseInLocation("15", g.Hour, madrid); err != nil || at.Format("15") != g.Hour {
			t.Errorf("hour %q: %v", g.Hour, err)
		}
	}
	if played != 0 {
		t.Errorf("the hours lack %d rounds", played)
	}
	games, err := x.Statistics(t.Context(), Query{Tables: []string{"R1"}, From: begin, To: begin.Add(24 * time.Hour)},
		[]string{ByGame}, madrid)
	if err != nil || len(games) != 1 || games[0].Game != "ruleta_francesa" || games[0].Rounds >= all.rounds {
		t.Errorf("%v: %+v", err, games)
	}
	if _, err := x.Statistics(t.Context(), Query{}, []string{"croupier"}, madrid); err == nil {
		t.Error("by croupier")
	}
}

// An alert that another machine held while its own was away has steps in two ledgers; it is
// one alert, with one outcome.
func TestAnAlertCountsWhereItWasRaised(t *testing.T) {
	const alertOf = `{"id":"BJ1/r1/payout_over","kind":"finding","node":"a","state":%q,"code":"payout_over","amount":500,` +
		`"raised":"2026-11-20T21:00:00Z"%s}`
	const ack = `,"ack":{"by":"vera","outcome":"corrected","at":"2026-11-20T21:00:10Z"}`
	raising, raisedBy := setup(t)
	holding, heldBy := setup(t)
	put(t, raising, ledger.Alert, "BJ1", fmt.Sprintf(alertOf, "open", ""))
	put(t, holding, ledger.Alert, "BJ1", fmt.Sprintf(alertOf, "escalated", ""))
	for _, l := range []*ledger.Ledger{raising, holding} {
		put(t, l, ledger.Alert, "BJ1", fmt.Sprintf(alertOf, "acknowledged", ack))
	}
	var parts [][]Statistics
	for _, x := range []*Index{raisedBy, heldBy} {
		if err := x.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		part, err := x.Statistics(t.Context(), Query{}, nil, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	all := Together(parts...)
	if len(all) != 1 || all[0].Alerts != 1 || all[0].Amount != 500 || all[0].Outcomes["corrected"] != 1 || all[0].AckMedian != 10 {
		t.Errorf("%+v of %+v", all, parts)
	}
}
