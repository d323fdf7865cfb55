package index

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// event is what is filed of an event of a round's record.
type event struct {
	Seat   int
	Zone   string
	Card   string
	Cards  []string
	Amount int64
}

// at is the seat of an event, 0 for none: some name it by their zone, "seat:3/2 main".
func (e *event) at() int {
	rest, ok := strings.CutPrefix(e.Zone, "seat:")
	if e.Seat != 0 || !ok {
		return e.Seat
	}
	digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if digits >= 0 {
		rest = rest[:digits]
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return 0
	}
	return n
}

// addPlays files a round's cards and money. A record that comes again replaces the one
// before.
func addPlays(ctx context.Context, tx *sql.Tx, table, round string, events []event) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM plays WHERE tbl = ? AND round = ?", table, round); err != nil {
		return err
	}
	n := 0
	add := func(seat int, card string, amount int64) error {
		n++
		_, err := tx.ExecContext(ctx, "INSERT INTO plays (tbl, round, n, seat, card, amount) VALUES (?,?,?,?,?,?)", table, round, n, seat, card, amount)
		return err
	}
	for _, e := range events {
		cards := e.Cards
		if e.Card != "" {
			cards = append(cards, e.Card)
		}
		for _, c := range cards {
			if err := add(e.at(), c, 0); err != nil {
				return err
			}
		}
		if e.Amount != 0 {
			if err := add(e.at(), "", e.Amount); err != nil {
				return err
			}
		}
	}
	return nil
}

// played is the condition that one event of a round, whose table and name are in these
// columns, has the card, seat and amount that are asked for; "" where none is. A card is
// as records have it, "Td", or a rank alone, "T".
func (q *Query) played(table, round string, amount int64) (string, []any) {
	var conds []string
	var args []any
	if q.Card != "" {
		conds, args = append(conds, "p.card GLOB ?"), append(args, globOf(q.Card))
	}
	if q.Seat > 0 {
		conds, args = append(conds, "p.seat = ?"), append(args, q.Seat)
	}
	if amount > 0 {
		conds, args = append(conds, "p.amount >= ?"), append(args, amount)
	}
	if len(conds) == 0 {
		return "", nil
	}
	return "EXISTS (SELECT 1 FROM plays p WHERE p.tbl = " + table + " AND p.round = " + round + " AND " + strings.Join(conds, " AND ") + ")", args
}

// globOf is the pattern of a card: a rank alone is of any suit.
func globOf(card string) string {
	if len(card) == 1 {
		return card + "?"
	}
	return card
}
