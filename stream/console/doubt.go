package console

import (
	"encoding/json"
	"regexp"
	"slices"
	"sync"

	"vision/internal/text"
)

// doubts are the pages' words for why a round cannot be verified: patterns of a record's own words with
// the word's name, the more particular first, and the words in every language.
var doubts = sync.OnceValues(func() (of [][2]string, words map[string][]string) {
	for file, to := range map[string]any{"assets/doubts.json": &of, "assets/words.json": &words} {
		raw, err := assets.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(raw, to)
		}
		if err != nil {
			panic(file + ": " + err.Error()) // it is compiled in: a test reads it
		}
	}
	return of, words
})

// Doubt is why a round cannot be verified, as the pages say it in a language (text.Languages); what is
// not known stays as the record has it.
func Doubt(why, lang string) string {
	of, words := doubts()
	for _, d := range of {
		if regexp.MustCompile(d[0]).MatchString(why) {
			return words[d[1]][max(slices.Index(text.Languages, lang), 0)]
		}
	}
	return why
}
