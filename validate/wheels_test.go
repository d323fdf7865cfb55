package validate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/internal/cited"
	"vision/validate/round"
	"vision/validate/rulebook"
)

// script writes a record in short: events are separated by ";", and one is
//
//	bet|withdraw|collect|pay|return|commission SEAT SPOT AMOUNT
//	move SEAT FROM TO AMOUNT     ball POCKET     dice F F [IRREGULAR]
//	nvm [BY]     say BY CALL [KEY=VALUE]…     act SEAT ACTION [SPOT]
//	incident KIND [BY]     clear     conf C (of the event before)
//
// setup is "norm game" and JSON members of the record, as `"table":{…}`.
func script(t testing.TB, setup, events string) *round.Record {
	t.Helper()
	head := strings.SplitN(setup, " ", 3)
	rec := map[string]any{"schema": "round/1", "id": "t", "norm": head[0], "game": head[1],
		"table": map[string]any{"id": "T"}}
	if len(head) == 3 {
		if err := json.Unmarshal([]byte("{"+head[2]+"}"), &rec); err != nil {
			t.Fatal(err)
		}
		rec["table"].(map[string]any)["id"] = "T"
	}
	list := []map[string]any{}
	for _, line := range strings.Split(events, ";") {
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		if w[0] == "conf" {
			list[len(list)-1]["conf"] = json.Number(w[1])
			continue
		}
		e := event(t, w)
		e["t"] = len(list)
		list = append(list, e)
	}
	rec["events"] = list
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := round.Parse(raw)
	if err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return r
}

func event(t testing.TB, w []string) map[string]any {
	e := map[string]any{"type": w[0]}
	num := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%q in %v", s, w)
		}
		return n
	}
	switch w[0] {
	case "bet", "withdraw", "collect", "pay", "return", "commission":
		e["seat"], e["spot"], e["amount"] = num(w[1]), w[2], num(w[3])
	case "move":
		e["seat"], e["from"], e["to"], e["amount"] = num(w[1]), w[2], w[3], num(w[4])
	case "ball":
		e["pocket"] = w[1]
	case "dice":
		faces := []int{}
		for _, f := range w[1:] {
			if n, err := strconv.Atoi(f); err == nil {
				faces = append(faces, n)
			} else {
				e["irregular"] = f
			}
		}
		e["faces"] = faces
	case "nvm":
		e["type"], e["by"], e["call"] = "announce", "croupier", "no_va_mas"
		if len(w) > 1 {
			e["by"] = w[1]
		}
	case "say":
		e["type"], e["by"], e["call"] = "announce", w[1], w[2]
		for _, kv := range w[3:] {
			k, v, _ := strings.Cut(kv, "=")
			e[k] = v
			if k == "points" || k == "seat" || k == "amount" {
				e[k] = num(v)
			}
			if k == "ok" {
				e[k] = v == "true"
			}
			if k == "numbers" {
				e[k] = json.RawMessage("[" + v + "]")
			}
		}
	case "act":
		e["type"], e["seat"], e["action"] = "action", num(w[1]), w[2]
		if len(w) > 3 {
			e["spot"] = w[3]
		}
	case "incident":
		e["kind"] = w[1]
		if len(w) > 2 {
			e["by"] = w[2]
		}
	case "clear":
	default:
		t.Fatalf("no such event: %v", w)
	}
	return e
}

func TestMain(m *testing.M) {
	os.Exit(cited.Main(m, func() (*rulebook.Books, error) { return validate.Books() }, "wheels", "testdata/articles.txt"))
}

// brief writes findings as "code[ seat spot][ expected/observed] @event", joined by "; ".
func brief(fs []round.Finding) string {
	var out []string
	for _, f := range fs {
		s := string(f.Code)
		if f.Seat > 0 {
			s += fmt.Sprint(" ", f.Seat)
		}
		if f.Spot != "" {
			s += " " + f.Spot
		}
		if f.Code != finding.AnnouncementMissing && f.Code != finding.OtherProcedure && (f.Expected != nil || f.Observed != nil) {
			s += " " + amount(f.Expected) + "/" + amount(f.Observed)
		}
		out = append(out, s+fmt.Sprint(" @", f.Event))
	}
	return strings.Join(out, "; ")
}

func amount(v any) string {
	if v == nil {
		return "-"
	}
	raw, _ := json.Marshal(v)
	return strings.Trim(string(raw), `"`)
}

// lines writes the settlement as "seat spot outcome pays returns", joined by "; ".
func lines(v round.Verdict) string {
	var out []string
	for _, l := range v.Settlement {
		out = append(out, fmt.Sprintf("%d %s %s %d %d", l.Seat, l.Spot, l.Outcome, l.Pays, l.Returns))
	}
	return strings.Join(out, "; ")
}

type ruleCase struct {
	name, setup, events string
	findings            string // as brief writes them
	lines               string // as lines does; "" not compared
	next                string // JSON; "" not compared
	result              string // JSON; "" not compared
}

func (c ruleCase) run(t *testing.T) {
	rec := script(t, c.setup, c.events)
	v, err := validate.Check(books.Shipped(t), rec)
	if err != nil {
		t.Fatal(err)
	}
	cited.Judged(t, v)
	if got := brief(v.Findings); got != c.findings {
		t.Errorf("findings\n got %s\nwant %s", got, c.findings)
	}
	if got := lines(v); c.lines != "" && got != c.lines {
		t.Errorf("settlement\n got %s\nwant %s", got, c.lines)
	}
	for _, part := range []struct {
		name, want string
		got        any
	}{{"next", c.next, v.Next}, {"result", c.result, v.Result}} {
		if raw, _ := json.Marshal(part.got); part.want != "" && string(raw) != part.want {
			t.Errorf("%s\n got %s\nwant %s", part.name, raw, part.want)
		}
	}
}

func runRules(t *testing.T, cases []ruleCase) {
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), c.run)
	}
}

const (
	rfN = "nacional-1979 ruleta_francesa "
	rfB = "balears-2005 ruleta_francesa "
	rfA = "andalucia-2010 ruleta_francesa "
	rfC = "cantabria-2010 ruleta_francesa "
	raN = "nacional-1979 ruleta_americana "
	raB = "balears-2005 ruleta_americana "
	raC = "cantabria-2010 ruleta_americana "
	r00 = "cantabria-2010 ruleta_americana_doble_cero "
	tab = `"table":{"min":100}`
	n5  = "say croupier number number=5 color=rojo parity=impar half=falta"
	n8  = "say croupier number number=8 color=negro parity=par half=falta"
	n0  = "say croupier number number=0"
)

