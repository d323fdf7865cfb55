package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong with the form of the file is one error, with file, line, key and how to mend it.
func TestOneErrorWithItsPlace(t *testing.T) {
	const table = "tables:\n  - id: A\n    game: blackjack\n    min: 500\n    cameras: [{url: film.mp4}]\n"
	mail := func(what string) string {
		return "push:\n  mails:\n    - {server: 'h:25', from: a@b.example, to: [c@d.example]}\n    - server: h:25\n" + what + table
	}
	t.Setenv("VISION_TEST_LINES", "ab\r\nX: y")
	for _, c := range []struct{ name, text, at, want string }{
		{"unknown key", table + "lisen: ':80'\n", ":6: lisen: ", "did you mean listen?"},
		{"unknown key, deep", strings.Replace(table, "{url: ", "{urll: ", 1), ":5: tables[0].cameras[0].urll: ", "did you mean url?"},
		{"unknown key, like none", table + "record:\n  keep: 48h\n  zoom: 1\n", ":8: record.zoom: ", "keep, keep_alerts"},
		{"double key", table + "norm: a\nlisten: ':80'\nnorm: b\n", ":8: norm: ", "after line 6"},
		{"double key, deep", strings.Replace(table, "    min: 500\n", "    min: 500\n    min: 600\n", 1), ":5: tables[0].min: ", "after line 4"},
		{"double option", strings.Replace(table, "    min", "    options: {boxes: 7, boxes: 6}\n    min", 1), ":4: tables[0].options.boxes: ", "remove one"},
		{"missing", strings.Replace(table, "    min: 500\n", "", 1), ":2: tables[0].min: ", "in cents"},
		{"empty", strings.Replace(table, "min: 500", "min:", 1), ":4: tables[0].min: ", "missing"},
		{"missing game", strings.Replace(table, "    game: blackjack\n", "", 1), ":2: tables[0].game: ", "rules list"},
		{"text for a number", strings.Replace(table, "min: 500", "min: five", 1), ":4: tables[0].min: ", "want a whole number"},
		{"quoted number", strings.Replace(table, "min: 500", "min: '500'", 1), ":4: tables[0].min: ", "without quotation marks"},
		{"decimals", strings.Replace(table, "min: 500", "min: 5.50", 1), ":4: tables[0].min: ", "a number with decimals"},
		{"list for a text", table + "norm: [a]\n", ":6: norm: ", "want text"},
		{"keys for a text", table + "norm: {a: 1}\n", ":6: norm: ", "want text"},
		{"text for a list", strings.Replace(table, "[{url: film.mp4}]", "film.mp4", 1), ":5: tables[0].cameras: ", "want a list"},
		{"text for keys", table + "tls: on\n", ":6: tls: ", "want keys: cert, key"},
		{"a prefix with a slash at its end", table + "prefix: /vision/\n", ":6: prefix: ", "like /vision"},
		{"a prefix that leads up", table + "prefix: /../vision\n", ":6: prefix: ", "like /vision"},
		{"number for a word", table + "tls: {own: 1}\n", ":6: tls.own: ", "want true or false"},
		{"no unit", table + "record: {keep: 30}\n", ":6: record.keep: ", "72h"},
		{"second document", table + "---\nlisten: ':80'\n", ":6: ", "a second document"},
		{"mark", "\ufeff" + table, ":1: ", "byte order mark"},
		{"UTF-16", "\xff\xfen\x00", ":1: ", "UTF-16"},
		{"reference where none is looked up", table + "data: ${env:HOME}\n", ":6: data: ", "write the value itself"},
		{"the same within", strings.Replace(table, "id: A", "id: A\n    name: at ${file:x}", 1), ":3: tables[0].name: ", "write the value itself"},
		{"the same in an option", strings.Replace(table, "    min", "    options: {boxes: '${env:B}'}\n    min", 1), ":4: tables[0].options.boxes: ", "write the value itself"},
		{"unknown reference", table + "redis: redis://:${vault:x}@h\n", ":6: redis: ", "${credential:NAME}"},
		{"variable that is not set", table + "redis: redis://:${env:VISION_NOT_SET}@h\n", ":6: redis: ", "not set"},
		{"line break in a header", mail("      from: \"a@b.example\\r\\nBcc: x@y.example\"\n      to: [c@d.example]\n"), ":5: push.mails[1].from: ", "control character (U+000D)"},
		{"line break in a list", mail("      from: a@b.example\n      to:\n        - \"c@d.example\\nX: y\"\n"), ":7: push.mails[1].to[0]: ", "U+000A"},
		{"line break in a name", strings.Replace(table, "id: A", "id: A\n    name: \"a\\tb\"", 1), ":3: tables[0].name: ", "U+0009"},
		{"line break from elsewhere", table + "push: {mqtt: [{url: 'mqtts://h:1', password: '${env:VISION_TEST_LINES}'}]}\n", ":6: push.mqtt[0].password: ", "U+000D"},
		{"no mail address", mail("      from: nobody\n      to: [c@d.example]\n"), ":5: push.mails[1].from: ", "like vision@casa.example"},
		{"double id", table + "  - {id: A, game: blackjack, min: 5, cameras: [{name: x, url: b.mp4}]}\n", ":6: tables[1].id: ", "another table's"},
		{"double sensor", table + "sensors:\n  - {name: w, url: 'serial:///dev/ttyUSB0'}\n  - {name: w, url: 'serial:///dev/ttyUSB1'}\n", ":8: sensors[1].name: ", "another sensor's"},
		{"no YAML", "norm: a\n  b: c\n" + table, ":1: ", "indent with spaces"},
		{"tab", "tls:\n\town: true\n", ":2: ", "indent with spaces"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vision.yaml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(path)
			if err == nil {
				t.Fatal("taken")
			}
			if text := err.Error(); !strings.Contains(text, "vision.yaml"+c.at) || !strings.Contains(text, c.want) ||
				strings.Contains(text, "\n") {
				t.Errorf("%v; want %s…%s", err, c.at, c.want)
			}
		})
	}
	for name, text := range map[string]string{
		"anchors": strings.Replace(table, "    min", "    options: &o {boxes: 7}\n    min", 1) + "  - {id: B, game: blackjack, min: 500, options: *o, cameras: [{url: b.mp4}]}\n",
		"marks":   "---\n" + table + "...\n", "comments behind": table + "---\n# nothing\n",
		"a word that looks like a number": strings.Replace(table, "id: A", "id: 7", 1),
		"a dollar in a password":          table + "redis: 'redis://:a$b${c@h'\n",
	} {
		if _, err := Parse([]byte(text)); err != nil && !strings.Contains(err.Error(), "URL cannot be read") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
