"""The cameras and scenes that worlds.py makes and tops.py learns from.

Lengths are millimetres, x to the right, y away from the camera, z upwards from the felt.
"""
import glob
import math
import os

import numpy as np
import torch

from chip_worlds import BESIDE

ABOVE, MOST, BELOW = 3, 24, 2  # chips of the grid on which sides are unrolled (recognize/stack): a picture shows all of it
STACKS = 1 + BESIDE


class Camera:
    """Pinhole cameras of n pictures, from n x 15: eye, right, down, ahead, focal length and the picture's corner in pixels."""

    def __init__(self, c):
        self.eye, self.right, self.down, self.ahead = (c[:, k:k + 3] for k in (0, 3, 6, 9))
        self.focal, self.corner = c[:, 12], c[:, 13:15]

    @staticmethod
    def row(s, corner):
        """The n x 15 of scenes (chip_worlds.Scenes) whose pictures begin at corner (n x 2, pixels)."""
        return torch.cat([torch.stack(v, 1) for v in (s.eye, s.right, s.down, s.ahead)] + [s.focal[:, None], corner], 1)

    def project(self, p):
        """Pixels (n x ... x 2) of points (n x ... x 3)."""
        wide = lambda v: v.view(len(v), *[1] * (p.dim() - 2), *v.shape[1:])
        p = p - wide(self.eye)
        along = lambda axis: (p * wide(axis)).sum(-1)
        k = wide(self.focal) / along(self.ahead)
        return torch.stack([along(self.right) * k, along(self.down) * k], -1) - wide(self.corner)

    def toward(self, x, y):
        """Unit vector along the felt from places (n) towards the camera, n x 2."""
        g = torch.stack([self.eye[:, 0] - x, self.eye[:, 1] - y], 1)
        return g / g.norm(dim=1, keepdim=True).clamp(min=1e-6)

    def shifted(self, face, off):
        """Faces (n x 3) displaced by off (n x 3): to the right as seen from the camera, towards it along the felt, up."""
        t = self.toward(face[:, 0], face[:, 1])
        right = torch.stack([-t[:, 1], t[:, 0]], 1)
        return torch.cat([face[:, :2] + off[:, :1] * right + off[:, 1:2] * t, face[:, 2:] + off[:, 2:]], 1)


class Shards:
    """The scenes of a folder of worlds.py; every tenth shard is held back from training."""

    def __init__(self, folder):
        self.folder, self.known, self.train, self.held = folder, set(), [], []
        self.more()

    def more(self, most=10 ** 6):
        """Takes in the shards that have come since, up to most of them."""
        for path in sorted(set(glob.glob(os.path.join(self.folder, "*.npz"))) - self.known)[:most]:
            if path.endswith(".part.npz"): continue
            self.known.add(path)
            held = int(path[:-4].rsplit("-", 1)[1]) % 10 == 9
            (self.held if held else self.train).extend(scenes(path))
        if not self.held and len(self.train) > 1: self.held.append(self.train.pop())  # too few shards for a tenth

    def every(self):
        """All scenes, held back or not: of a folder that only measures."""
        return self.train + self.held


def scenes(path):
    """The scenes of one shard, each a dictionary of its tensors; `open` (STACKS) is the share of each upper face that shows."""
    with np.load(path) as z:
        z, at, out = {k: z[k] for k in z}, 0, []
    for i, (h, w) in enumerate(z["size"]):
        s = {k: torch.from_numpy(z[k][i]) for k in ("camera", "chip", "face", "foot", "count", "kinds")}
        s["picture"] = torch.from_numpy(z["picture"][at * 3:(at + h * w) * 3].reshape(h, w, 3))
        s["met"] = torch.from_numpy(z["met"][at:at + h * w].reshape(h, w))
        at += int(h * w)
        s["open"] = shares(s)
        out.append(s)
    return out


def nearer(s, x, y):
    """Which stacks of a scene (n x STACKS) stand nearer to the camera than places x, y (n), and not there."""
    eye = s["camera"][:2]
    own = (torch.stack([x, y], 1) - eye).norm(dim=1)
    each = (s["face"][:, :2] - eye).norm(dim=1)
    apart = torch.cdist(torch.stack([x, y], 1), s["face"][:, :2])
    return (each[None] < own[:, None]) & (apart > 0.8 * s["chip"][0]) & (s["count"] > 0)[None]


def bits(which):
    """n x STACKS booleans as the bytes of `met`."""
    return (which.long() << torch.arange(STACKS)).sum(-1).to(torch.uint8)


def shares(s):
    """Of each upper face, the share that no nearer stack hides and that lies in the picture."""
    h, w = s["met"].shape
    turn, far = torch.arange(16) * (math.pi / 8), torch.tensor((0.35, 0.65, 0.9))[:, None] * s["chip"][0] / 2
    ring = torch.stack([far * turn.cos(), far * turn.sin(), 0 * far * turn], 2).view(-1, 3)
    at = Camera(s["camera"][None].expand(STACKS, -1)).project(s["face"][:, None] + ring[None]).round().long()
    inside = (at >= 0).all(2) & (at[..., 0] < w) & (at[..., 1] < h)
    met = s["met"][at[..., 1].clamp(0, h - 1), at[..., 0].clamp(0, w - 1)]
    hidden = (met & bits(nearer(s, s["face"][:, 0], s["face"][:, 1]))[:, None]) > 0
    return (inside & ~hidden).float().mean(1) * (s["count"] > 0)
