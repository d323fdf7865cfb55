// Package push notifies people and programs elsewhere of alerts: by webhook, e-mail and MQTT. An
// alert is sent when it is raised and when it is escalated. A receiver that does
// not answer is tried again and named as a problem; nothing waits for it.
package push

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/internal/config"
	"vision/internal/health"
	"vision/stream/alert"
)

// Config of a Pusher.
type Config struct {
	Webhooks []config.Webhook
	Mails    []config.Mail
	Brokers  []config.MQTT
	Source   string // of CloudEvents: this node, as "/vision/bank-1"; "" = /vision/NODE
	Node     string // this node's name; "" = vision
	Home     string // identifies a node among those of its name, like their data folders; the same at every start
	Language string // of e-mails: "es" or "en"
	Health   health.Reporter
	Log      *slog.Logger
	TLS      *tls.Config   // toward receivers; nil = the machine's authorities
	Client   *http.Client  // nil: one with a time limit of 10 s
	Pause    time.Duration // before the second attempt; 0 = 2 s; doubles, up to a minute
	// Moment is the picture of when an alert with a clip happened, a JPEG; nil: there is none.
	Moment func(context.Context, alert.Alert) ([]byte, error)
}

// attempts is how often an alert is sent to a receiver that refuses it. One that is away is
// waited for.
const attempts = 4

// longest is the longest pause between attempts.
const longest = time.Minute

// errRefused is of what a receiver does not take, however often it is sent.
var errRefused = errors.New("refused")

// queueSize bounds what waits for one receiver.
const queueSize = 200

// Pusher sends. Tell never waits.
type Pusher struct {
	mu   sync.Mutex
	cfg  Config
	outs []*out
	told map[string]bool // id and state of alerts that were passed on
	ids  []string        // in order, to forget the oldest
	ctx  context.Context // of Run; nil: it does not run
	all  sync.WaitGroup
}

// out is one receiver with what waits for it.
type out struct {
	key      string // all that it is made of
	name     string // for people: host or address, without secrets
	stop     context.CancelFunc
	severity string
	picture  bool // wants to see when it happened
	person   bool // reads it: of an incident the first alert is enough
	send     func(context.Context, told) error
	open     func() // at the beginning, close at the end; nil: there is nothing to do
	close    func()
	queue    chan alert.Alert
	back     chan struct{} // the receiver is there again: the next attempt need not wait; nil: nobody reports it
}

// New makes a pusher; without receivers it does nothing.
func New(cfg Config) *Pusher {
	p := &Pusher{told: map[string]bool{}}
	p.Set(cfg)
	return p
}

var rank = map[string]int{"critical": 0, "major": 1, "minor": 2}

// Notify passes an alert on if it is new or newly escalated.
func (p *Pusher) Notify(a alert.Alert) {
	state := a.State()
	p.mu.Lock()
	cfg, outs := p.cfg, p.due(a, state)
	p.mu.Unlock() // who is notified of a failure may notify in turn
	for _, o := range outs {
		select {
		case o.queue <- a:
		default:
			cfg.fail(o, fmt.Errorf("%d alerts wait already; %s was dropped", queueSize, a.ID))
		}
	}
}

// due are the receivers that have to be notified of an alert's state. The caller holds the mutex.
func (p *Pusher) due(a alert.Alert, state alert.State) (outs []*out) {
	if len(p.outs) == 0 || state != alert.Open && state != alert.Escalation || !p.first(a.ID+" "+string(state)) {
		return nil
	}
	incident := cmp.Or(a.Incident, a.ID) + " " + string(state)
	for _, o := range p.outs {
		if rank[a.Severity] <= rank[o.severity] && (!o.person || p.first(o.key+" "+incident)) {
			outs = append(outs, o)
		}
	}
	return outs
}

// first reports whether a key was not seen before. The caller holds the mutex.
func (p *Pusher) first(key string) bool {
	if p.told[key] {
		return false
	}
	p.told[key] = true
	if p.ids = append(p.ids, key); len(p.ids) > 10*queueSize {
		delete(p.told, p.ids[0])
		p.ids = p.ids[1:]
	}
	return true
}

// Run sends until ctx ends.
func (p *Pusher) Run(ctx context.Context) error {
	p.mu.Lock()
	p.ctx = ctx
	for _, o := range p.outs {
		p.start(o)
	}
	p.mu.Unlock()
	<-ctx.Done()
	p.mu.Lock()
	p.ctx = nil // none begins any more
	p.mu.Unlock()
	p.all.Wait()
	return ctx.Err()
}

// start sends to a receiver until it is stopped. The caller holds the mutex.
func (p *Pusher) start(o *out) {
	cfg := p.cfg
	ctx, stop := context.WithCancel(p.ctx)
	o.stop = stop
	p.all.Go(func() {
		defer stop()
		if o.open != nil {
			o.open()
			defer o.close()
		}
		for {
			select {
			case <-ctx.Done():
				return
			case a := <-o.queue:
				cfg.insist(ctx, o, a)
			}
		}
	})
}

// insist sends an alert until it has arrived, was refused several times, or ctx ends. What
// comes meanwhile waits behind it, so that alerts arrive in their order.
func (cfg Config) insist(ctx context.Context, o *out, a alert.Alert) {
	b := backoff.Backoff{First: cfg.Pause, Last: max(cfg.Pause, longest)}
	x := told{State: a.State(), Alert: a}
	if o.picture && a.Clip != nil && cfg.Moment != nil {
		var err error
		if x.Picture, err = cfg.Moment(ctx, a); err != nil { // it is sent all the same
			cfg.Log.Warn("push without a picture", "to", o.name, "err", err)
		}
	}
	for n := 1; ; n++ {
		err := o.send(ctx, x)
		if err == nil {
			cfg.Health.Clear(health.PushFailed, o.name)
			return
		}
		if ctx.Err() != nil {
			return
		}
		cfg.fail(o, fmt.Errorf("alert %s: %w", a.ID, err))
		if n >= attempts && errors.Is(err, errRefused) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-o.back:
		case <-time.After(b.Next()):
		}
	}
}

func (cfg Config) fail(o *out, err error) {
	cfg.Log.Warn("push", "to", o.name, "err", err)
	cfg.Health.Set(health.PushFailed, "", o.name, err.Error())
}
