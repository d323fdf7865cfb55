"""Small pictures of dice with what is true of them: rendered ones and cuttings of photographs.

A sample is a BGR picture of SIDE pixels and a list of dice (x, y, edge, value,
sure): the middle of the upper face, the length of its edge in pixels, 1 to 6,
and whether place and edge are exact. Dice whose edge lies outside EDGES are
there too: the network has to leave them alone.
"""
import json
import os

import cv2
import numpy as np

SIDE = 96
EDGES = (14.0, 30.0)  # edges that one level of the pyramid answers for
SPOTS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
         4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
         5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
         6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)]}


def held_out(name):
    """Every sixth photograph is kept back, by its name."""
    return sum(name.encode()) % 6 == 0


def mirrored(rng, shape, at, edge):
    """What a lamp adds to a face whose middle is at: a blot, or the ring of a round lamp, whole or in part."""
    out = np.zeros(shape, np.float32)
    at = tuple(int(v) for v in np.asarray(at) + edge * rng.uniform(-0.35, 0.35, 2))
    axes = edge * rng.uniform(0.08, 0.42) * np.exp(rng.uniform(-0.4, 0.4, 2))
    ring = rng.random() < 0.5
    begin = rng.uniform(0, 360)
    end = begin + (360 if rng.random() < 0.6 else rng.uniform(60, 300)) if ring else begin + 360
    cv2.ellipse(out, at, tuple(int(v) + 1 for v in axes), rng.uniform(0, 180), begin, end, 1, max(1, int(edge * rng.uniform(0.03, 0.1))) if ring else -1)
    return cv2.GaussianBlur(out, (0, 0), edge * rng.uniform(0.01, 0.1)) * rng.uniform(40, 240)


class Photo:
    """A photograph with its dice; loaded when first looked at."""

    def __init__(self, path, dice, oblique):
        self.path, self.dice, self.oblique, self.img = path, dice, oblique, None

    def pixels(self):
        if self.img is None:
            self.img = cv2.imread(self.path)
        return self.img


def lines(path):
    return [json.loads(l) for l in open(path)] if os.path.exists(path) else []


def whole(die):
    """A traced die."""
    x, y, edge, _ = die["box"]
    return x + edge / 2, y + edge / 2, edge, int(die["label"]), True


def cut(box):
    """A traced die that the picture's edge cuts: its value is 0."""
    return whole({"box": box, "label": 0})[:4] + (False,)


def photographs(data, held, traced=None):
    """The photographs that may train, or of those the ones held out; with traced, a folder, those of tables/throws.py too."""
    out = {"nell": [], "epanemu": [], "matteop": []}
    for l in lines(f"{data}/nell-byler-dice/truth.jsonl"):
        dice = [(x + w / 2, y + h / 2, 0.8 * min(w, h), int(d["label"]), False)
                for d in l["dice"] for x, y, w, h in [d["box"]]]
        out["nell"].append((l["image"], "nell-byler-dice", dice, False))
    for l in lines(f"{data}/epanemu-dice/truth.jsonl"):
        if "web" in l["tags"]:
            continue
        dice = [(x + w / 2, y + 0.42 * h, 0.75 * max(w, h), int(d["label"]), False)
                for d in l["dice"] for x, y, w, h in [d["box"]]]
        out["epanemu"].append((l["image"], "epanemu-dice", dice, True))
    for l in lines(f"{data}/matteop65-dice/pips.jsonl"):
        dice = []
        for d in l["pips"]:
            (x, y, w, h), v = d["box"], int(d["label"])
            # boxes round the spots only; of a one they say little
            edge = max(56, max(w, h) / 0.75) if v == 1 else max(w, h) / (0.65 if v < 4 else 0.74)
            dice.append((x + w / 2, y + h / 2, edge, v, v > 1))
        out["matteop"].append((l["image"], "matteop65-dice", dice, True))
    found = {k: [Photo(f"{data}/{s}/{i}", d, o) for i, s, d, o in v if held_out(i) == held] for k, v in out.items()}
    if traced:
        found["traced"] = [Photo(f"{traced}/{l['image']}", [whole(d) for d in l["dice"]] + [cut(b) for b in l["ignore"]], "oblique" in l["tags"])
                           for l in lines(f"{traced}/truth.jsonl") if held_out(l["image"]) == held]
    return found


