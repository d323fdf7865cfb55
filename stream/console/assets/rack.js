// The bank's rack on a camera's picture: its four corners are clicked, and what is known of its
// tubes is written beside; the server places them.
import { post } from './api.js';
import { t } from './words.js';

const $ = (s) => document.querySelector(s);

// rackPanel has the page's button place a rack on a Felt; placed is told the calibration with it. It gives what
// shows a calibration's rack.
export function rackPanel({ felt, url, say, placed }) {
  const button = $('#rack');
  const end = (outlines) => {
    felt.picking = null;
    felt.picked = outlines;
    button.ariaPressed = 'false';
    felt.draw();
  };
  const place = async (corners) => {
    try {
      const got = await post(`${url}/rack`, {
        calibration: felt.cal, corners, tubes: $('#tubes').value.split(',').map((x) => x.trim()).filter(Boolean),
        capacity: Number($('#capacity').value), depth: Number($('#depth').value), tilt: Number($('#tilt').value),
      });
      placed(got.calibration);
      end(got.tubes);
      say(t('rack_placed').replace('#', got.tubes.length));
    } catch (err) { end([]); say(err.message, true); }
  };
  button.addEventListener('click', () => {
    if (felt.picking) { end([]); say(''); return; }
    if (!felt.cal) { say(t('rack_first'), true); return; }
    const corners = [];
    button.ariaPressed = 'true';
    [felt.picked, felt.learning] = [[], null];
    felt.picking = (px) => {
      corners.push(px);
      felt.picked = corners.map((p) => [p]);
      felt.draw();
      if (corners.length === 4) place(corners);
    };
    say(t('rack_corners'));
    felt.canvas.focus();
  });
  return (rack) => {
    if (!rack) return;
    $('#tubes').value = rack.tubes.map((u) => u.chip).join(', ');
    [$('#capacity').value, $('#depth').value, $('#tilt').value] = [rack.tubes[0].capacity, rack.depth, rack.tilt];
  };
}
