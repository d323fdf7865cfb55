package replica

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"go.uber.org/goleak"

	"vision/internal/backoff"
	"vision/internal/config"
	"vision/internal/health"
	"vision/internal/testkit/bucket"
	"vision/internal/testkit/testvideo"
	"vision/stream/alert"
	"vision/stream/ledger"
	"vision/stream/record"
	"vision/stream/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	cam   = record.Camera{Table: "R1", Camera: "R1-1"}
	terms = config.ReplicaKeep{Ledger: 1000 * time.Hour, Recordings: 100 * time.Hour, Alerts: 300 * time.Hour,
		Actas: 2000 * time.Hour}
)

// room is a node's evidence, and a store.
type room struct {
	*testing.T
	data   string
	ledger *ledger.Ledger
	store  *record.Store
	health *health.Board
	place  config.Replica
	begun  time.Time
	safe   func(string) bool
}

// has reports whether a problem of a code holds, and for which object where one is given.
func (r *room) has(code, object string) bool {
	return slices.ContainsFunc(r.health.Present(), func(p health.Problem) bool {
		return p.Code == code && (object == "" || p.Object == object)
	})
}

func newRoom(t *testing.T, endpoint string) *room {
	r := &room{T: t, data: t.TempDir(), health: health.NewBoard(nil),
		begun: time.Now().Add(-11 * time.Minute).Truncate(time.Second)}
	r.place = config.Replica{Endpoint: endpoint, Region: "us-east-1", Bucket: bucket.Name, Prefix: "casa/node-1",
		AccessKey: bucket.Access, SecretKey: "secret", Lock: "compliance"}
	r.open()
	t.Cleanup(func() { _ = r.ledger.Close() })
	return r
}

func (r *room) open() {
	r.Helper()
	var err error
	if r.ledger, err = ledger.Open(filepath.Join(r.data, "ledger"), ledger.Options{}); err != nil {
		r.Fatal(err)
	}
	r.store, err = record.Open(filepath.Join(r.data, "recordings"), r.ledger, r.health, record.Options{
		Segment: time.Second, Keep: time.Hour, MinFree: -1,
		Safe: func(file string) bool { return r.safe == nil || r.safe(file) }})
	if err != nil {
		r.Fatal(err)
	}
}

// film records some seconds from a time on.
func (r *room) film(from time.Time) {
	r.Helper()
	ctx, stop := context.WithCancel(context.Background())
	rec := r.store.Recorder(cam.Table, cam.Camera)
	for _, u := range testvideo.Plain(from) {
		rec.Unit(u)
	}
	stop() // what waits is written all the same
	_ = rec.Run(ctx)
	if len(r.segments()) == 0 {
		r.Fatal("nothing was recorded")
	}
}

func (r *room) segments() []record.Segment {
	return r.store.Segments(cam, r.begun.Add(-time.Hour), r.begun.Add(time.Hour))
}

func (r *room) say(kind ledger.Kind, payload any) ledger.Entry {
	r.Helper()
	e, err := r.ledger.Append(kind, cam.Table, payload)
	if err != nil {
		r.Fatal(err)
	}
	return e
}

func (r *room) vault() *Vault {
	r.Helper()
	v, err := NewVault(r.place, nil)
	if err != nil {
		r.Fatal(err)
	}
	return v
}

// run starts a replica, which the returned function ends.
func (r *room) run() (*Replica, func()) {
	r.Helper()
	rep, err := Open(r.vault(), r.ledger, r.store, Config{Terms: terms, Data: r.data, Health: r.health,
		Pause: time.Millisecond, Retry: backoff.Backoff{First: time.Millisecond, Last: 5 * time.Millisecond}})
	if err != nil {
		r.Fatal(err)
	}
	r.safe = rep.Safe
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { _ = rep.Run(ctx); close(over) }()
	end := sync.OnceFunc(func() { cancel(); <-over; rep.vault.Close() })
	r.Cleanup(end)
	return rep, end
}

