package session_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vision/internal/testkit/books"
	"vision/validate/round"
	"vision/validate/session"
)

// TestSupervisionThroughTime: section 4.9.
func TestSupervisionThroughTime(t *testing.T) {
	shift := func(at, jefe string, others ...string) string {
		return at + ` shift_start jefe=` + jefe + ` tables=[{"id":"T1","position":1}` + strings.Join(append([]string{""}, others...), ",") + `];`
	}
	table := func(id, game, recording string, position string) string {
		return `{"id":"` + id + `","game":"` + game + `","open":true,"recording":"` + recording + `","position":` + position + `}`
	}
	runTold(t, []told{
		{"a gap between two shifts", nac, "blackjack", `0 open; ` + eva + ` 50 shift_end jefe=eva; 80 shift_start jefe=ana tables=[{"id":"T1"}]; 100 close`, nil, "no_jefe @2 50-80", "03.III L323"},
		{"within the grace of the house", nac, "blackjack", `0 open; ` + eva + ` 50 shift_end jefe=eva; 80 shift_start jefe=ana tables=[{"id":"T1"}]; 100 close`, options("grace_s", 30), "", ""},
		{"a second beyond it", nac, "blackjack", `0 open; ` + eva + ` 50 shift_end jefe=eva; 80 shift_start jefe=ana tables=[{"id":"T1"}]; 100 close`, options("grace_s", 29), "no_jefe @2 50-80", ""},
		{"no grace where he is there permanently", can, "baccara_chemin_de_fer", `0 open; ` + eva + ` 50 shift_end jefe=eva; 51 shift_start jefe=ana tables=[{"id":"T1"}]; 100 close`, options("grace_s", 30), "no_jefe @2 50-51", ""},
		{"events within are one interval", nac, "blackjack", `0 open; 10 round ref=a; 20 round ref=b; 30 close`, nil, "no_jefe @0 0-30", ""},
		{"a break of the table ends it", nac, "blackjack", `0 open; 10 close reason=no_players; 20 open; 30 close`, nil, "no_jefe @0 0-10; no_jefe @2 20-30", ""},
		{"closed tables need none", nac, "blackjack", `0 close; 50 camera_moved; 90 camera_moved`, nil, "", ""},
		{"a table that needs none", can, "sic_bo", `0 open; 50 close`, nil, "", ""},
		{"Castilla y León asks for none", cyl, "poker_trijoker", `0 open; 50 close`, nil, "", ""},
		{"staff by role", and, "punto_banco", `0 open; ` + eva + ` 10 staff source=stated staff={"croupier":2}; 40 staff source=stated staff={"croupier":3}; 60 close`, nil, "staff_missing croupier 3/2 @2 10-40", "I.1.7 L1926"},
		{"nothing before it is told", and, "punto_banco", `0 open; ` + eva + ` 60 close`, nil, "", ""},
		{"staff of each sort", nac, "baccara_dos_panos", `0 open; ` + eva + ` 10 staff source=stated staff={"croupier":1}; 40 close`, nil, "staff_missing cambista 1/0 @2 10-40; staff_missing auxiliar 1/0 @2 10-40", "09 L1040"},
		{"counted, the jefe among them perhaps", nac, "baccara_dos_panos", `0 open; ` + eva + ` 10 staff source=counted persons=3; 20 staff source=counted persons=2; 40 close`, nil, "staff_missing any 3/2 @3 20-40", "09 L1040"},
		{"dispensed with", can, "ruleta_francesa", `0 open; ` + eva + ` 10 staff source=stated staff={"croupier":2} waived=["extremo"]; 20 staff source=stated staff={"croupier":2}; 40 close`, nil, "staff_missing extremo 1/0 @3 20-40", "A.1 L221-226"},
		{"the croupier of circle poker is there permanently", can, "omaha_circulo", `0 open; ` + eva + ` 10 staff source=stated staff={"croupier":0}; 11 staff source=stated staff={"croupier":1}; 40 close`, options("grace_s", 30), "staff_missing croupier 1/0 @2 10-11", ""},
		{"but not its jefe de sector", can, "omaha_circulo", `0 open; ` + eva + ` 10 shift_end jefe=eva; 11 shift_start jefe=ana tables=[{"id":"T1"}]; 40 close`, options("grace_s", 30), "", ""},
		{"the own recording fails", can, "ruleta_francesa", `0 open; ` + shift("0", "eva", table("T2", "ruleta_francesa", "ok", "2")) + ` 10 recording_lost; 30 recording_restored; 40 close`, nil, "recording_required eva T1 @2 10-30", "A.1 L226-230"},
		{"degraded is recorded", can, "ruleta_francesa", `0 open; ` + shift("0", "eva", table("T2", "ruleta_francesa", "ok", "2")) + ` 10 recording_lost state=degraded; 40 close`, nil, "", ""},
		{"unless the house is strict", can, "ruleta_francesa", `0 open; ` + shift("0", "eva", table("T2", "ruleta_francesa", "ok", "2")) + ` 10 recording_lost state=degraded; 40 close`, options("strict_recording", true), "recording_required eva T1 @2 10-40", ""},
		{"the condition of recording has no grace", can, "ruleta_francesa", `0 open; ` + shift("0", "eva", table("T2", "ruleta_francesa", "ok", "2")) + ` 10 recording_lost; 11 recording_restored; 40 close`, options("grace_s", 60), "recording_required eva T1 @2 10-11", ""},
		{"apart", can, "ruleta_francesa", `0 open; ` + shift("0", "eva", table("T3", "ruleta_francesa", "ok", "3")) + ` 40 close`, nil, "not_contiguous eva @1 0-40", ""},
		{"turned to another game", can, "blackjack", `0 open float=1; ` + shift("0", "eva", table("T2", "blackjack", "down", "2")) + ` 10 close reason=game_change; 10 game_change game=tripoker; 10 open float=1 cloth=P2; 40 close`, nil, "recording_required eva T2 @4 10-40", "A.4 L745-753"},
		{"variants of one game", can, "ruleta_francesa", `0 open; ` + shift("0", "eva", `{"id":"T2","game":"ruleta_francesa","variant":"two_layouts","open":true,"recording":"ok"}`) + ` 40 close`, nil, "not_homogeneous eva @1 0-40", ""},
		{"a house limit", cyl, "poker_trijoker", `0 open; ` + shift("0", "eva", table("T2", "tripoker", "down", "2")) + ` 40 close`, options("max_tables", 1), "too_many_tables eva 1/2 @1 0-40", "(house limit)"},
		{"another jefe takes some over", nac, "boule", `0 open; ` + shift("0", "eva", table("T2", "boule", "ok", "2")) + shift("15", "ana") + ` 40 close`, nil, "too_many_tables eva 1/2 @1 0-15", "04"},
	})
}

