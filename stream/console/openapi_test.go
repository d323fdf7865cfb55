package console

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"vision/calibration/layout"
	"vision/capture/onvif"
	"vision/internal/config"
	"vision/internal/draft"
	"vision/internal/health"
	"vision/stream/account"
	"vision/stream/alert"
	"vision/stream/evidence"
	"vision/stream/floor"
	"vision/stream/index"
	"vision/stream/notice"
	"vision/stream/record"
	"vision/validate/room"
)

// description is openapi.yaml as far as the test reads it.
type description struct {
	OpenAPI    string                    `yaml:"openapi"`
	Paths      map[string]map[string]any `yaml:"paths"`
	Components struct {
		Schemas   map[string]map[string]any `yaml:"schemas"`
		Responses map[string]any            `yaml:"responses"`
	} `yaml:"components"`
}

func readDescription(t *testing.T) (d description, text string) {
	t.Helper()
	b, err := assets.ReadFile("assets/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(b, &d); err != nil {
		t.Fatalf("openapi.yaml: %v", err)
	}
	return d, string(b)
}

var rightNames = map[Right]string{Nobody: "none", Own: "own", See: "see", Acknowledge: "acknowledge", Export: "export", Announce: "announce", Supervise: "supervise",
	Assign: "assign", Tune: "tune", Audit: "audit", Release: "release", Technical: "technical", Install: "install", Administer: "administer"}

// Every route that is registered is described with the right it asks for, and
// nothing else is described.
func TestTheAPIIsDescribed(t *testing.T) {
	d, _ := readDescription(t)
	if !strings.HasPrefix(d.OpenAPI, "3.1") {
		t.Errorf("openapi: %q", d.OpenAPI)
	}
	described := map[string]string{} // "GET /path" → right
	for path, item := range d.Paths {
		for method, op := range item {
			if method == "parameters" {
				continue
			}
			o, ok := op.(map[string]any)
			if !ok || o["summary"] == nil || o["responses"] == nil {
				t.Errorf("%s %s: without summary or responses", method, path)
				continue
			}
			described[strings.ToUpper(method)+" "+path] = fmt.Sprint(o["x-right"])
		}
		declared := fmt.Sprint(item["parameters"])
		for part := range strings.SplitSeq(path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok && !strings.Contains(declared, "name:"+strings.TrimSuffix(name, "}")) {
				t.Errorf("%s: parameter %s is not declared", path, part)
			}
		}
	}
	var s Server
	registered := map[string]string{}
	for _, r := range s.routes() {
		registered[r.pattern] = rightNames[r.right]
	}
	for pattern, right := range registered {
		if described[pattern] != right {
			t.Errorf("%s asks for the right %q, described %q", pattern, right, described[pattern])
		}
	}
	for pattern := range described {
		if _, ok := registered[pattern]; !ok {
			t.Errorf("%s is described and does not exist", pattern)
		}
	}
}

// The schemas have the fields that are sent.
func TestTheSchemasAreTrue(t *testing.T) {
	d, text := readDescription(t)
	for name, v := range map[string]any{
		"Alert": alert.Alert{}, "Kind": alert.Kind{}, "Round": index.Round{}, "ReviewAlert": index.Alert{}, "Note": index.Note{}, "Mark": index.Mark{}, "Entry": index.Entry{},
		"Span": record.Span{}, "Seal": record.SealSpan{}, "Usage": record.Usage{}, "Case": evidence.Case{}, "Finding": floor.Finding{}, "Duty": room.Duty{},
		"TableDuty": floor.TableStatus{}, "JefeTables": floor.Assignment{},
		"Problem": health.Problem{}, "CameraHealth": CameraHealth{}, "MachineHealth": MachineHealth{},
		"ReplicaHealth": ReplicaHealth{}, "Table": Table{},
		"Message": notice.Message{}, "Thresholds": alert.Thresholds{}, "Configuration": Configuration{},
		"Setting": config.Setting{}, "LedgerCheck": LedgerCheck{}, "Assignment": assignBody{}, "NewSeal": sealBody{},
		"Fit": layout.Clicks{}, "Session": Session{}, "OwnAccount": ownAccount{}, "User": User{},
		"UserBody": userBody{}, "FoundCamera": onvif.Found{}, "Reset": resetBody{}, "NewPassword": passwordBody{}, "Proof": proofBody{},
		"SetupRoom": SetupRoom{}, "Draft": Draft{}, "NewTable": NewTable{}, "Address": draft.Address{},
	} {
		props, ok := d.Components.Schemas[name]["properties"].(map[string]any)
		if !ok {
			t.Errorf("%s: no schema", name)
			continue
		}
		want := slices.Sorted(maps.Keys(fields(reflect.TypeOf(v))))
		if got := slices.Sorted(maps.Keys(props)); !slices.Equal(got, want) {
			t.Errorf("%s is described with %v; sent are %v", name, got, want)
		}
	}
	for part := range strings.SplitSeq(text, "$ref: '#/components/") {
		where, _, ok := strings.Cut(part, "'")
		kind, name, isRef := strings.Cut(where, "/")
		if !ok || !isRef || kind != "schemas" && kind != "responses" {
			continue
		}
		if kind == "schemas" && d.Components.Schemas[name] == nil || kind == "responses" && d.Components.Responses[name] == nil {
			t.Errorf("$ref to %s, which is not there", where)
		}
	}
}

// fields are the JSON names of a struct, embedded ones included.
func fields(typ reflect.Type) map[string]bool {
	out := map[string]bool{}
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			maps.Copy(out, fields(f.Type))
		case f.IsExported() && name != "-" && name != "":
			out[name] = true
		}
	}
	return out
}

// Nobody gets through a route that asks for a right, whatever the method.
func TestEveryRouteAsksForItsRight(t *testing.T) {
	r := newRoom(t)
	stranger := &http.Client{}
	inspector := r.as(t, "inspector")
	replace := strings.NewReplacer("{table}", "BJ1", "{id}", "x", "{round}", "x", "{jefe}", "x", "{camera}", "bj1", "{version}", "x", "{user}", "x")
	for _, route := range r.srv.routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		if route.right == Nobody || path == "/api/v1/events" {
			continue
		}
		if code, body := do(t, stranger, method, r.URL+replace.Replace(path), "{}"); code != http.StatusUnauthorized {
			t.Errorf("a stranger at %s: %d %s", route.pattern, code, body)
		}
		may := (&Account{Role: "inspector"}).May(route.right, account.Object{}) == nil
		if code, body := do(t, inspector, method, r.URL+replace.Replace(path), "{}"); may == (code == http.StatusForbidden) {
			t.Errorf("an inspector at %s: %d %s", route.pattern, code, body)
		}
	}
	if code, body := do(t, stranger, "GET", r.URL+"/api/v1/openapi.yaml", ""); code != 200 || !strings.Contains(body, "openapi: 3.1") {
		t.Errorf("the description: %d", code)
	}
}
