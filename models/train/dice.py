"""Trains the dice network and exports it as ONNX.

  /usr/bin/python3 models/train/dice.py --out models [--data ../shared/data] [--traced SCENES] [--minutes 40]

dice.onnx: a picture (3 x H x W, sides multiples of 4) -> 8 x H/4 x W/4: logit of
a die's upper face standing in this cell, logits of its value 1 to 6, logarithm
of its edge over MIDDLE pixels. It answers for edges of dice_scenes.EDGES; a
pyramid of pictures covers the others. Training goes on from its checkpoint.
"""
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import dice_scenes as scenes
import learn
import manifest
from learn import conv

STRIDE = 4
MIDDLE = 20.0
VALUES = ["1", "2", "3", "4", "5", "6"]


class Dice(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 24), conv(24, 48, 2), conv(48, 48), conv(48, 48, 1, 2),
            conv(48, 48, 1, 4), conv(48, 48, 1, 2), conv(48, 64))
        self.head = nn.Conv2d(64, 8, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.head.bias.data[0] = -3.5

    def forward(self, x):
        return self.head(self.body(x - 0.5))


def targets(dice):
    """Maps of one sample: heat, weight of the heat, value (-1: none), log edge, its weight."""
    n = scenes.SIDE // STRIDE
    heat, weight = np.zeros((n, n), np.float32), np.ones((n, n), np.float32)
    value, size, sized = np.full((n, n), -1, np.int64), np.zeros((n, n), np.float32), np.zeros((n, n), np.float32)
    yy, xx = np.mgrid[:n, :n] * STRIDE + STRIDE / 2 - 0.5
    low, high = scenes.EDGES
    for x, y, edge, v, sure in dice:
        d2 = (xx - x) ** 2 + (yy - y) ** 2
        near = d2 < (0.3 * edge) ** 2
        if not low * 0.9 < edge < high * 1.1:
            if low * 0.72 < edge < high * 1.35 or not sure:  # neither yes nor no
                weight[d2 < (0.6 * edge) ** 2] = 0
            continue
        g = np.exp(-d2 / (2 * (0.16 * edge) ** 2)).astype(np.float32)
        if not sure:  # the box says little: somewhere about its middle
            weight[(d2 < (0.45 * edge) ** 2) & (g < 0.6)] = 0
        heat = np.maximum(heat, g)
        cell = int(np.clip(y / STRIDE, 0, n - 1)), int(np.clip(x / STRIDE, 0, n - 1))
        if 0 <= x < scenes.SIDE and 0 <= y < scenes.SIDE:
            heat[cell], weight[cell], near[cell] = 1, 1, True
            value[near] = v - 1
            size[near], sized[near] = np.log(edge / MIDDLE), 1 if sure else 0.3
    return heat, weight, value, size, sized


def batch(source, count, kind=None):
    rows = []
    for _ in range(count):
        img, dice = source.sample(kind)
        rows.append((img.transpose(2, 0, 1).astype(np.float32) / 255, *targets(dice)))
    return [torch.from_numpy(np.stack(c)) for c in zip(*rows)]


class Pool:
    """Samples are dear to make: each is shown several times, mirrored and recoloured."""

    MOST = 6000

    def __init__(self, source, count):
        self.source, self.next = source, 0
        self.rows = [self.one() for _ in range(count)]

    def one(self):
        x, *maps = batch(self.source, 1)
        return [(x * 255).round().byte(), *maps]

    def batch(self, count, fresh):
        for _ in range(fresh):
            if len(self.rows) < self.MOST:
                self.rows.append(self.one())
                continue
            self.rows[self.next] = self.one()
            self.next = (self.next + 1) % len(self.rows)
        picked = torch.randint(len(self.rows), (count,)).tolist()
        x, *maps = [torch.cat(c) for c in zip(*(self.rows[i] for i in picked))]
        x = x.float() / 255
        if torch.rand(()) < 0.5:
            x, maps = x.flip(3), [m.flip(2) for m in maps]
        x = x[:, torch.randperm(3)] if torch.rand(()) < 0.3 else x
        x = x * (0.75 + 0.5 * torch.rand(count, 1, 1, 1)) * (0.9 + 0.2 * torch.rand(count, 3, 1, 1))
        return [x.clamp(0, 1), *maps]


def losses(out, heat, weight, value, size, sized):
    """Heat as CenterNet's focal loss, the value's entropy, the edge's deviation."""
    p = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    at = (heat >= 0.999).float()
    yes = -at * (1 - p) ** 2 * torch.log(p)
    no = -(1 - at) * weight * (1 - heat) ** 4 * p ** 2 * torch.log(1 - p)
    found = (yes + no).sum() / at.sum().clamp(min=1)
    read = F.cross_entropy(out[:, 1:7], value, ignore_index=-1) if (value >= 0).any() else out.sum() * 0
    edge = ((out[:, 7] - size).abs() * sized).sum() / sized.sum().clamp(min=1)
    return found, read, edge


@torch.no_grad()
def validate(net, batches):
    """Shares of right values at the true places, per kind of sample."""
    net.eval()
    out = {}
    for kind, b in batches.items():
        o = net(b[0])
        seen = b[1] >= 0.999
        at = o[:, 1:7].argmax(1)[seen] == b[3][seen]
        out[kind] = round(float(at.float().mean()), 4)
        out[kind + "_seen"] = round(float((torch.sigmoid(o[:, 0])[seen] > 0.3).float().mean()), 4)
    return out


def main():
    ap = learn.options(minutes=40, rate=4e-3)
    ap.add_argument("--traced", help="folder of what tables/throws.py made")
    ap.add_argument("--export", action="store_true", help="only export the checkpoint")
    a = ap.parse_args()
    learn.start(a)
    t = learn.Training("dice", Dice(), a, keep=0.999)
    grounds = scenes.backgrounds(a.data)
    if a.warm and not t.resumed:
        src = scenes.Source(a.seed, scenes.photographs(a.data, False, a.traced), grounds)
        t.take_up("dice", torch.cat([batch(src, 16)[0] for _ in range(12)]))
    if not a.export:
        held = scenes.Source(7, scenes.photographs(a.data, True, a.traced), grounds)
        val = {k: batch(held, 96, k) for k in ["drawn"] + list(held.photos)}
        pool = Pool(scenes.Source(a.seed * 1000 + t.samples, scenes.photographs(a.data, False, a.traced), grounds), 64)
        t.run(lambda: pool.batch(16, 5), losses, (1, 1, 0.5), lambda net: validate(net, val), every=500, rise=200)
    export(t)


def export(t):
    side, a = scenes.SIDE, t.a
    learn.export(t.mean, os.path.join(a.out, "dice.onnx"), (3, side, side), "picture", "dice", {0: "n", 2: "h", 3: "w"})
    data = ["rendered dice of models/train/dice_scenes.py"]
    if a.traced:
        data.append("path-traced dice of models/train/tables/throws.py, on felts with cards of vector decks (GPL, not shipped)")
    if os.path.isdir(os.path.join(a.data, "nell-byler-dice")):
        data += ["photographs of nell-byler/dice_detection (BSD-3-Clause)", "photographs of matteop65/Dice_Detection_Recognition (MIT)",
                 "photographs of Epanemu/GameDiceRecognition, Roboflow Dice-3, without stock pictures (CC BY 4.0)",
                 "backgrounds: martinabeleda/Blackjack-Tracker (MIT), rf100 poker-cards (CC BY 4.0), EdjeElectronics' pinochle cards (Apache-2.0)"]
    manifest.update(a.out, "dice", "dice.onnx", (3, side, side), [("die", ["die"]), ("value", VALUES), ("edge", ["edge"])],
                    data, {**{"held_out_" + k: v for k, v in t.score.items()}, "samples": t.samples})


if __name__ == "__main__":
    main()
