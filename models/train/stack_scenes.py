"""Pictures of chip stacks seen from the side with what is true of them: drawn ones and cuttings of photographs.

A scene is a BGR picture and its stacks: the box as people draw it (x0, y0, x1,
y1, a little loose) and, where it was drawn, on which columns its chips' lower
edges lie (Column).
"""
import json
import os

import cv2
import numpy as np

SET = "pokersensei-stacks"


def held_out(name):
    """One room is kept back whole (wood and carpet, by day), and of the others every
    sixth photograph, by its name."""
    return os.path.basename(name).startswith("IMG_0") or sum(name.encode()) % 6 == 0


def lines(path):
    return [json.loads(l) for l in open(path)] if os.path.exists(path) else []


class Photo:
    """A photograph with the boxes of its stacks; loaded when first looked at."""

    def __init__(self, path, boxes=()):
        self.path, self.boxes, self.img = path, np.array(boxes, np.float64).reshape(-1, 4), None

    def pixels(self):
        if self.img is None:
            img = cv2.imread(self.path)
            k = min(1, 900 / max(img.shape))
            if k < 1:
                img, self.boxes = cv2.resize(img, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), self.boxes * k
            self.img = img
        return self.img


def photographs(data, held):
    """The photographs of stacks that may train, or of those the ones held out."""
    out = []
    for l in lines(f"{data}/{SET}/truth.jsonl"):
        if "web" in l["tags"] or held_out(l["image"]) != held:
            continue
        out.append(Photo(f"{data}/{SET}/{l['image']}", [(x, y, x + w, y + h) for c in l["chips"] for x, y, w, h in [c["box"]]]))
    return out