func TestActa(t *testing.T) {
	v := judged(t, can, "ruleta_americana", `0 open float=100 limits={"min":200,"max":4000} cloth=P1 shoe=S dice_set=D;
		0 shift_start jefe=eva tables=[{"id":"T1","position":1},{"id":"T2","game":"ruleta_americana","open":true,"recording":"ok","position":2},{"id":"T3","game":"ruleta_americana","open":true,"recording":"ok","position":3}];
		10 round ref=a money={"in":30,"out":10,"pozo":5}; 20 recording_lost; 30 recording_restored; 40 table_state table=T3 open=false; 50 table_state table=T2 open=false;
		60 limits_changed min=200; 60 limits_changed min=200 max=4000; 70 shift_end jefe=eva; 80 round ref=b void=true decided=false verifiable=false; 90 close float=120 cover=locked reason=no_players;
		95 round ref=c; 100 camera_moved; 110 open; 110 sealed what=clip hash=abc; 120 talla_end seen={"As":1}`, nil)
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"open_s":100,
		"runs":[{"game":"ruleta_americana","from":0,"to":90,"cloth":"P1","shoe":"S","dice_set":"D"},{"game":"ruleta_americana","from":110,"to":120,"cloth":null,"shoe":null,"dice_set":null}],
		"jefes":[{"jefe":"eva","seconds":70,"tables_max":3}],
		"supervision":{"no_jefe_s":30,"exempt_s":0,"single_s":20,"shared":[{"tables":2,"held_s":10,"not_held_s":0,"rules":["cantabria-2010 A.2 L519-522"]},{"tables":3,"held_s":30,"not_held_s":10,"rules":["cantabria-2010 A.2 L522-526"]}]},
		"recording":{"lost_s":10,"gaps":1,"camera_moved":1},
		"limits":[{"min":200,"max":4000,"from":0,"to":60},{"min":200,"max":4000,"from":60,"to":90}],
		"rounds":{"total":2,"decided":1,"verifiable":1,"void":1,"while_closed":1,"not_verifiable":{"other":1}},
		"findings":{},
		"session_findings":{"no_jefe":2,"recording_required":1},
		"money":{"in":30,"out":10,"pozo":5,"result":25},
		"float":[{"open":100,"fills":0,"credits":0,"changes":0,"book":120,"close":120,"difference":0},{"open":null,"fills":0,"credits":0,"changes":0,"book":null,"close":null,"difference":null}],
		"changes":{"count":0,"told":0,"chips":0,"difference":0},
		"tallas":1,
		"seals":[{"event":15,"what":"clip","hash":"abc"}]}`), &want); err != nil {
		t.Fatal(err)
	}
	for _, d := range differences("summary", want, got["summary"]) {
		t.Error(d)
	}
	if v.Next.Limits != nil {
		t.Errorf("the second run has no limits: %+v", v.Next)
	}
}

// anyEvents draws the events of a session, none of which contradicts another.
func anyEvents(t *rapid.T) []any {
	var list []any
	at, open, on := 0, rapid.Bool().Draw(t, "open"), false
	started := open
	for range rapid.IntRange(1, 25).Draw(t, "events") {
		at += rapid.IntRange(0, 40).Draw(t, "wait")
		e := map[string]any{"t": at}
		n := rapid.IntRange(0, 1000)
		switch rapid.IntRange(0, 11).Draw(t, "what") {
		case 0:
			if started = true; open {
				e["type"], e["float"] = "close", n.Draw(t, "float")
			} else {
				e["type"], e["float"], e["limits"] = "open", n.Draw(t, "float"), map[string]any{"min": rapid.SampledFrom([]int{100, 200}).Draw(t, "min")}
			}
			open = !open
		case 1:
			e["type"], e["jefe"], on = "shift_start", rapid.SampledFrom([]string{"eva", "ana"}).Draw(t, "jefe"), true
			e["tables"] = []any{map[string]any{"id": "T1"}, map[string]any{"id": "T2", "game": "blackjack", "open": rapid.Bool().Draw(t, "other"), "recording": "ok"}}
		case 2:
			if e["type"] = "camera_moved"; on {
				e["type"], e["table"], e["open"] = "table_state", "T2", rapid.Bool().Draw(t, "state")
			}
		case 3:
			e["type"] = rapid.SampledFrom([]string{"recording_lost", "recording_restored"}).Draw(t, "recording")
		case 4:
			e["type"], e["source"], e["persons"] = "staff", "counted", rapid.IntRange(0, 3).Draw(t, "persons")
		case 5:
			e["type"], e["min"] = "limits_changed", rapid.SampledFrom([]int{100, 200, 500}).Draw(t, "min")
		case 6:
			e["type"], e["last"] = "limits_change_announced", rapid.IntRange(0, 5).Draw(t, "last")
		case 7:
			e["type"], e["amount"] = rapid.SampledFrom([]string{"fill", "credit", "count"}).Draw(t, "move"), n.Draw(t, "amount")
		case 8:
			e["type"], e["told"], e["chips"] = "change", n.Draw(t, "told"), n.Draw(t, "chips")
		case 9:
			e["type"], e["game"] = "game_change", rapid.SampledFrom([]string{"blackjack", "boule", "ruleta_americana"}).Draw(t, "game")
		default:
			e["type"], e["ref"], e["void"] = "round", "r", rapid.Bool().Draw(t, "void")
			e["money"] = map[string]any{"in": n.Draw(t, "in"), "out": n.Draw(t, "out")}
		}
		list = append(list, e)
	}
	if !started && open {
		list = append(list, map[string]any{"t": at, "type": "close"})
	}
	return list
}

func anySession(t *rapid.T) []byte {
	raw, err := json.Marshal(map[string]any{"schema": session.Schema, "id": "s", "table": "T1", "date": "2026-03-14",
		"norm":   rapid.SampledFrom([]string{nac, bal, and, can}).Draw(t, "norm"),
		"game":   rapid.SampledFrom([]string{"blackjack", "boule", "treinta_cuarenta"}).Draw(t, "game"),
		"events": anyEvents(t)})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestEveryOpenSecondIsAccountedFor: open time is exempt, without jefe, under a
// jefe of this table alone, or shared; the jefes have what is under one; the
// findings are in order and counted; the floats come to their books.
func TestEveryOpenSecondIsAccountedFor(t *testing.T) {
	b := books.Shipped(t)
	rapid.Check(t, func(t *rapid.T) {
		raw := anySession(t)
		v, err := check(raw, b)
		if err != nil {
			t.Fatal(err, string(raw))
		}
		holds(t, v)
		again, err := check(raw, b)
		if one, two := text(v), text(again); err != nil || one != two {
			t.Fatalf("judged differently:\n%s\n%s", one, two)
		}
	})
}

func holds(t interface{ Fatalf(string, ...any) }, v session.Verdict) {
	s := &v.Summary
	sum := s.Supervision.ExemptS + s.Supervision.NoJefeS + s.Supervision.SingleS
	for _, x := range s.Supervision.Shared {
		sum += x.HeldS + x.NotHeldS
	}
	under := int64(0)
	for _, j := range s.Jefes {
		under += j.Seconds
	}
	runs := int64(0)
	for _, r := range s.Runs {
		runs += r.To - r.From
	}
	if s.OpenS != sum || s.OpenS != runs || under > s.OpenS || s.Recording.LostS > s.OpenS {
		t.Fatalf("open %d s, accounted for %d, runs %d, under jefes %d, not recorded %d", s.OpenS, sum, runs, under, s.Recording.LostS)
	}
	counted := 0
	for _, n := range s.SessionFindings {
		counted += n
	}
	inOrder := slices.IsSortedFunc(v.Findings, func(a, b session.Finding) int {
		if a.Event != b.Event {
			return a.Event - b.Event
		}
		return cmp.Compare(a.Code, b.Code)
	})
	if counted != len(v.Findings) || !inOrder {
		t.Fatalf("%d findings counted of %d, in order %v", counted, len(v.Findings), inOrder)
	}
	for _, f := range v.Findings {
		if f.Rule == "" || f.Severity == "" || f.From != nil && *f.From >= *f.To {
			t.Fatalf("%+v", f)
		}
	}
	if len(s.Float) != len(s.Runs) || s.Money.Result != s.Money.In-s.Money.Out+s.Money.Pozo {
		t.Fatalf("%d floats of %d runs, money %+v", len(s.Float), len(s.Runs), s.Money)
	}
}

// TestPartsOfASession: what a session cut in two finds of changes and counts is
// what the whole finds, when the first part's next is the second's carry.
func TestPartsOfASession(t *testing.T) {
	b := books.Shipped(t)
	rapid.Check(t, func(t *rapid.T) {
		var whole map[string]any
		if err := json.Unmarshal(anySession(t), &whole); err != nil {
			t.Fatal(err)
		}
		events := whole["events"].([]any)
		if len(events) < 2 {
			return
		}
		cut := rapid.IntRange(1, len(events)-1).Draw(t, "cut")
		// a part begins with the game that is played, and without what happened at a closed table
		for _, e := range events {
			if x := e.(map[string]any); x["type"] == "game_change" || x["type"] == "table_state" || x["type"] == "open" || x["type"] == "close" {
				return
			}
		}
		judge := func(events []any, carry any) session.Verdict {
			whole["events"], whole["carry"] = events, carry
			raw, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			v, err := check(raw, b)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		start := map[string]any{"limits": map[string]any{"min": 100}}
		all := judge(events, start)
		first := judge(events[:cut], start)
		second := judge(events[cut:], first.Next)
		if text(all.Next) != text(second.Next) {
			t.Fatalf("whole %s\nparts %s", text(all.Next), text(second.Next))
		}
		if n := first.Summary.Rounds.Total + second.Summary.Rounds.Total; n != all.Summary.Rounds.Total ||
			first.Summary.Money.In+second.Summary.Money.In != all.Summary.Money.In {
			t.Fatalf("%d rounds in parts, %d in the whole", n, all.Summary.Rounds.Total)
		}
	})
}

// FuzzCheck: whatever is read is judged or refused with a place, and what is
// judged adds up.
func FuzzCheck(f *testing.F) {
	b := books.Shipped(f)
	f.Add(written(f, can, "ruleta_americana", `0 open float=5 limits={"min":200,"max":4000}; 0 shift_start jefe=eva tables=[{"id":"T1"},{"id":"T2","game":"boule","open":true,"recording":"ok"}]; 9 staff source=stated staff={"croupier":1}; 60 round ref=r money={"in":1,"out":0}; 90 close`, options("grace_s", 5)))
	f.Add(written(f, nac, "baccara_chemin_de_fer", `0 open packs=6 backs={"r":3,"b":3}; 1 cut; 2 cut_card below=7; 3 talla_begin; 4 control_requested; 5 talla_end seen={"As":9,"Jk":1} left=2; 6 deck_control cards={"As":6}; 7 close shoe_left=locked`, nil))
	f.Add(written(f, bal, "poker_sin_descarte", `0 meter amount=1 coin=5; 1 meter amount=9 coin=5 coins=9; 2 game_change game=blackjack; 3 change told=1 chips=2; 4 limits_shown min=null`, with("carry", with("limits", with("min", 5)))))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := check(data, b)
		if err != nil {
			if bad := (*round.Error)(nil); !errors.As(err, &bad) || bad.Problem == "" {
				t.Fatalf("refused as %v", err)
			}
			return
		}
		holds(t, v)
	})
}
