"""Trains the reader of chips' kinds on a stack's side under a calibrated camera and exports it as ONNX.

  /usr/bin/python3 models/train/stack_kinds.py --out models --flanks NAME[,NAME...]

kinds.onnx: a flank whose felt is replaced by a palette (flanks.py; 3 x rows x PANELS*COLS, two
columns to a kind) -> a logit of each kind at each chip under the face. Kinds are compared with what
shows, each for itself: there is no colour that the network knows. The flanks are those of
stack_side.py; whole worlds are held back.
"""
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import flanks
import learn
import manifest
from flanks import ABOVE, COLS, HIGH, KINDS, MOST, PANELS, STEP

SEEN = 9  # chips of a stack that a batch looks at
PLACES = 15  # channels of what is compared at each place
AWAY = torch.linspace(-1, 1, COLS)


def nearer(c, field, edge):
    """Of each place the one of two colours that it is likest to in some light: that colour."""
    def off(m):
        light = ((c * m).sum(1, True) / (m * m).sum(1, True).clamp(min=1e-3)).clamp(0.2, 1.2)
        return ((c - light * m) ** 2).sum(1, True)
    near = (F.relu(off(edge) - off(field)) * 1e6).clamp(max=1)  # 1: the field
    return near * field + (1 - near) * edge


