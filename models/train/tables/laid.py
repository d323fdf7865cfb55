"""What lies on a path-traced table of cards and dice, drawn from a seed: packs, hands, throws, a printed felt.

Lengths are millimetres on the felt, as in world.py. Packs are those of models/train/decks.py:
cut from vector artwork, or lettered anew with many fonts; each world has one of its own.
"""
import math
import os
import sys

import numpy as np
from PIL import Image, ImageDraw

import world

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import decks

INDEXED = ("anglo", "anglo_modern_4_color", "anglo_poker", "neoclassical_4_color", "ornamental", "plastic")  # with English letters
# Bodies of dice: what they are made of, colour of body and of spots, sRGB.
RED, IVORY, INK = (178, 8, 20), (236, 230, 212), (24, 22, 24)
DICE = (("glass", (190, 10, 22), IVORY), ("glass", (20, 110, 60), IVORY), ("glass", (24, 60, 170), IVORY), ("glass", (150, 60, 170), IVORY),
        ("glass", (214, 130, 20), IVORY), ("glass", (200, 30, 40), (240, 240, 240)), ("glass", (190, 10, 22), IVORY),
        ("pearl", (224, 220, 214), INK), ("pearl", (150, 20, 30), IVORY), ("pearl", (30, 60, 120), (212, 176, 70)), ("pearl", (40, 90, 60), IVORY),
        ("plain", IVORY, INK), ("plain", (240, 238, 232), (30, 40, 120)), ("plain", (26, 26, 28), IVORY), ("plain", (180, 16, 24), IVORY),
        ("plain", (30, 100, 60), IVORY), ("sic bo", (242, 240, 232), INK))
FACES = {1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
         5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)), 6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))}


def camera(rng, size):
    """A camera over a table of cards: higher than those over chips."""
    while True:
        c = world.Camera(rng, size, 740)
        tilt = math.degrees(math.acos(-c.eye[2] / np.linalg.norm(c.eye)))
        if c.wide > 580 and tilt < 58:
            return c


class Pack:
    """A pack of cards as pictures, and how large they are."""

    def __init__(self, rng, artwork, cache):
        g = np.random.default_rng(rng.getrandbits(32))
        art = list(decks.load_artwork(artwork, cache, (rng.choice(INDEXED),)).values())
        if art and rng.random() < 0.5:
            self.face = dict(rng.choice(art))
        else:
            while True:
                self.face = decks.draw_deck(g, art)
                if not self.face["bare"]:
                    break
        if rng.random() < 0.8:
            self.face["BK"] = decks.draw_back(g)
        self.size = rng.choice(((63, 88), (63, 88), (57, 88)))
        self.paper = rng.uniform(0.86, 1.0)
        self.rough = rng.uniform(0.3, 0.55)
        self.labels = [r + s for s in decks.SUITS for r in decks.RANKS]

    def picture(self, label):
        return Image.fromarray(np.clip(self.face[label][..., ::-1].astype(np.float32) * self.paper, 0, 255).astype(np.uint8))


class Card:
    """One card on the felt: its middle, turn in radians, height, and how it is bent."""

    def __init__(self, label, at, turn, tall, bend, lift):
        self.label, self.at, self.turn, self.tall, self.bend, self.lift = label, at, turn, tall, bend, lift

    def place(self, x, y):
        sin, cos = math.sin(self.turn), math.cos(self.turn)
        return self.at[0] + x * cos - y * sin, self.at[1] + x * sin + y * cos

    def covers(self, p, size):
        x, y = p[0] - self.at[0], p[1] - self.at[1]
        sin, cos = math.sin(-self.turn), math.cos(-self.turn)
        return abs(x * cos - y * sin) < size[0] / 2 and abs(x * sin + y * cos) < size[1] / 2

    def index(self, size, over):
        """Whether an index of it is free of the cards over it."""
        w, h = size
        for s in (-1, 1):
            box = [(s * w * (0.5 - a), s * h * (0.5 - b)) for a in (0.0, 0.1, 0.21) for b in (0.0, 0.1, 0.2, 0.3)]
            if not any(c.covers(self.place(*p), size) for p in box for c in over):
                return True
        return False


def hand(rng, box, pack, labels):
    """Cards in the order of dealing, each with an index to be seen; none where they find no place."""
    w, h = pack.size
    (x0, y0, x1, y1), back = box, rng.random() < 0.15
    for _ in range(60):
        base, style = rng.choice((0, 0, math.pi)) + rng.gauss(0, 0.15), rng.choice(("stairs", "stairs", "half", "strip", "apart"))
        sx, sy = rng.choice((-1, 1)), rng.choice((-1, 1))
        step = {"stairs": (rng.uniform(0.24, 0.45) * sx, rng.uniform(0.12, 0.35) * sy), "half": (rng.uniform(0.42, 0.6) * sx, rng.uniform(-0.05, 0.05)),
                "strip": (rng.uniform(0.24, 0.34) * sx, rng.uniform(-0.04, 0.04)), "apart": (rng.uniform(1.03, 1.25) * sx, rng.uniform(-0.1, 0.1))}[style]
        n = len(labels)
        out = []
        for i, l in enumerate(labels):
            x, y = (i - (n - 1) / 2) * step[0] * w + rng.gauss(0, 1.5), (i - (n - 1) / 2) * step[1] * h + rng.gauss(0, 1.5)
            sin, cos = math.sin(base), math.cos(base)
            at = ((x0 + x1) / 2 + x * cos - y * sin, (y0 + y1) / 2 + x * sin + y * cos)
            across = i == n - 1 and n > 2 and rng.random() < 0.15
            out.append(Card(l, at, base + rng.gauss(0, 0.05) + (math.pi / 2 if across else 0), 0.15 + 0.42 * i, rng.choice((0, 0, rng.uniform(0, 2.5))),
                            rng.choice((0, 0, 0, rng.uniform(0, 4)))))
        if back:
            out[rng.randrange(min(2, n))].label = "BK"
        inside = all(x0 + 8 < c.at[0] < x1 - 8 and y0 + 8 < c.at[1] < y1 - 8 for c in out)
        if inside and all(c.index(pack.size, out[i + 1:]) for i, c in enumerate(out)):
            return out
    return []


