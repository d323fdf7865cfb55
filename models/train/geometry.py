"""The unrolled side of a stack: what the trainings of sides and tops, and the worlds they learn from, share.

Lengths are millimetres, x to the right, y away from the camera, z upwards from the felt. The grid is that of the reader
(recognize/stack): 8 rows per chip from 3 chips above the face to 2 below the foot of a stack of 24, and 32 columns over
0.9 pi of the visible side, from left to right.
"""
import glob
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

from chip_worlds import BESIDE

STEP, ABOVE, MOST, BELOW, COLS = 8, 3, 24, 2, 32
HIGH = STEP * (ABOVE + MOST + BELOW)
SPAN = 0.9 * math.pi
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

    def between(self, face, true):
        """The displacement, as of shifted(), that takes faces to their true places."""
        t = self.toward(face[:, 0], face[:, 1])
        d = true - face
        return torch.stack([t[:, 0] * d[:, 1] - t[:, 1] * d[:, 0], (t * d[:, :2]).sum(1), d[:, 2]], 1)

    def view(self, face, thick, radius):
        """What the network is given of a view, n x 2: log of the pixels per chip on the nearest side, and the elevation in radians."""
        t = self.toward(face[:, 0], face[:, 1])
        near = torch.cat([face[:, :2] + t * radius[:, None], face[:, 2:] / 2], 1)
        up = near.clone()
        up[:, 2] += thick
        pixels = (self.project(near) - self.project(up)).norm(dim=1)
        flat = (self.eye[:, :2] - face[:, :2]).norm(dim=1)
        return torch.stack([pixels.clamp(min=0.05).log(), torch.atan2(self.eye[:, 2] - face[:, 2], flat)], 1)


def places(camera, face, thick, diameter):
    """Pixels of the grid under faces (n x 3: place and height of the middle of the upper face), n x HIGH x COLS x 2."""
    n = len(face)
    depth = ((torch.arange(HIGH) + 0.5) / STEP - ABOVE)[None] * thick[:, None]
    t = camera.toward(face[:, 0], face[:, 1])
    a = torch.atan2(t[:, 1], t[:, 0])[:, None] + ((torch.arange(COLS) + 0.5) / COLS - 0.5)[None] * SPAN
    r = diameter[:, None] / 2
    x, y = face[:, :1] + r * a.cos(), face[:, 1:2] + r * a.sin()
    z = face[:, 2:] - depth
    wide = lambda v: v[:, None, :].expand(n, HIGH, COLS)
    return camera.project(torch.stack([wide(x), wide(y), z[:, :, None].expand(n, HIGH, COLS)], -1))


def sampled(picture, at):
    """Of one picture (c x h x w) what is at pixels (... x 2), c x ...; and whether each lies inside."""
    h, w = picture.shape[1:]
    flat = at.reshape(1, 1, -1, 2)
    grid = (flat + 0.5) / torch.tensor((w, h)) * 2 - 1
    got = F.grid_sample(picture[None], grid, mode="bilinear", padding_mode="border", align_corners=False)
    inside = (grid.abs() <= 1).all(-1)
    return got.view(-1, *at.shape[:-1]), inside.view(at.shape[:-1])


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


def unrolled(s, face, thick, diameter, hiding):
    """Sides under faces (n x 3) of one scene, n x 4 x HIGH x COLS, 0 to 1; hiding (n x STACKS): stacks known to hide."""
    n = len(face)
    at = places(Camera(s["camera"][None].expand(n, -1)), face, thick, diameter)
    colour, inside = sampled(s["picture"].permute(2, 0, 1).float() / 255, at)
    hidden = torch.stack([sampled(((s["met"] & b) > 0).float()[None], p)[0][0] for b, p in zip(bits(hiding), at)])
    return torch.cat([colour.transpose(0, 1), torch.where(inside, hidden, 1.0)[:, None]], 1)
