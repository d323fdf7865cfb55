// Package browser lets tests ask a real Chromium what it makes of our bytes.
package browser

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"
)

// Ask opens page, an HTML document, in headless Chromium and returns what its
// script hands to the function done(text). handle serves everything else that
// the page fetches. Names that end in .test are this machine's too, but of no origin that
// a browser trusts without TLS, as another machine's. Without Chromium the test is skipped.
func Ask(t *testing.T, page string, handle http.Handler) string {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("SKIPPED: chromium is not installed, nothing was tried in a real browser")
	}
	if testing.Short() {
		t.Skip("SKIPPED by -short: starts a browser")
	}
	said := make(chan string, 16)
	mux := http.NewServeMux()
	mux.HandleFunc("/test-page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin") // as the console's pages, which it may open
		_, _ = io.WriteString(w, `<!doctype html><script>
			const done = text => fetch("/test-done", {method: "POST", body: String(text)});
			onerror = m => done("error: " + m); onunhandledrejection = e => done("error: " + e.reason);
			</script>`+page)
	})
	mux.HandleFunc("/test-done", func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		select {
		case said <- string(b):
		default:
		}
	})
	mux.Handle("/", handle)
	srv := httptest.NewServer(mux)
	defer srv.Close()
	defer srv.CloseClientConnections()
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-popup-blocking", "--host-resolver-rules=MAP *.test 127.0.0.1", "--window-size=1600,900",
		"--autoplay-policy=no-user-gesture-required", "--user-data-dir="+t.TempDir(), srv.URL+"/test-page")
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = cmd.Wait()
		time.Sleep(200 * time.Millisecond) // its helpers let go of the profile folder
	}()
	select {
	case s := <-said:
		return s
	case <-ctx.Done():
		t.Fatal("the browser said nothing")
		return ""
	}
}
