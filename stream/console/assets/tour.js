// The guided tour of one mistake, from the table to what should have been: for the
// demonstration, whose croupiers make one at the beginning, and for who learns.
import { get } from './api.js';
import { hear } from './line.js';
import { locale, money, sentence, spoken, sure, t } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import { icon } from './icons.js';
import { Player } from './player.js';
import { drawOverlay } from './overlay.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
const preRoll = 10_000;

let now = 0; // which step shows
let of = null; // what it is about: {alert, table, round}
const player = new Player($('#video'), { time: () => {}, state: () => {} });

// about gathers all about a finding; null where there is no recording of it.
async function about(alert) {
  if (alert?.kind !== 'finding' || !alert.clip || !alert.round) return null;
  const round = await get(`/api/v1/tables/${encodeURIComponent(alert.table)}/rounds/${encodeURIComponent(alert.round)}`).catch(() => null);
  return round && { alert, round, table: tables.find((x) => x.id === alert.table) };
}

// first is the newest finding that is about money, else the newest.
async function first() {
  const all = (await get('/api/v1/alerts')).filter((a) => a.kind === 'finding').sort((a, b) => Number(Boolean(b.amount)) - Number(Boolean(a.amount)) || Date.parse(b.at) - Date.parse(a.at));
  for (const a of all) {
    const found = await about(a);
    if (found) return found;
  }
  return null;
}

// paid is what the croupier did at that place, by the round's record.
function paid({ alert, round }) {
  const money_ = (round.record?.events ?? []).filter((e) => ['pay', 'collect', 'return', 'commission'].includes(e.type));
  return money_.findLast((e) => e.seat === alert.seat && (!alert.spot || e.spot === alert.spot)) ?? money_.at(-1);
}

const told = (v) => (typeof v === 'number' ? money(v) : v === undefined || v === null || v === '' ? '' : String(v).replaceAll('_', ' '));

// steps are the tour: a word, what stands large, what is said, what is listed, and which
// moment of the recording shows; play lets it go on from there.
const steps = [
  { word: 'tour_table', big: () => of.table.name, text: () => [rounds.game(of.table), of.table.norm, ...rounds.limits(of.table)].join(' · '), at: () => Date.parse(of.round.start) },
  { word: 'tour_alert', big: () => sentence(of.alert), text: () => [of.alert.rule, sure(of.alert.probability)].join(' · '), list: () => (of.alert.accounts ?? []).map(spoken), at: () => Date.parse(of.alert.at) },
  { word: 'tour_clip', big: () => new Date(of.alert.at).toLocaleTimeString(locale()), text: () => t('tour_clip_text'), at: () => Date.parse(of.alert.clip.from) - preRoll, play: true },
  { word: 'tour_paid', big: () => told(of.alert.observed) || t('tour_nothing'), text: () => { const e = paid(of); return e ? rounds.event(e) : ''; }, list: () => (of.round.record?.events ?? []).map(rounds.event), at: () => Date.parse(of.round.start) + 1000 * (paid(of)?.t ?? 0) },
  { word: 'tour_due', big: () => told(of.alert.expected) || t('tour_nothing'), text: () => `${of.alert.rule} · ${of.alert.amount ? `${t('tour_difference')} ${money(of.alert.amount)}` : ''}`, at: () => Date.parse(of.alert.at) },
  { word: 'tour_decide', big: () => t('tour_decide_big'), text: () => t('tour_decide_text'), links: true, at: () => Date.parse(of.alert.at) },
];

function show() {
  $('#steps').replaceChildren(...steps.map((s, i) => {
    const b = make('button', { type: 'button', textContent: `${i + 1} ${t(s.word)}` });
    if (i === now) b.setAttribute('aria-current', 'step');
    b.disabled = !of;
    b.addEventListener('click', () => go(i));
    return make('li', {}, b);
  }));
  const s = steps[now];
  $('#title').textContent = of ? `${now + 1}. ${t(s.word)}` : t('tour');
  $('#big').textContent = of ? s.big() : t('tour_waiting');
  $('#text').textContent = of ? s.text() : t('tour_waiting_text');
  const links = of && s.links ? [['/', 'wall', 'wall'], ['/review', 'review', 'review']].map(([href, word, drawn]) => make('li', {}, make('a', { href }, icon(drawn), ` ${t(word)}`))) : [];
  $('#more').replaceChildren(...(of ? s.list?.() ?? [] : []).map((x) => make('li', { textContent: x })), ...links);
  $('#before').disabled = !of || now === 0;
  $('#after').disabled = !of || now === steps.length - 1;
}

async function go(i) {
  if (!of || !steps[i]) return;
  now = i;
  show();
  $('#video').pause();
  await player.open(of.alert.clip.camera, steps[i].at(), Boolean(steps[i].play));
}

$('#before').addEventListener('click', () => go(now - 1));
$('#after').addEventListener('click', () => go(now + 1));
document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || /** @type {HTMLElement} */ (e.target).matches('select')) return;
  const to = { ArrowRight: now + 1, ArrowLeft: now - 1 }[e.key] ?? (Number(e.key) >= 1 ? Number(e.key) - 1 : null);
  if (to === null) return;
  e.preventDefault();
  go(to);
});

function paint() {
  const size = tables.flatMap((x) => x.cameras).find((c) => c.name === player.camera)?.size;
  drawOverlay($('#overlay'), $('#video'), size, ($('#video').readyState >= 2 && player.readings()?.readings) || [], { sure: true });
  requestAnimationFrame(paint);
}

const me = await get('/api/v1/me');
const tables = await get('/api/v1/tables');
header(me, show);
show();

// begin starts the tour once there is something to show.
async function begin(found) {
  if (of || !found) return;
  of = found;
  requestAnimationFrame(paint);
  await go(0);
}
await begin(await first());
// A round's record comes after its alert: it is asked for again until it is there.
hear((m) => { if (m.type === 'alert' || m.type === 'state') first().then(begin); });
arrived();