def backgrounds(data):
    """Photographs without dice that may train: cards, chips, rooms."""
    out = []
    for s, n in (("martinabeleda-felt", 10), ("rf100-poker-cards", 60), ("edje-pinochle", 40)):
        ls = lines(f"{data}/{s}/truth.jsonl")
        out += [Photo(f"{data}/{s}/{l['image']}", [], True) for l in ls[::max(1, len(ls) // n)]]
    return out


class Source:
    """Draws samples from one seed."""

    def __init__(self, seed, photos, grounds):
        self.rng = np.random.default_rng(seed)
        self.photos = {k: v for k, v in photos.items() if v}
        self.grounds = grounds

    def sample(self, kind=None):
        """One sample; kind names a set of photographs, "drawn" or nothing."""
        r = self.rng
        if kind is None:
            kind = str(r.choice(["drawn", "drawn", "drawn", "none"] + 2 * list(self.photos) + 3 * ["traced"] * ("traced" in self.photos)))
        if kind == "drawn":
            img, dice = self.drawn()
        elif kind == "none":
            img, dice = self.ground(), []
        else:
            img, dice = self.cutting(kind)
        return self.weathered(img), dice

    def cutting(self, kind):
        """A cutting about one die of a photograph, turned, stretched and scaled."""
        r = self.rng
        photos = self.photos[kind]
        p = photos[r.integers(len(photos))]
        img = p.pixels()
        edge = np.exp(r.uniform(np.log(EDGES[0] * 0.9), np.log(EDGES[1] * 1.05)))
        cx, cy, e, _, _ = p.dice[r.integers(len(p.dice))] if p.dice else (img.shape[1] / 2, img.shape[0] / 2, 60, 1, 1)
        if r.random() < 0.12:  # or about nothing in particular
            cx, cy = r.uniform(0, img.shape[1]), r.uniform(0, img.shape[0])
        s = edge / e
        turn = np.deg2rad(r.uniform(-25, 25) if p.oblique else r.uniform(-180, 180))
        sx, sy = s * np.exp(r.uniform(-0.13, 0.13)), s * np.exp(r.uniform(-0.13, 0.13))
        if r.random() < 0.5:
            sx = -sx
        c, n = np.cos(turn), np.sin(turn)
        a = np.array([[c * sx, -n * sy], [n * sx, c * sy]])
        t = SIDE / 2 + r.uniform(-30, 30, 2) - a @ (cx, cy)
        m = np.hstack([a, t[:, None]])
        if s < 0.6:  # area first, so that fine texture does not alias
            k = 1 / max(1, int(1 / s))
            img = cv2.resize(img, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            m = m.copy()
            m[:, :2] /= k
        out = cv2.warpAffine(img, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        dice = []
        for x, y, de, v, sure in p.dice:
            u = a @ (x, y) + t
            dice.append((u[0], u[1], de * abs(sx * sy) ** 0.5, v, sure))
        return out, self.inside(dice)

    @staticmethod
    def inside(dice):
        return [d for d in dice if -20 < d[0] < SIDE + 20 and -20 < d[1] < SIDE + 20]

    def ground(self):
        """Something to lie on: a photograph's cutting, cloth, wood, print."""
        r = self.rng
        if self.grounds and r.random() < 0.45:
            img = self.grounds[r.integers(len(self.grounds))].pixels()
            k = int(min(min(img.shape[:2]) - 1, SIDE * np.exp(r.uniform(-0.3, 1.5))))
            y, x = r.integers(img.shape[0] - k), r.integers(img.shape[1] - k)
            return cv2.resize(img[y:y + k, x:x + k], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        base = r.uniform(20, 235, 3) if r.random() < 0.6 else np.full(3, r.uniform(20, 240)) + r.uniform(-12, 12, 3)
        low = r.normal(0, r.uniform(1, 18), (r.integers(2, 9), r.integers(2, 9), 1)).astype(np.float32)
        out = base + cv2.resize(low, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)[..., None]
        out = out + r.normal(0, r.uniform(0, 9), (SIDE, SIDE, 1))
        out = np.clip(out, 0, 255).astype(np.uint8)
        for _ in range(r.integers(0, 4)):
            self.print_on(out)
        return out

    def print_on(self, img):
        """What is printed on felt, or lies there and is no die: lines, discs, letters, spots."""
        r = self.rng
        color = tuple(int(v) for v in r.uniform(0, 255, 3))
        x, y = (int(v) for v in r.integers(0, SIDE, 2))
        what = r.integers(5)
        if what == 0:
            cv2.line(img, (x, y), tuple(int(v) for v in r.integers(-20, SIDE + 20, 2)), color, int(r.integers(1, 6)), cv2.LINE_AA)
        elif what == 1:
            cv2.circle(img, (x, y), int(r.integers(3, 30)), color, int(r.choice([-1, 1, 2, 4])), cv2.LINE_AA)
        elif what == 2:
            cv2.putText(img, str(r.choice(list("ABCDEGHKMNPRSTX23456789"))) * int(r.integers(1, 4)), (x - 20, y), int(r.integers(0, 4)), r.uniform(0.4, 1.6), color, int(r.integers(1, 4)), cv2.LINE_AA)
        elif what == 3:  # a bare block: no spots, no die
            box = cv2.boxPoints(((x, y), tuple(r.uniform(12, 50, 2)), r.uniform(0, 90)))
            cv2.fillConvexPoly(img, box.astype(np.int32), color, cv2.LINE_AA)
        else:
            for _ in range(r.integers(1, 7)):
                cv2.circle(img, (x + int(r.integers(-16, 17)), y + int(r.integers(-16, 17))), int(r.integers(1, 4)), color, -1, cv2.LINE_AA)

    def drawn(self):
        """Dice drawn as cubes seen from one elevation, some touching."""
        r = self.rng
        up = 2
        img = cv2.resize(self.ground(), None, fx=up, fy=up)
        edge = up * np.exp(r.uniform(np.log(EDGES[0] * 0.85), np.log(EDGES[1] * 1.1)))
        elevation = np.deg2rad(90 - 58 * r.random() ** 1.3)
        roll = np.deg2rad(r.uniform(-20, 20) if elevation < 1.2 else r.uniform(-180, 180))
        style = self.style()
        placed = []
        for _ in range(r.integers(1, 6)):
            if placed and r.random() < 0.5:  # against the last one
                d = edge * r.uniform(1.0, 1.5)
                w = r.uniform(0, 2 * np.pi)
                at = placed[-1][0] + d * np.array([np.cos(w), np.sin(w) * np.sin(elevation)])
            else:
                at = r.uniform(0.1, 0.9, 2) * SIDE * up
            if any(np.hypot(at[0] - o[0][0], (at[1] - o[0][1]) / np.sin(elevation)) < 1.02 * edge for o in placed):
                continue
            placed.append((at, r.uniform(0, np.pi / 2)))
        dice = []
        for at, yaw in sorted(placed, key=lambda p: p[0][1]):
            if r.random() < 0.3:
                style = self.style()
            x, y, v = self.cube(img, at, edge, yaw, elevation, style)
            dice.append((x / up, y / up, edge / up, v, True))
        if abs(roll) > 0.01:
            m = cv2.getRotationMatrix2D((SIDE * up / 2, SIDE * up / 2), np.rad2deg(roll), 1)
            img = cv2.warpAffine(img, m, (SIDE * up, SIDE * up), borderMode=cv2.BORDER_REFLECT)
            m[:, 2] /= up
            dice = [(*(m @ (x, y, 1)), e, v, s) for x, y, e, v, s in dice]
        img = cv2.resize(img, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        if r.random() < 0.5:  # pixels that are not square, cameras that lean
            k, lean = np.exp(r.uniform(-0.16, 0.16, 2)), r.uniform(-0.12, 0.12)
            a = np.array([[k[0], lean], [0, k[1]]])
            t = SIDE / 2 - a @ np.full(2, SIDE / 2)
            img = cv2.warpAffine(img, np.hstack([a, t[:, None]]), (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT)
            dice = [(*(a @ (x, y) + t), e * (k[0] * k[1]) ** 0.5, v, s) for x, y, e, v, s in dice]
        return img, self.inside(dice)

    def style(self):
        """Colours and shape of a die: body, spots, size of spots, roundness, how far apart spots are, whether a one is large, marble."""
        r = self.rng
        while True:
            body = r.uniform(0, 255, 3) if r.random() < 0.55 else np.full(3, r.choice([245, 225, 30, 15])) + r.uniform(-12, 12, 3)
            spot = np.full(3, 245.0 if body.mean() < 140 else 15.0) if r.random() < 0.8 else r.uniform(0, 255, 3)
            if abs(body.mean() - spot.mean()) > 55 or (np.linalg.norm(body - spot) > 130 and r.random() < 0.5):  # of one lightness too
                break
        marble = None
        if r.random() < 0.2:  # clouds of a second colour, or of the same lighter and darker
            k = int(r.integers(6, 30))
            low = cv2.resize(r.normal(0, 1, (k, k)).astype(np.float32), (2 * SIDE, 2 * SIDE), interpolation=cv2.INTER_CUBIC)
            second = r.uniform(-50, 50, 3) if r.random() < 0.5 else np.full(3, r.uniform(15, 50))
            marble = np.clip(r.uniform(0.5, 2) * low, -1.5, 1.5)[..., None] * second
        return body, spot, r.uniform(0.075, 0.125), r.uniform(0.0, 0.16), r.uniform(0.23, 0.285), r.random() < 0.25, marble

    def cube(self, img, at, edge, yaw, elevation, style):
        """Draws one die whose foot's middle is at; returns the upper face's middle and value."""
        r = self.rng
        body, spot, radius, rounding, spread, glow, marble = style
        se, ce = np.sin(elevation), np.cos(elevation)
        cy, sy = np.cos(yaw), np.sin(yaw)

        def project(p):  # die's own units (cube from -0.5 to 0.5, z up) to the picture
            p = np.asarray(p, float) * edge
            x, y, z = cy * p[:, 0] - sy * p[:, 1], sy * p[:, 0] + cy * p[:, 1], p[:, 2] + edge / 2
            return np.stack([at[0] + x, at[1] + y * se - z * ce], 1)

        value = int(r.integers(1, 7))
        bare = img.copy() if r.random() < 0.25 else None  # what shows through a transparent die
        side = int(r.choice([v for v in range(1, 7) if v not in (value, 7 - value)]))
        third = int(r.choice([v for v in range(1, 7) if v not in (value, 7 - value, side, 7 - side)]))
        shadow = project([(-.5, -.5, -.5), (.5, -.5, -.5), (.5, .5, -.5), (-.5, .5, -.5)]) + edge * r.uniform(-.25, .25, 2)
        if r.random() < 0.7:
            over = img.copy()
            cv2.fillConvexPoly(over, shadow.astype(np.int32), (0, 0, 0), cv2.LINE_AA)
            k = int(edge / 6) * 2 + 1
            over = cv2.GaussianBlur(over, (k, k), 0) if r.random() < 0.5 else over
            cv2.addWeighted(over, 0.4, img, 0.6, 0, img)
        lit = r.uniform(0.45, 1.0, 2)
        # side faces that look at the camera: with yaw in 0..90 degrees +y and, of the x sides, the nearer
        faces = [(((1, 0, 0), (0, 0, 1), (0, 1, 0)), side, lit[0]), (((0, 1, 0), (0, 0, 1), (1, 0, 0)), third, lit[1]),
                 (((0, 0, 1), (1, 0, 0), (0, 1, 0)), value, 1.0)]
        if ce < 0.05:
            faces = faces[2:]
        for (n, u, v), number, light in faces:
            n, u, v = (np.array(q, float) for q in (n, u, v))
            if n[2] == 0 and ((sy * n[0] + cy * n[1]) * ce < 0):
                n = -n
            self.face(img, project, n, u, v, number, light, body, spot, radius, rounding, spread, glow, marble)
        top = project([(0, 0, 0.5)])[0]
        if bare is not None:
            k = r.uniform(0.05, 0.3)
            cv2.addWeighted(bare, k, img, 1 - k, 0, img)
        if r.random() < 0.3:  # a lamp mirrored in a face
            lamp = mirrored(r, img.shape[:2], top, edge)
            img[:] = np.clip(img + lamp[..., None], 0, 255)
        return top[0], top[1], value

    def face(self, img, project, n, u, v, number, light, body, spot, radius, rounding, spread, glow, marble):
        h = 0.5
        ring = []
        for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            w0 = np.arctan2(b, a)
            for k in np.linspace(-np.pi / 4, np.pi / 4, 4):
                ring.append((a * (h - rounding) + rounding * np.cos(w0 + k) * 1.0, b * (h - rounding) + rounding * np.sin(w0 + k)))
        pts = project([n * h + u * p[0] + v * p[1] for p in ring])
        full = project([n * h + u * a * h * .98 + v * b * h * .98 for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))])
        shade = np.clip(body * light * 0.85, 0, 255)
        if rounding > 0:
            cv2.fillConvexPoly(img, np.round(cv2.convexHull(np.float32(np.vstack([pts, 0.9 * full + 0.1 * full.mean(0)]))) * 16).astype(np.int32), tuple(shade), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(img, np.round(pts * 16).astype(np.int32), tuple(np.clip(body * light, 0, 255)), cv2.LINE_AA, 4)
        if marble is not None:
            mask = np.zeros(img.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, np.round(pts * 16).astype(np.int32), 255, cv2.LINE_8, 4)
            inside = mask > 0
            img[inside] = np.clip(img[inside] + light * marble[:img.shape[0], :img.shape[1]][inside], 0, 255)
        turned = number in (2, 3, 6) and self.rng.random() < 0.5
        for a, b in SPOTS[number]:
            if turned:
                a, b = b, -a
            size = radius * (1.35 if number == 1 and glow else 1)
            ring = [n * h + u * (a * spread + size * np.cos(w)) + v * (b * spread + size * np.sin(w)) for w in np.linspace(0, 2 * np.pi, 12, endpoint=False)]
            cv2.fillConvexPoly(img, np.round(project(ring) * 16).astype(np.int32), tuple(np.clip(spot * light, 0, 255)), cv2.LINE_AA, 4)

    def weathered(self, img):
        """Light, colour, blur, noise, compression."""
        r = self.rng
        f = img.astype(np.float32)
        if r.random() < 0.35:
            f = f[..., r.permutation(3)]
        if r.random() < 0.15:
            f = 255 - f
        if r.random() < 0.12:
            f = np.repeat(f.mean(2, keepdims=True), 3, 2)
        f = (f / 255) ** np.exp(r.uniform(-0.5, 0.5)) * 255 * r.uniform(0.6, 1.2) * (1 + r.normal(0, 0.07, 3)) + r.uniform(-15, 15)
        if r.random() < 0.5:
            f = cv2.GaussianBlur(f, (0, 0), r.uniform(0.3, 1.3))
        if r.random() < 0.15:
            k = np.zeros((5, 5), np.float32)
            cv2.line(k, tuple(int(v) for v in r.integers(0, 5, 2)), (2, 2), 1, 1)
            f = cv2.filter2D(f, -1, k / max(k.sum(), 1))
        f = f + r.normal(0, r.uniform(0, 7), f.shape)
        out = np.clip(f, 0, 255).astype(np.uint8)
        if r.random() < 0.4:
            out = cv2.imdecode(cv2.imencode(".jpg", out, [1, int(r.integers(30, 90))])[1], 1)
        return np.ascontiguousarray(out)
