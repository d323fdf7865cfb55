package ringpoker_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/round"
)

// script writes a record. The setup is "andalucia-2010 holdem_circulo 1,2,3 m3"
// (norm, game, players, marca) followed by options as JSON, a carry after "|".
// Events: "b1 300", "ante 100" (all), "c1 2" (two cards down to seat 1), "c1 Kh"
// (up) or "c1 -Kh" (down), "deal 2" (two down each, in order), "bd Ah Kd 2c",
// "burn", "chk1", "fold1" (said aloud in Andalucía), "call1 200", "raise1 700",
// "show1 Ah Kd", "gana1 full", "pay1 900", "ret1 50", "rake 45", and any event as JSON.
func script(t testing.TB, setup, events string) *round.Record {
	t.Helper()
	head, carry, _ := strings.Cut(setup, "|")
	w := strings.SplitN(head, " ", 5)
	options := `"marca":` + w[3][1:] + `,"players":[` + w[2] + `]`
	if len(w) > 4 && strings.TrimSpace(w[4]) != "" {
		options += "," + strings.TrimSpace(w[4])
	}
	if carry == "" {
		carry = "{}"
	}
	s := &scripter{seats: strings.Split(w[2], ","), norm: w[0]}
	for _, e := range strings.Split(events, ";") {
		if e = strings.TrimSpace(e); e != "" {
			s.event(e)
		}
	}
	for i := range s.out {
		s.out[i] = fmt.Sprintf(`{"t":%d,%s`, i, s.out[i][1:])
	}
	text := fmt.Sprintf(`{"schema":"round/1","id":"t","norm":%q,"game":%q,"table":{"id":"C","min":200,"max":20000,"options":{%s}},"carry":%s,"events":[%s]}`,
		w[0], w[1], options, carry, strings.Join(s.out, ","))
	return rounds.Parse(t, text)
}

type scripter struct {
	seats []string
	norm  string
	out   []string
}

func (s *scripter) add(format string, args ...any) {
	s.out = append(s.out, fmt.Sprintf(format, args...))
}

func (s *scripter) card(zone, c string) {
	face := "up"
	if strings.HasPrefix(c, "-") || c == "??" {
		c, face = strings.TrimPrefix(c, "-"), "down"
	}
	s.add(`{"type":"card","zone":%q,"card":%q,"face":%q}`, zone, c, face)
}

func (s *scripter) event(e string) {
	if e[0] == '{' {
		s.add("%s", e)
		return
	}
	w := strings.Fields(e)
	name := strings.TrimRight(w[0], "0123456789")
	seat := w[0][len(name):]
	arg := ""
	if len(w) > 1 {
		arg = w[1]
	}
	amount := ""
	if arg != "" {
		amount = `,"amount":` + arg
	}
	switch name {
	case "ante":
		for _, p := range s.seats {
			s.add(`{"type":"bet","seat":%s,"spot":"ante","amount":%s}`, p, arg)
		}
	case "b":
		s.add(`{"type":"bet","seat":%s,"spot":"bote","amount":%s}`, seat, arg)
	case "small", "big", "one":
		s.add(`{"type":"bet","seat":%s,"spot":%q,"amount":%s}`, seat, map[string]string{"small": "ciega_pequena", "big": "ciega_grande", "one": "ante"}[name], arg)
	case "wd":
		s.add(`{"type":"withdraw","seat":%s,"spot":"bote","amount":%s}`, seat, arg)
	case "c":
		for _, c := range w[1:] {
			s.card("seat:"+seat, c)
		}
	case "bd":
		for _, c := range w[1:] {
			s.card("board", c)
		}
	case "burn":
		s.add(`{"type":"burn","count":1}`)
	case "chk", "call", "raise", "bet", "fold", "play", "sit_out", "stand":
		s.add(`{"type":"action","seat":%s,"action":%q%s}`, seat, strings.Replace(name, "chk", "check", 1), amount)
		if name == "fold" && s.norm == "andalucia-2010" && arg == "" {
			s.add(`{"type":"announce","by":"croupier","call":"no_va","seat":%s}`, seat)
		}
	case "show":
		s.add(`{"type":"reveal","zone":"seat:%s","cards":["%s"]}`, seat, strings.Join(w[1:], `","`))
	case "gana":
		hand := ""
		if arg != "" {
			hand = `,"hand":"` + arg + `"`
		}
		s.add(`{"type":"announce","by":"croupier","call":"gana","seat":%s%s}`, seat, hand)
	case "say":
		s.add(`{"type":"announce","by":"croupier","call":%q}`, arg)
	case "num":
		s.add(`{"type":"announce","by":"player","call":"descarte","seat":%s,"number":%q}`, seat, arg)
	case "draw":
		s.add(`{"type":"action","seat":%s,"action":"draw","discard":["%s"]%s}`, seat, strings.Join(w[2:], `","`), map[string]string{"pot": `,"zone":"bote"`}[arg])
	case "pay", "ret":
		s.add(`{"type":%q,"seat":%s,"spot":"bote","amount":%s}`, map[string]string{"pay": "pay", "ret": "return"}[name], seat, arg)
	case "rake":
		s.add(`{"type":"commission","zone":"pot","amount":%s}`, arg)
	case "inc":
		zone, more := "", ""
		if len(w) > 2 {
			zone = `,"zone":"` + w[2] + `"`
		}
		if len(w) > 3 {
			more = "," + w[3]
		}
		s.add(`{"type":"incident","kind":%q%s%s}`, arg, zone, more)
	default:
		panic("unknown event " + e)
	}
}

// brief writes findings as "bet_above_max 3 100/150", sorted.
func brief(list []round.Finding) string {
	list = slices.Clone(list)
	words := func(f round.Finding) string { return rounds.Brief([]round.Finding{f}, rounds.Seat, rounds.Amounts) }
	slices.SortStableFunc(list, func(a, b round.Finding) int { return strings.Compare(words(a), words(b)) })
	return rounds.Brief(list, rounds.Seat, rounds.Amounts)
}

// lines writes a settlement as "1 win 900 0" (seat, outcome, pays, returns).
func lines(list []round.Settlement) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%d %s %d %d", s.Seat, s.Outcome, s.Pays, s.Returns))
	}
	return strings.Join(out, "; ")
}

// article is one rule of section 3 to 8 of the family.
type article struct {
	name, setup, events string
	findings            string
	lines               string // "" is not compared
	next                string
}

func TestMain(m *testing.M) {
	os.Exit(cited.Main(m))
}

