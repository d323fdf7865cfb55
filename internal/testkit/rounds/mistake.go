package rounds

import (
	"cmp"
	"testing"

	"vision/internal/testkit/books"
	"vision/validate/finding"
	"vision/validate/game/points"
)

// Mistake is one that a card game of points is played with, found by its code under the
// section that a norm has for the topic.
type Mistake struct {
	What, Game, Topic string
	Code              finding.Code
	Carry             string // JSON; "": {}
	Events            string // JSON, without the brackets
}

// Mistakes demands that each mistake is found under its section in every norm that has
// the game and a section for the topic.
func Mistakes(t *testing.T, list []Mistake) {
	t.Helper()
	for _, c := range list {
		c.Carry = cmp.Or(c.Carry, "{}")
		for _, norm := range Norms {
			n, g, err := books.Shipped(t).Game(norm, c.Game)
			if err != nil {
				continue
			}
			article := g.Rules.(*points.Rules).Articles[c.Topic]
			if article == "" {
				continue
			}
			t.Run(norm+" "+c.What, func(t *testing.T) {
				FindsUnder(t, Parse(t, `{"schema":"round/1","id":"a","norm":"`+norm+`","game":"`+c.Game+`","table":{"id":"T","min":500},"carry":`+c.Carry+`,"events":[`+c.Events+`]}`),
					c.Code, n.Rule(g)+"."+article)
			})
		}
	}
}
