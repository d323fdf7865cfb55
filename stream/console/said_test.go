package console

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vision/internal/testkit/browser"
	"vision/stream/alert"
)

// answered are the sources of what a page can be answered with.
var answered = []string{"*.go", "../account/book.go", "../account/prove.go", "../account/rights.go", "../account/factor.go", "../statestore/store.go", "../floor/change.go", "../../validate/room/state.go", "../alert/alert.go", "../alert/limits.go", "../evidence/case.go",
	"../../calibration/fit.go", "../../calibration/homography.go", "../../calibration/pose.go", "../../calibration/check.go", "../../calibration/view.go",
	"../../calibration/lens/lens.go", "../../calibration/lens/asked.go", "../../calibration/layout/layout.go", "../../calibration/layout/clicks.go", "../../internal/node/calibrate.go",
	"../../internal/node/setup.go", "../../internal/node/drafts.go", "../../internal/draft/address.go", "../../internal/draft/draft.go", "../../internal/config/edit.go", "../../capture/still/still.go", "../../internal/pipeline/adopt.go",
	"../../calibration/density/plan.go", "../../calibration/density/mount.go", "../../calibration/density/quality.go", "../../capture/onvif/device.go", "../../capture/rtsp/source.go", "../../capture/rtsp/front/sdp.go"}

// ofPrograms are answers that no page brings about: they ask for what pages do not
// do, or are failures of the machine, which are told in the system's own words.
var ofPrograms = []string{
	"body: %v; want %s", "%s %q: want %d to %d", "this is for people who have logged in, not for tokens", "a token makes no other: log in", "it is of a table that is not the account's", "the role may not do this",
	"too many; wait %v", "picture of the secret: %v", "session: %v", "rounds of %s: %v", "thresholds of %s: %w; mend the file or remove it", "thresholds are not kept: %w", "shared thresholds: %w", "answer of %s: %w", "console: %w; choose another address with `listen:`", "console: %w",
	"accounts: %w", "accounts: the first of the house: %w", "accounts %s: %w; mend it, or remove it to get a new first password", "second factor: %w", "supervision: %w", "ledger entry %s: %w", "ledger entry %s: alert without id",
	"alert without id", "raise alert %s: %w", "case: %w", "case %s: %w", "%s: %w", "pose: %w", "alert %s: %w", "alert %s: %w by %s", "%w: %q, and it is not the identity provider's %q",
	"the identity provider names the user %q: want letters, digits, - _ . @", "the identity provider says too little of %q", // the log-in page says that entry is refused
	"pose: a camera %g mm above the felt sees nothing of it: want a positive height", // of vision camera plan
	"plane: the matrix has no inverse: measure it again from at least four points, no three on a line",
}

var verb = regexp.MustCompile(`%[-+#0-9.]*[a-zA-Z%]`)

// sample fills a format as it is met.
func sample(format string) string {
	return verb.ReplaceAllStringFunc(format, func(v string) string {
		switch v[len(v)-1] {
		case 'd':
			return "3"
		case 'f', 'g':
			return "3"
		case 'q':
			return `"X1"`
		case '%':
			return "%"
		}
		return "5s"
	})
}

// said finds the texts of a file's answers and errors, by their first text argument.
func said(t *testing.T, path string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch fn := call.Fun.(type) {
		case *ast.Ident:
			name = fn.Name
		case *ast.SelectorExpr:
			name = fn.Sel.Name
		}
		place := slices.Index([]string{"Errorf", "New", "poor", "", "", "refuse", "refusal", "tooMany", "notYours", "fail"}, name)
		if place < 0 {
			return true
		}
		where := ""
		for _, a := range call.Args {
			lit, ok := a.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if name == "fail" && where == "" && len(call.Args) > 1 && call.Args[0] == a { // fail(where, format, …)
				where = s
				continue
			}
			out = append(out, s)
			break
		}
		return true
	})
	return out
}

