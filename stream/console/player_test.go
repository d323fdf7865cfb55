package console

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Review plays with the Media Source that a browser has: the usual one, the managed one of
// iPhones, or none; then clips are played as files, one after the other.
func TestThePlayerOfEveryBrowser(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: needs node, which `make test` installs")
	}
	player, err := os.ReadFile("assets/player.js")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json": `{"type": "module"}`, "player.js": string(player),
		"mp4.js": `export const codec = () => 'avc1.640028'; export const frameTimes = () => [0, 0.04]; export const readings = () => [];`,
		"run.js": `
const kind = process.argv[2];
const fails = [];
const want = (what, is) => { if (!is) fails.push(what); };
const asked = [];
globalThis.fetch = async (url) => {
  const q = new URLSearchParams(url.split('?')[1]);
  const from = Date.parse(q.get('from')), to = Date.parse(q.get('to'));
  asked.push(from);
  return { status: 200, arrayBuffer: async () => new ArrayBuffer(8),
    headers: { get: (h) => new Date(h === 'X-Clip-Start' ? from - 500 : to).toISOString() } };
};
let opened = null;
class Media extends EventTarget {
  static isTypeSupported() { return true; }
  constructor() { super(); opened = this; setTimeout(() => this.dispatchEvent(new Event('sourceopen'))); }
  addSourceBuffer() {
    const b = new EventTarget();
    b.buffered = { length: 0 };
    b.appendBuffer = () => setTimeout(() => b.dispatchEvent(new Event('updateend')));
    return b;
  }
}
if (kind === 'usual') globalThis.MediaSource = Media;
if (kind === 'managed') globalThis.ManagedMediaSource = Media;
URL.createObjectURL = (x) => (x instanceof Blob ? 'blob:file' : 'blob:source');
URL.revokeObjectURL = () => {};
class Video extends EventTarget {
  src = ''; currentTime = 0; paused = true; playbackRate = 1; buffered = { length: 0 };
  canPlayType() { return kind === 'no codec' ? '' : 'probably'; }
  async play() { this.paused = false; }
  removeAttribute() { this.src = ''; }
  load() {}
}
process.on('unhandledRejection', (e) => { console.log('uncaught: ' + e); process.exit(0); });
const { Player } = await import('./player.js');
const video = new Video();
const found = [];
let unplayable = '';
const p = new Player(video, { time() {}, state() {}, found: (is) => found.push(is), unplayable: (c) => { unplayable = c; } });
const at = Date.parse('2026-11-25T21:00:00Z');
await p.open('BJ1-1', at);
if (kind === 'usual' || kind === 'managed') {
  want('a source', opened && video.src === 'blob:source');
  want('remote playback', (video.disableRemotePlayback === true) === (kind === 'managed'));
  want('time', Math.abs(p.now() - at) < 2);
} else if (kind === 'none') {
  want('a file', video.src === 'blob:file' && !video.paused);
  want('time ' + p.now(), Math.abs(p.now() - at) < 2);
  want('found', found.at(-1) === true);
  await p.seek(at + 5000);
  want('sought within the file', asked.length === 1 && Math.abs(p.now() - at - 5000) < 2);
  await p.seek(at + 3600_000);
  want('sought elsewhere', asked.length === 2 && Math.abs(p.now() - at - 3600_000) < 2);
  video.paused = true;
  video.dispatchEvent(new Event('ended'));
  await new Promise((ok) => { setTimeout(ok, 20); });
  want('the next file', asked.length === 3 && asked[2] === at + 3620_000 && !video.paused);
  await p.open('BJ2-1', at, false);
  want('another camera', asked.length === 4);
} else {
  want('the codec', unplayable === 'avc1.640028' && found.at(-1) === false);
}
p.close();
console.log(fails.join('; ') || 'fine');
process.exit(0);
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"usual", "managed", "none", "no codec"} {
		cmd := exec.Command(node, "run.js", kind)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != "fine" {
			t.Errorf("%s: %v: %s", kind, err, got)
		}
	}
}
