package alert

import (
	"slices"
	"sync"

	"vision/internal/health"
	"vision/internal/text"
	"vision/validate/finding"
)

// Kind is one entry of the catalogue: something that people are notified of.
type Kind struct {
	Code     string `json:"code"`
	Source   string `json:"source"`             // "finding", "supervision", "session", "variance", "health": the Kind of its alerts
	Severity string `json:"severity,omitempty"` // where the code fixes it; a game's rulebook may say otherwise of a finding
	health.Words
}

// variances are the facts that are read twice, by the tracker's names for them.
var variances = []struct {
	code  string
	title text.Text
}{
	{"variance_number", text.Text{ES: "El número cantado y el leído no coinciden", EN: "The number called and the number read disagree"}},
	{"variance_card", text.Text{ES: "Dos lecturas de una carta no coinciden", EN: "Two readings of a card disagree"}},
	{"variance_float", text.Text{ES: "El anticipo que se ve y el contado no coinciden", EN: "The float as seen and as counted disagree"}},
	{"variance_dice", text.Text{ES: "Dos lecturas de los dados no coinciden", EN: "Two readings of the dice disagree"}},
}

// What to do about a variance: nobody knows yet which reading is wrong.
var varianceAdvice = text.Text{
	ES: "Mire la grabación: o el croupier ha cantado mal, o el sensor o la cámara leen mal; si se repite, avise al técnico.",
	EN: "Look at the recording: either the call was wrong, or sensor or camera misread; if it happens again call the technician.",
}

var catalogue = sync.OnceValue(func() []Kind {
	var out []Kind
	of := func(source string, severity finding.Severity, k *finding.Kind) {
		if severity != "" {
			out = append(out, Kind{string(k.Code), source, string(severity), health.WordsOf(text.Text(k.Title), text.Text{})})
		}
	}
	for _, k := range finding.All() {
		of("finding", k.Round.Severity, k)
	}
	for _, k := range finding.All() {
		of("supervision", k.Room.Severity, k)
	}
	for _, k := range finding.All() {
		if k.Round.Severity == "" && k.Room.Severity == "" { // the others are there already
			of("session", k.Session.Severity, k)
		}
	}
	for _, k := range variances {
		out = append(out, Kind{k.code, "variance", "major", health.WordsOf(k.title, varianceAdvice)})
	}
	for _, k := range health.Catalogue {
		out = append(out, Kind{k.Code, "health", string(k.Severity), k.Words})
	}
	return out
})

// Catalogue is everything that people can be notified of: what the norms forbid, in
// play and in supervision, what is read twice and differs, and what ails the node.
// Pages, API, metrics and docs/alerts.md speak from it.
func Catalogue() []Kind { return slices.Clone(catalogue()) }

// Find is the catalogue's entry of a code.
func Find(code string) (Kind, bool) {
	all := catalogue()
	i := slices.IndexFunc(all, func(k Kind) bool { return k.Code == code })
	if i < 0 {
		return Kind{}, false
	}
	return all[i], true
}
