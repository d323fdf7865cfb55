// A glance at another time: the picture of where the pointer is on the timeline, or the
// finger that is drawn along it.
import { locale } from './words.js';

const rest = 150; // ms that the pointer rests before a picture is fetched

export class Glance {
  // box holds a video and the time; strip tells times by places; camera() is whose
  // picture it is.
  constructor(box, canvas, strip, camera) {
    const video = box.querySelector('video');
    let waits = 0;
    const off = () => {
      clearTimeout(waits);
      box.hidden = true;
      video.removeAttribute('src');
      video.load();
    };
    canvas.addEventListener('pointermove', (e) => {
      clearTimeout(waits);
      if (!camera()) return;
      const at = strip.time(e.offsetX);
      box.hidden = false;
      box.style.left = `${Math.max(0, Math.min(canvas.clientWidth - box.offsetWidth, e.offsetX - box.offsetWidth / 2))}px`;
      box.querySelector('p').textContent = new Date(at).toLocaleTimeString(locale());
      waits = setTimeout(() => {
        const q = new URLSearchParams({ camera: camera(), from: new Date(at).toISOString(), to: new Date(at + 1000).toISOString() });
        video.src = `/api/v1/clips?${q}`; // its first picture shows; where nothing is recorded, none
      }, rest);
    });
    for (const end of ['pointerleave', 'pointercancel']) canvas.addEventListener(end, off);
  }
}
