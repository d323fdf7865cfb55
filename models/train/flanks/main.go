// Command flanks unrolls the sides of stacks for stack_side.py and stack_kinds.py to learn from, as the
// product's own finder sees them: of path-traced tables (models/train/tables), or of tables
// drawn under house conditions.
//
//	go run ./models/train/flanks [-house FIRST,LAST] OUT [SET...]
//
// OUT.bin has the pictures behind one another, OUT.jsonl a line for each. Worlds and
// seeds whose lines are there are not looked at again.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gocv.io/x/gocv"

	"vision/calibration"
	"vision/internal/cv"
	"vision/internal/fact"
	"vision/recognize/chip"
)

// Distances of a face from where the truth has one, in diameters.
const (
	same  = 0.3 // is that stack's
	apart = 0.6 // is no stack's
)

// standing is a stack as the truth has it.
type standing struct {
	At    fact.Point `json:"at"`
	Chips []string   `json:"chips"`
}

// picture is a line of a world's stacks.jsonl.
type picture struct {
	Image  string     `json:"image"`
	Stacks []standing `json:"stacks"`
}

// label is a line of OUT.jsonl.
type label struct {
	Set        string      `json:"set"`
	Image      string      `json:"image"`
	Count      int         `json:"count"` // 0: no stack
	Chips      []int       `json:"chips"` // from the top, in the palette
	Kind       int         `json:"kind"`
	P          float64     `json:"p"`
	Known      bool        `json:"known"`
	Settled    bool        `json:"settled"`
	Resolution float64     `json:"resolution"`
	Off        float64     `json:"off"` // millimetres
	Colors     [][2]string `json:"colors"`
}

func main() {
	house := flag.String("house", "", "FIRST,LAST: seeds of tables drawn under house conditions")
	flag.Parse()
	if flag.NArg() < 1 {
		log.Fatal("usage: flanks [-house FIRST,LAST] OUT [SET...]")
	}
	o, err := open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	for _, set := range flag.Args()[1:] {
		worlds, _ := filepath.Glob(filepath.Join(set, "*", "stacks.jsonl"))
		for _, w := range worlds {
			if err := o.world(filepath.Dir(w)); err != nil {
				log.Fatal(err)
			}
		}
	}
	if *house != "" {
		var first, last uint64
		if _, err := fmt.Sscanf(*house, "%d,%d", &first, &last); err != nil {
			log.Fatal(err)
		}
		for seed := first; seed <= last; seed++ {
			if err := o.house(seed); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := o.close(); err != nil {
		log.Fatal(err)
	}
}

// out is the files that are written.
type out struct {
	pix, lines *os.File
	done       map[string]bool
	list       []chip.Flank // of the picture that is read
	reader     *chip.Reader
}

func open(name string) (*out, error) {
	o := &out{done: map[string]bool{}}
	var err error
	if o.lines, err = os.OpenFile(name+".jsonl", os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	for in := bufio.NewScanner(o.lines); in.Scan(); {
		var l label
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return nil, err
		}
		o.done[l.Set] = true
	}
	if o.pix, err = os.OpenFile(name+".bin", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	o.reader, err = chip.NewReader(chip.Options{Watch: func(f chip.Flank) { o.list = append(o.list, f) }})
	return o, err
}

func (o *out) close() error {
	o.reader.Close()
	if err := o.pix.Close(); err != nil {
		return err
	}
	return o.lines.Close()
}

// world looks at all pictures of a path-traced table.
func (o *out) world(dir string) error {
	name := filepath.Base(dir)
	if o.done[name] {
		return nil
	}
	cal, err := calibration.Load(filepath.Join(dir, "calibration.yaml"))
	if err != nil {
		return err
	}
	bare, err := cv.ReadImage(filepath.Join(dir, "bare.jpg"))
	if err != nil {
		return err
	}
	defer bare.Close()
	raw, err := os.Open(filepath.Join(dir, "stacks.jsonl"))
	if err != nil {
		return err
	}
	defer raw.Close()
	for in := bufio.NewScanner(raw); in.Scan(); {
		var p picture
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			return err
		}
		img, err := cv.ReadImage(filepath.Join(dir, p.Image))
		if err != nil {
			return err
		}
		err = o.table(name, p, cal, img, bare)
		img.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// table reads every zone of a picture, with the felt known and not.
func (o *out) table(name string, p picture, cal *calibration.Table, img, bare gocv.Mat) error {
	view, err := cal.View()
	if err != nil {
		return err
	}
	for _, known := range []bool{true, false} {
		felt := chip.NewFelt(img.Cols(), img.Rows())
		felt.Single(true)
		if known {
			pix, err := bare.DataPtrUint8()
			if err != nil {
				return err
			}
			felt.Bare(pix)
		}
		o.list = nil
		hint := chip.Hint{View: view, Palette: cal.Palette, Zone: about(cal.Zones), Felt: felt}
		if _, err := o.reader.Read(img, hint); err != nil {
			return err
		}
		if err := o.write(name, p); err != nil {
			return err
		}
	}
	return nil
}

// about is the rectangle round all zones with chips.
func about(zones []calibration.Zone) []fact.Point {
	low, high := fact.Point{math.Inf(1), math.Inf(1)}, fact.Point{math.Inf(-1), math.Inf(-1)}
	for _, z := range zones {
		if z.Wants("chips") {
			a, b := z.Bounds()
			low, high = fact.Point{min(low[0], a[0]), min(low[1], a[1])}, fact.Point{max(high[0], b[0]), max(high[1], b[1])}
		}
	}
	return []fact.Point{low, {high[0], low[1]}, high, {low[0], high[1]}}
}

// write keeps what was seen of each face once.
func (o *out) write(name string, p picture) error {
	type face struct {
		px      fact.Point
		settled bool
	}
	seen := map[face]bool{}
	for _, f := range o.list {
		key := face{f.Px, f.Settled}
		if seen[key] {
			continue
		}
		seen[key] = true
		l := label{Set: name, Image: p.Image, Kind: f.Kind, P: f.P, Known: f.Known, Settled: f.Settled,
			Resolution: f.Resolution, Off: math.Inf(1)}
		for _, c := range f.Palette {
			l.Colors = append(l.Colors, [2]string{c.Face, c.Edge})
		}
		wide := f.Palette[f.Kind].Diameter
		for _, s := range p.Stacks {
			at := f.Foot(len(s.Chips))
			off := math.Hypot(at[0]-s.At[0], at[1]-s.At[1])
			if off > l.Off {
				continue
			}
			l.Off, l.Count, l.Chips = off, len(s.Chips), nil
			for _, id := range slices.Backward(s.Chips) {
				l.Chips = append(l.Chips, slices.IndexFunc(f.Palette, func(c calibration.Chip) bool { return c.ID == id }))
			}
		}
		switch {
		case l.Off > apart*wide:
			l.Count, l.Chips, l.Off = 0, []int{}, -1
		case l.Off > same*wide:
			continue
		}
		raw, err := json.Marshal(l)
		if err != nil {
			return err
		}
		if _, err := o.pix.Write(f.Pix); err != nil {
			return err
		}
		if _, err := o.lines.Write(append(raw, '\n')); err != nil {
			return err
		}
	}
	return nil
}
