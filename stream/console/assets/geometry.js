// The picture and the felt: pixels to millimetres and back, as calibration.View
// has it (homography of undistorted pixels, lens of OpenCV's calib3d).

/** @typedef {[number, number]} Point */

/** @returns {Point} */
export function apply(h, [x, y]) {
  const w = h[6] * x + h[7] * y + h[8];
  return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
}

export function inverse(h) {
  const [a, b, c, d, e, f, g, i, j] = h;
  const det = a * (e * j - f * i) - b * (d * j - f * g) + c * (d * i - e * g);
  return [e * j - f * i, c * i - b * j, b * f - c * e, f * g - d * j, a * j - c * g, c * d - a * f, d * i - e * g, b * g - a * i, a * e - b * d].map((v) => v / det);
}

function bend(lens, x, y) {
  const [k1, k2, p1, p2, k3] = lens.dist;
  const r = x * x + y * y;
  const radial = 1 + r * (k1 + r * (k2 + r * k3));
  return [x * radial + 2 * p1 * x * y + p2 * (r + 2 * x * x), y * radial + p1 * (r + 2 * y * y) + 2 * p2 * x * y];
}

const known = (lens) => lens.fx !== 0 || lens.fy !== 0;

/** @returns {Point} */
export function distort(lens, [u, v]) {
  if (!known(lens)) return [u, v];
  const [x, y] = bend(lens, (u - lens.cx) / lens.fx, (v - lens.cy) / lens.fy);
  return [x * lens.fx + lens.cx, y * lens.fy + lens.cy];
}

/** @returns {Point} */
export function undistort(lens, [u, v]) {
  if (!known(lens)) return [u, v];
  const x0 = (u - lens.cx) / lens.fx;
  const y0 = (v - lens.cy) / lens.fy;
  let [x, y] = [x0, y0];
  for (let n = 0; n < 20; n++) {
    const [bx, by] = bend(lens, x, y);
    x += x0 - bx;
    y += y0 - by;
  }
  return [x * lens.fx + lens.cx, y * lens.fy + lens.cy];
}

export const toTable = (cal, px) => apply(cal.plane, undistort(cal.lens, px));
export const toImage = (cal, mm) => distort(cal.lens, apply(inverse(cal.plane), mm));
