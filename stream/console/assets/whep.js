// A WHEP player (draft-ietf-wish-whep): one peer connection with the video of
// several cameras and one data channel, made again when it breaks.

const pauses = [0, 250, 500, 500, 1000]; // ms before each further attempt
const silence = 1500; // ms without a word from the server: the line is cut (it speaks every 500)
const patience = 2500; // ms that one attempt may take to be answered
const most = 6; // times that patience for an attempt to be connected, after several that were not: a busy machine

// connect keeps the cameras playing; it returns show(slot, camera), by which a
// video section shows another camera, or with '' nothing.
export function connect(cameras, on, iceServers = []) {
  let tries = 0;
  let talk = null;
  const shown = [...cameras];
  const again = () => {
    on.state(false);
    setTimeout(attempt, pauses[Math.min(tries++, pauses.length - 1)]);
  };
  const wish = (slot) => { if (talk?.readyState === 'open') talk.send(JSON.stringify({ type: 'show', slot, camera: shown[slot] })); };
  async function attempt() {
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
  return (slot, camera) => {
    if (shown[slot] === camera) return;
    shown[slot] = camera;
    wish(slot);
  };
}

function gathered(pc) {
  return /** @type {Promise<void>} */ (new Promise((done) => {
    if (pc.iceGatheringState === 'complete') { done(); return; }
    pc.addEventListener('icegatheringstatechange', () => { if (pc.iceGatheringState === 'complete') done(); });
    setTimeout(done, 1000);
  }));
}
