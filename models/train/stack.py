"""Trains the finder of chip stacks seen from the side and exports it as ONNX.

  /usr/bin/python3 models/train/stack.py --out models [--data ../shared/data] [--minutes 25]

stacks.onnx: a picture (3 x H x W, sides multiples of 8) -> 5 x H/8 x W/8: logit of
a stack's middle lying in this cell, and the distances from the cell's middle to
the box's left, upper, right and lower side (logarithms, over MIDDLE pixels). It
answers for stacks WIDTHS wide; a pyramid of pictures covers the others. Training
goes on from its checkpoint.
"""
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import learn
import manifest
import stack_scenes as scenes
from learn import conv, stacked

STRIDE, SIDE, MIDDLE = 8, 160, 24.0
WIDTHS = (18.0, 64.0)


class Stacks(nn.Module):
    def __init__(self, wide=2):
        super().__init__()
        a, b, c, d = (wide * n for n in (12, 24, 40, 48))
        self.body = nn.Sequential(conv(3, a, 2), conv(a, b, 2), conv(b, c, 2), conv(c, c), conv(c, c, 1, 2),
                                  conv(c, c, 1, 4), conv(c, c, 1, 6), conv(c, c, 1, 2), conv(c, d))
        self.head = nn.Conv2d(d, 5, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.head.bias.data[0] = -3.5

    def forward(self, x):
        return self.head(self.body(x - 0.5))


def targets(boxes):
    """Maps of one scene: heat, its weight, box (clipped to the scene), where the box counts."""
    n = SIDE // STRIDE
    heat, weight = np.zeros((n, n), np.float32), np.ones((n, n), np.float32)
    box, near = np.zeros((4, n, n), np.float32), np.zeros((n, n), np.float32)
    yy, xx = (np.mgrid[:n, :n] + 0.5) * STRIDE
    closest = np.full((n, n), np.inf)
    for x0, y0, x1, y1, seen in boxes:
        full, wide = (x1 - x0) * (y1 - y0), x1 - x0
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, SIDE), min(y1, SIDE)
        w, h = x1 - x0, y1 - y0
        if w < 4 or h < 4:
            continue
        u, v = (xx - (x0 + x1) / 2) / w, (yy - (y0 + y1) / 2) / h
        d2 = u * u + v * v
        if not seen or w * h < 0.6 * full or not WIDTHS[0] <= wide <= WIDTHS[1]:
            if WIDTHS[0] / 1.6 < wide < WIDTHS[1] * 1.6:
                weight[d2 < 0.3 ** 2] = 0
            continue
        g = np.exp(-d2 / (2 * 0.13 ** 2)).astype(np.float32)
        heat = np.maximum(heat, g)
        cell = min(n - 1, int((y0 + y1) / 2 / STRIDE)), min(n - 1, int((x0 + x1) / 2 / STRIDE))
        inner = (d2 < 0.22 ** 2) & (d2 < closest)
        inner[cell] = True
        closest[inner], near[inner] = d2[inner], 1
        heat[cell] = weight[cell] = 1
        box[:, inner] = np.array([x0, y0, x1, y1])[:, None]
    return heat, weight, box, near


class Source:
    """Scenes: cuttings of photographs, drawn ones, and pictures without stacks."""

    def __init__(self, seed, photos, grounds):
        self.drawer, self.photos, self.rng = scenes.Drawer(seed, grounds), photos, np.random.default_rng(seed + 1)

    def sample(self, kind=None):
        d = self.drawer
        kind = kind or self.rng.choice(["photo", "drawn", "bare"], p=[0.45, 0.33, 0.22] if self.photos else [0, 0.75, 0.25])
        boxes = []
        if kind == "photo":
            img, boxes = d.cutting(self.photos[self.rng.integers(len(self.photos))], SIDE, 0.95 * WIDTHS[0], 1.05 * WIDTHS[1])
        elif kind == "drawn":
            img, cols = d.scene(SIDE, *WIDTHS)
            boxes = d.boxes(cols, SIDE)
        else:
            img = d.ground(SIDE, SIDE)
        return (np.ascontiguousarray(d.weathered(img).transpose(2, 0, 1)), *targets(boxes))


class Pool:
    """Samples are dear to make: each is shown several times."""

    MOST = 3000

    def __init__(self, source):
        self.source, self.next, self.rows = source, 0, [source.sample() for _ in range(150)]

    def batch(self, count, fresh):
        for _ in range(fresh):
            if len(self.rows) < self.MOST:
                self.rows.append(self.source.sample())
                continue
            self.rows[self.next] = self.source.sample()
            self.next = (self.next + 1) % len(self.rows)
        x, heat, weight, box, near = stacked([self.rows[i] for i in torch.randint(len(self.rows), (count,)).tolist()])
        if torch.rand(()) < 0.5:
            x, heat, weight, near = (v.flip(-1) for v in (x, heat, weight, near))
            box = box.flip(-1)[:, [2, 1, 0, 3]]
            box[:, 0::2] = (SIDE - box[:, 0::2]) * near[:, None]
        x = x[:, torch.randperm(3)] if torch.rand(()) < 0.25 else x
        return [(x * (0.8 + 0.4 * torch.rand(count, 1, 1, 1))).clamp(0, 1), heat, weight, box, near]


