package measure

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"vision/calibration"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/lab/eval"
	"vision/internal/lab/sim/script"
	"vision/internal/lab/trial"
	"vision/internal/pipeline"
	"vision/validate"
	"vision/validate/round"
	"vision/validate/track"
)

// wholeRound plays a clip with a whole round as vision replay does and compares what is
// told of it.
func wholeRound(ctx context.Context, dir string, c *eval.Clip) (eval.RoundClip, error) {
	rec, want, err := expected(dir, c)
	if err != nil {
		return eval.RoundClip{}, fmt.Errorf("round: %w", err)
	}
	table, err := tableOf(dir, c, rec)
	if err != nil {
		return eval.RoundClip{}, fmt.Errorf("config: %w", err)
	}
	calls, began, err := callsOf(dir, c, rec)
	if err != nil {
		return eval.RoundClip{}, err
	}
	books, err := validate.Books()
	if err != nil {
		return eval.RoundClip{}, err
	}
	var said []track.Out
	replay := pipeline.Replay{Config: &config.Config{Norm: table.Norm, Tables: []config.Table{*table}}, Table: table.ID,
		File: filepath.Join(dir, c.Clip), Start: began, Calls: calls,
		Out: func(o track.Out) error {
			said = append(said, o)
			return nil
		}}
	if err := replay.Run(ctx); err != nil {
		return eval.RoundClip{}, err
	}
	one, n, err := trial.Film(books, *rec, want, said)
	if err != nil {
		return eval.RoundClip{}, fmt.Errorf("round: %w", err)
	}
	return eval.RoundClip{
		Clip:          c.Clip,
		Told:          one.Told,
		Exact:         one.Exact,
		Dark:          one.Dark,
		FindingCounts: n,
		Played:        one.Played,
		Record:        one.Record,
	}, nil
}

// text is a thing given in a line of truth: itself, or, as a string, the name of a file
// below the set's folder.
func text(dir string, raw json.RawMessage) ([]byte, error) {
	var name string
	if json.Unmarshal(raw, &name) != nil {
		return raw, nil
	}
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%q: want a file below the set's folder, or the thing itself", name)
	}
	return os.ReadFile(filepath.Join(dir, name))
}

// expected is the round's record and what is to be found in it: the record with the
// findings beside it, or as lab sim --truth writes them. Findings nil: not said.
func expected(dir string, c *eval.Clip) (*round.Record, []script.Finding, error) {
	data, err := text(dir, c.Round)
	if err != nil {
		return nil, nil, err
	}
	var both struct {
		Record   json.RawMessage  `json:"record"`
		Findings []script.Finding `json:"findings"`
	}
	if err := json.Unmarshal(data, &both); err != nil {
		return nil, nil, err
	}
	if both.Record == nil {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(data, &fields); err != nil {
			return nil, nil, err
		}
		delete(fields, "findings")
		if both.Record, err = json.Marshal(fields); err != nil {
			return nil, nil, err
		}
	}
	rec, err := round.Parse(both.Record)
	return rec, both.Findings, err
}

