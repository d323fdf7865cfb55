package console

import (
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"crypto/sha256"
	"encoding/hex"

	"vision/stream/evidence"
	"vision/stream/remote"
	"vision/stream/verify"
)

// `vision export --node`: log in with password and code, make a case, fetch it.
func TestExportFromARunningNode(t *testing.T) {
	r := newRoom(t)
	begin := r.recorded(t, "bj1")
	secret, _ := r.enrol(t, r.as(t, "director"))
	tls := httptest.NewTLSServer(r.Config.Handler)
	defer tls.Close()
	sum := sha256.Sum256(tls.Certificate().Raw)
	pin := hex.EncodeToString(sum[:])
	c, err := remote.New(tls.URL, remote.Options{Pin: pin})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	want := evidence.New("Pago dudoso", "director", []string{"BJ1"}, begin.Add(5*time.Second), begin.Add(25*time.Second), "")
	if _, err := c.Make(ctx, want); err == nil || !strings.Contains(err.Error(), "log in") {
		t.Errorf("a stranger: %v", err)
	}
	if err := c.Login(ctx, "director", "wrong"); err == nil || errors.Is(err, remote.ErrCode) {
		t.Errorf("a wrong password: %v", err)
	}
	if err := c.Login(ctx, "director", "correcto"); !errors.Is(err, remote.ErrCode) {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(secret, time.Now().Add(30*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Code(ctx, code); err != nil {
		t.Fatal(err)
	}
	made, err := c.Make(ctx, want)
	if err != nil || made.By != "director" || made.Title != want.Title || !made.From.Equal(want.From) {
		t.Fatalf("%+v, %v", made, err)
	}
	r.caught(t)
	path := filepath.Join(t.TempDir(), "case.zip")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Fetch(ctx, made.ID, out), out.Close()); err != nil {
		t.Fatal(err)
	}
	if rep, err := verify.Case(path, verify.Options{}); err != nil || !rep.OK || rep.ID != made.ID {
		t.Errorf("%+v, %v", rep, err)
	}
	if err := c.Fetch(ctx, "none", out); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("no such case: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	other, err := remote.New(tls.URL, remote.Options{Pin: strings.Repeat("0", 64)})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Login(ctx, "director", "correcto"); err == nil || !strings.Contains(err.Error(), "another certificate") {
		t.Errorf("another certificate: %v", err)
	}
	for _, bad := range [][2]string{{"ftp://x", ""}, {"", ""}, {tls.URL, "xyz"}} {
		if _, err := remote.New(bad[0], remote.Options{Pin: bad[1]}); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	r.audited(t, "director export", "director logout")
}
