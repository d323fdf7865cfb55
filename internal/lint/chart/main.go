// Command chart lints and renders the Helm chart with Helm's own engine, and holds what comes
// out against Kubernetes' types: no field that they lack, no value of another type.
//
//	go run . FOLDER
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "chart: name the chart's folder")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// values are sets of values that change which templates are written; the first are the chart's own.
var values = []map[string]any{
	{},
	{
		"configs":      []any{"tables: []\n", "tables: []\n"},
		"hostNetwork":  false,
		"disk":         map[string]any{"size": "1Gi", "storageClassName": "fast"},
		"nodeSelector": map[string]any{"kubernetes.io/arch": "amd64"},
		"tolerations":  []any{map[string]any{"key": "tables", "operator": "Exists", "effect": "NoSchedule"}},
	},
}

func check(folder string) error {
	l := lint.All(folder, nil, "default", true)
	var errs []error
	for _, m := range l.Messages {
		fmt.Println(m)
		if m.Severity >= support.WarningSev {
			errs = append(errs, m.Err)
		}
	}
	c, err := loader.Load(folder)
	if err != nil {
		return err
	}
	for _, v := range values {
		all, err := chartutil.ToRenderValues(c, v, chartutil.ReleaseOptions{Name: "vision", Namespace: "casino"}, nil)
		if err != nil {
			return err
		}
		files, err := engine.Render(c, all)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if err := objects(name, files[name]); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// objects decodes all documents of a rendered file.
func objects(name, text string) error {
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	for docs := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader([]byte(text)))); ; {
		buf := make([]byte, 1<<20)
		n, err := docs.Read(buf)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		doc := bytes.TrimSpace(buf[:n])
		if len(doc) == 0 {
			continue
		}
		var obj runtime.Object
		if obj, _, err = strict.Decode(doc, nil, nil); err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, doc)
		}
		fmt.Println(name, obj.GetObjectKind().GroupVersionKind())
	}
}
