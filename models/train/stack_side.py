"""Trains the reader of a stack's side under a calibrated camera and exports it as ONNX.

  /usr/bin/python3 models/train/stack_side.py --out models --flanks NAME[,NAME...]

side.onnx: a flank (flanks.py; 3 x HIGH x PANELS*COLS) -> 1 + MOST logits: of there being no stack,
and of each height: the mean of two networks, a small one that never saw made worlds (unrolled.py) and a large
one that saw them mostly; they err apart. The flanks are NAME.bin and NAME.jsonl of models/train/flanks, path-traced
and drawn, and of unrolled.py; files that grow are read on. Whole worlds are held back.
"""
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import flanks
import learn
import manifest
from flanks import ABOVE, COLS, HIGH, KINDS, MOST, PANELS

ROOM = 15  # channels of what the network is shown of each place
TOLD = 500  # batches between looks for new flanks
SMALL, LARGE = (24, 32, 48, (1, 2, 4, 2, 1)), (32, 64, 96, (1, 2, 4, 8, 4, 2, 1, 1))  # channels, and rows between those a block sees


class Block(nn.Module):
    def __init__(self, wide, hole):
        super().__init__()
        self.across, self.first = nn.Conv2d(wide, wide, (3, 1), 1, (hole, 0), (hole, 1), bias=False), nn.BatchNorm2d(wide)
        self.over, self.second = nn.Conv2d(wide, wide, 1, bias=False), nn.BatchNorm2d(wide)

    def forward(self, x):
        return x + F.dropout(self.second(self.over(F.relu(self.first(self.across(x))))), 0.1, self.training)


class Side(nn.Module):
    """Sees a few chips at a time, and says of each layer whether it is a chip, of each joint whether it
    is the foot. A height is the chips down to it and its foot: no stack is known as a whole."""

    def __init__(self, first, second, wide, holes):
        super().__init__()
        def step(i, o, kernel, stride, pad):
            return [nn.Conv2d(i, o, kernel, stride, pad, bias=False), nn.BatchNorm2d(o), nn.ReLU()]
        self.enter = nn.Sequential(*step(ROOM, first, 3, (1, 2), 1), *step(first, second, (4, 3), 2, 1), *step(second, wide, (3, 4), 1, (1, 0)))
        self.body = nn.Sequential(*(Block(wide, h) for h in holes))
        self.layer, self.foot = nn.Conv2d(wide, 8, (2, 1), (2, 1)), nn.Conv2d(wide, 1, (4, 1), (2, 1), (1, 0))
        self.none = nn.Conv2d(2 * wide, 1, 1)
        self.register_buffer("down", torch.triu(torch.ones(MOST, MOST)), False)

    def forward(self, x):
        """Logits of 0 to MOST chips, and of each layer its colours and how sure they are."""
        counts, layers = self.heads(x)
        return torch.cat([counts, layers.flatten(1)], 1)

    def heads(self, x):
        h = F.relu(self.body(self.enter(x)))
        layers = self.layer(h)[:, :, ABOVE:ABOVE + MOST]
        chip = -torch.log(1 + torch.exp(-layers[:, :1].flatten(1) - 2))
        foot = self.foot(h)[:, :, ABOVE:ABOVE + MOST].flatten(1)
        top = h[:, :, 2 * (ABOVE - 1):2 * (ABOVE + 2)]
        none = self.none(torch.cat([F.avg_pool2d(top, (6, 1)), F.max_pool2d(top, (6, 1))], 1)).flatten(1)
        return torch.cat([none, chip @ self.down + foot], 1), layers[:, 1:]


class Mean(nn.Module):
    """What networks say together."""

    def __init__(self, *nets):
        super().__init__()
        self.nets = nn.ModuleList(nets)

    def heads(self, x):
        return [sum(v) / len(self.nets) for v in zip(*(n.heads(x) for n in self.nets))]

    def forward(self, x):
        return self.heads(x)[0]


def shown(seen, felt, known, body, edge):
    """What the network is shown: pictures, what differs in them, and what is known of each place."""
    most = lambda v: torch.max(torch.max(v[:, 0:1], v[:, 1:2]), v[:, 2:3])
    mean = lambda v: (v[:, 0:1] + v[:, 1:2] + v[:, 2:3]) / 3
    over = lambda v, least: 1 - F.relu(1 - 1000 * F.relu(v - least))  # 0 or 1
    taken, bare = 1 - over(known[:, 2:3], 0.1), over(known[:, 2:3], 0.9)
    away = torch.min(most((seen - body).abs()), most((seen - edge).abs()))
    light = mean(seen)
    slope = torch.cat([(light[:, :, 1:] - light[:, :, :-1]) * 4, light[:, :, -1:] * 0], 2)
    return torch.cat([seen - 0.5, felt - 0.5, known[:, 1:2] - 0.5, taken, bare, most((seen - felt).abs()), away, slope,
                      light - mean(body), 3 * mean(seen - felt), known[:, 0:1] - 0.5], 1)


