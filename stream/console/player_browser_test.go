package console

import (
	"encoding/json"
	"maps"
	"testing"

	"vision/internal/testkit/browser"
)

// The player names a recording's codec as ISO/IEC 14496-15 does, so that the browser can say
// whether it plays it; the names of H.265 are those of annex E and of FFmpeg's recordings.
func TestCodecsAreNamed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	said := browser.Ask(t, robot+`<script>
	say(async () => {
		const { codec } = await import("/assets/mp4.js");
		const box = (type, ...bytes) => codec(new Uint8Array([0, 0, 0, 40, ...new TextEncoder().encode(type), ...bytes, ...new Array(24).fill(0)]));
		return {
			avc: box("avcC", 1, 0x64, 0x00, 0x28),
			main: box("hvcC", 1, 0x01, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93),
			high: box("hvcC", 1, 0x22, 0x20, 0, 0, 0, 0xb0, 0, 0, 0, 0, 0, 153),
			none: box("vp09", 1, 2, 3) ?? "none",
		};
	});</script>`, r.Config.Handler)
	var got map[string]string
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(said)
	}
	want := map[string]string{"avc": "avc1.640028", "main": "hvc1.1.6.L93.90", "high": "hvc1.2.4.H153.B0", "none": "none"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A buffer takes one piece at a time: two seeks may fetch at once, and what the older one
// fetched is added, too. The buffer here refuses as a browser's does while it is busy.
func TestPiecesAreAddedOneByOneInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	said := browser.Ask(t, robot+`<script>say(async () => {
		const { Player } = await import("/assets/player.js");
		const added = [];
		const buffer = Object.assign(new EventTarget(), { updating: false, buffered: { length: 0 } });
		const busy = (what) => { if (buffer.updating) throw new DOMException(what, "InvalidStateError"); };
		Object.defineProperty(buffer, "timestampOffset", { set() { busy("timestampOffset"); } });
		buffer.appendBuffer = (bytes) => {
			busy("appendBuffer");
			buffer.updating = true;
			setTimeout(() => { added.push(bytes); buffer.updating = false; buffer.dispatchEvent(new Event("updateend")); }, 20);
		};
		const player = new Player(document.createElement("video"), { time() {} });
		player.buffer = buffer;
		await Promise.all([1, 2, 3, 4].map((n) => player.append(n, n)));
		return added;
	});</script>`, r.Config.Handler)
	if said != "[1,2,3,4]" {
		t.Errorf("%s: want the four pieces in order", said)
	}
}

// Another camera is chosen while a piece of the first is on its way: that is not put where the
// other's recording is to come, which is not open yet.
func TestAnotherCameraIsChosenMeanwhileInABrowser(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	said := browser.Ask(t, robot+`<script>say(async () => {
		const { Player } = await import("/assets/player.js");
		const asked = [];
		const real = window.fetch;
		window.fetch = (url) => new Promise((answer) => asked.push({ camera: new URL(url, location).searchParams.get("camera"), answer }));
		const player = new Player(document.createElement("video"), { time() {} });
		const now = Date.now(), at = new Date(now).toISOString();
		const first = player.open("one", now);
		await until("the first is asked for", () => asked.length === 1);
		const bytes = new Uint8Array([0, 0, 0, 40, ...new TextEncoder().encode("avcC"), 1, 0x64, 0, 0x28, ...new Array(24).fill(0)]);
		asked[0].answer({ status: 200, headers: { get: () => at }, arrayBuffer: async () => bytes.buffer });
		player.open("two", now);
		const failed = await first.then(() => "", String);
		await until("the other is asked for", () => asked.length === 2);
		window.fetch = real;
		return [...asked.map((x) => x.camera), player.buffer, failed];
	});</script>`, r.Config.Handler)
	if said != `["one","two",null,""]` {
		t.Error(said)
	}
}
