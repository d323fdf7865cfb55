"""Pictures of path-traced stacks for tops.py: scenes of tracer.py with all that is known of them, in shards.

  /usr/bin/python3 models/train/worlds.py OUT --minutes 20 [--seed 1] [--low 0.7] [--high 4.5]

writes OUT/SEED-N.npz, each some twenty seconds' work, until the time is up or OUT/stop exists; started again it goes on
after the last one. A shard holds, of each scene: `picture` (bytes, h x w x 3 RGB) and `met` (h x w, bit i: stack i is in
the line of sight, nearest or not) as one flat array each with `size` (n x 2: h, w); `camera` (n x 15, geometry.Camera);
`chip` (n x 2: diameter and thickness); and of its STACKS stacks `face` (n x STACKS x 3, the middle of the upper face),
`foot` (n x STACKS x 2), `count` (n x STACKS, 0: not there) and `kinds` (n x STACKS x MOST from the foot up).
Seeds from 9,000,000 measure only.
"""
import argparse
import glob
import math
import os
import time

import numpy as np
import torch

import lens
import tracer
from chip_worlds import Dice, Scenes, linear
from geometry import ABOVE, BELOW, MOST, STACKS, Camera

EDGE = 70000  # pixels of a picture, at most


class World(Scenes):
    """One scene for stacks of any count and any tilt of the camera, with cards and printed chips on its felt."""

    def __init__(self, d, scale):
        low, high = (15, 80) if d.chance(0.8, 1) else (20, 40)
        super().__init__(d, 1, scale, MOST, (low, high))

    def felt(self):
        super().felt()
        d = self.d
        pick = lambda values: values[int(d.int(0, len(values), 1))]
        for _ in range(pick((0, 0, 0, 1, 2, 3))):
            self.laid.append(pick((card, disc, disc))(d))


def card(d):
    """A playing card's face or back, as a function of tracer.felt_colour."""
    cx, cy, turn = (float(v) for v in (d.u(-120, 120, 1), d.u(-120, 120, 1), d.u(0, 6.3, 1)))
    ink, back = linear(d.u(0, 0.7, 3)), bool(d.chance(0.3, 1))
    seed = float(d.u(1, 90, 1))

    def paint(_, x, y, out):
        u, v = (x - cx) * math.cos(turn) + (y - cy) * math.sin(turn), (y - cy) * math.cos(turn) - (x - cx) * math.sin(turn)
        on = (u.abs() < 31.5) & (v.abs() < 44)
        cell = tracer.hashed((u / (3 if back else 9)).floor(), (v / (3 if back else 11)).floor(), torch.full_like(u, seed))
        marked = on & (u.abs() < 28) & (v.abs() < 40) & (cell < (0.5 if back else 0.3)) & (back | ((u / 9 % 1 - 0.5) ** 2 + (v / 11 % 1 - 0.5) ** 2 < 0.13))
        return [torch.where(marked, ink[c], torch.where(on, 0.8, o)) for c, o in enumerate(out)]
    return paint


def disc(d):
    """A chip's face printed on the felt."""
    cx, cy, turn = (float(v) for v in (d.u(-110, 110, 1), d.u(-110, 110, 1), d.u(0, 1, 1)))
    size, kind = float(d.u(0.7, 1.2, 1)), int(d.int(0, 8, 1))

    def paint(s, x, y, out):
        v = ((x - cx) ** 2 + (y - cy) ** 2).sqrt() / (s.diameter[:, None] / 2 * size)
        u = (torch.atan2(y - cy, x - cx) / (2 * math.pi) + turn) % 1
        colour = tracer.chip_colour(s, torch.full_like(u, kind).long(), u, v, torch.zeros_like(u, dtype=torch.bool), torch.full_like(u, 7.0))
        return [torch.where(v < 1, c, o) for c, o in zip(colour, out)]
    return paint