func runArticles(t *testing.T, list []article) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			v := rounds.Cited(t, script(t, c.setup, c.events))
			if got := brief(v.Findings); got != c.findings {
				t.Errorf("findings\ngot  %s\nwant %s", got, c.findings)
			}
			if got := lines(v.Settlement); c.lines != "" && got != c.lines {
				t.Errorf("settlement\ngot  %s\nwant %s", got, c.lines)
			}
			if got := rounds.JSON(v.Next); c.next != "" && got != c.next {
				t.Errorf("next\ngot  %s\nwant %s", got, c.next)
			}
		})
	}
}

const (
	he3  = "andalucia-2010 holdem_circulo 1,2,3 m3 "
	open = "ante 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; "
)

func TestBettingArticles(t *testing.T) {
	end := "fold2; fold3; ret1 "
	runArticles(t, []article{
		{"clean walkover", he3, open + "b1 300; fold2; fold3; ret1 300; pay1 300", "", "1 win 300 300; 2 lose 0 0; 3 lose 0 0", `{"marca":1}`},
		{"opening below the minimum", he3, open + "b1 150; " + end + "150; pay1 300", "bet_below_min 1 200/150", "", ""},
		{"declared, fewer chips", he3, open + `bet1 300; b1 200; ` + end + "300; pay1 300", "other_procedure 1 300/200", "", ""},
		{"declared, more chips go back", he3, open + `bet1 300; b1 500; fold2; fold3; ret1 500; pay1 300`, "", "1 win 300 500; 2 lose 0 0; 3 lose 0 0", ""},
		{"raise without an amount takes the next chips", he3, open + `bet1; b1 300; ` + end + "300; pay1 300", "", "", ""},
		{"call without an amount", he3, open + `b1 300; call2; b2 300; fold3; burn; bd Ah Kd 2c; b1 200; fold2; ret1 200; pay1 900`, "", "1 win 900 200; 2 lose 0 0; 3 lose 0 0", ""},
		{"check with a bet to call", he3, open + `b1 300; chk2; fold2; fold3; ret1 300; pay1 300`, "player_action_not_allowed 2", "", ""},
		{"a short call is completed", he3 + `"stacks":{"2":5000}`, open + `b1 300; b2 200; b2 100; fold3; burn; bd Ah Kd 2c; b1 200; fold2; ret1 200; pay1 900`, "", "", ""},
		{"a short call is not", he3 + `"stacks":{"2":5000}`, open + `b1 300; b2 200; fold3; burn; bd Ah Kd 2c; b1 200; fold2; ret1 200; pay1 900`, "other_procedure 2 300/200", "", ""},
		{"overchip without a bet plays whole", he3, open + `b1 500; inc overchip seat:1; ` + end + "500; pay1 300", "", "", ""},
		{"overchip under pot at most the pot", he3 + `"limit":"pot"`, open + `b1 500; inc overchip seat:1; fold2; fold3; ret1 500; pay1 300`, "", "1 win 300 500; 2 lose 0 0; 3 lose 0 0", ""},
		{"over the pot", he3 + `"limit":"pot"`, open + `b1 301; ` + end + "301; pay1 300", "bet_above_max 1 300/301", "", ""},
		{"fixed: level", he3 + `"limit":"fixed"`, open + `b1 300; ` + end + "300; pay1 300", "bet_above_max 1 200/300", "", ""},
		{"fixed: raise of another size", he3 + `"limit":"fixed"`, open + `b1 200; b2 500; fold3; fold1; ret2 300; pay2 700`, "raise_wrong 2 200/300", "", ""},
		{"fixed: high after the flop's interval", he3 + `"limit":"fixed"`, open + `chk1; chk2; chk3; burn; bd Ah Kd 2c; chk1; chk2; chk3; burn; bd 5s; b1 200; ` + end + "200; pay1 300", "bet_below_min 1 400/200", "", ""},
		{"raise below double", he3, open + `b1 400; b2 600; fold3; fold1; ret2 200; pay2 1100`, "raise_wrong 2 800/600", "", ""},
		{"all players may check", he3, open + `chk1; chk2; chk3; burn; bd Ah Kd 2c; b1 200; ` + end + "200; pay1 300", "", "", ""},
		{"a player that is out bets", he3, open + `b1 300; fold2; b2 300; fold3; ret1 300; ret2 300; pay1 300`, "player_action_not_allowed 2", "1 win 300 300; 2 lose 0 300; 3 lose 0 0", ""},
		{"a seat that does not play bets", he3, open + `b1 300; b7 300; fold2; fold3; ret1 300; ret7 300; pay1 300`, "player_action_not_allowed 7", "1 win 300 300; 2 lose 0 0; 3 lose 0 0; 7 void 0 300", ""},
		{"chips taken back", he3, open + `b1 300; wd1 100; b1 100; ` + end + "300; pay1 300", "late_withdrawal 1 -/100", "", ""},
		{"taken after being paid", he3, open + `b1 300; ` + end + "300; pay1 300; wd1 300", "", "", ""},
		{"an ante taken back and put again", he3, `one1 100; {"type":"withdraw","seat":1,"spot":"ante","amount":100}; one1 100; one2 100; one3 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; b1 300; ` + end + "300; pay1 300", "late_withdrawal 1 -/100", "1 win 300 300; 2 lose 0 0; 3 lose 0 0", ""},
		{"an ante put again and more", he3, `one1 100; {"type":"withdraw","seat":1,"spot":"ante","amount":100}; one1 150; one2 100; one3 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; b1 300; ` + end + "300; pay1 350", "bet_above_max 1 100/150; late_withdrawal 1 -/100", "1 win 350 300; 2 lose 0 0; 3 lose 0 0", ""},
		{"a blind taken back and put again", he3 + `"forced":"ciegas"`, `small1 100; big2 200; {"type":"withdraw","seat":2,"spot":"ciega_grande","amount":200}; big2 200; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; fold1; chk2; fold3; ret2 100; pay2 200`, "late_withdrawal 2 -/200", "", ""},
		{"fold not said", he3, open + "b1 300; fold2 1; fold3; ret1 300; pay1 300", "announcement_missing 2 no_va/-", "", ""},
		{"no va of one who plays", he3, open + `b1 300; {"type":"announce","by":"croupier","call":"no_va","seat":3}; fold2; fold3; ret1 300; pay1 300`, "announcement_wrong 3", "", ""},
		{"ante short, ante twice", he3, "one1 50; one2 100; one2 100; one3 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; b1 300; fold2; fold3; ret1 300; pay1 350", "bet_above_max 2 100/200; bet_below_min 1 100/50", "", ""},
		{"blinds: sizes and seats", "andalucia-2010 holdem_circulo 1,2,3 m3 " + `"forced":"ciegas"`, "small2 100; big1 150; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; fold1; fold2; ret1 50; pay3 200", "bet_below_min 1 200/150; player_action_not_allowed 1; player_action_not_allowed 2", "", ""},
		{"no blinds at all", "andalucia-2010 holdem_circulo 1,2,3 m3 " + `"forced":"ciegas"`, "c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; fold1; fold2", "bet_below_min 1 100/0; bet_below_min 2 200/0", "", ""},
		{"after the blinds", "andalucia-2010 holdem_circulo 1,2,3 m3 " + `"forced":"ciegas","first_round":"after_blinds"`, "small1 100; big2 200; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; b3 200; b1 100; chk2; burn; bd Ah Kd 2c; chk1; b2 200; fold3; fold1; ret2 200; pay2 600", "", "", ""},
		{"Cantabria: half of the pot", "cantabria-2010 poker_cubierto_5 1,2,3,4 m4 " + `"limit":"split_limit"`, "ante 100; " + strings.Repeat("c4 ??; c3 ??; c2 ??; c1 ??; ", 5) + "b4 201; fold3; fold2; fold1; ret4 201; pay4 400", "bet_above_max 4 200/201", "", ""},
	})
}

