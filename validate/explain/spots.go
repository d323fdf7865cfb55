package explain

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	words "vision/internal/text"
)

// Spots are the names of places on the cloth by their codes, in each
// language, as JSON: sentences and pages use the same. A code that is not in it is
// a word of the norm already.
//
//go:embed spots.json
var Spots []byte

var spots = func() (m map[string][]string) {
	if err := json.Unmarshal(Spots, &m); err != nil {
		panic(fmt.Sprintf("spots.json: %v", err)) // it is compiled in: a test reads it
	}
	return m
}()

// Spot writes the code of a place as people say it: "pleno:23" is "pleno 23",
// "dont_win" is "no gana"; "" for a seat's main stake, which needs no name.
func Spot(lang, code string) string {
	name, number, _ := strings.Cut(code, ":")
	if s, ok := spots[name]; ok {
		name = s[max(slices.Index(words.Languages, lang), 0)]
	}
	return word(strings.TrimSpace(name + " " + strings.ReplaceAll(number, ":", " ")))
}

var seatZone = regexp.MustCompile(`^seat:(\d+)(?:/(\w+))?(?: (.+))?$`)

// zone writes a zone: "seat:3/2 main" is "puesto 3, mano 2".
func zone(lang, name string) string {
	m := seatZone.FindStringSubmatch(name)
	if m == nil {
		return Spot(lang, name)
	}
	out := text{"puesto ", "seat "}.in(lang) + m[1]
	switch hand := m[2]; {
	case hand == "":
	case hand >= "0" && hand <= "99":
		out += text{", mano ", ", hand "}.in(lang) + hand
	default:
		out += ", " + Spot(lang, hand)
	}
	if s := Spot(lang, m[3]); s != "" {
		out += ", " + s
	}
	return out
}
