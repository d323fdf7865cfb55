"""The network that reads the unrolled side of a stack: how many chips of which kinds, where the face really is, whether there is one.

  /usr/bin/python3 models/train/sides.py --sides FOLDER --minutes 60 [--threads 2] [--out models] [--work FOLDER]

learns from the shards of models/train/stacks, taking new ones in as they come, and writes sides.onnx. It goes on from the
checkpoint in --work where there is one, else from start/sides.pt; every tenth shard is held back. What to start from the
next time it leaves in --work as sides-start.pt.
"""
import argparse
import glob
import itertools
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import colours
import manifest

STEP, ABOVE, MOST, BELOW, COLS = 8, 3, 24, 2, 32  # as recognize/stack/grid.go
HIGH = STEP * (ABOVE + MOST + BELOW)
CUTS = (6, 12, MOST)  # chips of which a side is shown; of a stack that has more it says that
NONE = 8  # the kind of chips that are of none of a palette's, which has as many in the shards
DATA = ["traced by models/train/stacks", "drawn by internal/lab/sim", "what is no face in photographs: ScottJJosh/PokerSensei, without web pictures (CC BY 4.0), rf100 poker-cards (CC BY 4.0), "
        "nell-byler/dice_detection (BSD-3-Clause), matteop65/Dice_Detection_Recognition (MIT), EdjeElectronics' pinochle cards (Apache-2.0), epanemu dice without web pictures (CC BY 4.0)"]
REACH, SLACK = 5, 24  # rows by which a chip shows more or less than STEP; by which its place is off in all
BAND = 2 * SLACK + 1
STARTS_AFTER = BAND // 2 - 4 * (ABOVE + BELOW)  # places beyond the last row in which a chip may begin
HEADS = [("seams", ["rim", "seam", "foot"]), ("steps", [str(STEP + i) for i in range(-5, 6)]), ("face", ["real", "right", "near", "right ln sd", "near ln sd"]), ("kinds", ["of a chip from each second row on, none at last"]), ("upper", ["kinds of the uppermost chip"]), ("heat", ["of the number"])]


class Block(nn.Module):
    """A dilated convolution along the rows, added to what came."""

    def __init__(self, wide, hole):
        super().__init__()
        self.a, self.b = nn.Conv1d(wide, wide, 3, 1, hole, hole, bias=False), nn.Conv1d(wide, wide, 1, bias=False)
        self.na, self.nb = nn.BatchNorm1d(wide), nn.BatchNorm1d(wide)

    def forward(self, x):
        return x + self.nb(self.b(F.relu(self.na(self.a(x)))))


