package finding

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"testing"
)

// every is the lists of the subjects, one after the other.
func every() []Kind {
	return slices.Concat(moneyKinds, betKinds, cardKinds, throwKinds, callKinds, procedureKinds,
		supervisionKinds, limitKinds, floatKinds, equipmentKinds, sessionKinds)
}

func TestAKindIsRegisteredOnce(t *testing.T) {
	seen := map[Code]bool{}
	for _, k := range every() {
		if seen[k.Code] {
			t.Errorf("%s is registered twice", k.Code)
		}
		seen[k.Code] = true
	}
	if len(seen) != len(kinds) || len(All()) != len(kinds) {
		t.Errorf("%d kinds are listed, %d in the catalogue, %d in its order", len(seen), len(kinds), len(All()))
	}
	if !slices.IsSortedFunc(All(), func(a, b *Kind) int { return cmp.Compare(a.Code, b.Code) }) {
		t.Error("not in the order of the codes")
	}
}

func TestAKindIsWhole(t *testing.T) {
	for _, k := range All() {
		if k.Code == "" || k.About == "" || k.Title.ES == "" {
			t.Errorf("%s: without code, subject or title", k.Code)
		}
		for where, s := range map[string]Severity{"round": k.Round.Severity, "room": k.Room.Severity, "session": k.Session.Severity} {
			if s != "" && s != Critical && s != Major && s != Minor {
				t.Errorf("%s: severity %q in a %s", k.Code, s, where)
			}
		}
		if k.Round.Severity == "" && k.Room.Severity == "" && k.Session.Severity == "" {
			t.Errorf("%s: nobody raises it", k.Code)
		}
		for f, s := range k.Round.Families {
			if s == k.Round.Severity || k.Round.Severity == "" {
				t.Errorf("%s: %s in %s is no exception", k.Code, s, f)
			}
		}
		if (k.Room.Severity == "") != (k.Room.Said.ES == "") || (k.Session.Severity == "") != (k.Session.Said.ES == "") {
			t.Errorf("%s: a sentence without severity, or the reverse", k.Code)
		}
		if (k.Round.Both.ES != "" || k.Round.Seen.ES != "" || k.Round.Must.ES != "") && k.Round.Severity == "" {
			t.Errorf("%s: a sentence of rounds, and no round raises it", k.Code)
		}
	}
}

// placeholders are those that a sentence may have; each language has the same.
var placeholders = regexp.MustCompile(`\{[^}]*\}`)

func TestSentencesSayTheSameInBothLanguages(t *testing.T) {
	for _, k := range All() {
		for _, x := range []struct {
			name    string
			said    Text
			allowed string
		}{
			{"title", k.Title, ``},
			{"both", k.Round.Both, `{e}{o}`},
			{"none", k.Round.None, `{e}`},
			{"seen", k.Round.Seen, `{o}`},
			{"must", k.Round.Must, ``},
			{"room", k.Room.Said, `{j}{t}{g}{r}{l}{a}{l€}{a€}{these}{(these)}{(games)}`},
			{"whole", k.Room.Whole, `{j}{g}{r}{l}{a}{l€}{a€}{these}{(these)}{(games)}`},
			{"session", k.Session.Said, `{t}{j}{o}{r}{c}{w}{e}{a}{e€}{a€}{s}`},
		} {
			if (x.said.ES == "") != (x.said.EN == "") {
				t.Errorf("%s: %s in one language only", k.Code, x.name)
			}
			es, en := placeholders.FindAllString(x.said.ES, -1), placeholders.FindAllString(x.said.EN, -1)
			slices.Sort(es)
			slices.Sort(en)
			if !slices.Equal(es, en) {
				t.Errorf("%s: %s has %q and %q", k.Code, x.name, es, en)
			}
			for _, p := range es {
				if !slices.Contains(placeholders.FindAllString(x.allowed, -1), p) {
					t.Errorf("%s: %s has %s, which nobody fills in", k.Code, x.name, p)
				}
			}
		}
	}
}

func TestOfACode(t *testing.T) {
	if k := Of(LateBet); k.Code != LateBet || k.Title.EN != "Late bet" || !Known(LateBet) {
		t.Errorf("%+v", k)
	}
	if k := Of("of another world"); k.Code != "" || k.Title.ES != "" || Known("of another world") {
		t.Errorf("%+v", k)
	}
}

// The severities are those of the families' chapters.
func TestSeverityByFamily(t *testing.T) {
	for _, c := range []struct {
		code   Code
		family Family
		want   Severity
	}{
		{PayoutMissing, Circle, Critical}, {PayoutUnder, Wheels, Major}, {BetBelowMin, Wheels, Minor},
		{BetBelowMin, Points, Major}, {BetBelowMin, Banked, Major}, {PushCollected, Banked, Critical},
		{PushCollected, Points, Major}, {AnnouncementWrong, Wheels, Major}, {AnnouncementWrong, Points, Minor},
		{DealtBeforeClose, Circle, Major}, {DealtBeforeClose, Banked, Minor}, {"of another world", Wheels, Major},
	} {
		if got := Of(c.code).Round.Of(c.family); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.code, c.family, got, c.want)
		}
	}
	families := map[Family]bool{}
	for _, k := range All() {
		for f := range k.Round.Families {
			families[f] = true
		}
	}
	if got := slices.Sorted(maps.Keys(families)); !slices.Equal(got, []Family{Banked, Circle, Points}) {
		t.Errorf("exceptions in %v", got)
	}
}

// What is raised while a round runs is of rounds, and money is told of as money everywhere.
func TestWhatATrackerAsks(t *testing.T) {
	for _, k := range All() {
		r := k.Round
		followed := r.Running != Running{} || r.Omits != OmittedNothing || r.Counts != OfSeat || r.Unwatched != WhenItCame ||
			r.Pot
		if r.Severity == "" && followed {
			t.Errorf("%s is followed in rounds, and no round raises it", k.Code)
		}
		if r.Running.Awaits > 0 && !r.Running.Raised {
			t.Errorf("%s awaits something and is not raised then", k.Code)
		}
		if money := k.About == Money; money != (r.Counts == OfSpot) ||
			money != (r.Unwatched == MayBeTaken || r.Unwatched == SeenBefore) || money && !(r.Pot && r.Amounts) {
			t.Errorf("%s is money, or is not: %+v", k.Code, r)
		}
	}
}
