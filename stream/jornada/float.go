package jornada

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"vision/internal/money"
	"vision/internal/text"
	"vision/stream/alert"
)

// Float is what the cameras read of a table's float, in cents: between Low and High.
type Float struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
	// Book is what it is by the books: what was counted last, and what was put in and taken out since, before
	// the count of a closing; nil where that is not known.
	Book *int64 `json:"book,omitempty"`
}

// off is by how much an amount lies outside of what was read.
func (f Float) off(cents int64) int64 { return max(f.Low-cents, cents-f.High, 0) }

// FloatCode is the code of the alert that the float as it is read and as it was counted, or
// as the book has it, disagree.
const FloatCode = "variance_float"

// books are what the float of the newest opening is by the books, nil where some of that was not seen, and what
// was counted at its closing, nil where that has not come.
func (s *sheet) books() (book, closed *int64) {
	var sum struct {
		Float []struct{ Book, Close *int64 }
	}
	if json.Unmarshal(s.ruling.Summary, &sum) != nil || len(sum.Float) == 0 {
		return nil, nil
	}
	last := sum.Float[len(sum.Float)-1]
	for _, e := range slices.Backward(s.events) {
		if unseen(e) {
			return nil, last.Close
		}
		if k := e.kind(); k == "open" || k == "count" {
			break
		}
	}
	return last.Book, last.Close
}

// book is what there should be now: the count of the closing, or what the books say.
func (s *sheet) book() (cents int64, known bool) {
	book, closed := s.books()
	if closed = cmp.Or(closed, book); closed == nil {
		return 0, false
	}
	return *closed, true
}

// float is what is read of a table's float now, nil where nothing is.
func (b *Book) float(s *sheet) *Float {
	if b.cfg.Float == nil {
		return nil
	}
	f, seen := b.cfg.Float(s.place.ID)
	if !seen {
		return nil
	}
	f.Book, _ = s.books()
	return &f
}

// compare holds what people counted, or what the book has after a fill or a credit, against
// what is read. They are two readings of one fact: neither is corrected by the other. before
// is the session before the step: chips of a fill may not lie there yet, or lie there already.
func (b *Book) compare(ctx context.Context, s, before *sheet, read *Float, e Event, now time.Time) error {
	book, known := s.book()
	if read == nil || !known || read.off(book) == 0 {
		return nil
	}
	if k := e.kind(); k == "fill" || k == "credit" {
		if was, ok := before.book(); ok && read.off(was) == 0 {
			return nil
		}
	}
	k, _ := alert.Find(FloatCode)
	words := text.Text{ES: ": la cámara lee %s; el recuento o los libros dan %s", EN: ": the camera reads %s; the count or the book says %s"}
	span := money.Cents(read.Low).String()
	if read.High != read.Low {
		span += " – " + money.Cents(read.High).String()
	}
	return b.cfg.Desk.Raise(ctx, alert.Alert{
		ID: fmt.Sprintf("%s/%s/%s/%d", Entry, s.id(), FloatCode, now.UnixMilli()), Kind: "variance", Table: s.place.ID,
		Game: s.place.Game, Norm: s.place.Norm, Code: FloatCode, Severity: k.Severity, Probability: 1, At: now,
		Amount: read.off(book), Clip: s.clip(now),
		Localized: text.Localize(func(lang string) string {
			return k.In(lang) + words.Sprintf(lang, span, money.Cents(book))
		}),
	})
}

// clip is the recording that shows what was said at a time; nil where no camera does.
func (s *sheet) clip(at time.Time) *alert.Clip {
	if s.place.Camera == "" {
		return nil
	}
	return &alert.Clip{Camera: s.place.Camera, From: at.Add(-shown), To: at}
}
