package peer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/stream/notice"
)

// UnreachableError means that another machine does not answer.
type UnreachableError struct {
	Node string
	Err  error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the machine %s does not answer: %v", e.Node, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// own are headers that every console sends itself.
var own = []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy",
	"Permissions-Policy", "Strict-Transport-Security", "Set-Cookie"}

// Forward has another machine answer a request, in the name of c. changed may alter the
// answer's header; failed answers where the machine does not.
func (p *Peers) Forward(w http.ResponseWriter, r *http.Request, to Node, c Claim,
	changed func(http.Header), failed func(error)) {
	base, err := url.Parse(to.Address)
	if err != nil || base.Host == "" {
		failed(&UnreachableError{to.Name, fmt.Errorf("its address is %q", to.Address)})
		return
	}
	signed := r.Clone(r.Context())
	signed.Header.Del("Cookie") // those are this machine's own
	if c.User != "" {
		signed.Header.Del("Authorization")
	}
	if err := p.vouch(signed, to.Name, c); err != nil {
		failed(err)
		return
	}
	proxy := httputil.ReverseProxy{
		Transport: p.http, FlushInterval: -1,
		Rewrite: func(x *httputil.ProxyRequest) {
			x.Out.URL.Scheme, x.Out.URL.Host, x.Out.Host = base.Scheme, base.Host, base.Host
			x.Out.URL.RawQuery = x.In.URL.RawQuery // as it was signed
		},
		ModifyResponse: func(resp *http.Response) error {
			for _, name := range own {
				resp.Header.Del(name)
			}
			if changed != nil {
				changed(resp.Header)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) {
			failed(&UnreachableError{to.Name, err})
		},
	}
	proxy.ServeHTTP(w, signed)
}

// Open sends a request without body to another machine, in the name of c. The answer's
// body is the caller's to close.
func (p *Peers) Open(ctx context.Context, to Node, path string, c Claim) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, to.Address, nil)
	if err != nil {
		return nil, &UnreachableError{to.Name, err}
	}
	target, err := r.URL.Parse(path)
	if err != nil {
		return nil, err
	}
	r.URL = target
	if err := p.vouch(r, to.Name, c); err != nil {
		return nil, err
	}
	resp, err := p.http.RoundTrip(r)
	if err != nil {
		return nil, &UnreachableError{to.Name, err}
	}
	return resp, nil
}

// Answer is what one machine answered to a question.
type Answer struct {
	Node string
	Body json.RawMessage // JSON; nil where Err has why there is none
	Err  error
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 20

// Ask asks all other machines for a path (with its query) in the name of c. Each has its
// time to answer; one that is known to be away is not waited for.
func (p *Peers) Ask(ctx context.Context, path string, c Claim) []Answer {
	nodes := p.Nodes()
	out := make([]Answer, len(nodes))
	var wg sync.WaitGroup
	for i, n := range nodes {
		out[i].Node = n.Name
		if n.Away {
			out[i].Err = &UnreachableError{n.Name, errors.New("it is away")}
			continue
		}
		wg.Go(func() { out[i].Body, out[i].Err = p.ask(ctx, n, path, c) })
	}
	wg.Wait()
	return out
}

func (p *Peers) ask(ctx context.Context, to Node, path string, c Claim) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	resp, err := p.Open(ctx, to, path, c)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, &UnreachableError{to.Name, err}
	}
	if resp.StatusCode != http.StatusOK || !json.Valid(body) {
		return nil, &StatusError{to.Name, resp.StatusCode, said(body)}
	}
	return body, nil
}

// StatusError is another machine's refusal.
type StatusError struct {
	Node   string
	Status int
	Said   string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: %d %s: %s", e.Node, e.Status, http.StatusText(e.Status), e.Said)
}

func said(body []byte) string {
	var x struct{ Error string }
	if json.Unmarshal(body, &x) == nil && x.Error != "" {
		return x.Error
	}
	return string(body[:min(len(body), 200)])
}

const (
	// look is how often it is seen whether machines have come or gone.
	look = time.Second
	// pause is how long a machine is left alone whose events have broken off.
	pause = time.Second
	// silence is how long a machine's events may be silent before the connection is cut: it sends
	// something every fifteen seconds.
	silence = 40 * time.Second
)

// Listen hears the notices of all other machines until ctx ends, each again and again
// while it is there. A machine's newest states come first, whenever its connection is made
// anew.
func (p *Peers) Listen(ctx context.Context, path string, heard func(node string, m notice.Message)) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	lines := map[string]context.CancelFunc{}
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		here := map[string]bool{}
		for _, n := range p.Nodes() {
			if n.Away {
				continue
			}
			line := n.Name + " " + n.Address
			here[line] = true
			if lines[line] != nil {
				continue
			}
			var life context.Context
			life, lines[line] = context.WithCancel(ctx)
			wg.Go(func() {
				for life.Err() == nil {
					err := p.listen(life, n, path, heard)
					p.cfg.Log.Debug("notices of another machine", "node", n.Name, "err", err)
					_ = backoff.Sleep(life, pause)
				}
			})
		}
		for line, end := range lines {
			if !here[line] {
				end()
				delete(lines, line)
			}
		}
		select {
		case <-ctx.Done():
			for _, end := range lines {
				end()
			}
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// listen follows one machine until its connection breaks.
func (p *Peers) listen(ctx context.Context, n Node, path string, heard func(string, notice.Message)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := p.Open(ctx, n, path, Claim{Machine: true})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &StatusError{n.Name, resp.StatusCode, "events"}
	}
	quiet := time.AfterFunc(silence, cancel)
	defer quiet.Stop()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		quiet.Reset(silence)
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		var m notice.Message
		if err := json.Unmarshal(data, &m); err != nil {
			return fmt.Errorf("events of %s: %w", n.Name, err)
		}
		heard(n.Name, m)
	}
	return lines.Err()
}
