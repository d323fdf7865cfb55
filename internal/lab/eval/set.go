package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Set is an evaluation set: of its four forms the one that its lines have.
type Set struct {
	Images []Image // photographs of which nothing is known
	Stills []Still // a calibrated camera's pictures
	Clips  []Clip  // videos
	Racks  []Rack  // series of pictures of a bank's rack
}

// maxLine bounds a line of truth, bytes.
const maxLine = 4 << 20

// Load reads truth.jsonl of a set of photographs.
func Load(dir string) ([]Image, error) {
	set, err := LoadSet(dir)
	if err == nil && set.Images == nil {
		err = fmt.Errorf("%s is no set of photographs: its truth is of calibrated stills or clips", dir)
	}
	if err != nil {
		return nil, err
	}
	return set.Images, nil
}

// LoadSet reads truth.jsonl of a set of any form.
func LoadSet(dir string) (*Set, error) {
	data, err := os.ReadFile(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s holds no truth.jsonl: an evaluation set is a folder with truth.jsonl and its images or clips", dir)
		}
		return nil, err
	}
	set, err := ParseSet(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "truth.jsonl"), err)
	}
	return set, nil
}

// ParseSet reads the lines of truth of a set of any form: a line that names a clip makes
// it one of clips, one with zones one of calibrated stills, one with rests one of racks. An error names the line.
func ParseSet(data []byte) (*Set, error) {
	type line struct {
		Clip  *string         `json:"clip"`
		Zones json.RawMessage `json:"zones"`
		Rests json.RawMessage `json:"rests"`
	}
	lines, err := parseLines(bytes.NewReader(data), func(*line) error { return nil })
	if err != nil {
		return nil, err
	}
	clips, stills, racks := 0, 0, 0
	for _, l := range lines {
		switch {
		case l.Clip != nil:
			clips++
		case l.Zones != nil:
			stills++
		case l.Rests != nil:
			racks++
		}
	}
	var set Set
	switch {
	case clips > 0:
		set.Clips, err = parseLines(bytes.NewReader(data), (*Clip).check)
	case stills > 0:
		set.Stills, err = parseLines(bytes.NewReader(data), (*Still).check)
	case racks > 0:
		set.Racks, err = parseLines(bytes.NewReader(data), (*Rack).check)
	default:
		set.Images, err = Parse(bytes.NewReader(data))
	}
	if err != nil {
		return nil, err
	}
	return &set, nil
}

// parseLines reads JSON Lines and checks each; an error names the line.
func parseLines[T any](r io.Reader, check func(*T) error) ([]T, error) {
	var out []T
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 1
	for ; sc.Scan(); n++ {
		data := bytes.TrimSpace(bytes.TrimPrefix(sc.Bytes(), []byte("\ufeff")))
		if len(data) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(data, &v); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := check(&v); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, v)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	if len(out) == 0 {
		return nil, errors.New("no line of truth")
	}
	return out, nil
}

// below refuses a path that does not lie below the set's folder.
func below(what, path string) error {
	if path == "" || !filepath.IsLocal(path) {
		return fmt.Errorf("%s %q: want a path below the set's folder", what, path)
	}
	return nil
}

// belowIf is below where a path is given.
func belowIf(what, path string) error {
	if path == "" {
		return nil
	}
	return below(what, path)
}
