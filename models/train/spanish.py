"""Spanish packs of forty to train on, drawn with random hands: oros, copas, espadas, bastos.

Labels are the product's: rank 1 to 7, S, C, R and suit O, K, E, B. The number
stands in two corners without a suit; gaps in the frame (pintas) tell the suit: none
for oros, one for copas, two for espadas, three for bastos.
"""
import math

import cv2
import numpy as np

import decks

W, H = decks.CARD_W, decks.CARD_H
RANKS, SUITS = "1234567SCR", "OKEB"
LABELS = [r + s for s in SUITS for r in RANKS]
NUMBER = {**{r: r for r in "1234567"}, "S": "10", "C": "11", "R": "12"}
N = 160  # a sign's canvas
LAYOUT = {
    1: [(.5, .5)], 2: [(.5, .22), (.5, .78)], 3: [(.5, .18), (.5, .5), (.5, .82)],
    4: [(.25, .25), (.75, .25), (.25, .75), (.75, .75)],
    5: [(.25, .2), (.75, .2), (.5, .5), (.25, .8), (.75, .8)],
    6: [(x, y) for x in (.25, .75) for y in (.17, .5, .83)],
    7: [(x, y) for x in (.22, .78) for y in (.18, .5, .82)] + [(.5, .34)],
}
THREE = [(.5, .22), (.25, .75), (.75, .75)]


def _near(rng, bgr, by=35):
    return tuple(int(v) for v in np.clip(np.array(bgr) + rng.integers(-by, by + 1, 3), 0, 255))