func TestRakeArticles(t *testing.T) {
	r := he3 + `"rake":{"mode":"percent","rate_bp":500}`
	runArticles(t, []article{
		{"not taken", r, open + "b1 300; fold2; fold3; ret1 300; pay1 285", "commission_missing 15/0", "", ""},
		{"after paying", r, open + "b1 300; fold2; fold3; ret1 300; pay1 285; rake 15", "payout_order_wrong", "", ""},
		{"without a rake", he3, open + "b1 300; fold2; fold3; ret1 300; rake 15; pay1 300", "commission_wrong 0/15", "", ""},
		{"session below the band", he3 + `"rake":{"mode":"session","fee":100,"base":2000}`, open + "b1 300; fold2; fold3; ret1 300; pay1 300", "commission_wrong 200/100", "", ""},
		{"carried chips pay", "andalucia-2010 poker_cubierto_5 1,2,3 m3 " + `"rake":{"mode":"percent","rate_bp":500}|{"marca":3,"bote":1000,"blank_hands":1}`,
			"ante 100; " + strings.Repeat("c1 ??; c2 ??; c3 ??; ", 5) + "b1 300; fold2; fold3; ret1 300; rake 65; pay1 1235", "", "1 win 1235 300; 2 lose 0 0; 3 lose 0 0", `{"blank_hands":0,"bote":0,"marca":1}`},
	})
}

