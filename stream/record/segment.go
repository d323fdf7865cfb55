package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vision/internal/backoff"
	"vision/internal/durable"
)

// Camera names one camera of one table.
type Camera struct {
	Table  string `json:"table"`
	Camera string `json:"camera"`
}

func (c Camera) String() string { return c.Table + "/" + c.Camera }

// Segment is one file: finished, or as far as it is on the disk.
type Segment struct {
	Camera
	From  time.Time `json:"from"` // wall time of the first picture
	To    time.Time `json:"to"`   // wall time at which the last picture's time is over
	Bytes int64     `json:"bytes"`
	File  string    `json:"file"`           // below the recordings' folder, with slashes
	Gaps  bool      `json:"gaps,omitempty"` // pictures within it were lost
}

// Within reports whether a part of the segment was recorded between two times.
func (seg Segment) Within(from, to time.Time) bool { return seg.To.After(from) && seg.From.Before(to) }

// byStart orders segments by the time at which they begin.
func byStart(a, b Segment) int { return a.From.Compare(b.From) }

// Names of segment files: the start, and once finished the length in
// milliseconds, "g" where pictures are missing within. The folder is the
// catalogue: nothing else needs to be read at start-up.
const (
	startLayout = "20060102T150405.000000Z"
	openSuffix  = ".open"
	fileSuffix  = ".mp4"
	asideSuffix = ".aside" // what a start found and this node did not write
)

func escape(s string) string {
	if e := url.PathEscape(s); strings.Trim(e, ".") != "" {
		return e
	}
	return "%" + s // ".", ".." and "" are no names for folders
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return strings.TrimPrefix(s, "%")
}

func (c Camera) folder() string { return filepath.Join(escape(c.Table), escape(c.Camera)) }

func openName(from time.Time) string { return from.UTC().Format(startLayout) + openSuffix }

func finishedName(from, to time.Time, gaps bool) string {
	s := from.UTC().Format(startLayout) + "_" + strconv.FormatInt(to.Sub(from).Milliseconds(), 10)
	if gaps {
		s += "g"
	}
	return s + fileSuffix
}

// Finished reports whether a file is called as finished segments are.
func Finished(file string) bool { return strings.HasSuffix(file, fileSuffix) }

// Unfinished is how the file of a finished segment was called while it was written.
func Unfinished(file string) string {
	dir, name := filepath.Split(file)
	start, _, _ := strings.Cut(name, "_")
	return dir + start + openSuffix
}

// Await is the path of a listed file below the recordings' folder dir. It is listed a moment before it
// gets its name, which is waited for; fs.ErrNotExist where it is nowhere.
func Await(ctx context.Context, dir, file string) (path string, err error) {
	const every, tries = 20 * time.Millisecond, 250 // five seconds
	path = filepath.Join(dir, filepath.FromSlash(file))
	for range tries {
		if _, err = os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
		if _, open := os.Stat(Unfinished(path)); open != nil {
			_, err = os.Stat(path) // it may have got its name between the two looks
			return path, err
		}
		if err := backoff.Sleep(ctx, every); err != nil {
			return "", err
		}
	}
	return path, err
}

// parseName reads what finishedName wrote.
func parseName(name string) (from, to time.Time, gaps, ok bool) {
	stem, isFile := strings.CutSuffix(name, fileSuffix)
	start, length, two := strings.Cut(stem, "_")
	length, gaps = strings.CutSuffix(length, "g")
	from, err := time.Parse(startLayout, start)
	ms, err2 := strconv.ParseInt(length, 10, 64)
	ok = isFile && two && err == nil && err2 == nil && ms >= 0 && ms < 1e11
	return from, from.Add(time.Duration(ms) * time.Millisecond), gaps, ok
}

// diskFile is what the recorder needs of an open file; tests put a full disk behind it.
type diskFile interface {
	Write([]byte) (int, error)
	Sync() error
	Truncate(int64) error
	Close() error
}

func createFile(path string) (diskFile, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
}

// rename gives a segment its final name and makes that durable.
func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	return durable.SyncDir(filepath.Dir(to))
}
