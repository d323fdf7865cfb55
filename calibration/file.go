package calibration

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"

	"vision/internal/durable"
)

// maxFile bounds what is read: a roulette with every place has about 40 kB.
const maxFile = 1 << 20

// Load reads and checks a calibration file.
func Load(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("calibration %s: %w", path, err)
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Parse reads one YAML document strictly (no unknown or doubled keys) and
// checks it.
func Parse(data []byte) (*Table, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("calibration: larger than %d bytes", maxFile)
	}
	// Anchors serve no purpose here and can blow a small file up.
	d := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	t := new(Table)
	if err := decode(d, t); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("calibration: the file is empty")
		}
		return nil, fmt.Errorf("calibration: %w", err)
	}
	if err := decode(d, new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("calibration: more than one document in the file")
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	return t, nil
}

// decode keeps a fault of the YAML library on odd input an error.
func decode(d *yaml.Decoder, into any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("not readable as YAML (%v)", r)
		}
	}()
	return d.Decode(into)
}

// Marshal writes the file's text.
func (t *Table) Marshal() ([]byte, error) { return yaml.Marshal(t) }

// Save checks the calibration and replaces the file at path with it.
func (t *Table) Save(path string) error {
	if err := t.Check(); err != nil {
		return err
	}
	data, err := t.Marshal()
	if err != nil {
		return fmt.Errorf("calibration %s: %w", path, err)
	}
	if err := durable.Write(path, data, 0o644); err != nil {
		return fmt.Errorf("calibration %s: %w", path, err)
	}
	return nil
}

// Hash is the calibration's version: SHA-256 in hexadecimal of its content,
// whatever the layout and comments of its file.
func (t *Table) Hash() string {
	data, err := json.Marshal(t) // fields in order, shortest exact floats
	if err != nil {
		data = fmt.Append(nil, *t) // only NaN and Inf, which Check refuses
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