// Whatever a page is answered with is told in Spanish and in Catalan: every text of the sources is
// looked for, and those left out still stand there.
func TestEveryAnswerHasItsSpanish(t *testing.T) {
	t.Parallel()
	var all []string
	for _, pattern := range answered {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				all = append(all, said(t, f)...)
			}
		}
	}
	for _, s := range ofPrograms {
		if !slices.Contains(all, s) {
			t.Errorf("no source says %q any more", s)
		}
	}
	var ask []string
	for _, s := range all {
		bare := strings.Trim(verb.ReplaceAllString(s, ""), " :")
		if bare == "" || !strings.Contains(bare, " ") && !strings.HasPrefix(s, "no ") || slices.Contains(ofPrograms, s) {
			continue // a frame round another text
		}
		switch { // as Check writes them
		case strings.HasPrefix(s, "calibration of table"):
		case slices.Contains(said(t, "../../calibration/check.go"), s):
			s = "calibration of table \"T\" camera \"C\": " + s
		}
		if slices.Contains(said(t, "../alert/limits.go"), s) {
			s = strings.Replace(s, "%w", alert.ErrThreshold.Error(), 1)
		}
		ask = append(ask, sample(s))
	}
	ask = append(ask, "no picture since 03:12:07: connection refused",
		"cards are read poorly in bank: 30.0 pixels for a card's width, read well from 35.0 on; chips are not read in "+
			"seat:1 main, seat:2, seat:3 and 4 more: 12° from straight down, the sides of stacks are hidden: 30° or more",
		"dice are not read in dice: not wholly in the picture")
	if len(ask) < 60 {
		t.Fatalf("only %d texts were found", len(ask))
	}
	list, err := json.Marshal(ask)
	if err != nil {
		t.Fatal(err)
	}
	r := newRoom(t)
	mux := http.NewServeMux()
	mux.Handle("/", r.Config.Handler)
	got := browser.Ask(t, `<script type="module">
	import { told, said } from "/assets/details.js";
	const list = `+string(list)+`;
	const all = ["es", "ca"].flatMap(l => list.map(x => told(x, l)));
	done(JSON.stringify({unknown: list.filter(x => told(x, "es") === null), odd: all.filter(x => /undefined|\$\d|[:;,]$/.test(x ?? "")),
		alike: list.filter(x => told(x, "es") === told(x, "ca")),
		other: said("something quite unheard of")}));
	</script>`, mux)
	var told struct {
		Unknown, Odd, Alike []string
		Other               string
	}
	if err := json.Unmarshal([]byte(got), &told); err != nil {
		t.Fatal(got)
	}
	for _, s := range told.Unknown {
		t.Errorf("assets/details.js has no Spanish for %q", s)
	}
	for _, s := range told.Alike {
		t.Errorf("assets/details.js says %q in Catalan as in Spanish", s)
	}
	if len(told.Odd) > 0 || !strings.HasPrefix(told.Other, "no ha sido posible") {
		t.Errorf("%q, %q", told.Odd, told.Other)
	}
}

// Every word stands in every language, once, and all that the pages ask for are there;
// none is kept that nobody asks for.
func TestEveryWordIsInEveryLanguage(t *testing.T) {
	raw, err := assets.ReadFile("assets/words.json")
	if err != nil {
		t.Fatal(err)
	}
	var words map[string][]string
	if err := json.Unmarshal(raw, &words); err != nil {
		t.Fatalf("words.json: %v", err)
	}
	script, err := assets.ReadFile("assets/words.js")
	if err != nil {
		t.Fatal(err)
	}
	languages := strings.Count(regexp.MustCompile(`languages = \[(.*)\]`).FindString(string(script)), "'") / 2
	if len(words) < 300 || strings.Count(string(raw), "\n")-2 != len(words) {
		t.Errorf("%d words in as many lines and two: one stands there twice, or two stand in a line", len(words))
	}
	for word, in := range words {
		if len(in) != languages || slices.Contains(in, "") {
			t.Errorf("%s is in %d languages of %d: %q", word, len(in), languages, in)
		}
	}
	asked := regexp.MustCompile(`data-(?:t|label|page)="(\w+)"|dataset\.(?:t|label) = '(\w+)'|\bt\('(\w+)'\)`)
	begun := regexp.MustCompile("`([a-z]+_)\\$\\{") // words whose end is found out
	quoted := regexp.MustCompile(`['"](\w+)['"]`)
	used := map[string]bool{}
	files, err := fs.Glob(assets, "assets/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f, ".js") && !strings.HasSuffix(f, ".html") {
			continue
		}
		b, err := assets.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(b), -1) {
			if w := m[1] + m[2] + m[3]; words[w] == nil {
				t.Errorf("%s asks for the word %q", f, w)
			}
		}
		asked := slices.Concat(quoted.FindAllStringSubmatch(string(b), -1), begun.FindAllStringSubmatch(string(b), -1))
		for _, m := range asked {
			used[m[1]] = true
		}
	}
	for word := range words {
		first, _, _ := strings.Cut(word, "_")
		if !used[word] && !used[first+"_"] && !used[first] && !slices.Contains(outcomes(), word) {
			t.Errorf("nobody asks for the word %q", word)
		}
	}
}

