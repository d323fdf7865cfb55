// Plays a camera's recording by the time of day: Media Source Extensions over
// clips of the API, fetched a little ahead of the picture; where a browser has none
// (iPhones before iOS 17.1), one clip after the other as a file. Media time 0 is `base`.
import { codec, frameTimes, readings } from './mp4.js';

export const rates = [0.25, 0.5, 1, 2, 4, 8];
const first = 4_000; // ms: a short piece shows its picture soon
const piece = 20_000;
const ahead = 30; // seconds of media at normal speed
const behind = 120;
// Source is the browser's; iPhones have the managed one alone.
const Source = globalThis.ManagedMediaSource ?? globalThis.MediaSource;

export class Player {
  // on.time(wall ms), on.state(words) tell how it goes, on.found(bool) whether there
  // is a recording where it was asked for; missing(wall) gives the start of the next
  // recording after a gap, or null.
  constructor(video, on) {
    this.video = video;
    this.on = on;
    this.camera = null;
    this.turn = 0; // of the newest seek: older fetches have lost
    this.appended = Promise.resolve();
    video.addEventListener('timeupdate', () => this.camera && on.time(this.now()));
    video.addEventListener('seeked', () => this.camera && on.time(this.now()));
    video.addEventListener('ended', () => this.file && this.goOn());
    if (Source !== globalThis.MediaSource) video.disableRemotePlayback = true; // else a managed source does not open
  }

  // close lets go of the recording.
  close() {
    this.turn++;
    this.abort?.abort();
    URL.revokeObjectURL(this.video.src);
    this.file = null;
    this.video.removeAttribute('src');
    this.video.load();
  }

  now() { return this.base + this.video.currentTime * 1000; }

  // open shows a camera at a time of day; with play it goes on from there.
  async open(camera, wall, play = true) {
    if (!Source) {
      if (camera !== this.camera) this.file = null;
      this.camera = camera;
      await this.seek(wall);
      if (play) this.video.play().catch(() => {});
      return;
    }
    if (camera !== this.camera || wall < this.base || wall > this.base + 26 * 3600_000) {
      this.turn++; // what is on its way is the other recording's
      this.abort?.abort();
      this.camera = camera;
      this.base = new Date(wall).setHours(0, 0, 0, 0) - 3600_000;
      this.frames = [];
      this.read = [];
      this.buffer = null;
      this.appended = Promise.resolve();
      this.source = new Source();
      URL.revokeObjectURL(this.video.src);
      this.video.src = URL.createObjectURL(this.source);
      this.opened = new Promise((done) => { this.source.addEventListener('sourceopen', done, { once: true }); });
    }
    const mine = this.opened;
    await mine; // who asks again meanwhile waits for it, too
    if (mine !== this.opened) return;
    await this.seek(wall);
    if (play) this.video.play().catch(() => {});
  }

  has(t) {
    const b = this.video.buffered;
    for (let i = 0; i < b.length; i++) if (b.start(i) <= t + 0.001 && t < b.end(i) - 0.001) return b.end(i);
    return 0;
  }

  async seek(wall) {
    const turn = ++this.turn;
    this.abort?.abort();
    if (!Source) {
      const shown = this.file && wall >= this.file.start && wall < this.file.end;
      if (shown) this.video.currentTime = (wall - this.base) / 1000;
      const found = shown || await this.clip(wall, turn);
      if (turn === this.turn) this.on.found?.(found);
      return;
    }
    const t = (wall - this.base) / 1000;
    let found = true;
    if (this.buffer && this.has(t)) this.video.currentTime = t;
    else found = await this.load(wall, first, turn, true) !== null;
    if (turn !== this.turn) return;
    this.on.found?.(found);
    this.keepUp(turn, found ? null : wall);
  }

