package console

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"time"

	"vision/internal/text"
)

// Setup is what the console needs to set up tables, step by step. What a camera, a game
// or a configuration is, it does not know. Errors that are a *Refusal find fault with
// what was asked; fs.ErrNotExist means that there is no such draft.
type Setup interface {
	// SetupRoom is what there is to begin with.
	SetupRoom() SetupRoom
	// PlanCamera says how well a camera would see a table, before there is one.
	PlanCamera(question json.RawMessage) (CameraPlan, error)
	// BeginSetup tries a camera and begins a draft with it.
	BeginSetup(ctx context.Context, by string, address json.RawMessage) (Draft, error)
	// Setup is a draft as it is now; its camera runs for a while longer.
	Setup(id string) (Draft, error)
	// ChooseSetup fills the draft's table in.
	ChooseSetup(id string, choice json.RawMessage) (Draft, error)
	// GoLive puts the draft's table into the configuration, which is read again, and
	// gives the table's id.
	GoLive(ctx context.Context, by, id string) (table string, err error)
	// DropSetup forgets a draft.
	DropSetup(ctx context.Context, by, id string) error
}

// SetupRoom is all that setting up a table begins with.
type SetupRoom struct {
	File    string      `json:"file"`    // of the configuration
	Problem string      `json:"problem"` // why no table could be added from here; "" where one can
	Norm    string      `json:"norm"`    // of the configuration
	Norms   []NormGames `json:"norms"`
	Devices []string    `json:"devices"` // USB cameras of the machine
	Files   []string    `json:"files"`   // recordings beside the configuration
	Drafts  []Draft     `json:"drafts"`  // oldest first
}

// CameraPlan is how well cameras see a table from one place or several.
type CameraPlan struct {
	Places  any    `json:"places"`  // as `vision camera plan --json` prints them
	Drawing string `json:"drawing"` // SVG, of one place
}

// NormGames is a norm with those of its games that have a layout.
type NormGames struct {
	Code string `json:"code"`
	text.Localized
	Games []GameName `json:"games"`
}

// GameName is a game as its norm calls it, and the packs that the norm allows for it.
type GameName struct {
	Code string `json:"code"`
	text.Localized
	Packs []string `json:"packs"` // as calibrations name them, the usual one first
}

// Draft is a table that is being set up.
type Draft struct {
	ID      string    `json:"id"`
	By      string    `json:"by"`
	Begun   time.Time `json:"begun"`
	Camera  string    `json:"camera"`         // its name while it is a draft's
	Address string    `json:"address"`        // without user and password
	Device  string    `json:"device"`         // what the camera calls itself, "" where it was not asked
	Report  any       `json:"report"`         // what it sent, as `vision camera probe --json` has it
	Size    [2]int    `json:"size,omitempty"` // of the pictures that it was calibrated on
	Chosen  bool      `json:"chosen"`         // the table is filled in
	Choice  NewTable  `json:"choice"`
	Lacks   []string  `json:"lacks"`   // calibration, empty, chips, lens, detail
	Problem string    `json:"problem"` // what is wrong with its camera now
}

// NewTable is what a person fills in of a table; money in cents.
type NewTable struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Game    string         `json:"game"`
	Norm    string         `json:"norm"`
	Min     int64          `json:"min"`
	Max     int64          `json:"max"`
	Decks   int            `json:"decks"`
	Options map[string]any `json:"options,omitempty"`
}

// draftOf is the draft of a camera's name as a table.
func (s *Server) draftOf(camera string) (Table, bool) {
	if s.cfg.Setup == nil {
		return Table{}, false
	}
	for _, d := range s.cfg.Setup.SetupRoom().Drafts {
		if d.Camera == camera {
			c := d.Choice
			return Table{ID: d.Camera, Name: c.Name, Game: c.Game, Norm: c.Norm, Min: c.Min, Max: c.Max,
				Cameras: []Camera{{Name: d.Camera, Size: d.Size, Lacks: d.Lacks}}}, true
		}
	}
	return Table{}, false
}

// told is what is answered about a draft.
func told(v any, err error) (any, error) {
	if errors.Is(err, fs.ErrNotExist) {
		err = refusal(http.StatusNotFound, "this table is not being set up any more")
	}
	return v, err
}

func (s *Server) setupRoom(*http.Request, *Account) (any, error) { return s.cfg.Setup.SetupRoom(), nil }

func (s *Server) planCamera(_ *http.Request, _ *Account, question json.RawMessage) (any, error) {
	return told(s.cfg.Setup.PlanCamera(question))
}

// beginSetup has a camera tried: its address comes from a person, so who asked what is in
// the ledger first.
func (s *Server) beginSetup(r *http.Request, a *Account, address json.RawMessage) (any, error) {
	return told(s.cfg.Setup.BeginSetup(r.Context(), a.User, address))
}

func (s *Server) setup(r *http.Request, _ *Account) (any, error) {
	return told(s.cfg.Setup.Setup(r.PathValue("id")))
}

// maxChoice bounds what is filled in.
const maxChoice = 16 << 10

func (s *Server) chooseSetup(r *http.Request, _ *Account, choice json.RawMessage) (any, error) {
	return told(s.cfg.Setup.ChooseSetup(r.PathValue("id"), choice))
}

func (s *Server) goLive(r *http.Request, a *Account) (any, error) {
	table, err := s.cfg.Setup.GoLive(r.Context(), a.User, r.PathValue("id"))
	return told(map[string]string{"table": table}, err)
}

func (s *Server) dropSetup(r *http.Request, a *Account) (any, error) {
	return told(map[string]bool{"dropped": true}, s.cfg.Setup.DropSetup(r.Context(), a.User, r.PathValue("id")))
}
