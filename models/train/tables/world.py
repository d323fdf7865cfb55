"""What a path-traced table has on it, drawn from a seed: a camera, a felt, kinds of chips, stacks.

Lengths are millimetres on the felt, x to the right, y towards the players, heights upwards.
Nothing here is of the simulator (internal/lab/sim): other chips, prints, lamps and cameras.
"""
import colorsys
import math
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONTS = ("DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "LiberationSerif-Bold.ttf", "LiberationSans-Bold.ttf")
# Bodies as casinos have them, sRGB.
BODIES = {"white": (226, 222, 210), "red": (176, 28, 36), "blue": (34, 66, 150), "green": (22, 104, 62), "black": (28, 27, 30),
          "purple": (92, 44, 122), "orange": (222, 110, 30), "yellow": (228, 190, 50), "pink": (222, 120, 150), "grey": (128, 130, 134),
          "sky": (104, 160, 206), "brown": (104, 66, 42), "mint": (124, 186, 140), "burgundy": (104, 22, 44)}
NAMES = sorted(BODIES)  # of the bodies that are drawn from
THIRDS = 1.0  # share of the spots that show a third colour, of kinds that have one
TILT = (22, 68)  # degrees of the camera over the felt
FELTS = [(18, 92, 58), (14, 74, 50), (20, 62, 110), (110, 22, 34), (34, 34, 40), (70, 40, 92), (10, 92, 98), (150, 120, 80)]


def darken():
    """From now on only dark chips on dark felts."""
    FELTS[:] = [c for c in FELTS if max(c) < 100]
    NAMES[:] = [n for n in NAMES if sum(BODIES[n]) < 290]


def font(rng, size):
    try:
        return ImageFont.truetype(rng.choice(FONTS), size)
    except OSError:  # no fonts: Pillow's own
        return ImageFont.load_default(size)


class Camera:
    """A pinhole camera over the felt that looks at its origin."""

    def __init__(self, rng, size, most=680):
        w, h = self.size = size
        tilt, turn = math.radians(rng.uniform(*TILT)), math.radians(rng.gauss(0, 18))
        self.wide = rng.uniform(430, most)  # mm that the picture's middle row shows
        self.focal = rng.uniform(1.1, 2.6) * w
        far = self.focal * self.wide / w
        self.eye = np.array([far * math.cos(tilt) * math.sin(turn), far * math.cos(tilt) * math.cos(turn), -far * math.sin(tilt)])
        ahead = -self.eye / far
        right = np.cross([0, 0, 1], ahead)  # the third axis points into the felt
        right /= np.linalg.norm(right)
        self.rot = np.array([right, np.cross(ahead, right), ahead])
        self.shift = -self.rot @ self.eye
        self.centre = ((w - 1) / 2, (h - 1) / 2)

    def project(self, x, y, tall=0.0):
        c = self.rot @ np.array([x, y, -tall]) + self.shift
        return self.focal * c[0] / c[2] + self.centre[0], self.focal * c[1] / c[2] + self.centre[1]

    def plane(self):
        """Pixels to millimetres on the felt, row by row."""
        k = np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1]])
        h = np.linalg.inv(k @ np.column_stack([self.rot[:, 0], self.rot[:, 1], self.shift]))
        return (h / h[2, 2]).ravel()

    def rodrigues(self):
        m = self.rot
        angle = math.acos(max(-1.0, min(1.0, (np.trace(m) - 1) / 2)))
        axis = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
        if np.linalg.norm(axis) < 1e-9:
            return np.zeros(3)
        return axis / np.linalg.norm(axis) * angle


def varied(rng, c, by):
    h, s, v = colorsys.rgb_to_hsv(*(x / 255 for x in c))
    h, s, v = (h + rng.gauss(0, 0.012)) % 1, min(1, max(0, s * rng.uniform(1 - by, 1 + by))), min(1, v * rng.uniform(1 - by, 1 + by / 2))
    return tuple(int(255 * x) for x in colorsys.hsv_to_rgb(h, s, v))


