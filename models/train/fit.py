"""Trains fit.onnx, which moves a supposed card's frame to where its corner shows it, and exports it.

  /usr/bin/python3 models/train/fit.py --out models [--data ../shared/data] [--warm models] [--minutes 60]

A corner cut out by a frame that is somewhat off (3 x SIDE x SIDE, BGR, 0 to 1) -> how far
the frame is off: in units of its own sides, the apex and both vectors. Corners come from
scenes.py, their errors are those of the corners network. Work is kept in work/fit.pt.
"""
import os

import cv2
import numpy as np
import torch
import torch.nn as nn

import card
import decks
import learn
import manifest
import scenes
import warm
from learn import conv

SIDE = 64
LEFT, RIGHT = -0.25, 0.65    # what is cut out, in short sides from the apex
UPPER, LOWER = -0.18, 0.46   # and in long ones
GAIN = 5.0                   # outputs are this much larger than the moves
MOVES = 6
SEEN = 0.8                   # least visible share of a corner's index field
FRESH, KEPT, EACH = 0.12, 1500, 6


class Fit(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 32), conv(32, 48, 2), conv(48, 48), conv(48, 64, 2), conv(64, 64),
            conv(64, 64, 2), nn.Flatten(), nn.Linear(64 * 4 * 4, 96), nn.ReLU(inplace=True), nn.Linear(96, MOVES))

    def forward(self, x):
        return self.body(x)


def cut(img, apex, s, l):
    """The corner with its surroundings; mirrored where the short side lies to the left."""
    q = np.float32([apex + x * s + y * l for x, y in ((LEFT, UPPER), (RIGHT, UPPER), (RIGHT, LOWER), (LEFT, LOWER))])
    to = np.float32([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]])
    return cv2.warpPerspective(img, cv2.getPerspectiveTransform(q, to), (SIDE, SIDE), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)


def shaken(rng, apex, s, l):
    """The frame as the corners network may tell it."""
    k = rng.uniform(0.15, 1.3)
    turn = lambda v, t: np.array([v[0] * np.cos(t) - v[1] * np.sin(t), v[0] * np.sin(t) + v[1] * np.cos(t)])
    t, size = rng.normal(0, 0.09) * k, rng.normal(0, 0.16) * k
    far = 0.12 if rng.random() < 0.25 else 0.055
    apex = apex + np.clip(rng.normal(0, far, 2) * k, -0.22, 0.22) @ np.array([s, l / scenes.LONG])
    s = turn(s, t + rng.normal(0, 0.06) * k) * np.exp(size + rng.normal(0, 0.09) * k)
    l = turn(l, t + rng.normal(0, 0.04) * k) * np.exp(size * 0.7 + rng.normal(0, 0.06) * k)
    return apex, s, l


def moves(frame, true):
    """What takes the frame to the true one, in its own sides (the long one over LONG)."""
    apex, s, l = frame
    base = np.linalg.inv(np.array([s, l / scenes.LONG]))
    a, u, v = (true[0] - apex) @ base, true[1] @ base, true[2] / scenes.LONG @ base
    return GAIN * np.array([a[0], a[1], u[0] - 1, u[1], v[0], v[1] - 1], np.float32)


class Corners:
    """Batches of corners; scenes are kept and come again in another light."""

    def __init__(self, src):
        self.src, self.rng, self.kept = src, src.rng, []

    def scene(self):
        rng = self.rng
        while len(self.kept) < 24 or rng.random() < FRESH:
            img, all_ = self.src.scene()
            free = [c[2:] for c in all_ if c[1] >= SEEN and np.linalg.norm(c[3]) > 26 and np.linalg.norm(c[4]) > 26]
            if not free:
                continue
            if len(self.kept) < KEPT:
                self.kept.append((img, free))
            else:
                self.kept[rng.integers(KEPT)] = img, free
            return img, free
        return self.kept[rng.integers(len(self.kept))]

    def batch(self, n):
        rng, xs, ys = self.rng, [], []
        while len(xs) < n:
            img, free = self.scene()
            for k in rng.permutation(len(free))[:EACH]:
                frame = shaken(rng, *free[k])
                x = cv2.convertScaleAbs(cut(img, *frame), alpha=rng.uniform(0.8, 1.2), beta=rng.uniform(-8, 12))
                xs.append(x.transpose(2, 0, 1)), ys.append(moves(frame, free[k]))
        return [torch.from_numpy(np.stack(xs[:n])).float() / 255, torch.from_numpy(np.stack(ys[:n]))]


def losses(out, y):
    return [nn.functional.smooth_l1_loss(out, y, beta=0.1)]


@torch.no_grad()
def score(net, batches):
    """How far apex (short sides) and lengths (shares) are off on held-out decks, before and after: median, 90th percentile."""
    net.eval()
    was, now = [], []
    for x, y in batches:
        was.append(y.numpy() / GAIN), now.append((y - net(x)).numpy() / GAIN)
    out = {}
    for when, e in (("before", np.concatenate(was)), ("after", np.concatenate(now))):
        for name, v in (("apex", np.hypot(e[:, 0], e[:, 1])), ("lengths", np.abs(e[:, [2, 5]]).max(1))):
            for p in (50, 90):
                out[f"{name}_{when}_p{p}"] = round(float(np.percentile(v, p)), 3)
    return out


def main():
    ap = learn.options(60, 2e-3)
    ap.add_argument("--photos", default="")
    ap.add_argument("--warm", help="folder with a fit.onnx to take up where there is no checkpoint")
    a = ap.parse_args()
    learn.start(a)
    work = os.path.join(learn.HERE, "work")
    art = decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(work, "sheets"))
    photos = [p[:3] for p in card.load_photos(a.photos) if not p[3]]
    rooms = scenes.load_rooms(a.data)
    src = Corners(scenes.Scenes(a.seed * 100 + 70, {k: v for k, v in art.items() if k not in card.HELD_OUT},
                                decks.load_own(os.path.join(work, "own")), photos, rooms, pool=12))
    held = Corners(scenes.Scenes(10_003, {k: v for k, v in art.items() if k in card.HELD_OUT}, pool=4))
    if art:
        held.src.src.deck = lambda: held.src.src.art[held.rng.integers(len(held.src.src.art))]
    val = [held.batch(128) for _ in range(8)]
    t = learn.Training("fit", Fit().to(memory_format=torch.channels_last), a, 0.999)
    if a.warm and not t.resumed:
        t.samples = manifest.read(a.warm)["fit"]["metrics"]["samples"]
        warm.take_up(t.net, os.path.join(a.warm, "fit.onnx"), torch.cat([src.batch(96)[0] for _ in range(8)]))
        t.restart()
    t.run(lambda: src.batch(96), losses, [1], lambda net: score(net, val), 250, 200)
    learn.export(t.mean, os.path.join(a.out, "fit.onnx"), (3, SIDE, SIDE), "corner", "moves", {0: "n"})
    data = ["renders of decks drawn by models/train/decks.py and of the simulator's decks"]
    if art:
        data.append("renders of the vector decks (GPL, not shipped)")
    if photos:
        data += ["photographs rf100 poker-cards (CC BY 4.0, Team Roboflow / Augmented Startups)",
                 "photographs of EdjeElectronics' pinochle cards (Apache-2.0)"]
    manifest.update(a.out, "fit", "fit.onnx", (3, SIDE, SIDE),
                    [("moves", ["apex_short", "apex_long", "short_short", "short_long", "long_short", "long_long"])], data, {**t.score, "samples": t.samples})


if __name__ == "__main__":
    main()
