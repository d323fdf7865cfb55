"""Trains the card networks and exports them as ONNX.

  /usr/bin/python3 models/train/card.py --out models [--data ../shared/data] [--minutes 12]

face.onnx   whole rectified card -> 52 cards, joker, back, none
index.onnx  corner of the rectified card -> rank (13, joker, none), suit (4, none)

Both learn from rendered patches (decks.py, patches.py) and, with --photos, from
patches of photographs that may train (harvested by models/train/harvest).
"""
import argparse
import copy
import glob
import itertools
import json
import os
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import cuts
import decks
import manifest
import patches
import scenes
import warm

HERE = os.path.dirname(os.path.abspath(__file__))
HELD_OUT = ("bellot", "anglo_poker")  # artwork kept back for validation


def conv(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Face(nn.Module):
    """3 x 112 x 80 -> logits of the whole-card classes."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 24), conv(24, 40, 2), conv(40, 40),
            conv(40, 64, 2), conv(64, 64), conv(64, 64, 2), nn.Flatten(),
            nn.Dropout(0.15), nn.Linear(64 * 7 * 5, 128), nn.ReLU(inplace=True),
            nn.Linear(128, len(patches.FACE_CLASSES)))

    def forward(self, x):
        return self.body(x)


class Index(nn.Module):
    """3 x 80 x 56 -> logits of rank and suit, side by side."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 12), conv(12, 24, 2), conv(24, 32), conv(32, 48, 2),
            conv(48, 48), conv(48, 64, 2), conv(64, 64, 2), nn.Flatten(),
            nn.Dropout(0.15), nn.Linear(64 * 5 * 4, 96), nn.ReLU(inplace=True),
            nn.Linear(96, len(patches.IDX_RANKS) + len(patches.IDX_SUITS)))

    def forward(self, x):
        return self.body(x)


class Replay:
    """Batches of patches, most of them shown before: drawing one costs more than
    learning from it, so each is kept for a while and comes again in another light."""

    def __init__(self, src, fresh=0.35, size=5000, faces=True):
        self.rng, self.it, self.fresh, self.size, self.faces, self.kept = src.rng, src.samples(), fresh, size, faces, []

    def batch(self, n):
        rng, rows = self.rng, []
        for _ in range(n):
            if len(self.kept) < 256 or rng.random() < self.fresh:
                r, f, crops = next(self.it)
                face = patches.face_input(r) if self.faces else np.zeros((1, 1, 3), np.uint8)
                row = face, f, [(np.ascontiguousarray(c), k, s) for c, k, s in crops]
                if len(self.kept) < self.size:
                    self.kept.append(row)
                else:
                    self.kept[rng.integers(self.size)] = row
            else:
                f, label, crops = self.kept[rng.integers(len(self.kept))]
                row = self._relit(f) if self.faces else f, label, [(self._relit(c), k, s) for c, k, s in crops]
            rows.append((*row[:2], [row[2][rng.integers(2)]]))  # one corner: the other comes another time
        return tensors(rows)

    def _relit(self, img):
        rng = self.rng
        img = cv2.convertScaleAbs(img, alpha=rng.uniform(0.8, 1.2), beta=rng.uniform(-8, 12))
        d = rng.uniform(-2, 2, 2)
        return cv2.warpAffine(img, np.float32([[1, 0, d[0]], [0, 1, d[1]]]), (img.shape[1], img.shape[0]), borderMode=cv2.BORDER_REPLICATE)


def tensors(rows):
    """(faces, face classes, corners, ranks, suits); one or two corners to a face."""
    t = lambda a: torch.from_numpy(np.stack(a)).permute(0, 3, 1, 2)
    crops = [c for r in rows for c in r[2]]
    return (t([r[0] for r in rows]), torch.tensor([r[1] for r in rows]), t([c[0] for c in crops]),
            torch.tensor([c[1] for c in crops]), torch.tensor([c[2] for c in crops]))


