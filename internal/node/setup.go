package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vision/calibration"
	"vision/calibration/layout"
	"vision/capture/probe"
	"vision/internal/config"
	"vision/internal/draft"
	"vision/internal/pipeline"
	"vision/internal/redact"
	"vision/stream/console"
	"vision/validate"
	"vision/validate/rulebook"
)

// What cannot be done yet, or not here; each names what to do.
var (
	errNoFile    = errors.New("this node has no configuration file: tables cannot be added from here")
	errChoose    = errors.New("the table is not filled in: choose its game, name and limits first")
	errCalibrate = errors.New("the felt's corners were not saved: click them, look at the zones, and save")
	errBare      = errors.New("there is no picture of the empty table: clear the table and take it")
	errStakes    = errors.New("limits: write the least and the greatest stake, above zero and the least not above the greatest")
)

// watchFor is how long a camera is probed.
const watchFor = 3 * time.Second

// SetupRoom implements console.Setup.
func (n *Node) SetupRoom() console.SetupRoom {
	out := console.SetupRoom{File: n.inForce().File(), Norm: n.cfg.Norm, Norms: n.norms(),
		Drafts: []console.Draft{}, Devices: []string{}, Files: []string{}}
	if err := n.editable(); err != nil {
		out.Problem = err.Error()
	}
	for _, d := range n.bench.store.List() {
		out.Drafts = append(out.Drafts, n.shown(d))
	}
	usb, err := filepath.Glob("/dev/video*")
	if err == nil {
		out.Devices = append(out.Devices, usb...)
	}
	if f := n.inForce().File(); f != "" {
		for _, ext := range []string{"*.mp4", "*.mkv", "*.avi", "*.mov"} {
			films, _ := filepath.Glob(filepath.Join(filepath.Dir(f), ext)) // the pattern is right
			for _, f := range films {
				out.Files = append(out.Files, filepath.Base(f))
			}
		}
	}
	return out
}

// norms are those in force with their games, as far as there is a layout for them.
func (n *Node) norms() (out []console.NormGames) {
	for _, code := range n.books.Codes() {
		norm, err := n.books.Norm(code)
		if err != nil {
			continue // it has just been named
		}
		x := console.NormGames{Code: code, Localized: norm.Name.Localized(), Games: []console.GameName{}}
		for _, g := range norm.Codes() {
			if slices.Contains(layout.Games, g) {
				x.Games = append(x.Games, console.GameName{Code: g, Localized: norm.Games[g].Name.Localized(),
					Packs: packs(norm, g)})
			}
		}
		out = append(out, x)
	}
	return out
}

// packs are those that a norm allows for a game, for pages.
func packs(norm *rulebook.Norm, game string) []string {
	return append([]string{}, validate.Packs(norm, game)...)
}

// editable reports why no table could be added from here.
func (n *Node) editable() error {
	if n.inForce().File() == "" || n.opts.Reread == nil {
		return errNoFile
	}
	return n.inForce().Writable()
}

// BeginSetup implements console.Setup: the camera is probed for a moment, and kept as a
// draft if it sends pictures.
func (n *Node) BeginSetup(ctx context.Context, by string, raw json.RawMessage) (console.Draft, error) {
	var a draft.Address
	if err := strict(raw, &a); err != nil {
		return console.Draft{}, err
	}
	a.URL = strings.TrimSpace(a.URL)
	a.User, a.Password = a.Credentials()
	if err := n.audit(ctx, console.Act{User: by, Action: "camera_tried", Object: a.Shown()}); err != nil {
		return console.Draft{}, err
	}
	d := draft.Draft{By: by, Begun: time.Now().UTC(), Table: config.Table{Norm: n.cfg.Norm, Game: "blackjack"}}
	var err error
	if d.Camera, d.Device, err = n.sourceOf(ctx, a); err != nil {
		return console.Draft{}, &console.Refusal{Problem: err}
	}
	if d.Report, err = probe.Camera(ctx, n.source(d.Camera), watchFor); err != nil {
		return console.Draft{}, &console.Refusal{Problem: err, Poor: true}
	}
	if d, err = n.bench.store.Add(d); err != nil {
		return console.Draft{}, refused(err)
	}
	return n.Setup(d.ID)
}