// TestThrows covers sections 1.1 to 1.3: throws, windows, null outcomes.
func TestThrows(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "window reopens after a null throw", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; incident ball_out; say jefe null_throw; bet 2 par 300; nvm; ball 5; " + n5 + "; collect 2 par 300; pay 1 rojo 500; clear",
			findings: "", lines: "1 rojo win 500 500; 2 par lose 0 0"},
		{name: "null call after the ball and before any movement is never disputed", setup: rfC + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "", lines: "1 rojo win 500 500"},
		{name: "null call after a movement is too late", setup: rfC + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; " + n5 + "; pay 1 rojo 500; say jefe null_throw; clear",
			findings: ""},
		{name: "the option keeps the window shut", setup: rfN + `"table":{"min":100,"options":{"reclose_after_null":false}}`,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; bet 2 par 300; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 2 par -/300 @4", lines: "1 rojo win 500 500; 2 par void 0 300"},
		{name: "only null throws void a wheel", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; clear",
			findings: "", lines: "1 rojo void 0 500", result: `{"null":true}`, next: "{}"},
		{name: "movements after only null throws", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 8; say jefe null_throw; collect 1 rojo 500; pay 1 rojo 20; clear",
			findings: "void_round_settled 1 rojo 0/520 @4"},
		{name: "a null ball counted", setup: rfB + tab,
			events:   "bet 1 rojo 500; nvm; incident foreign_object; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "null_ball_counted @3; void_round_settled 1 rojo 0/500 @5"},
		{name: "a call alone counts it", setup: rfB + tab,
			events:   "bet 1 rojo 500; nvm; incident foreign_object; ball 5; " + n5 + "; clear",
			findings: "null_ball_counted @3"},
		{name: "a null ball neither called nor counted", setup: rfA + tab,
			events:   "bet 1 rojo 500; nvm; incident ball_out; ball 8; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "announcement_missing @8"},
		{name: "a stake given back does not count a null ball", setup: rfA + tab,
			events:   "bet 1 rojo 500; nvm; incident ball_out; ball 8; return 1 rojo 500; clear",
			findings: "announcement_missing @5", lines: "1 rojo void 0 500"},
		{name: "null call by the croupier", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; incident ball_out; say croupier null_throw; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "other_procedure @3"},
		{name: "ball stuck is null in Cantabria only", setup: rfC + tab,
			events:   "bet 1 rojo 500; incident ball_stuck; say jefe null_throw; nvm; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: ""},
		{name: "no throw at all", setup: rfN + tab, events: "bet 1 rojo 500; bet 1 pleno:3 5; clear",
			findings: "not_observable @2", lines: "1 pleno:3 unknown 0 0; 1 rojo unknown 0 0"},
		{name: "low confidence of the ball", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; conf 0.4; collect 1 rojo 500; clear",
			findings: "not_observable @2", lines: "1 rojo unknown 0 0", result: "{}"},
		{name: "min_conf lowers the bar", setup: rfN + `"table":{"min":100,"options":{"min_conf":0.3}}`,
			events:   "bet 1 rojo 500; nvm; ball 5; conf 0.4; " + n5 + "; pay 1 rojo 500; clear",
			findings: ""},
		{name: "a second ball is ignored", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; " + n5 + "; ball 8; pay 1 rojo 500; clear",
			findings: "other_procedure @4"},
	})
}

// TestEveryClass: each class of bets of the French roulette wins on 5 by its own
// article (IV.1.A), paid in the order of the classes.
func TestEveryClass(t *testing.T) {
	bets := []struct {
		spot string
		pays int
	}{{"doble_columna:1-2", 50}, {"columna:2", 200}, {"docena:1", 200}, {"doble_docena:1-2", 50}, {"rojo", 100}, {"transversal:4-5-6", 1100}, {"seisena:4-9", 500},
		{"cuadro:5-6-8-9", 800}, {"caballo:5-6", 1700}, {"pleno:5", 3500}}
	laid, paid := "", ""
	for _, b := range bets {
		laid += fmt.Sprintf("bet 1 %s 100; ", b.spot)
		paid += fmt.Sprintf("pay 1 %s %d; ", b.spot, b.pays)
	}
	var cases []ruleCase
	for _, setup := range []string{rfN, rfB, rfA, rfC} {
		cases = append(cases, ruleCase{name: setup, setup: setup + tab, events: laid + "nvm; ball 5; " + n5 + "; " + paid + "clear"})
	}
	cases = append(cases, ruleCase{name: "the wheel of Cantabria below its minimum", setup: "cantabria-2010 ruleta_fortuna " + tab,
		events: "say croupier hagan_juego; bet 1 valor:5 50; say croupier hechas_apuestas; nvm; ball 5; say jefe combination combination=5; pay 1 valor:5 250; clear", findings: "bet_below_min 1 valor:5 100/50 @1"})
	runRules(t, cases)
}

// TestChipsOnNoBet: what lies on a spot that the norm does not have is the
// player's own, whenever he takes it.
func TestChipsOnNoBet(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "taken after the ball", setup: "andalucia-2010 ruleta_americana " + tab,
			events: "bet 1 vecinos:5 500; nvm; ball 5; " + n5 + "; withdraw 1 vecinos:5 500; clear", findings: "bet_not_allowed 1 vecinos:5 @0", lines: "1 vecinos:5 void 0 500"},
		{name: "taken after the closing call", setup: "andalucia-2010 ruleta_americana " + tab,
			events: "bet 1 vecinos:5 500; nvm; withdraw 1 vecinos:5 500; ball 5; " + n5 + "; clear", findings: "bet_not_allowed 1 vecinos:5 @0", lines: "1 vecinos:5 void 0 500"},
	})
}

// TestAbreviada: only a norm that has the table may set it up.
func TestAbreviada(t *testing.T) {
	rec := func(norm, value string) *round.Record {
		return script(t, norm+` ruleta_francesa "table":{"min":100,"options":{"abreviada":`+value+`}}`, "bet 1 pleno:5 100; nvm; ball 5; clear")
	}
	for _, c := range []struct {
		norm, value string
		ok          bool
	}{{"andalucia-2010", "true", true}, {"andalucia-2010", "false", true}, {"nacional-1979", "false", true}, {"nacional-1979", "true", false}, {"cantabria-2010", "true", false}} {
		if _, err := validate.Check(books.Shipped(t), rec(c.norm, c.value)); (err == nil) != c.ok {
			t.Errorf("%s %s: %v", c.norm, c.value, err)
		}
	}
}

