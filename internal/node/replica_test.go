package node

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"vision/internal/testkit/bucket"
	"vision/stream/checkpoint"
	"vision/stream/console"
	"vision/stream/ledger"
	"vision/stream/replica"
	"vision/stream/verify"
	"vision/stream/witness"
)

// What a node records and notes goes to a store and is cosigned by another node; the
// machine's folder can be made anew from there.
func TestEvidenceLeavesTheMachine(t *testing.T) {
	t.Parallel()
	b := bucket.New(t)
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, "other", "ledger"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	key, err := witness.LoadKey(filepath.Join(dir, "witness.key"), "casa-2")
	if err != nil {
		t.Fatal(err)
	}
	other, err := checkpoint.Key(l.Public())
	if err != nil {
		t.Fatal(err)
	}
	peer := httptest.NewUnstartedServer(nil)
	t.Cleanup(peer.Close)
	h := newHouse(t, fmt.Sprintf(`
replica: {endpoint: '%s', bucket: %s, prefix: casa-1, access_key: %s, secret_key: x}
witness: {every: 1s, cosigned: [{url: 'http://%s', key: '%s'}], listen: '127.0.0.1:0', name: casa-1, logs: ['%s']}
`, b.URL, bucket.Name, bucket.Access, peer.Listener.Addr(), key.Public(), other))
	h.seat("R1", "one", "")
	n, stop := h.run()
	own, err := checkpoint.Key(n.ledger.Public())
	if err != nil {
		t.Fatal(err)
	}
	w, err := witness.New(filepath.Join(dir, "witness"), key, []string{own}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	peer.Config.Handler = w
	peer.Start()
	h.await("a segment", func() bool {
		return n.replica.Status().Segments > 0 || len(b.Objects("casa-1/recordings/")) > 0
	})
	stop()
	n, stop = h.run() // goes on with what was not sent
	var health struct{ Machine console.MachineHealth }
	h.await("all that was recorded before to be safe", func() bool {
		h.call("GET", "/api/v1/health", nil, &health)
		return health.Machine.Replica != nil && health.Machine.Replica.Entry > 0 && len(b.Objects("casa-1/recordings/")) > 0
	})
	h.await("a checkpoint", func() bool {
		kept, err := checkpoint.ReadKept(filepath.Join(dir, "witness"))
		return err == nil && len(kept) > 0
	})
	h.cosigned(n, l, other)
	res, err := h.client.Get("http://" + h.addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil || !strings.Contains(string(text), "\nvision_replica_entry ") {
		t.Errorf("the metrics do not tell of the replica: %v", err)
	}
	stop()
	v, err := replica.NewVault(*n.cfg.Replica, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	dest := filepath.Join(dir, "restored")
	did, err := replica.Restore(t.Context(), v, dest, n.ledger.Public(), nil)
	if err != nil || did.Segments == 0 || len(did.Lacking) > 0 {
		t.Fatalf("%+v, %v", did, err)
	}
	vouches, err := witness.NewVerifier(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	report, err := verify.Dir(dest, verify.Options{Key: n.ledger.Public(), Witnesses: []note.Verifier{vouches},
		Checkpoints: []string{filepath.Join(dir, "witness")}})
	if err != nil || !report.OK || report.Segments != did.Segments {
		t.Errorf("%+v, %v", report, err)
	}
}

// cosigned has this node cosign a checkpoint of another's ledger.
func (h *house) cosigned(n *Node, l *ledger.Ledger, key string) {
	h.t.Helper()
	if _, err := l.Append(ledger.Node, "", nil); err != nil {
		h.t.Fatal(err)
	}
	var e checkpoint.Edge
	e.Add(checkpoint.Leaf(l.Head().Hash))
	c, err := checkpoint.Sign(l, 1, e.Root())
	if err != nil {
		h.t.Fatal(err)
	}
	res, err := h.client.Post("http://"+n.cosigning.ln.Addr().String()+"/add-checkpoint", "text/plain", bytes.NewBufferString("old 0\n\n"+c.Note))
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	line, err := io.ReadAll(res.Body)
	if err != nil || !strings.HasPrefix(string(line), "— casa-1 ") {
		h.t.Errorf("%s: %s: %q, %v", key, res.Status, line, err)
	}
}
