package command

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A bar is shown on a terminal alone, and is gone when the work is done.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	b := bar(&out, "files", 4, progressbar.OptionShowCount())
	for range 4 {
		_ = b.Add(1)
		time.Sleep(110 * time.Millisecond)
	}
	_ = b.Finish()
	if s := out.String(); !strings.Contains(s, "files") || !strings.Contains(s, "(1/4)") ||
		!strings.HasSuffix(strings.TrimRight(s, " "), "\r") {
		t.Errorf("%q", s)
	}
	quiet, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stderr
	os.Stderr = write // no terminal
	b = Progress("files", 4, false)
	_ = b.Add(4)
	_ = b.Finish()
	os.Stderr = old
	write.Close()
	if said, err := io.ReadAll(quiet); err != nil || len(said) > 0 {
		t.Errorf("%q, %v", said, err)
	}
}
