package ledger

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

// Since yields the acknowledged entries after seq, oldest first, up to the head
// at the time of the call. An error ends the iteration.
func (l *Ledger) Since(seq uint64) iter.Seq2[Entry, error] {
	last := l.Head().Seq
	return func(yield func(Entry, error) bool) {
		if last <= seq {
			return
		}
		for e, err := range Read(l.dir, seq) {
			if e.Seq > last || !yield(e, err) || e.Seq == last {
				return
			}
		}
	}
}

// Read yields the entries after seq of the ledger in dir, without opening it for
// writing and without checking signatures or the chain (Verify does). A line
// that is no entry is yielded as an error that wraps ErrLine, and reading goes on
// after it; any other error is the last. An unfinished last line is the end.
func Read(dir string, seq uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		files, err := list(dir)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		for i, f := range files {
			if i+1 < len(files) && files[i+1].first <= seq+1 {
				continue // all of it is older
			}
			if !readFile(f.path, seq, yield) {
				return
			}
		}
	}
}

func readFile(path string, seq uint64, yield func(Entry, error) bool) bool {
	n := 0
	_, err := scanLines(path, func(line []byte) error {
		n++
		e, err := Parse(line)
		if err != nil {
			e, err = Entry{}, fmt.Errorf("ledger: %s line %d: %w", path, n, err)
		}
		if (err != nil || e.Seq > seq) && !yield(e, err) {
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		yield(Entry{}, fmt.Errorf("ledger: %w", err))
	}
	return err == nil
}

var errStop = errors.New("stop")

// scanLines calls f with every whole line of path, which is f's to keep, and
// tells how many bytes stand after the last newline.
func scanLines(path string, f func(line []byte) error) (torn int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 256<<10)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return len(line), nil
		}
		if err != nil {
			return 0, err
		}
		if err := f(line[:len(line)-1]); err != nil {
			return 0, err
		}
	}
}
