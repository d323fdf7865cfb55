package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/capture"
	"vision/internal/av"
	"vision/internal/backoff"
	"vision/internal/fact"
)

// Sink takes a camera's encoded pictures: an RTSP stream, a file.
type Sink interface {
	Write(capture.Unit) error
}

// Teller takes the sensor lines and the truth of the rounds as they come up.
type Teller interface {
	Say(fact.Sensed)
	Truth(Frame)
}

// shot is one camera of a table on its way out.
type shot struct {
	t   *Table
	out Sink
	enc *av.Encoder
}

// Beside has Serve show another camera of the table, too: of the same play, and as its owner.
func (t *Table) Beside(v *Table, out Sink) { t.beside = append(t.beside, &shot{t: v, out: out}) }

// send encodes a picture and hands it out.
func (s *shot) send(f Frame, since time.Time) error {
	if s.t.cfg.Coded {
		if err := stamp(&f.Image, time.Now()); err != nil {
			return err
		}
		f.Changed = nil
	}
	u, err := encode(s.enc, f, f.At.Sub(since))
	if err == nil {
		u.Wall = f.At
		err = s.out.Write(u)
	}
	if err != nil {
		return fmt.Errorf("simulated camera %s: %w", s.t.cfg.Camera, err)
	}
	return nil
}

// Serve shows the table in real time: each picture is encoded once and handed
// to out at its moment. It returns ctx's error, or the first of its own.
func (t *Table) Serve(ctx context.Context, out Sink, tell Teller) error {
	shots := append([]*shot{{t: t, out: out}}, t.beside...)
	if t.film != nil {
		g, ctx := errgroup.WithContext(ctx)
		began := time.Now()
		for _, s := range shots {
			g.Go(func() error { return s.loop(ctx, began) })
		}
		return g.Wait()
	}
	for _, s := range shots {
		var err error
		if s.enc, err = s.t.NewEncoder(av.EncoderOptions{}); err != nil {
			return err
		}
		defer s.enc.Close()
	}
	began := time.Now()
	give, last := newThrift(t.cfg.FPS), t.n
	t.cfg.Start = began.Add(-seconds(float64(t.n) / t.cfg.FPS))
	tick := time.NewTimer(0)
	defer tick.Stop()
	var keyed time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		t.keepUp()
		woken := time.Now()
		still := t.pace.holds(woken, t.n, t.cfg.FPS)
		if still {
			t.again(last)
		}
		key := t.cfg.Calm && woken.Sub(keyed) >= calmKeys
		n, start := t.n, t.cfg.Start
		for _, s := range shots {
			if key {
				s.enc.ForceKey()
				s.t.lens.fresh, keyed = true, woken
			}
		}
		f, err := t.Step()
		if err != nil {
			return err
		}
		if !still {
			t.pace.took(f.N, f.At)
		}
		last = f.N
		t.tell(f, tell)
		if err := shots[0].send(f, began); err != nil {
			return err
		}
		for _, s := range t.beside {
			s.t.n, s.t.cfg.Start = n, start
			f, err := s.t.Step()
			if err == nil {
				err = s.send(f, began)
			}
			if err != nil {
				return err
			}
		}
		every := give.after(time.Since(woken))
		if still || t.pace.waits && t.calm() {
			every = give.most
		}
		t.n += every - 1
		tick.Reset(max(0, time.Until(t.due())))
	}
}

// calmKeys is how often a calm camera sends a key picture.
const calmKeys = 4 * time.Second

// encode encodes a frame: of one that is the last one but for some places, only those are converted.
func encode(enc *av.Encoder, f Frame, at time.Duration) (capture.Unit, error) {
	if f.Same {
		return enc.Again(at)
	}
	return enc.Encode(f.Image, at, f.Changed...)
}

// due is when the next picture is taken.
func (t *Table) due() time.Time { return t.cfg.Start.Add(seconds(float64(t.n) / t.cfg.FPS)) }

// maxLag is how far the play may fall behind the clock on a busy machine.
const maxLag = 300 * time.Millisecond

// keepUp lets the table's clock stand still for the time that was lost, so that
// pictures and calls keep the times at which they are really sent.
func (t *Table) keepUp() {
	if lag := time.Since(t.due()); lag > maxLag {
		t.cfg.Start = t.cfg.Start.Add(lag)
	}
}

func (t *Table) tell(f Frame, to Teller) {
	if to == nil {
		return
	}
	for _, c := range f.Calls {
		to.Say(c)
	}
	if f.Truth != nil {
		to.Truth(f)
	}
}

// Poster sends sensor lines to a node's HTTP endpoint,
// POST {Base}/api/v1/tables/{table}/events, in order. Lines that cannot be sent
// are tried again for some seconds and then given up: the play goes on.
type Poster struct {
	Base   string // "http://localhost:8080"
	Token  string // of the tables
	Client *http.Client
	Log    *slog.Logger

	lines  chan fact.Sensed
	mu     sync.Mutex
	unsaid map[string]int // lines by table that wait or are being sent
}

// NewPoster makes a poster; its Run sends.
func NewPoster(base, token string) *Poster {
	return &Poster{Base: strings.TrimSuffix(base, "/"), Token: token, Client: &http.Client{Timeout: 10 * time.Second},
		Log: slog.Default(), lines: make(chan fact.Sensed, 256), unsaid: map[string]int{}}
}

// Say queues a line; when far too many wait it is dropped.
func (p *Poster) Say(s fact.Sensed) {
	p.note(s.Table, 1)
	select {
	case p.lines <- s:
	default:
		p.note(s.Table, -1)
		p.Log.Warn("simulated terminal: line dropped", "table", s.Table, "id", s.ID)
	}
}

func (p *Poster) note(table string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unsaid[table] += n
}

// Unsaid reports whether lines of a table have not been sent yet.
func (p *Poster) Unsaid(table string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unsaid[table] > 0
}

// Run sends lines until ctx ends.
func (p *Poster) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case s := <-p.lines:
			p.insist(ctx, s)
			p.note(s.Table, -1)
		}
	}
}

// patience is how long a line is tried again.
const patience = time.Minute

func (p *Poster) insist(ctx context.Context, s fact.Sensed) {
	until := time.Now().Add(patience)
	b := backoff.Backoff{First: 100 * time.Millisecond}
	for {
		err := p.post(ctx, s)
		if err == nil || ctx.Err() != nil {
			return
		}
		if errors.Is(err, errRefused) || time.Now().After(until) {
			p.Log.Warn("simulated terminal: line not taken", "table", s.Table, "id", s.ID, "err", err)
			return
		}
		if b.Wait(ctx) != nil {
			return
		}
	}
}

var errRefused = errors.New("refused")

func (p *Poster) post(ctx context.Context, s fact.Sensed) error {
	body, err := json.Marshal(map[string]any{"source": s.Source, "id": s.ID, "time": s.Time, "kind": s.Kind, "args": s.Args})
	if err != nil {
		return fmt.Errorf("%w: %v", errRefused, err)
	}
	url := p.Base + "/api/v1/tables/" + s.Table + "/events"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: %v", errRefused, err)
	}
	req.Header.Set("Content-Type", "application/json")
	if p.Token != "" {
		req.Header.Set("Authorization", "Bearer "+p.Token)
	}
	res, err := p.Client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(res.Body, 400))
	switch {
	case res.StatusCode < 300:
		return nil
	case res.StatusCode >= 500 || res.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: %s", res.Status, answer) // the node may still be starting
	}
	return fmt.Errorf("%w: %s: %s", errRefused, res.Status, bytes.TrimSpace(answer))
}
