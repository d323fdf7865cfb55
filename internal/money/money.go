// Package money holds amounts and odds. An amount is an integer of minor
// units (euro cents) and odds are fractions: no float comes near money.
package money

import (
	"fmt"
	"strconv"
	"strings"
)

// Cents is an amount in minor units of the currency.
type Cents int64

// String writes the amount as people at the table read it: "1.250,00 €".
func (c Cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	whole := strconv.FormatInt(int64(c/100), 10)
	var b strings.Builder
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte('.')
		}
		b.WriteRune(d)
	}
	return fmt.Sprintf("%s%s,%02d €", sign, b.String(), c%100)
}

// Odds are winnings per stake: 35:1 is Odds{35, 1}.
type Odds struct{ Num, Den int64 }

// ParseOdds reads "35:1" or "3:2". Both sides must be positive integers,
// except that "0:1" is allowed (a stake kept and nothing won).
func ParseOdds(s string) (Odds, error) {
	num, den, ok := strings.Cut(s, ":")
	n, err1 := strconv.ParseInt(num, 10, 32)
	d, err2 := strconv.ParseInt(den, 10, 32)
	if !ok || err1 != nil || err2 != nil || n < 0 || d <= 0 {
		return Odds{}, fmt.Errorf("odds %q: want two integers like 3:2", s)
	}
	return Odds{n, d}, nil
}

// String writes the odds as the norms do.
func (o Odds) String() string { return fmt.Sprintf("%d:%d", o.Num, o.Den) }

// MarshalText writes the odds as String does.
func (o Odds) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what ParseOdds reads.
func (o *Odds) UnmarshalText(b []byte) error {
	v, err := ParseOdds(string(b))
	if err == nil {
		*o = v
	}
	return err
}

// UnmarshalYAML reads what ParseOdds reads. It asks for the string itself, which
// the YAML library does faster than it finds a text for UnmarshalText.
func (o *Odds) UnmarshalYAML(decode func(any) error) error {
	var s string
	if err := decode(&s); err != nil {
		return err
	}
	return o.UnmarshalText([]byte(s))
}

// Of is what the odds win on a stake, rounded half up to the minor unit.
func (o Odds) Of(stake Cents) Cents { return MulDiv(stake, o.Num, o.Den) }

// MulDiv is amount*num/den rounded half up; amount and num are not negative.
func MulDiv(amount Cents, num, den int64) Cents {
	return Cents((2*int64(amount)*num + den) / (2 * den))
}
