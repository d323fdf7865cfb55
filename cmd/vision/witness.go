package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"

	"vision/internal/command"
	"vision/internal/durable"
	"vision/internal/node"
	"vision/stream/witness"
)

// WitnessCmd cosigns the checkpoints of nodes' ledgers.
type WitnessCmd struct {
	Data   string   `arg:"" type:"path" help:"Folder of the witness: its key, and what it has cosigned."`
	Name   string   `required:"" help:"Name of the witness, without spaces and +; it goes with the key and never changes."`
	Listen string   `default:":8190" help:"Where nodes reach it."`
	Log    []string `sep:"none" placeholder:"NAME+HASH+KEY" help:"Key of a ledger that it cosigns, as vision verify prints it; may be given again."`
}

// Run serves until SIGINT or SIGTERM.
func (c *WitnessCmd) Run() error {
	ctx, stop := command.Interruptible()
	defer stop()
	if err := durable.Folder(c.Data); err != nil {
		return err
	}
	key, err := witness.LoadKey(filepath.Join(c.Data, "witness.key"), c.Name)
	if err != nil {
		return err
	}
	w, err := witness.New(filepath.Join(c.Data, "witness"), key, c.Log, command.Logger(false))
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	fmt.Printf("witness on %s, key %s\n", ln.Addr(), key.Public())
	server := node.WitnessServer(w)
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
