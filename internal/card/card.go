// Package card is the vocabulary of playing cards shared by readers and rules.
package card

import "fmt"

// Card is one playing card: the French pack with joker, the Spanish pack of
// forty, or Unseen. The zero value is Unseen.
type Card uint8

// Unseen is a card that lies there and cannot be read, written "??".
const Unseen Card = 0

// Joker is the joker of pai gow póquer, written "Jk".
const Joker Card = 53

// Ranks and suits in the order in which cards are numbered.
const (
	FrenchRanks  = "A23456789TJQK"
	FrenchSuits  = "shdc" // picas, corazones, rombos, tréboles
	SpanishRanks = "1234567SCR"
	SpanishSuits = "OKEB" // oros, copas, espadas, bastos
)

const spanishBase = 54

var names, numbers = table()

func table() (map[Card]string, map[string]Card) {
	n := map[Card]string{Unseen: "??", Joker: "Jk"}
	for i := range 52 {
		n[Card(1+i)] = string(FrenchRanks[i%13]) + string(FrenchSuits[i/13])
	}
	for i := range 40 {
		n[Card(spanishBase+i)] = string(SpanishRanks[i%10]) + string(SpanishSuits[i/10])
	}
	back := make(map[string]Card, len(n))
	for c, s := range n {
		back[s] = c
	}
	return n, back
}

// Parse reads the two-character notation of round records: "As", "Td", "Jk",
// "1O", "RE", "??".
func Parse(s string) (Card, error) {
	c, ok := numbers[s]
	if !ok {
		return Unseen, fmt.Errorf("card %q: want rank and suit like As, Td, 1O, or Jk, ??", s)
	}
	return c, nil
}

// String is the notation that Parse reads.
func (c Card) String() string { return names[c] }

// French reports whether c belongs to the French pack of 52.
func (c Card) French() bool { return c >= 1 && c <= 52 }

// Spanish reports whether c belongs to the Spanish pack of forty.
func (c Card) Spanish() bool { return c >= spanishBase && c < spanishBase+40 }

// Rank is the rank's letter of FrenchRanks or SpanishRanks; 0 for joker and Unseen.
func (c Card) Rank() byte {
	if c.French() || c.Spanish() {
		return names[c][0]
	}
	return 0
}

// Suit is the suit's letter of FrenchSuits or SpanishSuits; 0 for joker and Unseen.
func (c Card) Suit() byte {
	if c.French() || c.Spanish() {
		return names[c][1]
	}
	return 0
}

// Of makes the French card of a rank 1 (ace) to 13 (king) and a suit 0 to 3.
func Of(rank, suit int) Card { return Card(1 + suit*13 + rank - 1) }

// Number is the rank 1 to 13 of a French card, 1 to 10 of a Spanish one; 0 otherwise.
func (c Card) Number() int {
	switch {
	case c.French():
		return int(c-1)%13 + 1
	case c.Spanish():
		return int(c-spanishBase)%10 + 1
	}
	return 0
}

// MarshalText writes the notation.
func (c Card) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the notation.
func (c *Card) UnmarshalText(b []byte) error {
	v, err := Parse(string(b))
	*c = v
	return err
}