def corners(out):
    """The boxes that the distances mean."""
    n, m = out.shape[2:]
    y, x = torch.meshgrid((torch.arange(n) + 0.5) * STRIDE, (torch.arange(m) + 0.5) * STRIDE, indexing="ij")
    d = MIDDLE * torch.exp(out[:, 1:].clamp(-4, 3))
    return torch.stack([x - d[:, 0], y - d[:, 1], x + d[:, 2], y + d[:, 3]], 1)


def iou(a, b):
    w = (torch.minimum(a[:, 2], b[:, 2]) - torch.maximum(a[:, 0], b[:, 0])).clamp(min=0)
    h = (torch.minimum(a[:, 3], b[:, 3]) - torch.maximum(a[:, 1], b[:, 1])).clamp(min=0)
    area = lambda q: (q[:, 2] - q[:, 0]) * (q[:, 3] - q[:, 1])
    return w * h / (area(a) + area(b) - w * h).clamp(min=1)


def losses(out, heat, weight, box, near):
    p = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    at = (heat >= 0.999).float()
    yes = -at * (1 - p) ** 2 * torch.log(p)
    no = -(1 - at) * weight * (1 - heat) ** 4 * p ** 2 * torch.log(1 - p)
    found = (yes + no).sum() / at.sum().clamp(min=1)
    fit = ((1 - iou(corners(out), box)) * near).sum() / near.sum().clamp(min=1)
    return found, fit


@torch.no_grad()
def validate(net, batches):
    """Per kind: share of true places that are found, mean overlap there, and peaks elsewhere per picture."""
    net.eval()
    out = {}
    for kind, (x, heat, weight, box, _) in batches.items():
        o = net(x)
        p = torch.sigmoid(o[:, 0]) * weight
        seen = heat >= 0.999
        peak = (p > 0.4) & (p == F.max_pool2d(p[:, None], 3, 1, 1)[:, 0])
        if seen.any():
            around = F.max_pool2d(p[:, None], 3, 1, 1)[:, 0]
            out[kind] = round(float((around[seen] > 0.4).float().mean()), 3)
            out[kind + "_overlap"] = round(float(iou(corners(o), box)[seen].mean()), 3)
        out[kind + "_else"] = round(float((peak & (heat < 0.05)).sum()) / len(x), 3)
    return out


def main():
    a = learn.options(minutes=25, rate=3e-3).parse_args()
    learn.start(a)
    t = learn.Training("stack", Stacks(), a, keep=0.997)
    grounds = scenes.backgrounds(a.data)
    held = Source(7, scenes.photographs(a.data, True), grounds)
    val = {k: stacked([held.sample(k) for _ in range(64)]) for k in ["drawn", "bare"] + ["photo"] * bool(held.photos)}
    if a.warm and not t.resumed:
        src = Source(a.seed, scenes.photographs(a.data, False), grounds)
        t.take_up("stacks", stacked([src.sample() for _ in range(128)])[0], lambda: Stacks(1))
    pool = Pool(Source(a.seed * 1000 + t.samples, scenes.photographs(a.data, False), grounds))
    t.run(lambda: pool.batch(12, 2), losses, (1, 1), lambda net: validate(net, val), every=200, rise=100)
    export(t)


def export(t):
    a = t.a
    learn.export(t.mean, os.path.join(a.out, "stacks.onnx"), (3, SIDE, SIDE), "picture", "stacks", {0: "n", 2: "h", 3: "w"})
    data = ["stacks drawn by models/train/stack_scenes.py"]
    if os.path.isdir(os.path.join(a.data, scenes.SET)):
        data += ["photographs of ScottJJosh/PokerSensei, Roboflow pocketsight/degen101, without web pictures (CC BY 4.0)",
                 "backgrounds: rf100 poker-cards (CC BY 4.0), EdjeElectronics' pinochle cards (Apache-2.0), nell-byler/dice_detection (BSD-3-Clause), "
                 "matteop65/Dice_Detection_Recognition (MIT), Epanemu/GameDiceRecognition, Roboflow Dice-3, without stock pictures (CC BY 4.0)"]
    manifest.update(a.out, "stacks", "stacks.onnx", (3, SIDE, SIDE), [("stack", ["stack"]), ("box", ["left", "up", "right", "down"])],
                    data, {**{"held_out_" + k: v for k, v in t.score.items()}, "samples": t.samples})


if __name__ == "__main__":
    main()
