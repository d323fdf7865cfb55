package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vision/internal/durable"
)

// Dir is the folder of the data folder that keeps checkpoints, in a file for each day.
const Dir = "checkpoints"

// Kept is a line of a file of checkpoints.
type Kept struct {
	Note  string `json:"note"`            // signed by the ledger's key, cosigned by witnesses
	Stamp []byte `json:"stamp,omitempty"` // a time stamp over the note's text (RFC 3161), DER
}

// Append writes a line to a file of checkpoints; it is on the disk then.
func Append(path string, k Kept) error {
	line, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	_, err = os.Stat(path)
	fresh := err != nil
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if fresh {
		return durable.SyncDir(filepath.Dir(path))
	}
	return nil
}

// ReadKept reads checkpoints that were kept: a file of them as a node or a witness has it,
// a folder of such files, or a single note as a text. A line that a crash left unfinished
// is passed over.
func ReadKept(path string) (out []Kept, err error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	if !st.IsDir() {
		return readFile(path)
	}
	files, err := filepath.Glob(filepath.Join(path, "*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	slices.Sort(files)
	for _, f := range files {
		more, err := readFile(f)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

func readFile(path string) (out []Kept, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	if !bytes.HasPrefix(raw, []byte("{")) && len(raw) > 0 {
		return []Kept{{Note: string(raw)}}, nil
	}
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		var k Kept
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err := json.Unmarshal(line, &k); err != nil {
			return nil, fmt.Errorf("checkpoints: %s line %d: %w", path, n, err)
		}
		out = append(out, k)
	}
	return out, nil
}

// Text is what is signed of a checkpoint.
func (c Checkpoint) Text() string { return textOf(c.Note) }

// textOf is a note without its signatures.
func textOf(note string) string {
	text, _, _ := strings.Cut(note, "\n\n")
	return text + "\n"
}
