"""Scenes to learn free corners on: many cards on one table, as a camera sees them.

A scene is a square picture with the corners of its cards that lie free. A
corner is told by the card's own frame there: the apex (where its two sides would
meet), the short side's vector and the long side's vector, both pointing into
the card, in pixels. Cards lie apart, in pairs, rows, cascades, fans and heaps,
under chips, dice and sleeves, on felts, rooms and print.
"""
import json
import os

import cv2
import numpy as np

import decks
import patches

SIZE = 288
STRIDE = 4
FAN = 13              # most cards of a fan
LONG = 1.4            # a card's long side over its short one
MARK = (0.13, 0.10)   # where the network marks a corner, in short and long sides from the apex
INDEX, PLAIN = 0, 1   # kinds of corner: with an index, without one (backs, bare corners)
SHORTS = (34, 125)    # short sides in pixels
_UNIT = np.array([[0, 0], [1, 0], [1, LONG], [0, LONG]], np.float32)
_CARD = np.array([[0, 0], [decks.CARD_W, 0], [decks.CARD_W, decks.CARD_H], [0, decks.CARD_H]], np.float32)


class Scenes:
    """Draws scenes. rooms: pictures without cards; photos: as patches.Source takes them."""

    def __init__(self, seed, artwork, own=None, photos=(), rooms=(), pool=8):
        self.src = patches.Source(seed, artwork, (), pool=pool, own=own)
        self.rng = self.src.rng
        self.photos, self.rooms = list(photos), list(rooms)

    def scene(self):
        """A picture, SIZE x SIZE BGR, and its corners: (kind, seen, apex, short vector, long vector),
        seen the visible share of the corner's index field."""
        img, cards, _ = self.laid()
        return img, [c for card in cards for c in card.corners]

    def laid(self):
        """A picture, SIZE x SIZE BGR, the cards in it, lowest first, and per pixel the number of
        the card that lies uppermost there (the first is 1; 0: none, -1: a chip or a sleeve)."""
        rng = self.rng
        if rng.random() < patches.RENEWED:
            self.src.renew()
        img = self._ground()
        ids = np.zeros((SIZE, SIZE), np.int16)
        short = np.exp(rng.uniform(np.log(SHORTS[0]), np.log(SHORTS[1])))
        H = self._camera(short)
        deck = self.src.deck()
        cards = []
        for pose in layout(rng, SIZE / short):
            face, four = self._card(deck)
            q = project(H, pose)
            cards.append(Laid(face[0], q, corner_kinds(face, four), deck.get("bare", False)))
            self._lay(img, ids, face[1], q, len(cards))
        self._clutter(img, ids, short)
        for n, card in enumerate(cards, 1):
            card.corners = seen_corners(ids, n, card)
        return degrade(img, rng), cards, ids

    def _ground(self):
        rng = self.rng
        k = rng.random()
        if self.rooms and k < 0.4:
            room = self.rooms[rng.integers(len(self.rooms))]
            s = rng.uniform(0.5, 1.0) * min(room.shape[:2])
            y, x = rng.uniform(0, room.shape[0] - s), rng.uniform(0, room.shape[1] - s)
            img = cv2.resize(room[int(y):int(y + s), int(x):int(x + s)], (SIZE, SIZE), interpolation=cv2.INTER_AREA)
            return np.ascontiguousarray(np.rot90(img, rng.integers(4)))
        if k < 0.55:
            return np.ascontiguousarray(decks._pattern(SIZE, SIZE, rng))
        return patches.background(rng, SIZE, SIZE, prints=0.6)

    def _camera(self, short):
        """Table (unit: short side, origin in the middle) to picture."""
        rng = self.rng
        a, b = rng.uniform(0, 2 * np.pi, 2)
        squash = 1 if rng.random() < 0.4 else rng.uniform(0.5, 1)
        rot = lambda t: np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
        H = np.eye(3)
        H[:2, :2] = rot(a) @ np.diag([1, squash]) @ rot(b) * short
        H[2, :2] = rng.uniform(-0.04, 0.04, 2) * (rng.random() < 0.6)
        H[:2, 2] = 0
        return np.array([[1, 0, SIZE / 2], [0, 1, SIZE / 2], [0, 0, 1]]) @ H

    def _card(self, deck):
        """((label, picture), four) of a card of the deck."""
        rng = self.rng
        if self.photos and rng.random() < 0.12:
            img, label, four = self.photos[rng.integers(len(self.photos))]
            h, w = img.shape[:2]
            return (label, img[int(h * 0.1):int(h * 0.9), int(w * 0.1):int(w * 0.9)]), four
        if rng.random() < 0.12:
            back = decks.draw_back(rng) if rng.random() < 0.5 else deck["BK"]
            return ("BK", back), False
        labels = patches.labels_of(deck)
        label = labels[rng.integers(len(labels))]
        if "Jk" in deck and rng.random() < 0.02:
            label = "Jk"
        return (label, deck[label]), deck.get("four", False) if not deck.get("bare", False) else None

    def _lay(self, img, ids, face, q, number):
        """Warps the card into the picture and its number into ids."""
        side = max(np.linalg.norm(q[1] - q[0]), np.linalg.norm(q[2] - q[3]), 8)
        k = min(1.0, 1.6 * side / face.shape[1])
        if k < 1:
            face = cv2.resize(face, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        h, w = face.shape[:2]
        lo = np.floor(q.min(0)).astype(int) - 1
        hi = np.ceil(q.max(0)).astype(int) + 2
        x0, y0, x1, y1 = max(0, lo[0]), max(0, lo[1]), min(SIZE, hi[0]), min(SIZE, hi[1])
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        M = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), np.float32(q - [x0, y0]))
        warped = cv2.warpPerspective(face, M, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(rounded(h, w, self.rng.uniform(0.03, 0.07)), M, (x1 - x0, y1 - y0))
        a = (mask[..., None] / 255.0).astype(np.float32)
        part = img[y0:y1, x0:x1]
        if self.rng.random() < 0.7:  # the card's shadow: what tells one card's edge on another
            d = self.rng.uniform(0.5, 2.5, 2) * side / 60
            s = cv2.warpAffine(mask, np.float32([[1, 0, d[0]], [0, 1, d[1]]]), (x1 - x0, y1 - y0))
            s = cv2.GaussianBlur(s, (0, 0), 0.5 + side / 80)[..., None] / 255.0
            part[:] = (part * (1 - self.rng.uniform(0.15, 0.6) * s)).astype(np.uint8)
        part[:] = (part * (1 - a) + warped * a).astype(np.uint8)
        ids[y0:y1, x0:x1][mask > 127] = number

    def _clutter(self, img, ids, short):
        """Chips, dice and sleeves over the cards."""
        rng = self.rng
        for _ in range(rng.integers(0, 5) if rng.random() < 0.35 else 0):
            c = tuple(int(v) for v in rng.uniform(0, SIZE, 2))
            r = int(short * rng.uniform(0.15, 0.35))
            patches.chip(img, c, r, rng)
            cv2.circle(ids, c, r, -1, -1)
        if rng.random() < 0.12:
            p, q = rng.uniform(-0.2, 1.2, 2) * SIZE, rng.uniform(0.2, 0.8, 2) * SIZE
            wide = int(short * rng.uniform(0.2, 0.9)) + 1
            col = tuple(int(v) for v in np.array([[110, 140, 190], [30, 30, 30], [200, 200, 205], [60, 80, 120]][rng.integers(4)]) + rng.integers(-25, 25, 3))
            cv2.line(img, tuple(int(v) for v in p), tuple(int(v) for v in q), col, wide, cv2.LINE_AA)
            cv2.line(ids, tuple(int(v) for v in p), tuple(int(v) for v in q), -1, wide)


class Laid:
    """A card of a scene: its label, its corners in the picture (own top left first,
    clockwise), the kind of each, and whether its deck has no indices."""

    def __init__(self, label, quad, kinds, bare):
        self.label, self.quad, self.kinds, self.bare, self.corners = label, quad, kinds, bare, []


_FIELD = np.array([[u, v] for u in (0.05, 0.12, 0.19) for v in (0.05, 0.11, 0.17, 0.23)])  # of an index, in sides


def seen_corners(ids, n, card):
    """The four corners of card n of a scene: (kind, visible share of its index field, apex, short, long)."""
    out = []
    for k in range(4):
        apex = card.quad[k]
        a, b = card.quad[(k + 1) % 4] - apex, card.quad[(k + 3) % 4] - apex
        s, l = (a, b) if k in (0, 2) else (b, a)
        p = np.floor(apex + _FIELD[:, :1] * s + _FIELD[:, 1:] * l).astype(int)
        ok = (p >= 0).all(1) & (p < SIZE).all(1)
        out.append((card.kinds[k], sum(ids[y, x] == n for x, y in p[ok]) / len(p), apex, s, l))
    return out


def corner_kinds(face, four):
    """Kind of each corner; four None: a deck without indices."""
    if face[0] == "BK" or four is None:
        return [PLAIN] * 4
    return [INDEX, INDEX if four else PLAIN] * 2


def project(H, pose):
    """The card's corners in the picture: its own top left first, clockwise."""
    x, y, t = pose
    c, s = np.cos(t), np.sin(t)
    p = (_UNIT - [0.5, LONG / 2]) @ np.array([[c, s], [-s, c]]) + [x, y]
    h = np.c_[p, np.ones(4)] @ H.T
    return h[:, :2] / h[:, 2:]


def layout(rng, room):
    """Poses (x, y, turn) of the cards, lowest first, in short sides; room: the picture's side."""
    kind, half = rng.random(), room / 2
    anywhere = lambda k=0.85: rng.uniform(-half * k, half * k, 2)
    n_max = int(np.clip(room * room / 3, 1, 9))
    if kind < 0.08:
        return []
    if kind < 0.3:  # strewn
        return [(*anywhere(), rng.uniform(0, 2 * np.pi)) for _ in range(rng.integers(1, n_max + 1))]
    if kind < 0.55:  # pairs
        out = []
        for _ in range(rng.integers(1, max(2, n_max // 2 + 1))):
            p, t = anywhere(), rng.uniform(0, 2 * np.pi)
            out.append((*p, t))
            for _ in range(rng.integers(1, 3)):
                out.append((*(p + rng.uniform(-0.75, 0.75, 2)), t + rng.uniform(-0.6, 0.6)))
        return out
    if kind < 0.8:  # rows and cascades
        out = []
        for _ in range(rng.integers(1, 4)):
            p, t, n = anywhere(), rng.uniform(0, 2 * np.pi), rng.integers(2, 8)
            along = rng.uniform(0.17, 1.15)
            d = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else 0
            step = along * np.array([np.cos(t + d), np.sin(t + d)])
            for k in range(n):
                out.append((*(p + step * (k - n / 2) + rng.uniform(-0.04, 0.04, 2)), t + rng.uniform(-0.08, 0.08)))
        return out
    # a fan in a hand, laid down
    p, t, n = anywhere(0.5), rng.uniform(0, 2 * np.pi), rng.integers(3, FAN + 1)
    r, step = rng.uniform(0.9, 2.6), rng.uniform(0.07, 0.3) * rng.choice([-1, 1], p=[0.1, 0.9])
    out = []
    for k in range(n):
        a = t + step * (k - n / 2)
        out.append((*(p + r * (np.array([np.sin(a), -np.cos(a)]) - [np.sin(t), -np.cos(t)])), a))
    return out


def degrade(img, rng):
    """Light, lens, sensor and codec over the whole picture."""
    f = img.astype(np.float32)
    if rng.random() < 0.4:
        g = cv2.resize(rng.uniform(0.45, 1.1, (3, 3)).astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
        f *= g[..., None]
    gain = rng.uniform(0.35, 1.15) if rng.random() < 0.85 else rng.uniform(1.15, 1.7)  # a lamp right above
    f = f * gain * (1 + rng.uniform(-0.14, 0.14, 3) * (rng.random() < 0.7)) + rng.uniform(-15, 25)
    if rng.random() < 0.15:
        c, r = rng.uniform(0, SIZE, 2), rng.uniform(15, 80)
        yy, xx = np.mgrid[:SIZE, :SIZE]
        f += (np.exp(-((xx - c[0]) ** 2 + (yy - c[1]) ** 2) / r ** 2) * rng.uniform(60, 200))[..., None]
    if rng.random() < 0.5:
        f = cv2.GaussianBlur(f, (0, 0), rng.uniform(0.3, 1.4))
    f += rng.standard_normal((SIZE, SIZE, 1), np.float32) * rng.uniform(0, 8)
    img = np.clip(f, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        img = cv2.addWeighted(img, 1.8, cv2.GaussianBlur(img, (0, 0), 1.2), -0.8, 0)
    if rng.random() < 0.5:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])[1], 1)
    return img


_masks = {}


def rounded(h, w, r):
    key = h, w, int(r * w)
    if key not in _masks:
        _masks[key] = patches._rounded(h, w, key[2])
    return _masks[key]


def targets(corners):
    """Maps of a scene for the loss: heat (2), weight (2), and frame (6) with its weight.

    Cells of STRIDE pixels. Frame: apex from the cell's middle, short and long
    vector, in units of 32 pixels."""
    n = SIZE // STRIDE
    heat, weight = np.zeros((2, n, n), np.float32), np.ones((2, n, n), np.float32)
    frame, near = np.zeros((6, n, n), np.float32), np.zeros((n, n), np.float32)
    for kind, seen, apex, s, l in sorted(corners, key=lambda c: c[1]):
        m = (apex + MARK[0] * s + MARK[1] * l) / STRIDE
        x, y = int(np.floor(m[0])), int(np.floor(m[1]))
        if not (0 <= x < n and 0 <= y < n) or seen < 0.3:
            continue
        y0, y1, x0, x1 = max(0, y - 2), min(n, y + 3), max(0, x - 2), min(n, x + 3)
        if seen < 0.8 or max(np.linalg.norm(s), np.linalg.norm(l) / LONG) < 28:
            weight[:, y0:y1, x0:x1] = 0
            continue
        yy, xx = np.mgrid[y0:y1, x0:x1]
        g = np.exp(-((xx + 0.5 - m[0]) ** 2 + (yy + 0.5 - m[1]) ** 2) / (2 * 0.9 ** 2))
        heat[kind, y0:y1, x0:x1] = np.maximum(heat[kind, y0:y1, x0:x1], g)
        heat[kind, y, x] = 1
        weight[:, y0:y1, x0:x1] = 1
        for j in range(max(0, y - 1), min(n, y + 2)):
            for i in range(max(0, x - 1), min(n, x + 2)):
                c = (np.array([i, j]) + 0.5) * STRIDE
                frame[:, j, i] = np.r_[apex - c, s, l] / 32
                near[j, i] = 1
    return heat, weight, frame, near


def load_rooms(data):
    """Pieces without cards of photographs that may train."""
    out = []
    for name in ("rf100-poker-cards", "edje-pinochle", "nell-byler-dice", "matteop65-dice"):
        path = os.path.join(data, name, "truth.jsonl")
        if not os.path.exists(path):
            continue
        rng = np.random.default_rng(1)
        with open(path, encoding="utf-8") as f:
            truths = [json.loads(line) for line in f]
        for i, t in enumerate(truths):
            if i % 2 and "dice" in name:
                continue
            img = cv2.imread(os.path.join(data, name, t["image"]))
            boxes = [c["box"] for c in t.get("cards", [])] + t.get("ignore", [])
            for _ in range(12):
                s = int(rng.uniform(0.25, 0.6) * min(img.shape[:2]))
                x, y = int(rng.integers(0, img.shape[1] - s)), int(rng.integers(0, img.shape[0] - s))
                if all(b[0] > x + s or b[0] + b[2] < x or b[1] > y + s or b[1] + b[3] < y for b in boxes):
                    out.append(cv2.resize(img[y:y + s, x:x + s], (SIZE, SIZE), interpolation=cv2.INTER_AREA))
                    break
    return out
