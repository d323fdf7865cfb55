"""Trains the networks of cards, all from one stock of drawn scenes, and exports them.

  /usr/bin/python3 models/train/joint.py --pack models/train/work/pack.zip --out models [--minutes 60] [--makers 8]

corners.onnx  3 x H x W -> at every eighth pixel 2 x 2 cells of heat and the corner's frame (corner.py)
fit.onnx      a supposed corner -> how far its frame is off (fit.py)
index.onnx    corner of the rectified card -> rank, suit (card.py)
face.onnx     the rectified card -> what it is (card.py)
paper.onnx    the rectified card with what is round it -> paper, print (paper.py)
covered.onnx  as index.onnx, heap.onnx as face.onnx: gone on with (--warm, --covered), they read what others cover better

Drawing is what limits: --makers processes draw (stock.py), and what they drew is cut, turned and relit on the
device that trains (table.py, cutting.py), a GPU where there is one. The rates fall with the clock (cosine); exported
are running means of the weights; --keep is written with them at the end, and once after half of the time. --from
exports what another machine kept.
"""
import argparse
import copy
import json
import os
import tempfile
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import card
import corner
import cutting
import fit
import learn
import manifest
import pack
import paper
import patches
import stock
import table
import warm

RATE, WARM = 2e-3, 7e-4  # of learning, from nothing and from shipped networks
DECAY = 0.998
TAKEN = 0.4          # seconds from one taking up of what was drawn to the next
HELD = 192           # scenes and patches of held-out decks to measure with
ENDS = 15            # seconds before the end that training stops, to measure and to write
SHARE = 0.62         # of the indices so many are cut out of scenes, the others are single cards
SCALE = {"face": 1.1, "index": 1.1}  # of the logits: drawn decks are worse to read than photographs and make for timid readings
RINGS = {"scenes": 60_000, "patches": 60_000, "paper": 40_000}
BATCHES = {"corners": 96, "index": 1024, "fit": 512, "face": 512, "paper": 256}
EVERY = {"corners": 1, "index": 1, "face": 1, "fit": 2, "paper": 3}  # rounds from one step to the next
NR = len(patches.IDX_RANKS)
CELLS = [f"{h}{c}" for h in ("index", "plain", "ax", "ay", "sx", "sy", "lx", "ly") for c in range(4)]
# of each network: what makes it, its input's shape, names of input and output, free dimensions, heads
NETS = {
    "corners": (corner.Corners, (3, 96, 160), "picture", "cells", {2: "h", 3: "w"}, [("cells", CELLS)]),
    "index": (card.Index, (3, patches.IDX_H, patches.IDX_W), "patch", "index", {0: "n"}, [("rank", patches.IDX_RANKS), ("suit", patches.IDX_SUITS)]),
    "fit": (fit.Fit, (3, fit.SIDE, fit.SIDE), "corner", "moves", {0: "n"}, [("moves", fit.SAID)]),
    "face": (card.Face, (3, patches.FACE_H, patches.FACE_W), "patch", "face", {0: "n"}, [("card", patches.FACE_CLASSES)]),
    "paper": (paper.Paper, (3, patches.FACE_H, patches.FACE_W), "patch", "paper", {0: "n"}, [("paper", paper.CLASSES)]),
}
COVERED = {"index": "covered", "face": "heap"}  # what index and face are called that went on with covered cards
# of each network: what of the score is its
MEASURED = {"corners": ("held_out", "apex_px", "sides_px"), "index": ("rank", "suit"), "fit": ("apex_before", "apex_after"), "face": ("face",), "paper": ("paper",)}
DRAWN = ["renders of decks drawn by models/train/decks.py and of the simulator's decks", "renders of the vector decks (GPL, not shipped)"]
PHOTOS = ["photographs rf100 poker-cards (CC BY 4.0, Team Roboflow / Augmented Startups), cards and rooms",
          "photographs of EdjeElectronics' pinochle cards (Apache-2.0)", "rooms of nell-byler-dice (BSD-3-Clause) and matteop65-dice (MIT)"]


