package sim

import (
	"fmt"
	"math/rand/v2"

	"vision/capture/rtsp"
	"vision/internal/av"
	"vision/internal/lab/sim/condition"
)

// NewEncoder opens the encoder in the table's camera, which is set up as its conditions
// say: for so many bit/s, with a key picture every so many seconds. What they leave
// open is as in lab. Close it.
func (t *Table) NewEncoder(lab av.EncoderOptions) (*av.Encoder, error) {
	fps := max(1, int(t.cfg.FPS+0.5))
	enc, err := av.NewEncoder(t.cfg.Size[0], t.cfg.Size[1], fps, settings(t.cfg, fps, lab))
	if err != nil {
		return nil, fmt.Errorf("simulated camera %s: %w", t.cfg.Table, err)
	}
	return enc, nil
}

// settings are those of a camera's encoder. The bitrate is meant for pictures of
// 1920×1080 and falls with their area.
func settings(cfg Config, fps int, lab av.EncoderOptions) av.EncoderOptions {
	on, o := cfg.Condition.Codec, lab
	rng := rand.New(rand.NewPCG(cfg.Seed, 0xc0dec))
	rate, gop := rng.Float64(), rng.Float64()
	if on.Bitrate.Set() {
		area := float64(cfg.Size[0]*cfg.Size[1]) / (1920 * 1080)
		o = av.EncoderOptions{
			GOP:     lab.GOP,
			Threads: lab.Threads,
			Bitrate: max(leastBitrate, int(on.Bitrate.At(rate)*area*1e6)),
		}
	}
	if cfg.Calm { // what is alike costs next to nothing; Serve asks for the key pictures
		return av.EncoderOptions{QP: calmQP, GOP: 100 * fps, Threads: lab.Threads}
	}
	if on.GOP.Set() {
		o.GOP = max(1, int(on.GOP.At(gop)*float64(fps)+0.5))
	}
	return o
}

// calmQP is the quantiser of a calm camera: some 2 Mbit/s at 1920×1080 while hands move.
const calmQP = 27

// leastBitrate is what the smallest picture is sent with, bit/s.
const leastBitrate = 100_000

// Losses is the network between the table's camera and the node; nil loses nothing.
func (t *Table) Losses() rtsp.Loser { return losses(t.cfg.Condition.Codec, t.cfg.Seed) }

func losses(on condition.Codec, seed uint64) rtsp.Loser {
	if on.Loss <= 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x1057))
	return func(packets int) int {
		if lost, which := rng.Float64() < on.Loss, rng.IntN(max(packets, 1)); lost {
			return which
		}
		return -1
	}
}
