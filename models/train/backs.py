"""Draws an evaluation set (as lab eval reads it) of backs in pairs and heaps, of patterns that never trained.

  /usr/bin/python3 models/train/backs.py OUT [--data ../shared/data] [--pictures 24]

Pictures of 1280 x 1280, most from nearly straight above: four to six places with one to
four backs of one pack, each beside or over another and showing an eighth of itself at
least; in most pictures a row of open cards too, with held-out artwork (GPL). Patterns are
those of real packs: lattices, hatching, guilloches, damask, plain with an emblem, with a
white border or without one. The pictures are not to be shipped.
"""
import argparse
import json
import os

import cv2
import numpy as np

import card
import decks
import patches
import scenes

SIDE = 1280
W, H = decks.CARD_W, decks.CARD_H
INKS = ((40, 30, 170), (140, 50, 25), (50, 50, 50), (40, 100, 30), (90, 40, 110), (20, 90, 160), (110, 90, 20), (30, 20, 90))


def lattice(rng, h, w):
    """Diamonds edge to edge, as on packs for casinos."""
    k = rng.uniform(9, 26)
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    u, v = ((xx - w / 2) + (yy - h / 2) * rng.uniform(0.5, 1)) / k, ((xx - w / 2) - (yy - h / 2) * rng.uniform(0.5, 1)) / k
    line = rng.uniform(0.1, 0.28)
    a = np.minimum(abs(u - np.round(u)), abs(v - np.round(v)))
    dot = np.hypot(u - np.floor(u) - 0.5, v - np.floor(v) - 0.5) < rng.uniform(0, 0.25)
    return (a > line) & ~dot


def hatching(rng, h, w):
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    k, t = rng.uniform(4, 12), rng.uniform(0.3, 0.7)
    a = ((xx + yy) / k) % 1 < t
    return a & (((xx - yy) / k) % 1 < rng.uniform(0.4, 0.8)) if rng.random() < 0.6 else a


def guilloche(rng, h, w):
    """Fine closed curves about several centres, mirrored: as engraved."""
    img = np.zeros((h, w), np.uint8)
    for _ in range(rng.integers(3, 7)):
        c = rng.uniform(0, 1, 2) * [w / 2, h / 2]
        r, s, n, m = rng.uniform(20, 90), rng.uniform(5, 40), rng.integers(3, 12), rng.integers(3, 40)
        t = np.linspace(0, 2 * np.pi, 900)
        for f in np.linspace(0.5, 1.2, rng.integers(3, 7)):
            p = c + f * np.c_[r * np.cos(t) + s * np.cos(n * t + f), r * np.sin(t) + s * np.sin(m * t)]
            cv2.polylines(img, [np.round(p * 8).astype(np.int32)], True, 255, int(rng.integers(1, 4)), cv2.LINE_AA, 3)
    img = np.maximum(img, img[:, ::-1])
    return np.maximum(img, img[::-1]) < 128


