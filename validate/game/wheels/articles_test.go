package wheels_test

import (
	"fmt"
	"testing"

	"vision/internal/testkit/books"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/game/wheels"
)

// TestMistakesByArticle: in every norm, a stake below the minimum, a round
// without its calls and the like are found under the article that the norm has
// for them.
func TestMistakesByArticle(t *testing.T) {
	books := books.Shipped(t)
	const bet = `{"t":0,"type":"bet","seat":1,"spot":%q,"amount":%d},`
	for _, code := range books.Codes() {
		n, _ := books.Norm(code)
		for _, game := range wheelGames(n) {
			r := n.Games[game].Rules.(*wheels.Rules)
			spot, shot := "rojo", `{"t":1,"type":"ball","pocket":"3"}` // of the roulettes and boule
			switch {
			case r.Craps != nil:
				spot, shot = "win", `{"t":1,"type":"dice","faces":[1,3]}`
			case r.Fortuna != nil:
				c := r.Fortuna.Cells[0]
				spot, shot = c.Spot, fmt.Sprintf(`{"t":1,"type":"ball","pocket":%q}`, c.Pocket)
			case r.SicBo != nil, r.Banca != nil:
				continue // their articles are judged by the tables of dice_test.go
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
				rounds.FindsUnder(t, rounds.Parse(t, fmt.Sprintf(`{"schema":"round/1","id":"a","norm":%q,"game":%q,"table":{"id":"T","min":100},"events":[%s]}`, code, game, c.events)),
					c.code, n.Rule(n.Games[game])+"."+c.section)
			}
		}
	}
}
