"""Flanks of stacks for stack_side.py and stack_kinds.py: those that models/train/flanks unrolled, spliced and in other colours.

A flank is bytes of HIGH rows, STEP to a chip, and of PANELS pictures of COLS columns: what is
seen, the bare felt, what is known of each place, the colours of the face's kind and of its edge
(recognize/chip/flank.go). No network learns worlds by heart of which it never sees a stack twice.
"""
import hashlib
import json
import os

import numpy as np
import torch
import torch.nn.functional as F

HIGH, COLS, PANELS, STEP, ABOVE, MOST, KINDS = 108, 16, 5, 4, 4, 20, 8
NONE = -9.0  # in a palette: no kind
FOUND, ALL = (0.67, 0.33, 0), (0.2, 0.1, 0.7)  # shares of path-traced, drawn and made worlds
ASTRAY = 6  # mm beside its stack from which a face is none of it


def split(name):
    """Of a world or a table: t trains, v measures, c gives the temperature."""
    if made(name):
        return "t"
    return {0: "v", 1: "c"}.get(int(hashlib.md5(name.encode()).hexdigest(), 16) % 10, "t")


def drawn(name):
    """Whether the simulator drew it; Blender did otherwise."""
    return name.startswith("house")


def made(name):
    """Whether unrolled.py made it: worlds of which there is no end."""
    return name.startswith("made")


