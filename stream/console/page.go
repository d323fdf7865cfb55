package console

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"vision/stream/evidence"
)

// imported finds the modules that a module of the pages imports.
var imported = regexp.MustCompile(`from '\./([a-z0-9]+\.js)'`)

// CasePage writes a case as one HTML page that needs nothing else: what is written to it is the case's
// zip; it is whole once closed. spots are the names of places on the cloth, as Config has them. The
// page's modules are those of the console, in an import map (WHATWG HTML §8.1.5.4) of data URLs.
func CasePage(w io.Writer, spots []byte) (io.WriteCloser, error) {
	modules := map[string]string{}
	if err := bundle("case.js", modules); err != nil {
		return nil, err
	}
	imports, err := json.Marshal(map[string]any{"imports": modules})
	if err != nil {
		return nil, err
	}
	frame, err1 := assets.ReadFile("assets/case.html")
	style, err2 := assets.ReadFile("assets/style.css")
	words, err3 := assets.ReadFile("assets/words.json")
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return nil, err
		}
	}
	var plain bytes.Buffer // JSON that may stand in a script
	for _, x := range []json.RawMessage{words, spots} {
		raw, err := json.Marshal(x) // no < is left in it
		if err != nil {
			return nil, err
		}
		plain.Write(raw)
		plain.WriteByte(',')
	}
	frame = bytes.Replace(frame, []byte(`<link rel="stylesheet" href="/assets/style.css">`), fmt.Appendf(nil, "<style>%s</style>", style), 1)
	frame = bytes.Replace(frame, []byte(`<script type="module" src="/assets/case.js"></script>`), fmt.Appendf(nil,
		`<script>{ const [words, spots] = [%s]; globalThis.fetch = async (path) => Response.json(path.endsWith('words.json') ? words : spots); }</script>
<script type="importmap">%s</script>
%s</script>
<script type="module">import 'vision/case.js';</script>`, plain.Bytes(), imports, evidence.PageMark), 1)
	return evidence.Page(frame, w)
}

// bundle adds a module and all that it imports to out, as data URLs by their names in the import map.
func bundle(name string, out map[string]string) error {
	if _, has := out["vision/"+name]; has {
		return nil
	}
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		return err
	}
	out["vision/"+name] = "data:text/javascript;base64," +
		base64.StdEncoding.EncodeToString(imported.ReplaceAll(text, []byte("from 'vision/$1'")))
	for _, m := range imported.FindAllSubmatch(text, -1) {
		if err := bundle(string(m[1]), out); err != nil {
			return err
		}
	}
	return nil
}