class Sides(nn.Module):
    """Sides (n x 4 x rows x COLS bytes, the rows of one of CUTS), views (n x 2) and palettes (n x k x 6, 0 to 255) to

    - seams: n x 3 x rows, how much speaks for a rim, a seam between two chips and a foot at the upper edge of each row;
    - steps: n x 2 REACH + 1, log weights of a chip that shows STEP - REACH to STEP + REACH rows;
    - face: n x 5;
    - kinds: n x starts x k + 1, of a chip that begins at each second row, the last that it is of none of the kinds;
    - upper: n x k + 1, of the uppermost chip, by its face;
    - rows: n x 3 x rows, what each row shows (row_labels)."""

    def __init__(self, wide=64, holes=(1, 2, 4, 8, 2, 1)):
        super().__init__()
        c = lambda i, o, k, s, p: nn.Sequential(nn.Conv2d(i, o, k, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU())
        self.enter = nn.Sequential(c(8, 20, (4, 4), (2, 4), (1, 0)), c(20, 32, 3, (1, 2), 1), c(32, 40, 3, (1, 2), 1))
        self.pool, self.norm = nn.Conv2d(40, wide, (3, 2), 1, (1, 0), bias=False), nn.BatchNorm1d(wide)
        self.seen = nn.Linear(4, wide)
        self.body = nn.Sequential(*(Block(wide, h) for h in holes))
        self.row, self.what = nn.Conv1d(wide, 6, 3, 1, 1), nn.Conv1d(wide, 6, 1)
        self.step = nn.Linear(4, 2 * REACH + 1)
        with torch.no_grad():
            self.step.weight.zero_()
            self.step.bias.copy_(-(torch.arange(-REACH, REACH + 1.0) ** 2) / 3)
        self.near, self.face = nn.Conv1d(wide, 24, 1), nn.Sequential(nn.Linear(24 * 36 + 72, 48), nn.ReLU(), nn.Linear(48, 5))
        self.named = colours.Kinds(wide, STEP * ABOVE, STEP)

    def forward(self, side, seen, palette, known=None):
        side, palette, high = side.float() / 255, palette / 255, side.shape[2]
        hidden = side[:, 3:4]
        rgb = side[:, :3] * (1 - hidden)
        slope = F.pad(rgb[:, :, 1:] - rgb[:, :, :-1], (0, 0, 0, 1)) * 2
        size = ((seen[:, :1] - 1) / 2)[:, :, None, None].expand(-1, 1, high, COLS)
        h = self.norm(self.pool(self.enter(torch.cat([rgb - 0.4, hidden, slope, size], 1)))[..., 0])
        px, tilt = seen[:, :1], seen[:, 1:]
        view = torch.cat([px - 1, tilt - 0.7, tilt.cos(), tilt.sin()], 1)
        h = F.relu(self.body(h + self.seen(view)[:, :, None]))
        twice = lambda x: x.reshape(-1, 3, 2, high // 2).transpose(2, 3).reshape(-1, 3, high)
        rows = twice(self.what(h))
        steps = F.log_softmax(self.step(view), 1)
        near = F.relu(self.near(h))
        face = self.face(torch.cat([near[:, :, :36].flatten(1), near.mean(2), near.amax(2), near[:, :, 8:16].mean(2)], 1))
        face = torch.cat([face[:, :3], face[:, 3:].clamp(-4, 2)], 1)
        on = rows[:, 1].detach().reshape(-1, 1, high // 2, 2).mean(3).sigmoid()
        named, upper = self.named(side, h, on, palette, known)
        return twice(self.row(h)), steps, face, named, upper, rows


def bands(seams):
    """Rims (n x BAND), and seams and feet (n x chips x BAND) where the foot of each chip may lie: row STEP (ABOVE + k) - SLACK + j of the k-th."""
    most = seams.shape[2] // STEP - ABOVE - BELOW
    cut = F.pad(seams, (0, SLACK + 1))[:, :, STEP * ABOVE - SLACK:].unfold(2, BAND, STEP)
    return cut[:, 0, 0], cut[:, 1, 1:most + 1], cut[:, 2, 1:most + 1]


def counted(rim, seam, foot, steps):
    """Log weights of each number of chips, and of more (n x chips + 1): the sum over all ways to lay that many from a rim to a foot, each chip as high as
    steps lets it be (semi-Markov model, Sarawagi and Cohen 2004)."""
    now, out = rim, []
    for k in range(seam.shape[1]):
        before = F.pad(now, (REACH, REACH), value=-1e4).unfold(1, BAND, 1).flip(1)  # n x steps x BAND
        now = torch.logsumexp(before + steps[:, :, None], 1)
        out.append(torch.logsumexp(now + foot[:, k], 1))
        now = now + seam[:, k]
    return torch.stack(out + [torch.logsumexp(now, 1)], 1)


def numbered(count, most):
    """The class of each number of chips of which most are shown."""
    return count.long().clamp(1, most + 1) - 1


def placed(rim, seam, foot, steps, count):
    """Where the chips of stacks of known count begin (n x chips x BAND): the posterior of the model."""
    with torch.enable_grad():
        rim, seam, foot = rim.detach().requires_grad_(), seam.detach().requires_grad_(), foot.detach().requires_grad_()
        total = counted(rim, seam, foot, steps.detach()).gather(1, numbered(count, seam.shape[1])[:, None]).sum()
        a, b, c = torch.autograd.grad(total, (rim, seam, foot))
    ends = torch.cat([a[:, None], b + c], 1)
    return (ends[:, 1:] + ends[:, :-1]) / 2


def named(kinds, upper, place):
    """The kinds of each chip (n x chips x k) that lies as placed says."""
    cut = F.pad(kinds, (0, 0, 0, STARTS_AFTER)).unfold(1, BAND // 2 + 1, 4)  # n x chips x k x places
    each = (cut * F.avg_pool1d(F.pad(place, (0, 1)), 2).mul(2)[:, :, None]).sum(-1)
    return torch.cat([each[:, :1] + upper[:, None], each[:, 1:]], 1)


class Shards:
    """What the files of a folder hold, as arrays: those for training by their seeds; every tenth is held back, faces are those of photographs."""

    def __init__(self, folder):
        self.folder, self.known, self.train, self.held, self.faces = folder, set(), {}, [], []
        self.more()

    def more(self, most=10 ** 6):
        """Takes in the files that have come since, up to most of them."""
        for path in sorted(set(glob.glob(os.path.join(self.folder, "*.npz"))) - self.known)[:most]:
            self.known.add(path)
            with np.load(path) as z:
                one = {k: torch.from_numpy(z[k]) for k in z}
            stacked = torch.arange(MOST)[None] < one["count"][:, None]
            one["kinds"] = torch.where(stacked & (one["kinds"] < 0), torch.full_like(one["kinds"], NONE), one["kinds"])
            seed, number = os.path.basename(path)[:-4].rsplit("-", 1)
            if int(number) % 10 != 9: self.train.setdefault(seed, []).append(one)
            else: (self.faces if "proposed" in one else self.held).append(one)
        if not self.held and self.train: self.held.append(max(self.train.values(), key=len).pop())

    def draw(self, rng):
        """One for training, of each seed as often."""
        of = list(self.train.values())[int(rng.integers(len(self.train)))]
        return of[int(rng.integers(len(of)))]


def spliced(b, rng):
    """The same stacks with chips left out or shown twice."""
    for i in np.nonzero(rng.random(len(b["side"])) < 0.35)[0]:
        k = int(b["count"][i])
        if k < 2: continue
        c, m = int(rng.integers(1, k)), int(rng.integers(1, 4))
        a = STEP * (ABOVE + c)
        if rng.random() < 0.45:
            m = min(m, k - c)
            n, end, chip = k - m, a + STEP * m, c + m
        else:
            m = min(m, c, MOST - k)
            if m < 1: continue
            n, end, chip = k + m, a - STEP * m, c - m
        x = torch.cat([b["side"][i, :, :a], b["side"][i, :, end:]], 1)[:, :HIGH]
        b["side"][i] = torch.cat([x, x[:, -1:].expand(-1, HIGH - x.shape[1], -1)], 1)
        kinds = torch.cat([b["kinds"][i, :c], b["kinds"][i, chip:]])[:MOST]
        b["kinds"][i] = torch.cat([kinds, kinds.new_full((MOST - len(kinds),), -1)])
        b["count"][i] = n
    return b


def lacking(b, rng):
    """The same stacks with a palette that lacks one of their kinds now and then: chips of it are of none."""
    for i in np.nonzero(rng.random(len(b["side"])) < 0.25)[0]:
        kinds, n = b["kinds"][i], int(b["known"][i])
        own = kinds[kinds >= 0]
        if n < 2 or not len(own): continue
        gone = int(own[int(rng.integers(len(own)))])
        if gone >= n: continue
        b["palette"][i, gone] = b["palette"][i, n - 1]
        b["known"][i] = n - 1
        b["kinds"][i] = torch.where(kinds == gone, torch.full_like(kinds, NONE), torch.where(kinds == n - 1, torch.full_like(kinds, gone), kinds))
    return b


def fewer(b, rng, most=5):
    """The same stacks with palettes of few kinds, their own among them: so it learns faster."""
    b["palette"], b["known"] = b["palette"].clone(), b["known"].clone()
    for i in np.nonzero(b["known"].numpy() > most)[0]:
        kinds, n = b["kinds"][i], int(b["known"][i])
        own = set(kinds[(kinds >= 0) & (kinds < n)].tolist())
        kept = (sorted(own) + [int(k) for k in rng.permutation(n) if k not in own])[:max(most, len(own))]
        to = torch.arange(NONE + 1)
        to[torch.tensor(kept)] = torch.arange(len(kept))
        b["palette"][i, :len(kept)] = b["palette"][i, kept]
        b["kinds"][i] = torch.where(kinds >= 0, to[kinds.clamp(min=0).long()].to(kinds.dtype), kinds)
        b["known"][i] = len(kept)
    b["palette"] = b["palette"][:, :int(b["known"].max())]
    b["kinds"] = torch.where(b["kinds"] == NONE, torch.full_like(b["kinds"], b["palette"].shape[1]), b["kinds"])
    return b


def recoloured(b, rng):
    """Other colours and light, of sides and palettes alike; sides in a mirror; kinds in another order."""
    n = len(b["side"])
    normal = lambda sd, *shape: torch.from_numpy(rng.normal(0, sd, shape)).float()
    turned = torch.stack([torch.eye(3)[torch.from_numpy(rng.permutation(3))] if rng.random() < 0.4 else torch.eye(3) for _ in range(n)])
    mix = torch.einsum("nij,njk->nik", torch.eye(3) + normal(0.12, n, 3, 3) * torch.from_numpy(rng.random((n, 1, 1)) < 0.5), turned)
    mix = mix / mix.sum(2, keepdim=True).clamp(min=0.5)
    power, gain = torch.exp(normal(0.12, n, 1, 1, 1)), torch.exp(normal(0.12, n, 1, 1, 1))
    own = torch.exp(normal(0.05, n, 3, 1, 1))  # between the picture and the palette
    turn = lambda x: torch.einsum("nij,njhw->nihw", mix, x / 255).clamp(0, 1.2) ** power * gain
    rgb = turn(b["side"][:, :3].float()) * own
    pal = turn(b["palette"].view(n, -1, 2, 3).permute(0, 3, 1, 2)).permute(0, 2, 3, 1).reshape(n, -1, 6)
    rgb = rgb * (1 + torch.linspace(-1, 1, COLS) * normal(0.08, n, 1, 1, 1)) + torch.randn(rgb.shape) * 0.02 * torch.from_numpy(rng.random((n, 1, 1, 1))).float()
    side = torch.cat([(rgb.clamp(0, 1) * 255), b["side"][:, 3:].float()], 1)
    mirror = torch.from_numpy(rng.random(n) < 0.5)
    b["side"] = torch.where(mirror[:, None, None, None], side.flip(-1), side)
    b["offset"] = b["offset"] * torch.stack([torch.where(mirror, -1.0, 1.0), torch.ones(n)], 1)
    b["palette"] = pal.clamp(0, 1) * 255
    b["seen"] = b["seen"] + normal(0.02, n, 2)
    return b


def batch(shards, rng, size):
    """A batch for training, of some of the shards."""
    parts = []
    for _ in range(8):
        s = shards.draw(rng)
        at = torch.from_numpy(rng.integers(0, len(s["count"]), size // 8))
        parts.append({k: s[k][at].clone() for k in ("side", "seen", "offset", "palette", "count", "kinds", "known")})
    b = {k: torch.cat([p[k] for p in parts]) for k in parts[0]}
    return recoloured(fewer(lacking(cut(spliced(b, rng), CUTS[int(rng.integers(len(CUTS)))]), rng), rng), rng)


def cut(b, most):
    """Sides of which most chips are shown."""
    return b | {"side": b["side"][:, :, :STEP * (ABOVE + most + BELOW)], "kinds": b["kinds"][:, :most]}


def open_to(kinds, known):
    """The kinds of chips (n x chips x k + 1) that a palette of known kinds leaves open: those, and none of them."""
    shut = torch.arange(kinds.shape[2])[None, None] >= known[:, None, None]
    shut[..., -1] = False
    return kinds.masked_fill(shut, -1e4)


def row_labels(b):
    """What each row shows: 0 upper face, 1 side, 2 below the foot."""
    tilt = torch.tan(b["seen"][:, 1].clamp(max=1.3))  # a face nearer to the camera than taken is taken too high
    thick = 3.3
    depth = ((torch.arange(b["side"].shape[2]) + 0.5) / STEP - ABOVE)[None] - (b["offset"][:, 1] * tilt / thick)[:, None]
    count = b["count"][:, None]
    return torch.where(depth < 0, 0, torch.where(depth < count, 1, 2))


def losses(net, b):
    """The loss and its parts."""
    seams, steps, face, kinds, upper, rows = net(b["side"], b["seen"], b["palette"], b["known"])
    band = bands(seams)
    count, most = counted(*band, steps), band[1].shape[1]
    real = b["count"] > 0  # and counted
    what = row_labels(b)
    chip = b["kinds"].long()
    kinds = open_to(named(kinds, upper, placed(*band, steps, b["count"])), b["known"])
    hidden = b["side"][:, 3, STEP * ABOVE:STEP * (ABOVE + most)].reshape(-1, most, STEP * COLS).mean(2) / 255
    ok = (chip >= 0) & (hidden < 0.5)
    sd = face[:, 3:]
    parts = {"count": F.cross_entropy(count[real], numbered(b["count"], most)[real]),
             "offset": ((face[:, 1:3] - b["offset"]) ** 2 * torch.exp(-2 * sd) / 2 + sd)[real].mean(),
             "real": F.binary_cross_entropy_with_logits(face[:, 0], (b["count"] != 0).float()),
             "kinds": F.cross_entropy(kinds[ok], chip[ok]),
             "order": colours.unlikely(kinds, chip, b["known"])[real].mean(),  # what nearer things hide is to be unsure
             "class": F.cross_entropy(rows.transpose(1, 2)[real].flatten(0, 1), what[real].flatten())}
    weight = {"count": 1, "offset": 0.3, "real": 0.4, "kinds": 0.7, "order": 0.4, "class": 0.2}
    return sum(weight[k] * v for k, v in parts.items()), parts


BINS = ((0, 2.2), (2.2, 3), (3, 4.5), (4.5, 7), (7, 99))


def tried(net, shards, most=MOST):
    """What the network says of sides of which most chips are shown: a dictionary of arrays."""
    out = []
    with torch.no_grad():
        for s in shards:
            for i in range(0, len(s["count"]), 128):
                b = cut({k: v[i:i + 128] for k, v in s.items()}, most)
                seams, steps, face, kinds, upper, _ = net(b["side"], b["seen"], b["palette"], b["known"])
                band = bands(seams)
                count = counted(*band, steps)
                kinds = open_to(named(kinds, upper, placed(*band, steps, b["count"])), b["known"])
                chip = b["kinds"].long()
                out.append({"logits": count, "each": kinds, "chip": chip, "known": b["known"], "count": b["count"].long().clamp(max=most + 1), "px": b["seen"][:, 0].exp(), "shown": b["shown"], "off": b["offset"],
                            "left": face[:, 1:3] - b["offset"], "real": face[:, 0], "named": ((kinds.argmax(2) == chip) | (chip < 0)).all(1),
                            "chips": ((kinds.argmax(2) == chip) & (chip >= 0)).sum(1), "all": (chip >= 0).sum(1), "mixed": ((chip != chip[:, :1]) & (chip >= 0)).any(1)})
    return {k: torch.cat([o[k] for o in out]) for k in out[0]}


def count_heat(heat, seen):
    """By what the logits of counts are divided: power functions of the pixels per chip."""
    return (heat[0] + heat[1] * (seen - 1)).exp()[:, None]


def temperatures(r):
    """Logarithms of what makes the held-back stacks most likely: (the count's where a chip has e pixels, its change with the logarithm of the pixels, the kinds')."""
    real, chip = r["count"] > 0, r["chip"]
    logits, count, seen = r["logits"][real], r["count"][real] - 1, r["px"][real].log()
    at = lambda a, b: (F.cross_entropy(logits / count_heat((a, b), seen), count).item(), a, b)
    _, a, b = min(at(a, b) for a in np.linspace(-0.7, 1.1, 37) for b in np.linspace(-0.6, 0.6, 13))
    stacked = (chip >= 0).any(1)
    kinds = min((colours.unlikely(r["each"][stacked] / math.exp(t), chip[stacked], r["known"][stacked]).mean().item(), t) for t in np.linspace(-0.7, 1.1, 37))[1]
    return float(a), float(b), float(kinds)


def near(r):
    """Which are stacks whose face is off by less than 0.7 mm and of which most shows, foot included."""
    return (r["count"] > 0) & (r["off"].norm(dim=1) < 0.7) & (r["shown"].min(1)[0] > 0.6)


def cut_short(net, shards):
    """How many of the shorter sides are counted rightly."""
    part = lambda most, r, m: f"cut to {most}: {100 * (r['logits'].argmax(1) + 1 == r['count'])[m].float().mean():.1f}% of {int(m.sum())}"
    return "   " + "; ".join(part(most, r, near(r)) for most in CUTS[:-1] for r in [tried(net, shards, most)])


def report(r, heat=(0.0, 0.0, 0.0)):
    """Figures of stacks whose face is off by less than 0.7 mm and of which most shows, foot included, by pixels per chip."""
    p, at = (r["logits"] / count_heat(heat, r["px"].log())).softmax(1).max(1)
    right, sure, real = at + 1 == r["count"], p > 0.95, r["count"] > 0
    close = near(r)
    order = colours.unlikely(r["each"] / math.exp(heat[2]), r["chip"], r["known"])
    part = lambda m: f"{100 * right[m].float().mean():.1f}% of {int(m.sum())}, kinds {100 * r['named'][m].float().mean():.1f}%, of at least 0.9 {100 * (order[m] < -math.log(0.9)).float().mean():.1f}%" if m.any() else "-"
    lines = [f"   {a}-{b} px: one {part(m & ~r['mixed'])}; several {part(m & r['mixed'])}; sure {100 * sure[m].float().mean():.0f}%, wrong {int((sure & ~right)[m].sum())} of {int(sure[m].sum())}"
             for a, b in BINS for m in [close & (r["px"] >= a) & (r["px"] < b)] if m.any()]
    left = (r["left"][real].abs().median(0)[0] * 1.48).tolist()
    lines.append(f"   all {part(close)}; farther off or hidden {part(real & ~close)}; left {left[0]:.2f}, {left[1]:.2f} mm; chips named {100 * r['chips'].sum() / r['all'].sum():.1f}%; "
                 f"real said of {100 * (r['real'][real] > 0).float().mean():.1f}%, of others {100 * (r['real'][~real] > 0).float().mean():.1f}%")
    return "\n".join(lines), {"stacks": int(close.sum()), "count": round(right[close].float().mean().item(), 4), "named": round(r["named"][close].float().mean().item(), 4),
                              "sure": round(sure[close].float().mean().item(), 4), "wrong of sure": round(1 - right[close & sure].float().mean().item(), 4)}


def logistic(x, y, w):
    """Weights of a logistic regression of y on the columns of x, near to w where little speaks for others."""
    x, y, w, prior = np.asarray(x, float), np.asarray(y, float), np.array(w, float), np.array(w, float)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        w = w + np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(len(w)), x.T @ (y - p) - 1e-2 * (w - prior))
    return w


def witnesses(side, proposed):
    """What speaks for a face in a photograph (n x 3): nothing, what proposed it, and its side. How steeply it is seen stays out: chips that lie flat have no boxes to fit that by."""
    return torch.stack([torch.ones_like(side), proposed.clamp(-9, 9), side.clamp(-6, 6)], 1)


def weighed(net, shards):
    """The weights of witnesses, of photographs that trained nothing, and how many of them are found and spurious."""
    x, y = [], []
    with torch.no_grad():
        for s in shards:
            for i in range(0, len(s["count"]), 128):
                b = {k: v[i:i + 128] for k, v in s.items()}
                x.append(witnesses(net(b["side"], b["seen"], b["palette"], b["known"])[2][:, 0], b["proposed"]))
                y.append(b["count"] != 0)
    x, y = torch.cat(x).numpy(), torch.cat(y).numpy()
    w = logistic(x, y, (0, 1, 0))
    good = x @ w > 0
    return w, f"photographs held back: {int(y[good].sum())} of {int(y.sum())} faces taken, {int((~y[good]).sum())} of {int((~y).sum())} spurious ones"


class Exported(nn.Module):
    """The network as the reader uses it, at the temperatures that were fitted; that of photographs weighs what proposed the face, too."""

    def __init__(self, net, heat, weights=None):
        super().__init__()
        self.net, self.heat = net, heat
        self.weights = None if weights is None else torch.tensor(weights).float()

    def forward(self, side, seen, palette, proposed=None):
        seams, steps, face, kinds, upper, _ = self.net(side, seen, palette)
        if proposed is not None: face = torch.cat([(witnesses(face[:, 0], proposed[:, 0]) * self.weights).sum(1, keepdim=True), face[:, 1:]], 1)
        return seams, steps, face, kinds / math.exp(self.heat[2]), upper / math.exp(self.heat[2]), (self.heat[0] + self.heat[1] * (seen[:, :1] - 1)).exp()


def exported(net, heat, path, weights=None):
    net.eval()
    inputs = {"side": torch.zeros(2, 4, HIGH, COLS, dtype=torch.uint8), "seen": torch.rand(2, 2), "palette": torch.rand(2, 5, 6)}
    if weights is not None: inputs["proposed"] = torch.rand(2, 1)
    names = ["seams", "steps", "face", "kinds", "upper", "heat"]
    axes = {"side": {0: "n", 2: "rows"}, "seen": {0: "n"}, "palette": {0: "n", 1: "k"}, "seams": {0: "n", 2: "rows"}, "kinds": {0: "n", 1: "starts", 2: "k1"}, "upper": {0: "n", 1: "k1"}}
    torch.onnx.export(Exported(net, heat, weights), tuple(inputs.values()), path, opset_version=12, input_names=list(inputs), output_names=names,
                      dynamic_axes={k: {0: "n"} for k in names + list(inputs)} | axes)


def averaged(mean, net, step):
    """One step of the moving average of a network's weights."""
    keep = min(0.998, 1 - 10 / (10 + step))
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
            if a.dtype.is_floating_point: a.mul_(keep).add_(b, alpha=1 - keep)
            else: a.copy_(b)


def started(net, name):
    """Gives a network the weights of an earlier training, start/NAME.pt beside this file, where they are there and fit."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start", name + ".pt")
    if not os.path.exists(path): return
    kept, own = torch.load(path), net.state_dict()
    if any(k in kept and kept[k].shape != v.shape for k, v in own.items()): return
    net.load_state_dict({k: kept[k].to(v.dtype) if k in kept else v for k, v in own.items()})
    print("goes on from", path)


def stored(net, path):
    """Writes weights to start from: halves of floats."""
    torch.save({k: v.half() if v.dtype.is_floating_point else v for k, v in net.state_dict().items()}, path)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    ap.add_argument("--sides", required=True)
    ap.add_argument("--out", default="models")
    ap.add_argument("--work", default="models/train/work")
    ap.add_argument("--data", help="not used: sides are all it learns from")
    ap.add_argument("--photographs", action="store_true", help="the network for photographs: sides as cameras in hands see them")
    ap.add_argument("--kinds", action="store_true", help="learns to name kinds alone; the rest of the network stays as it is")
    ap.add_argument("--sealed", help="sides of a sealed seed, to measure on at the end; else those held back")
    ap.add_argument("--minutes", type=float, default=60)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--rate", type=float, default=3e-3, help="of learning, at most")
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--every", type=float, default=5, help="minutes between reports")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    net, mean, rng, step = Sides(), Sides(), np.random.default_rng(), 0
    name = "photo_sides" if a.photographs else "sides"
    started(net, name)
    def learning():
        net.train()
        if a.kinds:
            net.eval(), net.named.train()
            for name, p in net.named_parameters(): p.requires_grad_(name.startswith("named."))
    learning()
    opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], 2e-3, weight_decay=0.02)
    mean.load_state_dict(net.state_dict())
    save, spent = os.path.join(a.work, name + ".pt"), 0.0
    os.makedirs(a.work, exist_ok=True)
    if os.path.exists(save):
        kept = torch.load(save)
        for m, k in ((net, "net"), (mean, "mean"), (opt, "opt")): m.load_state_dict(kept[k])
        step, spent = kept["step"], kept["spent"]
    shards = Shards(a.sides)
    start = last = time.time() - spent
    run = {}
    state = lambda: {"net": net.state_dict(), "mean": mean.state_dict(), "opt": opt.state_dict(), "step": step, "spent": time.time() - start}
    print(sum(map(len, shards.train.values())), "shards,", len(shards.held), "held back,", sum(p.numel() for p in net.parameters()), "weights", flush=True)
    while time.time() - start < 60 * a.minutes:
        u = (time.time() - start) / (60 * a.minutes)
        for g in opt.param_groups: g["lr"] = a.rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * u)) + 1e-5
        loss, parts = losses(net, batch(shards, rng, a.batch))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        step += 1
        averaged(mean, net, step)
        run = {k: 0.98 * run.get(k, float(v)) + 0.02 * float(v) for k, v in parts.items()}
        if time.time() - last > 60 * a.every:
            last = time.time()
            torch.save(state(), save)
            mean.eval()
            print(f"{(time.time() - start) / 60:.0f} min, step {step}, {sum(map(len, shards.train.values()))} shards:", {k: round(v, 3) for k, v in run.items()}, f"\n{report(tried(mean, shards.held[-4:]))[0]}\n{cut_short(mean, shards.held[-4:])}", flush=True)
            mean.train()
            shards.more()
    torch.save(state(), save)
    mean.eval()
    heat = temperatures(tried(mean, shards.held))
    text, figures = report(tried(mean, list(itertools.chain(*Shards(a.sealed).train.values())) if a.sealed else shards.held), heat)
    print(f"end, step {step}, {sum(map(len, shards.train.values()))} shards, temperatures {[round(v, 2) for v in heat]}\n{text}")
    weights = None
    if a.photographs:  # without any photographs as proposed
        weights, text = weighed(mean, shards.faces) if shards.faces else ((0, 1, 0), "no photographs held back")
        print(text, [round(float(v), 2) for v in weights])
    stored(mean, os.path.join(a.work, name + "-start.pt"))
    exported(mean, heat, os.path.join(a.out, name + ".onnx"), weights)
    manifest.update(a.out, name, name + ".onnx", (4, HIGH, COLS), HEADS, DATA if a.photographs else DATA[:2], figures)


if __name__ == "__main__":
    main()
