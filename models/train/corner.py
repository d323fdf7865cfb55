"""Trains corners.onnx, the finder of free card corners, and exports it.

  /usr/bin/python3 models/train/corner.py --out models [--data ../shared/data] [--warm models] [--minutes 60]

3 x H x W (BGR, 0 to 1) -> at every eighth pixel 2 x 2 cells of heat (corner with an
index, corner without) and the corner's frame (scenes.targets). Work is kept in
work/corner.pt, from which it goes on.
"""
import os

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import card
import decks
import learn
import manifest
import scenes
import warm
from learn import conv

HEADS = 8  # heat of both kinds, apex, short vector, long vector


class Corners(nn.Module):
    def __init__(self, w=48):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 32, 2), conv(32, w, 2), conv(w, w), conv(w, w, dilation=2),
            conv(w, w), conv(w, w, dilation=3), conv(w, w), nn.Conv2d(w, 4 * HEADS, 1))
        with torch.no_grad():
            self.body[-1].bias[:8] = -4.6

    def forward(self, x):
        return self.body(x)


def cells(out):
    """Stride 8 with 2 x 2 cells -> stride 4, channel by channel."""
    return F.pixel_shuffle(out, 2)


class Replay:
    """Scenes, most of them shown before: drawing costs more than learning, so each
    is kept for a while and comes again in quarter turns and another light."""

    def __init__(self, src, fresh=0.25, size=1200):
        self.src, self.rng, self.fresh, self.size, self.kept = src, src.rng, fresh, size, []

    def scene(self):
        rng = self.rng
        if len(self.kept) < 64 or rng.random() < self.fresh:
            s = self.src.scene()
            if len(self.kept) < self.size:
                self.kept.append(s)
            else:
                self.kept[rng.integers(self.size)] = s
            return s
        img, corners = self.kept[rng.integers(len(self.kept))]
        k = int(rng.integers(4))
        img = cv2.convertScaleAbs(np.ascontiguousarray(np.rot90(img, k)), alpha=rng.uniform(0.75, 1.2), beta=rng.uniform(-5, 12))
        for _ in range(k):
            turn = lambda v, o=0: np.array([v[1], o - v[0]])
            corners = [(kind, seen, turn(a, scenes.SIZE), turn(s), turn(l)) for kind, seen, a, s, l in corners]
        return img, corners


def batch(src, n):
    return learn.stacked([(img.transpose(2, 0, 1), *scenes.targets(corners)) for img, corners in (src.scene() for _ in range(n))])


def losses(out, heat, weight, frame, near):
    o = cells(out)
    p = torch.sigmoid(o[:, :2]).clamp(1e-4, 1 - 1e-4)
    hit = (heat == 1).float()
    pos = -((1 - p) ** 2 * p.log() * hit * weight).sum()
    neg = -((1 - heat) ** 4 * p ** 2 * (1 - p).log() * (1 - hit) * weight).sum()
    n = hit.sum().clamp(min=1)
    l1 = (F.smooth_l1_loss(o[:, 2:], frame, reduction="none", beta=0.1).sum(1) * near).sum() / near.sum().clamp(min=1)
    return [(pos + neg) / n, l1]


@torch.no_grad()
def score(net, batches):
    """Recall and precision of index corners on held-out decks, heavily degraded, at the heats
    0.3 and 0.5, and the frame's median error in pixels (apex, sides)."""
    net.eval()
    tally, errs = {0.3: np.zeros(3), 0.5: np.zeros(3)}, []
    for x, heat, weight, frame, near in batches:
        o = cells(net(x))
        p, true = torch.sigmoid(o[:, :1]), (heat[:, :1] == 1).float()
        peak = p == F.max_pool2d(p, 5, 1, 2)
        close = F.max_pool2d(true, 3, 1, 1)
        for bound, t in tally.items():
            said = (peak & (p > bound)).float()
            t += (F.max_pool2d(said, 3, 1, 1) * true).sum().item(), true.sum().item(), (said * weight[:, :1]).sum().item()
        m = (peak & (p > 0.3) & (close > 0))[:, 0] & (near > 0)
        errs.append((o[:, 2:] - frame).abs().permute(0, 2, 3, 1)[m] * 32)
    out = {}
    for bound, (found, truth, said) in tally.items():
        out[f"held_out_decks_recall_{bound}"] = round(found / max(1, truth), 4)
        out[f"held_out_decks_precision_{bound}"] = round(found / max(1, said), 4)
    e = torch.cat(errs)
    return {**out, "apex_px": round(e[:, :2].median().item(), 2), "sides_px": round(e[:, 2:].median().item(), 2)}


def main():
    ap = learn.options(60, 2e-3)
    ap.add_argument("--photos", default="")
    ap.add_argument("--warm", help="folder with a corners.onnx to take up where there is no checkpoint")
    a = ap.parse_args()
    learn.start(a)
    work = os.path.join(learn.HERE, "work")
    art = decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(work, "sheets"))
    own = decks.load_own(os.path.join(work, "own"))
    held = {k: v for k, v in art.items() if k in card.HELD_OUT}
    photos, rooms = [p[:3] for p in card.load_photos(a.photos) if not p[3]], scenes.load_rooms(a.data)
    val_src = scenes.Scenes(10_000, held, pool=4)
    val_src.src.deck = lambda: list(held.values())[val_src.rng.integers(len(held))] if held else val_src.src.pool[0]
    val = [batch(val_src, 16) for _ in range(6)]
    src = Replay(scenes.Scenes(a.seed, {k: v for k, v in art.items() if k not in held}, own, photos, rooms))
    print(len(photos), "photographed cards,", len(rooms), "rooms", flush=True)
    t = learn.Training("corner", Corners(), a, 0.999)
    if a.warm and not t.resumed:
        t.samples = manifest.read(a.warm)["corners"]["metrics"]["samples"]
        warm.take_up(t.net, os.path.join(a.warm, "corners.onnx"), torch.cat([batch(src, 16)[0] for _ in range(6)]))
        t.restart()
    t.run(lambda: batch(src, 16), losses, [1, 1], lambda net: score(net, val), 500, 190)
    learn.export(t.mean, os.path.join(a.out, "corners.onnx"), (3, 96, 160), "picture", "cells", {2: "h", 3: "w"})
    data = ["renders of decks drawn by models/train/decks.py", "renders of the simulator's decks " + ", ".join(sorted(own)),
            "renders of the vector decks (GPL, not shipped)", "photographs rf100 poker-cards (CC BY 4.0, Team Roboflow / Augmented Startups), cards and rooms",
            "photographs of EdjeElectronics' pinochle cards (Apache-2.0)", "rooms of nell-byler-dice (BSD-3-Clause) and matteop65-dice (MIT)"]
    manifest.update(a.out, "corners", "corners.onnx", (3, 96, 160),
                    [("cells", [f"{h}{c}" for h in ("index", "plain", "ax", "ay", "sx", "sy", "lx", "ly") for c in range(4)])],
                    data, {**t.score, "samples": t.samples})


if __name__ == "__main__":
    main()
