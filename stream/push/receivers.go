package push

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"vision/internal/health"
	"vision/internal/trust"
	"vision/stream/alert"
)

// Set has other receivers than before. Those that stay as they are keep what waits for them;
// what waits for one that goes is not sent.
func (p *Pusher) Set(cfg Config) {
	cfg = cfg.filled()
	for _, gone := range p.set(cfg) {
		cfg.Health.Clear(health.PushFailed, gone.name)
	}
}

// set returns the receivers that have gone.
func (p *Pusher) set(cfg Config) (gone []*out) {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := map[string]*out{}
	for _, o := range p.outs {
		was[o.key] = o
	}
	p.cfg, p.outs = cfg, nil
	p.receivers()
	for i, o := range p.outs {
		if old := was[o.key]; old != nil {
			p.outs[i] = old
			delete(was, o.key)
		} else if p.ctx != nil {
			p.start(o)
		}
	}
	for _, o := range was {
		if o.stop != nil {
			o.stop()
		}
		gone = append(gone, o)
	}
	return gone
}

// filled is a configuration with what it leaves open.
func (cfg Config) filled() Config {
	if cfg.Client == nil {
		cfg.Client = trust.HTTP(cfg.TLS, 10*time.Second)
	}
	if cfg.Health == nil {
		cfg.Health = health.NewBoard(nil)
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	cfg.Node = cmp.Or(cfg.Node, "vision")
	cfg.Source = cmp.Or(cfg.Source, "/vision/"+cfg.Node)
	cfg.Pause = cmp.Or(cfg.Pause, 2*time.Second)
	return cfg
}

// receivers makes those of the configuration.
func (p *Pusher) receivers() {
	cfg := p.cfg
	for _, w := range cfg.Webhooks {
		p.add(w, host(w.URL), w.Severity, w.Picture, func(ctx context.Context, a told) error { return cfg.post(ctx, w, a) })
	}
	for _, m := range cfg.Mails {
		p.add(m, m.Server, m.Severity, m.Picture, func(ctx context.Context, a told) error {
			return mailer(m).send(ctx, a, cfg.Language, cfg.TLS)
		}).person = true
	}
	for _, m := range cfg.Brokers {
		b := newPublisher(m, cfg)
		o := p.add(m, host(m.URL), m.Severity, m.Picture, b.send)
		o.open, o.close, o.back = b.open, b.close, b.back
	}
}

func (p *Pusher) add(made any, name, severity string, picture bool, send func(context.Context, told) error) *out {
	severity = cmp.Or(severity, "critical")
	o := &out{key: fmt.Sprintf("%T %+v %s %s", made, made, p.cfg.Source, p.cfg.Language),
		name: name, severity: severity, picture: picture, send: send, queue: make(chan alert.Alert, queueSize)}
	p.outs = append(p.outs, o)
	return o
}
