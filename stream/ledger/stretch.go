package ledger

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
)

// Stretch is a part of a ledger as it is kept elsewhere: whole lines, one after the
// other, and behind them a line with the signed head that the last of them was.
type Stretch struct {
	From, To uint64 // its first and last entry
	Entries  []Entry
	head     []byte
}

// The last line of a stretch is {"head":…}; every other one begins with a number.
const (
	headOpen  = "\n{\"head\":"
	headClose = "}\n"
)

// Stretch makes one of entries of this ledger, which are acknowledged and in their order.
func (l *Ledger) Stretch(entries []Entry) Stretch {
	last := entries[len(entries)-1]
	head := bytes.TrimSpace(encodeHead(Head{last.Seq, last.Hash}, l.key))
	return Stretch{entries[0].Seq, last.Seq, entries, head}
}

// Encode is the stretch as it is kept.
func (s Stretch) Encode() ([]byte, error) {
	var out []byte
	for i, e := range s.Entries {
		line, err := e.Line()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, '\n')
		}
		out = append(out, line...)
	}
	out = append(out, headOpen...)
	out = append(out, s.head...)
	return append(out, headClose...), nil
}

// ParseStretch reads a stretch of the ledger of a key. It checks every line's signature,
// that the lines follow one another, and that the head is the last one's.
func ParseStretch(data []byte, key ed25519.PublicKey) (Stretch, error) {
	var s Stretch
	body, head, ok := bytes.Cut(data, []byte(headOpen))
	if !ok || !bytes.HasSuffix(head, []byte(headClose)) {
		return s, fmt.Errorf("%w: a stretch of the ledger that has no head", ErrLine)
	}
	s.head = bytes.TrimSuffix(head, []byte(headClose))
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		e, err := Parse(line)
		if err == nil {
			err = s.next(e, key)
		}
		if err != nil {
			return s, fmt.Errorf("ledger entry %d: %w", e.Seq, err)
		}
	}
	s.From = s.Entries[0].Seq
	last := s.Entries[len(s.Entries)-1]
	if h, ok := decodeHead(s.head, key); !ok || h != (Head{last.Seq, last.Hash}) {
		return s, fmt.Errorf("%w: the head behind entry %d is not its own", ErrLine, s.To)
	}
	return s, nil
}

// next takes in the entry that follows. Numbers may be left out: the ledger notes that
// itself, where it lost them.
func (s *Stretch) next(e Entry, key ed25519.PublicKey) error {
	switch n := len(s.Entries); {
	case !e.Verified(key):
		return errors.New("its signature is not of this key")
	case n > 0 && e.Seq <= s.To:
		return fmt.Errorf("it stands behind entry %d", s.To)
	case n > 0 && e.Seq == s.To+1 && e.Prev != s.Entries[n-1].Hash:
		return fmt.Errorf("it is not chained to entry %d", s.To)
	}
	s.Entries, s.To = append(s.Entries, e), e.Seq
	return nil
}