// sourceOf is the camera of an address, and what it calls itself.
func (n *Node) sourceOf(ctx context.Context, a draft.Address) (cam config.Camera, device string, err error) {
	if a.Asked() {
		return a.Ask(ctx)
	}
	cam, err = a.Source(filepath.Dir(n.inForce().File()))
	return cam, "", err
}

// Setup implements console.Setup. A request keeps the draft's camera running.
func (n *Node) Setup(id string) (console.Draft, error) {
	d, err := n.bench.store.Get(id)
	if err != nil {
		return console.Draft{}, err
	}
	if _, err := n.bench.use(d); err != nil {
		return console.Draft{}, err
	}
	return n.shown(d), nil
}

// shown is a draft for people: without secrets, with what is missing.
func (n *Node) shown(d draft.Draft) console.Draft {
	out := console.Draft{
		ID: d.ID, By: d.By, Begun: d.Begun, Camera: d.Name(), Address: redact.Place(d.Camera.URL), Device: d.Device,
		Report: d.Report, Chosen: d.Chosen, Choice: console.NewTable{
			ID: d.Table.ID, Name: d.Table.Name, Game: d.Table.Game, Norm: d.Table.Norm, Min: d.Table.Min, Max: d.Table.Max,
			Decks: d.Table.Decks, Options: d.Table.Options,
		},
	}
	work := d.Work().Cameras[0]
	cal, err := calibration.Load(pipeline.CalibrationFile(n.bench.store.Folder(d.ID), work))
	if err != nil {
		cal = nil
	}
	out.Lacks = append([]string{}, pipeline.Lacks(n.bench.store.Folder(d.ID), work, cal)...)
	if cal != nil {
		out.Size = cal.Size
	}
	if t, ok := n.bench.now()[d.ID]; ok {
		for _, p := range t.board.Present() {
			if p.Detail != "" && cal != nil || p.Code != "camera_unreadable" {
				out.Problem = p.Detail
			}
		}
	}
	return out
}

// ChooseSetup implements console.Setup: the table is filled in, and checked against the
// configuration's and the game's rules.
func (n *Node) ChooseSetup(id string, raw json.RawMessage) (console.Draft, error) {
	d, err := n.bench.store.Get(id)
	if err != nil {
		return console.Draft{}, err
	}
	var c console.NewTable
	if err := strict(raw, &c); err != nil {
		return console.Draft{}, err
	}
	was := d.Table
	d.Table = config.Table{ID: c.ID, Name: c.Name, Game: c.Game, Norm: c.Norm,
		Min: c.Min, Max: c.Max, Decks: c.Decks, Options: c.Options}
	d.Table.Name = cmp.Or(d.Table.Name, c.ID)
	if err := n.admit(d); err != nil {
		return console.Draft{}, &console.Refusal{Problem: err}
	}
	d.Chosen = true
	n.bench.stop(id)
	if was.Game != d.Table.Game || was.Norm != d.Table.Norm { // the zones are of another layout
		err := os.Remove(pipeline.CalibrationFile(n.bench.store.Folder(id), d.Work().Cameras[0]))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return console.Draft{}, err
		}
	}
	if err := n.bench.store.Save(d); err != nil {
		return console.Draft{}, err
	}
	return n.Setup(id)
}

// admit returns what is wrong with a draft's table beside those in force.
func (n *Node) admit(d draft.Draft) error {
	t := d.Final()
	if t.Min <= 0 || t.Max < t.Min {
		return errStakes
	}
	if err := n.inForce().Admits(t); err != nil {
		return err
	}
	for _, other := range n.bench.store.List() {
		if other.ID != d.ID && other.Table.ID == t.ID {
			return fmt.Errorf("id: %q is a table's that is being set up already", t.ID)
		}
	}
	return pipeline.Check(t, n.books)
}

// refused marks an error as one of a request for too much, where that is it.
func refused(err error) error {
	if errors.Is(err, draft.ErrTooMany) {
		return &console.Refusal{Problem: err}
	}
	return err
}
