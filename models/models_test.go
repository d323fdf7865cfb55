package models

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

func TestShippedNetworksAreThoseOfTheManifest(t *testing.T) {
	total := 0
	for _, name := range []string{"face", "index", "corners", "fit", "paper", "covered", "heap", "dice", "pips", "sides", "tops", "photo_sides", "photo_tops"} {
		data, e, err := Load(Shipped(), name)
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
		if len(e.Data) == 0 || len(e.Metrics) == 0 {
			t.Errorf("%s: manifest.json does not say what it was trained on and how good it is", name)
		}
	}
	if total > 25<<20 {
		t.Errorf("%d bytes of networks: more than 25 MB", total)
	}
}

func TestUnusableSetsAreRefused(t *testing.T) {
	const good = `"input":[3,8,8],"heads":[{"name":"a","classes":["x"]}]`
	for _, c := range []struct{ name, manifest, want string }{
		{"no manifest", "", "manifest.json"},
		{"broken manifest", "{", "manifest.json"},
		{"unknown network", "{}", "not in manifest.json"},
		{"no file", `{"face":{"file":"gone.onnx",` + good + `}}`, "gone.onnx"},
		{"other bytes", `{"face":{"file":"face.onnx","sha256":"00",` + good + `}}`, "SHA-256"},
		{"input of two sizes", `{"face":{"file":"face.onnx","input":[3,8],"heads":[{"name":"a","classes":["x"]}]}}`, "input"},
		{"absurd input", `{"face":{"file":"face.onnx","input":[3,8,99999],"heads":[{"name":"a","classes":["x"]}]}}`, "out of range"},
		{"no classes", `{"face":{"file":"face.onnx","input":[3,8,8]}}`, "no classes"},
	} {
		set := fstest.MapFS{"face.onnx": {Data: []byte("bytes")}}
		if c.manifest != "" {
			set["manifest.json"] = &fstest.MapFile{Data: []byte(c.manifest)}
		}
		_, _, err := Load(set, "face")
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v: want ErrModel with %q", c.name, err, c.want)
		}
	}
}
