package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"vision/internal/build"
	"vision/internal/command"
	"vision/internal/durable"
	"vision/internal/lab/trial"
)

// BenchE2eCmd measures records and alerts against the truth of simulated tables.
type BenchE2eCmd struct {
	played
	Games   []string `help:"Games to play." default:"blackjack,punto_banco,dados_craps,ruleta_francesa"`
	Rounds  int      `help:"Rounds of each game." default:"10"`
	Bump    float64  `help:"Push the camera aside after so many seconds, for good." placeholder:"SECONDS"`
	Starve  float64  `help:"Share of pictures that keep the reader busy for up to 0.9 s, 0 to 1."`
	NoEmpty bool     `help:"Nobody took a picture of the empty table before the play; under ideal conditions nobody ever does."`
	NoRack  bool     `help:"Leave the bank's rack out of the calibration, or with --again what was read of it."`
	Plain   bool     `help:"Leave H.264 out."`
	JSON    bool     `name:"json" help:"Print scores and every round as JSON."`
	Trace   bool     `help:"Print everything that is seen, heard and concluded to standard error."`
	Keep    string   `help:"Folder that what is seen, heard, played and found is kept in, for each game and seed; a game that lies there is not played again." placeholder:"DIR"`
	Again   bool     `help:"Instead of playing, tell what was kept in FILE… to the tracker again."`
	Sum     bool     `help:"Instead of playing, sum up what --json printed into FILE…, or --keep kept there."`
	Files   []string `arg:"" optional:"" name:"FILE" help:"For --again and --sum."`
}

// Run plays one game after the other, or takes one kept file after the other.
func (c *BenchE2eCmd) Run() error {
	ctx, stop := interruptible()
	defer stop()
	if (c.Again || c.Sum) != (len(c.Files) > 0) {
		return errors.New("files are for --again and --sum, which want one at least")
	}
	if c.Sum {
		results, err := trialsOf(c.Files)
		if err != nil {
			return err
		}
		return c.report(results)
	}
	list, one := c.Games, func(game string) (*trial.Result, error) { return c.play(ctx, game) }
	if c.Again {
		list, one = c.Files, c.again
	}
	var results []*trial.Result
	bar := command.Progress("games", int64(len(list)), c.JSON || c.Trace || command.ReadAlong())
	defer bar.Finish()
	for _, name := range list {
		r, err := one(name)
		if err != nil {
			return err
		}
		results = append(results, r)
		_ = bar.Add(1)
		if !c.JSON {
			show(r)
		}
	}
	return c.report(results)
}

// measured is what --json prints of one run.
type measured struct {
	Scores []*trial.Score  `json:"scores"`
	Trials []*trial.Result `json:"trials"`
}

// report prints the scores of trials.
func (c *BenchE2eCmd) report(results []*trial.Result) error {
	scores := trial.Sum(results)
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(measured{scores, results})
	}
	return trial.Print(os.Stdout, scores)
}

// trialsOf reads the trials of files that hold what one or several runs printed.
func trialsOf(files []string) (results []*trial.Result, err error) {
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(bufio.NewReader(f))
		for {
			var m measured
			if err = dec.Decode(&m); err != nil {
				break
			}
			results = append(results, m.Trials...)
		}
		f.Close()
		if !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return results, nil
}

// play plays one game. Where what it gives is kept, a game that was played to its end
// is not played again.
func (c *BenchE2eCmd) play(ctx context.Context, game string) (*trial.Result, error) {
	cfg, err := c.config(game)
	if err != nil {
		return nil, err
	}
	if c.Keep == "" {
		return trial.Run(ctx, cfg)
	}
	if err := os.MkdirAll(c.Keep, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(c.Keep, fmt.Sprintf("%s-%d", game, c.Seed))
	if c.NoRack {
		name += "-no-rack"
	}
	if c.Cameras > 1 {
		name += fmt.Sprintf("-%d-cameras", c.Cameras)
	}
	if c.Size != hd {
		name += "-" + c.Size
	}
	if r, err := c.kept(name+".json", cfg); r != nil || err != nil {
		return r, err
	}
	f, err := os.Create(name + ".jsonl")
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(f)
	cfg.Keep = w
	r, err := trial.Run(ctx, cfg)
	if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
		return nil, err
	}
	r.Commit = build.Read().Commit()
	raw, err := json.Marshal(measured{Trials: []*trial.Result{r}})
	if err != nil {
		return nil, err
	}
	return r, durable.Write(name+".json", raw, 0o644)
}

// kept is what a game gave that was played to its end before; nil for none.
func (c *BenchE2eCmd) kept(name string, cfg trial.Config) (*trial.Result, error) {
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	all, err := trialsOf([]string{name})
	if err != nil {
		return nil, err
	}
	if len(all) != 1 || len(all[0].Rounds) != cfg.Rounds || all[0].Conditions != cfg.Condition.Name ||
		all[0].Seed != cfg.Seed {
		return nil, fmt.Errorf("%s holds another trial than the one of %d rounds under %s conditions, played by seed %d: "+
			"want another folder for --keep", name, cfg.Rounds, cfg.Condition.Name, cfg.Seed)
	}
	return all[0], nil
}

func (c *BenchE2eCmd) again(file string) (*trial.Result, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := trial.Again(bufio.NewReader(f), c.NoRack, c.trace())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// trace is where everything is printed, nil for nowhere.
func (c *BenchE2eCmd) trace() io.Writer {
	if c.Trace {
		return os.Stderr
	}
	return nil
}

func (c *BenchE2eCmd) config(game string) (trial.Config, error) {
	on, err := c.condition()
	if err != nil {
		return trial.Config{}, err
	}
	size, err := c.size()
	return trial.Config{
		Cameras:   c.Cameras,
		Size:      size,
		Game:      game,
		Seed:      trial.SeedOf(uint64(c.Seed), game),
		Rounds:    c.Rounds,
		Faults:    c.Faults,
		Only:      c.faults(),
		Mixed:     c.Mixed,
		Plaques:   c.Plaques,
		Condition: on,
		Mishap:    c.mishaps(),
		FPS:       c.FPS,
		Speed:     c.Speed,
		Starve:    c.Starve,
		Bump:      c.Bump,
		NoEmpty:   c.NoEmpty,
		NoRack:    c.NoRack,
		Plain:     c.Plain,
		Trace:     c.trace(),
	}, err
}

// show prints where a trial went wrong.
func show(r *trial.Result) {
	for i, one := range r.Rounds {
		if one.Exact && len(one.Got) == len(one.Want) {
			continue
		}
		fmt.Printf("%s round %d: told %d times, exact %v, fault %q, dark %q\n", r.Game, i+1, one.Told, one.Exact, one.Fault, one.Dark)
		for k := range max(len(one.Played), len(one.Record)) {
			a, b := line(one.Played, k), line(one.Record, k)
			mark := " "
			if a != b {
				mark = "≠"
			}
			fmt.Printf("  %s %-90s %s\n", mark, a, b)
		}
		for _, f := range one.Want {
			fmt.Println("  planted", f)
		}
		for _, f := range one.Got {
			fmt.Println("  raised ", f)
		}
		for _, f := range one.Notes {
			fmt.Println("  noted  ", f)
		}
	}
	for _, line := range slices.Concat(r.Stray, r.Disputed) {
		fmt.Println(line)
	}
}

func line(lines []string, k int) string {
	if k < len(lines) {
		return lines[k]
	}
	return ""
}