// await waits for a condition.
func (r *room) await(what string, is func() bool) {
	r.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(3 * time.Minute); !is(); <-tick.C {
		if time.Now().After(deadline) {
			r.Fatalf("%s did not come about; problems: %v", what, r.health.Present())
		}
	}
}

func (r *room) allSafe(rep *Replica) {
	r.Helper()
	r.await("all is safe", func() bool {
		s, err := rep.Status(), rep.follow()
		rep.mu.Lock()
		defer rep.mu.Unlock()
		return err == nil && s.Entries == 0 && s.Segments == 0 && len(rep.waiting) == 0
	})
}

// realServer is a room with a bucket of MinIO's.
func realServer(t *testing.T) (*room, *foreign) {
	t.Helper()
	f := minioServer(t)
	r := newRoom(t, f.url)
	r.place.AccessKey, r.place.SecretKey = foreignKey, foreignSecret
	r.make()
	return r, f
}

// make makes a bucket of its own, with Object Lock.
func (r *room) make() {
	r.Helper()
	r.place.Bucket = "vision-" + strings.ToLower(rand.Text())
	v := r.vault()
	defer v.Close()
	made := minio.MakeBucketOptions{Region: r.place.Region, ObjectLocking: true}
	if err := v.s3.MakeBucket(r.Context(), r.place.Bucket, made); err != nil {
		r.Fatal(err)
	}
}

// server is the bucket of these tests: MinIO's, where VISION_MINIO names its program; another real
// one, where VISION_S3 names its endpoint, with the credentials of AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY; else the one of the kit.
func server(t *testing.T) (r *room, fake *bucket.Bucket) {
	if os.Getenv("VISION_MINIO") != "" {
		r, _ = realServer(t)
		return r, nil
	}
	endpoint := os.Getenv("VISION_S3")
	if endpoint == "" {
		fake = bucket.New(t)
		return newRoom(t, fake.URL), fake
	}
	r = newRoom(t, endpoint)
	r.place.AccessKey, r.place.SecretKey = os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	r.place.Lock = "governance" // what is made there can be removed
	r.make()
	return r, nil
}

// Evidence goes to the store, each class for its own time; a restart sends nothing again;
// what is there makes a lost machine's data folder anew.
func TestEvidenceBecomesSafe(t *testing.T) {
	r, fake := server(t)
	r.film(r.begun)
	r.film(r.begun.Add(10 * time.Minute))
	segs := r.segments()
	rep, end := r.run()
	r.allSafe(rep)
	clip := alert.Clip{From: segs[0].From, To: segs[0].From.Add(time.Millisecond)}
	r.say(ledger.Alert, alert.Alert{ID: "a", Table: cam.Table, Clip: &clip})
	if err := r.store.Seal(record.SealSpan{Table: cam.Table, From: segs[1].From, To: segs[1].To, By: "ana"}); err != nil {
		t.Fatal(err)
	}
	acta := r.say(ledger.Acta, map[string]string{"id": "x"})
	r.allSafe(rep)
	state := func(name string) state {
		t.Helper()
		s, err := rep.vault.state(t.Context(), name, "")
		if err != nil || s.mode != rep.vault.mode.String() {
			t.Fatalf("%s: %+v, %v", name, s, err)
		}
		return s
	}
	for name, want := range map[string]time.Duration{
		"recordings/" + segs[0].File:           terms.Alerts,
		"recordings/" + segs[len(segs)-1].File: terms.Recordings,
		actaName(acta.Seq):                     terms.Actas,
		keyFile:                                terms.Ledger,
	} {
		if left := time.Until(state(name).until); left < want-12*time.Minute || left > want+2*time.Minute {
			t.Errorf("%s is locked for %s; want %s", name, left, want)
		}
	}
	if s := state("recordings/" + segs[1].File); !s.held {
		t.Error("what is sealed is not held")
	}
	if err := r.store.Release(cam.Table, segs[1].From, segs[1].To, "ana"); err != nil {
		t.Fatal(err)
	}
	r.allSafe(rep)
	if s := state("recordings/" + segs[1].File); s.held {
		t.Error("what was released is held")
	}
	end()
	r.check(0, len(segs))
	if err := os.Remove(filepath.Join(r.data, cursorFile)); err != nil {
		t.Fatal(err)
	}
	if fake != nil {
		puts := fake.Puts()
		rep, end = r.run()
		r.allSafe(rep)
		end()
		if fake.Puts() != puts {
			t.Errorf("%d objects were sent again", fake.Puts()-puts)
		}
	}
	r.restored(len(segs))
}