func TestDealArticles(t *testing.T) {
	cant := "cantabria-2010 holdem_circulo 1,2,3,4 m4 "
	blinds := "small1 100; big2 200; "
	runArticles(t, []article{
		{"Andalucía: order, no call, one decision", he3, "ante 100; c2 ??; c1 ??; c3 ??; c1 ??; c2 ??; c3 ??; b1 300; ret1 400; ret2 100; ret3 100", "deal_order_wrong 2", "1 void 0 400; 2 void 0 100; 3 void 0 100", `{"bote":0,"marca":3}`},
		{"Cantabria: order annuls always", cant, blinds + "c2 ??; c1 ??; c3 ??; c4 ??; c1 ??; c2 ??; c3 ??; c4 ??; fold3; fold4; fold1; pay2 300", "deal_order_wrong 2; return_wrong 1 100/0; return_wrong 2 200/0; void_round_settled 2 -/300", "1 void 0 100; 2 void 0 200", ""},
		{"Cantabria: one card up stands", cant, blinds + "c1 Kh; c2 ??; c3 ??; c4 ??; c1 ??; c2 ??; c3 ??; c4 ??; fold3; fold4; fold1; ret2 100; pay2 200", "face_wrong 1", "1 lose 0 0; 2 win 200 100", ""},
		{"Castilla y León: two cards up stand", "castilla-y-leon-2013 holdem_circulo 1,2,3 m1", "ante 100; c1 Kh; c2 Qh; c3 ??; c1 ??; c2 ??; c3 ??; b1 300; fold2; fold3; ret1 300; pay1 300", "face_wrong 1; face_wrong 2", "", ""},
		{"misdeal without cause", he3, open + "say misdeal; ret1 100; ret2 100; ret3 100", "irregularity_ignored", "1 unknown 0 0; 2 unknown 0 0; 3 unknown 0 0", `{"bote":0,"marca":3}`},
		{"misdeal not paid back", he3, "ante 100; c1 Kh; say misdeal; ret1 100; pay2 100; ret3 100; rake 5", "face_wrong 1; return_wrong 2 100/0; void_round_settled -/5; void_round_settled 2 -/100", "", ""},
		{"a fold not said before the hand is annulled", he3, open + "b1 300; fold2 1; b3 300; inc foreign_back; say misdeal; ret1 400; ret2 100; ret3 400", "announcement_missing 2 no_va/-", "1 void 0 400; 2 void 0 100; 3 void 0 400", ""},
		{"wrong card seen", he3, open + "inc wrong_card_seen; say misdeal; ret1 100; ret2 100; ret3 100", "", "1 void 0 100; 2 void 0 100; 3 void 0 100", ""},
		{"duplicate annuls always", he3, open + "b1 300; b2 300; b3 300; burn; bd Ah Kd 2c; chk1; chk2; chk3; burn; bd 4c; chk1; chk2; chk3; burn; bd Ah; chk1; chk2; chk3; ret1 400; ret2 400; ret3 400", "duplicate_card -/Ah", "1 void 0 400; 2 void 0 400; 3 void 0 400", ""},
		{"the marca was not moved", he3 + `|{"marca":1}`, open + "b1 300; b2 300; fold3; burn; bd Ah Kd 2c; b1 200; fold2; ret1 200; pay1 900", "other_procedure 1/3", "", ""},
		{"flop early and taken back", he3, open + `b1 300; burn; bd Ah Kd 2c; {"type":"incident","kind":"card_retired","zone":"board","card":"Ah"}; {"type":"incident","kind":"card_retired","zone":"board","card":"Kd"}; {"type":"incident","kind":"card_retired","zone":"board","card":"2c"}; fold2; b3 300; bd Ah 9d 3c; b1 200; fold3; ret1 200; pay1 900`, "dealt_before_close", "", ""},
		{"flop of two", he3, open + "chk1; chk2; chk3; burn; bd Ah Kd; b1 200; fold2; fold3; ret1 200; pay1 300", "card_count_wrong 3/2", "", ""},
		{"common cards laid when one player is left belong to no street (IX.9)", he3, open + "chk1; chk2; chk3; burn; bd Ah Kd 2c; b1 200; fold2; fold3; burn; bd 5s; burn; bd 9s; ret1 200; pay1 300", "", "1 win 300 200; 2 lose 0 0; 3 lose 0 0", ""},
		{"flop down", he3, open + "chk1; chk2; chk3; burn; bd -Ah Kd 2c; b1 200; fold2; fold3; ret1 200; pay1 300", "face_wrong", "", ""},
		{"two burned", he3, open + `chk1; chk2; chk3; burn; burn; bd Ah Kd 2c; b1 200; fold2; fold3; ret1 200; pay1 300`, "burn_wrong 1/2", "", ""},
		{"sintético burns none", "andalucia-2010 poker_sintetico 1,2,3 m1", "ante 100; c1 ??; c3 ??; c2 ??; c1 ??; c3 ??; c2 ??; bd Ah; chk1; chk3; chk2; burn; bd Kh; b1 200; fold3; fold2; ret1 200; pay1 300", "burn_wrong 0/1", "", ""},
		{"Balears: a card turned and not read", "balears-2005 poker_sintetico 1,2,3,4 m1", `ante 200; c1 ??; c4 ??; c3 ??; c2 ??; c1 ??; c4 ??; c3 ??; c2 ??; bd Ah ?? ?? ?? ??; chk1; chk4; chk3; chk2; {"type":"reveal","zone":"board","cards":["Ah","Kd","??","??","??"],"conf":0.2}; chk1; chk4; chk3; chk2; {"type":"reveal","zone":"board","cards":["Ah","Kd","Qc","??","??"]}; b1 200; fold4; fold3; fold2; ret1 200; pay1 800`, "", "1 win 800 200; 2 lose 0 0; 3 lose 0 0; 4 lose 0 0", ""},
		{"Balears: a card turned, shown as unseen", "balears-2005 poker_sintetico 1,2,3,4 m1", `ante 200; c1 ??; c4 ??; c3 ??; c2 ??; c1 ??; c4 ??; c3 ??; c2 ??; bd Ah ?? ?? ?? ??; chk1; chk4; chk3; chk2; {"type":"reveal","zone":"board","cards":["Ah","??","??","??","??"]}; chk1; chk4; chk3; chk2; {"type":"reveal","zone":"board","cards":["Ah","Kd","Qc","??","??"]}; b1 200; fold4; fold3; fold2; ret1 200; pay1 800`, "", "1 win 800 200; 2 lose 0 0; 3 lose 0 0; 4 lose 0 0", ""},
		{"Balears: two cards turned at once", "balears-2005 poker_sintetico 1,2,3,4 m1", `ante 200; c1 ??; c4 ??; c3 ??; c2 ??; c1 ??; c4 ??; c3 ??; c2 ??; bd Ah ?? ?? ?? ??; chk1; chk4; chk3; chk2; {"type":"reveal","zone":"board","cards":["Ah","Kd","Qc","??","??"]}; b1 200; fold4; fold3; fold2; ret1 200; pay1 800`, "card_count_wrong 1/2; irregularity_ignored", "1 win 800 200; 2 lose 0 0; 3 lose 0 0; 4 lose 0 0", ""},
		{"a card off the table is one of two, whichever of the deal it is (X.1.d-e)", he3, "ante 100; c1 ??; inc card_floor seat:1; say misdeal; ret1 100; ret2 100; ret3 100", "irregularity_ignored", "1 unknown 0 0; 2 unknown 0 0; 3 unknown 0 0", ""},
		{"two off the table annul (X.1.e)", he3, "ante 100; c1 ??; inc card_floor seat:1; c2 ??; inc card_floor seat:2; say misdeal; ret1 100; ret2 100; ret3 100", "", "1 void 0 100; 2 void 0 100; 3 void 0 100", ""},
		{"Andalucía, sintético: one is enough (B.8.IV.1.b)", "andalucia-2010 poker_sintetico 1,2,3 m1", "ante 100; c1 ??; inc card_floor seat:1; say misdeal; ret1 100; ret2 100; ret3 100", "", "1 void 0 100; 2 void 0 100; 3 void 0 100", ""},
		{"Cantabria names only cards face up (VIII.1)", cant, blinds + "c1 ??; inc card_floor seat:1; c2 ??; inc card_floor seat:2; say misdeal; ret1 100; ret2 200", "irregularity_ignored", "1 unknown 0 0; 2 unknown 0 0", ""},
		{"so does its sintético (A.15.6.IV.1)", "cantabria-2010 poker_sintetico 1,2,3,4 m1", "ante 100; c1 ??; inc card_floor seat:1; say misdeal; ret1 100; ret2 100; ret3 100; ret4 100", "irregularity_ignored", "1 unknown 0 0; 2 unknown 0 0; 3 unknown 0 0; 4 unknown 0 0", ""},
		{"a card too many once the betting has begun (B.3.IV.3.b)", he3, open + "chk1; chk2; chk3; c2 ??; burn; bd Ah Kd 2c; chk1; chk2; chk3; burn; bd 5s; chk1; chk2; chk3; burn; bd 9s; chk1; chk2; chk3; show1 Kc 3d; show2 Ac 3c 4c; show3 Qc 3h; gana1; pay1 300", "card_count_wrong 2 2/3", "1 win 300 0; 2 lose 0 0; 3 lose 0 0", ""},
		{"and taken back", he3, open + "chk1; chk2; chk3; c2 ??; inc card_retired seat:2; burn; bd Ah Kd 2c; b1 200; fold2; fold3; ret1 200; pay1 300", "", "1 win 300 200; 2 lose 0 0; 3 lose 0 0", ""},
		{"hands that touch, all named", he3, open + `{"type":"incident","kind":"cards_touch","seats":[2,3]}; pay1 300`, "", "1 win 300 0; 2 lose 0 0; 3 lose 0 0", ""},
		{"a hand that touched is paid", he3, open + `inc cards_touch seat:2 "with":3; pay2 300`, "payout_missing 1 300/0; payout_to_loser 2 0/300", "1 win 300 0; 2 lose 0 0; 3 lose 0 0", ""},
		{"Castilla y León has no such rule", "castilla-y-leon-2013 holdem_circulo 1,2,3 m1", open + `{"type":"incident","kind":"cards_touch","seats":[2,3]}; b1 300; fold2; fold3; ret1 300; pay1 300`, "", "1 win 300 300; 2 lose 0 0; 3 lose 0 0", ""},
		{"hands that touch", he3, open + `inc cards_touch seat:2 "with":[3]; pay1 300`, "", "1 win 300 0; 2 lose 0 0; 3 lose 0 0", ""},
		{"eleven players", "castilla-y-leon-2013 holdem_circulo 1,2,3,4,5,6,7,8,9,10,11 m1", "ante 100; " + strings.Repeat("c1 ??; c2 ??; c3 ??; c4 ??; c5 ??; c6 ??; c7 ??; c8 ??; c9 ??; c10 ??; c11 ??;", 2) + "fold1; fold2; fold3; fold4; fold5; fold6; fold7; fold8; fold9; fold10; pay11 1100", "other_procedure 10/11", "", ""},
	})
}

