package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"vision/calibration"
	"vision/calibration/density"
	"vision/capture"
	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/pipeline"
)

// least is the rate of pictures below which hands are missed, pictures a second.
const least = 5

// cameras watches all cameras at once, and tells of each in the configuration's order.
func (v *visit) cameras(ctx context.Context) {
	type one struct {
		cfg    config.Camera
		others []config.Camera // of its table
		seen   seen
	}
	var all []*one
	var wait sync.WaitGroup
	for _, t := range v.cfg.Tables {
		for _, c := range t.Cameras {
			o := &one{cfg: c, others: t.Cameras}
			all = append(all, o)
			wait.Go(func() { o.seen = v.watch(ctx, o.cfg) })
		}
	}
	wait.Wait()
	for _, o := range all {
		v.mbps += o.seen.mbps
		v.camera(o.cfg, o.others, o.seen)
	}
}

// camera tells of one of those of a table.
func (v *visit) camera(c config.Camera, of []config.Camera, s seen) {
	const check = "camera"
	if s.units == 0 {
		v.ill(Fail, check, c.Name, health.CameraDown, strings.TrimPrefix(s.err.Error(), "camera "+c.Name+": "), "")
		return
	}
	info, known := s.feed.Video()
	detail := fmt.Sprintf("%s, %d×%d, %.3g pictures a second, %.2g Mbit/s", info.Codec, info.Width, info.Height, s.fps, s.mbps)
	if !known {
		v.ill(Fail, check, c.Name, health.CameraUnreadable, "pictures come, but it does not say of what size", "Choose H.264 or H.265 in the camera.")
		return
	}
	if err := info.Problem; err != nil {
		v.ill(Warn, check, c.Name, health.CameraReorders, detail+"; "+err.Error(), "")
	} else if s.fps < least {
		v.ill(Warn, check, c.Name, "", detail, fmt.Sprintf("Set the camera to %d pictures a second or more.", least))
	} else {
		v.ok(check, c.Name, detail)
	}
	v.calibrated(c, of, [2]int{info.Width, info.Height})
}

// calibrated checks that the camera has a calibration, and that it is of pictures of this
// size.
func (v *visit) calibrated(c config.Camera, of []config.Camera, size [2]int) {
	const check = "calibration"
	cal, err := calibration.Load(pipeline.CalibrationFile(v.cfg.Data, c))
	_, bare := os.Stat(pipeline.EmptyFile(v.cfg.Data, c))
	switch {
	case errors.Is(err, os.ErrNotExist):
		v.ill(Warn, check, c.Name, health.CameraUnreadable, "it has none: it is shown and recorded, not read",
			"Make one at /calibrate/"+c.Name+", or with `vision calibrate`.")
	case err != nil:
		v.ill(Fail, check, c.Name, health.CameraUnreadable, err.Error(), "")
	case cal.Size != size:
		v.ill(Fail, check, c.Name, health.CameraUnreadable,
			fmt.Sprintf("made for %d×%d, the camera sends %d×%d", cal.Size[0], cal.Size[1], size[0], size[1]), "")
	case errors.Is(bare, os.ErrNotExist):
		v.ill(Warn, check, c.Name, "", "no picture of the empty table: print on the felt may be taken for cards",
			"Take one at /calibrate/"+c.Name+", or name a file with empty: at the camera.")
	default:
		v.ok(check, c.Name, several(len(cal.Zones), "zone"))
	}
	if err == nil && cal.Size == size {
		v.dense(c, cal, of)
	}
}

// dense checks that the camera, or another of its table, sees the zones large enough to be read
// well.
func (v *visit) dense(c config.Camera, cal *calibration.Table, of []config.Camera) {
	const check, mend = "density", "Move or zoom the camera closer, use one of higher resolution, or add another: `vision camera plan --calibration` shows each zone."
	var others []*calibration.Table
	for _, o := range of {
		if beside, err := calibration.Load(pipeline.CalibrationFile(v.cfg.Data, o)); err == nil && o.Name != c.Name {
			others = append(others, beside)
		}
	}
	zones, err := density.Beside(cal, others...)
	if err != nil {
		return // said of the calibration
	}
	switch all := density.Sentence(zones, density.Good); {
	case all == "":
		v.ok(check, c.Name, "all zones are seen large enough")
	case density.Sentence(zones, density.Poor) != "":
		v.ill(Warn, check, c.Name, health.CameraCoarse, all, mend)
	default:
		v.ill(Warn, check, c.Name, "", all, mend)
	}
}

// seen is what came of a camera.
type seen struct {
	feed      *capture.Feed
	units     int
	bytes     int
	first     time.Duration // of the stream's own clock
	last      time.Duration
	fps, mbps float64
	err       error // why nothing came
}

// eye is the sink of a camera that is watched. The source calls it from one goroutine.
type eye struct {
	*capture.Feed
	mu    sync.Mutex
	seen  seen
	begun chan struct{} // closed with the first unit
}

// Unit notes a unit.
func (e *eye) Unit(u capture.Unit) {
	e.Feed.Unit(u)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen.units == 0 {
		e.seen.first, e.seen.last = u.PTS, u.PTS
		close(e.begun)
	}
	e.seen.units++
	for _, n := range u.NALs {
		e.seen.bytes += len(n)
	}
	e.seen.first, e.seen.last = min(e.seen.first, u.PTS), max(e.seen.last, u.PTS)
}

// watch opens a camera as the node does, waits for its first picture and watches it.
func (v *visit) watch(ctx context.Context, c config.Camera) seen {
	e := &eye{Feed: capture.NewFeed(c.Name, nil, nil), begun: make(chan struct{})}
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan error, 1)
	source := pipeline.SourceOf(c, v.trust, 0, v.opts.Log)
	go func() { over <- source.Run(ctx, e) }()
	var ended error
	runs := false
	select {
	case ended = <-over:
	case <-time.After(v.opts.Patience): // nothing came
		runs = true
	case <-e.begun:
		select {
		case ended = <-over:
		case <-time.After(v.opts.Watch):
			runs = true
		}
	}
	cancel()
	if runs {
		<-over
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.seen
	s.feed = e.Feed
	if over := (s.last - s.first).Seconds(); s.units > 1 && over > 0 {
		s.fps = float64(s.units-1) / over
		s.mbps = float64(s.bytes) * 8 / 1e6 / over * float64(s.units-1) / float64(s.units)
	}
	s.err = errors.Join(e.LastState().Err, ended)
	if s.err == nil {
		s.err = fmt.Errorf("no picture within %v", v.opts.Patience)
	}
	return s
}
