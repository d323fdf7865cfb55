package console

import "testing"

// What follows a log-in is a page of this console, however a browser reads the address.
func TestLocal(t *testing.T) {
	for next, want := range map[string]string{
		"/":                         "/",
		"/wall?tables=BJ1,R1":       "/wall?tables=BJ1,R1",
		"/review/2026-11-29?at=1#x": "/review/2026-11-29?at=1#x",
		"":                          "/",
		"wall":                      "/",
		"//evil.example":            "/",
		"/\t/evil.example":          "/",
		"/\n/evil.example":          "/",
		"\t//evil.example":          "/",
		"/%09/evil.example":         "/",
		"/%0d%0a/evil.example":      "/",
		"/%2f/evil.example":         "/",
		`/\evil.example`:            "/",
		"/%5cevil.example":          "/",
		"https://evil.example":      "/",
		"javascript:alert(1)":       "/",
		"/\x00":                     "/",
	} {
		if got := local(next); got != want {
			t.Errorf("%q: %q, want %q", next, got, want)
		}
	}
}
