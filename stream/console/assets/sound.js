// The sound of critical alerts, and the button that says whether one would hear it:
// browsers keep a page silent that nobody has touched since it was opened, iPhones also after a call.
// Of a finger the lifting counts (HTML, activation triggering input event).
import { t } from './words.js';
import { icon } from './icons.js';

export class Sound {
  constructor(button) {
    this.button = button;
    this.muted = false;
    try {
      this.audio = new AudioContext();
      this.audio.addEventListener('statechange', () => this.show());
    } catch { /* no audio device: the list still shows the alert */ }
    for (const touch of ['pointerup', 'keydown']) document.addEventListener(touch, () => this.audio?.resume());
    button.addEventListener('click', () => {
      this.muted = !this.muted;
      this.show();
      this.play(); // how it sounds, where it does again
    });
    this.show();
  }

  get blocked() { return this.audio && this.audio.state !== 'running'; }

  show() {
    this.button.setAttribute('aria-pressed', this.muted);
    this.button.classList.toggle('blocked', !this.muted && this.blocked);
    this.button.dataset.label = this.muted ? 'sound_off' : this.blocked ? 'sound_blocked' : 'sound_on';
    this.button.ariaLabel = this.button.title = t(this.button.dataset.label);
    this.button.replaceChildren(icon(this.muted || this.blocked ? 'muted' : 'sound'));
  }

  // play sounds two short tones.
  play() {
    if (this.muted || !this.audio) return;
    const c = this.audio;
    for (const [at, hz] of [[0, 660], [0.18, 880]]) {
      const o = c.createOscillator();
      const g = c.createGain();
      o.frequency.value = hz;
      g.gain.value = 0.15;
      o.connect(g).connect(c.destination);
      o.start(c.currentTime + at);
      o.stop(c.currentTime + at + 0.14);
    }
  }
}
