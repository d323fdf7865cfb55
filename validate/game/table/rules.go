package table

import (
	"fmt"

	"vision/internal/money"
)

// Rules are the rules that every game has.
type Rules struct {
	Decks    int               `yaml:"decks" json:"decks"`       // packs in play unless the table says otherwise
	Articles map[string]string `yaml:"articles" json:"articles"` // section of the norm by topic, after the game's label
	Calls    map[string]Call   `yaml:"calls" json:"calls"`       // the calls that the game has
	Burn     Burn              `yaml:"burn" json:"burn"`         // cards put aside at the start of a shoe
}

// Call is one call that the game has.
type Call struct {
	Mandatory bool   `yaml:"mandatory" json:"mandatory,omitempty"` // its lack is a finding where the game's section demands it
	Words     string `yaml:"words" json:"words,omitempty"`         // as the norm prints it
}

// Burn says how many cards are put aside at the start of a shoe.
type Burn struct {
	Count  int  `yaml:"count" json:"count,omitempty"`     // a fixed number; 0: none
	ByCard bool `yaml:"by_card" json:"by_card,omitempty"` // the value of the first, shown card
}

// Positive refuses odds that are missing or pay nothing.
func Positive(name string, o money.Odds) error {
	if o.Num <= 0 || o.Den <= 0 {
		return fmt.Errorf("%s: missing or no odds", name)
	}
	return nil
}
