// A case as one page: the zip lies in it, and everything that shows was held against the signed manifest
// first. Who changes the page could change this check, too: `vision verify` of the file does not rest on it.
import { make } from './dom.js';
import { firmness, language, languages, locale, money, names, sentence, setLanguage, spoken, standing, sure, t } from './words.js';
import { readings } from './mp4.js';
import { cutOut, drawOverlay, words as inWords } from './overlay.js';
import * as rounds from './rounds.js';
import { joined } from './groups.js';
import { unzip } from './unzip.js';

const $ = (s) => document.querySelector(s);
const context = 'vision case v1\n'; // before what is signed
const text = (bytes) => new TextDecoder().decode(bytes);
const decoded = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
const hash = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
const time = (at) => new Date(at).toLocaleString(locale());

// check is what was found: the files that are as they were signed, and what is wrong as [word, of what].
// Without a good signature nothing of the manifest counts.
async function check(zip) {
  const files = await unzip(zip);
  const [manifest, sig, pem] = ['manifest.json', 'manifest.sig', 'ledger.pub'].map((name) => files.get(name) ?? new Uint8Array());
  const der = decoded(text(pem).replace(/-----[^-]+-----|\s/g, ''));
  const found = { files: new Map(), wrong: [], key: hex((await hash(der.slice(-32))).slice(0, 8)) };
  const key = await crypto.subtle.importKey('spki', der, 'Ed25519', false, ['verify']);
  const signed = new Uint8Array([...new TextEncoder().encode(context), ...await hash(manifest)]);
  if (!await crypto.subtle.verify('Ed25519', key, decoded(text(sig).trim()), signed)) return { ...found, wrong: [['case_unsigned', 'manifest.json']] };
  found.of = JSON.parse(text(manifest));
  for (const f of found.of.files) {
    const got = files.get(f.name);
    if (!got) found.wrong.push(['case_missing', f.name]);
    else if (got.length !== f.bytes || hex(await hash(got)) !== f.sha256) found.wrong.push(['case_changed', f.name]);
    else found.files.set(f.name, got);
  }
  for (const name of files.keys()) if (!/^manifest\.(json|sig)$/.test(name) && !found.of.files.some((f) => f.name === name)) found.wrong.push(['case_added', name]);
  if (found.of.ledger_key !== found.key) found.wrong.push(['case_changed', 'ledger.pub']);
  return found;
}

// prove says whether the case is as it was signed.
function prove({ of, wrong, key, unable }) {
  const bad = wrong.map(([word, name]) => make('li', { className: 'critical' }, make('strong', { textContent: `${t('case_altered')}: ` }), `${t(word)} ${name}`));
  const good = unable ? make('li', { className: 'warning', textContent: `${t('case_unable')} (${unable})` })
    : make('li', {}, make('strong', { textContent: `${t('case_whole')}: ` }), t('case_whole_means').replace('{n}', String(of?.files.length)));
  const noted = make('input', { size: 20, autocomplete: 'off' });
  const same = make('output');
  noted.addEventListener('input', () => {
    const is = noted.value.trim().toLowerCase();
    same.textContent = !is ? '' : ` ${t(is === key ? 'case_same_key' : 'case_other_key')}`;
  });
  $('#proof').replaceChildren(...(bad.length ? bad : [good]),
    ...(key ? [make('li', { className: 'info' }, `${t('verify_key')} ${key}. ${t('case_key')} `, make('label', {}, t('case_noted'), noted), same)] : []),
    make('li', { className: 'info', textContent: t('case_limits') }));
}

