package witness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/mod/sumdb/note"

	"vision/internal/health"
	"vision/stream/checkpoint"
	"vision/stream/ledger"
	"vision/stream/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var quiet = slog.New(slog.DiscardHandler)

// node is a ledger and its keeper.
type node struct {
	*testing.T
	data   string
	ledger *ledger.Ledger
	health *health.Board
}

// has reports whether a problem of a code holds.
func (n *node) has(code string) bool {
	return slices.ContainsFunc(n.health.Present(), func(p health.Problem) bool { return p.Code == code })
}

func newNode(t *testing.T) *node {
	n := &node{T: t, data: t.TempDir(), health: health.NewBoard(nil)}
	n.open()
	return n
}

func (n *node) open() {
	n.Helper()
	l, err := ledger.Open(filepath.Join(n.data, "ledger"), ledger.Options{})
	if err != nil {
		n.Fatal(err)
	}
	n.ledger = l
	n.Cleanup(func() { _ = l.Close() })
}

func (n *node) say(what ...string) {
	n.Helper()
	for _, w := range what {
		if _, err := n.ledger.Append(ledger.Sensor, "R1", w); err != nil {
			n.Fatal(err)
		}
	}
}

func (n *node) key() string {
	n.Helper()
	key, err := checkpoint.Key(n.ledger.Public())
	if err != nil {
		n.Fatal(err)
	}
	return key
}

func (n *node) keeper(cfg Config) *Keeper {
	n.Helper()
	cfg.Data, cfg.Health, cfg.Log, cfg.Every = n.data, n.health, quiet, time.Millisecond
	k, err := OpenKeeper(n.ledger, cfg)
	if err != nil {
		n.Fatal(err)
	}
	return k
}

// checkpoint makes one now.
func (n *node) checkpoint(w *served) {
	n.Helper()
	k := n.keeper(Config{Witnesses: []*Client{w.client(n)}})
	defer k.Close()
	if done, err := k.make(n.Context()); err != nil || !done {
		n.Fatalf("done %v, %v, problems %+v", done, err, n.health.Present())
	}
}

// served is a witness behind HTTP.
type served struct {
	*Witness
	url string
	key string
}

func serve(t *testing.T, dir string, logs ...string) *served {
	t.Helper()
	key, err := LoadKey(filepath.Join(dir, "witness.key"), "casa-2")
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(filepath.Join(dir, "witness"), key, logs, quiet)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(w)
	t.Cleanup(s.Close)
	return &served{w, s.URL, key.Public()}
}

func (s *served) client(n *node) *Client {
	n.Helper()
	c, err := NewClient(s.url, s.key, nil)
	if err != nil {
		n.Fatal(err)
	}
	return c
}

func (s *served) verifier(t *testing.T) []note.Verifier {
	t.Helper()
	v, err := NewVerifier(s.key)
	if err != nil {
		t.Fatal(err)
	}
	return []note.Verifier{v}
}

// verified checks the data folder with what the witness has kept.
func (n *node) verified(w *served) verify.Report {
	n.Helper()
	r, err := verify.Dir(n.data, verify.Options{Key: n.ledger.Public(), Witnesses: w.verifier(n.T),
		Checkpoints: []string{w.file(checkpoint.Origin(n.ledger.Public()))}})
	if err != nil {
		n.Fatal(err)
	}
	return r
}

// rewrite forges the whole ledger with the node's own key, so that the chain, the
// signatures and the head are right.
func (n *node) rewrite(change func(payloads []string) []string) {
	n.Helper()
	var payloads []string
	for e, err := range n.ledger.Since(0) {
		if err != nil {
			n.Fatal(err)
		}
		payloads = append(payloads, strings.Trim(string(e.Payload), `"`))
	}
	first, times := 0, []time.Time{}
	for e := range n.ledger.Since(0) {
		times = append(times, e.Time)
	}
	if err := errors.Join(n.ledger.Close(), os.RemoveAll(filepath.Join(n.data, "ledger")),
		os.RemoveAll(filepath.Join(n.data, checkpoint.Dir))); err != nil {
		n.Fatal(err)
	}
	var err error
	clock := func() time.Time { // the forger sets his
		first++
		return times[min(first, len(times))-1]
	}
	n.ledger, err = ledger.Open(filepath.Join(n.data, "ledger"), ledger.Options{Now: clock})
	if err != nil {
		n.Fatal(err)
	}
	n.Cleanup(func() { _ = n.ledger.Close() })
	n.say(change(payloads)...)
}

