"""Trains the network that names one face of a die and exports it as ONNX.

  bin/vision detect --kind dice PICTURES > proposals.jsonl
  /usr/bin/python3 models/train/pips.py --out models [--data ../shared/data] [--traced SCENES] [--proposals proposals.jsonl] [--warm models] [--minutes 40]
  /usr/bin/python3 models/train/pips.py --pictures 1 [--data ../shared/data] [--traced SCENES]   prints the pictures to propose in, every nth

pips.onnx: 3 x 48 x 48, WIDE edges of a face about its middle -> 7 logits: no upper
face, or its value 1 to 6. Where dice.onnx finds one, its eight maps have no room
left for how spots of every look stand: this network sees one face and nothing else.
It learns on drawn dice, on those labelled in photographs, and on what dice.onnx
proposes there and in photographs without dice (the lines of vision detect).
"""
import os

import cv2
import numpy as np
import torch.nn as nn
import torch.nn.functional as F
import torch

import dice_scenes as scenes
import learn
import manifest
from learn import Residual, conv

SIDE = 48
WIDE = 1.9  # edges that are SIDE pixels
KEPT = 96  # pixels of a face as it is kept, to be turned and shifted
KEPT_EDGE = 30.0
VALUES = ["none", "1", "2", "3", "4", "5", "6"]


class Pips(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24), conv(24, 32, 2), conv(32, 48), conv(48, 64, 2), conv(64, 64), Residual(64), Residual(64),
            conv(64, 96, 2), Residual(96), Residual(96), conv(96, 64))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 36, 7))

    def forward(self, x):
        return self.head(self.body(x - 0.5))


