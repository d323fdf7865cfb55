// One tile of the wall: a table's live picture with what is read drawn over it, its
// state, and the running round.
import { language, locale, t, money } from './words.js';
import { drawOverlay } from './overlay.js';
import { said } from './details.js';
import * as rounds from './rounds.js';

const still = 3; // seconds without a new picture after which the tile says so
const broken = 5; // seconds after which a substream is taken for broken

// named is a table's name, and its game where no word of the name says it.
function named(table) {
  const words = (x = '') => x.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(/[^a-z]+/).filter((w) => w.length > 3);
  const games = [table.game, table.game_es, table.game_en].flatMap(words);
  return words(table.name).some((w) => games.includes(w)) ? table.name : `${table.name} · ${rounds.game(table)}`;
}

export class Tile {
  table; // as /api/v1/tables has it
  known; // what the wall has heard of it: state, duty, alarms, ages, overlays

  constructor(slot) {
    this.slot = slot; // of the peer connection
    this.root = document.querySelector('#tile').content.firstElementChild.cloneNode(true);
    this.video = this.root.querySelector('video');
    this.canvas = this.root.querySelector('canvas');
    this.blind = this.part('blind');
    this.video.addEventListener('playing', () => { this.blind.hidden = true; });
  }

  get camera() { return this.table.cameras[0]; }
  part(name) { return this.root.querySelector(`.${name}`); }

  // show puts a table into the tile; known is what the wall has heard of it.
  show(table, known) {
    Object.assign(this, { table, known, frozen: false, quiet: 0 });
    this.root.dataset.table = table.id;
    this.root.setAttribute('aria-label', table.name);
    this.root.classList.remove('frozen');
    this.say(t('connecting'));
    this.alarms(...known.alarms);
    this.render();
  }

  say(text) { this.blind.textContent = text; this.blind.hidden = false; }

  render() {
    const { table, known: { state, duty } } = this;
    this.part('name').textContent = named(table);
    this.part('name').title = `${table.name} · ${rounds.game(table)}`;
    this.part('phase').textContent = state?.phase ? rounds.phase(state.phase) : '';
    this.part('doubt').hidden = !state?.not_verifiable;
    this.part('doubt').textContent = state?.not_verifiable ? `⚠ ${t('unverified')}: ${rounds.doubt(state.not_verifiable)}` : '';
    this.part('who').textContent = duty ? `${t(`rec_${duty.recording}`)} · ${duty.jefe ?? t('nobody')}` : '';
    this.part('who').className = `who rec ${duty?.recording ?? ''}`;
    this.part('more').textContent = this.facts().join(' · ');
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
    return [...out, `${money(table.min)} – ${money(table.max)}`, rounds.game(table), table.norm];
  }

  // alarms shows how many alerts of the table wait for somebody.
  alarms(n, worst) {
    const mark = this.part('alarms');
    mark.hidden = !n;
    mark.className = `alarms ${worst}`;
    mark.textContent = `⚠${n > 1 ? n : ''}`;
    mark.title = `${n} ${t('alerts')}`;
    this.root.classList.toggle('alarmed', worst === 'critical');
  }

  // trouble shows that the camera is blind, by the node's problems.
  trouble(problems) {
    const p = problems.find((x) => x.code === 'camera_blind' && this.table.cameras.some((c) => c.name === x.object));
    if (p) this.say(language() === 'es' ? said(p.detail) : `${t('blind')}: ${p.detail}`);
    else this.blind.hidden = this.video.readyState >= 2;
  }

  freeze() {
    this.frozen = !this.frozen;
    this.root.classList.toggle('frozen', this.frozen);
    if (this.frozen) this.video.pause(); else this.video.play();
  }

  paint() { drawOverlay(this.canvas, this.video, this.camera.size, this.known.overlays.get(this.camera.name) ?? []); }

  // look is called every second: a picture that stands still is worse than none. It
  // tells whether the substream has to be given up: the full picture may be there.
  look() {
    if (this.frozen || !this.video.srcObject) return false;
    const now = this.video.getVideoPlaybackQuality().totalVideoFrames; // its time goes on without pictures
    this.quiet = now === this.last ? this.quiet + 1 : 0;
    this.last = now;
    if (this.quiet >= still) this.say(t('blind'));
    else if (this.quiet === 0 && this.video.readyState >= 2) this.blind.hidden = true;
    return this.quiet === broken && Boolean(this.camera.low);
  }
}