// check verifies the store, which has to have so many problems.
func (r *room) check(problems, segments int) Report {
	r.Helper()
	v := r.vault()
	defer v.Close()
	report, err := Verify(r.Context(), v, r.data, terms, nil)
	if err != nil {
		r.Fatal(err)
	}
	if len(report.Problems) != problems || report.Segments != segments {
		r.Errorf("%d segments, problems %q, notes %q; want %d and %d problems", report.Segments, report.Problems, report.Notes, segments, problems)
	}
	return report
}

// restored makes the folder anew and verifies it.
func (r *room) restored(segments int) {
	r.Helper()
	dest := filepath.Join(r.TempDir(), "new")
	v := r.vault()
	defer v.Close()
	did, err := Restore(r.Context(), v, dest, r.ledger.Public(), nil)
	if err != nil || did.Head != r.ledger.Head() || did.Segments != segments || len(did.Lacking) > 0 {
		r.Fatalf("%+v, %v; want head %v and %d segments", did, err, r.ledger.Head(), segments)
	}
	if _, err := Restore(r.Context(), v, dest, nil, nil); err == nil {
		r.Error("a folder was written over")
	}
	if err := os.WriteFile(filepath.Join(dest, unfinished), nil, 0o640); err != nil { // as if it had been broken off
		r.Fatal(err)
	}
	if did, err = Restore(r.Context(), v, dest, nil, nil); err != nil || did.Segments != segments {
		r.Errorf("going on: %+v, %v", did, err)
	}
	report, err := verify.Dir(dest, verify.Options{Key: r.ledger.Public(), Known: []ledger.Head{r.ledger.Head()}})
	if err != nil || !report.OK || report.Segments != segments {
		r.Errorf("the restored folder: %+v, %v", report, err)
	}
}

// While the store is away nothing that is not safe goes by its age; when it is back
// everything is caught up. That it takes long is said, and over when it is over.
func TestTheStoreIsAway(t *testing.T) {
	b := bucket.New(t)
	r := newRoom(t, b.URL)
	r.begun = time.Now().Add(-2 * time.Hour).Truncate(time.Second) // older than recordings are kept
	b.Refuse(func(*http.Request) (int, string) { return http.StatusServiceUnavailable, "SlowDown" })
	r.film(r.begun)
	n := len(r.segments())
	rep, end := r.run()
	r.await("an attempt", func() bool { return rep.Status().Fault != nil })
	r.store.Tidy()
	if got := len(r.segments()); got != n {
		t.Errorf("%d of %d segments are left although none is safe", got, n)
	}
	rep.look()
	if s := rep.Status(); !r.has(health.ReplicaBehind, "") || r.has(health.ReplicaRefused, "") ||
		s.Segments != n || s.Behind < time.Hour || s.Bytes == 0 {
		t.Errorf("%+v, problems %v", s, r.health.Present())
	}
	end()
	rep, end = r.run() // a restart changes nothing about it
	r.await("an attempt", func() bool { return rep.Status().Fault != nil })
	b.Refuse(nil)
	r.allSafe(rep)
	rep.look()
	r.store.Tidy()
	if got := len(r.segments()); got != 0 || len(r.health.Present()) > 0 {
		t.Errorf("%d segments are left, problems %v; want none", got, r.health.Present())
	}
	r.allSafe(rep)
	end()
	r.check(0, n) // the store has them still
}

