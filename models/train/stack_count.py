"""Trains the counter of a stack's chips on drawn stacks and exports it as ONNX.

  /usr/bin/python3 models/train/stack_count.py --out models [--data ../shared/data] [--minutes 10]

layers.onnx: the middle of a stack's box (3 x H x 16: columns of a box WIDE pixels
wide, joined by fours) ->
3 x H x 1, row by row: logit of an edge between two chips (or of the lowest chip
or the highest) lying here, logit of chips' sides being seen here, logarithm of a
chip's thickness over MIDDLE pixels. Photographs train it only as backgrounds.
"""
import argparse
import copy
import os
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import manifest
import stack_scenes as scenes
from stack import average, save

HERE = os.path.dirname(os.path.abspath(__file__))
WIDE, STRIP, JOIN, ROWS, MIDDLE = 144, 64, 4, 192, 9.0
CANVAS = 240


class Layers(nn.Module):
    """Columns are joined first, then rows are looked at farther and farther off."""

    def __init__(self):
        super().__init__()
        def step(i, o, kernel, across=1, hole=1, pad=1):
            return [nn.Conv2d(i, o, kernel, (1, across), (hole * (kernel[0] // 2), pad), (hole, 1), bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True)]
        self.body = nn.Sequential(*step(3, 10, (3, 3), 2), *step(10, 20, (3, 3), 2), *step(20, 32, (3, 4), pad=0),
                                  *[m for hole in (1, 2, 4, 8, 2) for m in step(32, 32, (5, 1), hole=hole, pad=0)], nn.Conv2d(32, 3, 1))
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
            return self.nothing()
        img, cols = d.scene(CANVAS, 45, 150)
        boxes = d.boxes(cols, CANVAS)
        img = d.weathered(img, hard=False)
        for c, (x0, y0, x1, y1, seen) in zip(cols, boxes):
            if not seen or min(y0, x0) < 0 or max(y1, x1) > CANVAS:
                continue
            w, h = x1 - x0, y1 - y0
            x0, x1 = np.array([x0, x1]) + r.normal(0, 0.03, 2) * w
            y0, y1 = np.array([y0, y1]) + r.normal(0, 0.03, 2) * h
            s, left, up, k = strip(img, (x0, y0, x1, y1))
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


def stacked(rows):
    x, *maps = [torch.from_numpy(np.stack(c)) for c in zip(*rows)]
    return [x.float() / 255, *maps]


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
    edge, seen, thick = losses(net(b[0]), *b[1:])
    return {"within_half": round(float((d < 0.5).float().mean()), 3), "mean_error": round(float(d.mean()), 3), "thickness": round(float(thick), 4), "edges": round(float(edge), 4)}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=os.path.join(HERE, ".."))
    ap.add_argument("--data", default=os.path.join(HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--minutes", type=float, default=10)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--rate", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    work = os.path.join(HERE, "work")
    os.makedirs(work, exist_ok=True)
    kept = os.path.join(work, "layers.pt")
    net = Layers()
    opt = torch.optim.AdamW(net.parameters(), lr=a.rate, weight_decay=1e-2)
    n, spent, mean = 0, 0.0, copy.deepcopy(net)
    if os.path.exists(kept):
        ck = torch.load(kept)
        net.load_state_dict(ck["net"]), mean.load_state_dict(ck["mean"]), opt.load_state_dict(ck["opt"])
        n, spent = ck["samples"], ck["spent"]
    grounds = scenes.backgrounds(a.data)
    held, src = Source(7, grounds), Source(a.seed * 1000 + n, grounds)
    val = stacked([held.sample() for _ in range(64)])
    pool, steps, sums, t0 = [src.sample() for _ in range(64)], 0, np.zeros(3), time.time() - spent
    while (done := (time.time() - t0) / (60 * a.minutes)) < 1:
        for g in opt.param_groups:
            g["lr"] = a.rate * min(1, (steps + 1) / 100) * (0.5 * (1 + np.cos(np.pi * done)) + 0.01)
        for _ in range(1):
            pool.append(src.sample())
        pool = pool[-3000:]
        b = stacked([pool[i] for i in torch.randint(len(pool), (24,)).tolist()])
        b[0] = (b[0] if torch.rand(()) < 0.5 else b[0].flip(3))[:, torch.randperm(3)]
        b[0] = (b[0] * (0.75 + 0.5 * torch.rand(24, 3, 1, 1)) + 0.1 * torch.rand(24, 1, 1, 1) - 0.05).clamp(0, 1)
        if torch.rand(()) < 0.15:
            b[0] = 1 - b[0]
        part = losses(net(b[0]), *b[1:])
        opt.zero_grad(set_to_none=True)
        (2 * part[0] + part[1] + part[2]).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        n, steps = n + 24, steps + 1
        average(mean, net, n // 24)
        sums += [float(p) for p in part]
        if steps % 100 == 0:
            print(f"{time.time() - t0:.0f} s, {n} samples, losses {np.round(sums / 100, 3)}, held out {validate(mean, val)}", flush=True)
            sums[:] = 0
            save(net, mean, opt, kept, n, time.time() - t0)
    save(net, mean, opt, kept, n, time.time() - t0)
    export(mean, a, n, validate(mean, val))


def export(net, a, n, score):
    net.eval()
    axes = {0: "n", 2: "h"}
    torch.onnx.export(net, torch.zeros(1, 3, ROWS, STRIP // JOIN), os.path.join(a.out, "layers.onnx"), opset_version=11,
                      input_names=["strip"], output_names=["layers"], dynamic_axes={"strip": axes, "layers": axes})
    manifest.update(a.out, "layers", "layers.onnx", (3, ROWS, STRIP // JOIN), [("edge", ["edge"]), ("side", ["side"]), ("thickness", ["thickness"])],
                    ["stacks drawn by models/train/stack_scenes.py", "backgrounds as of stacks.onnx"],
                    {**{"drawn_" + k: v for k, v in score.items()}, "samples": n})


if __name__ == "__main__":
    main()
