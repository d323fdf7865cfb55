"""Draws an evaluation set (as lab eval reads it) of full fans of 13, with decks that never trained.

  /usr/bin/python3 models/train/fans.py OUT [--data ../shared/data] [--pictures 40] [--held]

One fan of 13 different cards in a picture of 1280 x 1280, seen obliquely, on the
grounds of training's scenes; with --held as people hold them: closer together, askew, bent
and seen at a slant, fingers over the lower edge and a thumb before the uppermost cards. All its cards are told, those of which an index lies free
(0.9 of it at least) as owned by "free", the others, whose indices the next card covers
in part, by "covered": lab eval gives the recall of both. laid.jsonl says where each lies
and how much of its freest index shows. The held-out artwork (GPL) is not to be shipped, nor
are these pictures. Without it decks are drawn.
"""
import argparse
import json
import os

import cv2
import numpy as np

import card
import decks
import layouts
import patches
import scenes

SIDE = 1280
CARDS = layouts.FAN


def pose(rng, held):
    """Poses of a fan's cards in short sides, lowest first, round its middle, and where the hand is."""
    r, step = rng.uniform(0.9, 1.6) if held else rng.uniform(1.1, 2.4), 0.0
    while not (0.13 if held else 0.15) < r * step < (0.32 if held else 0.5):
        step = rng.uniform(0.07, 0.2)
    off = 0.03 if held else 0.012
    turn = [step * (k - (CARDS - 1) / 2 + (rng.normal(0, 0.15) if held else 0)) + rng.normal(0, off) for k in range(CARDS)]
    far = [r + (rng.normal(0, 0.04) if held else 0) for _ in turn]
    at = np.array([[d * np.sin(a), -d * np.cos(a)] for d, a in zip(far, turn)])
    mid = (at.min(0) + at.max(0)) / 2
    return [(*p, a) for p, a in zip(at - mid, turn)], -mid + [0, -0.45 * r]


def hand(img, ids, H, at, rng):
    """Fingers that come from below over the fan's lower edge, and the thumb."""
    skin = np.array([[120, 150, 205], [85, 120, 175], [60, 85, 130], [35, 50, 80], [140, 170, 220]][rng.integers(5)]) + rng.integers(-15, 15, 3)
    short = np.linalg.norm(H[:2, 0])
    to = lambda p: (lambda h: h[:2] / h[2])(H @ [*p, 1])
    palm = at + [rng.uniform(-0.2, 0.2), rng.uniform(1.0, 1.4)]
    tips = [palm + [x, -rng.uniform(0.1, 0.35)] for x in np.linspace(-0.55, 0.55, 4)] + [at + rng.uniform(-0.3, 0.3, 2) + [0, 0.35]]
    for k, tip in enumerate(tips):
        wide = int(short * rng.uniform(0.24, 0.32))
        root = palm + [0.3 * (tip[0] - palm[0]), 0.9]
        a, b = (tuple(int(v) for v in to(p)) for p in (root, tip))
        shade = tuple(int(v) for v in np.clip(skin * rng.uniform(0.85, 1.05), 0, 255))
        cv2.line(img, a, b, tuple(int(0.72 * v) for v in shade), wide + max(2, wide // 8), cv2.LINE_AA)
        cv2.line(img, a, b, shade, wide, cv2.LINE_AA)
        cv2.line(ids, a, b, -1, wide)
        if k == 4:  # the thumb's nail
            n = tuple(int(v) for v in to(tip + [0, 0.02]))
            cv2.ellipse(img, n, (wide // 3, wide // 4), 0, 0, 360, tuple(int(min(255, v + 25)) for v in shade), -1, cv2.LINE_AA)


def bent(img, ids, cards, rng):
    """The picture with the fan bent as in a hand: points move by the square of how far off they lie."""
    a, k = rng.uniform(0, 2 * np.pi), rng.uniform(-0.06, 0.06) / SIDE
    u, v = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    moved = lambda p, s: p + s * k * (((p - SIDE / 2) @ u) ** 2)[..., None] * v
    yy, xx = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    src = moved(np.stack([xx, yy], -1), -1).astype(np.float32)
    for c in cards:
        c.quad = moved(c.quad, 1)
    return (cv2.remap(img, src, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
            cv2.remap(ids, src, None, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE))


def fan(src, deck, held=False):
    """A picture of one fan, its cards and of each the share of its freest index that shows."""
    rng = src.rng
    img, ids = src._ground(), np.zeros((SIDE, SIDE), np.int16)
    H = src._camera(rng.uniform(75, 130))
    labels = rng.permutation(patches.labels_of(deck))[:CARDS]
    cards = []
    poses, grip = pose(rng, held)
    for label, p in zip(labels, poses):
        q = scenes.project(H, p)
        cards.append(scenes.Laid(str(label), q, scenes.corner_kinds((label,), deck.get("four", False)), False))
        src._lay(img, ids, deck[label], q, len(cards))
    if held:
        hand(img, ids, H, grip, rng)
        img, ids = bent(img, ids, cards, rng)
    for n, c in enumerate(cards, 1):
        c.corners = scenes.seen_corners(ids, n, c)
    return scenes.degrade(img, rng), cards, [max(seen for kind, seen, *_ in c.corners if kind == scenes.INDEX) for c in cards]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--data", default=os.path.join(card.HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--pictures", type=int, default=40)
    ap.add_argument("--seed", type=int, default=5)
    ap.add_argument("--held", action="store_true", help="as people hold them")
    a = ap.parse_args()
    scenes.SIZE = SIDE
    art = decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(card.HERE, "work", "sheets"))
    held = [art[k] for k in card.HELD_OUT if k in art]
    rooms = scenes.load_rooms(a.data)
    src = scenes.Scenes(a.seed, {}, rooms=rooms, pool=4)
    os.makedirs(os.path.join(a.out, "images"), exist_ok=True)
    with open(os.path.join(a.out, "truth.jsonl"), "w") as f, open(os.path.join(a.out, "laid.jsonl"), "w") as g:
        for i in range(a.pictures):
            deck = held[i % len(held)] if held else src.src.pool[i % 4]
            img, cards, shown = fan(src, deck, a.held)
            name = f"images/fan{i:03d}.jpg"
            cv2.imwrite(os.path.join(a.out, name), img, [cv2.IMWRITE_JPEG_QUALITY, 90])
            told = [{"label": c.label, "box": np.r_[c.quad.min(0), c.quad.max(0) - c.quad.min(0)].round(1).tolist(), "owner": "free" if s >= 0.9 else "covered"}
                    for c, s in zip(cards, shown)]
            f.write(json.dumps({"image": name, "tags": ["fan"], "cards": told, "complete": ["cards"]}) + "\n")
            laid = [{"label": c.label, "quad": c.quad.round(1).tolist(), "index": round(s, 2)} for c, s in zip(cards, shown)]
            g.write(json.dumps({"image": name, "cards": laid}) + "\n")


if __name__ == "__main__":
    main()
