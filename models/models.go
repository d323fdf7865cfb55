// Package models holds the networks the readers use and what is known of them.
// Every network is made again by models/train; its entry in manifest.json says
// from what, how good it is, and the SHA-256 its bytes must have. What was fitted
// on data beside the networks is in readers.json.
package models

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
)

//go:embed manifest.json *.onnx
var shipped embed.FS

// Shipped is the set of networks inside the program.
func Shipped() fs.FS { return shipped }

// Dir is a set of networks in a folder, for trying others.
func Dir(path string) fs.FS { return os.DirFS(path) }

// ErrModel is what every refusal of a network is (errors.Is).
var ErrModel = errors.New("unusable network")

// Entry describes one network.
type Entry struct {
	File    string             `json:"file"`
	SHA256  string             `json:"sha256"`
	Input   []int              `json:"input"`             // channels (BGR, 0 to 1), height, width
	Heads   []Head             `json:"heads"`             // the output vector, head after head
	Scale   float64            `json:"scale,omitempty"`   // softmax is taken of logits times scale (calibration); 0 is 1
	Data    []string           `json:"data"`              // what it was trained on
	Metrics map[string]float64 `json:"metrics,omitempty"` // by name: set and figure
}

// Head is a part of the output over which one softmax is taken.
type Head struct {
	Name    string   `json:"name"`
	Classes []string `json:"classes"`
}

// Size is the length of the output vector.
func (e *Entry) Size() int {
	n := 0
	for _, h := range e.Heads {
		n += len(h.Classes)
	}
	return n
}

// manifest is what a set says of its networks.
func manifest(set fs.FS) (entries map[string]*Entry, err error) {
	raw, err := fs.ReadFile(set, "manifest.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	return entries, nil
}

// Names are those of the networks of a set, sorted.
func Names(set fs.FS) ([]string, error) {
	entries, err := manifest(set)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	delete(entries, readersEntry)
	return slices.Sorted(maps.Keys(entries)), nil
}

// Load reads the network called name from a set: its bytes, whose SHA-256 is
// checked, and its entry.
func Load(set fs.FS, name string) ([]byte, *Entry, error) {
	entries, err := manifest(set)
	if err != nil {
		return nil, nil, fmt.Errorf("%w %s: %w", ErrModel, name, err)
	}
	e := entries[name]
	if e == nil {
		return nil, nil, fmt.Errorf("%w %s: not in manifest.json", ErrModel, name)
	}
	if err := e.check(); err != nil {
		return nil, nil, fmt.Errorf("%w %s: manifest.json: %w", ErrModel, name, err)
	}
	data, err := fs.ReadFile(set, e.File)
	if err != nil {
		return nil, nil, fmt.Errorf("%w %s: %w", ErrModel, name, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != e.SHA256 {
		return nil, nil, fmt.Errorf("%w %s: %s is not the file of manifest.json (SHA-256 %x): train again or restore it", ErrModel, name, e.File, sum)
	}
	return data, e, nil
}

func (e *Entry) check() error {
	if len(e.Input) != 3 {
		return fmt.Errorf("input %v: want channels, height, width", e.Input)
	}
	for _, n := range e.Input {
		if n < 1 || n > 4096 {
			return fmt.Errorf("input %v: a size out of range", e.Input)
		}
	}
	if e.Size() == 0 {
		return errors.New("no classes")
	}
	return nil
}
