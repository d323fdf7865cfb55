package node

import (
	"context"
	"errors"

	"vision/internal/decoder"
	"vision/internal/health"
)

// findDecoder has the processes that decode video use what the configuration sets, as far
// as it works here; else the processor. A device that was asked for by its name and does
// not work is a problem, one that the machine merely has is not.
func (n *Node) findDecoder() error {
	want, err := decoder.Parse(n.cfg.Decoder)
	if err != nil {
		return err
	}
	found := decoder.Find(context.Background(), want, n.opts.ReaderEnv)
	n.decoder = found.Choice
	if found.Err != nil {
		n.log.Warn("hardware decoding not used", "why", found.Err)
	} else if found.InHardware() {
		n.log.Info("hardware decoding in use", "decoder", found.Choice.String(), "not", found.Cannot)
	}
	if found.Err != nil && (want.Kind != decoder.Auto || errors.Is(found.Err, context.DeadlineExceeded)) {
		n.board.Set(health.DecoderSoftware, "", want.String(), found.Err.Error())
	}
	return nil
}
