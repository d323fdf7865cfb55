package node

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"vision/internal/testkit/idp"
)

// From the configuration to the session: somebody comes by the identity provider,
// with the role and tables that its claim gives, and is in the ledger.
func TestSigningInAtTheProvider(t *testing.T) {
	t.Parallel()
	p := idp.New(t)
	h := newHouse(t, "")
	rest := strings.Replace(h.yaml.String(), noFactor, "", 1)
	h.yaml.Reset()
	fmt.Fprintf(&h.yaml, "sign_in: {factor: [], oidc: {issuer: '%s', client: '%s', secret: '%s', url: 'http://%s', roles: [{value: salas, role: jefe, tables: [R2]}]}}\n%s", p.URL, idp.Client, idp.Secret, h.addr, rest)
	h.seat("R1", "one", "")
	h.seat("R2", "two", "")
	h.run()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar, Transport: h.client.Transport}
	base := "http://" + h.addr
	get := func(path string) (*http.Response, error) {
		resp, err := c.Get(base + path)
		if err == nil {
			t.Cleanup(func() { resp.Body.Close() })
		}
		return resp, err
	}
	if _, err := get("/login/oidc?next=" + url.QueryEscape("/api/v1/tables")); err != nil {
		t.Fatal(err)
	}
	resp, err := get("/api/v1/tables")
	if err != nil {
		t.Fatal(err)
	}
	var tables []struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&tables); err != nil || len(tables) != 1 || tables[0].ID != "R2" {
		t.Errorf("sees %+v, %v (%d)", tables, err, resp.StatusCode)
	}
	var trail []struct{ Payload struct{ User, Action string } }
	h.await("the log-in in the trail", func() bool {
		return h.call(http.MethodGet, "/api/v1/audit?person=eva", nil, &trail) == 200 && len(trail) == 1 && trail[0].Payload.Action == "login"
	})
}
