package points_test

import (
	"slices"
	"testing"

	"vision/validate"
	"vision/validate/finding"
	"vision/validate/internal/cited"
	"vision/validate/round"
)

// TestMistakesByArticle: in every norm that has the game, a mistake is found
// under the article that the norm has for it.
func TestMistakesByArticle(t *testing.T) {
	const (
		main    = `{"t":0,"type":"bet","seat":1,"spot":"main","amount":1},`
		shuffle = `{"t":1,"type":"shuffle"},{"t":2,"type":"cut"},`
		cards   = `{"t":3,"type":"card","zone":"seat:1","card":"As","face":"up"}`
		bank    = `{"t":0,"type":"bet","seat":5,"spot":"banca","amount":50000},`
		floor   = `{"t":1,"type":"incident","kind":"card_floor","zone":"banca","by":"player","card":"As"}`
		pages   = `{"t":1,"type":"announce","by":"croupier","call":"no_va_mas"},`
	)
	two := func(punto, banca string) string {
		return `{"t":2,"type":"card","zone":"punto","card":"Ks","face":"down"},{"t":3,"type":"card","zone":"banca","card":"Kd","face":"down"},
			{"t":4,"type":"card","zone":"punto","card":"` + punto + `","face":"down"},{"t":5,"type":"card","zone":"banca","card":"` + banca + `","face":"down"}`
	}
	for _, c := range []struct {
		name, game, topic string
		code              finding.Code
		carry, events     string
	}{
		{"a stake below the minimum", "blackjack", "limits", finding.BetBelowMin, "", main + cards},
		{"no card burnt at the start of a shoe", "blackjack", "shoe", finding.BurnWrong, "", main + shuffle + cards},
		{"a stake below the minimum", "treinta_cuarenta", "limits", finding.BetBelowMin, "",
			`{"t":0,"type":"bet","seat":1,"spot":"negro","amount":1},{"t":1,"type":"card","zone":"negro","card":"As","face":"up"}`},
		{"a stake below the minimum", "casino_monte", "limits", finding.BetBelowMin, "", `{"t":0,"type":"bet","seat":1,"spot":"inicial","amount":1},` + cards},
		{"a player throws down a card", "baccara_chemin_de_fer", "irregular", finding.OtherProcedure, "", bank + floor},
		{"a player throws down a card", "baccara_dos_panos", "irregular", finding.OtherProcedure, "", bank + floor},
		{"less in the bank than is left of it", "baccara_chemin_de_fer", "garaje", finding.OtherProcedure, `{"banker":5,"bank":60000,"passes":1,"gain":0}`, bank + floor},
		{"the punto draws with six", "punto_banco", "draw", finding.DrewMustStand, "", pages + two("6d", "Th") + `,{"t":6,"type":"card","zone":"punto","card":"2c","face":"up"}`},
		{"the naipes without a call", "punto_banco", "calls", finding.AnnouncementMissing, "", pages + two("9d", "Th")},
	} {
		for _, norm := range norms {
			_, g, err := books(t).Game(norm, c.game)
			if err != nil {
				continue
			}
			article := rules(t, norm, c.game).Articles[c.topic]
			if article == "" {
				continue
			}
			carry := c.carry
			if carry == "" {
				carry = "{}"
			}
			rec, err := round.Parse([]byte(`{"schema":"round/1","id":"a","norm":"` + norm + `","game":"` + c.game + `","table":{"id":"T","min":500},"carry":` + carry + `,"events":[` + c.events + `]}`))
			if err != nil {
				t.Fatal(c.name, err)
			}
			rule := norm + " " + g.Label + "." + article
			v, err := validate.Check(books(t), rec)
			if err != nil {
				t.Fatal(c.name, err)
			}
			k := slices.IndexFunc(v.Findings, func(f round.Finding) bool { return f.Code == c.code && f.Rule == rule })
			if k < 0 {
				t.Errorf("%s: no %s under %s: %+v", c.name, c.code, rule, v.Findings)
				continue
			}
			v.Findings, v.Settlement = v.Findings[k:k+1], nil
			cited.Judged(t, v)
		}
	}
}
