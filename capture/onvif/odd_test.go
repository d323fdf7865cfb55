package onvif

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A device that knows no question about its clock is asked all the same; a redirect to
// another scheme, name or port is not followed, before any log-in too.
func TestOddDevices(t *testing.T) {
	quiet := maps.Clone(modern)
	delete(quiet, "GetSystemDateAndTime")
	inner := device(t, quiet, byDigest)
	to := func(location func(host string) string) string {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", location(r.Host))
			w.WriteHeader(http.StatusPermanentRedirect)
		}))
		t.Cleanup(srv.Close)
		return srv.URL
	}
	if d, err := Ask(t.Context(), inner, user, pass); err != nil || len(d.Streams) != 1 {
		t.Errorf("without a clock: %+v, %v", d, err)
	}
	for name, location := range map[string]func(string) string{
		"another scheme": func(host string) string { return "https://" + host + "/onvif/device_service" },
		"another name":   func(host string) string { return strings.Replace("http://"+host+"/", "127.0.0.1", "localhost", 1) },
		"another port":   func(string) string { return "http://127.0.0.1:9/onvif/device_service" },
		"no host":        func(string) string { return "http:///onvif/device_service" },
	} {
		if _, err := Ask(t.Context(), to(location), user, pass); err == nil || strings.Contains(err.Error(), pass) {
			t.Errorf("%s: %v", name, err)
		} else if name != "no host" && !strings.Contains(err.Error(), "not followed") {
			t.Errorf("%s: %v", name, err)
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
