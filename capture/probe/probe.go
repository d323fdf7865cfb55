// Package probe watches a camera for a few seconds and says what it sends, and what to
// change at the camera.
package probe

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vision/capture"
	"vision/internal/text"
)

// Report is what a camera sent.
type Report struct {
	Codec    string           `json:"codec"`
	Width    int              `json:"width"`
	Height   int              `json:"height"`
	FPS      float64          `json:"fps"`                // as its pictures came
	Declared float64          `json:"declared,omitempty"` // as its parameter sets say; 0: they do not
	GOP      int              `json:"gop"`                // pictures from one key picture to the next at most; 0: only one came
	BFrames  bool             `json:"b_frames"`
	Mbps     float64          `json:"mbps"`
	Losses   int              `json:"losses"`          // gaps in what came
	Cuts     int              `json:"cuts,omitempty"`  // connections that ended
	Clock    string           `json:"clock,omitempty"` // what is wrong with its timestamps
	Advice   []text.Localized `json:"advice"`          // what to change at the camera
}

// firstPicture is how long a camera may take to send its first key picture.
const firstPicture = 15 * time.Second

// Camera watches a source for this long from its first picture on. It fails with the
// source's own error where none comes.
func Camera(ctx context.Context, src capture.Source, length time.Duration) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &watcher{Feed: capture.NewFeed("camera", nil, nil), first: make(chan struct{}), failed: make(chan struct{}, 1)}
	ended := make(chan error, 1)
	go func() { ended <- src.Run(ctx, w) }()
	wait := time.NewTimer(firstPicture)
	defer wait.Stop()
	select {
	case <-w.first:
		wait.Reset(length)
		select {
		case <-wait.C:
		case err := <-ended:
			return w.report(), err
		case <-ctx.Done():
		}
	case <-wait.C:
	case <-w.failed: // it would be tried again: who probes wants to know
	case err := <-ended:
		return Report{}, errors.Join(err, w.why())
	}
	cancel()
	<-ended
	if w.Stats().Units == 0 {
		if err := w.why(); err != nil {
			return Report{}, err
		}
		return Report{}, fmt.Errorf("no picture within %v", firstPicture)
	}
	return w.report(), nil
}

// watcher is the Sink that counts.
type watcher struct {
	*capture.Feed
	first  chan struct{} // closed with the first unit
	failed chan struct{} // the camera could not be reached

	mu       sync.Mutex
	err      error
	from, to time.Time // arrivals
	head     uint64    // bytes of the first unit: its time is not within the arrivals
	sinceKey int
	gop      int
	cuts     int
	down     bool // since the newest unit
	clock    error
}

// Unit implements capture.Sink.
func (w *watcher) Unit(u capture.Unit) {
	w.Feed.Unit(u)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = time.Now()
	if w.from.IsZero() {
		w.from, w.head = w.to, w.Stats().Bytes
		close(w.first)
	} else if u.Key {
		w.gop = max(w.gop, w.sinceKey)
	}
	w.down = false
	if u.Key {
		w.sinceKey = 0
	}
	w.sinceKey++
}

// State implements capture.Sink.
func (w *watcher) State(s capture.State) {
	w.Feed.State(s)
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.Err != nil {
		w.err = s.Err
		if !w.from.IsZero() && !w.down {
			w.cuts++
		}
		w.down = true
		select {
		case w.failed <- struct{}{}:
		default:
		}
	}
	if s.Clock != nil {
		w.clock = s.Clock
	}
}

func (w *watcher) why() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *watcher) report() Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	video, _ := w.Video()
	seen := w.Stats()
	r := Report{Codec: video.Codec.String(), Width: video.Width, Height: video.Height, Declared: video.FPS,
		GOP: w.gop, BFrames: video.Reorders, Losses: int(seen.Gaps), Cuts: w.cuts, Advice: []text.Localized{}}
	if s := w.to.Sub(w.from).Seconds(); s > 0 {
		r.FPS = float64(seen.Units-1) / s
		r.Mbps = float64(seen.Bytes-w.head) * 8 / 1e6 / s
	}
	if w.clock != nil {
		r.Clock = w.clock.Error()
	}
	r.advise(video, w.sinceKey)
	return r
}

// What a camera should keep to (docs/technician.md).
const (
	leastFPS, mostFPS = 3, 30
	leastHeight       = 720
	longGOP           = 4 * time.Second
)

// advise says what to change; open is how many pictures came since the last key picture.
func (r *Report) advise(v capture.Video, open int) {
	say := func(t text.Text, a ...any) { r.Advice = append(r.Advice, t.Localized(a...)) }
	if r.BFrames {
		say(text.Text{ES: "Desactive los fotogramas B (perfil Baseline, o «B-frames: 0»): sin ello se codifica otra vez para verla en directo.",
			EN: "Switch B-frames off (Baseline profile, or B-frames 0): with them the video is encoded once more for live viewing."})
	} else if v.Problem != nil {
		say(text.Text{ES: "Elija perfil Baseline, Main o High en progresivo: los navegadores no muestran este vídeo.",
			EN: "Choose Baseline, Main or High profile, progressive: browsers do not play this video."})
	}
	if v.Codec == capture.H265 {
		say(text.Text{ES: "H.265 se graba y se lee; para los navegadores que no lo admiten se codifica otra vez. H.264 ahorra procesador.",
			EN: "H.265 is recorded and read; for browsers that do not take it the video is encoded once more. H.264 saves processor time."})
	}
	switch {
	case r.FPS > 0 && r.FPS < leastFPS:
		say(text.Text{ES: "Suba a 6 imágenes por segundo o más: con menos de 3 no se puede verificar.",
			EN: "Raise to 6 pictures a second or more: with fewer than 3 nothing can be verified."})
	case r.FPS > mostFPS+1:
		say(text.Text{ES: "Bastan 25 imágenes por segundo: más solo cuesta procesador y disco.",
			EN: "25 pictures a second are enough: more costs processor time and disk only."})
	}
	if r.Height > 0 && r.Height < leastHeight {
		say(text.Text{ES: "Suba a 1920×1080: %d×%d es poco para leer índices de cartas.",
			EN: "Raise to 1920×1080: %d×%d is little for reading the corners of cards."}, r.Width, r.Height)
	}
	if gop := max(r.GOP, open); r.FPS > 0 && float64(gop)/r.FPS > longGOP.Seconds() {
		say(text.Text{ES: "Ponga una imagen clave cada 1 o 2 segundos: tras una pérdida no se ve nada hasta la siguiente.",
			EN: "Set a key picture every 1 or 2 seconds: after a loss nothing is seen until the next."})
	}
	if r.Losses > 0 {
		say(text.Text{ES: "Se pierden datos por el camino: revise cable y conmutador; en lugar de `transport: udp`, ponga tcp.",
			EN: "Data are lost on the way: check cable and switch; instead of `transport: udp`, set tcp."})
	}
	if r.Cuts > 0 {
		say(text.Text{ES: "La conexión se cortó %d veces: revise alimentación, cable y conmutador de la cámara, y quién más toma su vídeo.",
			EN: "The connection was cut %d times: check the camera's power, cable and switch, and who else takes its video."}, r.Cuts)
	}
	if r.Clock != "" {
		say(text.Text{ES: "Ponga la cámara en hora (NTP), actualice su firmware o reiníciela: sus marcas de tiempo no son de un reloj.",
			EN: "Set the camera's clock (NTP), update its firmware or restart it: its timestamps are not those of a clock."})
	}
}
