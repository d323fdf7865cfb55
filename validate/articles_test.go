package validate_test

import (
	"fmt"
	"slices"
	"testing"

	"vision/internal/testkit/books"
	"vision/validate"
	"vision/validate/finding"
	"vision/validate/game/wheels"
	"vision/validate/internal/cited"
	"vision/validate/round"
)

// TestMistakesByArticle: in every norm, a stake below the minimum, a round
// without its calls and the like are found under the article that the norm has
// for them.
func TestMistakesByArticle(t *testing.T) {
	books := books.Shipped(t)
	const bet = `{"t":0,"type":"bet","seat":1,"spot":%q,"amount":%d},`
	shots := map[string]string{"ruleta_fortuna": `{"t":1,"type":"ball","pocket":%q}`, "dados_craps": `{"t":1,"type":"dice","faces":[1,3]}`,
		"boule": `{"t":1,"type":"ball","pocket":"3"}`}
	for _, code := range books.Codes() {
		n, _ := books.Norm(code)
		for _, game := range wheelGames(n) {
			r := n.Games[game].Rules.(*wheels.Rules)
			spot, shot := "rojo", shots[game]
			switch {
			case r.Craps != nil:
				spot = "win"
			case r.Fortuna != nil:
				pocket := r.Fortuna.Cells[0].Pocket
				spot, shot = map[bool]string{true: "valor:" + pocket, false: "pos:" + pocket}[code == "cantabria-2010"], fmt.Sprintf(shot, pocket)
			case r.SicBo != nil, r.Banca != nil:
				continue // their articles are judged by the tables of wheels_test.go
			case r.Roulette != nil:
				shot = `{"t":1,"type":"ball","pocket":"3"}`
			}
			for _, c := range []struct {
				code            finding.Code
				section, events string
			}{
				{finding.BetBelowMin, r.Articles.Limits, fmt.Sprintf(bet, spot, 1) + shot},
				{finding.AnnouncementMissing, r.Articles.Conduct, fmt.Sprintf(bet, spot, 100) + shot},
				{finding.BetNotAllowed, r.Articles.Bets, fmt.Sprintf(bet, "come", 100) + shot},
				{finding.OtherProcedure, r.Articles.Shooting, `{"t":0,"type":"action","seat":1,"action":"shoot"},` + shot},
			} {
				if c.section == "" || r.Craps == nil && (c.code == finding.OtherProcedure || c.code == finding.BetNotAllowed) {
					continue
				}
				citedFinding(t, fmt.Sprintf(`{"schema":"round/1","id":"a","norm":%q,"game":%q,"table":{"id":"T","min":100},"events":[%s]}`, code, game, c.events),
					c.code, n.Rule(n.Games[game])+"."+c.section)
			}
		}
	}
}

// TestBingoByReference: the Balears have bingo by reference, and a ball drawn
// twice is found under the three articles.
func TestBingoByReference(t *testing.T) {
	citedFinding(t, `{"schema":"round/1","id":"a","norm":"balears-2005","game":"bingo","table":{"id":"T"},"events":[
		{"t":0,"type":"ball","pocket":"7"},{"t":1,"type":"announce","by":"croupier","call":"number","number":"7"},{"t":2,"type":"ball","pocket":"7"}]}`,
		finding.OtherProcedure, "balears-2005 45-47")
}

// citedFinding judges a record, in which a mistake is found under a rule.
func citedFinding(t *testing.T, raw string, code finding.Code, rule string) {
	t.Helper()
	rec, err := round.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	v, err := validate.Check(books.Shipped(t), rec)
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(v.Findings, func(f round.Finding) bool { return f.Code == code && f.Rule == rule })
	if k < 0 {
		t.Errorf("%s: no %s under %s: %+v", raw, code, rule, v.Findings)
		return
	}
	v.Findings, v.Settlement = v.Findings[k:k+1], nil
	cited.Judged(t, v)
}