def _sign(rng, suit):
    """A suit's sign on N x N, and its mask."""
    img, mask = np.zeros((N, N, 3), np.uint8), np.zeros((N, N), np.uint8)
    line = _near(rng, (20, 20, 25), 20)
    u = rng.uniform

    def poly(pts, col, edge=2):
        p = np.round(np.array(pts) * N).astype(np.int32)
        for m, c in ((img, col), (mask, 255)):
            cv2.fillPoly(m, [p], c, cv2.LINE_AA)
        if edge:
            cv2.polylines(img, [p], True, line, edge, cv2.LINE_AA)
            cv2.polylines(mask, [p], True, 255, edge)

    def disc(x, y, r, col, edge=2):
        c = int(x * N), int(y * N)
        cv2.circle(img, c, int(r * N), col, -1, cv2.LINE_AA), cv2.circle(mask, c, int(r * N), 255, -1)
        if edge:
            cv2.circle(img, c, int(r * N), line, edge, cv2.LINE_AA)

    if suit == "O":
        gold, other = _near(rng, (50, 200, 245)), _near(rng, [(40, 40, 200), (150, 70, 30), (60, 170, 230)][rng.integers(3)])
        disc(.5, .5, .48, gold, int(rng.integers(1, 5)))
        disc(.5, .5, u(.3, .4), other if rng.random() < .6 else gold)
        disc(.5, .5, u(.2, .28), gold)
        n = int(rng.integers(4, 13))
        for k in range(n):
            a = 2 * math.pi * k / n
            disc(.5 + .18 * math.cos(a), .5 + .18 * math.sin(a), u(.03, .06), other, 0)
        disc(.5, .5, u(.05, .13), other)
    elif suit == "K":
        cup, trim = _near(rng, [(40, 40, 200), (50, 190, 240), (60, 120, 220)][rng.integers(3)]), _near(rng, [(60, 200, 245), (160, 90, 40), (50, 50, 210)][rng.integers(3)])
        w, k = u(.3, .4), u(.0, .1)
        poly([(.5 - w, .05), (.5 + w, .05), (.5 + w - k, .38), (.5 + .12, .55), (.5 - .12, .55), (.5 - w + k, .38)], cup)
        poly([(.5 - w - .02, .03), (.5 + w + .02, .03), (.5 + w, .15), (.5 - w, .15)], trim)
        poly([(.45, .55), (.55, .55), (.55, .78), (.45, .78)], trim)
        if rng.random() < .7:
            disc(.5, .64, u(.06, .1), cup)
        poly([(.5 - u(.2, .3), .97), (.45, .76), (.55, .76), (.5 + u(.2, .3), .97)], cup)
    elif suit == "E":
        blade, hilt = _near(rng, [(200, 190, 170), (220, 170, 90), (190, 120, 60)][rng.integers(3)]), _near(rng, [(60, 190, 240), (50, 50, 200), (60, 90, 140)][rng.integers(3)])
        w = u(.05, .09)
        poly([(.5, .0), (.5 + w, .1), (.5 + w, .7), (.5 - w, .7), (.5 - w, .1)], blade)
        cv2.line(img, (N // 2, int(.1 * N)), (N // 2, int(.66 * N)), line, 1, cv2.LINE_AA)
        g = u(.15, .26)
        poly([(.5 - g, .68), (.5 + g, .68), (.5 + g, .75), (.5 - g, .75)], hilt)
        poly([(.46, .75), (.54, .75), (.54, .93), (.46, .93)], _near(rng, (50, 60, 170)))
        disc(.5, .95, .05, hilt)
    else:
        wood, leaf = _near(rng, [(60, 140, 60), (50, 110, 40), (60, 120, 160)][rng.integers(3)]), _near(rng, [(60, 180, 90), (50, 60, 190), (60, 170, 220)][rng.integers(3)])
        a, b = u(.1, .17), u(.05, .1)
        side = lambda s: [(.5 + s * (a + (b - a) * t + .03 * math.sin(9 * t + s)), .02 + .96 * t) for t in np.linspace(0, 1, 9)]
        poly(side(1) + side(-1)[::-1], wood)
        for _ in range(rng.integers(3, 7)):
            t, s = u(.08, .85), rng.choice([-1, 1])
            x = .5 + s * (a + (b - a) * t)
            poly([(x, t - .05), (x + s * u(.05, .13), t - u(.04, .12)), (x + s * .02, t + .06)], leaf if rng.random() < .6 else wood)
        for _ in range(3):
            disc(.5 + u(-.05, .05), u(.1, .8), .025, leaf, 1)
    ys, xs = np.where(mask > 60)
    cut = np.s_[ys.min():ys.max() + 1, xs.min():xs.max() + 1]
    return img[cut], mask[cut]


def _stamp(img, sign, x, y, h, turn=0, wide=1.0):
    pic, m = sign
    pic, m = np.rot90(pic, turn), np.rot90(m, turn)
    k = h / max(sign[0].shape[0], 1)
    w2, h2 = max(2, int(pic.shape[1] * k * wide)), max(2, int(pic.shape[0] * k))
    pic, m = cv2.resize(np.ascontiguousarray(pic), (w2, h2), interpolation=cv2.INTER_AREA), cv2.resize(np.ascontiguousarray(m), (w2, h2), interpolation=cv2.INTER_AREA)
    x0, y0 = int(x - w2 / 2), int(y - h2 / 2)
    a0, b0, a1, b1 = max(0, y0), max(0, x0), min(H, y0 + h2), min(W, x0 + w2)
    if a1 <= a0 or b1 <= b0:
        return
    s = np.s_[a0 - y0:a1 - y0, b0 - x0:b1 - x0]
    a = m[s][..., None].astype(np.float32) / 255
    img[a0:a1, b0:b1] = (img[a0:a1, b0:b1] * (1 - a) + pic[s] * a).astype(np.uint8)


def draw(rng, all_fonts=None):
    """A pack of forty in one random hand."""
    all_fonts = all_fonts or decks.fonts()
    while True:
        font = all_fonts[rng.integers(len(all_fonts))]
        try:
            glyphs = {r: decks._glyph(NUMBER[r], font, 100) for r in RANKS}
            break
        except (ValueError, OSError):
            continue
    st = {"glyphs": glyphs, "paper": _near(rng, (238, 245, 247), 10), "ink": _near(rng, (25, 25, 30), 25),
          "inset": rng.uniform(.03, .09), "double": rng.random() < .6, "ih": H * rng.uniform(.05, .095),
          "ix": rng.uniform(.015, .05), "field": (rng.uniform(.12, .2), rng.uniform(.1, .17)), "big": rng.uniform(.85, 1.15),
          "three": rng.random() < .3, "cross": rng.random() < .3, "frame": rng.random() < .9, "signs": {s: _sign(rng, s) for s in SUITS},
          "cols": [_near(rng, c, 40) for c in ((40, 40, 200), (170, 80, 30), (60, 200, 240), (70, 150, 60))], "word": rng.random() < .15}
    deck = {r + s: _face(rng, st, r, s) for s in SUITS for r in RANKS}
    deck.update(BK=decks.draw_back(rng), four=False, labels=LABELS)
    return deck


def _face(rng, st, rank, suit):
    img = np.empty((H, W, 3), np.uint8)
    img[:] = st["paper"]
    sign = st["signs"][suit]
    if rank in "SCR":
        _figure(img, rng, st, rank, suit)
    else:
        _pips(img, st, int(rank), suit, sign)
    if st["frame"]:
        _frame(img, st, suit)
    g = st["glyphs"][rank]
    for _ in range(2):
        x0 = (st["inset"] + st["ix"]) * W
        w = g.shape[1] * st["ih"] / 100
        cv2.rectangle(img, (int(x0) - 2, int(st["inset"] * W + st["ix"] * W) - 2), (int(x0 + w) + 2, int(st["inset"] * W + st["ix"] * W + st["ih"]) + 2), st["paper"], -1)
        decks._stamp(img, g, x0 + w / 2, st["inset"] * W + st["ix"] * W + st["ih"] / 2, st["ih"], np.array(st["ink"]))
        img = np.ascontiguousarray(img[::-1, ::-1])
    return img


def _pips(img, st, n, suit, sign):
    fx, fy = st["field"]
    places = THREE if n == 3 and st["three"] else LAYOUT[n]
    h = H * {1: .5, 2: .36, 3: .27}.get(n, .25) * st["big"]
    if suit == "O":
        h *= .75 if n > 1 else .8
    if n in (4, 5) and suit in "EB":
        h *= 1.2
    if n in (6, 7):
        h = min(h, H * .24)
    for x, y in places:
        turn = 1 if suit in "EB" and st["cross"] and n == 5 and (x, y) == (.5, .5) else 0
        _stamp(img, sign, (fx + x * (1 - 2 * fx)) * W, (fy + y * (1 - 2 * fy)) * H, h, turn, 1.3 if suit in "EB" else 1)


def _frame(img, st, suit):
    gaps = {"O": 0, "K": 1, "E": 2, "B": 3}[suit]
    m = int(st["inset"] * W)
    for k in range(2 if st["double"] else 1):
        o = m + 4 * k
        cv2.rectangle(img, (o, o), (W - o, H - o), st["ink"], 2 if k == 0 else 1, cv2.LINE_AA)
    g = int(.05 * W)
    for i in range(gaps):
        x = int(W * (.5 + (i - (gaps - 1) / 2) * .17))
        for y0, y1 in ((m - 4, m + 7), (H - m - 7, H - m + 4)):
            cv2.rectangle(img, (x - g // 2, max(0, y0)), (x + g // 2, y1), st["paper"], -1)


def _figure(img, rng, st, rank, suit):
    """Sota standing, caballo riding, rey crowned; the sign beside the head."""
    u, c = rng.uniform, st["cols"]
    line = st["ink"]

    def poly(pts, col):
        p = np.round(np.array(pts) * [W, H]).astype(np.int32)
        cv2.fillPoly(img, [p], col, cv2.LINE_AA)
        cv2.polylines(img, [p], True, line, 2, cv2.LINE_AA)

    k = {"O": 0, "K": 1, "E": 2, "B": 3}[suit]
    robe, trim, skin = c[k % 4], c[(k + 1 + (rank == "R")) % 4], (180, 210, 240)
    top = u(.2, .27)
    if rank == "C":
        horse = _near(rng, [(230, 230, 230), (70, 100, 150), (90, 90, 90)][rng.integers(3)], 20)
        poly([(.2, .58), (.75, .56), (.8, .75), (.22, .76)], horse)
        for x in (.24, .36, .64, .75):
            poly([(x, .72), (x + .06, .72), (x + .05 + u(-.04, .04), .93), (x + u(-.04, .04), .93)], horse)
        s = rng.choice([-1, 1])
        f = lambda x: .5 + s * (x - .5)
        poly([(f(.68), .6), (f(.76), .38), (f(.9), .42), (f(.93), .5), (f(.82), .52), (f(.8), .66)], horse)
        poly([(f(.24), .58), (f(.1), .7), (f(.16), .8), (f(.26), .66)], trim)
        poly([(.4, top + .12), (.58, top + .12), (.64, .62), (.36, .62)], robe)
        poly([(.42, .58), (.52, .58), (.5, .82), (.42, .82)], trim)
        head = (.49, top + .05)
    else:
        foot = .88 if rank == "S" else .93
        wide = .17 if rank == "S" else .27
        poly([(.4, top + .12), (.6, top + .12), (.5 + wide, foot - (.25 if rank == "S" else 0)), (.5 - wide, foot - (.25 if rank == "S" else 0))], robe)
        if rank == "S":
            for x in (.42, .52):
                poly([(x, foot - .27), (x + .07, foot - .27), (x + .06, foot), (x, foot)], trim)
        else:
            poly([(.46, top + .13), (.54, top + .13), (.58, foot), (.42, foot)], trim)
            poly([(.3, top + .18), (.4, top + .13), (.36, .6), (.24, .62)], trim)
        for _ in range(rng.integers(1, 4)):
            y = u(.45, .62)
            cv2.line(img, (int(.4 * W), int(y * H)), (int(.6 * W), int(y * H)), trim, int(rng.integers(2, 9)))
        head = (.5, top + .05)
    cv2.ellipse(img, (int(head[0] * W), int(head[1] * H)), (int(.065 * W), int(.058 * H)), 0, 0, 360, skin, -1, cv2.LINE_AA)
    cv2.ellipse(img, (int(head[0] * W), int(head[1] * H)), (int(.065 * W), int(.058 * H)), 0, 0, 360, line, 2, cv2.LINE_AA)
    x, y = head
    if rank == "R":
        poly([(x - .09, y - .035), (x - .1, y - .12), (x - .05, y - .07), (x, y - .13), (x + .05, y - .07), (x + .1, y - .12), (x + .09, y - .035)], c[2])
        poly([(x - .06, y + .03), (x + .06, y + .03), (x, y + .12)], _near(rng, (120, 130, 150), 60))
    else:
        poly([(x - .1, y - .03), (x + .1, y - .03), (x + .05, y - .09 - .02 * (rank == "C")), (x - .06, y - .08)], trim)
    side = 1 if rng.random() < .5 else -1
    h = H * u(.24, .34) * (.72 if suit == "O" else 1)
    _stamp(img, st["signs"][suit], (.5 + side * u(.24, .29)) * W, u(.28, .4) * H, h, 0, 1.2 if suit in "EB" else 1)
