// A WHEP player (draft-ietf-wish-whep): one peer connection with the video of
// several cameras and one data channel, made again when it breaks.

const pauses = [250, 500, 1000, 2000, 5000];

export function connect(cameras, on) {
  let tries = 0;
  const again = () => {
    on.state(false);
    setTimeout(attempt, pauses[Math.min(tries++, pauses.length - 1)]);
  };
  async function attempt() {
    const pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
    let over = false;
    let session = null;
    const end = () => {
      if (over) return;
      over = true;
      pc.close();
      if (session) fetch(session, { method: 'DELETE' }).catch(() => {});
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
      channel.onopen = () => { tries = 0; on.state(true); };
      channel.onmessage = (e) => on.message(JSON.parse(e.data));
      channel.onclose = end;
      pc.onconnectionstatechange = () => {
        if (['failed', 'closed', 'disconnected'].includes(pc.connectionState)) end();
      };
      await pc.setLocalDescription(await pc.createOffer());
      await gathered(pc);
      const r = await fetch(`/whep?cameras=${cameras.map(encodeURIComponent).join(',')}`, {
        method: 'POST', headers: { 'Content-Type': 'application/sdp' }, body: pc.localDescription.sdp,
      });
      if (r.status === 401) return location.assign('/login?next=/');
      if (r.status !== 201) throw new Error(`WHEP: ${r.status} ${await r.text()}`);
      session = r.headers.get('Location');
      await pc.setRemoteDescription({ type: 'answer', sdp: await r.text() });
      setTimeout(() => { if (pc.connectionState !== 'connected') end(); }, 8000);
      window.visionPeer = pc; // for the page's own statistics
    } catch (err) {
      console.error(err);
      end();
    }
  }
  attempt();
}

function gathered(pc) {
  return new Promise((done) => {
    if (pc.iceGatheringState === 'complete') return done();
    pc.addEventListener('icegatheringstatechange', () => { if (pc.iceGatheringState === 'complete') done(); });
    setTimeout(done, 1000);
  });
}
