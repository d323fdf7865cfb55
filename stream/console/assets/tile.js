// One tile of the wall: a table's live picture with what is read drawn over it, its
// state, and the running round.
import { locale, t, money, spoken } from './words.js';
import { make } from './dom.js';
import { icon, say } from './icons.js';
import { drawOverlay, place, places } from './overlay.js';
import { said } from './details.js';
import * as rounds from './rounds.js';

const still = 3; // seconds without a new picture after which the tile says so
const told = 10_000; // ms after which an alert's banner is its sign alone
const broken = 5; // seconds after which a substream is taken for broken

// named is a table's name, and its game where no word of the name says it.
function named(table) {
  const words = (x = '') => x.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(/[^a-z]+/).filter((w) => w.length > 3);
  const games = [table.game, table.game_es, table.game_en, table.game_ca].flatMap(words);
  return words(table.name).some((w) => games.includes(w)) ? table.name : `${table.name} · ${rounds.game(table)}`;
}

export class Tile {
  table; // as /api/v1/tables has it
  known; // what the wall has heard of it: state, duty, alarms, ages, overlays
  covered; // of the picture, by what was read: boxes
  corner; // where the banner lies, of places
  lost = []; // what is to be said of a camera without pictures, as the node knows it

  // slot is its place in the peer connection; me is who looks (/api/v1/me); play shows the recording of an alert.
  constructor(slot, me, play) {
    this.slot = slot;
    this.me = me;
    this.root = document.querySelector('#tile').content.firstElementChild.cloneNode(true);
    this.video = this.root.querySelector('video');
    this.canvas = this.root.querySelector('canvas');
    this.blind = this.part('blind');
    this.part('alarms').addEventListener('click', () => play(this.worst));
    this.video.addEventListener('playing', () => { this.blind.hidden = true; });
  }

  get camera() { return this.table.cameras[0]; }
  get aspect() { const [w, h] = this.camera.size ?? []; return w && h ? w / h : 16 / 9; }
  part(name) { return this.root.querySelector(`.${name}`); }

  // show puts a table into the tile; known is what the wall has heard of it.
  show(table, known) {
    Object.assign(this, { table, known, frozen: false, quiet: 1, lost: [], covered: [], corner: -1 }); // none of its pictures was seen yet
    this.root.dataset.table = table.id;
    this.root.setAttribute('aria-label', table.name);
    this.root.classList.remove('frozen');
    this.part('picture').style.aspectRatio = String(this.aspect);
    this.say(t('connecting'));
    this.alarms(known.alarms);
    this.render();
  }

  say(text, more = '') {
    this.blind.replaceChildren(text, ...(more ? [make('small', { textContent: more })] : []));
    this.blind.hidden = false;
  }

  render() {
    const { table, known: { state, duty } } = this;
    this.part('name').textContent = named(table);
    this.part('name').title = `${table.name} · ${rounds.game(table)}`;
    this.part('phase').textContent = state?.phase ? rounds.phase(state.phase) : '';
    this.part('doubt').hidden = !state?.not_verifiable;
    say(this.part('doubt'), 'major', state?.not_verifiable ? `${t('unverified')}: ${rounds.doubt(state.not_verifiable)}` : '');
    say(this.part('who'), duty && `rec_${duty.recording}`, duty ? `${t(`rec_${duty.recording}`)} · ${duty.jefe ?? t('nobody')}` : '');
    this.part('who').className = `who rec ${duty?.recording ?? ''}`;
    this.part('more').textContent = ['', ...this.facts()].join(' · ');
    // The newest first: the end of a long line is cut off.
    const events = (state?.events ?? []).slice(-6).map(rounds.event).reverse();
    this.part('round').textContent = events.join(' · ') || t('no_round');
    this.root.classList.toggle('unverified', Boolean(state?.not_verifiable));
  }

  facts() {
    const { table, known: { state, ages } } = this;
    const out = []; // what changes first: the end of a long line is cut off
    const begun = rounds.begun(state?.round);
    if (begun) out.push(`${t('round').toLowerCase()} ${begun.toLocaleTimeString(locale())}`);
    if (state?.per_hour) out.push(`${state.per_hour} ${t('perhour')}`);
    const ms = ages.get(this.camera.name);
    if (ms >= 0) out.push(`${t('age')} ${(ms / 1000).toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`);
    return [...out, ...rounds.limits(table), rounds.game(table), table.norm];
  }