def damask(rng, h, w):
    """Leaves: noise of one scale, mirrored in both axes."""
    v = cv2.GaussianBlur(rng.standard_normal((h // 2 + 1, w // 2 + 1)).astype(np.float32), (0, 0), rng.uniform(3, 9))
    v = np.hstack([v, v[:, ::-1]])[:, :w]
    v = np.vstack([v, v[::-1]])[:h]
    return abs(v) > np.quantile(abs(v), rng.uniform(0.3, 0.6))


def plain(_, h, w):
    return np.ones((h, w), bool)


def emblem(rng, img, ink):
    """A rosette, a bar or a word in the middle, the same from both ends."""
    c, r, kind = (W // 2, H // 2), int(rng.uniform(0.1, 0.3) * W), rng.integers(3)
    pale = tuple(int(v) for v in rng.uniform(200, 250, 3))
    if kind == 0:
        cv2.circle(img, c, r, pale, -1, cv2.LINE_AA)
        cv2.circle(img, c, int(0.8 * r), ink, max(1, r // 8), cv2.LINE_AA)
    elif kind == 1:
        cv2.ellipse(img, c, (int(1.2 * r), int(0.6 * r)), 90 * int(rng.integers(2)), 0, 360, pale, -1, cv2.LINE_AA)
    else:
        for turn in (0, 180):
            part = img if turn == 0 else np.ascontiguousarray(img[::-1, ::-1])
            cv2.putText(part, str(rng.choice(["CASINO", "ROYAL", "CLUB 21", "GRAN"])), (int(0.2 * W), int(0.42 * H)), cv2.FONT_HERSHEY_DUPLEX, W / 260, pale, 2, cv2.LINE_AA)
            if turn:
                img[:] = part[::-1, ::-1]


def back(rng):
    """A back of a pack in one or two inks on white."""
    white = np.array([rng.uniform(225, 252)] * 3) - [rng.uniform(0, 14), rng.uniform(0, 5), 0]
    img = np.empty((H, W, 3), np.uint8)
    img[:] = white
    b = 0 if rng.random() < 0.2 else int(rng.uniform(0.03, 0.085) * W)
    ink = np.clip(np.array(INKS[rng.integers(len(INKS))]) + rng.integers(-20, 20, 3), 0, 255)
    pattern = (lattice, hatching, guilloche, guilloche, damask, plain)[rng.integers(6)]
    inked = pattern(rng, H - 2 * b, W - 2 * b)
    if pattern is not plain and (inked.mean() < 0.3 or (rng.random() < 0.25 and inked.mean() < 0.7)):
        inked = ~inked
    field = img[b:H - b, b:W - b]
    field[inked] = ink
    for k in range(rng.integers(0, 3)):  # frames within the border
        d, col = b + int(W * (0.02 + 0.03 * k)), ink if rng.random() < 0.5 else white
        cv2.rectangle(img, (d, d), (W - 1 - d, H - 1 - d), tuple(int(v) for v in col), int(rng.integers(1, 4)))
    if pattern is plain or rng.random() < 0.35:
        emblem(rng, img, tuple(int(v) for v in ink))
    return img


def group(rng, n):
    """Poses of n backs about one place, lowest first, in short sides."""
    t = rng.uniform(0, 2 * np.pi)
    out = [(0.0, 0.0, t)]
    while len(out) < n:
        x, y, _ = out[-1]
        d, a = rng.uniform(0.22, 0.95), rng.uniform(0, 2 * np.pi)
        out.append((x + d * np.cos(a), y + d * np.sin(a), t + rng.choice([0, 0, np.pi / 2], p=[0.45, 0.45, 0.1]) + rng.normal(0, 0.22)))
    mid = np.mean([p[:2] for p in out], 0)
    return [(x - mid[0], y - mid[1], a) for x, y, a in out]


def picture(src, deck):
    """A picture and how many backs lie in it, and which faces."""
    rng, short = src.rng, src.rng.uniform(60, 125)
    while True:
        img, ids = src._ground(), np.zeros((SIDE, SIDE), np.int16)
        squash = rng.uniform(0.85, 1) if rng.random() < 0.7 else rng.uniform(0.6, 0.85)
        M = np.array([[short, 0, SIDE / 2], [0, short * squash, SIDE / 2], [0, 0, 1]])
        M[2, :2] = rng.uniform(-0.008, 0.008, 2)
        own, cell = back(rng), SIDE / 3
        laid = []
        places = [(x, y) for y in range(3) for x in range(3)]
        rng.shuffle(places)
        if rng.random() < 0.7:  # open cards in the middle, as in hold'em
            labels = rng.permutation(patches.labels_of(deck))[:rng.integers(3, 6)]
            t = rng.normal(0, 0.1)
            for k, label in enumerate(labels):
                x = 1.12 * (k - len(labels) / 2 + 0.5)
                laid.append((str(label), (x * np.cos(t), x * np.sin(t) + rng.normal(0, 0.03), t + rng.normal(0, 0.03))))
            places = [p for p in places if p[1] != 1]
        for x, y in places[:rng.integers(4, 7)]:
            at = (np.array([x, y]) - 1) * cell / short * [1, 1 / squash] + rng.uniform(-0.3, 0.3, 2)
            for gx, gy, a in group(rng, rng.choice([1, 2, 3, 4], p=[0.15, 0.55, 0.2, 0.1])):
                laid.append(("BK", (at[0] + gx, at[1] + gy, a)))
        quads = [scenes.project(M, p) for _, p in laid]
        if any((q < 4).any() or (q > SIDE - 5).any() for q in quads):
            continue
        for n, ((label, _), q) in enumerate(zip(laid, quads), 1):
            src._lay(img, ids, own if label == "BK" else deck[label], q, n)
        shown = [(ids == n).sum() / cv2.contourArea(q.astype(np.float32)) for n, q in enumerate(quads, 1)]
        if min(shown) > 0.125 and all(s > 0.9 for s, (label, _) in zip(shown, laid) if label != "BK"):
            return scenes.degrade(img, rng), [label for label, _ in laid], quads, shown


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--data", default=os.path.join(card.HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--pictures", type=int, default=24)
    ap.add_argument("--seed", type=int, default=5)
    a = ap.parse_args()
    scenes.SIZE = SIDE
    art = decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(card.HERE, "work", "sheets"))
    held = [art[k] for k in card.HELD_OUT if k in art]
    src = scenes.Scenes(a.seed, {}, rooms=scenes.load_rooms(a.data), pool=4)
    os.makedirs(os.path.join(a.out, "images"), exist_ok=True)
    with open(os.path.join(a.out, "truth.jsonl"), "w") as f, open(os.path.join(a.out, "laid.jsonl"), "w") as g:
        for i in range(a.pictures):
            img, labels, quads, shown = picture(src, held[i % len(held)] if held else src.src.pool[i % 4])
            name = f"images/{i:03d}.jpg"
            cv2.imwrite(os.path.join(a.out, name), img, [cv2.IMWRITE_JPEG_QUALITY, 90])
            f.write(json.dumps({"image": name, "tags": ["backs"], "cards": [{"label": l} for l in labels], "complete": ["cards"]}) + "\n")
            g.write(json.dumps({"image": name, "cards": [{"label": l, "quad": q.round(1).tolist(), "shown": round(s, 2)} for l, q, s in zip(labels, quads, shown)]}) + "\n")


if __name__ == "__main__":
    main()
