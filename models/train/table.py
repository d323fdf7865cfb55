"""What can be cut out of the stock of drawn scenes and patches to learn from (stock.py), batch by batch."""
import numpy as np
import torch

import cutting
import patches
import scenes
import stock

LEAST = (0.5, 0.7)   # visible share of a corner that is to be found: with an index, without one
OPEN = (0.15, 0.15)  # of one that may be found or not
SMALL = 40           # short sides in pixels: smaller ones are hardly to be read, and few of them enough
UNDER = 0.25         # a card of which less is seen is not named by its face
ELSEWHERE = 0.45     # a place so far from every index shows none, in short sides
RANK_NONE = patches.IDX_RANKS.index("none")


class Table:
    """What can be cut out of a ring of scenes: places (scene, card, corner) by what is to be learned there."""

    def __init__(self, ring):
        self.ring = ring

    def look(self):
        """Lists the places anew, of all that was drawn by now."""
        n = self.ring.count
        self.pics, self.quad, self.face, self.corner = (r[:n] for r in self.ring.rows)
        kind, seen, _, _, rs, ss = self.corner.unbind(-1)
        q = self.quad
        short = torch.minimum((q[:, :, 1] - q[:, :, 0]).norm(dim=-1), (q[:, :, 2] - q[:, :, 1]).norm(dim=-1))[..., None]
        large = (short >= SMALL) | ((short >= 26) & (torch.rand_like(short) < 0.35))
        index = (kind == scenes.INDEX) & large & ((rs >= stock.SHOWN) | (ss >= stock.SHOWN))
        whole = torch.minimum(rs, ss) >= stock.FREE
        flat = lambda m: m.reshape(-1).nonzero()[:, 0]
        self.whole, self.part = flat(index & whole), flat(index & ~whole)
        self.plain = flat((kind == scenes.PLAIN) & large & (seen >= stock.FREE))
        self.faces = flat((self.face[..., :1] >= 0) & (self.face[..., 1:] >= UNDER) & (seen >= 0.6) & (kind >= 0) & large)
        self.fits = flat((kind >= 0) & (seen >= 0.5) & (short > 24))
        self.cards = flat((kind >= 0) & large)

    def some(self, places, n):
        """n of the places: scene, card, corner."""
        at = places[torch.randint(len(places), (n,), device=places.device)]
        return at // (stock.CARDS * 4), at // 4 % stock.CARDS, at % 4

    def indices(self, n):
        """Crops of corners with rank and suit; -1: too little of it is seen."""
        a, b, c = int(0.45 * n), int(0.3 * n), int(0.13 * n)
        parts = [self.some(p, k) for p, k in ((self.whole, a), (self.part, b), (self.plain, c)) if len(p)]
        i, j, k = (torch.cat(v) for v in zip(*parts))
        quad, said = self.quad[i, j], self.corner[i, j, k]
        x = cutting.indices(self.pics, i, cutting.supposed(quad, k), k)
        index = said[:, 0] == scenes.INDEX
        rank = torch.where(index & (said[:, 4] < stock.SHOWN), -1, said[:, 2].long())
        suit = torch.where(index & (said[:, 5] < stock.SHOWN), -1, said[:, 3].long())
        e, rank2, suit2 = self.elsewhere(n - len(i))
        return torch.cat([x, e]), torch.cat([rank, rank2]), torch.cat([suit, suit2])

    def elsewhere(self, n):
        """Crops of places on or near cards where no index stands; of the few that have one nothing is told."""
        i, j, _ = self.some(self.cards, n)
        q, dev = self.quad[i, j], self.quad.device
        s, l = q[:, 1] - q[:, 0], q[:, 3] - q[:, 0]
        u = torch.rand(n, 2, device=dev) * 1.4 - 0.3
        apex = q[:, 0] + u[:, :1] * s + u[:, 1:] * l
        t = torch.randint(4, (n,), device=dev) * (np.pi / 2) + torch.randn(n, device=dev) * 0.1
        t = torch.where(torch.rand(n, device=dev) < 0.3, torch.rand(n, device=dev) * 2 * np.pi, t)
        c, d = t.cos()[:, None], t.sin()[:, None]
        turn = lambda v: torch.cat([v[:, :1] * c - v[:, 1:] * d, v[:, :1] * d + v[:, 1:] * c], 1)
        s, l = turn(s), turn(l)
        quad = torch.stack([apex, apex + s, apex + s + l, apex + l], 1)
        mark = apex + scenes.MARK[0] * s + scenes.MARK[1] * l
        all_ = self.quad[i].reshape(-1, 4, 2).repeat_interleave(4, 0)
        a, v, w = cutting.sides(all_, torch.arange(4, device=dev).repeat(len(all_) // 4))
        marks = (a + scenes.MARK[0] * v + scenes.MARK[1] * w).reshape(n, -1, 2)
        seen = (self.corner[i][..., 1] > 0.05).reshape(n, -1)
        near = ((marks - mark[:, None]).norm(dim=-1) < ELSEWHERE * s.norm(dim=1)[:, None]) & seen
        out = near.any(1) | ((apex < 0) | (apex > scenes.SIZE)).any(1)
        x = cutting.indices(self.pics, i, quad, torch.zeros(n, dtype=torch.long, device=dev))
        return x, torch.where(out, -1, RANK_NONE), torch.full((n,), -1, dtype=torch.long, device=dev)

    def faced(self, n):
        i, j, k = self.some(self.faces, n)
        return cutting.faces(self.pics, i, cutting.supposed(self.quad[i, j], k)), self.face[i, j, 0].long()

    def fitted(self, n):
        i, j, k = self.some(self.fits, n)
        true = cutting.sides(self.quad[i, j], k)
        frame = cutting.shaken(*true)
        return cutting.fields(self.pics, i, frame), cutting.moves(frame, true)

    def scenes(self, n):
        i = torch.randint(len(self.pics), (n,), device=self.pics.device)
        x, quad = cutting.turned(self.pics, i, self.quad[i])
        return x, quad, self.corner[i]


def targets(quad, told):
    dev = quad.device
    return cutting.targets(quad, told, torch.tensor(LEAST, device=dev), torch.tensor(OPEN, device=dev))


class Patches:
    """What can be taken of a ring of rectified cards."""

    def __init__(self, ring):
        self.ring = ring

    def indices(self, n):
        _, _, crops, said = (r[:self.ring.count] for r in self.ring.rows)
        i, k = torch.randint(len(crops), (n,), device=crops.device), torch.randint(2, (n,), device=crops.device)
        return cutting.nudged(crops[i, k].permute(0, 3, 1, 2).float() / 255), said[i, k, 0].long(), said[i, k, 1].long()

    def faced(self, n):
        x, f = (r[:self.ring.count] for r in self.ring.rows[:2])
        i = torch.randint(len(x), (n,), device=x.device)
        return cutting.nudged(x[i].permute(0, 3, 1, 2).float() / 255), f[i].long()