def losses(face, index, batch):
    """Those of both networks; face None: of the index network alone."""
    xf, f, xi, k, s = batch
    oi = index(xi.float() / 255)
    nr = len(patches.IDX_RANKS)
    li = F.cross_entropy(oi[:, :nr], k, ignore_index=-1) + F.cross_entropy(oi[:, nr:], s, ignore_index=-1)
    return li.new_zeros(()) if face is None else F.cross_entropy(face(xf.float() / 255), f, ignore_index=-1), li


@torch.no_grad()
def validate(face, index, batches):
    face.eval(), index.eval()
    nr = len(patches.IDX_RANKS)
    hit = np.zeros(2)
    seen = np.zeros(2)
    for xf, f, xi, k, s in batches:
        p = face(xf.float() / 255).argmax(1)
        seen[0] += (f >= 0).sum().item()
        hit[0] += (p == f).sum().item()
        o = index(xi.float() / 255)
        ok = (o[:, :nr].argmax(1) == k) & (o[:, nr:].argmax(1) == s)
        seen[1] += (k >= 0).sum().item()
        hit[1] += ok.sum().item()
    face.train(), index.train()
    return hit / np.maximum(seen, 1)


@torch.no_grad()
def calibrate(face, index, batches):
    """The factor of each network's logits that fits held-out decks best."""
    face.eval(), index.eval()
    nr = len(patches.IDX_RANKS)
    grid = np.arange(0.4, 1.61, 0.05)
    nll = np.zeros((2, len(grid)))
    for xf, f, xi, k, s in batches:
        of, oi = face(xf.float() / 255), index(xi.float() / 255)
        for i, g in enumerate(grid):
            nll[0, i] += F.cross_entropy(of * g, f, ignore_index=-1).item()
            nll[1, i] += F.cross_entropy(oi[:, :nr] * g, k, ignore_index=-1).item() + F.cross_entropy(oi[:, nr:] * g, s, ignore_index=-1).item()
    return grid[nll.argmin(1)]


