package past

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"vision/stream/ledger"
)

// Keeper follows a ledger and keeps its past now and then.
type Keeper struct {
	*Past
	dir    string
	ledger *ledger.Ledger
	marks  time.Duration
	log    *slog.Logger
}

// Open reads the past that is kept in a folder and what the ledger holds beyond it;
// without one that counts, the whole ledger. Marks of recordings are kept for so long.
func Open(dir string, l *ledger.Ledger, marks time.Duration, log *slog.Logger) (*Keeper, error) {
	p, err := load(dir, l)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("the whole ledger is read", "why", err)
		}
		p = newPast()
	}
	return &Keeper{p, dir, l, marks, log}, p.follow(l)
}

// How often the past is kept: after so many entries, and at the end. A start after
// a kill reads that many entries at most, and what is in their file before them.
const keepEvery = 2000

// pause is how long entries are let come together.
const pause = time.Second

// Run follows the ledger until ctx ends.
func (k *Keeper) Run(ctx context.Context) error {
	return k.ledger.Follow(ctx, pause, func(context.Context) error {
		if err := k.follow(k.ledger); err != nil {
			k.log.Error("past", "err", err)
		}
		if k.unsaved >= keepEvery {
			k.keep()
		}
		return nil
	})
}

// keep keeps the past. Where that fails a start takes longer, and nothing else.
func (k *Keeper) keep() {
	k.tidy(time.Now().Add(-k.marks))
	if err := k.save(k.dir, k.ledger); err != nil {
		k.log.Error("past", "err", err)
	}
}

// Close takes in the last entries and keeps the past, before the ledger closes.
func (k *Keeper) Close() {
	if k.follow(k.ledger) != nil || k.unsaved == 0 {
		return
	}
	k.keep()
}