class Flanks:
    """Flanks of files as they grow: pictures and their truth."""

    def __init__(self, names):
        self.names, self.read = names, {}
        self.pix, self.rows, self.parts = [], [], {}
        self.more()

    def more(self):
        """Reads what came since; reports whether something did."""
        before, one = len(self.rows), HIGH * COLS * PANELS * 3
        for name in filter(lambda n: os.path.exists(n + ".jsonl"), self.names):
            with open(name + ".jsonl", encoding="utf-8") as f:
                lines = f.read().split("\n")[:-1]
            first, last = self.read.get(name, 0), min(len(lines), os.path.getsize(name + ".bin") // one)
            pix = np.fromfile(name + ".bin", np.uint8, (last - first) * one, offset=first * one)
            for p, line in zip(pix.reshape(-1, HIGH, PANELS, COLS, 3), lines[first:last]):
                row = json.loads(line)
                if row["off"] <= ASTRAY:
                    self.pix.append(p[:, :3].copy())
                    self.rows.append(told(row))
            self.read[name] = last
        self.parts = {k: [i for i, r in enumerate(self.rows) if split(r["set"]) == k] for k in "tvc"}
        return len(self.rows) > before

    def take(self, picks):
        """Those flanks as they are: pictures, counts, kinds by layer, palettes, kinds of the faces."""
        rows = [(self.pix[i], self.rows[i]["count"], kinds(self.rows[i]["chips"]), self.rows[i]["palette"], self.rows[i]["kind"])
                for i in picks]
        return tensors(rows)


def told(row):
    """What of a line is used."""
    code = lambda c: [int(c[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    palette = np.full((KINDS, 6), NONE, np.float32)
    for k, (face, edge) in enumerate(row["colors"][:KINDS]):
        palette[k] = code(face) + code(edge)
    return {"set": row["set"], "known": row["known"], "settled": row["settled"], "count": row["count"], "palette": palette,
            "kind": min(row["kind"], KINDS - 1), "chips": [c if c < KINDS else -1 for c in row["chips"]]}


def kinds(chips):
    out = np.full(MOST, -1, np.int64)
    out[:len(chips)] = chips[:MOST]
    return out


def tensors(rows):
    x, count, chips, palette, kind = (torch.from_numpy(np.stack(c)) for c in zip(*rows))
    x = x.permute(0, 2, 4, 1, 3).float() / 255  # n, picture, channel, row, column
    return (x[:, 0].flip(1), x[:, 1].flip(1), x[:, 2]), count, chips, palette, kind


class Pool:
    """Batches of the training worlds: path-traced, drawn and made ones, as far as there are some."""

    def __init__(self, flanks, seed, shares=ALL):
        self.shares, self.flanks, self.rng = shares, flanks, np.random.default_rng(seed)
        self.index()

    def index(self):
        """Flanks by world, and by whether its felt was known."""
        self.worlds = [{}, {}, {}]
        for i in self.flanks.parts["t"]:
            row = self.flanks.rows[i]
            part = 2 if made(row["set"]) else int(drawn(row["set"]))
            self.worlds[part].setdefault((row["set"], row["known"]), []).append(i)
        self.keys = [list(w) for w in self.worlds]
        share = np.array([(s + 1e-9) if k else 0 for s, k in zip(self.shares, self.keys)])  # of those that there are
        self.share = share / share.sum()

    def batch(self, size):
        return augmented(*tensors([self.spliced() for _ in range(size)]))

    def spliced(self):
        """A flank, or the upper part of one over the lower of another of its world, or of its own: the
        stack is higher or lower by that, and its light, felt and neighbours stay."""
        rng, rows, pix = self.rng, self.flanks.rows, self.flanks.pix
        part = rng.choice(3, p=self.share)
        mine = self.worlds[part][self.keys[part][rng.integers(len(self.keys[part]))]]
        i = mine[rng.integers(len(mine))]
        row, u = rows[i], rng.random()
        plain = (pix[i], row["count"], kinds(row["chips"]), row["palette"], row["kind"])
        j = i if u < 0.7 or part == 2 else mine[rng.integers(len(mine))]
        n, m = row["count"], rows[j]["count"]
        if u < 0.3 or n == 0 or m == 0:
            return plain
        above, left = int(rng.integers(1, n + 1)), int(rng.integers(0, m))  # chips of the one; of the other that are left out
        if j == i and rng.random() < 0.5:  # by one or two: what is confused
            left = int(np.clip(above + rng.integers(-2, 3), 0, m - 1))
        count = above + m - left
        if count > MOST:
            return plain
        jog = int(rng.integers(-1, 2)) if rng.random() < 0.15 else 0
        x = np.concatenate([pix[i][:STEP * (ABOVE + above)], pix[j][max(0, STEP * (ABOVE + left) + jog):]])[:HIGH]
        x = np.concatenate([x, np.repeat(x[-1:], HIGH - len(x), 0)])
        return x, count, kinds(row["chips"][:above] + rows[j]["chips"][left:]), row["palette"], row["kind"]


def augmented(parts, count, chips, palette, kind):
    """Other colours, lights, lenses, sides and faces found a little beside their place."""
    seen, felt, known = (p.clone() for p in parts)
    n = len(seen)
    on = seen.device
    chance = lambda p: torch.rand(n, device=on) < p
    normal = lambda of, *shape: torch.randn(n, *shape, device=on) * of
    one = torch.eye(3, device=on)
    mix = one + normal(0.25, 3, 3) * chance(0.7)[:, None, None]
    mix = torch.bmm(mix, one[torch.rand(n, 3, device=on).argsort(1)])
    mix = mix / mix.sum(2, keepdim=True).clamp(min=0.5)
    gamma, gain = torch.exp(normal(0.15, 1, 1)), torch.exp(normal(0.15, 1, 1))
    paint = lambda v: torch.bmm(mix, v.reshape(n, 3, -1)).clamp(0, 1.2).pow(gamma) * gain
    seen, felt = paint(seen).view_as(seen), paint(felt).view_as(felt)
    pairs = paint(palette.clamp(min=0).view(n, 2 * KINDS, 3).transpose(1, 2)).transpose(1, 2).reshape(n, KINDS, 6)
    palette = torch.where(palette[:, :, :1] < -1, palette, pairs)
    # The picture's light is neither the palette's nor that of the empty table.
    seen = seen * torch.exp(normal(0.05, 3, 1, 1)) + normal(0.015, 1, 1, 1)
    felt = felt * torch.exp(normal(0.02, 1, 1, 1))
    seen = seen * (1 + torch.linspace(-1, 1, COLS, device=on) * normal(0.08, 1, 1, 1))
    soft = torch.rand(n, 1, 1, 1, device=on) * 0.6 * chance(0.5)[:, None, None, None]
    up, down = F.pad(seen[:, :, 1:], (0, 0, 0, 1), "replicate"), F.pad(seen[:, :, :-1], (0, 0, 1, 0), "replicate")
    seen = (1 - soft) * seen + soft * (up + down) / 2
    seen = seen + torch.randn_like(seen) * 0.03 * torch.rand(n, 1, 1, 1, device=on)
    flip, lost = chance(0.5), chance(0.25)
    where = lambda m, a, b: torch.where(m[:, None, None, None], a, b)
    seen, felt, known = (where(flip, v.flip(-1), v) for v in (seen, felt, known))
    felt = where(lost, felt.flatten(2).median(2).values[..., None, None].expand_as(felt), felt)
    half = torch.full_like(known[:, :1], 0.5)
    known = torch.cat([where(chance(0.3), half, known[:, :1]), where(chance(0.3), half, known[:, 1:2]),
                       where(lost, known[:, 2:].clamp(max=0.5), known[:, 2:])], 1)
    u = torch.rand(n, device=on)
    for by, m in ((-1, u < 0.13), (1, u > 0.87)):
        seen, felt, known = (where(m, v.roll(by, 2), v) for v in (seen, felt, known))
    return (seen.clamp(0, 1), felt.clamp(0, 1), known), count, chips, palette, kind
