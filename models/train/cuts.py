"""Samples for the card networks cut out of whole scenes (scenes.py): cards under
others, of which the reader sees a corner and supposes the rest.

The card's frame is off as one supposed from a corner is: right at the corner,
wrong in size and turn farther away.
"""
import numpy as np

import patches
import scenes

SEEN = 0.9       # least visible share of a corner's index field
SMALL = 40       # short sides in pixels: smaller ones are hardly to be read, and few of them enough
UNDER = 0.25     # a card of which less is seen is not named by its face
AT_MOST = 4      # cards of one scene: its samples are alike
ELSEWHERE = 0.45  # a place so far from every index shows none, in short sides


class Cuts:
    """Draws samples as patches.Source does. scenes: where from; most: cards of one scene."""

    def __init__(self, scenes_, most=AT_MOST):
        self.scenes, self.rng, self.most = scenes_, scenes_.rng, most

    def samples(self):
        while True:
            img, cards, ids = self.scenes.laid()
            for n in self.rng.permutation(len(cards))[:self.most]:
                yield from self._card(img, cards, ids, int(n))
            if cards and self.rng.random() < 0.4:
                yield from self._elsewhere(img, cards)

    def _card(self, img, cards, ids, n):
        card, rng = cards[n], self.rng
        free = [k for k, c in enumerate(card.corners) if c[1] >= SEEN]
        if not free or _short(card.quad) < (SMALL if rng.random() < 0.8 else 28):
            return
        crops, rect = [], None
        for k in rng.choice(free, 2, replace=len(free) < 2):
            rect = patches.cut(img, supposed(rng, card.quad, k))
            crops.append((patches.corner_crop(rect, k), *_said(card, k)))
        if rng.random() < 0.5:
            rect = rect[::-1, ::-1]
        known = card.label in patches.FACE_CLASSES and _share(ids, n + 1, card.quad) >= UNDER
        yield rect, patches.FACE_CLASSES.index(card.label) if known else -1, crops

    def _elsewhere(self, img, cards):
        """A place on or near a card where no index stands."""
        rng = self.rng
        q = cards[rng.integers(len(cards))].quad
        s, l = q[1] - q[0], q[3] - q[0]
        apex = q[0] + rng.uniform(-0.3, 1.1) * s + rng.uniform(-0.3, 1.1) * l
        t = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else np.pi / 2 * rng.integers(4) + rng.uniform(-0.15, 0.15)
        turn = np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])
        s, l = s @ turn, l @ turn
        short = np.linalg.norm(s)
        if not ((apex > 0) & (apex < scenes.SIZE)).all():
            return
        at = apex + scenes.MARK[0] * s + scenes.MARK[1] * l
        for card in cards:
            for _, seen, a, u, v in card.corners:
                if seen > 0.1 and np.linalg.norm(a + scenes.MARK[0] * u + scenes.MARK[1] * v - at) < ELSEWHERE * short:
                    return
        rect = patches.cut(img, np.float32([apex, apex + s, apex + s + l, apex + l]))
        none = patches.IDX_RANKS.index("none"), -1
        yield rect, -1, [(patches.corner_crop(rect, 0), *none)] * 2


def supposed(rng, quad, k):
    """The card's frame as a reader supposes it that sees corner k."""
    s, l = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    flat = (unit - unit[k]) @ np.array([s, l])  # without perspective: what one corner tells
    q = flat if rng.random() < 0.7 else quad - quad[k]
    short = np.linalg.norm(s)
    rough = rng.choice([0.5, 1.0, 1.6])  # as measured by its neighbours, as fitted, as first supposed
    size = np.exp(rng.normal(0, 0.09) * rough + rng.normal(0, [0.07, 0.04]) * rough)
    t = rng.normal(0, 0.06) * rough + rng.normal(0, 0.03, 2) * rough
    along = np.array([s, [-s[1], s[0]] if np.cross(s, l) > 0 else [s[1], -s[0]]]) / short
    turned = np.array([[np.cos(t[0]), np.sin(t[0])], [-np.sin(t[1]), np.cos(t[1])]]) * size[:, None]
    q = q @ np.linalg.inv(along) @ turned @ along
    e = rng.uniform(-0.02, 0.02, (4, 2)) * short
    return np.float32(quad[k] + q + rng.normal(0, 0.025, 2) * rough * short + e)


def _said(card, k):
    """Rank and suit class of corner k; -1: not known."""
    if card.label.endswith("?"):
        return patches.IDX_RANKS.index(card.label[0]), -1
    if card.kinds[k] == scenes.INDEX:
        return patches.index_of(card.label, True)
    return patches.bare_of(card.label, card.bare and k in (0, 2))


def _short(q):
    return min(np.linalg.norm(q[1] - q[0]), np.linalg.norm(q[2] - q[1]))


def _share(ids, n, q):
    """The visible share of card n, by a grid of points."""
    u = np.array([[(i + 0.5) / 6, (j + 0.5) / 8] for i in range(6) for j in range(8)])
    p = np.floor(q[0] + u[:, :1] * (q[1] - q[0]) + u[:, 1:] * (q[3] - q[0])).astype(int)
    ok = (p >= 0).all(1) & (p < scenes.SIZE).all(1)
    return sum(ids[y, x] == n for x, y in p[ok]) / len(p)
