// Package draft keeps tables that are being set up: what was given and chosen so far, each
// in a folder of its own beside what the node keeps of its tables. Nothing of a draft is
// live before its table stands in the configuration.
package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"vision/capture/probe"
	"vision/internal/config"
	"vision/internal/durable"
)

// Draft is one table that is being set up.
type Draft struct {
	ID     string        `json:"id"` // a number
	By     string        `json:"by"` // who began it
	Begun  time.Time     `json:"begun"`
	Device string        `json:"device,omitempty"` // what the camera calls itself, by ONVIF
	Camera config.Camera `json:"camera"`           // its name is the draft's, until the table has one
	Report probe.Report  `json:"report"`           // what the camera sent
	Table  config.Table  `json:"table"`            // without cameras
	Chosen bool          `json:"chosen"`           // the table was filled in by a person, and checked
}

// mark begins the names of drafts' tables and cameras. No name of a configuration has it.
const mark = "setup~"

// Name is the draft's table and camera while it is one.
func (d *Draft) Name() string { return mark + d.ID }

// Named is the draft's id of such a name; "" where it is none.
func Named(name string) string {
	id, ok := strings.CutPrefix(name, mark)
	if !ok {
		return ""
	}
	id, _, _ = strings.Cut(id, "~") // one of the camera's streams
	return id
}

// Work is the draft's table with its camera, by the draft's name.
func (d *Draft) Work() config.Table {
	t, c := d.Table, d.Camera
	t.ID, c.Name = d.Name(), d.Name()
	t.Cameras = []config.Camera{c}
	return t
}

// Final is the table with its camera as the configuration is to have them.
func (d *Draft) Final() config.Table {
	t, c := d.Table, d.Camera
	c.Name = t.ID + "-1"
	t.Cameras = []config.Camera{c}
	return t
}

// most is how many tables may be set up at once.
const most = 16

// ErrTooMany is returned where there are as many drafts as there may be.
var ErrTooMany = fmt.Errorf("%d tables are being set up already: finish or drop one", most)

// file is a draft's own in its folder.
const file = "draft.json"

// Store has the drafts of a node. It may be used by several goroutines.
type Store struct {
	dir string
	mu  sync.Mutex
}

// Open gives the drafts that are kept in a folder; it need not be there.
func Open(dir string) *Store { return &Store{dir: dir} }

// Folder is where a draft's calibration and picture of the empty table are.
func (s *Store) Folder(id string) string { return filepath.Join(s.dir, id) }

// List has all drafts, oldest first. One that cannot be read is left out: its folder can
// be removed by hand.
func (s *Store) List() (out []Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.ids() {
		if d, err := s.get(strconv.Itoa(id)); err == nil {
			out = append(out, d)
		}
	}
	return out
}

// ids are those of the drafts, sorted.
func (s *Store) ids() (out []int) {
	all, err := os.ReadDir(s.dir)
	if err != nil {
		return nil // there was never one
	}
	for _, e := range all {
		if id, err := strconv.Atoi(e.Name()); err == nil && e.IsDir() {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// Get is one of them; fs.ErrNotExist where there is no such.
func (s *Store) Get(id string) (Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(id)
}

func (s *Store) get(id string) (d Draft, err error) {
	if _, err := strconv.ParseUint(id, 10, 31); err != nil {
		return d, fs.ErrNotExist
	}
	if err := durable.ReadJSON(filepath.Join(s.Folder(id), file), &d); err != nil {
		return d, fmt.Errorf("draft %s: %w", id, err)
	}
	d.ID = id
	return d, nil
}

// Add keeps a new draft, and gives it its id.
func (s *Store) Add(d Draft) (Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := s.ids()
	if len(ids) >= most {
		return d, ErrTooMany
	}
	next := 1
	if len(ids) > 0 {
		next = ids[len(ids)-1] + 1
	}
	d.ID = strconv.Itoa(next)
	return d, s.save(d)
}

// Save keeps a draft as it is now; fs.ErrNotExist where it was dropped meanwhile.
func (s *Store) Save(d Draft) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.get(d.ID); err != nil {
		return err
	}
	return s.save(d)
}

func (s *Store) save(d Draft) error {
	err := durable.Folder(s.Folder(d.ID))
	if err == nil {
		err = durable.WriteJSON(filepath.Join(s.Folder(d.ID), file), d)
	}
	if err != nil {
		return fmt.Errorf("draft %s: %w", d.ID, err)
	}
	return nil
}

// Drop forgets a draft with all that was made for it.
func (s *Store) Drop(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.get(id); errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(s.Folder(id))
}
