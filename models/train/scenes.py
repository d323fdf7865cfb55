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
import layouts
import ornament
import patches

SIZE = 288
STRIDE = 4
LONG = 1.4            # a card's long side over its short one
MARK = (0.13, 0.10)   # where the network marks a corner, in short and long sides from the apex
INDEX, PLAIN = 0, 1   # kinds of corner: with an index, without one (backs, bare corners)
SHORTS = (30, 130)    # short sides in pixels
BACKED = 0.2          # of all scenes in so many backs of one pack lie, most of the cards
FANS = 0.33           # of the others so many are of a fan alone
HELD = 0.6            # of the fans so many are held by people: closer together, askew, bent, with fingers on them
_UNIT = np.array([[0, 0], [1, 0], [1, LONG], [0, LONG]], np.float32)
_CARD = np.array([[0, 0], [decks.CARD_W, 0], [decks.CARD_W, decks.CARD_H], [0, decks.CARD_H]], np.float32)


class Scenes:
    """Draws scenes. rooms: pictures without cards; photos: as patches.Source takes them."""

    def __init__(self, seed, artwork, own=None, photos=(), rooms=(), pool=8):
        self.src = patches.Source(seed, artwork, (), pool=pool, own=own)
        self.rng = self.src.rng
        self.photos, self.rooms = list(photos), list(rooms)
        self.backs, self.pool = [], pool

    def _back(self):
        return ornament.back(self.rng) if self.rng.random() < 0.6 else decks.draw_back(self.rng)

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
        while len(self.backs) < max(2, self.pool):
            self.backs.append(self._back())
        if rng.random() < 0.15:
            self.backs[rng.integers(len(self.backs))] = self._back()
        back, often = self.backs[rng.integers(len(self.backs))], 0.12
        backed = rng.random() < BACKED
        if backed:
            back, often = back if rng.random() < 0.8 else deck["BK"], rng.choice([0.6, 0.9, 1])
        poses, held = layouts.heaps(rng, SIZE / short) if backed and rng.random() < 0.6 else layouts.layout(rng, SIZE / short), False
        if not backed and rng.random() < FANS:
            held = rng.random() < HELD
            poses = layouts.fan(rng, held)
        boxes, cards = decks.index_boxes(deck) if "boxes" not in deck else deck["boxes"], []
        deck["boxes"] = boxes
        for pose in poses:
            face, four = self._card(deck, back if backed or rng.random() < 0.5 else deck["BK"], often)
            q = project(H, pose)
            cards.append(Laid(face[0], q, corner_kinds(face, four), deck.get("bare", False), boxes if len(face) < 3 else decks.GENERIC))
            self._lay(img, ids, face[1], q, len(cards))
        if held:
            self._fingers(img, ids, cards, short)
            if rng.random() < 0.6:
                img, ids = bent(img, ids, cards, rng)
        self._clutter(img, ids, short)
        for n, card in enumerate(cards, 1):
            card.corners = seen_corners(ids, n, card)
        return degrade(img, rng), cards, ids

    def _fingers(self, img, ids, cards, short):
        """Fingers over a fan's lower edge or the thumb before it: round at their ends, paler along the middle."""
        rng = self.rng
        mid = np.mean([c.quad.mean(0) for c in cards], 0)
        down = np.mean([c.quad[2] + c.quad[3] - c.quad[0] - c.quad[1] for c in cards], 0)
        down /= max(1e-6, np.linalg.norm(down))
        skin = np.array([60, 90, 140]) * rng.uniform(0.4, 1.6) + rng.uniform(-20, 40, 3)
        for _ in range(rng.integers(0, 6)):
            tip = mid + down * short * rng.uniform(-0.3, 1.1) + np.array([-down[1], down[0]]) * short * rng.uniform(-1.2, 1.2)
            root = tip + (down + rng.uniform(-0.7, 0.7, 2)) * short * rng.uniform(0.8, 2)
            wide = max(2, int(short * rng.uniform(0.15, 0.36)))
            a, b = (tuple(int(v) for v in p) for p in (tip, root))
            for k in (1.0, 0.75, 0.45):
                c = tuple(int(v) for v in np.clip(skin * (1.25 - 0.45 * k), 0, 255))
                cv2.line(img, a, b, c, max(1, int(wide * k)), cv2.LINE_AA)
            cv2.line(ids, a, b, -1, wide)

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

    def _card(self, deck, back, often):
        """((label, picture), four) of a card of the deck, or of a back as often; what is photographed says so."""
        rng = self.rng
        if self.photos and rng.random() < (0.12 if often < 0.5 else 0.02):
            img, label, four = self.photos[rng.integers(len(self.photos))]
            h, w = img.shape[:2]
            return (label, img[int(h * 0.1):int(h * 0.9), int(w * 0.1):int(w * 0.9)], True), four
        if rng.random() < often:
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
    clockwise), the kind of each, whether its deck has no indices, and where rank and suit stand in them."""

    def __init__(self, label, quad, kinds, bare, boxes=decks.GENERIC):
        self.label, self.quad, self.kinds, self.bare, self.corners = label, quad, kinds, bare, []
        self.boxes = boxes

    def shown(self, ids, n, k):
        """The shares of rank and suit of corner k that are seen, where card n lies uppermost in ids."""
        apex = self.quad[k]
        a, b = self.quad[(k + 1) % 4] - apex, self.quad[(k + 3) % 4] - apex
        s, l = (a, b) if k in (0, 2) else (b, a)
        out = []
        for x0, y0, x1, y1 in self.boxes:
            u = np.array([[x0 + (x1 - x0) * (i + 0.5) / 5, y0 + (y1 - y0) * (j + 0.5) / 4] for i in range(5) for j in range(4)])
            p = np.floor(apex + u[:, :1] * s + u[:, 1:] * l).astype(int)
            p = p[((p >= 0) & (p < SIZE)).all(1)]
            out.append((ids[p[:, 1], p[:, 0]] == n).sum() / len(u))
        return out


    def said(self, k):
        """Rank and suit class of corner k; -1: not known."""
        if self.label.endswith("?"):
            return patches.IDX_RANKS.index(self.label[0]), -1
        if self.kinds[k] == INDEX:
            return patches.index_of(self.label, True)
        return patches.bare_of(self.label, self.bare and k in (0, 2))

    def share(self, ids, n):
        """The share of the card that is seen, by a grid of points, where card n lies uppermost in ids."""
        q = self.quad
        u = np.array([[(i + 0.5) / 6, (j + 0.5) / 8] for i in range(6) for j in range(8)])
        p = np.floor(q[0] + u[:, :1] * (q[1] - q[0]) + u[:, 1:] * (q[3] - q[0])).astype(int)
        p = p[((p >= 0) & (p < SIZE)).all(1)]
        return (ids[p[:, 1], p[:, 0]] == n).sum() / len(u)


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


def bent(img, ids, cards, rng):
    """The picture with its cards bent as a hand bends them: what lies far from a line moves by its square."""
    a, k = rng.uniform(0, 2 * np.pi), rng.uniform(-0.16, 0.16) / SIZE
    u, v = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    moved = lambda p, s: p + s * k * (((p - SIZE / 2) @ u) ** 2)[..., None] * v
    yy, xx = np.mgrid[:SIZE, :SIZE].astype(np.float32)
    at = moved(np.stack([xx, yy], -1), -1).astype(np.float32)
    for c in cards:
        c.quad = moved(c.quad, 1)
    return (cv2.remap(img, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
            cv2.remap(ids, at, None, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE))


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
