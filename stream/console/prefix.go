package console

import (
	"bytes"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A console below a path of a proxy, like https://host/vision/: what is asked below that path
// is answered as if it were asked without, and what answers name of the console's own paths
// has it before. A proxy may strip it, or leave it on.

// roots are the first names of all the console's paths, as they stand in pages and scripts.
var roots = []string{
	"account", "actas", "api", "assets", "audit", "calibrate", "configuration", "health", "livez", "login", "logout",
	"metrics", "preview", "readyz", "review", "sessions", "setup", "statistics", "supervision", "terminal", "thresholds",
	"tour", "users", "whep",
}

// ownPath is one of the console's paths in a page or script: a text that begins with it. A lone
// "/" is the wall, but for what a text is split by.
var ownPath = regexp.MustCompile("(split\\()?([\"'`])/((?:" + strings.Join(roots, "|") + ")\\b|[\"'])")

// below takes the prefix off what is asked, and puts it before where answers lead.
func (s *Server) below(next http.Handler) http.Handler {
	prefix := s.cfg.Prefix
	if prefix == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, below := strings.CutPrefix(r.URL.Path, prefix)
		switch {
		case below && rest == "":
			http.Redirect(w, r, prefix+"/", http.StatusPermanentRedirect)
		case below && rest[0] == '/':
			http.StripPrefix(prefix, next).ServeHTTP(&prefixed{w, prefix, false}, r)
		case slices.Contains(s.cfg.Proxies, hostOf(r)): // it has stripped it
			next.ServeHTTP(&prefixed{w, prefix, false}, r)
		default: // of this machine, or of another member
			next.ServeHTTP(w, r)
		}
	})
}

// prefixed writes an answer that leads to other paths of the console.
type prefixed struct {
	http.ResponseWriter
	prefix string
	begun  bool
}

// Unwrap is for http.ResponseController.
func (w *prefixed) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *prefixed) WriteHeader(status int) {
	to := w.Header().Get("Location")
	if !w.begun && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && !strings.HasPrefix(to, w.prefix+"/") {
		w.Header().Set("Location", w.prefix+to)
	}
	w.begun = w.begun || status >= http.StatusOK
	w.ResponseWriter.WriteHeader(status)
}

// asset serves a file of the pages; in pages and scripts the console's paths have its prefix.
func (s *Server) asset(w http.ResponseWriter, r *http.Request, name string) {
	if ext := path.Ext(name); s.cfg.Prefix == "" || ext != ".html" && ext != ".js" {
		http.ServeFileFS(w, r, s.pages, name)
		return
	}
	b, err := fs.ReadFile(s.pages, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(withPrefix(b, s.cfg.Prefix)))
}

// withPrefix is a page or a script with a prefix before the console's paths.
func withPrefix(text []byte, prefix string) []byte {
	return ownPath.ReplaceAllFunc(text, func(m []byte) []byte {
		if bytes.HasPrefix(m, []byte("split(")) {
			return m
		}
		return slices.Concat(m[:1], []byte(prefix), m[1:])
	})
}