func TestShowdownArticles(t *testing.T) {
	run := open + "chk1; chk2; chk3; burn; bd Ah Kd 2c; chk1; chk2; chk3; burn; bd 5s; chk1; chk2; chk3; burn; "
	runArticles(t, []article{
		{"no bet: the first of the last interval shows first", he3, run + "bd 9s; chk1; chk2; chk3; show2 Ac 3c; show1 Kc 3d; show3 Qc 3h; gana2; pay2 300", "other_procedure 2", "", ""},
		{"one renounces", he3, run + "bd 9s; chk1; chk2; chk3; show1 Kc 3d; show2 Ac 3c; gana2; pay2 300", "", "1 lose 0 0; 2 win 300 0; 3 lose 0 0", ""},
		{"a word of a folded seat after the showdown changes nothing (X.3.g)", he3, run + "bd 9s; fold1; chk2; chk3; show2 Ac 3c; show3 Kc 3d; chk1; gana2; pay2 300", "player_action_not_allowed 1", "1 lose 0 0; 2 win 300 0; 3 lose 0 0", ""},
		{"nor does a word once the hand is over", he3, run + "bd 9s; chk1; chk2; chk3; show1 Kc 3d; show2 Ac 3c; show3 Qc 3h; chk3; gana2; pay2 300", "player_action_not_allowed 3", "1 lose 0 0; 2 win 300 0; 3 lose 0 0", ""},
		{"a fold at the showdown is not said", he3, run + "bd 9s; chk1; chk2; chk3; fold1 1; show2 Ac 3c; show3 Kc 3d; gana2; pay2 300", "", "1 lose 0 0; 2 win 300 0; 3 lose 0 0", ""},
		{"no river", he3, run[:len(run)-6] + "show1 Kc 3d; show2 Ac 3c; show3 Qc 3h; gana2; pay2 300", "card_count_wrong 5/4", "1 unknown 0 0; 2 unknown 0 0; 3 unknown 0 0", ""},
		{"a river not seen", he3, run + `{"type":"card","zone":"board","card":"??","face":"up"}; chk1; chk2; chk3; show1 Kc 3d; show2 Ac 3c; show3 Qc 3h; gana2; pay2 300`, "not_observable", "", ""},
		{"chips pending at the end", he3, run + `bd 9s; b1 200`, "other_procedure", "1 unknown 0 0; 2 unknown 0 0; 3 unknown 0 0", ""},
		{"split, odd chip to the last bettor", he3 + `"chip":100`, run + "bd 9s; b1 200; fold2; b3 200; show1 Ac 3d; show3 Ad 3h; gana1; gana3; pay1 400; pay3 300", "", "1 win 400 0; 2 lose 0 0; 3 win 300 0", ""},
		{"a hand shown before the others give up", he3, run + "bd 9s; b1 200; fold2; b3 200; show1 Kc 3d; fold3 1; gana1 trio; pay1 700", "announcement_wrong 1 pareja/trio", "1 win 700 0; 2 lose 0 0; 3 lose 0 0", ""},
		{"nothing put and nothing won is no entry", "castilla-y-leon-2013 poker_descubierto_5 1,2 m1 " + `"forced":"none"`, "c1 ??; c2 ??; c1 Kh; c2 9d; chk1; chk2; c1 Kd; c2 8d; chk1; chk2; c1 Qd; c2 7d; chk1; chk2; c1 Jd; c2 Ts; chk1; chk2; show1 Kc Kh Kd Qd Jd; show2 As 9d 8d 7d Ts", "", "", `{"marca":2}`},
		{"winner not named", he3, run + "bd 9s; chk1; chk2; chk3; show1 Kc 3d; show2 Ac 3c; show3 Qc 3h; pay2 300", "announcement_missing 2 gana/-", "", ""},
		{"return to the wrong player", he3, run + "bd 9s; b1 300; fold2; fold3; pay1 600; ret2 100", "payout_to_loser 2 0/100", "", ""},
	})
}

