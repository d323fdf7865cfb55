"""Decks to train on: drawn here with many fonts, or cut from vector artwork.

A deck is a dict: label -> BGR uint8 array of CARD_H x CARD_W. Labels are those
of the product: "As" .. "Kc", "Jk" and "BK".
"""
import glob
import gzip
import math
import os
import subprocess

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

CARD_W, CARD_H = 240, 336
RANKS = "A23456789TJQK"
SUITS = "shdc"
LABELS = [r + s for s in SUITS for r in RANKS] + ["Jk", "BK"]

# Pip centres in the unit square of the pip field, for ranks 2 to 10.
_L, _M, _R = 0.0, 0.5, 1.0
_COL4 = [(x, y) for x in (_L, _R) for y in (0, 1 / 3, 2 / 3, 1)]
_COL3 = [(x, y) for x in (_L, _R) for y in (0, 0.5, 1)]
_COL2 = [(x, y) for x in (_L, _R) for y in (0, 1)]
PIPS = {
    "2": [(_M, 0), (_M, 1)],
    "3": [(_M, 0), (_M, 0.5), (_M, 1)],
    "4": _COL2,
    "5": _COL2 + [(_M, 0.5)],
    "6": _COL3,
    "7": _COL3 + [(_M, 0.25)],
    "8": _COL3 + [(_M, 0.25), (_M, 0.75)],
    "9": _COL4 + [(_M, 0.5)],
    "T": _COL4 + [(_M, 1 / 6), (_M, 5 / 6)],
}


FONTS = ["/usr/share/fonts"]
GLYPHS = {}  # of each font of a pack (pack.py): text -> alpha mask, LETTER pixels high
LETTER = 100
SUIT_SIGNS = "♠♥♦♣"


def fonts():
    """Font files that have Latin letters; only upright text faces. Of a pack: the names of its."""
    if GLYPHS:
        return sorted(f for f in GLYPHS if "A" in GLYPHS[f])
    bad = ("symbol", "dingbat", "d050000l", "standardsymbols", "italic", "oblique",
           "script", "z003", "initials", "keyboard", "mathjax", "emoji", "math", "-it")
    found = []
    for folder in FONTS:
        for ext in ("ttf", "otf", "t1"):
            found += glob.glob(folder + "/**/*." + ext, recursive=True)
    return sorted(f for f in found if not any(b in f.lower() for b in bad))


def suit_fonts():
    if GLYPHS:
        return sorted(f for f in GLYPHS if SUIT_SIGNS[0] in GLYPHS[f])
    names = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "FreeSerif.ttf", "FreeSans.ttf",
             "FreeMono.ttf", "Symbola", "DejaVuSansMono.ttf", "FreeSerifBold.ttf")
    return [f for folder in FONTS for f in sorted(glob.glob(folder + "/**/*.?tf", recursive=True))
            if any(os.path.basename(f).startswith(n) for n in names)]


def _glyph(text, font, size, squeeze=1.0):
    """Alpha mask of text, cropped to its ink, size pixels high."""
    if font in GLYPHS:
        if text not in GLYPHS[font]:
            raise ValueError(f"{font} of the pack has no {text}")
        m = GLYPHS[font][text]
        return cv2.resize(m, (max(2, int(m.shape[1] * size / LETTER * squeeze)), max(2, int(size))), interpolation=cv2.INTER_AREA)
    big = ImageFont.truetype(font, 120)
    box = big.getbbox(text)
    im = Image.new("L", (box[2] - box[0] + 8, box[3] - box[1] + 8))
    ImageDraw.Draw(im).text((4 - box[0], 4 - box[1]), text, font=big, fill=255)
    ink = im.getbbox()
    if ink is None:
        raise ValueError("no ink")
    im = im.crop(ink)
    w = max(2, int(im.width * size / im.height * squeeze))
    return np.asarray(im.resize((w, max(2, int(size))), Image.LANCZOS))


