package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/track"
	"vision/validate/track/infer"
)

// With --explain each finding of a round is followed by the hypotheses about it, in words.
func TestReplayExplains(t *testing.T) {
	r := &track.Round{Record: round.Record{ID: "BJ1-1"}, Findings: []track.Judged{{
		Finding: round.Finding{Code: finding.PayoutUnder, Seat: 3, Spot: "main"}, P: 0.9, Alert: true,
		Accounts: []infer.Account{
			{P: 0.9, Holds: true, Codes: []finding.Code{finding.PayoutUnder}},
			{P: 0.08, Assumes: []infer.Assumption{{Departs: infer.OtherAmount, Seat: 3, Read: money.Cents(4000),
				Instead: money.Cents(4500)}}},
		},
	}}}
	for _, explain := range []bool{false, true} {
		var out bytes.Buffer
		if err := (printer{to: json.NewEncoder(&out), explain: explain}).print(r); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if !explain {
			if len(lines) != 2 {
				t.Errorf("%d lines without --explain: %v", len(lines), lines)
			}
			continue
		}
		var got struct {
			Explain struct {
				Round, Code string
				P           float64
				Accounts    []struct {
					P  float64
					ES string
				}
			}
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil || len(lines) != 3 {
			t.Fatalf("%v: %v", err, lines)
		}
		x := got.Explain
		if x.Round != "BJ1-1" || x.Code != "payout_under" || x.P != 0.9 || len(x.Accounts) != 2 ||
			x.Accounts[1].ES != "8 %: todo correcto, si las fichas de puesto 3 son 45,00 €, no 40,00 €" {
			t.Errorf("explained as %+v", x)
		}
	}
}