def cut(img, x, y, edge):
    """A face with much about it, KEPT pixels wide, its edge KEPT_EDGE."""
    s = KEPT_EDGE / edge
    if s < 0.6:
        k = 1 / max(1, int(1 / s))
        half = 0.5 * KEPT / s + 8
        x0, y0 = max(0, int(x - half)), max(0, int(y - half))
        img = img[y0:int(y + half), x0:int(x + half)]
        x, y = (x - x0 + 0.5) * k - 0.5, (y - y0 + 0.5) * k - 0.5
        img, s = cv2.resize(img, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), s / k
    m = np.float32([[s, 0, KEPT / 2 - 0.5 - s * x], [0, s, KEPT / 2 - 0.5 - s * y]])
    return cv2.warpAffine(img, m, (KEPT, KEPT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def off(rng, dice, x, y, edge):
    """A place beside a face, on its side or next to it, that is no other's middle; None where there is none."""
    for _ in range(4):
        w, d = rng.uniform(0, 2 * np.pi), edge * rng.uniform(0.5, 1.2)
        u, v = x + d * np.cos(w), y + d * np.sin(w)
        if all(np.hypot(u - o[0], v - o[1]) > 0.5 * o[2] for o in dice):
            return u, v
    return None


def boxes(path):
    """Middle and edge of what was proposed, by the picture's set and name."""
    out = {}
    for l in scenes.lines(path) if path else []:
        x, y, w, h = l["box"]
        out.setdefault(tuple(l["image"].split("/")[-3:]), []).append((x + w / 2, y + h / 2, (w * h) ** 0.5))
    return out


def empty(data):
    """Photographs without dice that may train: cards, chips, dice faces printed on chips."""
    sets = "martinabeleda-felt", "rf100-poker-cards", "edje-pinochle", "pokersensei-stacks"
    return [f"{data}/{s}/{l['image']}" for s in sets for l in scenes.lines(f"{data}/{s}/truth.jsonl") if "web" not in l.get("tags", [])]


def pictures(data, traced):
    """All photographs in which proposals are of use."""
    return [p.path for held in (False, True) for v in scenes.photographs(data, held, traced).values() for p in v] + empty(data)


class Faces:
    """Faces of photographs, by kind of picture and value; 0 is none."""

    def __init__(self, data, held, proposed, rng, traced=None):
        self.rows = {}
        photos = scenes.photographs(data, held, traced)
        known = {tuple(p.path.split("/")[-3:]) for v in photos.values() for p in v}
        for kind, list_ in photos.items():
            for p in list_:
                self.photo(kind, p, proposed.get(tuple(p.path.split("/")[-3:]), []), rng)
                p.img = None
        free = {tuple(p.split("/")[-3:]) for p in empty(data)}
        for name, list_ in proposed.items():
            if name in known or name not in free or scenes.held_out("/".join(name[1:])) != held:
                continue
            img = cv2.imread(os.path.join(data, *name))
            for x, y, e in list_:
                self.add("free", 0, cut(img, x, y, e), True)

    def add(self, kind, value, face, oblique):
        self.rows.setdefault((kind, value), []).append((face, oblique))

    def photo(self, kind, p, proposed, rng):
        img = p.pixels()
        for x, y, e, v, _ in p.dice:
            if not v:  # cut by the picture's edge
                continue
            near = [t for t in proposed if np.hypot(t[0] - x, t[1] - y) < 0.35 * e and 0.6 < t[2] / e < 1.6]
            self.add(kind, v, cut(img, x, y, e), p.oblique)
            for t in near:  # as it is found
                self.add(kind, v, cut(img, *t), p.oblique)
            if u := off(rng, p.dice, x, y, e):
                self.add(kind, 0, cut(img, *u, e), p.oblique)
        for x, y, e in proposed:
            if all(np.hypot(x - d[0], y - d[1]) > 0.6 * d[2] for d in p.dice):
                for _ in range(2):
                    self.add(kind, 0, cut(img, x, y, e), p.oblique)


class Source:
    """Draws samples: a picture of SIDE pixels and its value."""

    DRAWN = 4000  # faces of drawn dice that are kept and renewed

    def __init__(self, data, held, proposed, seed, traced=None):
        self.rng = np.random.default_rng(seed)
        self.faces = Faces(data, held, proposed, self.rng, traced)
        self.scenes = scenes.Source(seed, {}, [] if held else scenes.backgrounds(data))
        self.drawn, self.next = {}, 0
        self.kinds = sorted({k for k, _ in self.faces.rows if k != "free"})
        self.kinds += 2 * ["traced"] * bool(traced)

    def draw(self):
        """Faces of one drawn scene."""
        r = self.rng
        img, dice = self.scenes.sample("drawn")
        for x, y, e, v, _ in dice:
            if not (0.1 * scenes.SIDE < x < 0.9 * scenes.SIDE and 0.1 * scenes.SIDE < y < 0.9 * scenes.SIDE):
                continue
            self.keep(v, cut(img, x, y, e))
            if r.random() < 0.35 and (u := off(r, dice, x, y, e)):
                self.keep(0, cut(img, *u, e))

    def keep(self, value, face):
        rows = self.drawn.setdefault(value, [])
        if len(rows) < self.DRAWN // 7:
            rows.append((face, True))
        else:
            rows[self.rng.integers(len(rows))] = (face, True)

    def sample(self):
        r = self.rng
        value = int(r.integers(1, 7)) if r.random() < 0.65 else 0
        if value == 0 and ("free", 0) in self.faces.rows and r.random() < 0.5:
            rows = self.faces.rows["free", 0]
        elif not self.kinds or r.random() < 0.2:
            rows = self.drawn[value]
        else:
            rows = self.faces.rows.get((self.kinds[r.integers(len(self.kinds))], value)) or self.drawn[value]
        face, oblique = rows[r.integers(len(rows))]
        return self.shown(face, oblique), value

    def shown(self, face, oblique):
        """A face shifted, turned and stretched, in another light."""
        r = self.rng
        if r.random() < 0.4:  # smaller, or farther away
            k = r.uniform(0.35, 0.9)
            face = cv2.resize(cv2.resize(face, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (KEPT, KEPT), interpolation=cv2.INTER_LINEAR)
        s = SIDE / WIDE / KEPT_EDGE * np.exp(np.clip(r.normal(0, 0.13), -0.3, 0.3))
        turn = np.deg2rad(r.uniform(-15, 15) if oblique and r.random() < 0.6 else r.uniform(-180, 180))
        sx, sy = s * np.exp(r.uniform(-0.14, 0.14, 2))
        sx = -sx if r.random() < 0.5 else sx
        c, n = np.cos(turn), np.sin(turn)
        a = np.array([[c * sx, -n * sy], [n * sx, c * sy]]) @ np.array([[1, r.uniform(-0.12, 0.12)], [0, 1]])
        t = SIDE / 2 - 0.5 - a @ np.full(2, KEPT / 2 - 0.5) + SIDE / WIDE * r.normal(0, 0.06, 2)
        f = cv2.warpAffine(face, np.hstack([a, t[:, None]]), (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if r.random() < 0.25:  # a lamp mirrored in it
            f = np.clip(f + scenes.mirrored(r, (SIDE, SIDE), (SIDE / 2, SIDE / 2), SIDE / WIDE)[..., None], 0, 255)
        if r.random() < 0.25:  # marble
            low = cv2.resize(r.normal(0, 1, (6, 6, 1)).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)[..., None]
            f = np.clip(f + low * r.uniform(-35, 35, 3), 0, 255)
        return self.scenes.weathered(np.asarray(f, np.uint8))

    def batch(self, count, fresh=2):
        for _ in range(fresh if len(self.drawn) == 7 and min(map(len, self.drawn.values())) > 200 else 700):
            self.draw()
        xs, vs = zip(*(self.sample() for _ in range(count)))
        x = torch.from_numpy(np.stack(xs).transpose(0, 3, 1, 2).astype(np.float32) / 255)
        return [x, torch.tensor(vs)]


def held(faces):
    """What was kept out, as it is shown to the network at work."""
    half = int(round(KEPT_EDGE * WIDE / 2))
    out = {}
    for kind in sorted({k for k, _ in faces.rows}):
        rows = [(f, v) for (k, v), list_ in faces.rows.items() if k == kind for f, _ in list_]
        x = np.stack([cv2.resize(f[KEPT // 2 - half:KEPT // 2 + half, KEPT // 2 - half:KEPT // 2 + half], (SIDE, SIDE), interpolation=cv2.INTER_AREA) for f, _ in rows])
        out[kind] = torch.from_numpy(x.transpose(0, 3, 1, 2).astype(np.float32) / 255), torch.tensor([v for _, v in rows])
    return out


@torch.no_grad()
def validate(net, sets):
    """Shares of faces whose value is the likeliest of the six, and of what is none."""
    net.eval()
    out = {}
    for kind, (x, v) in sets.items():
        o = torch.cat([net(p) for p in x.split(128)])
        die = v > 0
        if die.any():
            out[kind] = round(float((o[die, 1:].argmax(1) + 1 == v[die]).float().mean()), 4)
        if not die.all():
            out[kind + "_none"] = round(float((o[~die].argmax(1) == 0).float().mean()), 4)
    return out


def main():
    ap = learn.options(minutes=40, rate=2e-3)
    ap.add_argument("--proposals", help="lines of vision detect --kind dice on the sets")
    ap.add_argument("--pictures", type=int, metavar="N", help="only print every Nth picture in which proposals are of use")
    ap.add_argument("--traced", help="folder of what tables/throws.py made")
    ap.add_argument("--export", action="store_true", help="only export the checkpoint")
    a = ap.parse_args()
    if a.pictures:
        print("\n".join(pictures(a.data, a.traced)[::a.pictures]))
        return
    learn.start(a)
    t = learn.Training("pips", Pips(), a, keep=0.998)
    proposed = boxes(a.proposals)
    if a.warm and not t.resumed:
        src = Source(a.data, False, proposed, a.seed, a.traced)
        t.take_up("pips", torch.cat([src.batch(48)[0] for _ in range(8)]))
    if not a.export:
        val = held(Faces(a.data, True, proposed, np.random.default_rng(7), a.traced))
        src = Source(a.data, False, proposed, a.seed * 1000 + t.samples, a.traced)
        t.run(lambda: src.batch(48), lambda out, v: [F.cross_entropy(out, v, label_smoothing=0.02)], (1,),
              lambda net: validate(net, val), every=300, rise=200)
    export(t)


def export(t):
    learn.export(t.mean, os.path.join(t.a.out, "pips.onnx"), (3, SIDE, SIDE), "face", "value", {0: "n"})
    data = ["rendered dice of models/train/dice_scenes.py"]
    if t.a.traced:
        data.append("path-traced dice of models/train/tables/throws.py, on felts with cards of vector decks (GPL, not shipped)")
    if os.path.isdir(os.path.join(t.a.data, "nell-byler-dice")):
        data += ["photographs of nell-byler/dice_detection (BSD-3-Clause)", "photographs of matteop65/Dice_Detection_Recognition (MIT)",
                 "photographs of Epanemu/GameDiceRecognition, Roboflow Dice-3, without stock pictures (CC BY 4.0)",
                 "without dice: martinabeleda/Blackjack-Tracker (MIT), rf100 poker-cards (CC BY 4.0), EdjeElectronics' pinochle cards (Apache-2.0),"
                 " ScottJJosh/PokerSensei, Roboflow pocketsight/degen101, without web pictures (CC BY 4.0)"]
    manifest.update(t.a.out, "pips", "pips.onnx", (3, SIDE, SIDE), [("value", VALUES)], data,
                    {**{"held_out_" + k: v for k, v in t.score.items()}, "samples": t.samples})


if __name__ == "__main__":
    main()