// TestLateChips covers section 1.4.
func TestLateChips(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "late bet given back in two movements", setup: rfN + tab,
			events:   "nvm; bet 1 rojo 500; return 1 rojo 200; withdraw 1 rojo 300; ball 5; " + n5 + "; clear",
			findings: "", lines: ""},
		{name: "given back after settling began is late", setup: rfN + tab,
			events:   "bet 2 rojo 100; nvm; bet 1 rojo 500; ball 5; " + n5 + "; pay 2 rojo 100; return 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @2", lines: "1 rojo void 0 500; 2 rojo win 100 100"},
		{name: "a payment on late chips", setup: rfN + tab,
			events:   "nvm; bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @1; payout_to_loser 1 rojo 0/500 @4"},
		{name: "late chips collected with a losing stake", setup: rfN + tab,
			events:   "bet 1 negro 200; nvm; bet 1 negro 500; ball 5; " + n5 + "; collect 1 negro 700; clear",
			findings: "late_bet 1 negro -/500 @2", lines: "1 negro lose 0 0"},
		{name: "late withdrawal stays in play", setup: rfN + tab,
			events:   "bet 1 negro 500; nvm; withdraw 1 negro 200; ball 5; " + n5 + "; collect 1 negro 300; clear",
			findings: "late_withdrawal 1 negro -/200 @2", lines: "1 negro lose 0 0"},
		{name: "chips taken after the payment are the player's", setup: rfN + tab,
			events:   "bet 1 rojo 500; nvm; ball 5; " + n5 + "; pay 1 rojo 500; withdraw 1 rojo 1000; clear",
			findings: ""},
		{name: "accepted by croupier and jefe in Andalucía", setup: rfA + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=500; nvm; bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "", lines: "1 rojo win 500 500"},
		{name: "no such exception in the norm of 1979", setup: rfN + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=500; nvm; bet 1 rojo 500; ball 5; " + n5 + "; clear",
			findings: "late_bet 1 rojo -/500 @3"},
		{name: "accepted with another amount", setup: rfC + tab,
			events:   "say croupier accepted_bet seat=1 spot=rojo amount=500; say jefe accepted_bet seat=1 spot=rojo amount=400; nvm; bet 1 rojo 500; ball 5; " + n5 + "; clear",
			findings: "late_bet 1 rojo -/500 @3"},
		{name: "a late move is no correction outside Andalucía", setup: rfC + tab,
			events:   "bet 1 rojo 500; nvm; move 1 rojo negro 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "late_bet 1 rojo -/500 @2", lines: "1 rojo win 500 500"},
		{name: "a move in time moves the stake", setup: rfC + tab,
			events:   "bet 1 rojo 500; move 1 rojo negro 500; nvm; ball 5; " + n5 + "; collect 1 negro 500; clear",
			findings: "", lines: "1 negro lose 0 0"},
		{name: "late chips returned in the window of the next throw", setup: rfN + tab,
			events:   "bet 1 rojo 300; nvm; bet 1 rojo 500; ball 8; say jefe null_throw; return 1 rojo 500; nvm; ball 5; " + n5 + "; pay 1 rojo 300; clear",
			findings: "", lines: "1 rojo win 300 300"},
		{name: "late chips taken back in the window of the next throw", setup: rfN + tab,
			events:   "bet 1 rojo 300; nvm; bet 1 negro 500; ball 8; say jefe null_throw; withdraw 1 negro 500; nvm; ball 5; " + n5 + "; pay 1 rojo 300; clear",
			findings: "", lines: "1 rojo win 300 300"},
		{name: "stake and late chips taken back together", setup: rfN + tab,
			events:   "bet 1 rojo 300; bet 2 rojo 100; nvm; bet 1 rojo 500; ball 8; say jefe null_throw; withdraw 1 rojo 800; nvm; ball 5; " + n5 + "; pay 2 rojo 100; clear",
			findings: "", lines: "2 rojo win 100 100"},
	})
}