class Kinds(nn.Module):
    """Compares what shows on a chip's side with a kind's field and edge, in the light that is on the
    uppermost chip, whose kind is known, and in that which suits the kind best."""

    def __init__(self, wide=20):
        super().__init__()
        self.place, self.near = nn.Conv2d(PLACES, wide, 1), nn.Conv2d(wide, 32, 3, 2, 1)
        self.chip = nn.Sequential(nn.Conv1d(66, 48, 1), nn.ReLU())
        self.beside = nn.Sequential(nn.Conv1d(96, 48, 3, 1, 1), nn.ReLU(), nn.Conv1d(48, 48, 3, 1, 1), nn.ReLU(), nn.Conv1d(48, 1, 1))

    def light(self, seen, open, body, edge):
        """On each column, by the uppermost chip."""
        top = slice(STEP * ABOVE, STEP * (ABOVE + 1))
        m, c = nearer(seen[:, :, top], body[:, :, top], edge[:, :, top]), seen[:, :, top]
        part = lambda v: F.avg_pool1d((v * open[:, :, top]).sum((1, 2))[:, None], 9, 1, 4)
        return ((part(c * m) + 1e-3) / (part(m * m) + 1e-3)).clamp(0.25, 1.5)[:, :, None]

    def forward(self, seen, open, body, edge, field, rim):
        """seen and open are of whole chips from the face down; field and rim n x kinds x 3 are the palette."""
        n, rows, kinds = seen.shape[0], seen.shape[2], field.shape[1]
        lit = seen / self.light(seen, open, body, edge)
        first = STEP * ABOVE
        over = lambda v: v[:, None, :, first:].expand(-1, kinds, -1, -1, -1).reshape(n * kinds, v.shape[1], rows - first, COLS)
        c, l, o = over(seen), over(lit), over(open)
        f, e = (v.reshape(n * kinds, 3, 1, 1) for v in (field, rim))
        m = nearer(c, f, e)
        part = lambda v: F.avg_pool2d((v * o).sum(1, True), (STEP, COLS))
        own = ((part(c * m) + 1e-4) / (part(m * m) + 1e-4)).clamp(0.1, 1.5)
        whole = lambda v: F.interpolate(v, scale_factor=(float(STEP), float(COLS)), mode="nearest")
        ratio = own * (part(l * l) + 1e-4) / (part(c * l) + 1e-4)  # of the kind's light to that on the uppermost
        ratio = ratio.clamp(0.1, 2.5)
        d = c / whole(own)
        least = lambda v: (v ** 2).sum(1, True).clamp(min=1e-6).sqrt()
        x = torch.cat([l - f, l - e, least(d - f), least(d - e), least(d - m), least(l - m), o, whole(ratio) - 1,
                       least(f - e).expand_as(o), (f.mean(1, True) - 0.5).expand_as(o),
                       AWAY.to(o).abs().view(1, 1, 1, COLS).expand_as(o)], 1)
        h = F.relu(self.near(F.relu(self.place(x)) * o))
        share, half = F.avg_pool2d(o, (STEP, COLS)), (STEP // 2, COLS // 2)
        flat = torch.cat([F.avg_pool2d(h, half) / (share + 0.05), F.max_pool2d(h, half), ratio - 1, share], 1)[..., 0]
        each = self.chip(flat).view(n, kinds, 48, -1)
        most = each[:, 0]  # of all kinds: what another one is likened to
        for k in range(1, kinds):
            most = torch.max(most, each[:, k])
        both = torch.cat([each, most[:, None].expand(-1, kinds, -1, -1)], 2)
        return self.beside(both.reshape(n * kinds, 96, -1)).view(n, kinds, -1)


def shown(parts, palette, kind, chips=MOST):
    """What the network is shown of flanks down to so many chips."""
    seen, _, known = parts
    face = palette[torch.arange(len(kind), device=kind.device), kind]
    rows = STEP * (ABOVE + chips)
    open = (known[:, 2:3] > 0.1).float()
    wide = lambda v: v[:, :, None, None].expand(-1, 3, rows, COLS)
    return seen[:, :, :rows], open[:, :, :rows], wide(face[:, :3]), wide(face[:, 3:]), palette[..., :3].clamp(min=0), palette[..., 3:].clamp(min=0)


class Exported(nn.Module):
    """The network as the program runs it: on a flank's bytes, with its temperature."""

    def __init__(self, net, scale):
        super().__init__()
        self.net, self.scale = net, scale

    def forward(self, x):
        seen, palette, known, body, edge = (x[:, :, :, i * COLS:(i + 1) * COLS] for i in range(PANELS))
        turned = lambda v: torch.cat([v[:, 2:3], v[:, 1:2], v[:, 0:1]], 1)
        open = 1 - F.relu(1 - 1000 * F.relu(known[:, 2:3] - 0.1))
        pairs = turned(palette)[:, :, 0].transpose(1, 2)  # n, column, channel
        return self.net(turned(seen), open, turned(body), turned(edge), pairs[:, 0::2], pairs[:, 1::2]) * self.scale


def masked(logits, palette):
    """Logits of the kinds that there are, chip by chip."""
    return torch.where(palette[:, :, :1] < -1, torch.full_like(logits, -30), logits)


@torch.no_grad()
def told(net, data, picks):
    """Log probabilities of kinds by chip, true kinds and numbers of flanks as they are."""
    out = []
    for i in range(0, len(picks), 64):
        parts, count, chips, palette, kind = data.take(picks[i:i + 64])
        out.append((masked(net(*shown(parts, palette, kind)), palette), chips, count))
    none = [(torch.zeros(0, KINDS, MOST), torch.zeros(0, MOST, dtype=torch.int64), torch.zeros(0, dtype=torch.int64))]
    return [torch.cat(v) for v in zip(*(out or none))]


def held(data, part, house):
    return [i for i in data.parts[part] if flanks.drawn(data.rows[i]["set"]) == house and data.rows[i]["count"] > 0][:700]


def temperature(net, data):
    logits, chips, _ = told(net, data, held(data, "c", False) + held(data, "c", True))
    if not len(logits):
        return 1.0
    return min(np.linspace(0.2, 1.5, 27), key=lambda t: float(F.cross_entropy(logits * t, chips, ignore_index=-1)))


def validate(net, data):
    net.eval()
    out = {}
    for name, house in (("traced", False), ("house", True)):
        logits, chips, _ = told(net, data, held(data, "v", house))
        if not len(logits):
            continue
        right, there = logits.argmax(1) == chips, chips >= 0
        other = there & (chips != chips[:, :1])
        for key, v in (("chips", right[there]), ("other", right[other]), ("stacks", (right | ~there).all(1))):
            out[f"{name}_{key}"] = round(float(v.float().mean()), 4)
        out[name + "_loss"] = round(float(F.cross_entropy(logits, chips, ignore_index=-1)), 4)
    return out


def window(parts, chips, rng):
    """Some chips of each stack under its uppermost one."""
    seen, felt, known = parts
    first = np.zeros(len(seen), np.int64)
    for i, n in enumerate((chips >= 0).sum(1).tolist()):
        first[i] = rng.integers(0, max(1, n - SEEN + 2))
    def taken(v, from_, step, head):
        return torch.stack([torch.cat([a[:, :head], a[:, head + step * f:head + step * (f + SEEN)]], 1) for a, f in zip(v, from_)])
    head = STEP * (ABOVE + 1)
    cut = [taken(v, first, STEP, head) for v in (seen, felt, known)]
    below = [torch.cat([c[:1], c[1 + f:1 + f + SEEN]]) for c, f in zip(F.pad(chips, (0, SEEN + 1), value=-1), first)]
    return cut, torch.stack(below)


def losses(out, chips, palette):
    return (F.cross_entropy(masked(out, palette), chips, ignore_index=-1),)


class Fed(nn.Module):
    """The network on one batch of learn.Training: what varies in size comes beside the pictures."""

    def __init__(self):
        super().__init__()
        self.net, self.rest = Kinds(), ()

    def forward(self, x):
        return self.net(x, *self.rest)


def main():
    ap = learn.options(minutes=30, rate=4e-3)
    ap.add_argument("--flanks", required=True, help="names of files of models/train/flanks and unrolled.py, with commas between")
    a = ap.parse_args()
    learn.start(a)
    t = learn.Training("kinds", Fed(), a, keep=0.995, layout=torch.contiguous_format)
    data = flanks.Flanks(a.flanks.split(","))
    pool = flanks.Pool(data, a.seed + t.samples)

    def batch():
        parts, _, chips, palette, kind = pool.batch(48)
        some = chips[:, 0] >= 0
        parts, chips, palette, kind = [p[some] for p in parts], chips[some], palette[some], kind[some]
        parts, chips = window(parts, chips, pool.rng)
        seen, *t.net.rest = shown(parts, palette, kind, 1 + SEEN)
        return seen, chips, palette

    t.run(batch, losses, (1,), lambda net: validate(net.net, data), every=100, rise=100)
    learn.export(Exported(t.mean.net, float(temperature(t.mean.net, data))), os.path.join(a.out, "kinds.onnx"), (3, HIGH, PANELS * COLS), "flank", "kinds", {0: "n", 2: "h"})
    manifest.update(a.out, "kinds", "kinds.onnx", (3, HIGH, PANELS * COLS), [("kind", [str(k) for k in range(KINDS)])],
                    ["traced by models/train/tracer.py", "path-traced by models/train/tables", "tables of internal/lab/sim"], {**t.score, "samples": t.samples})


if __name__ == "__main__":
    main()
