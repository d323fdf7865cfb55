package child

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"vision/internal/backoff"
)

// Reasons why a child was lost; compared with errors.Is.
var (
	ErrHung   = errors.New("hangs")
	ErrMemory = errors.New("eats memory")
	ErrDied   = errors.New("died")
)

// Spec says how to run a child and how far to trust it.
type Spec struct {
	Name string   // for the log
	Args []string // of the program itself; Args[0] is the subcommand
	Env  []string // added to the parent's
	// More are further arguments of each life; nil: none.
	More func() []string
	// Hang is for how long one piece of its work may last, and for how long it
	// may leave a ping unanswered; 0: as Hang says.
	Hang time.Duration
	// Start is for how long it may be silent after its start (default 10 s).
	Start time.Duration
	// Memory is the resident size in bytes over which it is replaced (default 1.5 GiB).
	Memory int64
	// Lost is given the reason why a child was lost, before the next one is started. It
	// is not called at the end of ctx nor when the session ends with nil.
	Lost func(error)
	Log  *slog.Logger
}

// Hang is for how long one piece of a child's work may last unless its Spec says otherwise.
const Hang = 1200 * time.Millisecond

func (s *Spec) defaults() {
	s.Hang = cmp.Or(s.Hang, Hang)
	s.Start = cmp.Or(s.Start, 10*time.Second)
	s.Memory = cmp.Or(s.Memory, 1536<<20)
	if s.Lost == nil {
		s.Lost = func(error) {}
	}
	s.Log = cmp.Or(s.Log, slog.New(slog.DiscardHandler))
}

// Session speaks with one life of the child. It returns nil when the work is
// done, and an error when the child is of no more use. Its ctx ends when the
// child is lost; frames are read with conn.Read.
type Session func(ctx context.Context, conn *Conn) error

// longLife is the life after which a child is replaced at once; there is a backoff
// between lives that end early.
const longLife = 3 * time.Second

// Run keeps a child alive until ctx ends or a session ends with nil.
func Run(ctx context.Context, spec Spec, session Session) error {
	spec.defaults()
	var b backoff.Backoff
	for {
		born := time.Now()
		err := live(ctx, spec, session)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			return nil
		}
		spec.Log.Warn("child lost", "child", spec.Name, "why", err)
		spec.Lost(err)
		if time.Since(born) > longLife {
			b.Reset()
			continue
		}
		if err := b.Wait(ctx); err != nil {
			return err
		}
	}
}

// live is one life: start, session, watch, end.
func live(ctx context.Context, spec Spec, session Session) error {
	p, err := start(spec)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	exited := make(chan error, 1)
	go func() {
		err := p.cmd.Wait()
		cancel(fmt.Errorf("%s %w: %v%s", spec.Name, ErrDied, err, p.tail()))
		exited <- err
	}()
	var watch sync.WaitGroup
	watch.Go(func() { p.watch(ctx, cancel, spec) })
	stop := context.AfterFunc(ctx, p.kill)
	err = session(ctx, p.conn)
	if err != nil {
		// The pipe's end is seen before the reason for it: wait for that, on a machine that
		// is short of time for long.
		patience := 300 * time.Millisecond
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			patience = reasonLimit
		}
		select {
		case <-ctx.Done():
		case <-time.After(patience):
		}
	}
	cause := context.Cause(ctx)
	cancel(nil)
	p.end(exited)
	stop()
	watch.Wait()
	if err != nil && cause != nil {
		return cause // why the pipes broke says more than that they broke
	}
	return err
}

// proc is one running child.
type proc struct {
	cmd    *exec.Cmd
	conn   *Conn
	in     *os.File
	out    *os.File
	stderr *lastBytes

	mu    sync.Mutex
	since time.Time // of the last pong, or of the start
	alive bool      // it has answered once
	busy  time.Duration
	kept  []wait // oldest first, the last half minute's
}

// wait is how long in sum a child had been kept from a processor at a moment.
type wait struct {
	at  time.Time
	sum time.Duration
}

// graceLimit is how long a child on an overloaded machine is waited for at most. A new one
// would get no more of the machine, and has to begin from the start; one that is blocked
// waits for no processor and is found out at once all the same.
const graceLimit = 30 * time.Second

// reasonLimit is how long the reason is waited for why a child's pipe has ended.
const reasonLimit = 10 * time.Second

// watchEvery is how often a child is asked for a sign of life.
const watchEvery = 150 * time.Millisecond

func start(spec Spec) (*proc, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("%s: find own program: %w", spec.Name, err)
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		childIn.Close()
		in.Close()
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	now := time.Now()
	p := &proc{in: in, out: out, stderr: &lastBytes{max: 4 << 10}, since: now, kept: []wait{{at: now}}}
	args := slices.Clone(spec.Args)
	if spec.More != nil {
		args = append(args, spec.More()...)
	}
	p.cmd = exec.Command(exe, args...)
	p.cmd.Env = append(os.Environ(), spec.Env...)
	p.cmd.ExtraFiles = []*os.File{childIn, childOut}
	p.cmd.Stderr = p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	err = p.cmd.Start()
	childIn.Close()
	childOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, fmt.Errorf("%s: start: %w", spec.Name, err)
	}
	// When memory runs short the kernel should take a reader, not the server.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", p.cmd.Process.Pid), []byte("500"), 0)
	p.conn = newConn(&pongs{r: out, p: p}, in)
	return p, nil
}

func (p *proc) kill() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// end closes the child's input, which asks it to go, and kills it if it stays.
func (p *proc) end(exited <-chan error) {
	p.in.Close()
	select {
	case <-exited:
	case <-time.After(500 * time.Millisecond):
		p.kill()
		<-exited
	}
	p.out.Close()
}