  // alarms shows what waits for somebody at the table, so that one sees it from afar: how
  // grave the worst is and what it is about in money, and how many there are.
  alarms(open) {
    const mark = this.part('alarms');
    const [worst] = open;
    this.worst = worst;
    mark.hidden = !worst;
    this.root.classList.toggle('alarmed', worst?.severity === 'critical');
    if (open.some((x) => !this.known.alerted?.has(x.id))) this.known.said = Date.now();
    this.known.alerted = new Set(open.map((x) => x.id));
    if (!worst) return;
    const words = [worst.amount ? ` ${money(worst.amount)}` : '', open.length > 1 ? ` ×${open.length}` : ''].join('');
    mark.className = `alarms ${worst.severity}`;
    mark.replaceChildren(icon(worst.severity, t(worst.severity)), make('span', { textContent: words }, ...(worst.clip ? [icon('play')] : [])));
    mark.title = `${worst.clip ? `${t('play')} · ` : ''}${open.length} ${t('alerts')}${words}`;
    this.lay();
  }

  // lay puts the banner where it covers least of what was read. What was said long enough, or would cover
  // some of that, is said by its sign alone.
  lay() {
    const mark = this.part('alarms');
    if (mark.hidden) return;
    const frame = this.part('picture').getBoundingClientRect();
    const box = (e) => { const r = e.getBoundingClientRect(); return { x: r.x - frame.x, y: r.y - frame.y, w: r.width, h: r.height }; };
    const others = ['top', 'doubt', 'blind', 'lack'].map((name) => box(this.part(name)));
    for (const brief of Date.now() - this.known.said < told ? [false, true] : [true]) {
      mark.classList.toggle('brief', brief);
      const { at, covers } = place({ w: mark.offsetWidth, h: mark.offsetHeight }, { w: frame.width, h: frame.height }, [...this.covered, ...others], this.corner);
      this.corner = at;
      if (!covers) break;
    }
    const [x, y] = places[this.corner];
    Object.assign(mark.style, { left: `${100 * x}%`, top: `${100 * y}%`, translate: `${-100 * x}% ${-100 * y}%` });
  }

  // trouble shows, by the node's problems, that the camera gives no picture, or what it
  // lacks to be read, and the way to where that is mended.
  trouble(problems) {
    const of = (code) => problems.find((x) => x.code === code && this.table.cameras.some((c) => c.name === x.object));
    const blind = of('camera_blind');
    const [since, ...why] = blind?.detail.split(': ') ?? [];
    this.lost = blind ? [said(since), this.me.technical ? said(why.join(': ')) : t('call_technician')] : [];
    this.sight();
    const unread = of('camera_unreadable');
    const lack = this.part('lack');
    lack.hidden = !unread;
    if (!unread) { this.unfinished(lack); return; }
    const mend = this.me.technical
      ? Object.assign(document.createElement('a'), { href: `/calibrate/${encodeURIComponent(unread.object)}`, textContent: t('calibrate_it') })
      : t('call_technician');
    say(lack, 'mend', /no calibration/.test(unread.detail) ? t('uncalibrated') : `${spoken(unread)}: ${said(unread.detail)}`, ' ', mend);
  }

  // sight says so where there is no picture. One that moves is there, whatever the node says:
  // a camera is back before that is over.
  sight() {
    if (this.video.readyState >= 2 && this.quiet === 0) this.blind.hidden = true;
    else if (this.lost.length) this.say(...this.lost);
    else if (this.quiet >= still) this.say(t('blind'));
  }

  // unfinished shows those who can mend it what was not made for a camera yet.
  unfinished(lack) {
    const of = this.me.technical && this.table.cameras.find((c) => c.lacks?.length);
    lack.hidden = !of;
    if (of) say(lack, 'mend', `${t('lacks')}: ${of.lacks.map((x) => t(`lacks_${x}`)).join(', ')}`, ' ', Object.assign(document.createElement('a'), { href: `/calibrate/${encodeURIComponent(of.name)}`, textContent: t('finish_it') }));
  }

  freeze() {
    this.frozen = !this.frozen;
    this.root.classList.toggle('frozen', this.frozen);
    if (this.frozen) this.video.pause(); else this.video.play();
  }

  paint() {
    const readings = this.known.overlays.get(this.camera.name) ?? [];
    this.covered = drawOverlay(this.canvas, this.video, this.camera.size, readings);
    if (readings !== this.laid) this.lay();
    this.laid = readings;
  }

  // look is called every second: a picture that stands still is worse than none. It
  // tells whether the substream has to be given up: the full picture may be there.
  look() {
    this.lay();
    if (this.frozen || !this.video.srcObject) return false;
    const now = this.video.getVideoPlaybackQuality().totalVideoFrames; // its time goes on without pictures
    this.quiet = now === this.last ? this.quiet + 1 : 0;
    this.last = now;
    this.sight();
    return this.quiet === broken && Boolean(this.camera.low);
  }
}
