package command

import (
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// Progress shows how far long work is, on standard error where that is a terminal
// and no machine reads along; elsewhere it shows nothing. total < 0: nobody knows.
func Progress(what string, total int64, quiet bool) *progressbar.ProgressBar {
	return bar(terminal(quiet), what, total, progressbar.OptionShowCount())
}

// Download is progress of so many bytes.
func Download(what string, quiet bool) *progressbar.ProgressBar {
	return bar(terminal(quiet), what, -1, progressbar.OptionShowBytes(true))
}

func terminal(quiet bool) io.Writer {
	if quiet || !isatty.IsTerminal(os.Stderr.Fd()) {
		return io.Discard
	}
	return os.Stderr
}

func bar(w io.Writer, what string, total int64, more progressbar.Option) *progressbar.ProgressBar {
	return progressbar.NewOptions64(
		total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSpinnerType(14),
		more,
	)
}

// ReadAlong reports whether results appear on the same terminal, where a bar between
// them would be in the way.
func ReadAlong() bool { return isatty.IsTerminal(os.Stdout.Fd()) }
