// Package transcode makes of a camera's stream one that every browser plays: H.264
// without B-frames. Decoding and encoding call C, so they run in a process of their own
// (capture/transcode/worker); here is the server's side.
package transcode

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/capture"
	"vision/internal/child"
	"vision/internal/decoder"
)

// Subcommand of the program under which such a process runs.
const Subcommand = "transcode-process"

// KindUnit is an access unit, either way.
const KindUnit = child.User

// Config of one stream.
type Config struct {
	Name string               // for errors
	Open func() capture.Units // called once per life of the process
	Env  []string             // of the process; tests use it
	// Decoder is what decodes, as decoder.Find found it; "" is the processor, which also
	// does after a process that was lost.
	Decoder decoder.Choice
	Log     *slog.Logger
}

// hang is how long one picture may take.
const hang = 10 * time.Second

// Run gives sink the units that the process makes until ctx ends, or the camera does. A
// process that is too slow loses units up to the next key picture: the subscription is
// what drops them.
func Run(ctx context.Context, cfg Config, sink capture.Sink) error {
	by := cfg.Decoder
	spec := child.Spec{Name: "transcoder of " + cfg.Name, Args: []string{Subcommand}, Env: cfg.Env, Hang: hang, Log: cfg.Log,
		More: func() []string {
			if !by.InHardware() {
				return nil
			}
			return []string{"--decoder", by.String()}
		},
		Lost: func(err error) {
			by = decoder.Choice{Kind: decoder.Software}
			sink.State(capture.State{Since: time.Now(), Err: fmt.Errorf("transcoding %s: %w", cfg.Name, err)})
		}}
	return child.Run(ctx, spec, func(ctx context.Context, conn *child.Conn) error {
		units := cfg.Open()
		defer units.Close()
		g, ctx := errgroup.WithContext(ctx)
		g.Go(func() error { return send(ctx, units, conn) })
		g.Go(func() error { return listen(conn, sink) })
		return g.Wait()
	})
}

func send(ctx context.Context, units capture.Units, conn *child.Conn) error {
	var b []byte
	for {
		u, err := units.Next(ctx)
		if err != nil {
			return err
		}
		b = capture.AppendUnit(b[:0], u)
		if err := conn.Write(KindUnit, b); err != nil {
			return err
		}
	}
}

func listen(conn *child.Conn, sink capture.Sink) error {
	for {
		k, p, err := conn.Read()
		if err != nil {
			return err
		}
		if k != KindUnit {
			return fmt.Errorf("the transcoder sent a frame of unknown kind %d", k)
		}
		u, err := capture.ParseUnit(p)
		if err != nil {
			return err
		}
		sink.Unit(u)
	}
}