// An attacker who has the node's key rewrites its past: the ledger by itself is in order,
// and what a witness has cosigned says between which entries it is another.
func TestAPastThatIsRewrittenWithTheNodesKey(t *testing.T) {
	for name, x := range map[string]struct {
		change func([]string) []string
		say    string
	}{
		"changed":   {func(p []string) []string { p[6] = "nothing happened"; return p }, "entries 6 to 8 are not those that were signed, seen by casa-2"},
		"first":     {func(p []string) []string { p[0] = "x"; return p }, "entries 1 to 5 are not"},
		"taken out": {func(p []string) []string { return slices.Delete(p, 8, 9) }, "entries 9 to 10 are not those"},
		"cut off":   {func(p []string) []string { return p[:9] }, "the ledger ends at entry 9, and 10 entries were signed, seen by casa-2"},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNode(t)
			w := serve(t, t.TempDir(), n.key())
			n.say("1", "2", "3", "4", "5")
			n.checkpoint(w)
			n.say("6", "7", "8")
			n.checkpoint(w)
			n.say("9", "10")
			n.checkpoint(w)
			n.say("11")
			if r := n.verified(w); !r.OK || r.Checkpoints.Checkpoints != 3 || r.Checkpoints.Cosigned["casa-2"].Entries != 10 {
				t.Fatalf("before: %+v", r)
			}
			n.rewrite(x.change)
			alone, err := verify.Dir(n.data, verify.Options{Key: n.ledger.Public()})
			if err != nil || !alone.OK {
				t.Fatalf("the forgery is not good enough: %+v, %v", alone, err)
			}
			r := n.verified(w)
			if got := strings.Join(r.Checkpoints.Problems, "; "); r.OK || !strings.Contains(got, x.say) {
				t.Errorf("%q; want %q", got, x.say)
			}
			n.say("later", "later", "later")
			k := n.keeper(Config{Witnesses: []*Client{w.client(n)}})
			defer k.Close()
			if done, err := k.make(t.Context()); done || err != nil || !n.has(health.WitnessRefused) {
				t.Errorf("the witness goes along: done %v, %v, problems %+v", done, err, n.health.Present())
			}
		})
	}
}

// A witness that is away costs nothing but its cosignatures; when it is back the newest
// checkpoint covers what was missed. A restart of either changes nothing.
func TestAWitnessIsAway(t *testing.T) {
	n := newNode(t)
	dir := t.TempDir()
	w := serve(t, dir, n.key())
	n.say("1", "2")
	n.checkpoint(w)
	gone := w.client(n)
	gone.url = "http://127.0.0.1:1/add-checkpoint"
	k := n.keeper(Config{Witnesses: []*Client{gone}})
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { _ = k.Run(ctx); close(over) }()
	n.say("3", "4")
	await(t, func() bool { return n.has(health.WitnessDown) })
	stop()
	<-over
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	w = serve(t, dir, n.key()) // it was started again, too
	k = n.keeper(Config{Witnesses: []*Client{w.client(n)}})
	ctx, stop = context.WithCancel(t.Context())
	over = make(chan struct{})
	go func() { _ = k.Run(ctx); close(over) }()
	await(t, func() bool { return !n.has(health.WitnessDown) })
	n.say("5")
	await(t, func() bool { return n.verified(w).Checkpoints.Cosigned["casa-2"].Entries == 5 })
	stop()
	<-over
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if r := n.verified(w); !r.OK {
		t.Errorf("%+v", r)
	}
}

func await(t *testing.T, is func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(3 * time.Minute); !is(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatal("it did not come about")
		}
	}
}

// clock stamps with the time of a test.
type clock struct {
	at   time.Time
	fail error
	n    int
}

func (c *clock) String() string { return "tsa" }

func (c *clock) Stamp(_ context.Context, text []byte) ([]byte, error) {
	c.n++
	return append([]byte(c.at.Format(time.RFC3339)+" "), text...), c.fail
}

func (c *clock) check(token, text []byte) (time.Time, error) {
	at, of, _ := strings.Cut(string(token), " ")
	if of != string(text) {
		return time.Time{}, errors.New("of another text")
	}
	return time.Parse(time.RFC3339, at)
}

