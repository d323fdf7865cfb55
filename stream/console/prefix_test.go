package console

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vision/internal/testkit/browser"
)

// Every path that the console answers to begins with one of the roots, and no root is left over.
func TestRoots(t *testing.T) {
	r, used := newRoom(t), map[string]bool{}
	var all []string
	for _, route := range r.srv.routes() {
		all = append(all, route.pattern)
	}
	for pattern := range doors {
		all = append(all, pattern)
	}
	for _, pattern := range append(all, "GET /assets/", "POST /whep/{camera}") {
		_, path, _ := strings.Cut(pattern, " ")
		root, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if used[root] = true; root != "" && root != "{$}" && !slices.Contains(roots, root) {
			t.Errorf("%q of %s is no root", root, pattern)
		}
	}
	for _, root := range roots {
		if !used[root] {
			t.Errorf("nothing answers below %q", root)
		}
	}
}

func TestWithPrefix(t *testing.T) {
	for text, want := range map[string]string{
		`<a href="/">`:                      `<a href="/vision/">`,
		`<script src="/assets/a.js">`:       `<script src="/vision/assets/a.js">`,
		"get(`/api/v1/x/${id}`)":            "get(`/vision/api/v1/x/${id}`)",
		`x.split('/')`:                      `x.split('/')`,
		`api('/live'), post(of + '/reset')`: `api('/live'), post(of + '/reset')`,
		`'/setups', '/setup?draft=1'`:       `'/setups', '/vision/setup?draft=1'`,
		`q.get('next') ?? '/'`:              `q.get('next') ?? '/vision/'`,
	} {
		if got := string(withPrefix([]byte(text), "/vision")); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A console below a path: through a proxy that leaves the path on, and through one that strips it.
func TestBelowAPath(t *testing.T) {
	r := newRoom(t)
	cfg := r.srv.cfg
	cfg.Proxies, cfg.Prefix = []string{"127.0.0.1"}, "/casa/vision"
	srv, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	back := httptest.NewServer(srv.Handler())
	defer back.Close()
	to, err := url.Parse(back.URL)
	if err != nil {
		t.Fatal(err)
	}
	keep := httputil.NewSingleHostReverseProxy(to)
	for name, proxy := range map[string]http.Handler{"kept": keep, "stripped": http.StripPrefix(cfg.Prefix, keep)} {
		t.Run(name, func(t *testing.T) {
			var jar []*http.Cookie
			ask := func(method, path, body string) *http.Response {
				q := httptest.NewRequest(method, "https://casa.example"+path, strings.NewReader(body))
				q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				for _, c := range jar {
					q.AddCookie(c)
				}
				w := httptest.NewRecorder()
				proxy.ServeHTTP(w, q)
				if c := w.Result().Cookies(); len(c) > 0 {
					jar = c
				}
				return w.Result()
			}
			login := ask("GET", cfg.Prefix+"/setup", "").Header.Get("Location")
			if login != cfg.Prefix+"/login?next=%2Fsetup" {
				t.Errorf("a stranger is sent to %q", login)
			}
			in := ask("POST", cfg.Prefix+"/login", "user=admin&password=correcto&next="+cfg.Prefix+"/review")
			if got := in.Header.Get("Location"); got != cfg.Prefix+"/review" || !jar[0].Secure || jar[0].Path != "/" {
				t.Errorf("logged in, and sent to %q with %v", got, jar)
			}
			if got := ask("POST", cfg.Prefix+"/login", "user=admin&password=correcto&next=/").Header.Get("Location"); got != cfg.Prefix+"/" {
				t.Errorf("logged in, and sent to %q", got)
			}
			for _, path := range []string{"/api/v1/me", "/review", "/assets/style.css"} {
				if got := ask("GET", cfg.Prefix+path, ""); got.StatusCode != http.StatusOK {
					t.Errorf("%s: %d", path, got.StatusCode)
				}
			}
		})
	}
	if got := fetched(t, back.URL+cfg.Prefix).Header.Get("Location"); got != cfg.Prefix+"/" {
		t.Errorf("the bare path leads to %q", got)
	}
	if got := fetched(t, back.URL+cfg.Prefix+"s/login").StatusCode; got != http.StatusNotFound {
		t.Errorf("another path: %d", got)
	}
	page := strings.Builder{}
	if err := fetched(t, back.URL+cfg.Prefix+"/login").Write(&page); err != nil {
		t.Fatal(err)
	}
	if left := regexp.MustCompile(`="/[^c][^"]*"`).FindAllString(page.String(), -1); left != nil {
		t.Errorf("the page names %q", left)
	}
}

func fetched(t *testing.T, address string) *http.Response {
	t.Helper()
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// Scripts below a path find each other, and the words.
func TestScriptsBelowAPath(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	cfg := r.srv.cfg
	cfg.Prefix = "/vision"
	srv, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/vision/", srv.Handler()) // nothing else: what is asked at the root is missing
	got := browser.Ask(t, `<script type="module">
	const asked = performance.getEntriesByType.bind(performance, "resource");
	const { t } = await import("/vision/assets/words.js");
	await import("/vision/assets/icons.js");
	done(JSON.stringify({word: t("wall"), outside: asked().map(x => new URL(x.name).pathname).filter(x => !x.startsWith("/vision/") && x !== "/favicon.ico")}));
	</script>`, mux)
	if got != `{"word":"Mesas","outside":[]}` {
		t.Error(got)
	}
}
