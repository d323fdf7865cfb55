// Command vision watches casino tables: see README.md.
package main

import (
	"os"
	"slices"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"

	"vision/calibration/layout"
	"vision/internal/command"
	"vision/validate"
)

// cli lists the subcommands; each is in a file of its own.
var cli struct {
	Run       RunCmd       `cmd:"" help:"Watch the tables of a configuration."`
	Doctor    DoctorCmd    `cmd:"" help:"Look whether this machine is as a configuration needs it, and say what to mend."`
	Replay    ReplayCmd    `cmd:"" help:"Read and judge a recording; print round records and verdicts as JSON Lines."`
	Check     CheckCmd     `cmd:"" help:"Judge records of rounds, of supervision and of sessions by the norm in force."`
	Rules     RulesCmd     `cmd:"" help:"List, show and check the rulebooks."`
	Password  PasswordCmd  `cmd:"" help:"Make the argon2id form of a password for vision.yaml."`
	Detect    DetectCmd    `cmd:"" help:"Print what is read in pictures as JSON Lines."`
	Export    ExportCmd    `cmd:"" help:"Write a case of several tables as a signed zip, as the console does."`
	Verify    VerifyCmd    `cmd:"" help:"Check the ledger and the recordings for anything changed, removed or reordered."`
	Backup    BackupCmd    `cmd:"" help:"Copy a node's evidence to another place, while it runs, and check the copy."`
	Restore   RestoreCmd   `cmd:"" help:"Make a lost machine's data folder anew from its replica, and check it."`
	Witness   WitnessCmd   `cmd:"" help:"Cosign checkpoints of other nodes' ledgers, so that none can rewrite its past unnoticed."`
	Cameras   CamerasCmd   `cmd:"" name:"camera" help:"Find cameras in the network, say what one sends, add one to the configuration."`
	Calibrate CalibrateCmd `cmd:"" help:"Measure a camera's lens; make a calibration file from a picture and the corners of the layout."`

	ShowVersion VersionCmd  `cmd:"" name:"version" help:"Say of what this program was built, and with which libraries it runs."`
	Version     versionFlag `help:"As the command version."`

	Completion kongcompletion.Completion `cmd:"" help:"Say how the shell (bash, zsh, fish) completes what is typed."`

	command.Workers
}

func newParser(more ...kong.Option) (*kong.Kong, error) {
	return kong.New(&cli, append(more,
		kong.Name("vision"),
		kong.Description("Watches casino tables: reads cards, dice and chips, checks each round against the norm, keeps the evidence."),
		kong.UsageOnError())...)
}

// predictors know what flags may be followed by, where that is no file. They look
// only when a shell asks.
func predictors() []kongcompletion.Option {
	norms := complete.PredictFunc(func(complete.Args) []string {
		books, err := validate.Books()
		if err != nil {
			return nil // completion is a comfort; the command says what is wrong
		}
		return books.Codes()
	})
	return []kongcompletion.Option{
		kongcompletion.WithPredictor("norm", norms),
		kongcompletion.WithPredictor("game", complete.PredictSet(layout.Games...)),
	}
}

func main() {
	p, err := newParser()
	if err != nil {
		panic(err) // the commands themselves are wrong: a test finds it
	}
	if len(os.Args) > 1 && slices.Contains(laboratory, os.Args[1]) {
		p.FatalIfErrorf(toLab(os.Args[1:]))
	}
	os.Exit(command.Run(p, predictors()...))
}
