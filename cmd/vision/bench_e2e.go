package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"vision/capture/sim"
	"vision/capture/sim/script"
	"vision/internal/trial"
)

// BenchE2eCmd measures records and alerts against the truth of simulated tables.
type BenchE2eCmd struct {
	Games     []string `help:"Games to play." default:"blackjack,punto_banco,dados_craps,ruleta_francesa"`
	Rounds    int      `help:"Rounds of each game." default:"10"`
	Faults    float64  `help:"Share of rounds with a fault, 0 to 1."`
	Only      []string `help:"Faults to commit, like pay_under,late_bet; without it all that the game knows."`
	Mixed     float64  `help:"Share of bets in money chips that are laid as one stack of several kinds, 0 to 1."`
	Nuisances bool     `help:"Add shadows, drifting light, resting hands, nudged chips and a trembling camera."`
	Seed      uint64   `help:"Everything follows from it." default:"1"`
	FPS       float64  `help:"Pictures a second." default:"12"`
	Speed     float64  `help:"Shorten the pauses of the play by this factor." default:"1"`
	Plain     bool     `help:"Leave H.264 out."`
	JSON      bool     `name:"json" help:"Print scores and every round as JSON."`
	Trace     bool     `help:"Print everything that is seen, heard and concluded to standard error."`
}

// Run plays one game after the other.
func (c *BenchE2eCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var results []*trial.Result
	for _, game := range c.Games {
		r, err := trial.Run(ctx, c.config(game))
		if err != nil {
			return err
		}
		results = append(results, r)
		if !c.JSON {
			show(r)
		}
	}
	scores := trial.Sum(results)
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"scores": scores, "trials": results})
	}
	return trial.Print(os.Stdout, scores)
}

func (c *BenchE2eCmd) config(game string) trial.Config {
	cfg := trial.Config{Game: game, Seed: c.Seed, Rounds: c.Rounds, Faults: c.Faults, Mixed: c.Mixed, FPS: c.FPS, Speed: c.Speed, Plain: c.Plain}
	for _, f := range c.Only {
		cfg.Only = append(cfg.Only, script.Fault(f))
	}
	if c.Nuisances {
		cfg.Nuisances = sim.AllNuisances
	}
	if c.Trace {
		cfg.Trace = os.Stderr
	}
	return cfg
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
	if len(r.Stray) > 0 {
		fmt.Println(strings.Join(r.Stray, "\n"))
	}
}

func line(lines []string, k int) string {
	if k < len(lines) {
		return lines[k]
	}
	return ""
}