// TestCalls covers section 1.6.
func TestCalls(t *testing.T) {
	const bo = "cantabria-2010 boule "
	open := "say jefe hagan_juego; "
	ask := "say croupier hechas_apuestas; "
	runRules(t, []ruleCase{
		{name: "closing call missing", setup: rfN + tab, events: "bet 1 rojo 500; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "announcement_missing @4"},
		{name: "closing call after the ball", setup: rfN + tab, events: "bet 1 rojo 500; ball 5; nvm; " + n5 + "; pay 1 rojo 500; clear",
			findings: "dealt_before_close @1"},
		{name: "closing call after the ball by the jefe", setup: rfN + tab, events: "bet 1 rojo 500; ball 5; nvm jefe; " + n5 + "; pay 1 rojo 500; clear",
			findings: "dealt_before_close @1; other_procedure @2"},
		{name: "closing call by the jefe", setup: rfN + tab, events: "bet 1 rojo 500; nvm jefe; ball 5; " + n5 + "; pay 1 rojo 500; clear",
			findings: "other_procedure @1"},
		{name: "no result call", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; pay 1 rojo 500; clear",
			findings: "announcement_missing @4"},
		{name: "no result call in an open record", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; pay 1 rojo 500",
			findings: ""},
		{name: "result call after the first payment", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; pay 1 rojo 500; " + n5 + "; clear",
			findings: "announcement_order @4"},
		{name: "wrong chance", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; say croupier number number=5 color=rojo parity=par half=pasa; pay 1 rojo 500; clear",
			findings: "announcement_wrong impar/par @3"},
		{name: "wrong number, corrected", setup: rfN + tab, events: "bet 1 rojo 500; nvm; ball 5; " + n8 + "; " + n5 + "; pay 1 rojo 500; clear",
			findings: "announcement_wrong 5/8 @3"},
		{name: "a chance named on zero", setup: raN + tab, events: "nvm; ball 0; say croupier number number=0 color=rojo; clear",
			findings: "announcement_wrong null/rojo @2"},
		{name: "chance missing", setup: raN + tab, events: "nvm; ball 5; say croupier number number=5 color=rojo half=falta; clear",
			findings: "announcement_missing @2"},
		{name: "abreviada needs no chances", setup: rfA + `"table":{"min":100,"options":{"abreviada":true}}`, events: "nvm; ball 5; say croupier number number=5; clear",
			findings: ""},
		{name: "abreviada checks a named chance", setup: rfA + `"table":{"min":100,"options":{"abreviada":true}}`, events: "nvm; ball 5; say croupier number number=5 color=negro; clear",
			findings: "announcement_wrong rojo/negro @2"},
		{name: "boule in order", setup: bo + tab, events: open + "bet 1 rojo 500; " + ask + "nvm; ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: ""},
		{name: "boule asked after closing", setup: bo + tab, events: open + "bet 1 rojo 500; nvm; " + ask + "ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: "announcement_order @3"},
		{name: "boule asked before opening", setup: bo + tab, events: ask + open + "bet 1 rojo 500; nvm; ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: "announcement_order @0"},
		{name: "boule after a null throw opens no second time", setup: bo + tab, events: open + "bet 1 rojo 500; " + ask + "nvm; ball 3; say jefe null_throw; nvm; ball 7; say croupier number number=7 color=rojo parity=impar half=pasa; pay 1 rojo 500; clear",
			findings: ""},
		{name: "only null throws still close", setup: rfN + tab, events: "bet 1 rojo 500; ball 7; say jefe null_throw; clear",
			findings: "announcement_missing @3"},
	})
}

// TestMoney covers section 1.7, line by line.
func TestMoney(t *testing.T) {
	play := func(events string) string {
		return "bet 1 rojo 500; bet 2 negro 400; nvm; ball 5; " + n5 + "; " + events
	}
	fix := "collect 2 negro 400; "
	runRules(t, []ruleCase{
		{name: "missing", setup: rfN + tab, events: play(fix + "clear"), findings: "payout_missing 1 rojo 500/0 @6"},
		{name: "missing in an open record", setup: rfN + tab, events: play(fix), findings: ""},
		{name: "under", setup: rfN + tab, events: play(fix + "pay 1 rojo 300; clear"), findings: "payout_under 1 rojo 500/300 @6"},
		{name: "over in two movements", setup: rfN + tab, events: play(fix + "pay 1 rojo 500; pay 1 rojo 100; clear"), findings: "payout_over 1 rojo 500/600 @7"},
		{name: "corrected in two movements", setup: rfN + tab, events: play(fix + "pay 1 rojo 300; pay 1 rojo 200; clear"), findings: ""},
		{name: "collected winner", setup: rfN + tab, events: play(fix + "collect 1 rojo 500; pay 1 rojo 500; clear"), findings: "collected_winner 1 rojo 0/500 @6"},
		{name: "loser not collected", setup: rfN + tab, events: play("pay 1 rojo 500; clear"), findings: "loser_not_collected 2 negro 400/0 @6"},
		{name: "loser partly collected", setup: rfN + tab, events: play("collect 2 negro 100; pay 1 rojo 500; clear"), findings: "loser_not_collected 2 negro 400/100 @5"},
		{name: "loser paid", setup: rfN + tab, events: play(fix + "pay 2 negro 400; pay 1 rojo 500; clear"), findings: "payout_to_loser 2 negro 0/400 @6"},
		{name: "nobody bet there", setup: rfN + tab, events: play(fix + "collect 3 par 50; pay 3 pleno:5 70; pay 1 rojo 500; clear"),
			findings: "other_procedure 3 par @6; payout_to_loser 3 pleno:5 0/70 @7"},
		{name: "half collected", setup: raN + tab, events: "bet 1 rojo 501; nvm; ball 0; " + n0 + "; collect 1 rojo 251; clear", findings: "", lines: "1 rojo half 0 250"},
		{name: "half collected and the rest returned", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 500; return 1 rojo 250; clear", findings: ""},
		{name: "half returned wrongly", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 500; return 1 rojo 200; clear", findings: "return_wrong 1 rojo 250/200 @5"},
		{name: "half not touched", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; clear", findings: "return_wrong 1 rojo 250/500 @4"},
		{name: "half paid", setup: raN + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 250; pay 1 rojo 500; clear", findings: "payout_to_loser 1 rojo 0/500 @5"},
		{name: "not allowed and collected", setup: raC + tab, events: "bet 1 tercio 600; nvm; ball 0; " + n0 + "; collect 1 tercio 600; clear",
			findings: "bet_not_allowed 1 tercio @0; return_wrong 1 tercio 600/0 @4", lines: "1 tercio void 0 600"},
		{name: "not allowed and paid", setup: raC + tab, events: "bet 1 tercio 600; nvm; ball 0; " + n0 + "; pay 1 tercio 600; clear",
			findings: "bet_not_allowed 1 tercio @0; payout_to_loser 1 tercio 0/600 @4"},
	})
}

// TestOrder covers section 1.8.
func TestOrder(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "paid before collecting", setup: rfC + tab, events: "bet 1 rojo 500; bet 2 negro 400; nvm; ball 5; " + n5 + "; pay 1 rojo 500; collect 2 negro 400; clear",
			findings: "paid_before_collect @5"},
		{name: "one cloth has no order", setup: rfC + `"table":{"min":100,"options":{"panos":1}}`, events: "bet 1 rojo 500; bet 2 docena:1 400; nvm; ball 5; " + n5 + "; pay 1 rojo 500; pay 2 docena:1 800; clear",
			findings: ""},
		{name: "two cloths have", setup: rfC + tab, events: "bet 1 rojo 500; bet 2 docena:1 400; nvm; ball 5; " + n5 + "; pay 1 rojo 500; pay 2 docena:1 800; clear",
			findings: "payout_order_wrong @6"},
		{name: "inside a group there is none", setup: rfC + tab, events: "bet 1 rojo 500; bet 2 impar 400; bet 3 doble_docena:1-2 400; bet 3 columna:2 100; nvm; ball 5; " + n5 + "; pay 3 doble_docena:1-2 200; pay 3 columna:2 200; pay 2 impar 400; pay 1 rojo 500; clear",
			findings: ""},
		{name: "a player is paid at once", setup: raC + tab, events: "bet 1 columna:2 500; bet 1 pleno:5 100; bet 2 rojo 400; nvm; ball 5; " + n5 + "; pay 1 columna:2 1000; pay 1 pleno:5 3500; pay 2 rojo 400; clear",
			findings: ""},
		{name: "not in two runs", setup: raC + tab, events: "bet 1 columna:2 500; bet 1 pleno:5 100; bet 2 rojo 400; nvm; ball 5; " + n5 + "; pay 1 columna:2 1000; pay 2 rojo 400; pay 1 pleno:5 3500; clear",
			findings: "payout_order_wrong @8"},
		{name: "at the rank of his first", setup: raC + tab, events: "bet 1 columna:2 500; bet 1 pleno:5 100; bet 2 rojo 400; nvm; ball 5; " + n5 + "; pay 2 rojo 400; pay 1 columna:2 1000; pay 1 pleno:5 3500; clear",
			findings: "payout_order_wrong @7"},
	})
}

// TestLimits covers sections 1.9 and 2.2.
func TestLimits(t *testing.T) {
	end := "; nvm; ball 0; " + n0
	runRules(t, []ruleCase{
		{name: "columna and docena 12 times a pleno", setup: rfN + tab, events: "bet 1 columna:1 36000; bet 1 docena:2 36001" + end, findings: "bet_above_max 1 docena:2 36000/36001 @1"},
		{name: "dobles 24 times", setup: raN + tab, events: "bet 1 doble_docena:1-2 48000; bet 1 doble_columna:1-2 48002" + end, findings: "bet_above_max 1 doble_columna:1-2 48000/48002 @1"},
		{name: "table max is the pleno's", setup: rfC + `"table":{"min":100,"max":1000}`, events: "bet 1 pleno:1 1000; bet 1 caballo:1-2 2001; bet 1 rojo 18000" + end, findings: "bet_above_max 1 caballo:1-2 2000/2001 @1"},
		{name: "several bets add up, at the last", setup: rfC + tab, events: "bet 1 pleno:1 1500; bet 2 pleno:1 2000; bet 1 pleno:1 600" + end, findings: "bet_above_max 1 pleno:1 2000/2100 @2"},
		{name: "below", setup: rfC + tab, events: "bet 1 pleno:1 50" + end, findings: "bet_below_min 1 pleno:1 100/50 @0"},
		{name: "nothing known, nothing checked", setup: rfC, events: "bet 1 pleno:1 5; bet 1 rojo 99999999" + end, findings: ""},
		{name: "announced bets by the chip", setup: raB + tab, events: "bet 1 tercio 599; bet 2 tercio 594; bet 3 vecinos:0 500; bet 4 huerfanos 15005" + end, findings: "bet_not_allowed 1 tercio @0; bet_below_min 2 tercio 100/99 @1; bet_above_max 4 huerfanos 3000/3001 @3"},
		{name: "nine chips of the great series", setup: raB + tab, events: "bet 1 serie_grande 891; bet 2 serie_grande 900; bet 3 serie_grande 27000; bet 4 serie_grande 27009" + end, findings: "bet_below_min 1 serie_grande 100/99 @0; bet_above_max 4 serie_grande 3000/3001 @3"},
		{name: "a chip above the table's maximum of a pleno", setup: raB + `"table":{"min":100,"max":1000}`, events: "bet 1 vecinos:5 5005" + end, findings: "bet_above_max 1 vecinos:5 1000/1001 @0"},
		{name: "cuadro especial as a cuadro", setup: r00 + tab, events: "bet 1 cuadro_especial 8001" + end, findings: "bet_above_max 1 cuadro_especial 8000/8001 @0"},
		{name: "zero bets of 1979 by option", setup: rfN + `"table":{"min":100,"options":{"combinaciones_cero":"ninguna"}}`, events: "bet 1 caballo:0-1 100; bet 1 cuadro:0-1-2-3 100" + end, findings: "bet_not_allowed 1 caballo:0-1 @0; bet_not_allowed 1 cuadro:0-1-2-3 @1"},
		{name: "zero bets of 1979, all", setup: rfN + `"table":{"min":100,"options":{"combinaciones_cero":"todas"}}`, events: "bet 1 caballo:0-1 100; bet 1 cuadro:0-1-2-3 100" + end, findings: ""},
		{name: "00 on a single zero", setup: rfN + tab, events: "bet 1 pleno:00 100; bet 1 caballo:0-00 100; bet 2 cuadro_especial 100" + end, findings: "bet_not_allowed 1 pleno:00 @0; bet_not_allowed 1 caballo:0-00 @1; bet_not_allowed 2 cuadro_especial @2"},
		{name: "a bet on a prisoner's spot", setup: rfN + tab, events: "bet 1 prison:rojo 100" + end, findings: "bet_not_allowed 1 prison:rojo @0"},
	})
}

// TestPrison covers sections 2.3 and 2.4.
func TestPrison(t *testing.T) {
	carry := func(k int) string {
		return fmt.Sprintf(`%s"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":%d}]},%s`, rfC, k, tab)
	}
	two := rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":3},{"seat":1,"spot":"rojo","stake":400,"zeros":1}]},` + tab
	runRules(t, []ruleCase{
		{name: "half inferred from the collect", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; collect 1 rojo 250; clear", lines: "1 rojo half 0 250", next: "{}"},
		{name: "prison inferred from nothing", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; clear", lines: "1 rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":500,"zeros":1}]}`},
		{name: "prison said and collected", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; act 1 prison rojo; collect 1 rojo 250; clear", findings: "push_collected 1 rojo 0/250 @5"},
		{name: "the last choice counts", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; act 1 prison rojo; act 1 half rojo; collect 1 rojo 250; clear", lines: "1 rojo half 0 250"},
		{name: "a choice before the ball", setup: rfC + tab, events: "bet 1 rojo 500; nvm; act 1 half rojo; ball 0; " + n0 + "; clear", findings: "player_action_not_allowed 1 @2"},
		{name: "a choice on another number", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 5; " + n5 + "; act 1 half rojo; pay 1 rojo 500; clear", findings: "player_action_not_allowed 1 @4"},
		{name: "a choice without a stake", setup: rfC + tab, events: "bet 1 rojo 500; nvm; ball 0; " + n0 + "; act 2 half par; clear", findings: "player_action_not_allowed 2 @4"},
		{name: "freed whole after one zero", setup: carry(1), events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 1000", next: "{}"},
		{name: "freed half after two", setup: carry(2), events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 500"},
		{name: "release k", setup: rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":2}]},"table":{"min":100,"options":{"prison_release":"k"}}`, events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 250"},
		{name: "loses what is held", setup: carry(2), events: "nvm; ball 8; " + n8 + "; collect 1 prison:rojo 500; clear", lines: "1 prison:rojo lose 0 0"},
		{name: "half of a prisoner", setup: carry(1), events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; collect 1 prison:rojo 750; clear", lines: "1 prison:rojo half 0 250", next: "{}"},
		{name: "stays, and the house takes its half", setup: carry(1), events: "nvm; ball 0; " + n0 + "; act 1 prison prison:rojo; collect 1 prison:rojo 500; clear", lines: "1 prison:rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":2}]}`},
		{name: "stays, and the house takes more", setup: carry(1), events: "nvm; ball 0; " + n0 + "; act 1 prison prison:rojo; collect 1 prison:rojo 600; clear", findings: "push_collected 1 prison:rojo 500/600 @4"},
		{name: "below the minimum it must stay", setup: carry(3), events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; clear", findings: "player_action_not_allowed 1 @3", lines: "1 prison:rojo prison 0 0"},
		{name: "a fresh stake is apart", setup: carry(1), events: "bet 1 rojo 300; nvm; ball 5; " + n5 + "; pay 1 rojo 300; clear", lines: "1 prison:rojo push 0 1000; 1 rojo win 300 300"},
		{name: "two prisoners of one chance are freed", setup: two, events: "nvm; ball 5; " + n5 + "; clear", lines: "1 prison:rojo push 0 250; 1 prison:rojo push 0 400", next: "{}"},
		{name: "two prisoners of one chance lose", setup: two, events: "nvm; ball 8; " + n8 + "; collect 1 prison:rojo 600; clear", findings: "loser_not_collected 1 prison:rojo 650/600 @3"},
		{name: "two prisoners of one chance stay", setup: two, events: "nvm; ball 0; " + n0 + "; clear", lines: "1 prison:rojo prison 0 0; 1 prison:rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":4},{"seat":1,"spot":"rojo","stake":400,"zeros":2}]}`},
		{name: "one of two prisoners is below the minimum", setup: two, events: "nvm; ball 0; " + n0 + "; act 1 half prison:rojo; collect 1 prison:rojo 300; clear",
			lines: "1 prison:rojo prison 0 0; 1 prison:rojo half 0 100", next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":4}]}`},
		{name: "no prison at the American table, whatever falls", setup: raC + tab, events: "bet 1 par 500; nvm; ball ??; act 1 prison par; clear",
			findings: "not_observable @2; player_action_not_allowed 1 @3"},
		{name: "a choice that an unseen ball may have opened", setup: rfC + tab, events: "bet 1 par 500; nvm; ball ??; act 1 prison par; clear", findings: "not_observable @2"},
		{name: "prisoners outlive a void round", setup: carry(1), events: "nvm; ball 5; say jefe null_throw; clear", lines: "1 prison:rojo prison 0 0",
			next: `{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":1}]}`},
		{name: "the last spin gives back", setup: rfC + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":1000,"zeros":3}]},"table":{"min":100,"options":{"last_spin":true}}`,
			events: "bet 2 par 400; nvm; ball 0; " + n0 + "; return 1 prison:rojo 62; collect 2 par 200; clear", lines: "1 prison:rojo half 0 62; 2 par half 0 200", next: "{}"},
	})
}

// TestOtherWheels covers sections 2.5, 3 and 4.
func TestOtherWheels(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "serie grande on the corner", setup: raB + tab, events: "bet 1 serie_grande 900; nvm; ball 29; say croupier number number=29 color=negro parity=impar half=pasa; pay 1 serie_grande 1600; collect 1 serie_grande 700; clear",
			lines: "1 serie_grande win 1600 200"},
		{name: "winning chips of an announced bet taken", setup: raB + tab, events: "bet 1 huerfanos 500; nvm; ball 17; say croupier number number=17 color=negro parity=impar half=falta; collect 1 huerfanos 400; pay 1 huerfanos 3400; clear",
			findings: "collected_winner 1 huerfanos 300/400 @4", lines: "1 huerfanos win 3400 200"},
		{name: "double zero halves on 00", setup: r00 + tab, events: "bet 1 rojo 100; nvm; ball 00; say croupier number number=00; collect 1 rojo 50; clear", lines: "1 rojo half 0 50"},
		{name: "boule five", setup: "nacional-1979 boule " + tab, events: "say jefe hagan_juego; bet 1 falta 100; bet 2 numero:5 100; say croupier hechas_apuestas; nvm; ball 5; say croupier number number=5; collect 1 falta 100; pay 2 numero:5 700; clear",
			lines: "1 falta lose 0 0; 2 numero:5 win 700 100", result: `{"number":"5"}`},
		{name: "fortuna of Andalucía has no call of the result", setup: "andalucia-2010 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 pos:24 100; nvm; ball 24; pay 1 pos:24 100; clear"},
		{name: "fortuna of Andalucía checks it if made", setup: "andalucia-2010 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 pos:24 100; nvm; ball 24; say croupier combination combination=15; pay 1 pos:24 100; clear", findings: "announcement_wrong 24/15 @4"},
		{name: "fortuna of Andalucía repeats the cycle", setup: "andalucia-2010 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 pos:24 100; nvm; incident on_peg; ball 24; nvm; ball 24; pay 1 pos:24 100; clear", findings: "announcement_missing @8"},
		{name: "fortuna of the Balears announces", setup: "balears-2005 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 figura:2 100; nvm; ball figura:2; pay 1 figura:2 4500; clear", findings: "announcement_missing @5", result: `{"combination":"figura:2"}`},
	})
}

// TestCraps covers section 5.
func TestCraps(t *testing.T) {
	const table = `"table":{"min":100,"max":10000}`
	cr := func(norm, carry string) string {
		if carry != "" {
			carry = `"carry":` + carry + ","
		}
		return norm + " dados_craps " + carry + table
	}
	const N, B, A, C = "nacional-1979", "balears-2005", "andalucia-2010", "cantabria-2010"
	six := `{"point":6,"bets":[{"seat":1,"spot":"win","amount":1000},{"seat":2,"spot":"dont_win","amount":900}]}`
	runRules(t, []ruleCase{
		{name: "come-out natural", setup: cr(C, ""), events: "bet 1 win 1000; bet 2 dont_win 900; nvm stickman; dice 6 5; pay 1 win 1000; collect 2 dont_win 900; clear",
			lines: "1 win win 1000 1000; 2 dont_win lose 0 0", next: `{"point":0,"bets":[]}`, result: `{"decision":"natural","hard":false,"sum":11}`},
		{name: "come-out twelve", setup: cr(C, ""), events: "bet 1 win 1000; bet 2 dont_win 900; nvm; dice 6 6; collect 1 win 1000; clear",
			lines: "1 win lose 0 0; 2 dont_win push 0 900", result: `{"decision":"craps","hard":true,"sum":12}`},
		{name: "point made", setup: cr(C, six), events: "nvm; dice 4 2; pay 1 win 1000; collect 2 dont_win 900; clear", lines: "1 win win 1000 1000; 2 dont_win lose 0 0", next: `{"point":0,"bets":[]}`},
		{name: "nothing decided", setup: cr(C, six), events: "nvm; dice 4 1; clear", lines: "1 win stay 0 0; 2 dont_win stay 0 0", next: six},
		{name: "staying bet paid and collected", setup: cr(C, six), events: "nvm; dice 4 1; pay 1 win 10; collect 2 dont_win 20; clear", findings: "push_paid 1 win 0/10 @2; push_collected 2 dont_win 0/20 @3"},
		{name: "come on the point's own number moves", setup: cr(C, six), events: "bet 3 come 500; nvm; dice 4 2; pay 1 win 1000; collect 2 dont_win 900; move 3 come come:6 500; clear", next: `{"point":0,"bets":[{"seat":3,"spot":"come:6","amount":500}]}`},
		{name: "come moved to another box", setup: cr(C, six), events: "bet 3 come 500; nvm; dice 4 4; move 3 come come:9 500; clear", findings: "other_procedure 3 come @3"},
		{name: "box bets come from the carry only", setup: cr(C, six), events: "bet 3 come:8 500; bet 4 odds_come:8 500; nvm; dice 4 4; clear", findings: "bet_not_allowed 3 come:8 @0; bet_not_allowed 4 odds_come:8 @1"},
		{name: "adding to a carried win", setup: cr(C, six), events: "bet 1 win 500; nvm; dice 4 1; clear", findings: "bet_not_allowed 1 win @0", lines: "1 win stay 0 0; 2 dont_win stay 0 0", next: six},
		{name: "odds limits", setup: cr(C, six), events: "bet 1 odds_win 1001; bet 2 odds_dont_win 1080; nvm; dice 4 1; clear", findings: "bet_above_max 1 odds_win 1000/1001 @0"},
		{name: "gain limit of the multiples", setup: cr(C, ""), events: "bet 1 juego:11 2001; bet 1 hard:8 3333; bet 1 horn 7501; nvm; dice 4 1; collect 1 juego:11 2001; collect 1 horn 7501; clear", findings: "bet_above_max 1 juego:11 2000/2001 @0; bet_above_max 1 horn 7500/7501 @2"},
		{name: "wrong bet limits", setup: cr(C, ""), events: "bet 1 place_wrong:6 12501; bet 1 place_wrong:9 16000; nvm; dice 4 1; clear", findings: "bet_above_max 1 place_wrong:6 12500/12501 @0"},
		{name: "hard way the easy way", setup: cr(C, ""), events: "bet 1 hard:6 100; nvm; dice 4 2; collect 1 hard:6 100; clear", lines: "1 hard:6 lose 0 0"},
		{name: "juego 7 of 1979 as the house has it", setup: N + ` dados_craps "table":{"min":100,"max":10000,"options":{"juego_7_pays":4}}`, events: "bet 1 juego:7 100; nvm; dice 4 3; pay 1 juego:7 400; clear", lines: "1 juego:7 win 400 100"},
		{name: "one wall is valid in the Balears", setup: cr(B, ""), events: "bet 1 field 100; nvm; dice 4 5 one_wall; pay 1 field 100; clear", lines: "1 field win 100 100"},
		{name: "no wall is null in Cantabria", setup: cr(C, ""), events: "bet 1 field 100; nvm; dice 4 5 no_wall; say stickman null_throw; nvm; dice 4 4; collect 1 field 100; clear", lines: "1 field lose 0 0"},
		{name: "three dice", setup: cr(A, ""), events: "bet 1 field 100; nvm; dice 4 5 1; pay 1 field 100; clear", findings: "dice_count_wrong 2/3 @2; void_round_settled 1 field 0/100 @3", next: `{"point":0,"bets":[{"seat":1,"spot":"field","amount":100}]}`},
		{name: "shooter without a line bet, and another than before", setup: cr(A, `{"point":6,"bets":[{"seat":1,"spot":"win","amount":1000}],"shooter":2}`), events: "act 1 shoot; nvm; dice 4 1; clear", findings: "other_procedure 1 @0", next: `{"point":6,"bets":[{"seat":1,"spot":"win","amount":1000}],"shooter":1}`},
		{name: "seven-out passes the dice", setup: cr(A, six), events: "nvm; dice 4 3; collect 1 win 1000; pay 2 dont_win 900; clear", next: `{"point":0,"bets":[],"shooter":0}`},
		{name: "dice changed in the series by the player", setup: cr(A, six), events: "incident dice_changed player; nvm; dice 4 1; clear", findings: "other_procedure @0"},
		{name: "dice changed after one was lost", setup: cr(A, six), events: "nvm; dice 4 1 off_table; say stickman null_throw; incident dice_changed player; nvm; dice 4 1; clear"},
		{name: "null call by the croupier at a reduced table", setup: B + ` dados_craps "table":{"min":100,"options":{"reduced":true}}`, events: "nvm; dice 4 1 off_table; say croupier null_throw; nvm; dice 4 1; clear"},
		{name: "a win bet may not be taken back", setup: cr(A, six), events: "withdraw 1 win 400; nvm; dice 4 3; collect 1 win 600; pay 2 dont_win 900; clear", findings: "player_action_not_allowed 1 win @0"},
	})
}

// TestThreeDice covers sections 8 and 9.
func TestThreeDice(t *testing.T) {
	const sb, bf = "cantabria-2010 sic_bo ", "cantabria-2010 banca_francesa_dados "
	runRules(t, []ruleCase{
		{name: "triple beats grande", setup: sb + tab, events: "bet 1 grande 100; bet 1 total:15 100; bet 1 unica:5 100; bet 1 doble:5 100; dice 5 5 5; collect 1 grande 100; pay 1 total:15 1800; pay 1 unica:5 300; pay 1 doble:5 1000; clear",
			lines: "1 doble:5 win 1000 100; 1 grande lose 0 0; 1 total:15 win 1800 100; 1 unica:5 win 300 100", result: `{"sum":15,"triple":true}`},
		{name: "closed by the call", setup: sb + tab, events: "nvm; bet 1 grande 100; dice 5 5 4; clear", findings: "late_bet 1 grande -/100 @1"},
		{name: "only null throws void", setup: sb + tab, events: "bet 1 grande 100; dice 5 5 4; say croupier null_throw; clear", lines: "1 grande void 0 100"},
		{name: "bets between undecided throws", setup: bf + tab, events: "bet 1 grande 200; dice 1 1 2; bet 2 pequeno 200; dice 1 2 3; say croupier chance winner=pequeno; collect 1 grande 200; pay 2 pequeno 200; clear",
			lines: "1 grande lose 0 0; 2 pequeno win 200 200", next: "{}"},
		{name: "undecided record", setup: bf + tab, events: "bet 1 grande 200; dice 1 1 2; clear", lines: "1 grande stay 0 0", next: `{"bets":[{"seat":1,"spot":"grande","amount":200}]}`, result: `{"chance":null,"sum":4}`},
		{name: "a chance called on an undecided throw", setup: bf + tab, events: "bet 1 grande 200; dice 1 1 2; say croupier chance winner=pequeno; dice 5 5 5; say croupier chance winner=grande; pay 1 grande 200; clear", findings: "announcement_wrong null/pequeno @2"},
		{name: "line wins half", setup: bf + tab, events: "bet 1 grande_linea 300; bet 2 pequeno_linea 301; dice 5 5 5; say croupier chance winner=grande; collect 2 pequeno_linea 151; pay 1 grande_linea 150; clear", lines: "1 grande_linea win 150 300; 2 pequeno_linea half 0 150"},
		{name: "limits", setup: bf + tab, events: "bet 1 ases 601; bet 2 grande_linea 199; bet 3 grande 20001; bet 4 pequeno_linea 40000; dice 1 1 2", findings: "bet_above_max 1 ases 600/601 @0; bet_below_min 2 grande_linea 200/199 @1; bet_above_max 3 grande 20000/20001 @2"},
		{name: "touched before the call, nobody loses", setup: bf + tab, events: "bet 1 grande 200; bet 2 pequeno 200; dice 5 5 5; incident dice_touched; pay 1 grande 200; clear", findings: "announcement_missing @5", lines: "1 grande win 200 200; 2 pequeno push 0 200"},
		{name: "ases first", setup: bf + tab, events: "bet 1 ases 200; bet 2 pequeno 200; dice 5 5 5; say croupier chance winner=grande; collect 2 pequeno 200; collect 1 ases 200; clear", findings: "other_procedure @5"},
	})
}

// TestBingo covers section 10.
func TestBingo(t *testing.T) {
	b := func(n string) string { return "ball " + n + "; say croupier number number=" + n + "; " }
	runRules(t, []ruleCase{
		{name: "same ball twice", setup: "nacional-1979 bingo", events: b("3") + b("3") + "clear", findings: "other_procedure @2", result: `{"balls":1}`},
		{name: "ball not called", setup: "cantabria-2010 bingo", events: "ball 3; " + b("4") + "clear", findings: "announcement_missing @3"},
		{name: "a correction in 1979 mends nothing", setup: "nacional-1979 bingo", events: "ball 3; say croupier number number=13; say croupier number number=3; clear", findings: "announcement_wrong 3/13 @1"},
		{name: "a correction in Cantabria does", setup: "cantabria-2010 bingo", events: "ball 3; say croupier number number=13; say croupier number number=3; clear"},
		{name: "a good line refused", setup: "cantabria-2010 bingo", events: b("1") + b("2") + b("3") + b("4") + b("5") + "say player claim seat=4 prize=linea numbers=1,2,3,4,5; say jefe claim_result seat=4 prize=linea ok=false; clear", findings: "announcement_wrong 4 true/false @11"},
	})
}

// TestMalformed covers section 1.11.
func TestMalformed(t *testing.T) {
	books := books.Shipped(t)
	for _, c := range []struct{ name, setup, events, path string }{
		{"pocket", rfN, "ball 37", "events[0].pocket"},
		{"double zero", raN, "ball 00", "events[0].pocket"},
		{"pleno", rfN, "bet 1 pleno:41 5", "events[0].spot"},
		{"caballo", rfN, "bet 1 caballo:1-9 5", "events[0].spot"},
		{"transversal", rfN, "bet 1 transversal:2-3-4 5", "events[0].spot"},
		{"doble columna", rfN, "bet 1 doble_columna:1-3 5", "events[0].spot"},
		{"dice at a wheel", rfN, "dice 1 2", "events[0].type"},
		{"call of another game", rfN, "say croupier total points=3", "events[0].call"},
		{"call without number", rfN, "say croupier number", "events[0].number"},
		{"option of another game", rfN + `"table":{"options":{"place_8":true}}`, "ball 5", "table.options.place_8"},
		{"option value", rfN + `"table":{"options":{"panos":3}}`, "ball 5", "table.options.panos"},
		{"max_level has no place in 1979", rfN + `"table":{"options":{"max_level":2}}`, "ball 5", "table.options.max_level"},
		{"min_simples above five times", rfB + `"table":{"min":100,"options":{"min_simples":501}}`, "ball 5", "table.options.min_simples"},
		{"withdrawn more than laid", rfN, "bet 1 rojo 5; withdraw 1 rojo 6; ball 5", "events[1].amount"},
		{"prison without prison", raN + `"carry":{"prison":[{"seat":1,"spot":"rojo","stake":5,"zeros":1}]}`, "ball 5", "carry.prison"},
		{"carry of another game", rfN + `"carry":{"point":6}`, "ball 5", "carry"},
		{"point seven", "nacional-1979 dados_craps " + `"carry":{"point":7}`, "dice 1 2", "carry.point"},
		{"carried nothing", "nacional-1979 dados_craps " + `"carry":{"point":6,"bets":[{"seat":1,"spot":"win","amount":0}]}`, "dice 1 2", "carry.bets[0]"},
		{"bingo ball", "nacional-1979 bingo", "ball 91", "events[0].pocket"},
		{"unknown norm", "madrid-2020 boule", "ball 1", "norm"},
		{"unknown game", "nacional-1979 sic_bo", "ball 1", "game"},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			_, err := validate.Check(books, script(t, c.setup, c.events))
			e, ok := err.(*round.Error)
			if !ok || e.Path != c.path || e.Record != "t" {
				t.Errorf("got %v (path %q), want an error at %s", err, e, c.path)
			}
		})
	}
}