// tableOf is the table's configuration; what it leaves out is as in the record.
func tableOf(dir string, c *eval.Clip, rec *round.Record) (*config.Table, error) {
	t, base := &config.Table{}, dir
	if len(c.Config) > 0 && string(c.Config) != "null" {
		data, err := text(dir, c.Config)
		if err != nil {
			return nil, err
		}
		if t, err = parseTable(data); err != nil {
			return nil, err
		}
		var name string
		if json.Unmarshal(c.Config, &name) == nil {
			base = filepath.Join(dir, filepath.Dir(name))
		}
	}
	t.ID = cmp.Or(t.ID, rec.Table.ID, "clip")
	t.Game, t.Norm = cmp.Or(t.Game, rec.Game), cmp.Or(t.Norm, rec.Norm)
	t.Min, t.Max = cmp.Or(t.Min, int64(rec.Table.Min)), cmp.Or(t.Max, int64(rec.Table.Max))
	t.Decks = cmp.Or(t.Decks, rec.Table.Decks)
	if t.Options == nil {
		options, err := json.Marshal(rec.Table.Options)
		if err == nil {
			err = json.Unmarshal(options, &t.Options)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, camerasOf(dir, base, c, t)
}

// parseTable reads one table's part of a configuration: the table itself, or a
// configuration with that one table. Only what a table says of itself is looked at, and
// nothing of it is checked: what uses it does.
func parseTable(b []byte) (*config.Table, error) {
	var whole struct {
		Norm   string         `yaml:"norm"`
		Tables []config.Table `yaml:"tables"`
	}
	if err := yaml.Unmarshal(b, &whole); err != nil {
		return nil, errors.New(strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	switch len(whole.Tables) {
	case 1:
		t := whole.Tables[0]
		t.Norm = cmp.Or(t.Norm, whole.Norm)
		return &t, nil
	case 0:
		t := &config.Table{}
		if err := yaml.UnmarshalWithOptions(b, t, yaml.Strict()); err != nil {
			return nil, errors.New(strings.TrimSpace(yaml.FormatError(err, false, false)))
		}
		return t, nil
	}
	return nil, fmt.Errorf("%d tables: want the part of one", len(whole.Tables))
}

// near is a file that a configuration names, relative to it or else to the set.
func near(base, dir, name string) string {
	if file := filepath.Join(base, name); exists(file) {
		return file
	}
	return filepath.Join(dir, name)
}

// camerasOf leaves the table the one camera whose clip it is: with the clip's
// calibration and picture of the empty table, else with those of the configuration.
func camerasOf(dir, base string, c *eval.Clip, t *config.Table) error {
	file, empty := "", ""
	switch {
	case c.Calibration != "":
		file = filepath.Join(dir, c.Calibration)
	default:
		for _, cam := range t.Cameras {
			if cam.Calibration == "" {
				continue
			}
			file = near(base, dir, cam.Calibration)
			if cam.Empty != "" {
				empty = near(base, dir, cam.Empty)
			}
			break
		}
	}
	if c.Empty != "" {
		empty = filepath.Join(dir, c.Empty)
	}
	if file == "" {
		return errors.New("no calibration: a round is read by a calibrated camera; name its file in calibration")
	}
	if _, err := calibration.Load(file); err != nil {
		return err
	}
	fps := 0.0
	if len(t.Cameras) > 0 {
		fps = t.Cameras[0].FPS
	}
	t.Cameras = []config.Camera{{Name: "clip", Calibration: file, Empty: empty, FPS: fps}}
	return nil
}

// callsOf is what was said and sensed, and when the clip begins: that follows from a
// call which the record knows too, its round beginning with the clip.
func callsOf(dir string, c *eval.Clip, rec *round.Record) ([]fact.Sensed, time.Time, error) {
	if len(c.Calls) == 0 || string(c.Calls) == "null" {
		return nil, start, nil
	}
	data, err := text(dir, c.Calls)
	if err != nil {
		return nil, start, fmt.Errorf("calls: %w", err)
	}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil { // lines in a list
		data = nil
		for _, one := range list {
			data = append(append(data, one...), '\n')
		}
	}
	calls, err := pipeline.ReadCalls(bytes.NewReader(data))
	if err != nil {
		return nil, start, err
	}
	for i := range calls { // whatever the table is called where they were made
		calls[i].Table = ""
	}
	switch {
	case !c.Start.IsZero():
		return calls, c.Start, nil
	case len(calls) == 0:
		return nil, start, nil
	}
	for _, call := range calls {
		for _, e := range rec.Events {
			if call.Kind == string(e.Type) && (e.Type != round.Announce || call.Args["call"] == string(e.Call)) {
				return calls, call.Time.Add(-time.Duration(e.T * float64(time.Second))), nil
			}
		}
	}
	return nil, start, errors.New("calls: none of them is in the record, so that nothing says when the clip begins: give its time in start, like 2026-11-21T20:00:00Z")
}
