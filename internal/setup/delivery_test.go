package setup_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/goccy/go-yaml"
)

// rendered is a chart's template for these values, as Helm would render it: the templates
// use no function but these of it.
func rendered(t *testing.T, name string, values map[string]any) map[string]any {
	t.Helper()
	file := filepath.Join("chart/templates", name)
	tmpl, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"quote": strconv.Quote,
		"toJson": func(v any) (string, error) {
			b, err := json.Marshal(v)
			return string(b), err
		},
	}).ParseFiles(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := tmpl.Execute(&out, map[string]any{"Values": values, "Release": map[string]any{"Name": "casino"}}); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := yaml.UnmarshalWithOptions(out.Bytes(), &got, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out.Bytes())
	}
	return got
}

// at follows a path of keys and positions.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				t.Fatalf("%v: %d entries", path, len(l))
			}
			v = l[k]
		}
	}
	if v == nil {
		t.Fatalf("%v is not there", path)
	}
	return v
}

// The chart makes a pod of each configuration, with probes that the console answers, limits,
// no rights, and its disk.
func TestTheChart(t *testing.T) {
	b, err := os.ReadFile("chart/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.Unmarshal(b, &values); err != nil {
		t.Fatal(err)
	}
	values["configs"] = []any{"norm: x\n", "norm: \"y\"\ntables: []\n"}
	values["disk"] = map[string]any{"size": "1Ti", "storageClassName": "fast"}
	set := rendered(t, "statefulset.yaml", values)
	pod := at(t, set, "spec", "template", "spec")
	box := at(t, pod, "containers", 0)
	if n := at(t, set, "spec", "replicas"); n != uint64(2) {
		t.Errorf("%v (%T) replicas", n, n)
	}
	for probe, path := range map[string]string{"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"} {
		if got := at(t, box, probe, "httpGet", "path"); got != path {
			t.Errorf("%s asks for %v", probe, got)
		}
	}
	for where, got := range map[string]any{"runAsNonRoot": at(t, pod, "securityContext", "runAsNonRoot"),
		"readOnlyRootFilesystem": at(t, box, "securityContext", "readOnlyRootFilesystem")} {
		if on, _ := got.(bool); !on {
			t.Errorf("%s: %v", where, got)
		}
	}
	at(t, box, "resources", "limits", "memory")
	if got := at(t, set, "spec", "volumeClaimTemplates", 0, "spec", "storageClassName"); got != "fast" {
		t.Errorf("disk of class %v", got)
	}
	secret := rendered(t, "config.yaml", values)
	if got := at(t, secret, "stringData", "vision-1.yaml"); got != "norm: \"y\"\ntables: []\n" {
		t.Errorf("configuration %q", got)
	}
	if got := at(t, rendered(t, "service.yaml", values), "spec", "ports", 1, "protocol"); got != "UDP" {
		t.Errorf("video by %v", got)
	}
}

// The compose file names a Dockerfile that is there, of the Go that go.mod wants, which makes
// the package as the Makefile does and runs without rights.
func TestTheImage(t *testing.T) {
	b, err := os.ReadFile("container/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose map[string]any
	if err := yaml.UnmarshalWithOptions(b, &compose, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	at(t, compose, "services", "redis", "image")
	root := filepath.Join("container", at(t, compose, "services", "vision", "build", "context").(string))
	file, err := os.ReadFile(filepath.Join(root, at(t, compose, "services", "vision", "build", "dockerfile").(string)))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	goes := regexp.MustCompile(`(?m)^go (1\.\d+)`).FindSubmatch(mod)
	stages := regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(string(file), -1)
	if len(stages) != 2 || !strings.HasPrefix(stages[0][1], "golang:"+string(goes[1])+"-trixie") || stages[1][1] != "debian:trixie-slim" {
		t.Errorf("stages %v, go %s", stages, goes[1])
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"make deb", "\nUSER vision\n", "\nHEALTHCHECK", "/livez", "VOLUME /var/lib/vision"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("the Dockerfile lacks %q", want)
		}
	}
	if !strings.Contains(string(makefile), "\ndeb: release\n") {
		t.Error("the Makefile makes no package")
	}
}
