package console

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

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
	doubts, err4 := assets.ReadFile("assets/doubts.json")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	files, err := json.Marshal(map[string]json.RawMessage{ // no < is left in it: it may stand in a script
		"/assets/words.json": words, "/assets/doubts.json": doubts, "/assets/spots.json": spots})
	if err != nil {
		return nil, err
	}
	code := fmt.Sprintf(`<script>{ const files = %s; globalThis.fetch = async (path) => Response.json(files[path]); }</script>
<script type="importmap">%s</script>
%s</script>
<script type="module">import 'vision/case.js';</script>`, files, imports, evidence.PageMark)
	inlined := strings.NewReplacer(`<link rel="stylesheet" href="/assets/style.css">`, "<style>"+string(style)+"</style>",
		`<script type="module" src="/assets/case.js"></script>`, code)
	return evidence.Page(inlined.Replace(string(frame)), w)
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
		base64.StdEncoding.EncodeToString(fmt.Append(nil, imported.ReplaceAllString(string(text), "from 'vision/$1'")))
	for _, m := range imported.FindAllSubmatch(text, -1) {
		if err := bundle(string(m[1]), out); err != nil {
			return err
		}
	}
	return nil
}
