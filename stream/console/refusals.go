package console

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Refusals in the ledger, which keeps everything for ever: of each network a few at once, and
// then how many there were, ever more seldom while it goes on.
const (
	refusalsAtOnce   = 5
	refusalsEvery    = time.Minute // doubled with each span that has more, up to
	refusalsSeldom   = time.Hour
	refusalNetworks  = 64 // that are told apart; all others are one
	longestName      = 64
	longestRefusal   = 200
	everybodyElse    = "other addresses"
	actionMoreOfThem = "refused_more"
)

// refusals counts what is refused. The zero value with a write is ready.
type refusals struct {
	write func(Act)

	mu   sync.Mutex
	from map[string]*refused
}

// refused is what a network was refused in a span of time.
type refused struct {
	left  int            // entries that may be written at once
	more  map[string]int // not written, by action
	every time.Duration
	timer *time.Timer
}

// note writes a refusal, or counts it.
func (f *refusals) note(network string, a Act) {
	a.User, a.Object, a.Text = short(a.User, longestName), short(a.Object, longestRefusal), short(a.Text, longestRefusal)
	f.mu.Lock()
	x := f.from[network]
	if x == nil && len(f.from) >= refusalNetworks {
		network = everybodyElse
		x = f.from[network]
	}
	if x == nil {
		x = &refused{left: refusalsAtOnce, more: map[string]int{}, every: refusalsEvery}
		if f.from == nil {
			f.from = map[string]*refused{}
		}
		f.from[network] = x
		x.timer = time.AfterFunc(x.every, func() { f.over(network) })
	}
	_, seen := x.more[a.Action]
	at := x.left > 0 || !seen // the first of each kind, too
	if at {
		x.left--
		x.more[a.Action] += 0
	} else {
		x.more[a.Action]++
	}
	f.mu.Unlock()
	if at {
		f.write(a)
	}
}

// over ends a span: what was only counted becomes one entry.
func (f *refusals) over(network string) {
	f.mu.Lock()
	x := f.from[network]
	if x == nil {
		f.mu.Unlock()
		return
	}
	sum := x.sum()
	if sum == "" {
		delete(f.from, network)
	} else {
		for action := range x.more {
			x.more[action] = 0
		}
		x.every = min(2*x.every, refusalsSeldom)
		x.timer = time.AfterFunc(x.every, func() { f.over(network) })
	}
	f.mu.Unlock()
	if sum != "" {
		f.write(Act{Action: actionMoreOfThem, Object: network, Text: sum})
	}
}

// sum is how many of each action were only counted, "" for none.
func (x *refused) sum() string {
	var out []string
	for _, action := range slices.Sorted(maps.Keys(x.more)) {
		if n := x.more[action]; n > 0 {
			out = append(out, fmt.Sprintf("%s: %d", action, n))
		}
	}
	return strings.Join(out, ", ")
}

// close writes what was only counted.
func (f *refusals) close() {
	f.mu.Lock()
	all := slices.Sorted(maps.Keys(f.from))
	f.mu.Unlock()
	for _, network := range all {
		f.over(network)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range f.from {
		x.timer.Stop()
	}
}

// short is a text from outside as it is kept: of at most so many bytes, without control
// characters.
func short(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// refused notes that something was refused.
func (s *Server) refused(r *http.Request, a Act) { s.refusals.note(network(hostOf(r)), a) }
