package wheels_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"vision/internal/testkit/cited"
	"vision/internal/testkit/rounds"
	"vision/validate/finding"
	"vision/validate/round"
)

func TestMain(m *testing.M) {
	os.Exit(cited.Main(m))
}

// brief writes findings as "code[ seat][ spot][ expected/observed] @event", joined by
// "; ". What a missing call and a breach of procedure expect is left out.
func brief(list []round.Finding) string {
	return rounds.Brief(list, rounds.Seat, rounds.Spot, func(f *round.Finding) string {
		if f.Code == finding.AnnouncementMissing || f.Code == finding.OtherProcedure {
			return ""
		}
		return rounds.Amounts(f)
	}, rounds.Event)
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
	v := rounds.Cited(t, rounds.Script(t, c.setup, c.events))
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
