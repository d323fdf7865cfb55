package main

import (
	"os"
	"os/signal"
	"syscall"

	"vision/internal/command"
	"vision/internal/config"
	"vision/internal/node"
)

// RunCmd watches the tables of a configuration.
type RunCmd struct {
	Config string `short:"c" default:"vision.yaml" type:"path" help:"Configuration; docs/vision.example.yaml explains it. Where there is none yet the console begins with setting up the first table."`
	Debug  bool   `help:"Say more in the log."`
}

// Run works until SIGINT or SIGTERM; at SIGHUP the configuration is read again.
func (c *RunCmd) Run() error {
	ctx, stop := command.Interruptible()
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
	return node.Keep(ctx, read, again, node.Options{Log: command.Logger(c.Debug), Reread: reread},
		func(n *node.Node) { command.Welcome(os.Stdout, n) })
}