// tail is the end of what the child wrote to its standard error.
func (p *proc) tail() string {
	s := strings.TrimSpace(p.stderr.String())
	if s == "" {
		return ""
	}
	if i := strings.LastIndexByte(s[:max(0, len(s)-1)], '\n'); i >= 0 && len(s)-i > 300 {
		s = s[i+1:]
	}
	return ": " + s[max(0, len(s)-300):]
}

// watch pings, and ends the life of a child that hangs or grows too large.
func (p *proc) watch(ctx context.Context, cancel context.CancelCauseFunc, spec Spec) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	pings := make(chan struct{}, 1)
	defer close(pings)
	go p.ping(pings)
	before := time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := time.Now() // on a busy machine a tick is old when it is taken
			select {
			case pings <- struct{}{}:
			default:
			}
			// What the child spent waiting for a processor is the machine's fault. The kernel
			// tells of a wait when it has ended: it may be longer than the time since the last look.
			waited := runqueue(p.cmd.Process.Pid)
			late := max(waited-before, 0)
			before = waited
			if err := p.hung(now, late, spec); err != nil {
				cancel(err)
				return
			}
			if rss := resident(p.cmd.Process.Pid); rss > spec.Memory {
				cancel(fmt.Errorf("%s %w: %d MiB of %d MiB", spec.Name, ErrMemory, rss>>20, spec.Memory>>20))
				return
			}
		}
	}
}

// ping asks for a sign of life; a child that does not read must not stop the watch.
func (p *proc) ping(when <-chan struct{}) {
	var b [8]byte
	for range when {
		if p.conn.Write(kindPing, b[:]) != nil {
			return
		}
	}
}

// hung reports whether the child has been silent, or at one piece of work, for too
// long; late of the time since the last question was not its own.
func (p *proc) hung(now time.Time, late time.Duration, spec Spec) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits(now, late)
	silent := now.Sub(p.since) - p.grace(p.since, now)
	busy := p.busy - p.grace(p.since.Add(-p.busy), now)
	may := spec.Hang
	if !p.alive {
		may = spec.Start
	}
	if silent <= may && busy <= spec.Hang {
		return nil
	}
	return fmt.Errorf("%s %w: silent for %v, at one piece of work for %v", spec.Name, ErrHung, max(silent, 0).Round(time.Millisecond), max(busy, 0).Round(time.Millisecond))
}

// waits notes that the child was kept from a processor for late until now.
func (p *proc) waits(now time.Time, late time.Duration) {
	sum := p.kept[len(p.kept)-1].sum + late
	for len(p.kept) > 1 && now.Sub(p.kept[0].at) > 3*graceLimit {
		p.kept = p.kept[1:]
	}
	p.kept = append(p.kept, wait{now, sum})
}

// grace is what a child is forgiven of the time since then: what it waited for a
// processor. It is asked of the whole time, and not only since the last word of the
// child: on a busy machine that comes late too.
func (p *proc) grace(since, now time.Time) time.Duration {
	i := sort.Search(len(p.kept), func(i int) bool { return p.kept[i].at.After(since) })
	return min(p.kept[len(p.kept)-1].sum-p.kept[max(i-1, 0)].sum, now.Sub(since), graceLimit)
}

// pongs takes the pongs out of the child's stream. They are seen as the session
// reads: a session hands on what it has read at once and reads again.
type pongs struct {
	r    io.Reader
	p    *proc
	left []byte // of the frame being handed on
	head [5]byte
	rest int
}

// Read hands on whole frames other than pongs.
func (s *pongs) Read(b []byte) (int, error) {
	for {
		if len(s.left) > 0 {
			n := copy(b, s.left)
			s.left = s.left[n:]
			return n, nil
		}
		if s.rest > 0 {
			n, err := s.r.Read(b[:min(len(b), s.rest)])
			s.rest -= n
			return n, err
		}
		if _, err := io.ReadFull(s.r, s.head[:]); err != nil {
			return 0, err
		}
		n := int(binary.BigEndian.Uint32(s.head[:4]))
		if Kind(s.head[4]) != kindPong {
			s.left, s.rest = s.head[:], n
			continue
		}
		if n != 16 {
			return 0, fmt.Errorf("pong of %d bytes", n)
		}
		var pong [16]byte
		if _, err := io.ReadFull(s.r, pong[:]); err != nil {
			return 0, err
		}
		s.p.mu.Lock()
		s.p.since, s.p.alive = time.Now(), true
		s.p.busy = time.Duration(binary.BigEndian.Uint64(pong[8:]))
		s.p.mu.Unlock()
	}
}

// resident is the resident size of a process in bytes, 0 when it has gone.
func resident(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	f := bytes.Fields(b)
	if len(f) < 2 {
		return 0
	}
	n, _ := strconv.ParseInt(string(f[1]), 10, 64)
	return n * int64(os.Getpagesize())
}

// runqueue is for how long the threads of a process have been ready to run and
// had no processor, in sum; 0 where the kernel does not tell (proc(5), schedstat).
func runqueue(pid int) time.Duration {
	var sum int64
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, t := range tasks {
		b, err := os.ReadFile(t)
		if f := bytes.Fields(b); err == nil && len(f) > 1 {
			n, _ := strconv.ParseInt(string(f[1]), 10, 64)
			sum += n
		}
	}
	return time.Duration(sum)
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct {
	mu  sync.Mutex
	max int
	b   []byte
}

func (l *lastBytes) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = append(l.b, p...)
	if n := len(l.b) - l.max; n > 0 {
		l.b = append(l.b[:0], l.b[n:]...)
	}
	return len(p), nil
}

func (l *lastBytes) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.b)
}
