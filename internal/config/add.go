package config

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// ErrByHand is returned where a table cannot be added to a file by a program: its list of
// tables is written in a way that is not understood.
var ErrByHand = errors.New("its `tables:` is no list of one table below the other: add the table by hand (docs/vision.example.yaml)")

// Admits says what is wrong with a table that is to stand beside those of c, nil where
// nothing is.
func (c *Config) Admits(t Table) error {
	ids, cams := map[string]bool{}, map[string]bool{}
	for _, x := range c.Tables {
		ids[x.ID] = true
		for _, cam := range x.Cameras {
			cams[cam.Name] = true
		}
	}
	return errors.Join(t.check("table", ids, cams)...)
}

// AddTable puts a table behind the others of a configuration's text, and leaves all else
// as it is written, with its comments; a text without tables gets the list. The result
// has been checked. It fails with ErrByHand, or says what is wrong with the table.
func AddTable(text []byte, t Table) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("# docs/vision.example.yaml explains every setting.\ntables:\n")
	}
	lines := strings.SplitAfter(string(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		lines[len(lines)-1] = last + "\n"
	}
	lines = withList(lines)
	at, indent, err := endOfTables(lines)
	if err != nil {
		return nil, err
	}
	item, err := t.item(indent)
	if err != nil {
		return nil, err
	}
	out := []byte(strings.Join(slices.Insert(lines, at, item), ""))
	c, err := Parse(out)
	if err != nil {
		return nil, err
	}
	if n := len(c.Tables); n == 0 || c.Tables[n-1].ID != t.ID {
		return nil, ErrByHand
	}
	return out, nil
}

var (
	tablesKey = regexp.MustCompile(`^tables:\s*(#.*)?$`)
	noTables  = regexp.MustCompile(`^tables:\s*(?:\[\s*\]|~|null)(\s*(?:\s#.*)?)$`)
	itemStart = regexp.MustCompile(`^( *)- `)
	bare      = regexp.MustCompile(`^\s*(#.*)?$`)
)

// withList begins the list of tables where the file has none, or one in a line without any.
func withList(lines []string) []string {
	for i, l := range lines {
		if m := noTables.FindStringSubmatch(strings.TrimRight(l, "\r\n")); m != nil {
			lines[i] = "tables:" + m[1] + "\n"
		}
		if strings.HasPrefix(l, "tables:") {
			return lines
		}
	}
	return append(lines, "tables:\n")
}

// endOfTables is the line before which a table is put, and how far its dash is indented.
func endOfTables(lines []string) (at int, indent string, err error) {
	begin := slices.IndexFunc(lines, func(l string) bool { return tablesKey.MatchString(strings.TrimRight(l, "\r\n")) })
	if begin < 0 {
		return 0, "", ErrByHand
	}
	at, indent = begin+1, "  "
	first := true
	for i := begin + 1; i < len(lines); i++ {
		l := strings.TrimRight(lines[i], "\r\n")
		if bare.MatchString(l) {
			continue
		}
		m := itemStart.FindStringSubmatch(l)
		if first && m == nil || !strings.HasPrefix(l, " ") && m == nil {
			if first && strings.HasPrefix(l, " ") {
				return 0, "", ErrByHand
			}
			break // the next key of the file
		}
		if first {
			indent, first = m[1], false
		}
		at = i + 1
	}
	return at, indent, nil
}

// item is the table as an item of the list.
func (t Table) item(indent string) (string, error) {
	if t.Name == t.ID {
		t.Name = ""
	}
	b, err := yaml.MarshalWithOptions(t, yaml.OmitEmpty(), yaml.IndentSequence(true))
	if err != nil {
		return "", fmt.Errorf("table %s: %w", t.ID, err)
	}
	var out strings.Builder
	for i, l := range strings.Split(strings.TrimRight(string(b), "\n"), "\n") {
		lead := indent + "  "
		if i == 0 {
			lead = indent + "- "
		}
		out.WriteString(lead + l + "\n")
	}
	return out.String(), nil
}
