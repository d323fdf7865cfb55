"""Draws an evaluation set (as vision eval reads it) of full fans of 13, with decks that never trained.

  /usr/bin/python3 models/train/fans.py OUT [--data ../shared/data] [--pictures 40]

One fan of 13 different cards in a picture of 1280 x 1280, seen obliquely, on the
grounds of training's scenes. All its cards are told, those of which an index lies free
(0.9 of it at least) as owned by "free", the others, whose indices the next card covers
in part, by "covered": vision eval gives the recall of both. The held-out artwork (GPL) is not to be shipped, nor
are these pictures. Without it decks are drawn.
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
CARDS = scenes.FAN


def pose(rng):
    """Poses of a fan's cards in short sides, lowest first, round its middle."""
    r, step = rng.uniform(1.1, 2.4), 0.0
    while not 0.15 < r * step < 0.5:
        step = rng.uniform(0.07, 0.2)
    turn = [step * (k - (CARDS - 1) / 2) + rng.normal(0, 0.012) for k in range(CARDS)]
    at = np.array([[r * np.sin(a), -r * np.cos(a)] for a in turn])
    at -= (at.min(0) + at.max(0)) / 2
    return [(*p, a) for p, a in zip(at, turn)]


def fan(src, deck):
    """A picture of one fan, its cards and which of them show an index that lies free."""
    rng = src.rng
    img, ids = src._ground(), np.zeros((SIDE, SIDE), np.int16)
    H = src._camera(rng.uniform(75, 130))
    labels = rng.permutation(patches.labels_of(deck))[:CARDS]
    cards = []
    for label, p in zip(labels, pose(rng)):
        q = scenes.project(H, p)
        cards.append(scenes.Laid(str(label), q, scenes.corner_kinds((label,), deck.get("four", False)), False))
        src._lay(img, ids, deck[label], q, len(cards))
    free = []
    for n, c in enumerate(cards, 1):
        free.append(any(kind == scenes.INDEX and seen >= 0.9 for kind, seen, *_ in scenes.seen_corners(ids, n, c)))
    return scenes.degrade(img, rng), cards, free


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
    rooms = scenes.load_rooms(a.data)
    src = scenes.Scenes(a.seed, {}, rooms=rooms, pool=4)
    os.makedirs(os.path.join(a.out, "images"), exist_ok=True)
    with open(os.path.join(a.out, "truth.jsonl"), "w") as f:
        for i in range(a.pictures):
            deck = held[i % len(held)] if held else src.src.pool[i % 4]
            img, cards, free = fan(src, deck)
            name = f"images/fan{i:03d}.jpg"
            cv2.imwrite(os.path.join(a.out, name), img, [cv2.IMWRITE_JPEG_QUALITY, 90])
            told = [{"label": c.label, "box": np.r_[c.quad.min(0), c.quad.max(0) - c.quad.min(0)].round(1).tolist(), "owner": "free" if ok else "covered"}
                    for c, ok in zip(cards, free)]
            f.write(json.dumps({"image": name, "tags": ["fan"], "cards": told, "complete": ["cards"]}) + "\n")


if __name__ == "__main__":
    main()
