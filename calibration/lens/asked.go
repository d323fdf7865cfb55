package lens

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
)

// BoardOf reads a board's measures from the query of a request: cols, rows, square
// (millimetres) and plain; without any it is the one for printing.
func BoardOf(q url.Values) (b Board, err error) {
	b = Printed
	for name, to := range map[string]*int{"cols": &b.Cols, "rows": &b.Rows} {
		if v := q.Get(name); v != "" {
			if *to, err = strconv.Atoi(v); err != nil {
				return b, errors.New(name + ": want a number")
			}
		}
	}
	if v := q.Get("square"); v != "" {
		if b.Square, err = strconv.ParseFloat(v, 64); err != nil {
			return b, errors.New("square: want millimetres")
		}
	}
	b.Plain = q.Get("plain") == "true"
	return b, b.Check()
}

// Seen is what was seen of a board, for measuring the lens by it.
type Seen struct {
	Board Board  `json:"board"`
	Views []View `json:"views"`
}

// maxViews bounds the pictures of one measurement.
const maxViews = 100

// Check returns what is wrong with what is to be measured.
func (s Seen) Check() error {
	if err := s.Board.Check(); err != nil {
		return err
	}
	if len(s.Views) > maxViews {
		return fmt.Errorf("%d views, at most %d", len(s.Views), maxViews)
	}
	return nil
}