def backgrounds(data):
    """Photographs without stacks that may train: cards, dice, rooms."""
    out = []
    for s, n in (("rf100-poker-cards", 70), ("edje-pinochle", 30), ("nell-byler-dice", 30), ("matteop65-dice", 12), ("epanemu-dice", 70)):
        ls = [l for l in lines(f"{data}/{s}/truth.jsonl") if "web" not in l.get("tags", [])]
        out += [Photo(f"{data}/{s}/{l['image']}") for l in ls[::max(1, len(ls) // n)]]
    return out


class Column:
    """A drawn stack: middle, half axes and thickness of every chip, lowest first."""

    def __init__(self):
        self.chips = []

    def edges(self, x):
        """Heights at which the front shows the chips' lower edges on column x, lowest
        first, and the upper edge of the highest; NaN where a chip does not reach it."""
        out = []
        for cx, cy, a, b, _ in self.chips:
            u = (x - cx) / a
            out.append(cy + b * np.sqrt(1 - u * u) if abs(u) < 1 else np.nan)
        return np.array(out + [out[-1] - self.chips[-1][4]])


class Drawer:
    """Draws stacks from one seed."""

    def __init__(self, seed, grounds):
        self.rng, self.grounds, self.cover = np.random.default_rng(seed), grounds, None

    def ground(self, h, w):
        """Something that is no stack: a cutting of a photograph, or cloth and noise."""
        r = self.rng
        if self.grounds and r.random() < 0.75:
            img = self.grounds[r.integers(len(self.grounds))].pixels()
            k = r.uniform(0.18, 1) * min(img.shape[0] / h, img.shape[1] / w)
            ch, cw = int(h * k), int(w * k)
            y, x = r.integers(img.shape[0] - ch + 1), r.integers(img.shape[1] - cw + 1)
            return cv2.resize(img[y:y + ch, x:x + cw], (w, h), interpolation=cv2.INTER_AREA if k > 1 else cv2.INTER_LINEAR)
        img = np.full((h, w, 3), r.uniform(20, 235, 3), np.float32)
        for k in (1, 3, 9, 27):
            n = r.normal(0, r.uniform(0, 22), (max(2, h // k), max(2, w // (k * int(r.integers(1, 5))))))
            img += cv2.resize(n.astype(np.float32), (w, h))[..., None]
        return np.clip(img, 0, 255).astype(np.uint8)

    def paint(self):
        """Colours and inserts of a kind of chip."""
        r = self.rng
        body = np.array([r.uniform(0, 255, 3), *(r.uniform(10, 60, (3, 3)) + np.diag(r.uniform(60, 190, 3))),
                         np.full(3, r.uniform(20, 50)), np.full(3, r.uniform(190, 250))])[r.choice(6, p=[.3, .15, .1, .2, .1, .15])]
        other = np.full(3, 240.0) if body.mean() < 170 and r.random() < 0.75 else r.uniform(0, 255, 3)
        if body.mean() > 170 and r.random() < 0.6:
            other = r.uniform(0, 110, 3) + np.eye(3)[r.integers(3)] * 60
        return {"body": body, "insert": other, "count": int(r.choice([0, 3, 4, 5, 6, 8, 12, 20], p=[.1, .06, .18, .06, .34, .17, .06, .03])),
                "share": r.uniform(0.2, 0.5), "face": r.choice(4), "middle": r.uniform(0, 255, 3), "split": r.random() < 0.15,
                "reach": r.uniform(0.66, 0.85), "print": r.random() < 0.6}

    def stack(self, img, foot, half, ratio, count, thick, kinds, side_light, spread):
        """Draws one stack whose lowest chip's middle is at foot; returns its Column."""
        r, col = self.rng, Column()
        x, y = foot
        lean = r.normal(0, 0.03 * spread) * half
        near = min(r.uniform(0, 0.012 if r.random() < 0.6 else 0.035), 0.45 / count)  # how much larger a higher chip looks
        flat = r.uniform(0.2, 2.2) * near  # and how much flatter
        lean += r.normal(0, 0.5) * near * half  # a wide lens from close by
        seam = r.uniform(0.1, 0.75)
        worn = r.uniform(0.1, 0.3)
        gap = r.uniform(0.0, 0.16)
        slid = r.uniform(0.15, 1) * spread
        for k in range(count):
            a, b = half * (1 + near * k), half * ratio * max(0.1, 1 - flat * k)
            t = thick * (1 + near * k)
            cx = x + lean * k + r.normal(0, 0.025) * slid * half
            dy = r.normal(0, 0.02) * slid * half * ratio
            if r.random() < 0.06:  # one that slid out
                cx, dy = cx + r.normal(0, 0.08) * half, dy + r.normal(0, 0.08) * half * ratio
            col.chips.append((cx, y + dy, a, max(b, 0.5), t))
            turn = self.side(img, col.chips[-1], kinds[k], side_light, seam, worn, gap)
            y -= t
        self.top(img, col.chips[-1], kinds[-1], turn)
        return col

    def side(self, img, chip, kind, light, seam, worn, gap):
        """Draws a chip's side and returns how far its inserts are turned."""
        r = self.rng
        cx, cy, a, b, t = chip
        w = np.linspace(0, np.pi, 37)
        xs, ys = cx + a * np.cos(w), cy + b * np.sin(w)
        low, high = np.stack([xs, ys], 1), np.stack([xs, ys - t], 1)
        turn, bright = r.uniform(0, 2 * np.pi), r.uniform(0.86, 1.08) * light[2]
        n = kind["count"]
        if r.random() < 0.4:  # the shadow between two chips
            ring = np.vstack([low, high[::-1]])
            cv2.fillPoly(img, [np.int32(np.round((ring + (0, gap * t)) * 16))], tuple(kind["body"] * 0.25), cv2.LINE_AA, 4)
        mid = (w[1:] + w[:-1]) / 2
        ins = ((mid + turn) * n / (2 * np.pi)) % 1 < kind["share"] if n else np.zeros(36, bool)
        shade = bright * (1 + light[0] * np.cos(mid)) * (0.62 + 0.38 * np.sin(mid) ** light[1])
        i = 0
        while i < 36:  # runs of one colour and nearly one shade
            j = i + 1
            while j < 36 and ins[j] == ins[i] and j - i < 4:
                j += 1
            c = (kind["insert"] if ins[i] else kind["body"]) * shade[i:j].mean()
            ring = np.vstack([low[i:j + 1], high[i:j + 1][::-1]])
            cv2.fillPoly(img, [np.int32(np.round(ring * 16))], tuple(np.clip(c, 0, 255)), cv2.LINE_AA, 4)
            if kind["split"] and not ins[i]:
                m = 0.3 * low[i:j + 1] + 0.7 * high[i:j + 1]
                ring = np.vstack([0.7 * low[i:j + 1] + 0.3 * high[i:j + 1], m[::-1]])
                cv2.fillPoly(img, [np.int32(np.round(ring * 16))], tuple(np.clip(kind["insert"] * shade[i:j].mean(), 0, 255)), cv2.LINE_AA, 4)
            i = j
        self.blend(img, np.vstack([low, (low - (0, worn * t))[::-1]]), 0, seam)
        if r.random() < 0.8:
            self.blend(img, np.vstack([high, (high + (0, worn * t))[::-1]]), 255 if r.random() < 0.7 else 0, 0.5 * seam * r.random())
        return turn

    def blend(self, img, ring, value, share):
        x0, y0 = np.maximum(np.floor(ring.min(0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(ring.max(0)).astype(int) + 2, img.shape[1::-1])
        if x1 <= x0 or y1 <= y0:
            return
        part = img[y0:y1, x0:x1]
        over = part.copy()
        cv2.fillPoly(over, [np.int32(np.round((ring - (x0, y0)) * 16))], (value,) * 3, cv2.LINE_AA, 4)
        cv2.addWeighted(over, share, part, 1 - share, 0, part)

    def top(self, img, chip, kind, turned):
        """Draws the upper face; its inserts go on over the rim."""
        r = self.rng
        cx, cy, a, b, t = chip
        cy -= t
        light = r.uniform(0.85, 1.2)

        def ring(q, w):
            return np.int32(np.round(np.stack([cx + q * a * np.cos(w), cy + q * b * np.sin(w)], 1) * 16))

        def fill(pts, c):
            cv2.fillPoly(img, [pts], tuple(np.clip(c * light, 0, 255)), cv2.LINE_AA, 4)
        full = np.linspace(0, 2 * np.pi, 48)
        fill(ring(1, full), kind["body"])
        n = kind["count"]
        for k in range(n):
            w = 2 * np.pi / n * (k + np.linspace(0, kind["share"], 6)) - turned
            fill(np.vstack([ring(1, w), ring(kind["reach"], w[::-1])]), kind["insert"])
        if kind["face"] > 0:
            cv2.polylines(img, [ring(kind["reach"] * 0.97, full)], True, tuple(kind["insert"] * light * 0.8), 1 + int(a > 45), cv2.LINE_AA, 4)
        if kind["face"] > 1:
            fill(ring(kind["reach"] * 0.9, full), kind["middle"])
        if kind["print"]:
            for _ in range(int(r.integers(3, 25))):
                w, q, s = r.uniform(0, 2 * np.pi), r.uniform(0, 0.9), r.uniform(0.02, 0.07)
                p = (int(cx + q * a * np.cos(w)), int(cy + q * b * np.sin(w)))
                cv2.ellipse(img, p, (max(1, int(s * a)), max(1, int(s * b))), 0, 0, 360, tuple(kind["insert"] * light), -1, cv2.LINE_AA)
        if r.random() < 0.4:
            cv2.polylines(img, [ring(0.985, full)], True, tuple(np.clip(kind["body"] * r.uniform(0.4, 1.5), 0, 255)), 1, cv2.LINE_AA, 4)

    def kinds(self, count):
        """The paints of a stack's chips: mostly one kind, sometimes several."""
        r = self.rng
        if r.random() < 0.75:
            return [self.paint()] * count
        few = [self.paint() for _ in range(int(r.integers(2, 5)))]
        return [few[i] for i in (np.sort(r.integers(len(few), size=count)) if r.random() < 0.5 else r.integers(len(few), size=count))]

    def scene(self, side, low, high):
        """A picture of side pixels with up to seven stacks low to high wide: image, Columns."""
        r = self.rng
        img = self.ground(side, side)
        ratio = np.sin(np.deg2rad(r.uniform(2, 62)))
        squash = np.exp(r.uniform(-0.3, 0.3))  # pixels that are not square
        half = 0.5 * np.exp(r.uniform(np.log(low), np.log(high)))
        thick = 2 * half * r.uniform(0.065, 0.1 if r.random() < 0.7 else 0.13) * np.sqrt(1 - ratio ** 2) * squash
        n = int(r.integers(1, 3 if half > side / 9 else 8))
        feet = []
        if r.random() < 0.5:  # a row
            p, d = r.uniform(0.1, 0.9, 2) * side, np.array([r.uniform(1.9, 2.6), r.normal(0, 0.35)]) * half
            feet = [p + d * (k - (n - 1) / 2) + r.normal(0, 0.08, 2) * half for k in range(n)]
        else:
            for _ in range(6 * n):
                p = r.uniform(0.05, 1.05, 2) * side
                if len(feet) < n and all(np.hypot(*((p - q) / (1, max(ratio, 0.3)))) > 1.9 * half for q in feet):
                    feet.append(p)
        kind, cols = None, []
        light = (r.uniform(-0.4, 0.4), r.uniform(0.2, 1.5), r.uniform(0.3, 1) if r.random() < 0.3 else 1)
        spread = r.choice([0.2, 1, 2])
        for p in sorted(feet, key=lambda q: q[1]):
            count = int(np.exp(r.uniform(0, np.log(27)))) if r.random() < 0.94 else int(r.integers(27, 50))
            kind = self.kinds(count) if kind is None or r.random() < 0.8 else [kind[0]] * count
            if r.random() < 0.6:
                h = half * r.uniform(0.2, 0.5)
                sh = np.stack([p[0] + r.normal(0, h / 2) + 1.15 * half * np.cos(a := np.linspace(0, 6.3, 24)), p[1] + 1.2 * half * ratio * np.sin(a) + h / 4], 1)
                self.blend(img, sh, 0, r.uniform(0.2, 0.6))
            cols.append(self.stack(img, p, half * r.uniform(0.93, 1.07), min(0.95, ratio * squash), count, thick, kind, light, spread))
        self.cover = self.hand(img, half, feet) if r.random() < 0.15 else None
        return img, cols

    def hand(self, img, half, feet):
        """Draws fingers that reach into the picture, mostly for a stack; returns what they cover."""
        r, cover = self.rng, np.zeros(img.shape[:2], np.uint8)
        side = len(img)
        skin = np.array([[110, 150, 205], [70, 100, 150], [40, 60, 90], [150, 185, 235], r.uniform(20, 120, 3)])[r.integers(5)] * r.uniform(0.7, 1.2)
        tip, way = r.uniform(0.15, 0.85, 2) * side, r.uniform(0, 2 * np.pi)
        if feet and r.random() < 0.7:
            tip = feet[r.integers(len(feet))] + r.normal(0, 0.7 * half, 2) - (0, half)
        palm = tip + side * r.uniform(0.5, 0.9) * np.array([np.cos(way), np.sin(way)])
        wide = max(3, int(half * r.uniform(0.25, 0.7)))
        for k in range(int(r.integers(1, 5))):
            end = tip + r.normal(0, 1.2 * half, 2) * (k > 0)
            a, b = (tuple(int(v) for v in q) for q in (end, palm + (end - tip) * 0.6))
            for width, shade in ((wide, 0.55), (int(wide * 0.8), 0.85), (int(wide * 0.45), 1.05)):
                cv2.line(img, a, b, tuple(np.clip(skin * shade, 0, 255)), max(1, width), cv2.LINE_AA)
            cv2.line(cover, a, b, 1, wide)
        return cover

    def covered(self, box):
        """The share of a box that fingers cover."""
        x0, y0, x1, y1 = (max(0, int(v)) for v in box)
        part = [] if self.cover is None else self.cover[y0:y1, x0:x1]
        return float(part.mean()) if np.size(part) else 0.0

    def boxes(self, cols, side):
        """The boxes people would draw, and whether enough is seen of each stack."""
        r, out = self.rng, []
        hold = []
        for c in cols:
            q = np.array(c.chips)
            hold.append((min(q[:, 0] - q[:, 2]), q[-1, 1] - q[-1, 3] - q[-1, 4], max(q[:, 0] + q[:, 2]), max(q[:, 1] + q[:, 3])))
        for i, (x0, y0, x1, y1) in enumerate(hold):
            mask = np.zeros((24, 24), bool)
            for nx0, ny0, nx1, ny1 in hold[i + 1:]:
                a = np.int32(np.round(np.array([nx0 - x0, nx1 - x0]) / (x1 - x0) * 24))
                b = np.int32(np.round(np.array([ny0 - y0, ny1 - y0]) / (y1 - y0) * 24))
                mask[max(0, b[0]):max(0, b[1]), max(0, a[0]):max(0, a[1])] = True
            inside = max(0, min(x1, side) - max(x0, 0)) * max(0, min(y1, side) - max(y0, 0)) / ((x1 - x0) * (y1 - y0))
            m = 0.05 * np.array([x1 - x0, y1 - y0]) * r.uniform(0, 2, 2)
            hidden = max(mask.mean(), self.covered((x0, y0, x1, y1)))
            out.append((x0 - m[0], y0 - m[1], x1 + m[0], y1 + m[1], hidden < 0.55 and inside > 0.6))
        return out

    def weathered(self, img, hard=True):
        """Light, colour, equalisation, blur, noise, compression."""
        r = self.rng
        if r.random() < 0.45:  # equalised in small parts, as some cameras' programs do
            lab = cv2.cvtColor(img, cv2.COLOR_BGR2LAB)
            lab[..., 0] = cv2.createCLAHE(r.uniform(1, 6), (int(r.integers(2, 9)),) * 2).apply(np.ascontiguousarray(lab[..., 0]))
            img = cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)
        f = img.astype(np.float32)
        if r.random() < 0.3:
            soft = cv2.GaussianBlur(f, (0, 0), r.uniform(1, 9))
            f += (f - soft) * r.uniform(-0.6, 1.0)
        if r.random() < 0.25:  # sharpened hard, as telephones do
            f += (f - cv2.GaussianBlur(f, (0, 0), r.uniform(0.6, 2))) * r.uniform(0.5, 2.5)
            f = np.clip(f, 0, 255)
        if r.random() < 0.3:
            f = f[..., r.permutation(3)]
        if r.random() < 0.08:
            f = np.repeat(f.mean(2, keepdims=True), 3, 2)
        f = (np.clip(f, 0, 255) / 255) ** np.exp(r.uniform(-0.5, 0.5)) * 255 * r.uniform(0.65, 1.2) * (1 + r.normal(0, 0.07, 3)) + r.uniform(-15, 15)
        if r.random() < 0.5:
            f = cv2.GaussianBlur(f, (0, 0), r.uniform(0.3, 1.5 if hard else 1.0))
        f = f + r.normal(0, r.uniform(0, 9 if hard else 5), f.shape)
        out = np.clip(f, 0, 255).astype(np.uint8)
        if r.random() < 0.4:
            out = cv2.imdecode(cv2.imencode(".jpg", out, [1, int(r.integers(35, 90))])[1], 1)
        return np.ascontiguousarray(out)

    def cutting(self, photo, side, low, high):
        """A cutting of a photograph of stacks at a scale at which they are low to high wide."""
        r = self.rng
        img = photo.pixels()
        boxes = photo.boxes
        wide = np.median(boxes[:, 2] - boxes[:, 0])
        k = np.exp(r.uniform(np.log(low), np.log(high))) / wide
        sx, sy = k * np.exp(r.uniform(-0.16, 0.16, 2))
        tilt = np.deg2rad(r.normal(0, 4)) if r.random() < 0.4 else 0
        m = np.array([[sx * np.cos(tilt), -sy * np.sin(tilt)], [sx * np.sin(tilt), sy * np.cos(tilt)]])
        if r.random() < 0.5:
            m[0] *= -1
        size = np.array(img.shape[1::-1], np.float64)
        b = boxes[r.integers(len(boxes))]
        c = np.array([(b[0] + b[2]) / 2, (b[1] + b[3]) / 2])
        t = side / 2 + r.uniform(-0.45, 0.45, 2) * side - m @ c
        for i in range(2):  # little beyond the picture's edge, where it is large enough
            ends = m[i] @ np.array([[0, size[0]], [0, 0]]), m[i] @ np.array([[0, size[0]], [size[1], size[1]]])
            low_end, high_end = min(map(min, ends)), max(map(max, ends))
            if high_end - low_end > side:
                t[i] = np.clip(t[i], side - high_end, -low_end)
            else:
                t[i] = np.clip(t[i], -low_end, side - high_end)
        small = min(1, max(k, 0.05)) if k < 0.7 else 1  # warping does not average
        src = cv2.resize(img, None, fx=small, fy=small, interpolation=cv2.INTER_AREA) if small < 1 else img
        out = self.ground(side, side)
        cv2.warpAffine(src, np.hstack([m / small, t[:, None]]), (side, side), out, borderMode=cv2.BORDER_TRANSPARENT)
        return out, [(*bx, True) for bx in self.moved(boxes, m, t)]

    def moved(self, boxes, m, t):
        """Boxes of what the boxes hold, as upright ellipses, after the map m, t."""
        c, h = (boxes[:, :2] + boxes[:, 2:]) / 2 @ m.T + t, (boxes[:, 2:] - boxes[:, :2]) / 2
        a = np.abs(m)
        straight, bent = h @ np.diag([a[0, 0], a[1, 1]]), h @ np.array([[0, a[1, 0]], [a[0, 1], 0]])
        e = straight + 0.7 * bent
        return np.hstack([c - e, c + e])