def _lettering(font):
    """Glyphs of the ranks, 100 px high; ValueError: the font lacks one, or its 1 is an I."""
    glyphs = {r: _glyph("10" if r == "T" else r, font, LETTER) for r in RANKS}
    if font in GLYPHS:
        return glyphs  # looked at when it was packed
    try:
        lacking = _glyph("\ufffe", font, 100)
    except ValueError:  # drawn as nothing
        lacking = None
    if np.array_equal(_glyph("1", font, 100), _glyph("I", font, 100)) or any(np.array_equal(g, lacking) for g in glyphs.values()):
        raise ValueError("no digits or letters of its own")
    return glyphs


def _restyled(glyphs, rng):
    """The glyphs of one deck in a hand of their own: indices are mostly lettered for
    the cards, narrower, with more contrast or bolder than fonts are."""
    wide, high = (int(rng.integers(-3, 12)), int(rng.integers(-3, 7))) if rng.random() < 0.6 else (0, 0)
    slant = rng.uniform(-0.12, 0.12) if rng.random() < 0.2 else 0
    out = {}
    for rank, g in glyphs.items():
        h, w = g.shape
        m = cv2.copyMakeBorder(g, 14, 14, 28, 28, cv2.BORDER_CONSTANT, value=0)
        M = np.float32([[1, -slant, slant * h / 2], [0, 1, 0]])
        m = cv2.warpAffine(m, M, (m.shape[1], m.shape[0]))
        for k, box in ((wide, (abs(wide) + 1, 1)), (high, (1, abs(high) + 1))):
            m = (cv2.dilate if k > 0 else cv2.erode)(m, np.ones(box[::-1], np.uint8))
        x, y, w, h = cv2.boundingRect((m > 60).astype(np.uint8))
        if w < 4 or h < 40 or (m > 60).sum() < 0.3 * (g > 60).sum():
            return glyphs  # too thin to be thinned
        out[rank] = cv2.resize(m[y:y + h, x:x + w], (max(2, w * 100 // h), 100), interpolation=cv2.INTER_AREA)
    return out


def _suit_shape(suit, rng):
    """A suit drawn from curves, 160 px high, with random proportions."""
    n = 160
    m = np.zeros((n, n), np.uint8)
    u = rng.uniform
    t = np.linspace(0, 1, 40)

    def poly(pts):
        cv2.fillPoly(m, [np.round(np.array(pts) * n * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)

    if suit == "d":
        k, w = u(-0.09, 0.03), u(0.36, 0.46)
        c = [(0.5, 0.01), (0.5 + w, 0.5), (0.5, 0.99), (0.5 - w, 0.5)]
        pts = []
        for i in range(4):
            a, b = np.array(c[i]), np.array(c[(i + 1) % 4])
            mid = (a + b) / 2
            out = (mid - 0.5) / np.linalg.norm(mid - 0.5) * k
            pts += [tuple((1 - s) ** 2 * a + 2 * s * (1 - s) * (mid + 2 * out) + s * s * b) for s in t]
        poly(pts)
    elif suit in "hs":
        r, drop = u(0.24, 0.28), u(0.28, 0.34)
        half = []
        for a in np.linspace(-math.pi, -0.05, 30):
            half.append((0.5 + r * 0.97 + r * math.cos(a), drop + r * math.sin(a)))
        e, bul = half[-1], u(0.0, 0.14)
        half += [tuple((1 - s) ** 2 * np.array(e) + 2 * s * (1 - s) * np.array((0.86 - bul, 0.6)) + s * s * np.array((0.5, 0.98))) for s in t]
        pts = half + [(1 - x, y) for x, y in half[::-1]]
        if suit == "s":
            pts = [(x, 0.01 + (0.98 - y) * 0.88) for x, y in pts]
        poly(pts)
    else:
        r, low = u(0.19, 0.24), u(0.52, 0.58)
        for x, y in ((0.5, r + 0.01), (0.5 - r * 1.15, low), (0.5 + r * 1.15, low)):
            cv2.circle(m, (int(x * n), int(y * n)), int(r * n), 255, -1, cv2.LINE_AA)
        cv2.circle(m, (n // 2, int(0.47 * n)), int(r * 0.5 * n), 255, -1, cv2.LINE_AA)
    if suit in "sc":
        w = u(0.14, 0.24)
        poly([(0.48, 0.5), (0.46, 0.8), (0.5 - w, 0.99), (0.5 + w, 0.99), (0.54, 0.8), (0.52, 0.5)])
    ys, xs = np.where(m > 30)
    return m[ys.min():ys.max() + 1, xs.min():xs.max() + 1]


def _stamp(img, mask, cx, cy, h, color, flip=False, squeeze=1.0):
    """Puts mask in color on img, centred, h pixels high."""
    w = max(2, int(round(mask.shape[1] * h / mask.shape[0] * squeeze)))
    h = max(2, int(round(h)))
    m = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    if flip:
        m = m[::-1, ::-1]
    x, y = int(round(cx - w / 2)), int(round(cy - h / 2))
    x0, y0, x1, y1 = max(0, x), max(0, y), min(img.shape[1], x + w), min(img.shape[0], y + h)
    if x1 <= x0 or y1 <= y0:
        return
    a = m[y0 - y:y1 - y, x0 - x:x1 - x, None].astype(np.float32) / 255
    part = img[y0:y1, x0:x1]
    part[:] = (part * (1 - a) + np.array(color, np.float32) * a).astype(np.uint8)


def _colors(rng):
    black = rng.integers(0, 50, 3)
    red = np.array([rng.integers(0, 70), rng.integers(0, 60), rng.integers(170, 256)])
    c = {"s": black, "c": black, "h": red, "d": red}
    if rng.random() < 0.2:
        c["c"] = np.array([rng.integers(0, 90), rng.integers(100, 160), rng.integers(0, 60)])
        c["d"] = np.array([[rng.integers(160, 255), rng.integers(60, 140), 0],
                           [0, rng.integers(110, 190), rng.integers(210, 256)]][rng.integers(2)])
    return c


def _pattern(h, w, rng):
    """A busy two to four colour texture for backs and court pictures."""
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    kind = rng.integers(6)
    f = rng.uniform(0.15, 0.9)
    if kind == 0:
        v = np.sin((xx + yy) * f) * np.sin((xx - yy) * f)
    elif kind == 1:
        v = np.sin(xx * f) * np.sin(yy * f * rng.uniform(0.5, 1.5))
    elif kind == 2:
        v = np.sin(np.hypot(xx - w / 2, yy - h / 2) * f) + np.sin(np.arctan2(yy - h / 2, xx - w / 2) * rng.integers(4, 20))
    elif kind == 3:
        v = cv2.GaussianBlur(rng.standard_normal((h, w)).astype(np.float32), (0, 0), rng.uniform(1.5, 5))
    elif kind == 4:
        v = np.sin(xx * f + 3 * np.sin(yy * f * 0.5)) + np.sin(yy * f)
    else:
        v = np.sin((xx * rng.uniform(-1, 1) + yy) * f)
    v = v + np.asarray(v)[::-1, ::-1]
    q = np.digitize(v, np.quantile(v, [rng.uniform(0.3, 0.7)])) if rng.random() < 0.6 else np.digitize(v, np.quantile(v, [0.3, 0.6, 0.85]))
    base = rng.integers(0, 256, 3)
    pal = [rng.integers(0, 256, 3) for _ in range(4)]
    if rng.random() < 0.6:
        pal[0], pal[1] = base, np.clip(base + rng.integers(60, 200), 0, 255)
    if rng.random() < 0.5:  # casino backs are red or blue on white, mostly
        pal[0] = [np.array([40, 30, 180]), np.array([150, 60, 30]), np.array([60, 60, 60]), np.array([60, 110, 30])][rng.integers(4)]
        pal[1] = np.full(3, rng.integers(170, 256))
    return np.array(pal, np.uint8)[q]


def draw_back(rng):
    """A card back: a pattern, mostly with a pale border and an emblem."""
    img = np.full((CARD_H, CARD_W, 3), rng.integers(215, 256), np.uint8)
    b = 0 if rng.random() < 0.25 else int(rng.uniform(0.02, 0.09) * CARD_W)
    if rng.random() < 0.12:
        img[b:CARD_H - b, b:CARD_W - b] = rng.integers(0, 256, 3)
    else:
        img[b:CARD_H - b, b:CARD_W - b] = _pattern(CARD_H - 2 * b, CARD_W - 2 * b, rng)
    for _ in range(rng.integers(0, 3)):
        k = int(rng.uniform(0.05, 0.3) * CARD_W)
        c = tuple(int(v) for v in rng.integers(0, 256, 3))
        if rng.random() < 0.5:
            cv2.rectangle(img, (b + k, b + k), (CARD_W - b - k, CARD_H - b - k), c, int(rng.integers(1, 8)))
        else:
            cv2.circle(img, (CARD_W // 2, CARD_H // 2), k, c, -1 if rng.random() < 0.5 else 4, cv2.LINE_AA)
    return img


def _recolour(pic, rng):
    """The picture in other robes: every hue but red, by which suits are known, is turned."""
    hsv = cv2.cvtColor(pic, cv2.COLOR_BGR2HSV)
    h = hsv[..., 0].astype(np.int16)
    turned = 20 + (h - 20 + rng.integers(0, 120)) % 120
    hsv[..., 0] = np.where((h >= 20) & (h < 140), turned, h)
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.6, 1.3), 0, 255)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)


def _court(img, rng, box, art, rank, suit, told=True):
    """A court picture: taken from artwork of that rank and suit, or abstract where an index tells (told) what it is."""
    x0, y0, x1, y1 = box
    if art and rng.random() < (0.75 if told else 1):
        deck = art[rng.integers(len(art))]
        src = deck.get(rank + suit)
        if src is not None:
            inner = src[int(.08 * CARD_H):int(.92 * CARD_H), int(.17 * CARD_W):int(.83 * CARD_W)]
            if rng.random() < 0.6:
                inner = _recolour(inner, rng)
            img[y0:y1, x0:x1] = cv2.resize(inner, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
            return
    h = (y1 - y0) // 2
    half = _pattern(h, x1 - x0, rng) if rng.random() < 0.5 else np.full((h, x1 - x0, 3), 240, np.uint8)
    for _ in range(rng.integers(6, 25)):
        c = tuple(int(v) for v in [(30, 30, 200), (20, 200, 240), (160, 60, 20), (20, 20, 20), (230, 230, 230)][rng.integers(5)])
        p = (rng.random((rng.integers(3, 6), 2)) * [x1 - x0, h]).astype(np.int32)
        cv2.fillPoly(half, [p], c, cv2.LINE_AA)
    full = np.vstack([half, half[::-1, ::-1]])
    img[y0:y0 + 2 * h, x0:x1] = full


def draw_deck(rng, art=(), all_fonts=None, sfonts=None):
    """A whole deck of one random style."""
    all_fonts, sfonts = all_fonts or fonts(), sfonts or suit_fonts()
    while True:
        font = all_fonts[rng.integers(len(all_fonts))]
        try:
            glyphs = _restyled(_lettering(font), rng)
            break
        except (ValueError, OSError):
            continue
    drawn = rng.random() < 0.6
    if drawn:
        shapes = {s: _suit_shape(s, rng) for s in SUITS}
    else:
        f = sfonts[rng.integers(len(sfonts))]
        shapes = {s: _glyph(c, f, 160) for s, c in zip(SUITS, SUIT_SIGNS)}
    jumbo = rng.random() < 0.3
    st = {
        "paper": np.array([rng.integers(225, 256)] * 3) - np.array([rng.integers(0, 25), rng.integers(0, 8), 0]),
        "ih": CARD_H * (rng.uniform(0.13, 0.24) if jumbo else rng.uniform(0.075, 0.125)),
        "iw": rng.uniform(0.6, 1.0) if rng.random() < 0.6 else rng.uniform(0.9, 1.15),
        "sh": rng.uniform(0.55, 1.05) * (0.9 if jumbo else 1),
        "mx": rng.uniform(0.02, 0.05), "my": rng.uniform(0.02, 0.06), "gap": rng.uniform(0.006, 0.025),
        "four": rng.random() < 0.2, "col": _colors(rng), "glyphs": glyphs, "shapes": shapes,
        "pip": CARD_H * rng.uniform(0.11, 0.2), "sq": rng.uniform(0.85, 1.1),
        "px": rng.uniform(0.26, 0.34) + (0.05 if jumbo else 0), "py": rng.uniform(0.13, 0.21),
        "frame": rng.random() < 0.6, "ace": rng.uniform(0.16, 0.45), "bare": jumbo and rng.random() < 0.25,
        "border": rng.random() < 0.1, "side": rng.random() < 0.04, "jumbo": jumbo, "artdeck": art,
        "noindex": rng.random() < 0.28,
        "inset": rng.uniform(0.85, 1.2) if rng.random() < (0.7 if jumbo else 0.15) else rng.uniform(0.5, 0.7),
    }
    if st["noindex"]:  # as dealt for treinta y cuarenta: pips and courts alone
        st.update(px=rng.uniform(0.18, 0.3), py=rng.uniform(0.11, 0.18), bare=False, inset=rng.uniform(0.25, 0.5), border=rng.random() < 0.2)
    deck = {r + s: _draw_card(r, s, st, rng) for s in SUITS for r in RANKS}
    deck["BK"] = draw_back(rng)
    deck["Jk"] = _draw_joker(st, rng, font)
    deck["four"], deck["bare"] = st["four"] and not st["noindex"], st["noindex"]
    return deck


def _place_index(img, rank, suit, st):
    """The index at the top left; the caller turns the card for the others."""
    g, s = st["glyphs"][rank], st["shapes"][suit]
    ih, sh = st["ih"], st["ih"] * st["sh"]
    col = st["col"][suit]
    sq = st["iw"] * (0.72 if rank == "T" else 1.0)
    gw, sw = g.shape[1] * ih / g.shape[0] * sq, s.shape[1] * sh / s.shape[0]
    w = max(st["glyphs"]["Q"].shape[1] * ih / 100 * st["iw"], sw)
    cx = st["mx"] * CARD_W + max(w, gw) / 2
    y = st["my"] * CARD_H
    _stamp(img, g, cx, y + ih / 2, ih, col, squeeze=sq)
    if st["side"]:
        _stamp(img, s, cx + w / 2 + sw * 0.6, y + ih / 2, sh, col)
    else:
        _stamp(img, s, cx, y + ih + st["gap"] * CARD_H + sh / 2, sh, col)


def _draw_card(rank, suit, st, rng):
    img = np.empty((CARD_H, CARD_W, 3), np.uint8)
    img[:] = st["paper"].astype(np.uint8)
    col, shape = st["col"][suit], st["shapes"][suit]
    if rank in "JQK":
        px, py = st["px"] * st["inset"], st["py"] * st["inset"] * rng.uniform(0.8, 1)
        box = (int(px * CARD_W), int(py * CARD_H), int((1 - px) * CARD_W), int((1 - py) * CARD_H))
        _court(img, rng, box, st["artdeck"], rank, suit, told=not st["noindex"])
        if st["frame"]:
            cv2.rectangle(img, box[:2], box[2:], tuple(int(v) for v in rng.integers(0, 160, 3)), int(rng.integers(1, 4)))
        k = st["pip"] * rng.uniform(0.7, 1.0)
        x, y = box[0] + k * 0.6, box[1] + k * 0.6
        if rng.random() < 0.7:
            _stamp(img, shape, x, y, k, col)
            _stamp(img, shape, CARD_W - x, CARD_H - y, k, col, flip=True)
    elif rank == "A" or st["bare"]:
        _stamp(img, shape, CARD_W / 2, CARD_H / 2, CARD_H * st["ace"] * (1.5 if suit == "s" and rng.random() < .5 else 1), col)
        if suit == "s" and rng.random() < 0.5:
            cv2.circle(img, (CARD_W // 2, CARD_H // 2), int(CARD_H * 0.06), (230, 230, 230), int(rng.integers(1, 8)), cv2.LINE_AA)
    else:
        for x, y in PIPS[rank]:
            cx = (st["px"] + x * (1 - 2 * st["px"])) * CARD_W
            cy = (st["py"] + y * (1 - 2 * st["py"])) * CARD_H
            _stamp(img, shape, cx, cy, st["pip"] * (0.85 if rank in "9T" else 1), col, flip=y > 0.5, squeeze=st["sq"])
    if st["border"]:
        cv2.rectangle(img, (3, 3), (CARD_W - 4, CARD_H - 4), (60, 60, 60), 1)
    for _ in range(0 if st["noindex"] else 2):
        _place_index(img, rank, suit, st)
        if st["four"]:
            over = np.empty_like(img)
            over[:] = st["paper"].astype(np.uint8)
            _place_index(over, rank, suit, st)
            w, h = int(CARD_W * 0.3), int(CARD_H * 0.3)
            corner_px = over[:h, :w]
            # move the index to the right edge, upright
            ink = np.where(np.abs(corner_px.astype(int) - st["paper"]).sum(2) > 60)
            if len(ink[1]):
                x0, x1, y0, y1 = ink[1].min(), ink[1].max() + 1, ink[0].min(), ink[0].max() + 1
                m = int(st["mx"] * CARD_W)
                img[y0:y1, CARD_W - m - (x1 - x0):CARD_W - m] = corner_px[y0:y1, x0:x1]
        img = np.ascontiguousarray(img[::-1, ::-1])
    return img


def _draw_joker(st, rng, font):
    img = np.empty((CARD_H, CARD_W, 3), np.uint8)
    img[:] = st["paper"].astype(np.uint8)
    _court(img, rng, (50, 60, 190, 276), [], "", "")
    text = ["JOKER", "Joker", "JOKER"][rng.integers(3)]
    col = st["col"]["h" if rng.random() < 0.5 else "s"]
    for _ in range(2):
        if rng.random() < 0.6:
            h = st["ih"] * 0.5
            for i, ch in enumerate(text):
                _stamp(img, _glyph(ch, font, 60), st["mx"] * CARD_W + h / 2, st["my"] * CARD_H + h * (0.5 + 1.15 * i), h, col)
        else:
            m = _glyph(text, font, 60)
            m = np.ascontiguousarray(np.rot90(m, 3 if rng.random() < .5 else 1))
            h = CARD_H * 0.3
            _stamp(img, m, st["mx"] * CARD_W + m.shape[1] * h / m.shape[0] / 2, st["my"] * CARD_H + h / 2, h, col)
        img = np.ascontiguousarray(img[::-1, ::-1])
    return img


def load_artwork(folder, cache, names=None):
    """Decks of vector artwork, all or those named: name -> deck. Rendered once into cache."""
    decks = {}
    if not folder or not os.path.isdir(folder):
        return decks
    os.makedirs(cache, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(folder, "svgz", "*.svgz"))):
        name = os.path.basename(path)[:-5]
        if name.startswith("kde_") or (names and name not in names):
            continue  # kde: single cards by id, not a sheet
        png = os.path.join(cache, name + ".png")
        if not os.path.exists(png):
            svg = os.path.join(cache, name + ".svg")
            with gzip.open(path) as packed, open(svg, "wb") as f:
                f.write(packed.read())
            subprocess.run(["rsvg-convert", "-w", "3120", "-o", png, svg], check=True, timeout=300)
        decks[name] = _cut_sheet(cv2.imread(png, cv2.IMREAD_UNCHANGED))
    return decks


def load_own(folder):
    """The project's own decks as models/train/decks wrote them: name -> deck."""
    out = {}
    for d in sorted(glob.glob(os.path.join(folder, "*"))):
        deck = {os.path.basename(p)[:-4]: cv2.resize(cv2.imread(p), (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)
                for p in glob.glob(os.path.join(d, "*.png"))}
        own_ways(os.path.basename(d), deck)
        out[os.path.basename(d)] = deck
    return out


def own_ways(name, deck):
    """Tells of one of the project's own decks how its indices stand and which cards it has."""
    deck["four"] = name == "estrecha"
    deck["bare"] = "paño" in name
    if "RE" in deck:
        deck["labels"] = [r + s for s in "OKEB" for r in "1234567SCR"]


GENERIC = np.array([[0.03, 0.03, 0.15, 0.13], [0.04, 0.13, 0.14, 0.22]])


def index_boxes(deck):
    """Where rank and suit of a pack's indices stand, as (left, top, right, bottom) in sides of the card: where
    its twos and threes, whose pips lie in the middle, have ink at the edge."""
    h, w = int(0.55 * CARD_H), int(0.33 * CARD_W)
    faces = [deck[r + s] for r in "23" for s in SUITS if r + s in deck]
    if not faces:
        return GENERIC
    ink = np.zeros((h, w), bool)
    for f in faces:
        ink |= np.abs(f[:h, :w].astype(int) - np.median(f[CARD_H // 3:], (0, 1))).max(2) > 70
    ink[:int(0.012 * CARD_H)] = ink[:, :int(0.015 * CARD_W)] = False
    lines = ink.mean(0) > 0.7  # frames
    ink[:, lines] = False
    rows = np.flatnonzero(ink.any(1))
    if len(rows) < 8:
        return GENERIC
    gaps = np.diff(rows)
    k = int(np.argmax(gaps)) + 1 if gaps.max() > 1 else int(0.55 * len(rows))  # the suit stands below the rank, and may touch it
    out = []
    for r in (rows[:k], rows[k:]):
        cols = np.flatnonzero(ink[r[0]:r[-1] + 1].any(0))
        out.append([cols[0] / CARD_W, r[0] / CARD_H, (cols[-1] + 1) / CARD_W, (r[-1] + 1) / CARD_H])
    out = np.array(out)
    high, wide = out[:, 3] - out[:, 1], out[:, 2] - out[:, 0]
    return out if (high > 0.03).all() and (high < 0.28).all() and (wide < 0.31).all() else GENERIC


def _cut_sheet(sheet):
    """13 columns A to K; rows clubs, diamonds, hearts, spades, then jokers and back."""
    h, w = sheet.shape[0] / 5, sheet.shape[1] / 13
    cut = lambda r, c: _trim(sheet[int(r * h):int((r + 1) * h), int(c * w):int((c + 1) * w)])
    deck = {rank + suit: cut(r, c) for r, suit in enumerate("cdhs") for c, rank in enumerate(RANKS)}
    deck["Jk"], deck["Jk2"], deck["BK"] = cut(4, 0), cut(4, 1), cut(4, 2)
    return deck


def _trim(bgra):
    """The card without the empty edge round it, on white, in the standard size."""
    ys, xs = np.where(bgra[..., 3] > 128)
    if len(ys):
        bgra = bgra[ys.min():ys.max() + 1, xs.min():xs.max() + 1]
    a = bgra[..., 3:].astype(np.float32) / 255
    bgr = (bgra[..., :3] * a + 255 * (1 - a)).astype(np.uint8)
    return cv2.resize(bgr, (CARD_W, CARD_H), interpolation=cv2.INTER_AREA)
