package console

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Forms keep the instants that they were filled with, also in an hour that occurs twice; of
// typed times those that occur twice are asked about, those that do not occur are refused.
func TestTimesOfForms(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: needs node, which `make test` installs")
	}
	dir := t.TempDir()
	put := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"instants.js", "times.js"} {
		b, err := os.ReadFile(filepath.Join("assets", name))
		if err != nil {
			t.Fatal(err)
		}
		put(name, b)
	}
	put("package.json", []byte(`{"type": "module"}`))
	put("words.js", []byte(`export const t = (k) => k; export const locale = () => 'en-GB';`))
	put("dom.js", []byte(`export const make = (tag, props, ...children) => ({ tag, ...props, children });`))
	put("run.js", []byte(`
import { instant, put, asks } from './times.js';
function field() {
  const parent = { select: null, querySelector: () => parent.select };
  return { value: '', valid: '', parentElement: parent, setCustomValidity(s) { this.valid = s; }, reportValidity() {},
    addEventListener(_, f) { this.changed = f; },
    after(s) { parent.select = s; s.value = ''; s.remove = () => { parent.select = null; }; } };
}
const out = { kept: [], typed: [] };
for (const at of JSON.parse(process.argv[2])) {
  const f = field();
  put(f, Date.parse(at));
  out.kept.push({ text: f.value, instant: instant(f), valid: f.valid, asked: !!f.parentElement.select });
}
for (const text of JSON.parse(process.argv[3])) {
  const f = field();
  asks({ querySelectorAll: () => [f] });
  put(f, Date.parse('2026-10-25T01:30:00Z'));
  f.value = text;
  f.changed();
  const s = f.parentElement.select;
  const of = (i) => { s.value = s.children[i + 1].value; return instant(f); };
  out.typed.push({ text, instant: instant(f), valid: f.valid, choices: s ? [of(0), of(1)] : null });
}
console.log(JSON.stringify(out));
`))
	for _, place := range []struct {
		zone  string
		kept  []string // instants
		typed map[string][]string
	}{
		{"Europe/Madrid",
			[]string{"2026-10-25T00:29:30Z", "2026-10-25T01:29:30Z", "2026-10-25T00:59:20Z", "2026-10-25T01:00:40Z", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-07-01T12:00:00Z"},
			map[string][]string{
				"2026-10-25T02:30":    {"2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"},
				"2026-10-25T02:59:59": {"2026-10-25T00:59:59.000Z", "2026-10-25T01:59:59.000Z"},
				"2026-10-25T01:59":    {"2026-10-24T23:59:00.000Z"}, "2026-10-25T03:00": {"2026-10-25T02:00:00.000Z"},
				"2026-03-29T02:30": {}, "2026-03-29T02:00": {}, "2026-03-29T03:00": {"2026-03-29T01:00:00.000Z"}}},
		{"America/New_York", []string{"2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"}, map[string][]string{
			"2026-11-01T01:30": {"2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z"}, "2026-03-08T02:15": {}}},
		{"Australia/Lord_Howe", []string{"2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"}, map[string][]string{ // half an hour
			"2026-04-05T01:45": {"2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"}, "2026-10-04T02:15": {}}},
	} {
		var typed []string
		for text := range place.typed {
			typed = append(typed, text)
		}
		a, _ := json.Marshal(place.kept)
		b, _ := json.Marshal(typed)
		cmd := exec.Command(node, "run.js", string(a), string(b))
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TZ="+place.zone)
		cmd.Stderr = os.Stderr
		raw, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Kept []struct {
				Text, Instant, Valid string
				Asked                bool
			}
			Typed []struct {
				Text, Instant, Valid string
				Choices              []string
			}
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		for i, k := range got.Kept {
			if want := place.kept[i][:19] + ".000Z"; k.Instant != want || k.Asked || k.Valid != "" {
				t.Errorf("%s: filled with %s: %+v", place.zone, place.kept[i], k)
			}
		}
		for _, x := range got.Typed {
			want := place.typed[x.Text]
			fine := x.Valid == "" && len(x.Choices) == 0 && len(want) == 1 && x.Instant == want[0]
			switch len(want) {
			case 0:
				fine = x.Valid == "time_never" && x.Instant == ""
			case 2:
				fine = x.Valid == "" && x.Instant == "" && len(x.Choices) == 2 && x.Choices[0] == want[0] && x.Choices[1] == want[1]
			}
			if !fine {
				t.Errorf("%s: typed %s: %+v; want %q", place.zone, x.Text, x, want)
			}
		}
	}
}