// A checkpoint is time-stamped as often as is asked for; a service that is away is named.
func TestCheckpointsAreStamped(t *testing.T) {
	n := newNode(t)
	c := &clock{at: time.Date(2026, 11, 26, 1, 0, 0, 0, time.UTC), fail: errors.New("away")}
	k := n.keeper(Config{Stamper: c, Stamps: time.Hour, Now: func() time.Time { return c.at }})
	defer k.Close()
	step := func(after time.Duration, fail error) {
		t.Helper()
		c.at, c.fail = c.at.Add(after), fail
		n.say("x")
		if done, err := k.make(t.Context()); !done || err != nil {
			t.Fatal(done, err)
		}
	}
	step(0, errors.New("away"))
	if !n.has(health.TimestampDown) {
		t.Error("nothing is said of it")
	}
	step(time.Minute, nil)
	step(time.Minute, nil)
	step(time.Hour, nil)
	if c.n != 3 || n.has(health.TimestampDown) {
		t.Errorf("asked %d times, want 3; problems %+v", c.n, n.health.Present())
	}
	r, err := verify.Dir(n.data, verify.Options{Key: n.ledger.Public(), Stamps: c.check})
	if s := r.Checkpoints.Stamped; err != nil || !r.OK || s == nil || *s != (checkpoint.Cosigned{Entries: 4, At: c.at}) {
		t.Errorf("%+v, %v", r.Checkpoints, err)
	}
	bad := func(_, text []byte) (time.Time, error) { return c.check([]byte("x"), text) }
	if r, err = verify.Dir(n.data, verify.Options{Key: n.ledger.Public(), Stamps: bad}); err != nil || r.OK {
		t.Errorf("a false time stamp: %+v, %v", r.Checkpoints, err)
	}
}

// A checkpoint goes no further than what is safe elsewhere, if that is asked for.
func TestACheckpointWaitsForWhatIsSafe(t *testing.T) {
	n := newNode(t)
	w := serve(t, t.TempDir(), n.key())
	n.say("1", "2", "3")
	safe := uint64(0)
	k := n.keeper(Config{Witnesses: []*Client{w.client(n)}, Safe: func(uint64) uint64 { return safe }})
	defer k.Close()
	for _, x := range []struct {
		safe uint64
		done bool
	}{{0, false}, {2, false}, {3, true}} {
		safe = x.safe
		if done, err := k.make(t.Context()); err != nil || done != x.done || k.last != x.safe {
			t.Errorf("safe %d: done %v at %d, %v", x.safe, done, k.last, err)
		}
	}
}

