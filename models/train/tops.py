"""The network that proposes stacks: a heat map of the middles of their upper faces, the faces' ellipses and where the feet are.

  /usr/bin/python3 models/train/tops.py --scenes FOLDER --minutes 30 [--threads 2] [--out models] [--work FOLDER]

learns from the shards of models/train/stacks -pictures and writes tops.onnx (after Zhou et al., Objects as Points, 2019). It goes on from the
checkpoint in --work where there is one, else from start/tops.pt. Inputs and outputs: internal/lab/MEASURING.md.
"""
import argparse
import glob
import itertools
import json
import math
import os
import time
import zlib

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import manifest
from sides import averaged, logistic, started, stored

DIAMETER, STRIDE, WINDOW = 28, 4, 128
MOST = 600  # pixels of a picture, geometric mean of its sides
HEADS = [("heat", ["face"]), ("shape", ["dx", "dy", "ln a", "ln b", "foot dx", "foot dy", "down x", "down y"])]
SHAPE, WEIGHTS = 8, (0.3, 0.3, 5, 5, 3, 3, 2, 2)
NEAR, FAR = 1.6, 2.2  # by which a face's size may be off DIAMETER to be proposed, and from which it must not be
EMPTY = ("rf100-poker-cards", "nell-byler-dice", "matteop65-dice", "edje-pinochle", "epanemu-dice")  # photographs without chips
DATA = ["traced by models/train/stacks", "drawn by internal/lab/sim", "without chips: rf100 poker-cards (CC BY 4.0), nell-byler/dice_detection (BSD-3-Clause), "
        "matteop65/Dice_Detection_Recognition (MIT), EdjeElectronics' pinochle cards (Apache-2.0), epanemu dice without web pictures (CC BY 4.0)", "boxes of ScottJJosh/PokerSensei, without web pictures (CC BY 4.0)"]
CLASSES = 4  # stack, flat chip, plaque, reserved: scenes have none of the last two