// outcomes of alerts are asked for by their own names.
func outcomes() (out []string) {
	for _, o := range alert.Outcomes {
		out = append(out, string(o))
	}
	return out
}

// Why a round cannot be verified is told in words of the catalogue: every reason that the
// sources give is looked for.
func TestEveryDoubtHasItsWord(t *testing.T) {
	t.Parallel()
	given := regexp.MustCompile(`because\("([^"]+)"|(?:unlooked|underWay|betOfNobody) += "([^"]+)"|\bLost: "([^"]+)"|\.Lost\([^"\n]*"([^"]+)"|NotVerifiable = "([^"]+)"|return "(the (?:throws|dice) [^"]+)"`)
	var why []string
	for _, pattern := range []string{"../../validate/track/*.go", "../../validate/track/*/*.go", "../../internal/pipeline/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range given.FindAllStringSubmatch(string(b), -1) {
				why = append(why, strings.Join(m[1:], ""))
			}
		}
	}
	slices.Sort(why)
	why = append(slices.Compact(why), "the camera sent nothing: it has no calibration; make one at /calibrate/BJ1", "reader of table BJ1 hangs: silent for 2s", "the camera sent nothing: ")
	if len(why) < 12 {
		t.Fatalf("only %q were found", why)
	}
	list, err := json.Marshal(why)
	if err != nil {
		t.Fatal(err)
	}
	r := newRoom(t)
	got := browser.Ask(t, `<script type="module">
	import { doubt } from "/assets/rounds.js";
	import { setLanguage } from "/assets/words.js";
	const list = `+string(list)+`, out = {};
	for (const l of ["es", "en"]) { setLanguage(l); out[l] = list.filter(x => l === "es" && doubt(x) === x || doubt(x).startsWith("doubt_")); }
	setLanguage("es"); out.none = doubt("the camera sent nothing"); out.slow = doubt("the reader did not look for a while"); out.bare = doubt(list.find(x => x.includes("no calibration")));
	localStorage.clear();
	done(JSON.stringify(out));
	</script>`, r.Config.Handler)
	var told struct {
		ES, EN           []string
		None, Slow, Bare string
	}
	if err := json.Unmarshal([]byte(got), &told); err != nil {
		t.Fatal(got)
	}
	if len(told.ES)+len(told.EN) > 0 {
		t.Errorf("no word says %q, %q", told.ES, told.EN)
	}
	if told.None != "la cámara no daba imagen" || told.Slow != "el lector no dio abasto" || told.Bare != "la mesa no está calibrada" {
		t.Errorf("%+v", told)
	}
}

// Texts have no letters that a font may lack: pictures are drawn (icons.svg). What is
// allowed beyond European letters is in WGL4, which fonts for them have.
func TestPagesHaveNoLettersThatFontsLack(t *testing.T) {
	const common = "–—‘’“”„†…‰‹›€−×←↑→↓♣♦♥♠·«»"
	files, err := fs.Glob(assets, "assets/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := assets.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range string(b) {
			if r >= 0x180 && !strings.ContainsRune(common, r) {
				t.Errorf("%s has %q (%U), which not every font has: draw it", f, r, r)
			}
		}
		for _, m := range regexp.MustCompile(`data-icon="(\w+)"|\bicon\('(\w+)'|\bsay\([^,()]+(?:\([^()]*\))?, '(\w+)'`).FindAllStringSubmatch(string(b), -1) {
			if name := m[1] + m[2] + m[3]; !strings.Contains(sprite(t), `<symbol id="`+name+`"`) {
				t.Errorf("%s asks for the icon %q", f, name)
			}
		}
	}
}

func sprite(t *testing.T) string {
	t.Helper()
	b, err := assets.ReadFile("assets/icons.svg")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