class Mean:
    """The running mean of a network's weights: better than the last ones, at any moment."""

    def __init__(self, net, decay=0.99):
        self.net, self.decay = copy.deepcopy(net), decay

    @torch.no_grad()
    def follow(self, net):
        for mine, its in zip(self.net.state_dict().values(), net.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.lerp_(its, 1 - self.decay)
            else:
                mine.copy_(its)


def export(net, shape, path, output):
    net.eval()
    torch.onnx.export(net, torch.zeros(1, *shape), path, opset_version=11, input_names=["patch"],
                      output_names=[output], dynamic_axes={"patch": {0: "n"}, output: {0: "n"}})
    net.train()


def load_photos(folder):
    """Patches NAME_LABEL[_four][_part].png written by the harvester: (picture, label, four, part)."""
    out = []
    for p in sorted(glob.glob(os.path.join(folder, "*", "*.png"))) if folder else []:
        name = os.path.basename(p)[:-4].removesuffix("_part")
        part, four = "_part.png" in p, name.endswith("_four")
        out.append((cv2.imread(p), name.removesuffix("_four").split("_")[-1].replace("X", "?"), four, part))
    return out


@torch.no_grad()
def seen_corners(index, photos):
    """Per patch the corners in which index sees the index that the truth names: of
    a card under others nobody has told which lie free."""
    index.eval()
    out, nr = [], len(patches.IDX_RANKS)
    for img, label, _, _ in photos:
        rect = patches.cut(img, patches.inner(img))
        crops = np.stack([np.ascontiguousarray(patches.corner_crop(rect, k)).transpose(2, 0, 1) for k in range(4)])
        o = index(torch.from_numpy(crops).float() / 255)
        r = o[:, :nr].softmax(1)[:, patches.IDX_RANKS.index(label[0])]
        s = 1.0 if label.endswith("?") else o[:, nr:].softmax(1)[:, patches.IDX_SUITS.index(label[1])]
        out.append([k for k in range(4) if (r * s)[k] > 0.1])
    index.train()
    return out


class Both:
    """Samples of two sources in turn, the second with the given share."""

    def __init__(self, a, b, share):
        self.a, self.b, self.share, self.rng = a, b, share, a.rng

    def samples(self):
        a, b = self.a.samples(), self.b.samples()
        while True:
            yield next(b if self.rng.random() < self.share else a)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=os.path.join(HERE, ".."))
    ap.add_argument("--data", default=os.path.join(HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--photos", default="")
    ap.add_argument("--minutes", type=float, default=12)
    ap.add_argument("--start", default="", help="checkpoint to go on from")
    ap.add_argument("--warm", default="", help="folder of shipped networks to go on from, classes may have been added")
    ap.add_argument("--blend", type=float, default=1, help="share of the newly trained weights in what is exported, the rest those of --start: keeps what photographs taught before")
    ap.add_argument("--resume", action="store_true", help="go on from work/card.pt; with --minutes 0: export what it holds")
    ap.add_argument("--only-index", action="store_true", help="leave the face network as it is")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--scale", type=float, default=1.1, help="factor of the logits; 0: fitted on the held-out renders, which are worse than photographs and make for timid readings")
    ap.add_argument("--threads", type=int, default=1, help="1 on a busy machine: threads that wait for one another lose most")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    work = os.path.join(HERE, "work")
    os.makedirs(work, exist_ok=True)
    art = decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(work, "sheets"))
    train_art = {k: v for k, v in art.items() if k not in HELD_OUT}
    own = decks.load_own(os.path.join(work, "own"))
    photos = load_photos(a.photos)
    print(len(own), "own decks,", len(train_art), "artwork decks,", len(photos), "photographed patches", flush=True)
    face, index = (n.to(memory_format=torch.channels_last) for n in (Face(), Index()))  # a fifth faster on CPUs
    rooms = scenes.load_rooms(a.data)
    if a.warm:
        warm.adopt(face, index, a.warm)
    if a.start:
        ck = torch.load(a.start)
        if "means" in ck:
            ck = dict(zip(("face", "index"), ck["means"]))
        face.load_state_dict(ck["face"]), index.load_state_dict(ck["index"])
    before = [copy.deepcopy(net) for net in (face, index)]
    opt = torch.optim.AdamW(list(face.parameters()) + list(index.parameters()), lr=2e-3, weight_decay=1e-2)
    val_src = patches.Source(10_000, {k: v for k, v in art.items() if k in HELD_OUT}, pool=20)
    val = list(_batches(val_src, 12))
    under_src = scenes.Scenes(10_001, {k: v for k, v in art.items() if k in HELD_OUT}, pool=4)
    under_src.src.deck = val_src.deck
    under = list(_batches(cuts.Cuts(under_src), 12))
    parts = [p for p in photos if p[3]]
    parts = [(*p[:3], free) for p, free in zip(parts, seen_corners(index, parts)) if free] if a.warm or a.start else []
    photos = [p[:3] for p in photos if not p[3]]
    strewn = scenes.Scenes(a.seed * 100 + 50, train_art, own, photos, rooms)
    single = patches.Source(a.seed * 100, train_art, photos, own=own, rooms=rooms, parts=parts)
    src = (Replay(Both(single, cuts.Cuts(strewn, most=scenes.FAN), 0.7), fresh=0.4, size=40000, faces=False) if a.only_index
           else Replay(Both(single, cuts.Cuts(strewn), 0.5)))
    print(len(parts), "patches of cards under others", flush=True)
    keep, spent, n = os.path.join(work, "card.pt"), 0.0, 0
    if a.resume and os.path.exists(keep):
        ck = torch.load(keep)
        face.load_state_dict(ck["face"]), index.load_state_dict(ck["index"]), opt.load_state_dict(ck["opt"])
        spent, n = ck["spent"], ck["n"]
    means = [Mean(face), Mean(index)]
    if a.resume and os.path.exists(keep):
        for m, state in zip(means, ck["means"]):
            m.net.load_state_dict(state)
    save = lambda: torch.save({"face": face.state_dict(), "index": index.state_dict(), "opt": opt.state_dict(), "spent": time.time() - t0, "n": n,
                               "means": [m.net.state_dict() for m in means]}, keep)
    t0, last, sums, steps = time.time() - spent, time.time(), np.zeros(2), 0
    while (done := (time.time() - t0) / max(60 * a.minutes, 1e-9)) < 1:
        for g in opt.param_groups:
            g["lr"] = (1e-3 if a.start or a.warm else 2e-3) * (min(1, (n + 1) / 6400) * (0.5 * (1 + np.cos(np.pi * done))) + 0.002)
        lf, li = losses(None if a.only_index else face, index, src.batch(64))
        opt.zero_grad(set_to_none=True)
        (lf + li).backward()
        opt.step()
        for m, net in zip(means, (face, index)):
            m.follow(net)
        n, steps = n + 64, steps + 1
        sums += lf.item(), li.item()
        if steps % 60 == 0:
            save()
        if time.time() - last > 480:
            last, score, deep = time.time(), validate(means[0].net, means[1].net, val), validate(means[0].net, means[1].net, under)
            print(f"{time.time() - t0:.0f} s, {n} samples, losses {sums / steps}, held-out face {score[0]:.4f} index {score[1]:.4f}, under others {deep[0]:.4f} {deep[1]:.4f}", flush=True)
            sums[:], steps = 0, 0
            save()
    save()
    for old, m in zip(before, means):
        old = Mean(old, 1 - a.blend)
        old.follow(m.net)
        m.net = old.net
    face, index = (m.net for m in means)
    score, deep = validate(face, index, val), validate(face, index, under)
    export(face, (3, patches.FACE_H, patches.FACE_W), os.path.join(a.out, "face.onnx"), "face")
    export(index, (3, patches.IDX_H, patches.IDX_W), os.path.join(a.out, "index.onnx"), "index")
    metrics = {"held_out_renders": {"face": round(float(score[0]), 4), "index": round(float(score[1]), 4), "samples": 12 * 64},
               "under_others": {"face": round(float(deep[0]), 4), "index": round(float(deep[1]), 4)},
               "samples": n, "minutes": a.minutes, "photographs": len(photos)}
    data = ["renders of decks drawn by models/train/decks.py"]
    if own:
        data.append("renders of the simulator's decks " + ", ".join(sorted(own)))
    if train_art:
        data.append("renders of the vector decks " + ", ".join(sorted(train_art)) + " (GPL, not shipped)")
    if photos:
        data += ["photographs rf100 poker-cards (CC BY 4.0, Team Roboflow / Augmented Startups)",
                 "photographs of EdjeElectronics' pinochle cards (Apache-2.0)"]
    scales = (a.scale, a.scale) if a.scale else calibrate(face, index, val)
    manifest.update(a.out, "face", "face.onnx", (3, patches.FACE_H, patches.FACE_W),
                    [("card", patches.FACE_CLASSES)], data, {"held_out_decks_accuracy": round(float(score[0]), 4)}, scales[0])
    manifest.update(a.out, "index", "index.onnx", (3, patches.IDX_H, patches.IDX_W),
                    [("rank", patches.IDX_RANKS), ("suit", patches.IDX_SUITS)], data,
                    {"held_out_decks_accuracy": round(float(score[1]), 4)}, scales[1])
    print(json.dumps(metrics))


def _batches(src, count):
    it = src.samples()
    for _ in range(count):
        yield tensors([(patches.face_input(r), f, crops) for r, f, crops in itertools.islice(it, 64)])


if __name__ == "__main__":
    main()