class Block(nn.Module):
    """A convolution and one of a pixel, added to what came."""

    def __init__(self, wide):
        super().__init__()
        self.way = nn.Sequential(nn.Conv2d(wide, wide, 3, 1, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU(), nn.Conv2d(wide, wide, 1, bias=False), nn.BatchNorm2d(wide))

    def forward(self, x):
        return F.relu(x + self.way(x))


class Tops(nn.Module):
    """Pictures (n x 3 x h x w, multiples of 16) to heat (n x CLASSES) and shape (n x SHAPE) at a quarter of the size."""

    def __init__(self, wides=(24, 48, 72), deep=(2, 2, 3)):
        super().__init__()
        conv = lambda i, o, k, s: nn.Sequential(nn.Conv2d(i, o, k, s, k // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())
        self.stem = nn.Sequential(conv(3, 12, 3, 2), conv(12, wides[0], 3, 2))
        self.levels = nn.ModuleList(nn.Sequential(*(Block(w) for _ in range(n))) for w, n in zip(wides, deep))
        self.down = nn.ModuleList(conv(a, b, 3, 2) for a, b in itertools.pairwise(wides))
        self.up = nn.ModuleList(conv(b, a, 1, 1) for a, b in itertools.pairwise(wides))
        self.last = nn.Sequential(conv(wides[0], 32, 3, 1), Block(32))
        self.heat, self.shape = nn.Conv2d(32, CLASSES, 1), nn.Conv2d(32, SHAPE, 1)
        nn.init.constant_(self.heat.bias, -4.6)

    def forward(self, picture):
        x, kept = self.stem(picture - 0.4), []
        for i, level in enumerate(self.levels):
            x = level(x if i == 0 else self.down[i - 1](x))
            kept.append(x)
        for i in reversed(range(len(self.up))):
            x = kept[i] + F.interpolate(self.up[i](x), scale_factor=2.0, mode="nearest")
        h = self.last(x)
        return self.heat(h), self.shape(h)


class Shards:
    """The scenes of a folder of models/train/stacks -pictures, those for training by their seeds; every tenth shard is held back."""

    def __init__(self, folder):
        self.folder, self.known, self.train, self.held = folder, set(), {}, []
        self.more()

    def more(self):
        """Takes in the files that have come since."""
        for path in sorted(set(glob.glob(os.path.join(self.folder, "*.npz"))) - self.known):
            self.known.add(path)
            seed, number = os.path.basename(path)[:-4].rsplit("-", 1)
            (self.held if int(number) % 10 == 9 else self.train.setdefault(seed, [])).extend(scenes(path))
        if not self.held: self.held.append(max(self.train.values(), key=len).pop())

    def draw(self, rng):
        """One for training, of each seed as often."""
        of = list(self.train.values())[int(rng.integers(len(self.train)))]
        return of[int(rng.integers(len(of)))]


def scenes(path):
    """The scenes of one file, each a dictionary: the picture, and of its stacks (pixels) the faces' middles and half axes, the
    feet, the share of each face that shows, the number of chips and the way down."""
    with np.load(path) as z:
        z, at, out = {k: z[k] for k in z}, 0, []
    for (h, w), rows in zip(z["size"], torch.from_numpy(z["stacks"])):
        rows = rows[rows[:, 7] > 0]
        if len(rows) > 0:
            out.append({"picture": torch.from_numpy(z["picture"][at:at + h * w * 3].reshape(h, w, 3)), "middle": rows[:, :2], "axes": rows[:, 2:4],
                        "foot": rows[:, 4:6], "open": rows[:, 6], "count": rows[:, 7], "down": rows[:, 8:10]})
        at += int(h * w * 3)
    return out


def scaled(s, zoom, stretch=1.0):
    """A scene's picture in another size, 3 x h x w, 0 to 1, and so much wider than high; and middles, half axes and feet in it."""
    size = [max(8, round(v * zoom * k)) for v, k in zip(s["picture"].shape[:2], (stretch ** -0.5, stretch ** 0.5))]
    p = cv2.resize(s["picture"].numpy(), size[::-1], interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    p = torch.from_numpy(p).permute(2, 0, 1).float() / 255
    middle, axes, foot = s["middle"], s["axes"], s["foot"]
    k = torch.tensor((size[1] / s["picture"].shape[1], size[0] / s["picture"].shape[0]))
    return p, (middle + 0.5) * k - 0.5, axes * k, (foot + 0.5) * k - 0.5


def placed(p, left, top, high, wide):
    """A window of a picture; beyond its edge it goes on as at the edge."""
    h, w = p.shape[1:]
    y, x = (torch.arange(high) + top).clamp(0, h - 1), (torch.arange(wide) + left).clamp(0, w - 1)
    return p[:, y][:, :, x]


def targets(s, middle, axes, foot, down, high, wide):
    """Heat (CLASSES), shape (SHAPE), the weight of the shape, and the weight of the heat of one window."""
    h, w = high // STRIDE, wide // STRIDE
    heat, shape, there, counted = torch.zeros(CLASSES, h, w), torch.zeros(SHAPE, h, w), torch.zeros(h, w), torch.ones(h, w)
    y, x = torch.meshgrid(torch.arange(h) * STRIDE + 1.5, torch.arange(w) * STRIDE + 1.5, indexing="ij")
    for j in range(len(middle)):
        dx, dy, (a, b) = middle[j, 0] - x, middle[j, 1] - y, axes[j]
        far = (dx / (a / 5).clamp(min=2)) ** 2 + (dy / (b / 5).clamp(min=2)) ** 2
        size = max(2 * float(a) / DIAMETER, DIAMETER / 2 / float(a))
        if size > FAR: continue
        if s["open"][j] < 0.35 or size > NEAR:
            counted[(dx / a) ** 2 + (dy / b) ** 2 < 0.5] = 0
            continue
        c = 0 if s["count"][j] > 1 else 1
        heat[c] = torch.maximum(heat[c], torch.exp(-far / 2))
        at = divmod(int(far.argmin()), w)
        if abs(float(dx[at])) < STRIDE and abs(float(dy[at])) < STRIDE: heat[c][at] = 1
        mine = far < 2
        d = (foot[j] - middle[j]) / (2 * a)
        one = torch.ones(h, w)
        shape[:, mine] = torch.stack([dx, dy, one * a.log(), one * b.log(), one * d[0], one * d[1], one * down[j, 0], one * down[j, 1]])[:, mine]
        there[mine] = torch.exp(-far / 2)[mine]
    return heat, shape, there, counted


def empty(data, held=False):
    """Scenes without chips: photographs of other things, at most MOST pixels high and wide, two thirds of each set or the held-back third, a hundred at most."""
    out, none = [], torch.zeros(0)
    for name in EMPTY:
        folder = os.path.join(data or "", name)
        if not os.path.isdir(folder): continue
        with open(os.path.join(folder, "truth.jsonl"), encoding="utf-8") as f: lines = [json.loads(line) for line in f]
        lines = [line for line in lines if "web" not in line["tags"] and (zlib.crc32(line["image"].encode()) % 3 == 0) == held]
        for line in lines[::max(1, len(lines) // 100)]:
            p = cv2.imread(os.path.join(folder, line["image"]))
            k = min(1, MOST / max(p.shape[:2]))
            p = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)[:, :, ::-1].copy()
            out.append({"picture": torch.from_numpy(p), "middle": none.reshape(0, 2), "axes": none.reshape(0, 2), "foot": none.reshape(0, 2), "open": none, "count": none,
                        "down": none.reshape(0, 2)})
    return out


def boxed(data, held=False):
    """Photographs of stacks with boxes (x, y, w, h) round them, two thirds of those that may be learned from or the held-back third, at most MOST pixels high and wide."""
    out, folder = [], os.path.join(data or "", "pokersensei-stacks")
    if not os.path.isdir(folder): return out
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf-8") as f: lines = [json.loads(line) for line in f]
    for line in lines:
        if "web" in line["tags"] or (zlib.crc32(line["image"].encode()) % 3 == 0) != held: continue
        p = cv2.imread(os.path.join(folder, line["image"]))
        k = min(1, MOST / math.sqrt(p.shape[0] * p.shape[1]))
        p = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)[:, :, ::-1].copy()
        out.append({"picture": torch.from_numpy(p), "boxes": torch.tensor([c["box"] for c in line["chips"]]).float() * k})
    return out


def explained(net, s):
    """The scene of a photograph with boxes: of each the face that net proposes and that goes with it, else a place of which nothing is known."""
    net.eval()
    none, rows = torch.zeros(0, 2), []
    with torch.no_grad():
        for x, y, w, h in s["boxes"].tolist():
            best, row = 0, [x + w / 2, y + min(h, w) / 2, w / 2, min(h, w) / 2, x + w / 2, y + h, 0, 2, 0, 1]
            for zoom in (0.85, 1, 1.2):
                zoom *= DIAMETER / w
                p = scaled(s | {"middle": none, "axes": none, "foot": none}, zoom)[0]
                for g in peaks(net, p, 0.05).tolist():
                    mx, my, a, b = (g[0] + 0.5) / zoom - 0.5, (g[1] + 0.5) / zoom - 0.5, math.exp(g[4]) / zoom, math.exp(g[5]) / zoom
                    long = math.hypot(g[8], g[9]) + 1e-6
                    dx, dy = g[8] / long, g[9] / long
                    # the box that an upright stack of this face has: wide as the face, from its upper edge on
                    half, over = math.hypot(a * dy, b * dx), math.hypot(b * dy, a * dx)
                    off = max(abs(mx - half - x), abs(my - over - y)) if dx > 0 else max(abs(mx + half - x - w), abs(my - over - y))
                    p = g[2] * math.exp(-(off / (0.07 * w)) ** 2)
                    if p > best and half < 0.54 * w:
                        deep = max(y + h - over - my, 0) / max(dy, 0.3)
                        best, row = p, [mx, my, a, b, mx + dx * deep, my + dy * deep, 1, 2 if deep > 0.22 * a else 1, dx, dy]
            if best < 0.03: row[6] = 0
            rows.append(row)
    r = torch.tensor(rows)
    return {"picture": s["picture"], "middle": r[:, :2], "axes": r[:, 2:4], "foot": r[:, 4:6], "open": r[:, 6], "count": r[:, 7], "down": r[:, 8:10]}


def mined(net, s, rng):
    """Where net takes something in a photograph for a face that is none: x, y and the zoom at which it does (Shrivastava et al., Training Region-based Object
    Detectors with Online Hard Example Mining, 2016)."""
    out, zoom = [], DIAMETER / (rng.uniform(20, 40) * max(s["picture"].shape[:2]) / MOST)
    while zoom * min(s["picture"].shape[:2]) > 2 * DIAMETER:
        p, middle, axes, _ = scaled(s, zoom)
        with torch.no_grad(): got = peaks(net, p, 0.25)
        for g in got:
            if not ((((g[:2] - middle) / axes.clamp(min=1)) ** 2).sum(1) < 2).any(): out.append([float(g[0] + 0.5) / zoom - 0.5, float(g[1] + 0.5) / zoom - 0.5, zoom])
        zoom /= 1.6
    return s | {"false": out}


def crisp(p, rng):
    """A picture with more contrast in places, as some cameras and programs make it."""
    wide = int(rng.choice((9, 17, 33)))
    soft = F.avg_pool2d(F.pad(p[None], [wide // 2] * 4, mode="replicate"), wide, 1)[0]
    return (p + (p - soft) * float(rng.uniform(0, 1.5))).clamp(0, 1)


def batch(shards, others, rng, size=12):
    """Windows for training with their targets, some of scenes without chips, some about what was taken for a face there."""
    out, hard = [], [s for s in itertools.chain(others, shards.train.get("photographs", [])) if s.get("false")]
    for _ in range(size):
        about, u = None, rng.random()
        if hard and u < 0.25:
            s = hard[int(rng.integers(len(hard)))]
            about = s["false"][int(rng.integers(len(s["false"])))]
        else: s = others[int(rng.integers(len(others)))] if others and u < 0.35 else shards.draw(rng)
        # at times in sizes in which no face is to be proposed
        zoom = math.exp(rng.normal(0, 0.15) if rng.random() < 0.8 else rng.normal(0, 0.8))
        a = float(s["axes"][int(rng.integers(len(s["axes"]))), 0]) if len(s["axes"]) else DIAMETER / 2 * math.exp(rng.uniform(-0.5, 1.2))
        zoom *= DIAMETER / (2 * a)
        if about: zoom = about[2] * math.exp(rng.normal(0, 0.1))
        most = math.sqrt(MOST ** 2 / s["picture"].shape[0] / s["picture"].shape[1])
        p, middle, axes, foot = scaled(s, min(zoom, most), math.exp(rng.normal(0, 0.2)) if rng.random() < 0.3 else 1.0)
        h, w = p.shape[1:]
        left, top = (int(rng.integers(min(-16, v - WINDOW), max(v - WINDOW + 16, -15) + 1)) for v in (w, h))
        if about: left, top = (int((v + 0.5) * p.shape[2 - i] / s["picture"].shape[1 - i] - rng.uniform(0.2, 0.8) * WINDOW) for i, v in enumerate(about[:2]))
        move = torch.tensor((left, top)).float()
        p = placed(p, left, top, WINDOW, WINDOW)
        mix = (torch.eye(3) + torch.from_numpy(rng.normal(0, 0.12, (3, 3))).float())[torch.from_numpy(rng.permutation(3)) if rng.random() < 0.3 else slice(None)]
        p = torch.einsum("ij,jhw->ihw", mix / mix.sum(1, keepdim=True), p).clamp(0, 1.2) ** math.exp(rng.normal(0, 0.2)) * math.exp(rng.normal(0, 0.2))
        if rng.random() < 0.2: p = crisp(p, rng)
        p = (p + torch.randn_like(p) * 0.03 * float(rng.random())).clamp(0, 1)
        middle, foot, down = middle - move, foot - move, s["down"].clone()
        if rng.random() < 0.5:
            p, down[:, 0] = p.flip(2), -down[:, 0]
            for v in (middle, foot): v[:, 0] = WINDOW - 1 - v[:, 0]
        out.append((p, *targets(s, middle, axes, foot, down, WINDOW, WINDOW)))
    return [torch.stack(v) for v in zip(*out)]


def losses(net, b):
    picture, heat, shape, there, counted = b
    logit, got = net(picture)
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    peak = heat > 0.999
    focal = torch.where(peak, -(1 - p) ** 2 * p.log(), -(1 - heat) ** 4 * p ** 2 * (1 - p).log()) * counted[:, None]
    weight = torch.tensor(WEIGHTS).view(1, SHAPE, 1, 1)
    off = (F.smooth_l1_loss(got, shape, reduction="none", beta=0.1) * weight * there[:, None]).sum() / there.sum().clamp(min=1)
    return focal.sum() / peak.sum().clamp(min=1), off


def either(heat):
    """Log odds (n x 1 x h x w) that a face is there, of one chip or of several: from above they hardly differ, and neither is likely alone."""
    none = F.softplus(heat[:, :1]) + F.softplus(heat[:, 1:2]) + 1e-5  # -ln P; more than 0 in any precision
    return none + torch.log(1 - torch.exp(-none))


def peaks(net, picture, low=0.3):
    """Proposals in one picture (3 x h x w, any size): rows of x, y, probability, class, ln a, ln b, the foot's offset and the way down."""
    h, w = picture.shape[1:]
    heat, shape = net(placed(picture, 0, 0, -(-h // 16) * 16, -(-w // 16) * 16)[None])
    best, which = torch.sigmoid(either(heat)[0, 0]), heat[0, :2].argmax(0)
    top = (F.max_pool2d(best[None, None], 3, 1, 1)[0, 0] == best) & (best > low)
    y, x = torch.nonzero(top, as_tuple=True)
    s = shape[0, :, y, x]
    out = torch.stack([x * STRIDE + 1.5 + s[0], y * STRIDE + 1.5 + s[1], best[y, x], which[y, x].float(), *s[2:]], 1)
    keep = []
    for r in out[out[:, 2].argsort(descending=True)]:  # one of two whose middles are within a quarter of the face
        if all((((r[:2] - k[:2]) / k[4:6].exp()) ** 2).sum() > 0.25 for k in keep) and r[0] < w and r[1] < h: keep.append(r)
    return torch.stack(keep) if keep else out[:0]


def report(net, scenes, low=0.3):
    """Faces of which more than half shows that are found, by tilt; proposals that are no face; how far found ones are off."""
    net.eval()
    rows, spurious, off, feet, kinds, ways = [], 0, [], [], [], []
    with torch.no_grad():
        for s in scenes:
            p, middle, axes, foot = scaled(s, DIAMETER / (2 * float(s["axes"][0, 0])))
            got = peaks(net, p, low)
            # how far apart, in radii along the face
            far = (((got[:, None, :2] - middle[None]) / axes[None]) ** 2).sum(2).sqrt()
            spurious += int((far.min(1)[0] > 0.5).sum()) if len(got) else 0
            for j in range(len(middle)):
                if s["open"][j] < 0.5: continue
                near = far[:, j].min(0) if len(got) else None
                found = near is not None and float(near[0]) < 0.5
                rows.append((float(axes[j, 1] / axes[j, 0]), found))
                if found:
                    g = got[int(near[1])]
                    off.append(((g[:2] - middle[j]) / (2 * axes[j, 0]) * 40).tolist())
                    feet.append((g[6:8] - (foot[j] - middle[j]) / (2 * axes[j, 0])).norm().item())
                    ways.append(math.degrees(math.acos(min(1, max(-1, float(F.cosine_similarity(g[8:10], s["down"][j], dim=0)))))))
                    kinds.append(bool((g[3] == 0) == (s["count"][j] > 1)))
    net.train()
    r = np.array(rows)
    by = ", ".join(f"tilt {a}-{b}: {100 * q[:, 1].mean():.1f}% of {len(q)}" for a, b in ((0, 0.5), (0.5, 0.8), (0.8, 1)) for q in [r[(r[:, 0] >= a) & (r[:, 0] < b)]] if len(q))
    sd = 1.48 * np.median(np.abs(np.array(off or [(9, 9)])), 0)
    figures = {"faces": len(r), "found": round(float(r[:, 1].mean()), 4), "spurious a picture": round(spurious / len(scenes), 4)}
    return (f"found {100 * r[:, 1].mean():.1f}% of {len(r)} ({by}); {spurious / len(scenes):.3f} spurious a picture; off by (robust sd) {sd.round(2).tolist()} mm; "
            f"foot off by {np.median(feet or [9]):.2f} diameters; way down by {np.median(ways or [180]):.1f} degrees; class right {100 * np.mean(kinds or [0]):.1f}%"), figures


def overlap(a, b):
    """Intersection over union of two boxes (x, y, w, h)."""
    w, h = (max(0, min(a[i] + a[2 + i], b[i] + b[2 + i]) - max(a[i], b[i])) for i in (0, 1))
    return w * h / (a[2] * a[3] + b[2] * b[3] - w * h + 1e-9)


def stacks(net, picture):
    """What net finds in a picture (h x w x 3) at all sizes, as recognize/stack/photograph.go: logits and boxes round face and foot, likeliest first."""
    s, out, wide = {"picture": picture, **dict.fromkeys(("middle", "axes", "foot"), torch.zeros(0, 2))}, [], 0.75 * DIAMETER
    while wide < min(picture.shape[:2]):
        with torch.no_grad(): got = peaks(net, scaled(s, DIAMETER / wide)[0], 0.2)
        for g in got.tolist():
            (x, y), a, b, long = [(v + 0.5) * wide / DIAMETER - 0.5 for v in g[:2]], math.exp(g[4]) * wide / DIAMETER, math.exp(g[5]) * wide / DIAMETER, math.hypot(g[8], g[9]) + 1e-6
            if not 1 / 1.6 < 2 * a / wide < 1.6: continue
            half, over = math.hypot(a * g[9], b * g[8]) / long, math.hypot(b * g[9], a * g[8]) / long
            box = [x - half + min(0, 2 * a * g[6]), y - over + min(0, 2 * a * g[7]), 2 * half + abs(2 * a * g[6]), 2 * over + abs(2 * a * g[7])]
            out.append((math.log(g[2] / (1 - g[2])), box, x, y, a))
        wide *= math.sqrt(2)
    kept = []
    for o in sorted(out, reverse=True):
        if all(math.hypot(o[2] - k[2], o[3] - k[3]) > k[4] / 2 and overlap(o[1], k[1]) < 0.5 for k in kept): kept.append(o)
    return [o[:2] for o in kept]


def judged(net, photographs):
    """Logits of all that net finds in photographs and whether each is a stack (n x 2), and how many stacks there are."""
    rows, count = [], 0
    net.eval()
    for s in photographs:
        boxes = s.get("boxes", torch.zeros(0, 4)).tolist()
        count += len(boxes)
        for logit, box in stacks(net, s["picture"]):
            best = max(boxes, key=lambda b: overlap(b, box), default=box)
            right = best in boxes and overlap(best, box) >= 0.5
            if right: boxes.remove(best)
            rows.append((logit, right))
    return np.array(rows, float).reshape(-1, 2), count


def platt(rows):
    """Scale and shift of logits that make probabilities of them (Platt 1999)."""
    return logistic(np.stack([rows[:, 0], np.ones(len(rows))], 1), rows[:, 1], (1, 0))


class Exported(nn.Module):
    """The network for pictures in BGR, with one output: log odds of a face, at the scale and shift that were fitted, and the shape."""

    def __init__(self, net, heat=(1.0, 0.0)):
        super().__init__()
        self.net, self.map = net, [float(v) for v in heat]

    def forward(self, picture):
        heat, shape = self.net(torch.cat([picture[:, 2:], picture[:, 1:2], picture[:, :1]], 1))
        return torch.cat([either(heat) * self.map[0] + self.map[1], shape], 1)


def exported(net, path, heat=(1.0, 0.0)):
    net.eval()
    axes = {0: "n", 2: "h", 3: "w"}
    torch.onnx.export(Exported(net, heat), torch.rand(1, 3, WINDOW, WINDOW), path, opset_version=11, input_names=["picture"], output_names=["tops"],
                      dynamic_axes=dict.fromkeys(("picture", "tops"), axes))


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    ap.add_argument("--scenes", required=True)
    ap.add_argument("--out", default="models")
    ap.add_argument("--work", default="models/train/work")
    ap.add_argument("--data", help="photographs")
    ap.add_argument("--photographs", action="store_true", help="the network for photographs, which learns from some, too")
    ap.add_argument("--sealed", help="scenes of a sealed seed, to measure on at the end; else those held back")
    ap.add_argument("--minutes", type=float, default=30)
    ap.add_argument("--rate", type=float, default=3e-3, help="of learning, at most")
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--every", type=float, default=5, help="minutes between reports")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    net, mean, rng, step = Tops(), Tops(), np.random.default_rng(), 0
    name = "photo_tops" if a.photographs else "tops"
    started(net, name)
    opt = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.02)
    mean.load_state_dict(net.state_dict())
    save, spent = os.path.join(a.work, name + ".pt"), 0.0
    os.makedirs(a.work, exist_ok=True)
    if os.path.exists(save):
        kept = torch.load(save)
        for m, k in ((net, "net"), (mean, "mean"), (opt, "opt")): m.load_state_dict(kept[k])
        step, spent = kept["step"], kept["spent"]
    shards, others, seen = Shards(a.scenes), empty(a.data), boxed(a.data) if a.photographs else []
    start = last = time.time() - spent
    heat = off = 0.0
    print(sum(map(len, shards.train.values())), "scenes,", len(shards.held), "held back,", sum(p.numel() for p in net.parameters()), "weights", flush=True)
    state = lambda: {"net": net.state_dict(), "mean": mean.state_dict(), "opt": opt.state_dict(), "step": step, "spent": time.time() - start}
    def explain():
        if seen: shards.train["photographs"] = [explained(mean, s) for s in seen]
        for of in filter(None, (others, shards.train.get("photographs"))):
            for i in rng.permutation(len(of))[:150]: of[i] = mined(mean, of[i], rng)
        if others: print("taken for faces in others:", sum(len(s.get("false", ())) for s in others), flush=True)
        if seen: print("of boxes", sum(int((s["open"] > 0).sum()) for s in shards.train["photographs"]), "explained of", sum(len(s["boxes"]) for s in seen), flush=True)
    explain()
    mean.train()
    while time.time() - start < 60 * a.minutes:
        u = (time.time() - start) / (60 * a.minutes)
        for g in opt.param_groups: g["lr"] = a.rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * u)) + 1e-5
        h, o = losses(net, batch(shards, others, rng))
        opt.zero_grad()
        (h + o).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        step += 1
        averaged(mean, net, step)
        heat, off = (float(v) if step == 1 else 0.98 * old + 0.02 * float(v) for old, v in ((heat, h), (off, o)))
        if step % 100 == 0: print(f"{time.time() - start:.0f} s, step {step}: heat {heat:.3f}, shape {off:.3f}", flush=True)
        if time.time() - last > 60 * a.every:
            last = time.time()
            torch.save(state(), save)
            print(sum(map(len, shards.train.values())), "scenes;", report(mean, shards.held[:: max(1, len(shards.held) // 150)])[0], flush=True)
            exported(mean, os.path.join(a.out, name + ".onnx"))
            explain()
            mean.train()
            shards.more()
    torch.save(state(), save)
    text, figures = report(mean, list(itertools.chain(*Shards(a.sealed).train.values())) if a.sealed else shards.held)
    print("end;", text)
    heat = (1.0, 0.0)
    if a.photographs:
        rows, count = judged(mean, boxed(a.data, True) + empty(a.data, True))
        heat = platt(rows)
        for least in (0.3, 0.5, 0.7, 0.9):
            p = 1 / (1 + np.exp(-rows[:, 0] * heat[0] - heat[1])) >= least
            print(f"photographs held back, from {least}: {int(rows[p, 1].sum())} of {count} stacks found, {int((1 - rows[p, 1]).sum())} spurious")
    stored(mean, os.path.join(a.work, name + "-start.pt"))
    exported(mean, os.path.join(a.out, name + ".onnx"), heat)
    manifest.update(a.out, name, name + ".onnx", (3, WINDOW, WINDOW), HEADS, DATA if a.photographs else DATA[:3], figures)


if __name__ == "__main__":
    main()
