// The little of ISO/IEC 14496-12 that the player needs: the codec's name from the
// init segment, the time of every picture, for stepping frame by frame, and what was
// read in the pictures (docs/integrator.md).

const timescale = 90000; // of every recording (docs/integrator.md)

function* boxes(view, at, end) {
  while (at + 8 <= end) {
    const size = view.getUint32(at);
    const type = String.fromCharCode(view.getUint8(at + 4), view.getUint8(at + 5), view.getUint8(at + 6), view.getUint8(at + 7));
    if (size < 8 || at + size > end) return;
    yield { type, at: at + 8, end: at + size };
    at += size;
  }
}

const hex = (b, n = 2) => b.toString(16).padStart(n, '0');

// codec names what the sample description holds (ISO/IEC 14496-15): of avcC profile,
// constraints and level, of hvcC as its annex E has it.
export function codec(bytes) {
  for (let i = 0; i + 20 < bytes.length; i++) {
    const box = String.fromCharCode(...bytes.subarray(i, i + 4));
    const at = i + 5; // after the version
    if (box === 'avcC') return `avc1.${[...bytes.subarray(at, at + 3)].map((b) => hex(b)).join('')}`;
    if (box === 'hvcC') return `hvc1.${hevc(bytes.subarray(at, at + 12))}`;
  }
  return null;
}

// hevc is profile, compatibility (its bits the other way round), tier and level, and the
// constraints up to the last that is set.
function hevc(b) {
  const space = ['', 'A', 'B', 'C'][b[0] >> 6];
  const bits = hex(((b[1] << 24) | (b[2] << 16) | (b[3] << 8) | b[4]) >>> 0, 8);
  const turned = parseInt([...parseInt(bits, 16).toString(2).padStart(32, '0')].toReversed().join(''), 2);
  const constraints = [...b.subarray(5, 11)];
  while (constraints.length && !constraints.at(-1)) constraints.pop();
  return [`${space}${b[0] & 31}`, turned.toString(16), `${b[0] & 32 ? 'H' : 'L'}${b[11]}`, ...constraints.map((x) => x.toString(16).toUpperCase())].join('.');
}

// frameTimes are the presentation times of all pictures, in seconds.
export function frameTimes(buffer) {
  const view = new DataView(buffer);
  const out = [];
  for (const moof of boxes(view, 0, view.byteLength)) {
    if (moof.type !== 'moof') continue;
    for (const traf of boxes(view, moof.at, moof.end)) {
      if (traf.type !== 'traf') continue;
      let base = 0;
      for (const b of boxes(view, traf.at, traf.end)) {
        if (b.type === 'tfdt') base = view.getUint8(b.at) === 1 ? Number(view.getBigUint64(b.at + 4)) : view.getUint32(b.at + 4);
        if (b.type === 'trun') base = run(view, b.at, base, out);
      }
    }
  }
  return out;
}

// readings are what was read: [{at (ms), readings}], in the order of the file.
export function readings(buffer) {
  const view = new DataView(buffer);
  const out = [];
  for (const b of boxes(view, 0, view.byteLength)) {
    if (b.type !== 'free' || b.end - b.at < 8) continue;
    const text = new TextDecoder().decode(new Uint8Array(buffer, b.at, b.end - b.at));
    if (text.startsWith('visnread')) out.push(...JSON.parse(text.slice(8)));
  }
  return out;
}

function run(view, at, base, out) {
  const flags = view.getUint32(at) & 0xffffff;
  const count = view.getUint32(at + 4);
  let p = at + 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  for (let i = 0; i < count; i++) {
    let duration = 0;
    let offset = 0;
    if (flags & 0x100) { duration = view.getUint32(p); p += 4; }
    if (flags & 0x200) p += 4;
    if (flags & 0x400) p += 4;
    if (flags & 0x800) { offset = view.getInt32(p); p += 4; }
    out.push((base + offset) / timescale);
    base += duration;
  }
  return base;
}