class Mean:
    """The running mean of a network's weights: better than the last ones, at any moment."""

    def __init__(self, net):
        self.net = copy.deepcopy(net)

    @torch.no_grad()
    def follow(self, net, decay):
        for mine, its in zip(self.net.state_dict().values(), net.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.lerp_(its, 1 - decay)
            else:
                mine.copy_(its)


class Learner:
    """A network that learns, with the running mean of its weights."""

    def __init__(self, net, device, size, rate):
        self.rate = rate
        self.net, self.size, self.steps, self.samples, self.losses = net.to(device), size, 0, 0, []
        self.opt = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
        self.mean = Mean(net)

    def step(self, done, loss):
        """Learns from the loss of a batch; done: the share of the time that is over."""
        for g in self.opt.param_groups:
            g["lr"] = self.rate * min(1, (self.steps + 1) / 200) * (0.5 * (1 + np.cos(np.pi * done)) + 0.002)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5)
        self.opt.step()
        self.steps, self.samples = self.steps + 1, self.samples + self.size
        self.mean.follow(self.net, min(DECAY, self.steps / (self.steps + 9)))
        self.losses.append(loss.detach())


class Lessons:
    """What the networks learn from, batch by batch, and what they lose there."""

    def __init__(self, rings):
        self.table, self.single, self.papers = table.Table(rings["scenes"]), table.Patches(rings["patches"]), rings.get("paper")

    def corners(self, net, n):
        x, quad, told = self.table.scenes(n)
        focal, frame = corner.losses(net(cutting.relit(x)), *table.targets(quad, told))
        return focal + frame

    def index(self, net, n):
        many = int(SHARE * n)
        x, rank, suit = both(self.table.indices(many), self.single.indices(n - many))
        o = net(cutting.relit(x))
        return entropy(o[:, :NR], rank) + entropy(o[:, NR:], suit)

    def face(self, net, n):
        x, y = both(self.table.faced(n // 2), self.single.faced(n - n // 2))
        return entropy(net(cutting.relit(x)), y)

    def fit(self, net, n):
        x, y = self.table.fitted(n)
        return fit.loss(net(cutting.relit(x)), y)

    def paper(self, net, n):
        x, y = (r[:self.papers.count] for r in self.papers.rows)
        i = torch.randint(len(x), (n,), device=x.device)
        x = cutting.nudged(x[i].permute(0, 3, 1, 2).float() / 255)
        x = torch.where((torch.rand(n, device=x.device) < 0.5)[:, None, None, None], x.flip(2, 3), x)
        return entropy(net(cutting.relit(x, 0.2)), y[i].long())


def both(a, b):
    return [torch.cat(v) for v in zip(a, b)]


def entropy(o, y):
    """The mean cross entropy of the classes that are known."""
    return F.cross_entropy(o, y, ignore_index=-1, reduction="sum") / (y >= 0).sum().clamp(min=1)


@torch.no_grad()
def score(nets, held):
    """Of held-out decks, drawn as those learned from: shares that are right, how far frames are off."""
    t, out = held.table, {}
    torch.manual_seed(7)
    net = {k: v.mean.net.eval() for k, v in nets.items()}
    if "index" in net:
        for name, places in (("whole", t.whole), ("part", t.part), ("plain", t.plain)):
            i, j, k = t.some(places, 1024)
            o, told = net["index"](cutting.indices(t.pics, i, cutting.supposed(t.quad[i, j], k), k)), t.corner[i, j, k]
            for c, (p, y, share) in enumerate(((o[:, :NR], told[:, 2], told[:, 4]), (o[:, NR:], told[:, 3], told[:, 5]))):
                out[("rank_", "suit_")[c] + name] = (p.argmax(1) == y)[(y >= 0) & (share >= stock.SHOWN)].float().mean()
    if "face" in net:
        for name, (x, y) in (("patches", held.single.faced(1024)), ("scenes", t.faced(1024))):
            out["face_" + name] = (net["face"](x).argmax(1) == y)[y >= 0].float().mean()
    if "fit" in net:
        x, y = t.fitted(1024)
        for when, e in (("before", y), ("after", y - net["fit"](x))):
            off = e[:, :2].norm(dim=1) / fit.GAIN
            out |= {f"apex_{when}_p{p}": off.quantile(p / 100) for p in (50, 90)}
    if "corners" in net:
        out |= corner.score(net["corners"], [(t.pics[i].permute(0, 3, 1, 2).float() / 255, *table.targets(t.quad[i], t.corner[i]))
                                             for i in torch.arange(len(t.pics), device=t.pics.device).split(16)])
    if "paper" in net:
        x, y = held.papers.rows
        out |= {"paper_" + k: v for k, v in paper.score(net["paper"], [(x.permute(0, 3, 1, 2).float() / 255, y.long())]).items()}
    torch.seed()
    return {k: round(float(v), 4) for k, v in out.items()}


def train(a, rings, take_up, device, log):
    """Learns until the minutes are spent; the samples of each network and the scores."""
    lessons, held = Lessons(rings), Lessons({k.removesuffix("-held"): r for k, r in rings.items() if k.endswith("-held")})
    lessons.table.look(), held.table.look()
    nets = {k: Learner(begin(k, lessons, a.warm), device, max(4, int(BATCHES[k] * a.size)), WARM if a.warm else RATE) for k in a.nets}
    log("begin with", score(nets, held))
    begun = told = taken = time.time()
    rounds = 0
    end, halfway = a.begun + 60 * a.minutes - min(ENDS, 20 * a.minutes), False
    said = lambda: {"seed": a.seed, "photographs": a.photos, "minutes": round((time.time() - a.begun) / 60, 1), "samples": {k: l.samples for k, l in nets.items()},
                    "drawn": {k: r.drawn for k, r in rings.items() if not k.endswith("-held")}}
    while (now := time.time()) < end:
        done = (now - begun) / (end - begun)
        if now - taken > TAKEN:
            taken = now
            if take_up():
                lessons.table.look()
        for name, l in nets.items():
            if rounds % EVERY[name] == 0:
                l.step(done, getattr(lessons, name)(l.net, l.size))
        rounds += 1
        if now - told > a.tell:
            told = now
            log(said(), "losses", {k: round(torch.stack(l.losses).mean().item(), 4) for k, l in nets.items() if l.losses}, score(nets, held))
            for l in nets.values():
                l.losses.clear()
        if done > 0.5 and not halfway:
            halfway = True
            write(nets, a.keep, said() | {"score": score(nets, held)})
    write(nets, a.keep, said() | {"score": score(nets, held)})
    log(json.dumps(said()))


def begin(name, lessons, folder):
    """A network as it begins: from nothing, or from the shipped one of a folder."""
    net = NETS[name][0]()
    if folder:
        draw = {"corners": lambda: lessons.table.scenes(48)[0], "index": lambda: lessons.single.indices(384)[0], "fit": lambda: lessons.table.fitted(384)[0],
                "face": lambda: lessons.single.faced(384)[0], "paper": lambda: lessons.papers.rows[0][:256].permute(0, 3, 1, 2).float() / 255}[name]
        with torch.no_grad():
            warm.take_up(net, os.path.join(folder, name + ".onnx"), draw().cpu())
    return net


def write(nets, path, said):
    """Keeps the weights and what is said of them."""
    torch.save({k: {n: v.cpu() for n, v in l.mean.net.state_dict().items()} for k, l in nets.items()} | {"said": said}, path)


def export(path, out, names):
    """Writes kept networks as ONNX and registers them; names: of those called otherwise."""
    kept = torch.load(path, map_location="cpu")
    said = kept.pop("said")
    for name, state in kept.items():
        make, shape, given, gives, axes, heads = NETS[name]
        net = make()
        net.load_state_dict(state)
        file = names.get(name, name)
        learn.export(net, os.path.join(out, file + ".onnx"), shape, given, gives, axes)
        measured = {k: v for k, v in said["score"].items() if k.startswith(MEASURED[name]) and np.isfinite(v)}
        manifest.update(out, file, file + ".onnx", shape, heads, [*DRAWN, *(PHOTOS if said["photographs"] else [])],
                        {**measured, "samples": said["samples"][name], "minutes": said["minutes"]}, SCALE.get(name, 1.0))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pack", help="what pack.py packed")
    ap.add_argument("--out", default=os.path.join(card.HERE, ".."))
    ap.add_argument("--keep", default=os.path.join(card.HERE, "work", "joint.pt"))
    ap.add_argument("--from", dest="kept", help="networks kept by another machine: they are exported, nothing is trained")
    ap.add_argument("--nets", default=list(NETS), type=lambda v: v.split(","), help="those that learn")
    ap.add_argument("--warm", default="", help="folder of shipped networks to go on from")
    ap.add_argument("--covered", action="store_true", help="index and face are exported as covered and heap, for cards that others cover")
    ap.add_argument("--minutes", type=float, default=60)
    ap.add_argument("--makers", type=int, default=2)
    ap.add_argument("--threads", type=int, default=4 if torch.cuda.is_available() else 1, help="more wait for one another on a busy machine")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--size", type=float, default=1 if torch.cuda.is_available() else 0.05, help="of batches and rings")
    ap.add_argument("--tell", type=float, default=60, help="seconds from one line of the log to the next")
    ap.add_argument("--index", default=os.path.join(card.HERE, "..", "index.onnx"), help="network that says which corners of photographed cards lie free")
    a = ap.parse_args()
    a.begun = time.time()
    if not a.kept:
        learn_all(a)
    export(a.kept or a.keep, a.out, COVERED if a.covered else {})


def learn_all(a):
    """Trains, from a pack."""
    os.makedirs(os.path.dirname(os.path.abspath(a.keep)), exist_ok=True)
    cv2.setNumThreads(1)  # before the makers are forked
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.manual_seed(a.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(a.threads)
    log = lambda *s: print(f"{time.time() - a.begun:6.1f} s", *s, flush=True)
    packed = pack.Pack(a.pack)
    parts = [p[:3] for p in packed.photos if p[3]]
    free = [(*p, c) for p, c in zip(parts, free_corners(a.index, parts)) if c]
    log(device, len(packed.photos), "patches,", len(free), "of cards under others,", a.makers, "makers")
    held = max(16, int(HELD * min(1, 2 * a.size)))
    rings = {k: n for k, n in RINGS.items() if k != "paper" or "paper" in a.nets}
    sizes = {k: max(stock.CHUNK, int(n * a.size)) for k, n in rings.items()} | {k + "-held": held for k in rings}
    with tempfile.TemporaryDirectory() as folder:
        s = stock.Stock(folder, stock.shared(a.makers, list(rings), held), packed, free, sizes, device, a.seed)
        try:
            while any(r.count == 0 for r in s.rings.values()):
                time.sleep(0.05)
                s.take_up()
            log("drawn", {k: r.drawn for k, r in s.rings.items()})
            a.photos = len(packed.photos)
            train(a, s.rings, s.take_up, device, log)
        finally:
            s.stop()


def free_corners(path, parts):
    """Of each photographed card under others the corners in which the index network sees the index that is told."""
    net, out = cv2.dnn.readNetFromONNX(path), []
    soft = lambda v: np.exp(v - v.max()) / np.exp(v - v.max()).sum()
    for img, label, _ in parts:
        rect = patches.cut(img, patches.inner(img))
        net.setInput(np.stack([np.ascontiguousarray(patches.corner_crop(rect, k)).transpose(2, 0, 1) for k in range(4)]).astype(np.float32) / 255)
        said = net.forward()
        out.append([k for k, o in enumerate(said) if soft(o[:NR])[patches.IDX_RANKS.index(label[0])]
                    * (1 if label.endswith("?") else soft(o[NR:])[patches.IDX_SUITS.index(label[1])]) > 0.1])
    return out


if __name__ == "__main__":
    main()
