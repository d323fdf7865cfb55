"""Cards that are printed on a felt, as felts for card games have them, and real ones beside and on them.

  /usr/bin/python3 models/train/prints.py OUT [--data ../shared/data] [--pictures 40]

draws an evaluation set (as lab eval reads it): pictures of 1280 x 1280 with one to five printed cards,
aces mostly, in a fan, a row or strewn, and two to six real ones with held-out artwork (GPL), some of them
lying over print. Only the real ones are told. The pictures are not to be shipped.

A print has one or two inks, a white that is no paper's or the felt's own colour, mostly a frame at its very
border, the weave of the felt in it, soft edges, and neither thickness nor shadow. paper.py learns from these.
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
INKS = ((150, 90, 50), (60, 50, 205), (60, 170, 215), (40, 40, 40), (70, 110, 40), (235, 235, 235), (140, 60, 110))


def ink(rng):
    return np.clip(np.array(INKS[rng.integers(len(INKS))], np.float32) + rng.uniform(-35, 35, 3), 0, 255)


def white(rng):
    """What is white of a print: duller than paper, mostly warmer, seldom of a colour."""
    k = rng.random()
    if k < 0.8:
        return np.float32([1 - rng.uniform(0, 0.22), 1 - rng.uniform(0, 0.07), 1]) * rng.uniform(170, 250)
    return np.float32(rng.uniform(110, 245, 3))


def coverage(face):
    """How much ink lies where on a card, 0 to 1."""
    paper = np.float32([np.bincount(face[..., c].ravel(), minlength=256)[128:].argmax() + 128 for c in range(3)])
    return np.clip(((paper - face) / paper).max(2), 0, 1)


def hatched(rng, cov):
    """Pips as engraved ones: rays or lines through the ink of the middle."""
    yy, xx = np.mgrid[:H, :W].astype(np.float32)
    if rng.random() < 0.5:
        v = np.sin(np.arctan2(yy - H * rng.uniform(0.3, 0.8), xx - W / 2) * rng.integers(20, 60))
    else:
        v = np.sin((xx * rng.uniform(-1, 1) + yy * rng.uniform(-1, 1)) * rng.uniform(0.3, 1.0))
    middle = (abs(xx - W / 2) < 0.3 * W) & (abs(yy - H / 2) < 0.3 * H)
    return np.where(middle & (v > rng.uniform(-0.3, 0.5)), cov * rng.uniform(0.1, 0.6), cov)


def engraved(rng, face):
    """A card with such pips, as packs have them for their aces."""
    cov = np.maximum(coverage(face), 1e-3)
    kept = np.minimum(hatched(rng, cov) / cov, 1)[..., None]
    return (255 - (255 - face.astype(np.float32)) * kept - (1 - kept) * 8).astype(np.uint8)


def printed(rng, face):
    """A face as print: its picture and how much of the felt it covers, 0 to 1."""
    cov = coverage(face)
    if rng.random() < 0.35:
        cov = hatched(rng, cov)
    first, field = ink(rng), white(rng)
    two = rng.random() < 0.35
    if rng.random() < 0.3:  # the colours of the card
        art = face.astype(np.float32) * rng.uniform(0.75, 1) * (field / field.max())
    else:
        art = field * (1 - cov[..., None]) + first * cov[..., None]
    alpha = cov.copy() if rng.random() < 0.22 else np.ones((H, W), np.float32)  # on the bare felt, or on a field
    if rng.random() < 0.78:
        at, col = rng.uniform(0, 0.03), first
        for _ in range(rng.integers(1, 4)):
            wide = rng.uniform(0.008, 0.05)
            a, b = int(at * W), max(1, int(wide * W))
            art[a:H - a, a:W - a], inner = _ringed(art[a:H - a, a:W - a], b, col)
            alpha[a:H - a, a:W - a][~inner] = 1
            at += wide + rng.uniform(0, 0.035)
            col = ink(rng) if two else first if rng.random() < 0.8 else field
    alpha *= patches._rounded(H, W, int(rng.uniform(0.02, 0.11) * W)).astype(np.float32) / 255
    if rng.random() < 0.5:  # worn
        worn = cv2.resize(rng.uniform(0.55, 1, (5, 4)).astype(np.float32), (W, H), interpolation=cv2.INTER_CUBIC)
        alpha *= np.clip(worn + rng.uniform(0, 0.4), 0, 1)
    soft = rng.uniform(0.3, 1.6)
    return cv2.GaussianBlur(art, (0, 0), soft), cv2.GaussianBlur(alpha * rng.uniform(0.85, 1), (0, 0), soft)


def _ringed(art, wide, col):
    """A frame of an ink along the border; with it what lies within."""
    inner = np.zeros(art.shape[:2], bool)
    inner[wide:-wide, wide:-wide] = True
    return np.where(inner[..., None], art, np.float32(col)), inner


def weave(rng, img):
    """A felt with its weave: fine grain over the whole picture, of which it gives the grain too."""
    h, w = img.shape[:2]
    n = rng.standard_normal((h, w)).astype(np.float32)
    grain = cv2.GaussianBlur(n, (0, 0), rng.uniform(0.5, 1.6))
    grain *= rng.uniform(0, 14) / max(float(grain.std()), 1e-6)
    return np.clip(img + grain[..., None], 0, 255).astype(np.uint8), grain


def lay(img, grain, art, alpha, quad):
    """Prints on the felt: the quad's first corner is the print's top left."""
    h, w = img.shape[:2]
    lo, hi = np.maximum(np.floor(quad.min(0)).astype(int) - 2, 0), np.minimum(np.ceil(quad.max(0)).astype(int) + 3, [w, h])
    if (hi - lo < 2).any():
        return
    k = min(1.0, 1.3 * max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3]), 8) / W)
    size = (max(8, int(W * k)), max(8, int(H * k)))
    art, alpha = (cv2.resize(a, size, interpolation=cv2.INTER_AREA) for a in (art, alpha))
    M = cv2.getPerspectiveTransform(np.float32([[0, 0], [size[0], 0], size, [0, size[1]]]), np.float32(quad - lo))
    art, alpha = (cv2.warpPerspective(a, M, tuple(int(v) for v in hi - lo), flags=cv2.INTER_LINEAR) for a in (art, alpha))
    part = img[lo[1]:hi[1], lo[0]:hi[0]]
    art = art + grain[lo[1]:hi[1], lo[0]:hi[0], None] * 0.9
    part[:] = np.clip(part * (1 - alpha[..., None]) + art * alpha[..., None], 0, 255).astype(np.uint8)


def choose(rng, deck, aces=0.55):
    labels = patches.labels_of(deck)
    own = [l for l in labels if l[0] == "A"]
    return str(rng.choice(own if own and rng.random() < aces else labels))


def group(rng, n):
    """Poses of n prints about one place, in short sides: a fan, a row or strewn."""
    kind, t, d = rng.random(), rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.25)
    along = np.array([np.cos(t), np.sin(t)])
    turn = rng.uniform(0.1, 0.35) if kind < 0.5 else 0
    out = []
    for k in range(n):
        p = along * d * (k - (n - 1) / 2)
        if kind >= 0.8:
            p = p * 1.5 + rng.uniform(-0.7, 0.7, 2)
        out.append((*p, t + turn * (k - (n - 1) / 2) + (rng.normal(0, 0.3) if kind >= 0.8 else 0)))
    return out


def picture(src, deck):
    """A picture, and label and quad of each real card in it."""
    rng, short = src.rng, np.exp(src.rng.uniform(np.log(60), np.log(135)))
    while True:
        img, grain = weave(rng, patches.background(rng, SIDE, SIDE, prints=0.5))
        ids = np.zeros((SIDE, SIDE), np.int16)
        squash = rng.uniform(0.85, 1) if rng.random() < 0.7 else rng.uniform(0.6, 0.85)
        M = np.array([[short, 0, SIDE / 2], [0, short * squash, SIDE / 2], [0, 0, 1]])
        M[2, :2] = rng.uniform(-0.008, 0.008, 2)
        room = SIDE / short / 2 - 1
        within = np.array([room, room / squash])
        at, style = rng.uniform(-within, within), deck if rng.random() < 0.5 else src.src.deck()
        prints = [(at[0] + x, at[1] + y, t) for x, y, t in group(rng, rng.integers(1, 6))]
        for p in prints:
            lay(img, grain, *printed(rng, style[choose(rng, style)]), scenes.project(M, p))
        poses = []
        for k in range(rng.integers(2, 7)):
            onto = k == 0 and rng.random() < 0.75
            x, y = np.array(prints[0][:2]) + rng.uniform(-0.9, 0.9, 2) if onto else rng.uniform(-within, within)
            poses.append((x, y, rng.uniform(0, 2 * np.pi)))
        quads = [scenes.project(M, p) for p in poses]
        if any((q < 4).any() or (q > SIDE - 5).any() for q in quads):
            continue
        labels = rng.permutation(patches.labels_of(deck))[:len(quads)]
        for n, (label, q) in enumerate(zip(labels, quads), 1):
            src._lay(img, ids, deck[str(label)], q, n)
        if all((ids == n).sum() > 0.9 * cv2.contourArea(q.astype(np.float32)) for n, q in enumerate(quads, 1)):
            return scenes.degrade(img, rng), [str(l) for l in labels], quads


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--data", default=os.path.join(card.HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--pictures", type=int, default=40)
    ap.add_argument("--seed", type=int, default=5)
    a = ap.parse_args()
    scenes.SIZE = SIDE
    art = decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(card.HERE, "work", "sheets"))
    held = [art[k] for k in card.HELD_OUT if k in art]
    src = scenes.Scenes(a.seed, {}, pool=4)
    os.makedirs(os.path.join(a.out, "images"), exist_ok=True)
    with open(os.path.join(a.out, "truth.jsonl"), "w") as f:
        for i in range(a.pictures):
            img, labels, quads = picture(src, held[i % len(held)] if held else src.src.pool[i % 4])
            name = f"images/{i:03d}.jpg"
            cv2.imwrite(os.path.join(a.out, name), img, [cv2.IMWRITE_JPEG_QUALITY, 90])
            told = [{"label": l, "box": np.r_[q.min(0), q.max(0) - q.min(0)].round(1).tolist()} for l, q in zip(labels, quads)]
            f.write(json.dumps({"image": name, "tags": ["print"], "cards": told, "complete": ["cards"]}) + "\n")


if __name__ == "__main__":
    main()