def stood(parts, palette, kind):
    """shown() of flanks whose faces are of a kind of a palette."""
    face = palette[torch.arange(len(kind), device=kind.device), kind][:, :, None, None].expand(-1, 6, HIGH, COLS)
    return shown(*parts, face[:, :3], face[:, 3:])


class Exported(nn.Module):
    """The network as the program runs it: on a flank's bytes, with its temperature."""

    def __init__(self, net, scale):
        super().__init__()
        self.net, self.scale = net, scale

    def forward(self, x):
        seen, felt, known, body, edge = (x[:, :, :, i * COLS:(i + 1) * COLS] for i in range(PANELS))
        turned = lambda v: torch.cat([v[:, 2:3], v[:, 1:2], v[:, 0:1]], 1)
        return self.net.heads(shown(turned(seen), turned(felt), known, turned(body), turned(edge)))[0] * self.scale


def similar(layers, palette):
    """Logits of each kind, layer by layer."""
    layers = layers.view(-1, 7, MOST)
    sure = torch.exp(layers[:, 6].clamp(-2, 6))
    return -sure[..., None] * ((layers[:, :6].transpose(1, 2)[:, :, None] - palette[:, None]) ** 2).sum(3)


def losses(out, count, chips, palette):
    return (F.cross_entropy(out[:, :MOST + 1], count, label_smoothing=0.02),
            F.cross_entropy(similar(out[:, MOST + 1:], palette).reshape(-1, KINDS), chips.reshape(-1), ignore_index=-1))


@torch.no_grad()
def told(net, data, picks):
    """Logits and true counts of flanks as they are."""
    out = []
    for i in range(0, len(picks), 128):
        parts, count, _, palette, kind = data.take(picks[i:i + 128])
        out.append((net(stood(parts, palette, kind))[:, :MOST + 1], count))
    return [torch.cat(v) for v in zip(*out)] if out else (torch.zeros(0, MOST + 1), torch.zeros(0, dtype=torch.int64))


def held(data, part, house):
    return [i for i in data.parts[part] if flanks.drawn(data.rows[i]["set"]) == house and not data.rows[i]["settled"]][:2000]


def temperature(net, data):
    """What logits are multiplied by so that worlds kept for that are likeliest."""
    logits, count = told(net, data, held(data, "c", False) + held(data, "c", True))
    return min(np.linspace(0.3, 1.5, 49), key=lambda t: float(F.cross_entropy(logits * t, count))) if len(count) else 1.0


def validate(net, data):
    net.eval()
    scale, out = temperature(net, data), {}
    for name, house in (("traced", False), ("house", True)):
        logits, count = told(net, data, held(data, "v", house))
        if not len(count):
            continue
        p, at = (logits * scale).softmax(1).max(1)
        sure, right = p > 0.95, at == count
        for key, v in (("count", right[count > 0].float().mean()), ("sure", sure.float().mean()),
                       ("wrong", (sure & ~right).sum() / sure.sum().clamp(min=1)), ("loss", F.cross_entropy(logits * scale, count))):
            out[f"{name}_{key}"] = round(float(v), 4)
    return out


def learned(name, net, shares, data, a):
    """The training of a network on shares of path-traced, drawn and made worlds, done."""
    t = learn.Training(name, net, a, keep=0.995, layout=torch.contiguous_format)
    pool, batches = flanks.Pool(data, a.seed + t.samples, shares), 0

    def batch():
        nonlocal batches
        batches += 1
        if batches % TOLD == 0 and data.more():
            pool.index()
        parts, count, chips, palette, kind = pool.batch(64)
        return stood(parts, palette, kind), count, chips, palette

    t.run(batch, losses, (1, 0.3), lambda net: validate(net, data), every=100, rise=100)
    return t


def main():
    ap = learn.options(minutes=60, rate=2e-3)
    ap.add_argument("--flanks", required=True, help="names of files of models/train/flanks and unrolled.py, with commas between")
    a = ap.parse_args()
    learn.start(a)
    a.minutes /= 2
    data = flanks.Flanks(a.flanks.split(","))
    all = [learned("side-small", Side(*SMALL), flanks.FOUND, data, a), learned("side", Side(*LARGE), flanks.ALL, data, a)]
    both = Mean(*(t.mean for t in all)).eval()
    scale = float(temperature(both, data))
    learn.export(Exported(both, scale), os.path.join(a.out, "side.onnx"), (3, HIGH, PANELS * COLS), "flank", "side", {0: "n"})
    manifest.update(a.out, "side", "side.onnx", (3, HIGH, PANELS * COLS), [("count", [str(n) for n in range(MOST + 1)])],
                    ["traced by models/train/tracer.py", "path-traced by models/train/tables", "tables of internal/lab/sim"],
                    {**validate(both, data), "samples": sum(t.samples for t in all)})


if __name__ == "__main__":
    main()
