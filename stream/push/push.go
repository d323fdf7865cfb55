// Package push tells people and programs elsewhere of alerts: by webhook, e-mail and MQTT. An
// alert is sent when it is raised and when it is escalated. A receiver that does
// not answer is tried again and named as a problem; nothing waits for it.
package push

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/stream/alert"
)

// SignatureHeader holds "sha256=" and the HMAC-SHA256 of the body in hexadecimal,
// made with the webhook's secret.
const SignatureHeader = "X-Vision-Signature"

// codeFailed is the problem of a receiver that cannot be reached.
const codeFailed = "push_failed"

// Webhook is one address that alerts are posted to as JSON.
type Webhook struct {
	URL      string
	Secret   string // signs the body; "" = unsigned
	Events   bool   // as a CloudEvent instead of the alert alone
	Severity string // the least: "critical", "major", "minor"; "" = critical
}

// Health is notified of receivers that fail.
type Health interface {
	Set(code, table, object, detail string)
	Clear(code, object string)
}

// Config of a Pusher.
type Config struct {
	Webhooks []Webhook
	Mails    []Mail
	Brokers  []MQTT
	Source   string // of CloudEvents: this node, as "/vision/bank-1"; "" = /vision
	Language string // of e-mails: "es" or "en"
	Health   Health
	Log      *slog.Logger
	TLS      *tls.Config   // toward receivers; nil = the machine's authorities
	Client   *http.Client  // nil: one with a time limit of 10 s
	Pause    time.Duration // before the second attempt; 0 = 2 s; doubles
}

// attempts is how often sending an alert is tried.
const attempts = 4

// queueSize bounds what waits for one receiver.
const queueSize = 200

// Pusher sends. Tell never waits.
type Pusher struct {
	cfg  Config
	outs []*out

	mu   sync.Mutex
	told map[string]bool // id and state of alerts that were passed on
	ids  []string        // in order, to forget the oldest
}

// out is one receiver with what waits for it.
type out struct {
	name     string // for people: host or address, without secrets
	severity string
	send     func(context.Context, alert.Alert) error
	open     func() // at the beginning, close at the end; nil: there is nothing to do
	close    func()
	queue    chan alert.Alert
}

// New makes a pusher; without receivers it does nothing.
func New(cfg Config) *Pusher {
	if cfg.Client == nil {
		tr := http.DefaultTransport.(*http.Transport).Clone()
		if cfg.TLS != nil {
			tr.TLSClientConfig = cfg.TLS.Clone()
		}
		cfg.Client = &http.Client{
			Transport:     tr,
			Timeout:       10 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Source == "" {
		cfg.Source = "/vision"
	}
	if cfg.Pause == 0 {
		cfg.Pause = 2 * time.Second
	}
	p := &Pusher{cfg: cfg, told: map[string]bool{}}
	for _, w := range cfg.Webhooks {
		p.add(host(w.URL), w.Severity, func(ctx context.Context, a alert.Alert) error { return p.post(ctx, w, a) })
	}
	for _, m := range cfg.Mails {
		p.add(
			m.Server,
			m.Severity,
			func(ctx context.Context, a alert.Alert) error { return m.send(ctx, a, cfg.Language, cfg.TLS) },
		)
	}
	for _, m := range cfg.Brokers {
		b := newPublisher(m, p.cfg.Source, cfg.TLS, p.cfg.Pause)
		o := p.add(host(m.URL), m.Severity, b.send)
		o.open, o.close = b.open, b.close
	}
	return p
}

func (p *Pusher) add(name, severity string, send func(context.Context, alert.Alert) error) *out {
	if severity == "" {
		severity = "critical"
	}
	o := &out{name: name, severity: severity, send: send, queue: make(chan alert.Alert, queueSize)}
	p.outs = append(p.outs, o)
	return o
}

// host is a URL without path and password, which may be secret.
func host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "webhook"
	}
	return u.Host
}

var rank = map[string]int{"critical": 0, "major": 1, "minor": 2}

// Tell passes an alert on if it is new or newly escalated.
func (p *Pusher) Tell(a alert.Alert) {
	state := a.State()
	if len(p.outs) == 0 || state != alert.Open && state != alert.Escalation || !p.first(a.ID+" "+string(state)) {
		return
	}
	for _, o := range p.outs {
		if rank[a.Severity] > rank[o.severity] {
			continue
		}
		select {
		case o.queue <- a:
		default:
			p.fail(o, fmt.Errorf("hundreds of alerts wait; %s was dropped", a.ID))
		}
	}
}

// first reports whether a key was not seen before.
func (p *Pusher) first(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
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
	var wg sync.WaitGroup
	for _, o := range p.outs {
		wg.Go(func() {
			if o.open != nil {
				o.open()
				defer o.close()
			}
			for {
				select {
				case <-ctx.Done():
					return
				case a := <-o.queue:
					p.insist(ctx, o, a)
				}
			}
		})
	}
	wg.Wait()
	<-ctx.Done()
	return ctx.Err()
}

// insist tries some times.
func (p *Pusher) insist(ctx context.Context, o *out, a alert.Alert) {
	b := backoff.Backoff{First: p.cfg.Pause, Last: p.cfg.Pause << (attempts - 2)}
	for n := 1; ; n++ {
		err := o.send(ctx, a)
		if err == nil {
			if p.cfg.Health != nil {
				p.cfg.Health.Clear(codeFailed, o.name)
			}
			return
		}
		if ctx.Err() != nil {
			return
		}
		p.fail(o, fmt.Errorf("alert %s: %w", a.ID, err))
		if n == attempts {
			return
		}
		if b.Wait(ctx) != nil {
			return
		}
	}
}

func (p *Pusher) fail(o *out, err error) {
	p.cfg.Log.Warn("push", "to", o.name, "err", err)
	if p.cfg.Health != nil {
		p.cfg.Health.Set(codeFailed, "", o.name, err.Error())
	}
}

// post sends an alert to a webhook.
func (p *Pusher) post(ctx context.Context, w Webhook, a alert.Alert) error {
	form := "application/json"
	body, err := json.Marshal(told{a.State(), a})
	if w.Events {
		form = "application/cloudevents+json; charset=utf-8"
		body, err = cloudEvent(p.cfg.Source, a)
	}
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("webhook: its URL cannot be read")
	}
	req.Header.Set("Content-Type", form)
	if w.Secret != "" {
		m := hmac.New(sha256.New, []byte(w.Secret))
		m.Write(body)
		req.Header.Set(SignatureHeader, "sha256="+hex.EncodeToString(m.Sum(nil)))
	}
	res, err := p.cfg.Client.Do(req)
	if err != nil {
		var u *url.Error // its text repeats the URL
		if errors.As(err, &u) {
			err = u.Err
		}
		return fmt.Errorf("webhook: %w", err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10))
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("webhook: answered %s", res.Status)
	}
	return nil
}
