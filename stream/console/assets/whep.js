// A WHEP player (draft-ietf-wish-whep): one peer connection with the video of
// several cameras and one data channel, made again when it breaks.

const pauses = [0, 250, 500, 500, 1000]; // ms before each further attempt
const silence = 1500; // ms without a word from the server: the line is cut (it speaks every 500)
const patience = 2500; // ms that one attempt may take to be answered
const most = 6; // times that patience for an attempt to be connected, after several that were not: a busy machine

// connect keeps the cameras playing, of whichever machines of the house they are: of each
// there is a line. It returns show(slot, camera), by which a slot shows another camera, or
// with '' nothing. nodeOf(camera) is its machine by now. All machines tell the same: what is
// told counts on one line.
/** @param {(camera: string) => string} [nodeOf] */
export function connect(cameras, on, iceServers = [], nodeOf = () => '') {
  const lines = new Map(); // by machine
  const at = cameras.map(nodeOf); // the machine of each slot
  const up = new Set();
  const told = (node) => node === [...up][0];
  const open = (node, first) => {
    /** @type {{streams: MediaStream[], show: (slot: number, camera: string) => void, end: () => void}} */
    const line = { streams: [], show: () => {}, end: () => {} };
    lines.set(node, line);
    Object.assign(line, one(cameras.map((c, slot) => (at[slot] === node && c ? c : first)), {
      stream: (slot, s) => {
        line.streams[slot] = s;
        if (at[slot] === node) on.stream(slot, s);
      },
      message: (m) => { if (told(node)) on.message(m); },
      state: (is) => {
        if (is) up.add(node);
        else up.delete(node);
        on.state(is || up.size > 0, at.flatMap((n, slot) => (n === node ? [slot] : [])));
      },
    }, iceServers));
    at.forEach((n, slot) => { if (n !== node) line.show(slot, ''); });
  };
  const show = (slot, camera) => {
    const node = camera ? nodeOf(camera) : at[slot];
    const before = at[slot];
    cameras[slot] = camera;
    at[slot] = node;
    if (node !== before) {
      if (at.includes(before)) lines.get(before)?.show(slot, '');
      else {
        lines.get(before)?.end();
        lines.delete(before);
        up.delete(before);
      }
    }
    if (!camera) lines.get(node)?.show(slot, '');
    else if (!lines.has(node)) open(node, camera);
    else lines.get(node).show(slot, camera);
    const s = lines.get(node)?.streams[slot];
    if (node !== before && s) on.stream(slot, s);
  };
  for (const node of new Set(at)) open(node, cameras[at.indexOf(node)]);
  return Object.assign(show, { end: () => lines.forEach((l) => l.end()) });
}

// one is the line to one machine.
function one(cameras, on, iceServers) {
  let tries = 0;
  let talk = null;
  let done = false;
  let hang = () => {};
  const shown = [...cameras];
  const again = () => {
    if (done) return;
    on.state(false);
    setTimeout(attempt, pauses[Math.min(tries++, pauses.length - 1)]);
  };
  const wish = (slot) => { if (talk?.readyState === 'open') talk.send(JSON.stringify({ type: 'show', slot, camera: shown[slot] })); };
  async function attempt() {
    if (done) return;
    const pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle', iceServers });
    let over = false;
    let session = null;
    let heard = 0;
    let watch = 0;
    const end = () => {
      if (over) return;
      over = true;
      clearInterval(watch);
      pc.close();
      if (session) fetch(session, { method: 'DELETE', signal: AbortSignal.timeout(patience) }).catch(() => {});
      again();
    };
    hang = end;
    try {
      const places = cameras.map(() => pc.addTransceiver('video', { direction: 'recvonly' }));
      pc.ontrack = (e) => {
        // Sub-second: no jitter buffer beyond what the network needs.
        if ('jitterBufferTarget' in e.receiver) e.receiver.jitterBufferTarget = 0;
        on.stream(places.indexOf(e.transceiver), new MediaStream([e.track]));
      };
      const channel = pc.createDataChannel('vision');
      channel.onopen = () => {
        tries = 0;
        talk = channel;
        shown.forEach((c, slot) => { if (c !== cameras[slot]) wish(slot); });
        heard = performance.now();
        watch = setInterval(() => { if (performance.now() - heard > silence) end(); }, 250);
        on.state(true);
      };
      channel.onmessage = (e) => {
        heard = performance.now();
        const m = JSON.parse(e.data);
        if (m.type !== 'beat') on.message(m);
      };
      channel.onclose = end;
      pc.onconnectionstatechange = () => {
        if (['failed', 'closed', 'disconnected'].includes(pc.connectionState)) end();
      };
      await pc.setLocalDescription(await pc.createOffer());
      await gathered(pc);
      const r = await fetch(`/whep?cameras=${cameras.map(encodeURIComponent).join(',')}`, {
        method: 'POST', headers: { 'Content-Type': 'application/sdp' }, body: pc.localDescription.sdp, signal: AbortSignal.timeout(patience),
      });
      if (r.status === 401) { location.assign('/login?next=/'); return; }
      if (r.status !== 201) throw new Error(`WHEP: ${r.status} ${await r.text()}`);
      session = r.headers.get('Location');
      await pc.setRemoteDescription({ type: 'answer', sdp: await r.text() });
      setTimeout(() => { if (pc.connectionState !== 'connected') end(); }, Math.min(2 + tries, most) * patience);
      window.visionPeer = pc; // for the page's own statistics
    } catch (err) {
      console.error(err);
      end();
    }
  }
  attempt();
  return {
    show: (slot, camera) => {
      if (shown[slot] === camera) return;
      shown[slot] = camera;
      wish(slot);
    },
    end: () => {
      done = true;
      hang();
    },
  };
}

function gathered(pc) {
  return /** @type {Promise<void>} */ (new Promise((done) => {
    if (pc.iceGatheringState === 'complete') { done(); return; }
    pc.addEventListener('icegatheringstatechange', () => { if (pc.iceGatheringState === 'complete') done(); });
    setTimeout(done, 1000);
  }));
}