func TestCommunityArticles(t *testing.T) {
	five := "castilla-y-leon-2013 omaha_5_circulo 1,2 m1 " + `"first_common":true`
	dealt := "ante 100; " + strings.Repeat("c1 ??; c2 ??; ", 5)
	doble := "castilla-y-leon-2013 doble_holdem_circulo 1,2 m1"
	one := func(line int, c string) string {
		return fmt.Sprintf(`{"type":"card","zone":"board%d","card":%q,"face":"up"}; `, line, c)
	}
	runArticles(t, []article{
		{"first common card with the deal", five, dealt + "bd Ah; chk1; chk2; burn; bd Kd 2c; b1 200; fold2; ret1 200; pay1 200", "", "1 win 200 200; 2 lose 0 0", ""},
		{"a flop of three all the same", five, dealt + "bd Ah; chk1; chk2; burn; bd Kd 2c 3c; b1 200; fold2; ret1 200; pay1 200", "burn_wrong 1/0; dealt_before_close", "", ""},
		{"five cards: the limits that the house chooses among (art. 74)", "castilla-y-leon-2013 omaha_5_circulo 1,2 m1 " + `"limit":"pot"`, dealt + "b1 201; fold2; ret1 201; pay1 200", "bet_above_max 1 200/201", "", ""},
		{"hi-lo: the same (art. 78)", "castilla-y-leon-2013 omaha_hilo_circulo 1,2 m1 " + `"limit":"fixed"`, "ante 100; " + strings.Repeat("c1 ??; c2 ??; ", 4) + "b1 200; b2 500; fold1; ret2 300; pay2 600", "raise_wrong 2 200/300", "", ""},
		{"doble: the same (art. 84)", doble + ` "limit":"pot"`, "ante 100; c1 ??; c2 ??; c1 ??; c2 ??; b1 201; fold2; ret1 201; pay1 200", "bet_above_max 1 200/201", "", ""},
		{"doble: a line short", doble, "ante 100; c1 ??; c2 ??; c1 ??; c2 ??; chk1; chk2; burn; " + one(1, "Ah") + one(1, "Kd") + one(1, "2c") + one(2, "As") + one(2, "Ks") + "b1 200; fold2; ret1 200; pay1 200", "card_count_wrong 3/2", "", ""},
		{"Balears: a down card of the board up", "balears-2005 poker_sintetico 1,2,3,4 m4", "ante 200; c4 ??; c3 ??; c2 ??; c1 ??; c4 ??; c3 ??; c2 ??; c1 ??; bd Ah -?? Kh -?? -??; say misdeal; ret1 200; ret2 200; ret3 200; ret4 200", "face_wrong", "1 void 0 200; 2 void 0 200; 3 void 0 200; 4 void 0 200", ""},
		{"Balears: any five of seven", "balears-2005 poker_sintetico 1,2,3,4 m4", "ante 200; c4 ??; c3 ??; c2 ??; c1 ??; c4 ??; c3 ??; c2 ??; c1 ??; bd Ah -?? -?? -?? -??; fold4; fold3; chk2; chk1; " +
			`{"type":"reveal","zone":"board","cards":["Ah","Kh","??","??","??"]}; chk2; chk1; {"type":"reveal","zone":"board","cards":["Ah","Kh","Qh","??","??"]}; chk2; chk1; ` +
			`{"type":"reveal","zone":"board","cards":["Ah","Kh","Qh","Jh","??"]}; chk2; chk1; {"type":"reveal","zone":"board","cards":["Ah","Kh","Qh","Jh","8c"]}; chk2; chk1; show2 Th 8d; show1 8s 8h; gana2 escalera_real; pay2 800`, "", "1 lose 0 0; 2 win 800 0; 3 lose 0 0; 4 lose 0 0", ""},
	})
}