// What https://c2sp.org/tlog-witness says of answers.
func TestTheProtocol(t *testing.T) {
	n := newNode(t)
	other := newNode(t)
	w := serve(t, t.TempDir(), n.key())
	n.say("1", "2", "3", "4", "5", "6")
	other.say("x", "y")
	tree := func(n *node) *checkpoint.Tree {
		k := n.keeper(Config{})
		t.Cleanup(func() { _ = k.Close() })
		if err := k.follow(); err != nil {
			t.Fatal(err)
		}
		return k.tree
	}
	own := tree(n)
	at := func(size uint64) string {
		root, err := own.Root(size)
		if err != nil {
			t.Fatal(err)
		}
		c, err := checkpoint.Sign(n.ledger, size, root)
		if err != nil {
			t.Fatal(err)
		}
		return c.Note
	}
	proof := func(old, size uint64) (out string) {
		p, err := own.Prove(old, size)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range p {
			out += h.String() + "\n"
		}
		return out
	}
	forged, err := checkpoint.Sign(n.ledger, 6, [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	same, err := checkpoint.Sign(n.ledger, 4, [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := checkpoint.Sign(other.ledger, 2, [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	unsigned := at(2)[:strings.Index(at(2), "\n\n")+2] + "— casa-2 " + strings.Repeat("A", 96) + "\n"
	for _, x := range []struct {
		what, body string
		status     int
		said       string
	}{
		{"nothing", "", 400, ""},
		{"no old", "0\n\n" + at(2), 400, ""},
		{"a sign", "old +0\n\n" + at(2), 400, ""},
		{"no hash", "old 0\nAAAA\n\n" + at(2), 400, ""},
		{"too long", "old 0\n\n" + strings.Repeat("x", maxBody), 400, ""},
		{"a log that is not known", "old 0\n\n" + foreign.Note, 404, ""},
		{"not signed", "old 0\n\n" + unsigned, 403, ""},
		{"old beyond it", "old 3\n\n" + at(2), 400, ""},
		{"the wrong old, at first", "old 1\n" + proof(1, 2) + "\n" + at(2), 409, "0\n"},
		{"a proof of nothing", "old 0\n" + proof(1, 2) + "\n" + at(2), 422, ""},
		{"the first", "old 0\n\n" + at(2), 200, "— casa-2 "},
		{"again", "old 2\n\n" + at(2), 200, "— casa-2 "},
		{"from the start", "old 0\n\n" + at(4), 409, "2\n"},
		{"no proof", "old 2\n\n" + at(4), 422, ""},
		{"another proof", "old 2\n" + proof(3, 4) + "\n" + at(4), 422, ""},
		{"the next", "old 2\n" + proof(2, 4) + "\n" + at(4), 200, "— casa-2 "},
		{"another tree of this size", "old 4\n\n" + same.Note, 409, "4\n"},
		{"another future", "old 4\n" + proof(4, 6) + "\n" + forged.Note, 422, ""},
		{"the last", "old 4\n" + proof(4, 6) + "\n" + at(6), 200, "— casa-2 "},
	} {
		res, err := http.Post(w.url+"/add-checkpoint", "text/plain", strings.NewReader(x.body))
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != x.status || !strings.HasPrefix(string(said), x.said) {
			t.Errorf("%s: %s %q, %v; want %d %q", x.what, res.Status, said, err, x.status, x.said)
		}
		if is := res.Header.Get("Content-Type") == "text/x.tlog.size"; is != (x.status == 409) {
			t.Errorf("%s: type %s", x.what, res.Header.Get("Content-Type"))
		}
		_ = res.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	kept, err := checkpoint.ReadKept(w.file(checkpoint.Origin(n.ledger.Public())))
	if err != nil || len(kept) != 4 {
		t.Errorf("%d checkpoints are kept, %v; want 4", len(kept), err)
	}
}

// A witness that is killed while it writes has not answered: the line is cut off.
func TestATornLineOfAWitness(t *testing.T) {
	n := newNode(t)
	dir := t.TempDir()
	w := serve(t, dir, n.key())
	n.say("1")
	n.checkpoint(w)
	path := w.file(checkpoint.Origin(n.ledger.Public()))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"note":"vis`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	w = serve(t, dir, n.key())
	n.say("2")
	n.checkpoint(w)
	if r := n.verified(w); !r.OK || r.Checkpoints.Cosigned["casa-2"].Entries != 2 {
		t.Errorf("%+v", r)
	}
}

// A witness whose newest line is no checkpoint does not begin anew: it would cosign another
// past.
func TestASpoiltFileOfAWitness(t *testing.T) {
	n := newNode(t)
	dir := t.TempDir()
	w := serve(t, dir, n.key())
	n.say("1")
	n.checkpoint(w)
	path := w.file(checkpoint.Origin(n.ledger.Public()))
	if err := checkpoint.Append(path, checkpoint.Kept{Note: "vision/x\n"}); err != nil {
		t.Fatal(err)
	}
	if _, err := New(w.dir, w.Witness.key, []string{n.key()}, quiet); !errors.Is(err, checkpoint.ErrForeign) {
		t.Errorf("%v", err)
	}
}

func TestKeysAreTheHouses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "witness.key")
	a, err := LoadKey(path, "casa-2")
	if err != nil {
		t.Fatal(err)
	}
	b, err := LoadKey(path, "another name")
	if err != nil || a.Public() != b.Public() || !strings.HasPrefix(a.Public(), "casa-2+") {
		t.Errorf("%s, %v; want %s", b.Public(), err, a.Public())
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(path, ""); err == nil {
		t.Error("a key that others may read is taken")
	}
	for _, bad := range []string{"", "casa-2", a.Public() + "x"} {
		if _, err := NewVerifier(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzParseRequest(f *testing.F) {
	f.Add("old 0\n\nvision/x\n1\nAAAA\n\n— x AAAA\n")
	f.Add("old 7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\nx\n")
	f.Fuzz(func(t *testing.T, body string) {
		q, err := parseRequest(strings.NewReader(body))
		if err != nil {
			return
		}
		again := fmt.Sprintf("old %d\n", q.old)
		for _, h := range q.proof {
			again += h.String() + "\n"
		}
		if again += "\n" + q.note; again != body {
			t.Errorf("%q is read as %q", body, again)
		}
		if _, err := checkpoint.Parse(q.note, note.VerifierList()); err == nil {
			t.Error("nobody's signature is taken")
		}
	})
}