def frame(s):
    """Left, top, width and height of the picture of a scene: its stacks, no more than about EDGE pixels about the middle one."""
    px, py, own = [], [], []
    for j in range(STACKS):
        if s.count[0, j] == 0: continue
        r = 0.55 * s.diameter
        for z in (s.tall[:, j] - (MOST + BELOW) * s.thick, s.tall[:, j] + (ABOVE + 0.3) * s.thick):  # the grid, whatever the count: the edge tells nothing
            for dx, dy in ((-r, -r), (-r, r), (r, -r), (r, r)):
                x, y = s.project(s.face[:, j, 0] + dx, s.face[:, j, 1] + dy, z)
                px.append(float(x)), py.append(float(y)), own.append(j == 0)
    px, py, own = np.array(px), np.array(py), np.array(own)
    box = lambda at: np.array((px[at].min(), py[at].min(), px[at].max(), py[at].max()))
    inner, outer, grow = box(own), box(own | True), 0
    while True:
        left, top, right, low = (f(a, b) for f, a, b in zip((max, max, min, min), outer, inner + grow * np.array((-1, -1, 1, 1))))
        if (left <= outer[0] and top <= outer[1] and right >= outer[2] and low >= outer[3]) or (right - left + 16) * (low - top + 16) > EDGE: break
        grow += 6
    d = s.d
    left, top = math.floor(left) - int(d.int(0, 16, 1)), math.floor(top) - int(d.int(0, 16, 1))
    return left, top, -(-math.ceil(right - left) // 16) * 16, -(-math.ceil(low - top) // 16) * 16


def primary(s, d, left, top, w, h):
    """tracer.primary() of one scene whose rays (three of 1 x h w n) are a frame's: each chip is only tried where it may be seen."""
    n = tracer.SPP ** 2
    d = [c.view(h, w * n) for c in d]
    best = torch.where(d[2] < -1e-4, -s.eye[2] / d[2].clamp(max=-1e-4), torch.full_like(d[2], 1e9))
    hit = torch.full_like(best, -1, dtype=torch.int64)
    face, met = torch.zeros_like(best, dtype=torch.bool), torch.zeros_like(hit)
    a = d[0] * d[0] + d[1] * d[1] + 1e-9
    r = s.diameter / 2
    for i in range(s.chip["x"].shape[1]):
        x, y, z, t = (s.chip[k][:, i] for k in "xyzt")
        corners = [s.project(x + dx * r, y + dy * r, z + dz * t) for dx in (-1, 1) for dy in (-1, 1) for dz in (0, 1)]
        at = lambda v, top, most: min(max(int(v) - top, 0), most)
        xs, ys = [float(c[0]) for c in corners], [float(c[1]) for c in corners]
        rows = slice(at(min(ys) - 2, top, h), at(max(ys) + 3, top, h))
        cols = slice(at(min(xs) - 2, left, w) * n, at(max(xs) + 3, left, w) * n)
        if rows.start >= rows.stop or cols.start >= cols.stop: continue
        cut = lambda v, rows=rows, cols=cols: v[rows, cols]
        got = tracer.meets(s.eye[0] - x, s.eye[1] - y, s.eye[2] - z, t, r, s.chip["there"][:, i], s.chip["stack"][:, i], i,
                           *(cut(c) for c in d), cut(a), cut(best), cut(hit), cut(face), cut(met))
        for whole, part in zip((best, hit, face, met), got):
            cut(whole)[:] = part
    return [v.view(1, -1) for v in (best, hit, face, met)]


def rendered(s, scale):
    """A scene's picture (bytes, h x w x 3), what is met (bytes, h x w) and the frame's corner."""
    left, top, w, h = frame(s)
    tracer.SPP = 2 if scale < 1.8 else 1
    tracer.LIT, tracer.BOUNCES = (1, 1) if scale < 1.8 else (2, 2)
    r, k, n = s.d, tracer.SPP, tracer.SPP ** 2
    sub = torch.arange(n)
    x = torch.arange(w).view(1, w, 1) + left + ((sub % k) + r.u(0, 1, h, w, n)) / k - 0.5
    y = torch.arange(h).view(h, 1, 1) + top + ((sub // k) + r.u(0, 1, h, w, n)) / k - 0.5
    d = tracer.rays(s, x.view(1, -1), y.view(1, -1))
    best, hit, face, met = primary(s, d, left, top, w, h)
    light = torch.stack([c.view(h, w, n).mean(2) for c in tracer.shaded(s, r, d, best, hit, face)])[None]
    seen = lens.Lens(r, 1).developed(light * s.gain.view(-1, 1, 1, 1))[0].permute(1, 2, 0)
    return seen.to(torch.uint8).numpy(), met.view(h, w, n)[..., 0].to(torch.uint8).numpy(), torch.tensor([[left, top]]).float()


def kinds(s):
    """Kinds of all chips, STACKS x MOST from the foot up, -1 where there is none."""
    out = np.full((STACKS, MOST), -1, np.int8)
    chip = {k: s.chip[k][0].numpy() for k in ("there", "stack", "z", "kind")}
    for j in range(STACKS):
        mine = chip["there"] & (chip["stack"] == j)
        k = chip["kind"][mine][chip["z"][mine].argsort()]
        out[j, :len(k)] = k
    return out


def scene(d, low, high):
    """One scene: its rows of a shard."""
    scale = low * (high / low) ** (float(d.u(0, 1, 1)) ** 1.4)
    s = World(d, scale)
    picture, met, corner = rendered(s, scale)
    return {"picture": picture.ravel(), "met": met.ravel(), "size": np.array(met.shape, np.int32), "camera": Camera.row(s, corner)[0].numpy(),
            "chip": np.array((float(s.diameter), float(s.thick)), np.float32), "face": torch.cat([s.face, s.tall[..., None]], 2)[0].numpy(),
            "foot": s.middle[0].numpy(), "count": s.count[0].numpy().astype(np.int8), "kinds": kinds(s)}


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    ap.add_argument("out")
    ap.add_argument("--minutes", type=float, default=20)
    ap.add_argument("--seconds", type=float, default=20, help="of work in one shard")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--low", type=float, default=0.7, help="pixels per mm")
    ap.add_argument("--high", type=float, default=4.5)
    a = ap.parse_args()
    torch.set_num_threads(1)
    os.makedirs(a.out, exist_ok=True)
    end, number = time.time() + 60 * a.minutes, 1 + max((int(f[:-4].rsplit("-", 1)[1]) for f in glob.glob(f"{a.out}/{a.seed}-*.npz") if "part" not in f), default=-1)
    while time.time() < end and not os.path.exists(os.path.join(a.out, "stop")):
        d, rows, start = Dice("cpu", a.seed * 100003 + number), [], time.time()
        with torch.no_grad():
            while not rows or (time.time() - start < a.seconds and time.time() < end):
                rows.append(scene(d, a.low, a.high))
        part, name = (os.path.join(a.out, f"{a.seed}-{number}{e}.npz") for e in (".part", ""))
        np.savez(part, **{k: np.concatenate([r[k] for r in rows]) if k in ("picture", "met") else np.stack([r[k] for r in rows]) for k in rows[0]})
        os.rename(part, name)
        number += 1


if __name__ == "__main__":
    main()