func TestStudArticles(t *testing.T) {
	const and, cant, cyl = "andalucia-2010 poker_descubierto_7 1,2,3,4 m4 ", "cantabria-2010 poker_descubierto_7 1,2,3,4 m1 ", "castilla-y-leon-2013 poker_descubierto_7 1,2,3 m1 "
	down := strings.Repeat("c1 ??; c2 ??; c3 ??; c4 ??; ", 2)
	first := "ante 100; " + down + "c1 2h; c2 9d; c3 Td; c4 Jd; say hagan_sus_apuestas; "
	four := first + "b1 200; b2 200; b3 200; b4 200; burn; c1 3s; c2 9h; c3 8d; c4 7c; chk2; chk3; chk4; chk1; burn; c1 4s; c2 Qh; c3 6d; c4 5c; chk2; chk3; chk4; chk1; burn; c1 6s; c2 Kh; c3 2d; c4 3c; chk2; chk3; chk4; chk1; say ultima_carta; burn; "
	end := "chk2; b3 200; fold4; fold1; fold2; ret3 200; pay3 1200"
	runArticles(t, []article{
		{"the first may not pass", and, first + "chk1; b2 200; fold3; fold4; fold1; ret2 200; pay2 400", "player_action_not_allowed 1", "", ""},
		{"nor retire", and, first + "fold1; b2 200; fold3; fold4; ret2 200; pay2 400", "player_action_not_allowed 1", "", ""},
		{"one hole card up, third up", and, "ante 100; c1 Ah; c2 ??; c3 ??; c4 ??; c1 ??; c2 ??; c3 ??; c4 ??; c1 2h; c2 9d; c3 Td; c4 Jd; say hagan_sus_apuestas; b1 200; fold2; fold3; fold4; ret1 200; pay1 400", "face_wrong 1; irregularity_ignored 1", "", ""},
		{"one hole card up, third down", and, "ante 100; c1 Ah; c2 ??; c3 ??; c4 ??; c1 ??; c2 ??; c3 ??; c4 ??; c1 ??; c2 9d; c3 Td; c4 Jd; say hagan_sus_apuestas; b2 200; fold3; fold4; fold1; ret2 200; pay2 400", "face_wrong 1", "", ""},
		{"seventh up, asked", and, four + "c1 ??; c2 9c; c3 ??; c4 ??; play2; " + end, "face_wrong 2", "", ""},
		{"seventh up, not asked", and, four + "c1 ??; c2 9c; c3 ??; c4 ??; " + end, "face_wrong 2; irregularity_ignored 2", "", ""},
		{"seventh up, sits out", and, four + "c1 ??; c2 9c; c3 ??; c4 ??; sit_out2; chk3; chk4; chk1; show3 Ac Tc Td 8d 6d 2d Th; show2 As Kd 9d 9h Qh Kh 9c; gana2; pay2 1200", "face_wrong 2; other_procedure 3", "1 lose 0 0; 2 win 1200 0; 3 lose 0 0; 4 lose 0 0", ""},
		{"shown in play: the seventh is due up", and, strings.Replace(four, "say ultima_carta", "show2 As Kd; say ultima_carta", 1) + "c1 ??; c2 9c; c3 ??; c4 ??; " + end, "", "", ""},
		{"twice the bet without a pair", cyl, `ante 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; c1 2h; c2 9d; c3 Td; say hagan_sus_apuestas; b1 200; b2 200; b3 200; burn; c1 3h; c2 8d; c3 Jd; b3 400; fold1; fold2; ret3 400; pay3 900`, "bet_above_max 3 200/400", "", ""},
		{"twice the bet with what may be a pair", cyl, `ante 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; c1 2h; c2 9d; c3 Td; say hagan_sus_apuestas; b1 200; b2 200; b3 200; burn; c1 3h; {"type":"card","zone":"seat:2","card":"??","face":"up"}; c3 Jd; b3 400; fold1; fold2; ret3 400; pay3 900`, "", "", ""},
		{"a raise too many", "castilla-y-leon-2013 poker_descubierto_7 1,2,3 m1 ", "ante 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; c1 2h; c2 9d; c3 Td; say hagan_sus_apuestas; b1 200; b2 400; b3 600; b1 600; b2 600; b3 600; b1 600; b2 600; b3 600; b1 600; b2 600; b3 400; b1 200; burn; c1 3h; c2 8d; c3 Jd; b3 200; fold1; fold2; ret3 200; pay3 6900", "raise_wrong 2", "", ""},
		{"two left, the seventh up: no bets", cyl, "ante 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; c1 2h; c2 9d; c3 Td; say hagan_sus_apuestas; b1 200; b2 200; fold3; burn; c1 3s; c2 9h; chk2; chk1; burn; c1 4s; c2 Qh; chk2; chk1; burn; c1 6s; c2 Kh; chk2; chk1; say ultima_carta; burn; c1 ??; c2 9c; b2 200; fold1; ret2 200; pay2 700", "face_wrong 2; player_action_not_allowed 2", "", ""},
		{"they are shown at once (art. 69.3)", cyl, "ante 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; c1 2h; c2 9d; c3 Td; say hagan_sus_apuestas; b1 200; b2 200; fold3; burn; c1 3s; c2 9h; chk2; chk1; burn; c1 4s; c2 Qh; chk2; chk1; burn; c1 6s; c2 Kh; chk2; chk1; say ultima_carta; burn; c1 ??; c2 9c; show1 As 2c 2h 3s 4s 6s Ts; show2 Ad Kd 9d 9h Qh Kh 9c; gana2; pay2 700", "face_wrong 2", "1 lose 0 0; 2 win 700 0; 3 lose 0 0", ""},
		{"nobody need say that he passes, and who does is not wrong", cyl, "ante 100; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; c1 2h; c2 9d; c3 Td; say hagan_sus_apuestas; b1 200; b2 200; fold3; burn; c1 3s; c2 9h; chk2; chk1; burn; c1 4s; c2 Qh; chk2; chk1; burn; c1 6s; c2 Kh; chk2; chk1; say ultima_carta; burn; c1 ??; c2 9c; chk2; chk1; show1 As 2c 2h 3s 4s 6s Ts; show2 Ad Kd 9d 9h Qh Kh 9c; gana2; pay2 700", "face_wrong 2", "1 lose 0 0; 2 win 700 0; 3 lose 0 0", ""},
		{"Cantabria: a card short", cant, "ante 100; c1 ??; c2 ??; c3 ??; c4 ??; c1 ??; c2 ??; c3 ??; c4 ??; c1 2h; c2 9d; c3 Td; c4 Jd; say hagan_sus_apuestas; b1 200; b2 200; b3 200; b4 200; burn; c1 3s; c2 9h; c3 8d; b2 200; fold3; fold4; fold1; ret2 200; pay2 1200", "card_count_wrong 4 1/0", "", ""},
		{"nothing was in the pot: all goes back (7)", "castilla-y-leon-2013 poker_descubierto_5 1,2,3 m1 " + `"forced":"none"`, "c1 ??; c2 ??; c3 ??; c1 Kh; c2 9d; c3 Td; b1 200; fold2; fold3; ret1 200", "", "1 void 0 200", ""},
		{"who has to open may not pass though another spoke before his turn", and, first + "chk2; chk1; b3 200; fold4; fold1; fold2; ret3 200; pay3 400", "player_action_not_allowed 1; player_action_not_allowed 2", "", ""},
		{"he may where one of them has bet (III.2.d)", and, first + "b2 200; fold1; fold3; fold4; ret2 200; pay2 400", "player_action_not_allowed 2", "", ""},
		{"both hole cards up: no third card is due", and, "ante 100; c1 Ah; c2 ??; c3 ??; c4 ??; c1 Kh; c2 ??; c3 ??; c4 ??; c2 9d; c3 Td; c4 Jd; ret1 100; say hagan_sus_apuestas; b2 200; fold3; fold4; ret2 200; pay2 300", "face_wrong 1; face_wrong 1", "1 void 0 100; 2 win 300 200; 3 lose 0 0; 4 lose 0 0", ""},
		{"both hole cards up: nor is one too many", and, "ante 100; c1 Ah; c2 ??; c3 ??; c4 ??; c1 Kh; c2 ??; c3 ??; c4 ??; c1 2h; c2 9d; c3 Td; c4 Jd; ret1 100; say hagan_sus_apuestas; b2 200; fold3; fold4; ret2 200; pay2 300", "face_wrong 1; face_wrong 1", "", ""},
		{"both hole cards up in Cantabria", cant, "ante 100; c1 Ah; c2 ??; c3 ??; c4 ??; c1 Kh; c2 ??; c3 ??; c4 ??; c2 9d; c3 Td; c4 Jd; ret1 100; say hagan_sus_apuestas; b2 200; fold3; fold4; ret2 200; pay2 300", "face_wrong 1; face_wrong 1", "1 void 0 100; 2 win 300 200; 3 lose 0 0; 4 lose 0 0", ""},
		{"Cantabria: a seventh card that is covered again lies open no more", cant + `"limit":"none"`, four + "c1 ??; c2 ??; c3 Ts; c4 ??; play3; " + end, "face_wrong 3", "", ""},
		{"Andalucía counts it (III.2.a)", and, four + "c1 ??; c2 ??; c3 Ts; c4 ??; play3; " + end, "face_wrong 3; player_action_not_allowed 2", "", ""},
		{"common seventh too soon", and, four + "bd Ac; " + end, "other_procedure", "", ""},
	})
}