// What the store refuses is said, with how to mend it; then it goes on.
func TestTheStoreRefuses(t *testing.T) {
	b := bucket.New(t)
	r := newRoom(t, b.URL)
	r.film(r.begun)
	b.Refuse(func(q *http.Request) (int, string) {
		if q.Method == http.MethodPut && strings.Contains(q.URL.Path, "/recordings/") {
			return http.StatusForbidden, "AccessDenied"
		}
		return 0, ""
	})
	rep, end := r.run()
	r.await("a refusal", func() bool { return r.has(health.ReplicaRefused, "") })
	r.await("the ledger to be safe all the same", func() bool { return rep.Status().Entries == 0 })
	b.Refuse(nil)
	r.allSafe(rep)
	r.await("no refusal", func() bool { return !r.has(health.ReplicaRefused, "") })
	end()
	for name, spoil := range map[string]func(*config.Replica, *bucket.Bucket){
		"another key":    func(p *config.Replica, _ *bucket.Bucket) { p.AccessKey = "other" },
		"no such bucket": func(p *config.Replica, _ *bucket.Bucket) { p.Bucket = "other" },
		"no Object Lock": func(_ *config.Replica, b *bucket.Bucket) { b.NoLock() },
		"does not lock":  func(_ *config.Replica, b *bucket.Bucket) { b.Deaf() },
	} {
		t.Run(name, func(t *testing.T) {
			b := bucket.New(t)
			r := newRoom(t, b.URL)
			spoil(&r.place, b)
			r.film(r.begun)
			rep, _ := r.run()
			r.await("a refusal", func() bool { return r.has(health.ReplicaRefused, "") })
			if s := rep.Status(); s.Entry != 0 || !errors.Is(s.Fault, ErrRefused) || rep.Safe(r.segments()[0].File) {
				t.Errorf("something counts as safe: %+v", s)
			}
		})
	}
}

