package onvif

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A device behind a router names its inner address: what is asked is the one that was
// given, and so is the stream's.
func TestInnerAddressesAreNotFollowed(t *testing.T) {
	for _, inner := range []string{"http://192.168.1.64", "https://10.0.0.9:8443", "http://u:p@[fe80::1]:81"} {
		behind := maps.Clone(modern)
		behind["GetServices"] = strings.ReplaceAll(modern["GetServices"], "%[1]s", inner)
		d, err := Ask(t.Context(), device(t, behind, byDigest), user, pass)
		if err != nil || len(d.Streams) != 1 || !strings.HasPrefix(d.Streams[0].URL, "rtsp://127.0.0.1:554/") {
			t.Errorf("%s: %+v, %v", inner, d, err)
		}
		former := maps.Clone(old)
		former["GetCapabilities"] = strings.ReplaceAll(old["GetCapabilities"], "%[1]s", inner)
		if d, err = Ask(t.Context(), device(t, former, byToken), user, pass); err != nil || len(d.Streams) != 1 {
			t.Errorf("%s: %+v, %v", inner, d, err)
		}
	}
}

// Redirects are followed within the device's own address only.
func TestRedirectsLeadNowhereElse(t *testing.T) {
	var called atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Add(1) }))
	defer other.Close()
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		bad := httptest.NewServer(http.RedirectHandler(other.URL+"/onvif/device_service", status))
		if _, err := Ask(t.Context(), bad.URL, user, pass); err == nil ||
			!strings.Contains(err.Error(), "not followed") || strings.Contains(err.Error(), pass) {
			t.Errorf("%d: %v", status, err)
		}
		bad.Close()
	}
	if n := called.Load(); n > 0 {
		t.Errorf("somebody else was called %d times", n)
	}
	var turns atomic.Int64
	loop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turns.Add(1)
		http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
	}))
	defer loop.Close()
	if _, err := Ask(t.Context(), loop.URL, user, pass); err == nil || turns.Load() > 2*maxRedirects {
		t.Errorf("%d turns, %v", turns.Load(), err)
	}
}

// A device that tells its clock after a log-in only is asked with the time of its heads.
func TestTheClockIsTakenFromTheHead(t *testing.T) {
	at := time.Date(2020, 2, 29, 12, 30, 15, 0, time.UTC)
	for _, refusal := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusInternalServerError} {
		inner := device(t, old, byToken)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			w.Header().Set("Date", at.Format(http.TimeFormat))
			if strings.Contains(string(raw), "GetSystemDateAndTime") {
				w.WriteHeader(refusal)
				_, _ = io.WriteString(w, enveloped(notAuthorized))
				return
			}
			res, err := http.Post(inner+r.URL.Path, r.Header.Get("Content-Type"), strings.NewReader(string(raw)))
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			defer res.Body.Close()
			w.WriteHeader(res.StatusCode)
			_, _ = io.Copy(w, res.Body)
		}))
		d, err := Ask(t.Context(), srv.URL, user, pass)
		if err != nil || len(d.Streams) != 1 || d.Clock == nil || *d.Clock > -3600*24*365 {
			t.Errorf("refused by %d: %+v, %v", refusal, d, err)
		}
		srv.Close()
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

func TestAnUnknownLogInIsNamed(t *testing.T) {
	for challenge, want := range map[string]string{
		`Digest realm="x", nonce="1", algorithm=SHA-3`: "SHA-3 is not supported",
		`Basic realm="x"`: "Basic without TLS is not supported",
	} {
		at := device(t, modern, func(*http.Request, string) (bool, string) { return false, challenge })
		if _, err := Ask(t.Context(), at, user, pass); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", challenge, err)
		}
	}
}
