package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"vision/internal/command"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/pipeline"
	"vision/internal/text"
	"vision/validate/explain"
	"vision/validate/track"
	"vision/validate/track/infer"
)

// ReplayCmd reads a recording as a table's camera and judges what it shows.
type ReplayCmd struct {
	File    string    `arg:"" type:"path" help:"Video file or folder of images."`
	Table   string    `required:"" help:"Table of the configuration that it shows."`
	Camera  string    `help:"Camera of the table that took it; default its first with a calibration."`
	Empty   string    `type:"existingfile" placeholder:"FILE" help:"That camera's picture of the table with nothing on it; default what the configuration names."`
	Config  string    `short:"c" default:"vision.yaml" type:"existingfile" help:"Configuration."`
	Calls   string    `type:"existingfile" placeholder:"FILE.jsonl" help:"What was said and sensed meanwhile: one event per line, or the truth of lab sim."`
	Start   time.Time `help:"When the recording begins, like 2026-11-21T20:00:00Z; calls are heard at their times. Needed with --calls; default now."`
	All     bool      `help:"Print alerts, variances and notes too, each as {\"alert\":…} and the like."`
	Explain bool      `help:"Print after each round what speaks for and against each of its findings, likeliest first, as {\"explain\":…}."`
	Debug   bool      `help:"Say more in the log."`
}

// Run prints a line for the record and one for the verdict of every round.
func (c *ReplayCmd) Run() error {
	cfg, err := config.Load(c.Config)
	if err != nil {
		return err
	}
	calls, err := c.calls()
	if err != nil {
		return err
	}
	if c.Start.IsZero() && len(calls) > 0 {
		return errors.New("replay: calls are heard at their times; say with --start when the recording begins")
	}
	ctx, stop := command.Interruptible()
	defer stop()
	bar := command.Progress("pictures", -1, command.ReadAlong())
	defer bar.Finish()
	r := pipeline.Replay{
		Progress: func() { _ = bar.Add(1) },
		Config:   cfg,
		Table:    c.Table,
		Camera:   c.Camera,
		Empty:    c.Empty,
		File:     c.File,
		Start:    c.Start,
		Calls:    calls,
		Out:      printer{json.NewEncoder(os.Stdout), c.All, c.Explain}.print,
		Log:      command.Logger(c.Debug),
	}
	return r.Run(ctx)
}

func (c *ReplayCmd) calls() ([]fact.Sensed, error) {
	if c.Calls == "" {
		return nil, nil
	}
	f, err := os.Open(c.Calls)
	if err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	defer f.Close()
	return pipeline.ReadCalls(f)
}

// printer writes what a tracker says as JSON Lines.
type printer struct {
	to      *json.Encoder
	all     bool
	explain bool
}

func (p printer) print(o track.Out) error {
	switch o := o.(type) {
	case *track.Round:
		if err := p.to.Encode(o.Record); err != nil {
			return err
		}
		if err := p.to.Encode(o.Verdict); err != nil || !p.explain {
			return err
		}
		for i := range o.Findings {
			if err := p.account(o.Record.ID, &o.Findings[i]); err != nil {
				return err
			}
		}
	case *track.Alert:
		return p.more("alert", o)
	case *track.Variance:
		return p.more("variance", o)
	case *track.Note:
		return p.more("note", o)
	}
	return nil
}

// account writes the hypotheses about a finding, with their texts.
func (p printer) account(id string, j *track.Judged) error {
	type said struct {
		infer.Account
		ES string `json:"es"`
		EN string `json:"en"`
	}
	accounts := make([]said, len(j.Accounts))
	for i := range j.Accounts {
		a := &j.Accounts[i]
		accounts[i] = said{*a, explain.Account(text.ES, a, time.Local), explain.Account(text.EN, a, time.Local)}
	}
	return p.to.Encode(map[string]any{"explain": map[string]any{
		"round": id, "code": j.Code, "seat": j.Seat, "spot": j.Spot,
		"evidence": j.Evidence, "p": j.P, "alert": j.Alert, "accounts": accounts,
	}})
}

func (p printer) more(what string, v any) error {
	if !p.all {
		return nil
	}
	return p.to.Encode(map[string]any{what: v})
}