// A prefix that has another ledger's replica is left alone, and so is one that is ahead of
// this ledger: that was put back to an earlier day.
func TestAReplicaIsOfOneLedger(t *testing.T) {
	b := bucket.New(t)
	r := newRoom(t, b.URL)
	r.film(r.begun)
	rep, end := r.run()
	r.allSafe(rep)
	end()
	other := newRoom(t, b.URL)
	_, end = other.run()
	other.await("a refusal", func() bool { return other.has(health.ReplicaRefused, "") })
	end()

	old := t.TempDir()
	if err := r.ledger.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.CopyFS(old, os.DirFS(r.data)), os.Chmod(filepath.Join(old, "ledger.key"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r.open()
	r.say(ledger.Node, nil)
	rep, end = r.run()
	r.allSafe(rep)
	end()
	if err := r.ledger.Close(); err != nil {
		t.Fatal(err)
	}
	r.data, r.health = old, health.NewBoard(nil)
	r.open()
	r.say(ledger.Node, map[string]string{"another": "past"})
	puts := b.Puts()
	_, end = r.run()
	r.await("a refusal", func() bool { return r.has(health.ReplicaRefused, "") })
	end()
	if b.Puts() != puts {
		t.Error("another past was sent beside the first")
	}
}

// Whoever has the node's rights to the store can neither change nor remove what is there,
// and what is laid over it is named; it does not come back with a restore.
func TestWhatIsSafeStays(t *testing.T) {
	r, _ := server(t)
	r.film(r.begun)
	n := len(r.segments())
	rep, end := r.run()
	r.allSafe(rep)
	end()
	v := r.vault()
	defer v.Close()
	file := v.key("recordings/" + r.segments()[0].File)
	versions, err := v.list(t.Context(), ledgerDir+"/")
	if err != nil || len(versions) == 0 {
		t.Fatal(versions, err)
	}
	if err := v.s3.RemoveObject(t.Context(), r.place.Bucket, v.key(versions[0].name),
		minio.RemoveObjectOptions{VersionID: versions[0].id}); err == nil {
		t.Error("a stretch of the ledger was removed")
	}
	for _, key := range []string{file, v.key(versions[0].name)} {
		err := v.s3.RemoveObject(t.Context(), r.place.Bucket, key, minio.RemoveObjectOptions{}) // a mark over it
		if err != nil {
			t.Fatal(err)
		}
		forged := strings.NewReader("forged")
		_, err = v.s3.PutObject(t.Context(), r.place.Bucket, key, forged, forged.Size(), minio.PutObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	report := r.check(1, n)
	if len(report.Problems) == 1 && !strings.Contains(report.Problems[0], "written again") {
		t.Error(report.Problems)
	}
	r.restored(n)
}

// A ledger that was rewritten with the node's own key is found out by the store, which
// names the first entry that differs.
func TestTheStoreKnowsThePast(t *testing.T) {
	b := bucket.New(t)
	r := newRoom(t, b.URL)
	for i := range 6 {
		r.say(ledger.Sensor, i)
	}
	rep, end := r.run()
	r.allSafe(rep)
	end()
	var lines []any
	for e := range r.ledger.Since(0) {
		lines = append(lines, e.Payload)
	}
	if err := errors.Join(r.ledger.Close(), os.RemoveAll(filepath.Join(r.data, "ledger"))); err != nil {
		t.Fatal(err)
	}
	r.open() // the same key, a new past
	for i, p := range lines {
		if i == 3 {
			p = "nothing happened"
		}
		r.say(ledger.Sensor, p)
	}
	report := r.check(1, 0)
	// Times differ, so that the forger's first entry is another already.
	if len(report.Problems) == 1 && !strings.Contains(report.Problems[0], "entry 1 is another here") {
		t.Error(report.Problems)
	}
}

// What is missing, changed or not locked in the store is named.
func TestAStoreThatLies(t *testing.T) {
	for name, x := range map[string]struct {
		tamper   func(o *bucket.Object)
		segments int // fewer
		say      string
	}{
		"lock gone":       {func(o *bucket.Object) { o.Mode = "" }, 1, "not locked"},
		"lock weaker":     {func(o *bucket.Object) { o.Mode = "GOVERNANCE" }, 1, "want COMPLIANCE"},
		"lock shorter":    {func(o *bucket.Object) { o.Until = time.Now().Add(time.Hour) }, 1, "locked until"},
		"content changed": {func(o *bucket.Object) { o.Body = append([]byte("x"), o.Body[1:]...) }, 1, "SHA-256"},
		"gone":            {func(o *bucket.Object) { o.Key = "elsewhere" }, 1, "is not in the store, although"},
	} {
		t.Run(name, func(t *testing.T) {
			b := bucket.New(t)
			r := newRoom(t, b.URL)
			r.film(r.begun)
			n, first := len(r.segments()), r.segments()[0].File
			rep, end := r.run()
			r.allSafe(rep)
			end()
			b.Tamper(func(o *bucket.Object) {
				if strings.HasSuffix(o.Key, first) {
					x.tamper(o)
				}
			})
			report := r.check(1, n-x.segments)
			if len(report.Problems) == 1 && !strings.Contains(report.Problems[0], x.say) {
				t.Errorf("%q does not say %q", report.Problems, x.say)
			}
		})
	}
}

// A recording that is not what the ledger lists is not sent as if it were; the others are.
func TestADamagedRecordingIsNotSent(t *testing.T) {
	b := bucket.New(t)
	r := newRoom(t, b.URL)
	r.film(r.begun)
	segs := r.segments()
	path := filepath.Join(r.data, "recordings", segs[0].File)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(path, raw, 0o640); err != nil {
		t.Fatal(err)
	}
	rep, end := r.run()
	r.allSafe(rep)
	end()
	sent := slices.ContainsFunc(b.Objects(""), func(o bucket.Object) bool { return strings.HasSuffix(o.Key, segs[0].File) })
	if sent || !r.has(health.ReplicaRefused, segs[0].File) {
		t.Errorf("sent %v, problems %v", sent, r.health.Present())
	}
}
