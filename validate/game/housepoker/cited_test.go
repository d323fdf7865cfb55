package housepoker_test

import (
	"fmt"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/game/housepoker"
)

// TestMistakesByArticle: in every game of every norm, a stake below the
// minimum, a card that the pack does not hold and the like are found under the
// article that the norm has for them.
func TestMistakesByArticle(t *testing.T) {
	eachGame(t, func(t *testing.T, norm, game string) {
		r := rounds.Rules[*housepoker.Rules](t, norm, game)
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
			_, g, _ := books.Shipped(t).Game(norm, game)
			rounds.FindsUnder(t, rounds.Parse(t, raw), c.code, norm+" "+g.Label+" "+article)
		}
	})
}
