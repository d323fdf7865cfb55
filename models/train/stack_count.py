"""Trains the counter of a stack's chips on drawn stacks and exports it as ONNX.

  /usr/bin/python3 models/train/stack_count.py --out models [--data ../shared/data] [--minutes 10]

layers.onnx: the middle of a stack's box (3 x H x 16: columns of a box WIDE pixels
wide, joined by fours) ->
3 x H x 1, row by row: logit of an edge between two chips (or of the lowest chip
or the highest) lying here, logit of chips' sides being seen here, logarithm of a
chip's thickness over MIDDLE pixels. Photographs train it only as backgrounds.
"""
import os

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import learn
import manifest
import stack_scenes as scenes
from learn import stacked

WIDE, STRIP, JOIN, ROWS, MIDDLE = 144, 64, 4, 192, 9.0
CANVAS = 240


class Layers(nn.Module):
    """Columns are joined first, then rows are looked at farther and farther off."""

    def __init__(self, width=64):
        super().__init__()
        def step(i, o, kernel, across=1, hole=1, pad=1):
            return [nn.Conv2d(i, o, kernel, (1, across), (hole * (kernel[0] // 2), pad), (hole, 1), bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True)]
        a, b = width * 5 // 16, width * 5 // 8
        self.body = nn.Sequential(*step(3, a, (3, 3), 2), *step(a, b, (3, 3), 2), *step(b, width, (3, 4), pad=0),
                                  *[m for hole in (1, 2, 4, 8, 2) for m in step(width, width, (5, 1), hole=hole, pad=0)], nn.Conv2d(width, 3, 1))
        with torch.no_grad():
            self.body[-1].bias[0] = -2

    def forward(self, x):
        return self.body(x - 0.5)


def strip(img, box):
    """The middle of a box at the network's scale; also its left column and upper row in img, and the scale."""
    x0, y0, x1, y1 = box
    k = WIDE / (x1 - x0)
    left, up = (x0 + x1) / 2 - STRIP / 2 / k, y0 - 0.04 * (y1 - y0)
    rows = int(round(1.08 * (y1 - y0) * k))
    m = np.array([[k, 0, -k * left - 0.5 + 0.5 * k], [0, k, -k * up - 0.5 + 0.5 * k]])
    if k < 0.8:
        img = cv2.GaussianBlur(img, (0, 0), 0.4 / k)
    out = cv2.warpAffine(img, m, (STRIP, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.resize(out, (STRIP // JOIN, rows), interpolation=cv2.INTER_AREA), left, up, k


def targets(edges, rows):
    """Maps of one strip: heat of edges, sides seen, logarithm of the thickness there."""
    y = np.arange(rows) + 0.5
    heat = np.exp(-((y[:, None] - edges[None]) ** 2) / (2 * 1.0 ** 2)).max(1).astype(np.float32)
    side = ((y < edges[0]) & (y > edges[-1])).astype(np.float32)
    gaps = -np.diff(edges)
    size = np.interp(y, ((edges[1:] + edges[:-1]) / 2)[::-1], np.log(np.maximum(gaps, 1) / MIDDLE)[::-1]).astype(np.float32)
    return heat, side, size


class Source:
    def __init__(self, seed, grounds):
        self.drawer, self.rng, self.ready = scenes.Drawer(seed, grounds), np.random.default_rng(seed + 1), []

    def sample(self):
        while not self.ready:
            self.draw()
        return self.ready.pop()

    def draw(self):
        d, r = self.drawer, self.rng
        if r.random() < 0.2:
            self.nothing()
            return
        img, cols = d.scene(CANVAS, 45, 150)
        boxes = d.boxes(cols, CANVAS)
        img = d.weathered(img, hard=False)
        for c, (x0, y0, x1, y1, seen) in zip(cols, boxes):
            if not seen or min(y0, x0) < 0 or max(y1, x1) > CANVAS or d.covered((x0, y0, x1, y1)) > 0.03:
                continue
            w, h = x1 - x0, y1 - y0
            x0, x1 = np.array([x0, x1]) + r.normal(0, 0.03, 2) * w
            y0, y1 = np.array([y0, y1]) + r.normal(0, 0.03, 2) * h
            s, _, up, k = strip(img, (x0, y0, x1, y1))
            edges = (c.edges((x0 + x1) / 2) - up) * k
            if not np.isnan(edges).any() and (-np.diff(edges)).min() >= 2.5 and len(s) <= 640:
                self.keep(s, targets(edges, len(s)))

    def nothing(self):
        """Boxes in which no stack is."""
        d, r = self.drawer, self.rng
        img = d.weathered(d.ground(CANVAS, CANVAS), hard=False)
        for _ in range(3):
            w, h = np.exp(r.uniform(np.log(40), np.log(200), 2))
            x, y = r.uniform(0, CANVAS - w), r.uniform(0, CANVAS - h)
            if h < 3 * w:
                s = strip(img, (x, y, x + w, y + h))[0]
                self.keep(s, [np.zeros(len(s), np.float32) for _ in range(3)])

    def keep(self, s, maps):
        """Cuts or fills a strip to ROWS rows."""
        if len(s) < ROWS:
            more = ROWS - len(s)
            s = cv2.copyMakeBorder(s, 0, more, 0, 0, cv2.BORDER_REPLICATE)
            maps = [np.pad(m, (0, more), mode="edge") if i == 2 else np.pad(m, (0, more)) for i, m in enumerate(maps)]
        at = self.rng.integers(len(s) - ROWS + 1)
        self.ready.append((np.ascontiguousarray(s[at:at + ROWS].transpose(2, 0, 1)), *(m[at:at + ROWS] for m in maps)))


class Pool:
    """Strips are dear to draw: each is shown several times, in other colours and lights."""

    MOST, NEW = 5000, 2

    def __init__(self, source):
        self.source, self.rows = source, [source.sample() for _ in range(64)]

    def batch(self, count):
        self.rows = [*self.rows[self.NEW - self.MOST:], *(self.source.sample() for _ in range(self.NEW))]
        x, *maps = stacked([self.rows[i] for i in torch.randint(len(self.rows), (count,)).tolist()])
        x = (x if torch.rand(()) < 0.5 else x.flip(3))[:, torch.randperm(3)]
        x = (x * (0.75 + 0.5 * torch.rand(count, 3, 1, 1)) + 0.1 * torch.rand(count, 1, 1, 1) - 0.05).clamp(0, 1)
        return [1 - x if torch.rand(()) < 0.15 else x, *maps]


def losses(out, heat, side, size):
    out = out[..., 0]
    edge = F.binary_cross_entropy_with_logits(out[:, 0], heat)
    seen = F.binary_cross_entropy_with_logits(out[:, 1], side)
    thick = ((out[:, 2] - size).abs() * side).sum() / side.sum().clamp(min=1)
    return edge, seen, thick


@torch.no_grad()
def validate(net, b):
    net.eval()
    out = net(b[0])[..., 0]
    inner = torch.sigmoid(out[:, 1]) * torch.exp(-out[:, 2]) / MIDDLE
    true = b[2] * torch.exp(-b[3]) / MIDDLE
    d = (inner.sum(1) - true.sum(1)).abs()
    edge, _, thick = losses(net(b[0]), *b[1:])
    return {"within_half": round(float((d < 0.5).float().mean()), 3), "mean_error": round(float(d.mean()), 3), "thickness": round(float(thick), 4), "edges": round(float(edge), 4)}


def main():
    a = learn.options(minutes=10, rate=4e-3).parse_args()
    learn.start(a)
    t = learn.Training("layers", Layers(), a, keep=0.997, layout=torch.contiguous_format)
    grounds = scenes.backgrounds(a.data)
    held, pool = Source(7, grounds), Pool(Source(a.seed * 1000 + t.samples, grounds))
    val = stacked([held.sample() for _ in range(64)])
    if a.warm and not t.resumed:
        t.take_up("layers", pool.batch(128)[0], lambda: Layers(32))
    t.run(lambda: pool.batch(24), losses, (2, 1, 1), lambda net: validate(net, val), every=100, rise=100)
    export(t)


def export(t):
    learn.export(t.mean, os.path.join(t.a.out, "layers.onnx"), (3, ROWS, STRIP // JOIN), "strip", "layers", {0: "n", 2: "h"})
    manifest.update(t.a.out, "layers", "layers.onnx", (3, ROWS, STRIP // JOIN), [("edge", ["edge"]), ("side", ["side"]), ("thickness", ["thickness"])],
                    ["stacks drawn by models/train/stack_scenes.py", "backgrounds as of stacks.onnx"],
                    {**{"drawn_" + k: v for k, v in t.score.items()}, "samples": t.samples})


if __name__ == "__main__":
    main()
