// Package pipeline is the way of a frame at one gaming table: its cameras bring in
// pictures, a reader process reads them, a table loop folds what was read and sensed into
// the tracker and handles the tracker's outputs. A table is one pipeline
// with one owner goroutine; tables share nothing but their dependencies (Deps), so
// that one failing table never disturbs the others.
//
// A recording goes the same way, as fast as the machine allows: Replay.
package pipeline

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"vision/capture"
	"vision/internal/config"
	"vision/internal/decoder"
	"vision/internal/health"
	"vision/recognize/host"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/validate"
	"vision/validate/rulebook"
	"vision/validate/track"
)

// Deps are the dependencies that tables share.
type Deps struct {
	Books *rulebook.Books
	// Policy is how findings of a table are judged; nil: that of track.
	Policy func(table string) track.Policy
	Ledger Book
	Desk   *alert.Desk
	Board  *health.Board
	Store  *record.Store // nil: nothing is recorded
	// Source makes the source of a camera.
	Source func(config.Camera) capture.Source
	// Reader makes what reads a table's cameras; nil: a process of its own (host.New).
	Reader func(host.Config) (Reader, error)
	// Picture is notified of the preview pictures of a camera, JPEG, that Watch asked for.
	Picture func(camera string, jpeg []byte)
	// Show shows viewers of a table what has this type and key: "state", "overlay", "round".
	Show func(typ, table, key string, body any)
	// Played is notified of every round that has ended, once it is in the ledger; nil: nobody.
	// It must not wait.
	Played func(table string, r *track.Round)
	// Watermark is notified of how far the pictures of a table were looked at, when no zone waits to
	// be read; nil: nobody. It must not wait.
	Watermark func(table string, at time.Time)
	// Patience is how much longer than usual a camera may be silent and a reader idle before
	// that is reported: for a play that waits for its readers.
	Patience time.Duration
	// Lead bounds how far the play goes on between two read pictures, where it waits for its
	// readers, at most for Patience; 0: it does not wait.
	Lead time.Duration
	// OwnsLease reports whether this machine still holds the lease of a table and may publish; it may wait
	// until that is known. nil: it always does.
	OwnsLease func(ctx context.Context, table string) bool
	// Publish puts a message on the bus. It never waits.
	Publish func(stream, table string, body any)
	// Passing names a problem that comes as an event.
	Passing func(code, table, object, detail string)
	// Later does f soon, outside the caller's goroutine.
	Later func(f func(context.Context) error)
	Data  string // folder of the calibrations that were made at the console
	// ReaderEnv is the environment that reader processes get in addition, and
	// ReaderMemory the resident size in bytes over which one is replaced; 0 = child's
	// own limit.
	ReaderEnv    []string
	Decoder      decoder.Choice // of processes that decode video; "" is the processor
	ReaderMemory int64
	Log          *slog.Logger
}

// Reader reads the pictures of a table's cameras and reports as its host.Config has it.
type Reader interface {
	// Run reads until ctx ends.
	Run(ctx context.Context) error
	// Preview starts or stops the preview pictures of a camera.
	Preview(camera string, on bool)
	// Again has a zone at rest read again.
	Again(zone string)
}

func (l *Deps) reader(cfg host.Config) (Reader, error) {
	if l.Reader != nil {
		return l.Reader(cfg)
	}
	return host.New(cfg)
}

// Book keeps facts before they are shown: the ledger.
type Book interface {
	Append(kind ledger.Kind, table string, payload any) (ledger.Entry, error)
}

// The streams that a table writes on the bus.
const (
	StreamRounds    = "rounds"    // finished rounds, with record and verdict
	StreamVariances = "variances" // two readings of one fact that disagree
	StreamNotes     = "notes"     // remarks of the tracker
)

// Books loads the norms, and those of a further folder ("" = none).
func Books(dir string) (*rulebook.Books, error) {
	var more []fs.FS
	if dir != "" {
		more = append(more, os.DirFS(dir))
	}
	return validate.Books(more...)
}

// policy is how findings of a table are judged; nil: that of track.
func (l *Deps) policy(table string) func() track.Policy {
	if l.Policy == nil {
		return nil
	}
	return func() track.Policy { return l.Policy(table) }
}
