"""The network that reads the unrolled side of a stack: how many chips, where the face really is, whether there is one.

  /usr/bin/python3 models/train/sides.py --worlds FOLDER --minutes 60 [--threads 2] [--out models] [--work FOLDER]

learns from the shards of worlds.py, taking new ones in as they come, and writes sides.onnx. It goes on from the checkpoint
in --work where there is one. Inputs and outputs: docs/measuring.md.
"""
import argparse
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import geometry as G
import manifest
from geometry import ABOVE, COLS, HIGH, MOST, STEP, Camera

LONG = HIGH // 2  # positions of the body: half a row's pitch
LOOK = 16
HEADS = [("count", [str(n + 1) for n in range(MOST)]), ("offset", ["right", "near", "up", "right sd", "near sd", "up sd"]), ("real", ["face"]),
         ("rows", ["seam", "top", "side", "below"]), ("look", [str(n) for n in range(LOOK)])]


class Block(nn.Module):
    """A dilated convolution along the rows, added to what came."""

    def __init__(self, wide, hole):
        super().__init__()
        self.a, self.b = nn.Conv2d(wide, wide, (3, 1), 1, (hole, 0), (hole, 1), bias=False), nn.Conv2d(wide, wide, 1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(wide), nn.BatchNorm2d(wide)

    def forward(self, x):
        return x + self.nb(self.b(F.relu(self.na(self.a(x)))))


class Sides(nn.Module):
    """Sides (n x 4 x HIGH x COLS) and views (n x 2) to count, offset, real, rows and look.

    Only operations that OpenCV 4.6 reads: no broadcasting between tensors, no cumulative sums.
    """

    def __init__(self, wide=72, holes=(1, 2, 4, 8, 2, 1, 1)):
        super().__init__()
        c = lambda i, o, k, s, p: nn.Sequential(nn.Conv2d(i, o, k, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU())
        self.wide = wide
        self.enter = nn.Sequential(c(5, 20, (3, 4), (2, 2), (1, 1)), c(20, 32, 3, (1, 2), 1), c(32, 48, 3, (1, 2), 1))
        self.pool, self.norm = nn.Conv2d(48, wide, (3, 4), 1, (1, 0), bias=False), nn.BatchNorm2d(wide)
        self.seen = nn.Linear(2, wide * LONG)
        self.body = nn.Sequential(*(Block(wide, h) for h in holes))
        self.chip, self.foot = nn.Conv2d(wide, 1, (4, 1), (4, 1)), nn.Conv2d(wide, 1, (8, 1), (4, 1), (2, 0))
        self.row, self.like = nn.Conv2d(wide, 8, 1), nn.Conv2d(wide, LOOK, 1)
        self.near = nn.Conv2d(wide, 16, 1)
        self.place = nn.Sequential(nn.Linear(16 * LONG, 96), nn.ReLU(), nn.Linear(96, 7))
        slope = torch.zeros(1, 3, 2, 1)
        slope[:, :, 0], slope[:, :, 1] = -1, 1
        self.register_buffer("slope", slope)
        self.register_buffer("before", torch.tril(torch.ones(MOST, MOST)))
        self.register_buffer("ones", torch.ones(LOOK, LOOK, 1, 1))

    def forward(self, side, view):
        hidden = side[:, 3:4]
        rgb = side[:, :3] * (1 - torch.cat([hidden, hidden, hidden], 1))
        slope = F.conv2d(F.pad(rgb, (0, 0, 0, 1)), self.slope)
        h = self.norm(self.pool(self.enter(torch.cat([rgb - 0.4, hidden, slope], 1))))
        h = F.relu(self.body(h + self.seen(view).reshape(-1, self.wide, LONG, 1)))
        chip = self.chip(h).reshape(-1, LONG // 4)[:, ABOVE:ABOVE + MOST]
        foot = self.foot(h).reshape(-1, LONG // 4)[:, ABOVE + 1:ABOVE + 1 + MOST]  # a window about the row of each foot
        count = F.linear(torch.log(torch.sigmoid((chip + 2).clamp(-20, 20))), self.before) + foot
        placed = self.place(F.relu(self.near(h)).reshape(-1, 16 * LONG))
        rows = self.row(h).reshape(-1, 2, 4, LONG).permute(0, 3, 1, 2).reshape(-1, HIGH, 4)
        look = self.like(h)
        look = look / torch.sqrt(F.conv2d(look * look, self.ones) + 1e-6)
        offset = torch.cat([placed[:, :3], placed[:, 3:6].clamp(-5, 2)], 1)
        return count, offset, placed[:, 6:7], rows, look.reshape(-1, LOOK, LONG).permute(0, 2, 1)


def empty_places(s, n, rng):
    """n places (n x 3) near the stacks of a scene where no upper face is: on the felt, beside faces, in sides, over stacks."""
    k = torch.from_numpy(rng.choice(torch.nonzero(s["count"] > 0)[:, 0].numpy(), 8 * n))
    diameter, thick = s["chip"]
    face, what = s["face"][k].clone(), torch.from_numpy(rng.integers(0, 3, 8 * n))
    random = lambda low, high: torch.from_numpy(rng.uniform(low, high, 8 * n)).float()
    turn, far = random(0, 6.3), torch.where(what == 0, random(0.2, 0.6), random(0.6, 2.0)) * diameter
    far = torch.where(what == 2, random(0, 0.2) * diameter, far)
    face[:, 0] += far * turn.cos()
    face[:, 1] += far * turn.sin()
    steps = random(1.6, 8) * torch.where(random(0, 1) < 0.75, -1.0, 1.0)
    face[:, 2] = torch.where(what == 2, face[:, 2] + steps * thick, torch.where(what == 1, random(0, 8) * thick, face[:, 2])).clamp(min=0.3 * float(thick))
    at = Camera(s["camera"][None].expand(len(face), -1)).project(face)
    h, w = s["met"].shape
    ok = (at > 4).all(1) & (at[:, 0] < w - 4) & (at[:, 1] < h - 4) & (faces_apart(s, face) > 0.16 * diameter)
    return face[ok][:n]


def faces_apart(s, face):
    """How far places (n x 3) are seen from the nearest upper face, mm along the plane of that face."""
    eye = s["camera"][:3]
    d = face[:, None] - eye
    k = (s["face"][None, :, 2] - eye[2]) / d[..., 2]
    off = ((eye[:2] + k[..., None] * d[..., :2]) - s["face"][None, :, :2]).norm(dim=2)
    return torch.where(s["count"][None] > 0, off, torch.full_like(off, 1e6)).min(1)[0]


def offsets(n, rng):
    """Displacements of faces, mm, n x 3: mostly small, some as a proposal's, the height half as much."""
    sd = rng.choice((0.2, 0.6, 1.5), n, p=(0.4, 0.35, 0.25))[:, None] * np.array((1, 1, 0.6))
    return torch.from_numpy(rng.normal(0, 1, (n, 3)) * sd).float()


def sides_of(s, which, off, rng, empty=0, known=0.9):
    """Sides of stacks `which` of a scene whose faces are taken to be displaced by off (n x 3), and of `empty` places that are none.

    Returns a dictionary: side, view, count (0: none), offset (the correction), shift (rows that the face is off by), kinds from the
    top (n x MOST) and pixels per chip.
    """
    n, (diameter, thick) = len(which), s["chip"]
    camera = Camera(s["camera"][None].expand(n, -1))
    face = camera.shifted(s["face"][which], off)
    back = camera.between(face, s["face"][which])
    none = empty_places(s, empty, rng) if empty else s["face"][:0]
    face = torch.cat([face, none])
    m = len(face)
    near = lambda sd: torch.exp(torch.from_numpy(rng.normal(0, sd, m)).float())
    hiding = G.nearer(s, face[:, 0], face[:, 1]) & torch.from_numpy(rng.random((m, G.STACKS)) < known)
    t, d = thick * 1.004 * near(0.006), diameter * near(0.006)
    view = Camera(s["camera"][None].expand(m, -1)).view(face, t, d / 2)
    down = s["count"][which].long()[:, None] - 1 - torch.arange(MOST)[None]
    kinds = torch.where(down >= 0, s["kinds"][which].long().gather(1, down.clamp(min=0)), -1)
    tilt = torch.tan(view[:n, 1].clamp(max=1.3))
    pad = lambda v, fill: torch.cat([v, torch.full((m - n, *v.shape[1:]), fill, dtype=v.dtype)])
    return {"side": G.unrolled(s, face, t, d, hiding), "view": view, "count": pad(s["count"][which].long(), 0), "offset": pad(back, 0.0),
            "shift": pad((back[:, 2] - back[:, 1] * tilt) / (thick * 1.004), 0.0), "kinds": pad(kinds, -1), "face": face, "thick": t, "diameter": d, "hiding": hiding}


def spliced(b, rng):
    """The same stacks with chips left out or shown twice."""
    for i in np.nonzero(rng.random(len(b["side"])) < 0.5)[0]:
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


def recoloured(b, rng):
    """Other colours, the same for all sides of a scene; another light and noise on each; sides in a mirror."""
    side, scene = b["side"], b["scene"]
    n, most = len(side), int(scene.max()) + 1
    normal = lambda sd, *shape: torch.from_numpy(rng.normal(0, sd, shape)).float()
    mix = torch.eye(3) + normal(0.2, most, 3, 3) * torch.from_numpy(rng.random((most, 1, 1)) < 0.6)
    turned = torch.stack([torch.eye(3)[torch.from_numpy(rng.permutation(3))] if rng.random() < 0.5 else torch.eye(3) for _ in range(most)])
    mix = mix @ turned
    mix = (mix / mix.sum(2, keepdim=True).clamp(min=0.5))[scene]
    power = torch.exp(normal(0.15, most, 1, 1, 1))[scene]
    rgb = torch.einsum("nij,njhw->nihw", mix, side[:, :3]).clamp(0, 1.2) ** power * torch.exp(normal(0.15, most, 1, 1, 1)[scene] + normal(0.06, n, 1, 1, 1))
    rgb = rgb * (1 + torch.linspace(-1, 1, COLS) * normal(0.1, n, 1, 1, 1)) + torch.randn_like(rgb) * 0.02 * torch.from_numpy(rng.random((n, 1, 1, 1))).float()
    side = torch.cat([rgb.clamp(0, 1.2), side[:, 3:]], 1)
    mirror = torch.from_numpy(rng.random(n) < 0.5)
    b["side"] = torch.where(mirror[:, None, None, None], side.flip(-1), side)
    b["offset"][:, 0] *= torch.where(mirror, -1.0, 1.0)
    b["view"] = b["view"] + normal(0.03, n, 2)
    return b


def batch(scenes, rng, size=64):
    """A batch for training, a few sides of each of some scenes."""
    parts, total = [], 0
    while total < size:
        s = scenes[int(rng.integers(len(scenes)))]
        which = torch.nonzero(s["open"] > 0.3)[:, 0]
        which = which[torch.from_numpy(rng.permutation(len(which))[:4])]
        part = sides_of(s, which, offsets(len(which), rng), rng, empty=1)
        part["scene"] = torch.full((len(part["side"]),), len(parts))
        parts.append(part)
        total += len(part["side"])
    b = {k: torch.cat([p[k] for p in parts]) for k in ("side", "view", "count", "offset", "shift", "kinds", "scene")}
    return recoloured(spliced(b, rng), rng)


def row_labels(b):
    """What each row shows: whether a seam (n x HIGH), and 0 upper face, 1 side, 2 below the foot."""
    depth = ((torch.arange(HIGH) + 0.5) / STEP - ABOVE)[None] + b["shift"][:, None]
    seam = ((depth - depth.round()).abs() < 0.75 / STEP) & (depth > -0.3) & (depth < b["count"][:, None] + 0.3)
    return seam.float(), torch.where(depth < 0, 0, torch.where(depth < b["count"][:, None], 1, 2))


def look_loss(look, b):
    """Supervised contrastive loss (Khosla et al., 2020) of the chips of each scene."""
    chips = torch.arange(MOST)[None].expand(len(look), -1)
    at = ((ABOVE + chips + 0.5 - b["shift"][:, None]) * STEP / 2).long().clamp(0, LONG - 1)
    shown = 1 - b["side"][:, 3].mean(2)
    ok = (b["kinds"] >= 0) & (shown.gather(1, (2 * at).clamp(max=HIGH - 1)) > 0.6)
    e = look.gather(1, at[..., None].expand(-1, -1, LOOK))[ok]
    scene, kind = b["scene"][:, None].expand_as(ok)[ok], b["kinds"][ok]
    keep = torch.randperm(len(e))[:400]
    e, scene, kind = e[keep], scene[keep], kind[keep]
    same = (scene[:, None] == scene[None]) & ~torch.eye(len(e), dtype=torch.bool)
    alike = same & (kind[:, None] == kind[None])
    logits = (e @ e.T / 0.1).masked_fill(~same, -1e4)
    log = logits - logits.logsumexp(1, keepdim=True)
    each = (log * alike).sum(1) / alike.sum(1).clamp(min=1)
    mixed = alike.any(1) & (same & ~alike).any(1)
    return -each[mixed].mean() if mixed.any() else e.sum() * 0


def losses(net, b):
    """The loss and its parts."""
    count, offset, real, rows, look = net(b["side"], b["view"])
    is_stack = b["count"] > 0
    seam, what = row_labels(b)
    log_sd = offset[:, 3:]
    parts = {"count": F.cross_entropy(count[is_stack], b["count"][is_stack] - 1, label_smoothing=0.01),
             "offset": ((offset[:, :3] - b["offset"]) ** 2 * torch.exp(-2 * log_sd) / 2 + log_sd)[is_stack].mean(),
             "real": F.binary_cross_entropy_with_logits(real[:, 0], is_stack.float()),
             "seam": F.binary_cross_entropy_with_logits(rows[..., 0][is_stack], seam[is_stack]),
             "class": F.cross_entropy(rows[..., 1:][is_stack].flatten(0, 1), what[is_stack].flatten()),
             "look": look_loss(look, b)}
    weight = {"count": 1, "offset": 0.3, "real": 0.5, "seam": 0.5, "class": 0.5, "look": 0.3}
    return sum(weight[k] * v for k, v in parts.items()), parts


def tried(net, scenes, sd, rounds=0, seed=1):
    """What the network says of all stacks of scenes, their faces displaced by sd (mm) and corrected `rounds` times: rows of pixels
    per chip, count, whether of several kinds, share shown, share of the foot shown, what is left of the displacement (3), its
    predicted sd (3) and the logits of the counts (MOST)."""
    rng, out = np.random.default_rng(seed), []
    for s in scenes:
        which = torch.nonzero(s["open"] > 0.3)[:, 0]
        if not len(which): continue
        off = torch.from_numpy(rng.normal(0, 1, (len(which), 3)) * np.array((sd, sd, 0.6 * sd))).float()
        b = sides_of(s, which, off, rng)
        camera, left = Camera(s["camera"][None].expand(len(which), -1)), b["offset"]
        for _ in range(rounds):
            b["face"] = camera.shifted(b["face"], net(b["side"], b["view"])[1][:, :3])
            left = camera.between(b["face"], s["face"][which])
            b["side"], b["view"] = G.unrolled(s, b["face"], b["thick"], b["diameter"], b["hiding"]), camera.view(b["face"], b["thick"], b["diameter"] / 2)
        count, offset, *_ = net(b["side"], b["view"])
        row = torch.arange(HIGH)[None] - STEP * ABOVE
        hidden, n = b["side"][:, 3].mean(2), b["count"][:, None]
        share = lambda rows, hidden=hidden: 1 - (hidden * rows).sum(1) / rows.sum(1).clamp(min=1)
        mixed = ((b["kinds"] != b["kinds"][:, :1]) & (b["kinds"] >= 0)).any(1)
        known = [b["view"][:, 0].exp(), b["count"].float(), mixed.float(), share((row >= 0) & (row < STEP * n)), share((row >= STEP * (n - 1)) & (row < STEP * (n + 1)))]
        out.append(torch.cat([torch.stack(known, 1), left, offset[:, 3:].exp(), count], 1))
    return torch.cat(out)


def temperature(r):
    """By what logits (rows of tried()) have to be divided to be the most likely."""
    logits, count = r[:, 11:], r[:, 1].long() - 1
    return min((F.cross_entropy(logits / t, count).item(), t) for t in np.exp(np.linspace(-0.7, 1.1, 60)))[1]


BINS = ((0, 2), (2, 2.5), (2.5, 4), (4, 8), (8, 99))


def table(r, heat):
    """By pixels per chip: right of one kind, of several; of those above 0.95 how many are wrong."""
    p, at = (r[:, 11:] / heat).softmax(1).max(1)
    right, sure = at + 1 == r[:, 1], p > 0.95
    part = lambda m: f"{100 * right[m].float().mean():.0f}% of {int(m.sum())}" if m.any() else "-"
    line = lambda m: f"one {part(m & (r[:, 2] == 0))}, several {part(m & (r[:, 2] == 1))}; sure {100 * sure[m].float().mean():.0f}%, wrong {int((sure & ~right)[m].sum())} of {int(sure[m].sum())}"
    return "\n".join(f"   {a}-{b} px: {line(m)}" for a, b in BINS for m in [(r[:, 0] >= a) & (r[:, 0] < b)] if m.any())


TRIALS = ((0, 0), (0, 1), (0.5, 0), (0.5, 1), (1, 0), (1, 1), (1, 2))  # displacement in mm, corrections


def report(net, scenes, heat=1.0, trials=TRIALS):
    """All figures of scenes, by displacement and number of corrections; of stacks of which most shows, foot included, by size."""
    net.eval()
    lines = []
    with torch.no_grad():
        for sd, rounds in trials:
            r = tried(net, scenes, sd, rounds)
            shown = r[(r[:, 4] > 0.6) & (r[:, 3] > 0.6)]
            right = lambda q: 100 * (q[:, 11:].argmax(1) + 1 == q[:, 1]).float().mean().item()
            left = (r[:, 5:8].abs().median(0)[0] * 1.48).tolist()
            lines.append(f"  off {sd} mm, {rounds} corrections: {right(r):.1f}% of {len(r)}, foot shown {right(shown):.1f}% of {len(shown)}; "
                         f"left (robust sd) {[round(v, 2) for v in left]} mm\n{table(shown, heat)}")
        real = [(net(b["side"], b["view"])[2][:, 0] > 0, b["count"] > 0) for b in (batch(scenes, np.random.default_rng(i)) for i in range(6))]
        said, true = (torch.cat(v) for v in zip(*real))
        lines.append(f"  a face is there: said of {100 * said[true].float().mean():.1f}% of faces, of {100 * said[~true].float().mean():.1f}% of other places")
        lines.append(f"  chips of one kind nearer than of another: {100 * alike(net, scenes):.1f}%")
    net.train()
    return "\n".join(lines)


def alike(net, scenes):
    """How often a chip looks more like the mean of its kind, in another stack of its scene, than like another kind's."""
    right = total = 0
    for s in scenes:
        which = torch.nonzero(s["open"] > 0.3)[:, 0]
        if len(which) < 2: continue
        b = sides_of(s, which, offsets(len(which), np.random.default_rng(1)) * 0, np.random.default_rng(1))
        look = net(b["side"], b["view"])[4]
        at = ((ABOVE + torch.arange(MOST) + 0.5) * STEP / 2).long()
        e, kind = look[:, at], b["kinds"]
        for i in range(len(which)):
            others = torch.arange(len(which)) != i
            known = {int(k): F.normalize(e[others][kind[others] == k].mean(0), dim=0) for k in kind[others].unique() if k >= 0}
            mine = torch.tensor([int(k) in known for k in kind[i]])
            if len(known) < 2 or not mine.any(): continue
            names = list(known)
            best = (e[i, mine] @ torch.stack([known[k] for k in names]).T).argmax(1)
            right += sum(names[int(v)] == int(k) for v, k in zip(best, kind[i, mine]))
            total += int(mine.sum())
    return right / max(1, total)


def figures(net, scenes, heat):
    """What the manifest says of the network: counts of stacks of which most shows, their faces off by 0.5 mm and corrected once."""
    net.eval()
    with torch.no_grad():
        r = tried(net, scenes, 0.5, 1)
    r = r[(r[:, 4] > 0.6) & (r[:, 3] > 0.6)]
    p, at = (r[:, 11:] / heat).softmax(1).max(1)
    right, sure = (at + 1 == r[:, 1]).float(), p > 0.95
    return {"stacks": len(r), "count": round(right.mean().item(), 4), "sure": round(sure.float().mean().item(), 4),
            "wrong of sure": round(1 - right[sure].mean().item(), 4) if sure.any() else 0}


class Exported(nn.Module):
    """The network with its counts at the temperature that was fitted."""

    def __init__(self, net, heat):
        super().__init__()
        self.net, self.heat = net, heat

    def forward(self, side, view):
        count, *others = self.net(side, view)
        return count / self.heat, *others


def exported(net, heat, path):
    net.eval()
    torch.onnx.export(Exported(net, heat), (torch.rand(2, 4, HIGH, COLS), torch.rand(2, 2)), path, opset_version=11, input_names=["side", "view"],
                      output_names=["count", "offset", "real", "rows", "look"],
                      dynamic_axes={k: {0: "n"} for k in ("side", "view", "count", "offset", "real", "rows", "look")})


def averaged(mean, net, step):
    """One step of the moving average of a network's weights."""
    keep = min(0.998, 1 - 10 / (10 + step))
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
            if a.dtype.is_floating_point: a.mul_(keep).add_(b, alpha=1 - keep)
            else: a.copy_(b)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    ap.add_argument("--worlds", required=True)
    ap.add_argument("--out", default="models")
    ap.add_argument("--work", default="models/train/work")
    ap.add_argument("--data", help="not used: worlds are all it learns from")
    ap.add_argument("--sealed", help="worlds of a sealed seed, to measure on at the end; else those held back")
    ap.add_argument("--minutes", type=float, default=60)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--every", type=float, default=5, help="minutes between reports")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    net, mean, rng, step = Sides(), Sides(), np.random.default_rng(), 0
    opt = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.02)
    mean.load_state_dict(net.state_dict())
    save, spent = os.path.join(a.work, "sides.pt"), 0.0
    os.makedirs(a.work, exist_ok=True)
    if os.path.exists(save):
        kept = torch.load(save)
        for m, k in ((net, "net"), (mean, "mean"), (opt, "opt")): m.load_state_dict(kept[k])
        step, spent = kept["step"], kept["spent"]
    shards = G.Shards(a.worlds)
    start = last = time.time() - spent
    run = {}
    state = lambda: {"net": net.state_dict(), "mean": mean.state_dict(), "opt": opt.state_dict(), "step": step, "spent": time.time() - start}
    print(len(shards.train), "scenes,", len(shards.held), "held back,", sum(p.numel() for p in net.parameters()), "weights", flush=True)
    while time.time() - start < 60 * a.minutes:
        u = (time.time() - start) / (60 * a.minutes)
        for g in opt.param_groups: g["lr"] = 3e-3 * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * u)) + 1e-5
        loss, parts = losses(net, batch(shards.train, rng))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        step += 1
        averaged(mean, net, step)
        run = {k: 0.98 * run.get(k, float(v)) + 0.02 * float(v) for k, v in parts.items()}
        if step % 100 == 0: print(f"{time.time() - start:.0f} s, step {step}:", {k: round(v, 3) for k, v in run.items()}, flush=True)
        if time.time() - last > 60 * a.every:
            last = time.time()
            torch.save(state(), save)
            print(f"{len(shards.train)} scenes\n{report(mean, shards.held[:100], trials=TRIALS[3:4])}", flush=True)
            exported(mean, 1.0, os.path.join(a.out, "sides.onnx"))
            mean.train()
            shards.more()
    torch.save(state(), save)
    with torch.no_grad():
        mean.eval()
        r = tried(mean, shards.held, 0.5, 1)
    heat = temperature(r)
    measured = G.Shards(a.sealed).every() if a.sealed else shards.held
    print(f"end, temperature {heat:.2f}\n{report(mean, measured, heat)}")
    exported(mean, heat, os.path.join(a.out, "sides.onnx"))
    manifest.update(a.out, "sides", "sides.onnx", (4, HIGH, COLS), HEADS, ["traced by models/train/worlds.py"], figures(mean, measured, heat), heat)


if __name__ == "__main__":
    main()