class Throw:
    """The dice of a zone: material, edge and spots are the set's, place, turn and value each die's own."""

    def __init__(self, rng, edge):
        self.made, self.body, self.spots = rng.choice(DICE)
        self.body, self.spots = world.varied(rng, self.body, 0.1), world.varied(rng, self.spots, 0.05)
        self.edge = edge
        self.count = 3 if self.made == "sic bo" else rng.choice((2, 2, 2, 3))
        self.round = rng.uniform(0.2, 0.5) if self.made == "glass" and rng.random() < 0.7 else rng.uniform(0.6, 2.2)
        self.far, self.spot = rng.uniform(0.25, 0.29) * edge, rng.uniform(0.075, 0.1) * edge
        self.rough = rng.choice((0.0, 0.0, 0.12, 0.3)) if self.made == "glass" else rng.uniform(0.15, 0.5)

    def thrown(self, rng, box):
        x0, y0, x1, y1 = box
        out = []
        while len(out) < self.count:
            x, y = rng.uniform(x0 + 15, x1 - 15), rng.uniform(y0 + 15, y1 - 15)
            if out and rng.random() < 0.4:  # nearly against another
                t, p = rng.uniform(0, 2 * math.pi), rng.choice(out)
                x, y = p[0] + self.edge * rng.uniform(1.45, 1.7) * math.cos(t), p[1] + self.edge * rng.uniform(1.45, 1.7) * math.sin(t)
            if x0 + 12 < x < x1 - 12 and y0 + 12 < y < y1 - 12 and all(math.hypot(x - p[0], y - p[1]) > 1.43 * self.edge for p in out):
                out.append((x, y, rng.uniform(0, 2 * math.pi), rng.randint(1, 6)))
        return out


def felt(rng, pack):
    """The felt of world.py with cards, suits, chips and dice printed on it: none of them is to be read."""
    mm = 1400.0
    img = world.felt(rng, 2048, mm)
    k, draw = img.width / mm, ImageDraw.Draw(img)
    place = lambda: (rng.uniform(0.28, 0.7) * img.width, rng.uniform(0.28, 0.7) * img.width)
    for _ in range(rng.randint(3, 9)):
        what, ink = rng.choice(("card", "card", "suit", "chip", "die")), world.varied(rng, rng.choice(((232, 226, 206), (214, 176, 60), (24, 24, 26), (180, 30, 36))), 0.05)
        x, y = place()
        if what == "suit":
            draw.text((x, y), rng.choice("♠♥♦♣"), fill=ink, font=world.ImageFont.truetype("DejaVuSans.ttf", int(rng.uniform(15, 90) * k)), anchor="mm")
            continue
        if what == "card":
            one = pack.picture(rng.choice(["As", "Ah", "Ad", "Ac"] + pack.labels)).resize((int(rng.uniform(30, 66) * k), int(rng.uniform(50, 92) * k)), Image.LANCZOS)
            if rng.random() < 0.4:  # in one ink
                dark = Image.fromarray(255 - np.asarray(one.convert("L")))
                img.paste(ink, (int(x), int(y)), dark)
                draw.rectangle((x, y, x + one.width, y + one.height), outline=ink, width=int(k))
                continue
        elif what == "chip":
            kind = world.Kind(rng, rng.choice(sorted(world.BODIES)), 40, 3.3)
            one = kind.face.resize((int(rng.uniform(30, 60) * k),) * 2, Image.LANCZOS)
        else:
            one = die_print(rng, int(rng.uniform(14, 40) * k), ink)
        turned = one.convert("RGBA").rotate(rng.choice((0, 0, 180, rng.uniform(0, 360))), expand=True, resample=Image.BICUBIC)
        if what == "chip":
            mask = Image.new("L", one.size, 0)
            ImageDraw.Draw(mask).ellipse((0, 0, one.width - 1, one.height - 1), fill=255)
            img.paste(one, (int(x), int(y)), mask)
        else:
            img.paste(turned, (int(x), int(y)), turned)
    return img


def die_print(rng, side, ink):
    pale = sum(ink) > 380
    img = Image.new("RGB", (side, side), ink)
    d, r = ImageDraw.Draw(img), side * 0.09
    for u, v in FACES[rng.randint(1, 6)]:
        x, y = side * (0.5 + 0.27 * u), side * (0.5 + 0.27 * v)
        d.ellipse((x - r, y - r, x + r, y + r), fill=(24, 22, 24) if pale else (236, 230, 212))
    return img

