"""Training samples: a card as the finder cuts it out of a camera picture.

A sample is a rectified patch (RECT_H x RECT_W, BGR) with what the networks
must say about it. Everything a camera and a croupier do to a card is random:
corner error, neighbours, covering cards, resolution, blur, noise, light, glare,
colour cast, compression.
"""
import cv2
import numpy as np

import decks
import spanish

RECT_W, RECT_H = 160, 224          # the rectified patch of recognize/card
FACE_W, FACE_H = 80, 112           # input of the face network
IDX_W, IDX_H = 56, 80              # input of the index network, at patch scale
FACE_CLASSES = decks.LABELS + ["none"] + spanish.LABELS
NONE = FACE_CLASSES.index("none")
IDX_RANKS = list(decks.RANKS) + ["Jk", "none", "1", "C", "R"]  # of the Spanish pack 2 to 7 and 10 are like the French
IDX_SUITS = list(decks.SUITS) + ["none", "sp"]                 # sp: a number without a suit
RENEWED = 0.06                     # of all scenes so many begin with a new deck: what is read well is another one
MARGIN = 70                        # background round the card in the scene


class Source:
    """Draws samples. One per process; decks are renewed as it goes."""

    def __init__(self, seed, artwork, photos=None, pool=10, own=None, rooms=(), parts=(), photographed=0.3):
        self.rng = np.random.default_rng(seed)
        self.art = list(artwork.values())
        self.fonts, self.sfonts = decks.fonts(), decks.suit_fonts()
        self.photos, self.parts = photos or [], list(parts)
        self.own = list((own or {}).values())
        self.rooms, self.photographed = list(rooms), photographed
        self.pool = [self._new_deck() for _ in range(pool)]
        self.spanish = [spanish.draw(self.rng, self.fonts) for _ in range(max(2, pool // 3))]

    def _new_deck(self):
        courts = self.art + [d for d in self.own if "Ks" in d]
        return decks.draw_deck(self.rng, courts, self.fonts, self.sfonts)

    def deck(self):
        if self.rng.random() < 0.14:
            return self.spanish[self.rng.integers(len(self.spanish))]
        if self.own and self.rng.random() < 0.2:
            return self.own[self.rng.integers(len(self.own))]
        if self.art and self.rng.random() < 0.3:
            return self.art[self.rng.integers(len(self.art))]
        return self.pool[self.rng.integers(len(self.pool))]

    def renew(self):
        self.pool[self.rng.integers(len(self.pool))] = self._new_deck()
        if self.rng.random() < 0.3:
            self.spanish[self.rng.integers(len(self.spanish))] = spanish.draw(self.rng, self.fonts)

    def samples(self):
        """Patches without end, several of one scene: (rect, face class, two of (corner crop, rank class, suit class))."""
        while True:
            if self.photos and self.rng.random() < self.photographed:
                yield self._photo()
            if self.parts and self.rng.random() < self.photographed / 2:
                yield self._part()
            yield from self._scene(4)

    def _scene(self, times):
        rng = self.rng
        if rng.random() < RENEWED:
            self.renew()
        deck = self.deck()
        k = rng.random()
        labels = labels_of(deck)
        label = "BK" if k < 0.07 else "Jk" if k < 0.1 else labels[rng.integers(len(labels))]
        if label == "Jk" and label not in deck:
            label = "BK"
        if rng.random() < 0.16:
            for _ in range(times):
                yield self._nothing(deck, label)
            return
        card = deck[label]
        if label == "Jk" and "Jk2" in deck and rng.random() < 0.5:
            card = deck["Jk2"]
        if label == "BK" and rng.random() < (0.3 if "Jk" not in deck else 0.7):
            card = decks.draw_back(rng)
        scene = background(rng, decks.CARD_H + 2 * MARGIN, decks.CARD_W + 2 * MARGIN)
        if rng.random() < 0.35:
            self._neighbour(scene, deck, over=False)
        paste(scene, card, MARGIN, MARGIN, rng)
        covered = label not in ("BK",) and rng.random() < 0.3
        if covered:
            self._neighbour(scene, deck, over=True)
        for _ in range(times):
            rect = degrade(cut(scene, jitter(rng, 0.05 if rng.random() < 0.7 else 0.1)), rng)
            crops = []
            for corner in (0, 0 if covered else 2):
                if not covered and rng.random() < 0.2:
                    corner = int(rng.choice([1, 3]))
                bare = deck.get("bare", False)
                there = (corner in (0, 2) or deck.get("four", False)) and not bare
                seen = index_of(label, True) if there else bare_of(label, bare and corner in (0, 2))
                crops.append((corner_crop(rect, corner), *seen))
            if rng.random() < 0.5:
                rect = rect[::-1, ::-1]
            yield rect, FACE_CLASSES.index(label), crops

    def _photo(self):
        """A patch of a real photograph that may train; it knows rank or both."""
        rng = self.rng
        img, label, four = self.photos[rng.integers(len(self.photos))]
        rect = degrade(cut(img, inner(img, rng.uniform(-0.04, 0.04, (4, 2)) / 1.25)), rng, keep=0.5)
        known, crops = not label.endswith("?"), []
        for corner in (0, 2):
            if known and rng.random() < 0.2:
                corner = int(rng.choice([1, 3]))
            rank, suit = IDX_RANKS.index(label[0]), -1
            if known:
                rank, suit = index_of(label, True) if corner in (0, 2) or four else bare_of(label, False)
            crops.append((corner_crop(rect, corner), rank, suit))
        if rng.random() < 0.5:
            rect = rect[::-1, ::-1]
        return rect, FACE_CLASSES.index(label) if known else -1, crops

    def _part(self):
        """A photographed card under others: only its index at the corners that are seen is known."""
        rng = self.rng
        img, label, _, free = self.parts[rng.integers(len(self.parts))]
        rect = degrade(cut(img, inner(img, rng.uniform(-0.03, 0.03, (4, 2)) / 1.25)), rng, keep=0.5)
        rank, suit = IDX_RANKS.index(label[0]), -1 if label.endswith("?") else IDX_SUITS.index(label[1])
        return rect, -1, [(corner_crop(rect, k), rank, suit) for k in rng.choice(free, 2)]

    def _neighbour(self, scene, deck, over):
        """Another card beside the card, or over part of it (never over its top left index)."""
        rng = self.rng
        labels = labels_of(deck)
        other = deck["BK"] if rng.random() < 0.2 else deck[labels[rng.integers(len(labels))]]
        if over:
            a = np.deg2rad(rng.uniform(-60, 120))
            d = rng.uniform(0.42, 0.9)
            dx, dy = np.cos(a) * decks.CARD_W * d + decks.CARD_W * 0.25, np.sin(a) * decks.CARD_H * d + decks.CARD_H * 0.2
            if dx < 0.26 * decks.CARD_W and dy < 0.3 * decks.CARD_H:
                dx = rng.uniform(0.26, 0.6) * decks.CARD_W
            turn = rng.uniform(-14, 14) if rng.random() < 0.6 else rng.uniform(-45, 45)
        else:
            a = rng.uniform(0, 2 * np.pi)
            dx, dy = np.cos(a) * decks.CARD_W * rng.uniform(0.9, 1.3), np.sin(a) * decks.CARD_H * rng.uniform(0.9, 1.3)
            turn = rng.uniform(-90, 90)
        c = (MARGIN + decks.CARD_W / 2 + dx, MARGIN + decks.CARD_H / 2 + dy)
        place(scene, other, c, turn)

    def _nothing(self, deck, label):
        """What is card-shaped to a finder and is no card, or is wrongly cut."""
        rng = self.rng
        none = NONE
        kind = rng.integers(6 if self.rooms else 5)
        if kind == 5:  # a piece of a room
            room = self.rooms[rng.integers(len(self.rooms))]
            s = int(rng.uniform(0.15, 0.8) * min(room.shape[:2]))
            y, x = rng.integers(0, room.shape[0] - s), rng.integers(0, room.shape[1] - s)
            rect = degrade(cv2.resize(room[y:y + s, x:x + s], (RECT_W, RECT_H)), rng, keep=0.5)
            return rect, none, [(corner_crop(rect, k), IDX_RANKS.index("none"), IDX_SUITS.index("none")) for k in (0, 3)]
        scene = background(rng, decks.CARD_H + 2 * MARGIN, decks.CARD_W + 2 * MARGIN, prints=0.9)
        if kind == 0:  # felt and what is printed on it
            quad = jitter(rng, 0.2)
        elif kind == 1:  # a card lying across
            place(scene, deck[label], (MARGIN + decks.CARD_W / 2, MARGIN + decks.CARD_H / 2), rng.choice([-90, 90]) + rng.uniform(-6, 6), rng.uniform(0.68, 1.3))
            quad = jitter(rng, 0.05)
        elif kind == 2:  # cut far off: two halves, a part, too large
            paste(scene, deck[label], MARGIN, MARGIN, rng)
            self._neighbour(scene, deck, over=False)
            s = np.array([decks.CARD_W, decks.CARD_H])
            a = rng.uniform(0, 2 * np.pi)
            quad = jitter(rng, 0.05)
            if rng.random() < 0.5:
                quad = quad + np.float32(s * [np.cos(a), np.sin(a)] * rng.uniform(0.35, 0.6))
            else:
                mid = quad.mean(0)
                quad = np.float32(mid + (quad - mid) * rng.choice([rng.uniform(0.35, 0.6), rng.uniform(1.5, 1.9)]))
        elif kind == 3:  # paper, with or without writing
            page = np.full((decks.CARD_H, decks.CARD_W, 3), rng.integers(190, 256), np.uint8)
            for _ in range(rng.integers(0, 25)):
                y = int(rng.integers(decks.CARD_H))
                x0, x1 = sorted(rng.integers(0, decks.CARD_W, 2).tolist())
                cv2.line(page, (x0, y), (x1, y), tuple(int(v) for v in rng.integers(0, 200, 3)), int(rng.integers(1, 6)))
            paste(scene, page, MARGIN, MARGIN, rng)
            quad = jitter(rng, 0.1)
        else:  # chips, dice, a stain of light
            for _ in range(rng.integers(1, 5)):
                c = tuple(int(v) for v in rng.uniform(0.2, 0.8, 2) * [scene.shape[1], scene.shape[0]])
                chip(scene, c, int(rng.uniform(30, 160)), rng)
            quad = jitter(rng, 0.2)
        rect = degrade(cut(scene, quad), rng)
        if kind == 2:
            return rect, none, [(corner_crop(rect, k), -1, -1) for k in (0, 2)]
        return rect, none, [(corner_crop(rect, k), IDX_RANKS.index("none"), IDX_SUITS.index("none")) for k in rng.permutation(4)[:2]]


def labels_of(deck):
    """The faces of a pack, jokers and back left out."""
    return deck.get("labels", decks.LABELS[:52])


def index_of(label, there):
    """Rank and suit class of a corner of label; there: an index is printed in it."""
    if not there or label == "BK":
        return IDX_RANKS.index("none"), IDX_SUITS.index("none")
    if label == "Jk":
        return IDX_RANKS.index("Jk"), IDX_SUITS.index("none")
    if label[1] in spanish.SUITS:
        return IDX_RANKS.index("T" if label[0] == "S" else label[0]), IDX_SUITS.index("sp")
    return IDX_RANKS.index(label[0]), IDX_SUITS.index(label[1])


def bare_of(label, sign):
    """Rank and suit class of a corner without an index: the suit is that of the pip that
    stands there. sign: a court has its suit's sign there; else it may have (-1)."""
    rank, suit = index_of(label, False)
    if label[1] in decks.SUITS and label != "Jk":
        if label[0] in "456789T" or (label[0] in "JQK" and sign):
            suit = IDX_SUITS.index(label[1])
        elif label[0] in "JQK":
            suit = -1
    return rank, suit


def corner_crop(rect, corner):
    """Corner 0 top left, 1 top right, 2 bottom right (turned), 3 bottom left (turned)."""
    if corner >= 2:
        rect = rect[::-1, ::-1]
    return rect[:IDX_H, :IDX_W] if corner in (0, 2) else rect[:IDX_H, RECT_W - IDX_W:]


def background(rng, h, w, prints=0.4):
    """Felt, wood, cloth or paper, with lines, letters and suits printed on it."""
    kind = rng.random()
    base = np.array([[70, 90, 30], [40, 40, 110], [110, 60, 30], [40, 40, 40], [90, 130, 170], [200, 205, 210], [60, 80, 110]][rng.integers(7)], np.float32)
    base = np.clip(base * rng.uniform(0.4, 1.5) + rng.uniform(-25, 25, 3), 0, 255)
    img = np.empty((h, w, 3), np.float32)
    img[:] = base
    g = rng.standard_normal((h // 4, w // 4)).astype(np.float32)
    if kind < 0.25:  # wood grain
        g = cv2.GaussianBlur(g, (0, 0), 12, sigmaY=0.7) * 90
    else:
        g = cv2.GaussianBlur(g, (0, 0), rng.uniform(0.5, 6)) * rng.uniform(5, 40)
    img += cv2.resize(g, (w, h))[..., None]
    img = np.clip(img, 0, 255).astype(np.uint8)
    if rng.random() < prints:
        for _ in range(rng.integers(1, 5)):
            c = tuple(int(v) for v in rng.integers(0, 256, 3))
            p = tuple(int(v) for v in rng.random(2) * [w, h])
            q = tuple(int(v) for v in rng.random(2) * [w, h])
            k = rng.integers(4)
            if k == 0:
                cv2.line(img, p, q, c, int(rng.integers(2, 12)), cv2.LINE_AA)
            elif k == 1:
                cv2.putText(img, "".join(rng.choice(list("A23456789TJQKPAYS$BET21"), 4)), p, int(rng.integers(0, 5)), rng.uniform(1, 6), c, int(rng.integers(2, 9)), cv2.LINE_AA)
            elif k == 2:
                m = decks._suit_shape("shdc"[rng.integers(4)], rng)
                decks._stamp(img, m, p[0], p[1], rng.uniform(40, 200), np.array(c), flip=rng.random() < .5)
            else:
                cv2.rectangle(img, p, q, c, int(rng.integers(2, 10)))
    return img


def chip(img, c, r, rng):
    col = tuple(int(v) for v in rng.integers(0, 256, 3))
    cv2.circle(img, c, r, col, -1, cv2.LINE_AA)
    for a in range(0, 360, 45):
        cv2.ellipse(img, c, (int(r * .9), int(r * .9)), 0, a, a + 20, (235, 235, 235), max(2, r // 6), cv2.LINE_AA)
    cv2.circle(img, c, int(r * .6), tuple(int(v) for v in rng.integers(0, 256, 3)), -1, cv2.LINE_AA)


def _rounded(h, w, r):
    m = np.zeros((h, w), np.uint8)
    cv2.rectangle(m, (r, 0), (w - r, h), 255, -1)
    cv2.rectangle(m, (0, r), (w, h - r), 255, -1)
    for x in (r, w - r - 1):
        for y in (r, h - r - 1):
            cv2.circle(m, (x, y), r, 255, -1)
    return m


_MASK = _rounded(decks.CARD_H, decks.CARD_W, 12)


def paste(scene, card, x, y, rng):
    h, w = card.shape[:2]
    part = scene[y:y + h, x:x + w]
    if rng.random() < 0.5:  # shadow
        d = int(rng.integers(2, 10))
        scene[y + d:y + h + d, x + d:x + w + d] = (scene[y + d:y + h + d, x + d:x + w + d] * rng.uniform(0.4, 0.9)).astype(np.uint8)
    cv2.copyTo(card, _MASK, part)


def place(scene, card, centre, angle, scale=1.0):
    h, w = card.shape[:2]
    M = cv2.getRotationMatrix2D((w / 2, h / 2), angle, scale)
    M[:, 2] += np.array(centre) - (w / 2, h / 2)
    size = (scene.shape[1], scene.shape[0])
    warped = cv2.warpAffine(card, M, size)
    mask = cv2.warpAffine(_MASK, M, size)
    cv2.copyTo(warped, cv2.compare(mask, 127, cv2.CMP_GT), scene)


def jitter(rng, amount):
    """The card's corners in the scene, each off by up to amount of the short side."""
    w, h = decks.CARD_W, decks.CARD_H
    q = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) + MARGIN
    a = amount * rng.random()
    e = rng.uniform(-a, a, (4, 2)) * w
    e += rng.uniform(-0.5, 0.5, 2) * a * w
    if rng.random() < 0.35:  # size supposed from one corner or from another card
        q = (q - q[0]) * rng.uniform(0.86, 1.14, 2) + q[0]
    return (q + e).astype(np.float32)


def inner(img, off=0):
    """The card in a harvested patch, which has a margin of an eighth of its size; off: error, in sides."""
    m = 0.125 / 1.25
    return np.float32((np.array([[m, m], [1 - m, m], [1 - m, 1 - m], [m, 1 - m]]) + off) * [img.shape[1], img.shape[0]])


def cut(scene, quad):
    to = np.array([[0, 0], [RECT_W, 0], [RECT_W, RECT_H], [0, RECT_H]], np.float32)
    return cv2.warpPerspective(scene, cv2.getPerspectiveTransform(quad, to), (RECT_W, RECT_H), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)


def degrade(rect, rng, keep=0.1):
    """What lens, light, sensor and codec do, at the camera's resolution of the card."""
    short = np.exp(rng.uniform(np.log(38), np.log(170)))
    if rng.random() < keep:
        short = 160
    sx, sy = short / RECT_W, short / RECT_W
    if rng.random() < 0.6:
        if rng.random() < 0.5:
            sy *= rng.uniform(0.6, 1)
        else:
            sx *= rng.uniform(0.7, 1)
    w, h = max(24, int(RECT_W * sx)), max(30, int(RECT_H * sy))
    img = cv2.resize(rect, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    if rng.random() < 0.5:
        img = cv2.GaussianBlur(img, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.15:
        n = int(rng.integers(2, 5))
        k = np.zeros((5, 5), np.float32)
        a = rng.uniform(0, np.pi)
        cv2.line(k, (int(2 - n * np.cos(a) / 2), int(2 - n * np.sin(a) / 2)), (int(2 + n * np.cos(a) / 2), int(2 + n * np.sin(a) / 2)), 1, 1)
        img = cv2.filter2D(img, -1, k / max(k.sum(), 1))
    if rng.random() < 0.3:  # uneven light or a shadow's edge
        g = np.linspace(rng.uniform(0.4, 1), 1, w)[None, :, None] if rng.random() < .5 else np.linspace(rng.uniform(.4, 1), 1, h)[:, None, None]
        img = img * (g if rng.random() < .5 else g[::-1, ::-1])
    gain = rng.uniform(0.35, 1.15) if rng.random() < 0.88 else rng.uniform(1.15, 1.7)  # under a lamp: paper and what is pale are burnt out
    cast = 1 + rng.uniform(-0.14, 0.14, 3) * (rng.random() < 0.7)
    img = img * gain * cast + rng.uniform(-15, 25)
    if rng.random() < 0.3:
        img = 255 * np.clip(img / 255, 0, 1) ** rng.uniform(0.6, 1.6)
    if rng.random() < 0.12:  # glare
        yy, xx = np.mgrid[:h, :w]
        d = np.hypot((xx - rng.uniform(0, w)) / (w * rng.uniform(.1, .5)), (yy - rng.uniform(0, h)) / (h * rng.uniform(.1, .5)))
        img = img + (np.exp(-d * d) * rng.uniform(60, 220))[..., None]
    if rng.random() < 0.12:
        grey = img.mean(2, keepdims=True)
        img = grey + (img - grey) * rng.uniform(0.3, 0.9)
    img = img + rng.standard_normal(img.shape).astype(np.float32) * rng.uniform(0, 9)
    img = np.clip(img, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:  # the sharpening of phones and webcams
        img = cv2.addWeighted(img, 1.8, cv2.GaussianBlur(img, (0, 0), 1.2), -0.8, 0)
    if rng.random() < 0.5:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])[1], 1)
    return cv2.resize(img, (RECT_W, RECT_H), interpolation=cv2.INTER_LINEAR)


def face_input(rect):
    return cv2.resize(np.ascontiguousarray(rect), (FACE_W, FACE_H), interpolation=cv2.INTER_AREA)
