package alert

import (
	"vision/internal/health"
	"vision/validate/explain"
)

// Kind is one entry of the catalogue: something that people are told of.
type Kind struct {
	Code     string `json:"code"`
	Source   string `json:"source"`             // "norm": a finding; "variance": two readings disagree; "health"
	Severity string `json:"severity,omitempty"` // where the code fixes it
	ES       string `json:"es"`
	EN       string `json:"en"`
	AdviceES string `json:"advice_es,omitempty"`
	AdviceEN string `json:"advice_en,omitempty"`
}

// Variances are the facts that are read twice.
var Variances = []Kind{
	{Code: "variance_number", Source: "variance", Severity: "major", ES: "El número cantado y el leído no coinciden", EN: "The number called and the number read disagree"},
	{Code: "variance_card", Source: "variance", Severity: "major", ES: "Dos lecturas de una carta no coinciden", EN: "Two readings of a card disagree"},
	{Code: "variance_dice", Source: "variance", Severity: "major", ES: "Dos lecturas de los dados no coinciden", EN: "Two readings of the dice disagree"},
}

// Catalogue is everything that people can be told of: what the norms forbid, in
// play and in supervision, what is read twice and differs, and what ails the node.
// Pages, API, metrics and docs/alerts.md speak from it.
func Catalogue() []Kind {
	var out []Kind
	for _, code := range explain.Codes() {
		out = append(out, Kind{Code: code, Source: "norm", ES: explain.Title("es", code), EN: explain.Title("en", code)})
	}
	out = append(out, Variances...)
	for _, k := range health.Catalogue {
		out = append(out, Kind{Code: k.Code, Source: "health", Severity: string(k.Severity), ES: k.ES, EN: k.EN, AdviceES: k.AdviceES, AdviceEN: k.AdviceEN})
	}
	return out
}
