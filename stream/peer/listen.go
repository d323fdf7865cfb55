package peer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/stream/notice"
)

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
