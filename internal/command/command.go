// Package command has what the programs of the product and of the laboratory share: how a
// command line is run, what it says, and the processes that a program starts of itself.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"vision/internal/node"
	"vision/internal/redact"
)

// Status is an error that only sets the exit status: what there was to say has been said.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Run runs the command that the arguments of the process name, and returns the exit status.
// A shell that asks how a word is completed is answered, by predictors where it is no file.
// A wrong command line ends the process.
func Run(p *kong.Kong, predictors ...kongcompletion.Option) int {
	kongcompletion.Register(p, predictors...)
	ctx, err := p.Parse(os.Args[1:])
	p.FatalIfErrorf(err)
	err = ctx.Run()
	var status Status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	fmt.Fprintf(p.Stderr, "%s: %v\n", p.Model.Name, redact.Error(err))
	return 1
}

// Logger writes to standard error.
func Logger(debug bool) *slog.Logger {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: redact.Attr}))
}

// Interruptible is a context that ends at SIGINT or SIGTERM; stop lets these signals be again.
func Interruptible() (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// Welcome writes where the console is, and the first password where there is one.
func Welcome(w io.Writer, n *node.Node) {
	fmt.Fprintf(w, "console: %s\n", n.URL())
	if n.Bare() {
		fmt.Fprintln(w, "no tables yet: log in, and set the first one up")
	}
	if p := n.FirstPassword(); p != "" {
		fmt.Fprintf(w, "first account: admin, password %s (shown this once; `vision password` makes another)\n", p)
	}
}

// Beside finds another of this project's programs: in the folder of the one that runs, else on
// PATH. The error says how it is built.
func Beside(name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(self)
	if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
		return path, nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the program %s is neither in %s nor on PATH: build it in a checkout with "+
			"`go build -o %s ./cmd/%s`, or `make build`", name, folder, filepath.Join(folder, name), name)
	}
	return path, nil
}
