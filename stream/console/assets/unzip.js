// Reads a zip as the node writes it (APPNOTE 6.3.10): its files by their names, stored or deflated.

const central = 0x02014b50, end = 0x06054b50;

export async function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at) => view.getUint16(at, true);
  const u32 = (at) => view.getUint32(at, true);
  const last = bytes.length - 22; // the node writes no comment behind the directory
  if (u32(last) !== end) throw new Error('zip: no end');
  const files = new Map();
  for (let n = u16(last + 10), at = u32(last + 16); n > 0; n--) {
    if (u32(at) !== central) throw new Error('zip: no directory');
    const [method, size, name, extra, comment, local] = [u16(at + 10), u32(at + 20), u16(at + 28), u16(at + 30), u16(at + 32), u32(at + 42)];
    const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
    const from = local + 30 + u16(local + 26) + u16(local + 28);
    const packed = bytes.slice(from, from + size);
    if (files.has(path)) throw new Error(`zip: ${path} twice`);
    files.set(path, method ? await inflated(packed) : packed);
    at += 46 + name + extra + comment;
  }
  return files;
}

// inflated is what was packed; nothing where that is broken.
async function inflated(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer().then((b) => new Uint8Array(b), () => new Uint8Array());
}
