package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"vision/stream/checkpoint"
	"vision/stream/timestamp"
	"vision/stream/witness"
)

// openWitnesses opens what makes checkpoints of the ledger and has them cosigned.
func (n *Node) openWitnesses() error {
	cfg := witness.Config{Data: n.cfg.Data, Every: time.Minute, Safe: n.safeEntries, Health: n.board, Log: n.log}
	if w := n.cfg.Witness; w != nil {
		cfg.Every = w.Every
		for _, c := range w.Cosigned {
			client, err := witness.NewClient(c.URL, c.Key, n.trust)
			if err != nil {
				return fmt.Errorf("witness.cosigned: %w", err)
			}
			cfg.Witnesses = append(cfg.Witnesses, client)
		}
	}
	if t := n.cfg.Timestamp; t != nil {
		auth, err := timestamp.Load(t.CA)
		if err != nil {
			return err
		}
		cfg.Stamper, cfg.Stamps = timestamp.New(t.URL, auth, n.trust), t.Every
	}
	if len(cfg.Witnesses) == 0 && cfg.Stamper == nil {
		return nil
	}
	key, err := checkpoint.Key(n.ledger.Public())
	if err != nil {
		return err
	}
	n.log.Info("witnesses cosign this ledger", "key", key)
	if n.checkpoints, err = witness.OpenKeeper(n.ledger, cfg); err == nil {
		n.taken = append(n.taken, n.checkpoints.Close)
	}
	return err
}

// patience is for how long checkpoints wait for a replica that is behind: what a witness
// has cosigned is not to be lost with this machine.
const patience = 10 * time.Minute

// safeEntries is up to which entry a checkpoint may go.
func (n *Node) safeEntries(head uint64) uint64 {
	if n.replica == nil {
		return head
	}
	if s := n.replica.Status(); s.Behind < patience {
		return min(s.Entry, head)
	}
	return head
}

// openCosigning opens where this node cosigns the checkpoints of others.
func (n *Node) openCosigning() error {
	w := n.cfg.Witness
	if w == nil || w.Listen == "" {
		return nil
	}
	key, err := witness.LoadKey(filepath.Join(n.cfg.Data, "witness.key"), w.Name)
	if err != nil {
		return err
	}
	handler, err := witness.New(filepath.Join(n.cfg.Data, "witness"), key, w.Logs, n.log)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", w.Listen)
	if err != nil {
		return fmt.Errorf("witness.listen: %w", err)
	}
	n.log.Info("this node is a witness", "key", key.Public(), "address", ln.Addr().String())
	n.cosigning = &cosigning{ln, WitnessServer(handler)}
	n.took(func() { _ = ln.Close() }) // the server has, if it ran
	n.taken = append(n.taken, n.cosigning.server.Close)
	return nil
}

// cosigning is a witness that listens.
type cosigning struct {
	ln     net.Listener
	server *http.Server
}

// WitnessServer serves a witness: requests are small and quick.
func WitnessServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}
}

// run serves until ctx ends.
func (c *cosigning) run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { _ = c.server.Close() })
	defer stop()
	if err := c.server.Serve(c.ln); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("witness.listen: %w", err)
	}
	return ctx.Err()
}