  // fetched is the recording from a time on, with its codec; null where there is none, or
  // another seek took over.
  async fetched(wall, length, turn) {
    this.abort = new AbortController();
    const q = new URLSearchParams({ camera: this.camera, from: new Date(wall).toISOString(), to: new Date(wall + length).toISOString() });
    let r, bytes;
    try {
      r = await fetch(`/api/v1/clips?${q}`, { signal: this.abort.signal });
      bytes = r.status === 200 ? await r.arrayBuffer() : null; // 204: nothing recorded there
    } catch { return null; }
    if (turn !== this.turn || !bytes) return null;
    return { bytes, name: codec(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 4096))),
      start: Date.parse(r.headers.get('X-Clip-Start')), end: Date.parse(r.headers.get('X-Clip-End')) };
  }

  // clip plays the recording from a time on as a file; whether there is one.
  async clip(wall, turn) {
    const got = await this.fetched(wall, piece, turn);
    if (!got) return false;
    const { bytes, name, start, end } = got;
    if (!this.video.canPlayType(`video/mp4; codecs="${name}"`)) { this.on.unplayable?.(name); return false; }
    URL.revokeObjectURL(this.video.src);
    this.file = { start, end };
    this.base = start;
    this.frames = frameTimes(bytes);
    this.read = [{ from: start, to: end, all: readings(bytes) }];
    this.video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
    this.video.currentTime = Math.max((wall - start) / 1000, 0.001);
    return true;
  }

  // goOn plays what was recorded after the file that has ended; over a gap the next there is.
  async goOn() {
    const turn = ++this.turn;
    let from = this.file.end;
    while (turn === this.turn && !await this.clip(from, turn)) {
      from = this.on.missing?.(from + 400) ?? from;
      await pause(1000); // the live end: more comes
    }
    if (turn === this.turn) this.video.play().catch(() => {});
  }

  // load appends the recording from a time on; it gives the time of day at which
  // it ends, null where there is none.
  async load(wall, length, turn, jump = false) {
    const got = await this.fetched(wall, length, turn);
    if (!got) return null;
    const { bytes, name, start, end } = got;
    const offset = (start - this.base) / 1000;
    if (!this.buffer) {
      const type = `video/mp4; codecs="${name}"`;
      if (!Source.isTypeSupported(type)) { this.on.unplayable?.(name); return null; }
      this.buffer = this.source.addSourceBuffer(type);
      this.source.duration = 27 * 3600;
    }
    await this.append(bytes, offset);
    this.frames = [...new Set([...this.frames, ...frameTimes(bytes).map((x) => Math.round((x + offset) * 1e4) / 1e4)])].sort((a, b) => a - b);
    this.read.push({ from: start, to: end, all: readings(bytes) });
    if (jump && turn === this.turn) this.video.currentTime = Math.max((wall - this.base) / 1000, offset + 0.001);
    return end > wall ? end : null;
  }

  // append adds a piece after those before it, of whichever turn: a buffer takes one at a time.
  append(bytes, offset) {
    const b = this.buffer;
    const put = () => this.put(b, bytes, offset);
    this.appended = this.appended.then(put, put);
    return this.appended;
  }

  async put(b, bytes, offset) {
    const done = () => new Promise((ok) => { b.addEventListener('updateend', ok, { once: true }); });
    const past = this.video.currentTime - behind;
    if (past > 0 && b.buffered.length && b.buffered.start(0) < past) {
      b.remove(0, past);
      await done();
      this.frames = this.frames.filter((t) => t >= past);
      this.read = this.read.filter((p) => p.to >= this.base + past * 1000);
    }
    b.timestampOffset = offset;
    b.appendBuffer(bytes);
    await done();
  }

  // keepUp stays ahead of the picture until another seek takes over. Over a gap
  // it goes on with the next recording; so it does from sought, where nothing was found.
  async keepUp(turn, sought = null) {
    while (turn === this.turn) {
      const t = this.video.currentTime;
      const end = this.has(t);
      const want = ahead * Math.max(1, this.video.playbackRate);
      if (end && end - t > want / 2) { await pause(200); continue; }
      const from = !end && sought !== null ? sought : this.base + (end || t) * 1000;
      const reached = await this.load(from, Math.max(piece, want * 1000), turn, from === sought);
      if (turn !== this.turn) return;
      if (reached) sought = null;
      if (reached && reached - from > 50) continue;
      const next = this.on.missing?.(from + 400);
      if (next && next - from > 50 && (!end || end - t < 0.3)) { this.open(this.camera, next, !this.video.paused); return; }
      await pause(1000); // the live end: more comes
    }
  }

  // readings are what was read in the picture that shows, {at, readings}; null where
  // that is not known. What comes late lies in the piece after it.
  readings() {
    const now = this.now() + 1;
    const i = (this.read ?? []).findLastIndex((p) => p.from <= now && now <= p.to + 1000);
    if (i < 0) return null;
    const here = this.read[i];
    const late = this.read.filter((p) => p.from > here.from).flatMap((p) => p.all).filter((x) => x.at >= here.from);
    const x = [...here.all, ...late].filter((y) => y.at <= now).reduce((a, b) => (a && a.at > b.at ? a : b), null);
    return x?.readings ? x : null;
  }

  // step shows the next picture or the one before.
  step(n) {
    this.video.pause();
    const t = this.video.currentTime;
    let i = this.frames.findLastIndex((x) => x <= t + 0.0005);
    i += n;
    if (i < 0 || i >= this.frames.length) return;
    const to = this.frames[i] + 0.0005;
    if (this.has(to)) this.video.currentTime = to;
    else this.seek(this.base + to * 1000);
  }

  faster(n) {
    const i = rates.indexOf(this.video.playbackRate) + n;
    if (rates[i]) this.video.playbackRate = rates[i];
    this.on.state();
  }

  toggle() { if (this.video.paused) this.video.play().catch(() => {}); else this.video.pause(); this.on.state(); }
}

const pause = (ms) => new Promise((ok) => { setTimeout(ok, ms); });
