package bus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"vision/internal/health"
)

// A server that answers with an error is there, and waiting does not mend it: every answer
// passes the hook below, so that whatever is asked of Redis is named in one place. A refusal
// is over when the same is answered, or when nobody has met it for a while.

// unmet is how long a refusal that nobody meets again counts: an event whose key holds
// something else is not sent again by itself.
const unmet = 2 * time.Minute

// refused is wrapped by the first word of an answer that refuses, wherever it stands: the answer
// to a script begins otherwise in some versions.
var refused = regexp.MustCompile(`\b(WRONGTYPE|NOAUTH|WRONGPASS|NOPERM|READONLY|MISCONF|OOM|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS|EXECABORT)\b`)

// mends are what to do about a refusal, by its word.
var mends = map[string]string{
	"WRONGTYPE":   "the key holds something else than this program keeps there: rename it (RENAME), or give the house a database of its own (the number at the end of `redis:`)",
	"NOAUTH":      "Redis asks for a password: write it in `redis:`",
	"WRONGPASS":   "user or password is wrong: correct `redis:`",
	"NOPERM":      "the user lacks a right: ACL SETUSER NAME on ~vision:* ~{vision:* &* +@all -@admin -@dangerous +info",
	"READONLY":    "this Redis is a replica: name the master in `redis:`, or Sentinel with ?master_name=",
	"MISCONF":     "Redis cannot write to its disk: look at its log and at the room on the disk",
	"OOM":         "Redis has no memory left: raise maxmemory, or remove what others keep there",
	"MAXCLIENTS":  "Redis takes no more connections: raise maxclients, or end those of others",
	"LOADING":     "Redis reads its data; it answers when that is done",
	"MASTERDOWN":  "this replica has lost its master: look at the master",
	"CLUSTERDOWN": "a part of the Cluster is away: look at redis-cli cluster info",
	"BUSY":        "a script of another program keeps Redis busy: SCRIPT KILL",
	"NOREPLICAS":  "Redis has fewer replicas than it wants (min-replicas-to-write): look at the replicas",
}

// refusal is one thing that Redis refuses.
type refusal struct {
	detail string
	since  time.Time
	met    time.Time // last
}

// refusals are those that last.
type refusals struct {
	health health.Reporter
	warn   func(msg string, args ...any)
	mu     sync.Mutex
	all    map[string]*refusal // by command and key
}

// ask names what a command asks, and its key for people.
func ask(c redis.Cmder) (id, key string) {
	args := c.Args()
	at := 1
	switch c.Name() {
	case "eval", "evalsha", "evalsha_ro", "eval_ro":
		at = 3
	case "xgroup":
		at = 2
	case "xread", "xreadgroup":
		at = slices.IndexFunc(args, func(a any) bool { s, ok := a.(string); return ok && strings.EqualFold(s, "streams") }) + 1
	case "hello", "ping", "auth", "multi", "exec", "client", "info":
		return c.Name(), ""
	}
	if at < 1 || at >= len(args) {
		return c.Name(), ""
	}
	key = fmt.Sprint(args[at])
	if at == 3 { // a script, by its text or its sum
		return "script " + key, key
	}
	return c.Name() + " " + key, key
}

// wordOf is why Redis refuses; "" where an error is none of its answers, or an answer that is
// part of how the bus works.
func wordOf(err error) string {
	var answer redis.Error
	if err == nil || errors.Is(err, redis.Nil) || !errors.As(err, &answer) {
		return ""
	}
	text := answer.Error()
	if word := refused.FindString(text); word != "" {
		return word
	}
	for part, word := range map[string]string{ // answers without a word of their own
		"ACL failure in script": "NOPERM", "unauthenticated": "NOAUTH", "max number of clients": "MAXCLIENTS",
	} {
		if strings.Contains(text, part) {
			return word
		}
	}
	for _, p := range []string{"NOSCRIPT", "BUSYGROUP", "NOGROUP", "MOVED", "ASK"} {
		if strings.HasPrefix(text, p+" ") {
			return ""
		}
	}
	return "ERR"
}

// mendOf returns what to do about a word.
func mendOf(word string) string {
	if mend, ok := mends[word]; ok {
		return mend
	}
	return "look at its log, and whether another program uses these keys"
}

// Refused reports whether an error is an answer of a Redis that is there and refuses, and what
// to do about it; one that is away is mended by waiting.
func Refused(err error) (mend string, ok bool) {
	word := wordOf(err)
	if word == "" {
		return "", false
	}
	return mendOf(word), true
}

// answered takes note of what Redis answers to a command.
func (r *refusals) answered(c redis.Cmder, err error) {
	word := wordOf(err)
	served := err == nil || errors.Is(err, redis.Nil)
	if word == "" && !served {
		return // away: that is another problem
	}
	id, key := ask(c)
	if id == "client" || id == "hello" && word == "ERR" {
		return // a connection's own: what an older server does not know is done without
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if served {
		n := len(r.all)
		for _, over := range []string{id, "hello", "auth"} { // who is served is logged in
			delete(r.all, over)
		}
		if len(r.all) < n {
			r.report()
		}
		return
	}
	now := time.Now()
	if have, ok := r.all[id]; ok {
		have.met = now
		return
	}
	what := strings.ToUpper(c.Name())
	if key != "" {
		what += fmt.Sprintf(" of key %q", key)
	}
	mend := mendOf(word)
	detail := fmt.Sprintf("%s: %v; %s", what, err, mend)
	if r.all == nil {
		r.all = map[string]*refusal{}
	}
	r.all[id] = &refusal{detail: detail, since: now, met: now}
	r.warn("redis refuses what it is asked", "asked", what, "err", err, "mend", mend)
	r.report()
}

// fade forgets what nobody has met for a while.
func (r *refusals) fade(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.all)
	for id, x := range r.all {
		if now.Sub(x.met) > unmet {
			delete(r.all, id)
		}
	}
	if len(r.all) < n {
		r.report()
	}
}

// report names the oldest of the refusals as one problem. It is called with the lock held.
func (r *refusals) report() {
	var first *refusal
	for _, x := range r.all {
		if first == nil || x.since.Before(first.since) {
			first = x
		}
	}
	if first == nil {
		r.health.Clear(health.BusRefused, "redis")
		return
	}
	detail := first.detail
	if more := len(r.all) - 1; more > 0 {
		detail += fmt.Sprintf(" (and %d more)", more)
	}
	r.health.Set(health.BusRefused, "", "redis", detail)
}

// DialHook implements redis.Hook.
func (r *refusals) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (r *refusals) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, c redis.Cmder) error {
		err := next(ctx, c)
		r.answered(c, err)
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
func (r *refusals) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		if err != nil && !someFailed(cmds) {
			r.answered(redis.NewCmd(ctx, "auth"), err) // as the connection logged in
			return err
		}
		for _, c := range cmds {
			r.answered(c, c.Err())
		}
		return err
	}
}

// someFailed reports whether a command of a pipeline failed, not the whole of it alone.
func someFailed(cmds []redis.Cmder) bool {
	return slices.ContainsFunc(cmds, func(c redis.Cmder) bool { return c.Err() != nil })
}