// still shows what a camera saw at a moment, without and with what was read, and each reading beside its picture.
async function still(clip, bytes, at) {
  const video = make('video', { muted: true, playsInline: true, src: URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' })) });
  const ready = (event) => new Promise((ok, no) => { video.addEventListener(event, ok, { once: true }); video.addEventListener('error', () => no(new Error(t('no_codec'))), { once: true }); });
  await Promise.all([ready('loadeddata'), video.play().then(() => video.pause(), () => {})]); // iPhones load no picture that is not played
  const seeked = ready('seeked');
  video.currentTime = Math.max(0, (at - Date.parse(clip.from)) / 1000);
  await seeked;
  const size = { width: video.videoWidth, height: video.videoHeight };
  const picture = make('canvas', size);
  picture.getContext('2d').drawImage(video, 0, 0);
  const overlay = make('canvas', { ariaHidden: 'true' });
  const box = make('div', { className: 'picture' }, picture, overlay);
  const read = readings(bytes.buffer).findLast((x) => x.at <= at + 1)?.readings ?? [];
  const list = make('ul', { className: 'readings' }, ...read.map((r) => make('li', { className: r.abstain ? 'unsure' : '' }, cutOut(video, null, r), make('span', { textContent: inWords(r) }))));
  const draw = () => drawOverlay(overlay, video, null, read, { sure: true });
  new ResizeObserver(draw).observe(box);
  return [box, list];
}

// played is a round as the ledger has it; what decides one of some alerts stands out.
const played = (r, alerts = []) => make('ol', { className: 'events' }, ...(r.events ?? []).map((e) => make('li', { className: alerts.some((a) => rounds.decides(e, a)) ? 'decides' : '', textContent: `${e.t.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s · ${rounds.event(e)}` })));

function show({ of, files }) {
  const entries = text(files.get('ledger.jsonl') ?? new Uint8Array()).trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const last = (kind) => [...new Map(entries.filter((e) => e.kind === kind).map((e) => [e.payload.id, e.payload])).values()];
  const records = last('round');
  const videoOf = new Map(); // camera → its clip and element
  for (const clip of of.clips) {
    const bytes = files.get(clip.file);
    if (!bytes) continue;
    const src = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
    videoOf.set(clip.camera, { clip, bytes, player: () => make('video', { controls: true, playsInline: true, preload: 'metadata', src }) });
  }
  const alerts = last('alert').sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const findings = joined(alerts.map((a) => ({ id: a.id, alert: a }))).map(({ alert: a, parts }) => {
    const at = Date.parse(a.at);
    const has = videoOf.get(a.clip?.camera) ?? [...videoOf.values()].find((x) => x.clip.table === a.table);
    const record = records.find((r) => r.id === a.round);
    const box = make('article', {}, make('h2', { textContent: `${a.table} · ${sentence(a)}` }),
      ...parts.slice(1).map((x) => make('p', { textContent: `+ ${sentence(x.alert)}` })),
      make('p', { textContent: [time(at), a.rule, firmness(a) && sure(a.probability), a.amount ? money(a.amount) : '', standing(a), a.ack && time(a.ack.at), a.ack?.note].filter(Boolean).join(' · ') }),
      make('ul', {}, ...(a.accounts ?? []).map((x) => make('li', { textContent: spoken(x) }))));
    if (has && at >= Date.parse(has.clip.from) && at <= Date.parse(has.clip.to)) {
      const go = make('button', { type: 'button', textContent: t('play') });
      go.addEventListener('click', () => {
        const video = has.player();
        video.currentTime = Math.max(0, (at - 10_000 - Date.parse(has.clip.from)) / 1000);
        go.replaceWith(video);
        video.play();
      });
      const place = make('div');
      box.append(go, place);
      still(has.clip, has.bytes, at).then((drawn) => place.replaceChildren(...drawn), (err) => { place.textContent = err.message; });
    }
    if (record) box.append(make('h3', { textContent: `${t('round')} ${record.id}` }), played(record, parts.map((x) => x.alert)));
    return box;
  });
  const others = records.filter((r) => !alerts.some((a) => a.round === r.id));
  const save = make('a', { href: URL.createObjectURL(new Blob([zip], { type: 'application/zip' })), download: `case-${of.id}.zip`, textContent: t('case_zip') });
  $('#shown').replaceChildren(
    make('h2', { textContent: of.title }),
    make('p', { textContent: [of.id, of.tables.join(' '), `${time(of.from)} – ${time(of.to)}`, `${of.by}, ${time(of.made)}`, of.note].filter(Boolean).join(' · ') }),
    ...findings,
    ...of.clips.map((c) => make('figure', {}, videoOf.get(c.camera)?.player() ?? make('p', { textContent: t(c.file ? 'case_altered' : 'no_recording') }),
      make('figcaption', { textContent: [`${c.table} · ${c.camera}`, c.file && `${time(c.from)} – ${time(c.to)}`, ...(c.gaps ?? []).map((g) => `${t('case_gap')} ${time(g.from)} – ${time(g.to)}`)].filter(Boolean).join(' · ') }))),
    ...others.map((r) => make('details', {}, make('summary', { textContent: `${t('round')} ${r.id}` }), played(r))),
    make('details', {}, make('summary', { textContent: t('case_files') }), make('ul', {}, ...of.files.map((f) => make('li', { textContent: `${f.name} · ${f.bytes} · SHA-256 ${f.sha256}` })))),
    make('p', {}, save));
}

// bytes of what stands in the page, in pieces: a browser's own functions take no text of this length at once.
function within(base64) {
  const piece = 4 << 18; // a multiple of four letters
  const out = new Uint8Array(Math.floor(base64.length / 4) * 3);
  let n = 0;
  for (let i = 0; i < base64.length; i += piece) {
    const part = decoded(base64.slice(i, i + piece));
    out.set(part, n);
    n += part.length;
  }
  return out.slice(0, n);
}

let zip, found;
try {
  zip = within($('#zip').textContent);
  found = await check(zip);
} catch (err) {
  // Where the browser lacks the means nothing is proved; anything else is a file that was broken.
  const unable = !globalThis.crypto?.subtle || err.name === 'NotSupportedError';
  found = { wrong: unable ? [] : [['case_broken', '']], unable: unable && err.message };
}
$('#language').append(...languages.map((l) => make('option', { value: l, lang: l, textContent: names[l] })));
const speak = (l) => {
  setLanguage(l);
  prove(found);
  if (found.of) show(found);
};
$('#language').addEventListener('change', (e) => speak(e.target.value));
speak(localStorage.getItem('lang') ?? languages.find((l) => navigator.language.startsWith(l)) ?? 'es');
$('#language').value = language();
