package jornada

import (
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
}

// off is by how much an amount lies outside of what was read.
func (f Float) off(cents int64) int64 { return max(f.Low-cents, cents-f.High, 0) }

// FloatCode is the code of the alert that the float as it is read and as it was counted, or
// as the book has it, disagree.
const FloatCode = "variance_float"

// book is the float of the newest opening by the book: what was counted last, and what was
// put in and taken out since; false where some of that was not seen.
func (s *sheet) book() (cents int64, known bool) {
	var sum struct {
		Float []struct{ Book, Close *int64 }
	}
	if json.Unmarshal(s.ruling.Summary, &sum) != nil || len(sum.Float) == 0 {
		return 0, false
	}
	last := sum.Float[len(sum.Float)-1]
	if last.Close != nil {
		return *last.Close, true
	}
	for _, e := range slices.Backward(s.events) {
		if unseen(e) {
			return 0, false
		}
		if k := e.kind(); k == "open" || k == "count" {
			break
		}
	}
	if last.Book == nil {
		return 0, false
	}
	return *last.Book, true
}

// compare holds what people counted, or what the book has after a fill or a credit, against
// what is read. They are two readings of one fact: neither is corrected by the other. before
// is the session before the step: chips of a fill may not lie there yet, or lie there already.
func (b *Book) compare(ctx context.Context, s, before *sheet, e Event, now time.Time) error {
	if b.cfg.Float == nil || !movesMoney(e) {
		return nil
	}
	read, seen := b.cfg.Float(s.place.ID)
	book, known := s.book()
	if !seen || !known || read.off(book) == 0 {
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