func TestDrawArticles(t *testing.T) {
	const and = "andalucia-2010 poker_cubierto_5 1,2,3 m3 "
	first := "ante 100; " + strings.Repeat("c1 ??; c2 ??; c3 ??; ", 5)
	runArticles(t, []article{
		{"number said wrong, served short", and, first + "b1 200; b2 200; b3 200; stand1; num2 2; draw2 - ?? ?? ??; c2 ?? ??; stand3; b1 200; fold2; fold3; ret1 200; pay1 900", "announcement_wrong 2 3/2; card_count_wrong 2 3/2", "", ""},
		{"number not said", and, first + "b1 200; b2 200; b3 200; stand1; draw2 - ??; c2 ??; stand3; b1 200; fold2; fold3; ret1 200; pay1 900", "announcement_missing 2 descarte/-", "", ""},
		{"before the turn", and, first + "b1 200; b2 200; b3 200; stand1; num3 1; draw3 - ??; c3 ??; stand2; b1 200; fold2; fold3; ret1 200; pay1 900", "deal_order_wrong 3", "", ""},
		{"neither draws nor stands", and, first + "b1 200; b2 200; b3 200; stand1; stand3; b1 200; fold2; fold3; ret1 200; pay1 900", "announcement_missing 2 draw/-", "", ""},
		{"served up", and, first + "b1 200; b2 200; b3 200; stand1; num2 1; draw2 - ??; c2 Kd; stand3; b1 200; fold2; fold3; ret1 200; pay1 900", "face_wrong 2", "", ""},
		{"first card of a player up", and, "ante 100; c1 ??; c2 Kh; c3 ??; " + strings.Repeat("c1 ??; c2 ??; c3 ??; ", 4) + "chk1; chk2; b3 200; ret1 100; ret2 100; ret3 300", "face_wrong 2", "1 void 0 100; 2 void 0 100; 3 void 0 300", `{"blank_hands":0,"bote":0,"marca":3}`},
		{"a pair of jacks opens", and, first + "b1 200; b2 200; fold3; stand1; stand2; chk1; chk2; show1 Js Jd 3c 5c 8d; show2 Ts Td 3d 5d 8h; gana1; pay1 700", "", "", ""},
		{"a pair of tens does not", and, first + "b1 200; b2 200; fold3; stand1; stand2; chk1; chk2; show1 Ts Td 3c 5c 8d; show2 9s 9d 3d 5d 8h; gana2; pay2 700", "player_action_not_allowed 1", "1 lose 0 0; 2 win 700 0; 3 lose 0 0", ""},
		{"nor in Cantabria, where the turn goes to the right", "cantabria-2010 poker_cubierto_5 1,2,3,4 m1 ", "ante 100; " + strings.Repeat("c1 ??; c4 ??; c3 ??; c2 ??; ", 5) +
			"b1 200; b4 200; fold3; fold2; stand1; stand4; chk1; chk4; show1 Ts Td 3c 5c 8d; show4 9s 9d 3d 5d 8h; gana4; pay4 800", "player_action_not_allowed 1", "", ""},
		{"a blank hand is carried", and + `|{"marca":3,"bote":300,"blank_hands":1}`, first + "chk1; chk2; chk3", "", "1 stay 0 0; 2 stay 0 0; 3 stay 0 0", `{"blank_hands":2,"bote":600,"marca":1}`},
	})
}

// TestNoMinimum: a record that names no table minimum has no size to hold bets against.
func TestNoMinimum(t *testing.T) {
	for _, options := range []string{"", `"limit":"fixed"`, `"forced":"ciegas"`} {
		posted := open
		if strings.Contains(options, "ciegas") {
			posted = "small1 100; big2 200; c1 ??; c2 ??; c3 ??; c1 ??; c2 ??; c3 ??; fold3; "
		}
		rec := script(t, he3+options, posted+"b1 300; fold2; fold3; ret1 300; pay1 300")
		rec.Table.Min = 0
		for _, f := range rounds.Verdict(t, rec).Findings {
			switch f.Code {
			case finding.BetBelowMin, finding.BetAboveMax, finding.RaiseWrong:
				t.Errorf("%s: %+v", options, f)
			}
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ name, setup, events, path string }{
		{"spot", he3, `{"type":"bet","seat":1,"spot":"main","amount":5}`, "events[0].spot"},
		{"call", he3, "say no_va_mas", "events[0].call"},
		{"action", he3, `{"type":"action","seat":1,"action":"double"}`, "events[0].action"},
		{"zone", he3, `{"type":"card","zone":"bank","card":"??","face":"down"}`, "events[0].zone"},
		{"zone of a decision", he3, `{"type":"action","seat":1,"action":"check","zone":"banca"}`, "events[0].zone"},
		{"zone of a deduction", he3, `{"type":"commission","zone":"banca","amount":5}`, "events[0].zone"},
		{"spot of a deduction", he3, `{"type":"commission","zone":"pot","spot":"main","amount":5}`, "events[0].spot"},
		{"spots of a move", he3, `{"type":"move","seat":1,"from":"bote","to":"main","amount":5}`, "events[0].to"},
		{"board of doble", "andalucia-2010 doble_holdem_circulo 1,2 m1", "bd Ah", "events[0].zone"},
		{"limit", he3 + `"limit":"bote_limitado"`, "", "table.options.limit"},
		{"forced", "cantabria-2010 holdem_circulo 1,2 m1 " + `"forced":"ante"`, "", "table.options.forced"},
		{"rake", "balears-2005 poker_sintetico 1,2 m1 " + `"rake":{"mode":"session"}`, "", "table.options.rake.mode"},
		{"a percentage without its rate", he3 + `"rake":{"mode":"percent"}`, "", "table.options.rake.rate_bp"},
		{"a charge per session without its base", he3 + `"rake":{"mode":"session","fee":100}`, "", "table.options.rake.fee"},
		{"option", he3 + `"bigblind":5`, "", "table.options.bigblind"},
		{"deck", he3 + `"deck":32`, "", "table.options.deck"},
		{"players twice", "andalucia-2010 holdem_circulo 1,1 m1", "", "table.options.players"},
		{"one player", "andalucia-2010 holdem_circulo 1 m1", "", "table.options.players"},
		{"marca elsewhere", "andalucia-2010 holdem_circulo 1,2 m3", "", "table.options.players"},
		{"stacks", he3 + `"stacks":{"x":5}`, "", "table.options.stacks"},
		{"chip", he3 + `"chip":0`, "", "table.options.chip"},
		{"carry", he3 + `|{"point":4}`, "", "carry"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rounds.Refused(t, script(t, c.setup, c.events), c.path)
		})
	}
}

// A winner who has only his own bet back is paid too little when the pot goes to others:
// that is the event of the finding. Who got a part of it was paid too little then.
func TestAWinnerIsShortOnceThePotIsPushed(t *testing.T) {
	for name, c := range map[string]struct {
		events string
		seat   int
	}{
		"only his bet back": {"b1 300; fold2; fold3; ret1 300; pay2 300", 2},
		"a part":            {"b1 300; fold2; fold3; ret1 300; pay1 100; pay2 200", 1},
	} {
		t.Run(name, func(t *testing.T) {
			rec := script(t, he3, open+c.events)
			v, err := validate.Check(books.Shipped(t), rec)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(v.Findings, func(f round.Finding) bool { return f.Code == finding.PayoutUnder })
			if i < 0 {
				t.Fatalf("findings %s", brief(v.Findings))
			}
			if e := rec.Events[v.Findings[i].Event]; e.Type != round.Pay || e.Seat != c.seat {
				t.Errorf("at %s to seat %d, want a push to seat %d", e.Type, e.Seat, c.seat)
			}
		})
	}
}