class Kind:
    """A kind of chip: its texture for both faces and the one of its side."""

    def __init__(self, rng, name, diameter, thick):
        self.id, self.diameter, self.thick = name, diameter, thick
        body = varied(rng, BODIES[name], 0.12)
        spots = [c for n, c in BODIES.items() if n != name and np.abs(np.subtract(c, body)).sum() > 130]
        self.body, self.spot = body, varied(rng, rng.choice(spots), 0.1)
        if rng.random() < 0.45:  # most have pale spots
            self.spot = varied(rng, BODIES["white" if name not in ("white", "grey") else "blue"], 0.05)
        self.third = varied(rng, rng.choice(spots), 0.1) if rng.random() < 0.5 else None
        self.marks = self.spread(rng)
        self.inset = rng.uniform(0.66, 0.84)  # from where the spots show on the face
        self.inlay = rng.uniform(0.42, 0.66)
        self.rough = rng.uniform(0.4, 0.75)
        self.worn = rng.uniform(0, 0.6)
        self.face, self.side = self.draw_face(rng), self.draw_side(rng)

    def spread(self, rng):
        """Spots round the rim: from, to, colour, in parts of the circle."""
        n, wide, out = rng.choice((3, 4, 4, 6, 6, 8, 8, 12)), rng.uniform(0.3, 0.55), []
        for i in range(n):
            a, b = (i + 0.0) / n, (i + wide) / n
            if self.third and rng.random() < THIRDS:
                style = n % 3
                if style == 0:  # split in two
                    out += [(a, (a + b) / 2, self.spot), ((a + b) / 2, b, self.third)]
                    continue
                if style == 1:  # by turns
                    out.append((a, b, self.spot if i % 2 else self.third))
                    continue
                out += [(a, a + (b - a) * 0.3, self.spot), (a + (b - a) * 0.3, a + (b - a) * 0.7, self.third), (a + (b - a) * 0.7, b, self.spot)]
                continue
            out.append((a, b, self.spot))
        return out

    def wear(self, rng, img):
        """Dirt and rubbed places."""
        a = np.asarray(img).astype(np.float32)
        h, w = a.shape[:2]
        g = np.random.default_rng(rng.getrandbits(32))
        cloud = np.asarray(Image.fromarray(g.integers(0, 255, (max(2, h // 16), max(2, w // 16)), dtype=np.uint8)).resize((w, h), Image.BICUBIC)) / 255.0
        grey = a.mean(2, keepdims=True)
        a += self.worn * 0.25 * cloud[..., None] * (grey - a) - self.worn * 22 * cloud[..., None] * (g.random((h, w, 1)) > 0.4)
        a += g.normal(0, 3 * self.worn + 1, (h, w, 1))
        return Image.fromarray(np.clip(a, 0, 255).astype(np.uint8))

    def draw_face(self, rng, side=384):
        img = Image.new("RGB", (side, side), self.body)
        d, m = ImageDraw.Draw(img), side / 2
        ring = lambda r: (m - r * m, m - r * m, m + r * m, m + r * m)
        for a, b, c in self.marks:
            d.pieslice(ring(1.05), 360 * a, 360 * b, fill=c)
        d.ellipse(ring(self.inset), fill=self.body)
        if rng.random() < 0.4:  # hot-stamped or moulded signs between spots and inlay
            for i in range(rng.choice((8, 16, 24))):
                t, r = 2 * math.pi * i / 16, (self.inset + self.inlay) / 2
                x, y = m + r * m * math.cos(t), m + r * m * math.sin(t)
                d.ellipse((x - 5, y - 5, x + 5, y + 5), fill=varied(rng, self.body, 0.3))
        if rng.random() < 0.9:
            paper = varied(rng, rng.choice(((244, 240, 228), (240, 226, 190), (250, 250, 250), self.spot, (30, 30, 34))), 0.05)
            d.ellipse(ring(self.inlay), fill=paper)
            ink = self.body if np.abs(np.subtract(self.body, paper)).sum() > 160 else (30, 30, 30) if sum(paper) > 380 else (240, 230, 200)
            if rng.random() < 0.7:
                d.ellipse(ring(self.inlay * 0.94), outline=ink, width=rng.randint(2, 7))
            if rng.random() < 0.5:
                r = self.inlay * rng.uniform(0.4, 0.7)
                d.ellipse(ring(r), fill=rng.choice((self.body, self.spot, paper)))
            text = rng.choice(("5", "25", "100", "1000", "€5", "2,50", "500", "$1", "20"))
            d.text((m, m), text, fill=ink, font=font(rng, int(side * self.inlay * rng.uniform(0.3, 0.5))), anchor="mm")
            d.text((m, m - self.inlay * m * 0.7), "CASINO", fill=ink, font=font(rng, int(side * 0.05)), anchor="mm")
        return self.wear(rng, img)

    def draw_side(self, rng, w=768, h=24):
        img = Image.new("RGB", (w, h), self.body)
        d = ImageDraw.Draw(img)
        for a, b, c in self.marks:
            d.rectangle((a * w, 0, b * w, h), fill=c)
        return self.wear(rng, img)


def felt(rng, side=2048, mm=1400.0):
    """The felt with its print, side pixels over mm millimetres, and what colour it has."""
    base = varied(rng, rng.choice(FELTS), 0.15)
    img = Image.new("RGB", (side, side), base)
    d, k = ImageDraw.Draw(img), side / mm
    inks = [varied(rng, c, 0.08) for c in ((232, 226, 206), (214, 176, 60), (190, 40, 40), (240, 240, 240), (30, 30, 30))]
    for _ in range(rng.randint(10, 34)):
        x, y, ink, wide = rng.uniform(0.2, 0.8) * side, rng.uniform(0.2, 0.8) * side, rng.choice(inks), int(rng.uniform(2, 7) * k)
        what = rng.random()
        if what < 0.35:
            r = rng.uniform(20, 75) * k
            d.ellipse((x - r, y - r, x + r, y + r), outline=ink, width=wide, fill=rng.choice((None, None, None, rng.choice(inks))))
        elif what < 0.6:
            r, s = rng.uniform(20, 120) * k, rng.uniform(20, 80) * k
            d.rectangle((x - r, y - s, x + r, y + s), outline=ink, width=wide, fill=rng.choice((None, None, (20, 20, 22), (180, 30, 36))))
        elif what < 0.75:
            r = rng.uniform(200, 600) * k
            d.arc((x - r, y - r, x + r, y + r), rng.uniform(0, 360), rng.uniform(0, 360), fill=ink, width=wide)
        else:
            d.text((x, y), rng.choice(("BLACKJACK PAYS 3 TO 2", "PAR", "17", "32", "INSURANCE", "PASS LINE", "BANCA", "COME", "2nd 12", "JUGADOR")),
                   fill=ink, font=font(rng, int(rng.uniform(12, 60) * k)), anchor="mm")
    a = np.asarray(img.filter(ImageFilter.GaussianBlur(0.6))).astype(np.float32)
    g = np.random.default_rng(rng.getrandbits(32))
    a *= 1 + g.normal(0, rng.uniform(0.02, 0.07), a.shape[:2])[..., None]
    return Image.fromarray(np.clip(a, 0, 255).astype(np.uint8))


def palette(rng):
    diameter, thick = rng.uniform(37.5, 45), rng.uniform(3.0, 3.6)
    return [Kind(rng, n, diameter, thick) for n in rng.sample(NAMES, rng.randint(4, 7))]


class Used(Kind):
    """A kind of a crowded table: clay or ceramic, a good deal more worn, with a dirty edge."""

    def __init__(self, rng, name, diameter, thick):
        self.ceramic, self.grime = rng.random() < 0.3, rng.uniform(0, 0.5)
        super().__init__(rng, name, diameter, thick)

    def wear(self, rng, img):
        self.worn = max(self.worn, rng.uniform(0, 1.2))
        return super().wear(rng, img)

    def draw_face(self, rng, side=384):
        img = super().draw_face(rng, side)
        if self.ceramic:  # printed all over
            d, m = ImageDraw.Draw(img), side / 2
            for _ in range(rng.randint(4, 14)):
                t, r, q = rng.uniform(0, 2 * math.pi), m * rng.uniform(self.inlay, self.inset), rng.uniform(4, 14)
                x, y = m + r * math.cos(t), m + r * math.sin(t)
                d.ellipse((x - q, y - q, x + q, y + q), fill=rng.choice((self.spot, self.third or self.spot, (236, 232, 220))))
        return img

    def draw_side(self, rng, w=768, h=24):
        img = super().draw_side(rng, w, h)
        if self.ceramic and rng.random() < 0.5:  # its spots end before the faces, or a line runs round it
            ImageDraw.Draw(img).rectangle((0, 0, w, rng.randint(2, 5)), fill=self.body)
            ImageDraw.Draw(img).rectangle((0, h - rng.randint(2, 5), w, h), fill=self.body)
        a = np.asarray(img).astype(np.float32)
        edge = np.minimum(np.arange(h), np.arange(h)[::-1]) < 3
        a[edge] *= 1 - self.grime
        return Image.fromarray(a.astype(np.uint8))


def used(rng):
    """The palette of a crowded table."""
    diameter, thick = rng.uniform(37, 45), rng.uniform(2.9, 3.7)
    return [Used(rng, n, diameter, thick) for n in rng.sample(NAMES, min(len(NAMES), rng.randint(4, 8)))]


def crowd(rng, zones, kinds, most=20):
    """Stacks as stacks() has them, but many, often against one another, leaning, and of several kinds."""
    out = []
    for z, (x0, y0, x1, y1) in enumerate(zones):
        placed, dia = [], kinds[0].diameter
        for _ in range(rng.choice((2, 3, 4, 5, 6))):
            for _ in range(20):
                x, y = rng.uniform(x0 + dia * .5, x1 - dia * .5), rng.uniform(y0 + dia * .5, y1 - dia * .5)
                if placed and rng.random() < 0.5:
                    t, near = rng.uniform(0, 2 * math.pi), rng.choice(placed)
                    x, y = near[0] + (dia + rng.uniform(.6, 5)) * math.cos(t), near[1] + (dia + rng.uniform(.6, 5)) * math.sin(t)
                    if not (x0 + dia / 2 < x < x1 - dia / 2 and y0 + dia / 2 < y < y1 - dia / 2):
                        continue
                if all(math.hypot(x - p[0], y - p[1]) > dia + 0.6 for p in placed):
                    placed.append((x, y))
                    n = max(1, min(most, int(rng.choice((rng.uniform(1, 5), rng.uniform(1, 10), rng.uniform(1, most + 1), rng.uniform(1, most + 1))))))
                    what = [rng.randrange(len(kinds))] * n
                    if rng.random() < 0.4 and n > 1:
                        for a in sorted(rng.sample(range(1, n), min(n - 1, rng.choice((1, 1, 2, 3, n))))):
                            what[a:] = [rng.randrange(len(kinds))] * (n - a)
                    lean = rng.choice((0, 0, 0.12, 0.25))
                    out.append({"zone": z, "at": (x, y), "kinds": what, "lean": (rng.gauss(0, lean), rng.gauss(0, lean))})
                    break
    return out


def stacks(rng, zones, kinds, most=20):
    """Stacks by zone: foot, kinds from the foot up. Some touch one another."""
    out = []
    for z, (x0, y0, x1, y1) in enumerate(zones):
        placed, dia = [], kinds[0].diameter
        for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 4))):
            for _ in range(30):
                x, y = rng.uniform(x0 + dia * .6, x1 - dia * .6), rng.uniform(y0 + dia * .6, y1 - dia * .6)
                if placed and rng.random() < 0.5:  # against another
                    t, near = rng.uniform(0, 2 * math.pi), rng.choice(placed)
                    x, y = near[0] + (dia + rng.uniform(.8, 5)) * math.cos(t), near[1] + (dia + rng.uniform(.8, 5)) * math.sin(t)
                    if not (x0 + dia / 2 < x < x1 - dia / 2 and y0 + dia / 2 < y < y1 - dia / 2):
                        continue
                if all(math.hypot(x - p[0], y - p[1]) > dia + 0.8 for p in placed):
                    placed.append((x, y))
                    n = max(1, min(most, int(rng.choice((rng.uniform(1, 4), rng.uniform(1, 9), rng.uniform(1, most + 1))))))
                    what = [rng.randrange(len(kinds))] * n
                    if rng.random() < 0.3 and n > 1:
                        cuts = sorted(rng.sample(range(1, n), min(n - 1, rng.randint(1, 3))))
                        for a in cuts:
                            what[a:] = [rng.randrange(len(kinds))] * (n - a)
                    out.append({"zone": z, "at": (x, y), "kinds": what})
                    break
    return out


def seeded(*key):
    return random.Random(":".join(map(str, key)))
