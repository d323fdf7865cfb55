package housepoker_test

import (
	"fmt"
	"slices"
	"testing"

	"vision/validate"
	"vision/validate/finding"
	"vision/validate/internal/cited"
	"vision/validate/round"
)

// TestMistakesByArticle: in every game of every norm, a stake below the
// minimum, a card that the pack does not hold and the like are found under the
// article that the norm has for them.
func TestMistakesByArticle(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		r := rules(t, norm, game)
		base := ""
		for name, sp := range r.Spots {
			if sp.Base && sp.Limits != "" && (base == "" || name < base) {
				base = name
			}
		}
		deal := `,{"t":1,"type":"card","zone":"seat:1","card":"As","face":"down"}`
		for _, c := range []struct {
			topic  string
			code   finding.Code
			events string
		}{
			{"limits", finding.BetBelowMin, ``},
			{"misdeal", finding.ForeignCard, `,{"t":1,"type":"card","zone":"seat:1","card":"1O","face":"down"}`},
			{"purchase", finding.RaiseWrong, deal + `,{"t":2,"type":"action","seat":1,"action":"buy_card","amount":7,"discard":["As"]}`},
		} {
			article, has := r.Articles[c.topic]
			if !has {
				continue
			}
			raw := fmt.Sprintf(`{"schema":"round/1","id":"a","norm":%q,"game":%q,"table":{"id":"T","min":500},"events":[{"t":0,"type":"bet","seat":1,"spot":%q,"amount":1}%s]}`,
				norm, game, base, c.events)
			rec, err := round.Parse([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			v, err := validate.Check(books(t), rec)
			if err != nil {
				t.Fatal(err)
			}
			_, g, _ := books(t).Game(norm, game)
			rule := norm + " " + g.Label + " " + article
			k := slices.IndexFunc(v.Findings, func(f round.Finding) bool { return f.Code == c.code && f.Rule == rule })
			if k < 0 {
				t.Errorf("no %s under %s: %+v", c.code, rule, v.Findings)
				continue
			}
			v.Findings, v.Settlement = v.Findings[k:k+1], nil
			cited.Judged(t, v)
		}
	})
}
