package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"vision/internal/health"
)

// What is written to try a disk.
const (
	trialBytes = 64 << 20 // in one go, as recordings are
	trialSyncs = 15       // of one line each, as the ledger is
	trialLine  = 1 << 10  // bytes
)

const (
	// faster is how much faster than the cameras the disk has to be, so that it catches
	// up after a pause and serves those who review.
	faster = 4
	// slowSync is how long a line of the ledger may take to be on the disk: verdicts wait
	// for it.
	slowSync = 50 * time.Millisecond
)

// disk looks whether there is room for what is to be kept, and how fast it is.
func (v *visit) disk(context.Context) {
	at := standing(v.cfg.Data)
	v.room(at)
	rate, sync, err := trial(at)
	if err != nil {
		v.ill(Fail, "disk speed", at, health.LedgerFailed, err.Error(), "")
		return
	}
	need := v.mbps / 8
	detail := fmt.Sprintf("writes %.0f MB/s, the cameras send %.2g MB/s; a line is safe after %v", rate, need, sync.Round(10*time.Microsecond))
	const mend = "A faster disk (SSD) for the data folder, of this machine and not over the network."
	switch {
	case rate < need:
		v.ill(Fail, "disk speed", at, health.RecordingFailed, detail, mend)
	case rate < faster*need || sync > slowSync:
		v.ill(Warn, "disk speed", at, "", detail, mend)
	default:
		v.ok("disk speed", at, detail)
	}
}

// room compares what the cameras send with what may be kept, and with what the disk has.
func (v *visit) room(at string) {
	var d unix.Statfs_t
	if err := unix.Statfs(at, &d); err != nil {
		v.ill(Fail, "disk", at, health.DiskFull, err.Error(), "")
		return
	}
	total, free := int64(d.Blocks)*d.Bsize, int64(d.Bavail)*d.Bsize
	most := int64(v.cfg.Record.MaxDisk)
	need := int64(v.mbps * 1e6 / 8 * v.cfg.Record.Keep.Seconds())
	detail := fmt.Sprintf("%s of %s are free; recordings may take %s (record.max_disk)", size(free), size(total), size(most))
	if v.mbps > 0 {
		detail += fmt.Sprintf(", and %.2g Mbit/s for %s make %s", v.mbps, days(v.cfg.Record.Keep), size(need))
	}
	const reserve = 20 // of so many parts one stays free
	switch {
	case free < total/reserve && !v.running:
		v.ill(Fail, "disk", at, health.DiskFull, detail, "")
	case most > total || most > free && v.fresh():
		v.ill(Warn, "disk", at, health.DiskLow, detail, "Set record.max_disk below what is free, or enlarge the disk.")
	case need > most:
		v.ill(Warn, "disk", at, health.DiskLow, detail, "Recordings go before record.keep is over: raise record.max_disk, enlarge the disk, or shorten record.keep.")
	case need > free && !v.running:
		v.ill(Warn, "disk", at, health.DiskLow, detail, "")
	default:
		v.ok("disk", at, detail)
	}
}

// fresh reports whether nothing was recorded yet.
func (v *visit) fresh() bool {
	_, err := os.Stat(filepath.Join(v.cfg.Data, "recordings"))
	return errors.Is(err, fs.ErrNotExist)
}

// days is a time of retention for people.
func days(d time.Duration) string { return fmt.Sprintf("%.3g days", d.Hours()/24) }

// trial writes to a file in dir and removes it: MB/s in one go until it is on the disk,
// and how long one line takes to be there (median).
func trial(dir string) (rate float64, line time.Duration, err error) {
	f, err := os.CreateTemp(dir, ".vision-doctor-*")
	if err != nil {
		return 0, 0, err
	}
	rate, err = stream(f)
	if err == nil {
		line, err = lines(f)
	}
	return rate, line, errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// stream is how fast a file is written in one go, MB/s.
func stream(f *os.File) (float64, error) {
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(i * 7)
	}
	begun := time.Now()
	for range trialBytes / len(block) {
		if _, err := f.Write(block); err != nil {
			return 0, err
		}
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	return trialBytes / 1e6 / time.Since(begun).Seconds(), nil
}

// lines is how long a line takes to be on the disk, the median of some.
func lines(f *os.File) (time.Duration, error) {
	line := make([]byte, trialLine)
	var took []time.Duration
	for range trialSyncs {
		begun := time.Now()
		if _, err := f.Write(line); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}
