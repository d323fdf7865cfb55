// Package text has the texts for people that the sources write out. A source writes a text
// in Spanish and in English where it is needed; further languages stand in a catalogue by
// the Spanish, one file a language, so that who translates reads no source. What a
// catalogue lacks reads as Spanish; a test names what that is.
package text

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// The languages, by their ISO 639-1 codes.
const (
	ES = "es"
	EN = "en"
	CA = "ca"
)

// Languages are all, the one first that others fall back to.
var Languages = []string{ES, EN, CA}

// Known reports whether texts are told in a language.
func Known(lang string) bool { return lang == ES || lang == EN || lang == CA }

// Text is a phrase as a source writes it.
type Text struct {
	ES string `json:"es"`
	EN string `json:"en"`
}

// Localized is a text in every language, as it is sent and kept.
type Localized struct {
	ES string `json:"es"`
	EN string `json:"en"`
	CA string `json:"ca,omitempty"` // what older versions kept lacks it
}

// Localize asks for a text in every language.
func Localize(say func(lang string) string) Localized {
	return Localized{ES: say(ES), EN: say(EN), CA: say(CA)}
}

// In is the text in a language; one that is not known, or that it lacks, reads as Spanish.
func (l Localized) In(lang string) string {
	switch {
	case lang == EN && l.EN != "":
		return l.EN
	case lang == CA && l.CA != "":
		return l.CA
	}
	return l.ES
}

//go:embed ca.json
var catalan []byte

// others are the languages that stand in a catalogue: Spanish → the language.
var others = map[string]map[string]string{CA: read("ca.json", catalan)}

func read(name string, raw []byte) (m map[string]string) {
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err)) // it is compiled in: a test reads it
	}
	return m
}

// In is the text in a language; one that is not known reads as Spanish.
func (t Text) In(lang string) string {
	if lang == EN {
		return t.EN
	}
	if s, ok := others[lang][t.ES]; ok {
		return s
	}
	return t.ES
}

// Sprintf fills the text's verbs in a language (package fmt).
func (t Text) Sprintf(lang string, a ...any) string { return fmt.Sprintf(t.In(lang), a...) }

// Localized is the text in every language, its verbs filled (package fmt).
func (t Text) Localized(a ...any) Localized {
	return Localize(func(lang string) string {
		if len(a) == 0 {
			return t.In(lang)
		}
		return t.Sprintf(lang, a...)
	})
}

// Has reports whether a language has a text of its own for what is written so in Spanish.
func Has(lang, es string) bool {
	_, ok := others[lang][es]
	return ok || lang == ES
}
