// Command lab is the laboratory: simulated tables, the demonstration on them, and what measures
// readers, pipeline and node. It is not part of what is shipped; docs/developer.md explains it.
package main

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"vision/internal/command"
	"vision/internal/lab/sim/condition"
)

// cli lists the subcommands; each is in a file of its own.
var cli struct {
	Demo  DemoCmd  `cmd:"" help:"Show the product on four simulated tables."`
	Sim   SimCmd   `cmd:"" help:"Show simulated tables as cameras, or write them to files with their truth."`
	Eval  EvalCmd  `cmd:"" help:"Measure a reader on photographs with known content."`
	Bench BenchCmd `cmd:"" help:"Measure the node and the pipeline."`

	Completion kongcompletion.Completion `cmd:"" help:"Say how the shell (bash, zsh, fish) completes what is typed."`

	command.Workers
}

func newParser(more ...kong.Option) (*kong.Kong, error) {
	return kong.New(&cli, append(more,
		kong.Name("lab"),
		kong.Description("The laboratory of vision: simulated casino tables, and what measures the product on them."),
		kong.Vars{"parts": strings.Join(condition.Parts(), ", ")},
		kong.UsageOnError())...)
}

// interruptible ends with SIGINT and SIGTERM.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

func main() {
	p, err := newParser()
	if err != nil {
		panic(err) // the commands themselves are wrong: a test finds it
	}
	os.Exit(command.Run(p))
}
