package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"vision/internal/config"
	"vision/internal/node"
	"vision/internal/redact"
)

// RunCmd watches the tables of a configuration.
type RunCmd struct {
	Config string `short:"c" default:"vision.yaml" type:"path" help:"Configuration; docs/vision.example.yaml explains it. Where there is none yet the console begins with setting up the first table."`
	Debug  bool   `help:"Say more in the log."`
}

// Run works until SIGINT or SIGTERM; at SIGHUP the configuration is read again.
func (c *RunCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	defer signal.Stop(again)
	load := config.Begin // later the file must be there: one that is lost stops no table
	read := func() (*config.Config, error) {
		defer func() { load = config.Load }()
		return load(c.Config)
	}
	reread := func() {
		select {
		case again <- syscall.SIGHUP:
		default: // it is to be read again already
		}
	}
	return node.Keep(ctx, read, again, node.Options{Log: logger(c.Debug), Reread: reread}, welcome)
}

// logger writes to standard error.
func logger(debug bool) *slog.Logger {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: redact.Attr}))
}

// welcome says where the console is, and the first password where there is one.
func welcome(n *node.Node) {
	fmt.Printf("console: %s\n", n.URL())
	if n.Bare() {
		fmt.Println("no tables yet: log in, and set the first one up")
	}
	if p := n.FirstPassword(); p != "" {
		fmt.Printf("first account: admin, password %s (shown this once; `vision password` makes another)\n", p)
	}
}
