"""A stock of drawn things that several processes fill while a network learns from it.

Each process draws for ever and writes chunks into a folder; Stock takes them up, on the device that trains,
and lets the oldest go. Drawing costs a hundred times what a training step does, so each is used
often: cut elsewhere, turned, in another light (joint.py).
"""
import glob
import multiprocessing
import os
import time

import cv2
import numpy as np
import torch

import patches
import paper
import scenes

CARDS = 24       # most of a scene
SHOWN = 0.55     # a rank or a suit of which so much is seen says what it is
FREE = 0.9       # an index of which so much is seen is whole
WAITING = 60     # chunks not yet taken up: drawing waits
CHUNK = 32


def scene_rows(src):
    """A scene as arrays: picture; per card its corners, face class and visible share; per corner its kind,
    visible share, rank and suit (-1: not known), and the shares of both that are seen."""
    img, cards, ids = src.laid()
    quad, face = np.zeros((CARDS, 4, 2), np.float32), np.full((CARDS, 2), -1, np.float32)
    corner = np.full((CARDS, 4, 6), -1, np.float32)
    for n, c in enumerate(cards[-CARDS:], max(0, len(cards) - CARDS) + 1):
        i = n - max(0, len(cards) - CARDS) - 1
        quad[i] = c.quad
        face[i] = patches.FACE_CLASSES.index(c.label) if c.label in patches.FACE_CLASSES else -1, c.share(ids, n)
        for k in range(4):
            kind, seen = c.corners[k][:2]
            r = s = seen
            if kind == scenes.INDEX:
                r, s = c.shown(ids, n, k)
                seen = (r + s) / 2
            rank, suit = c.said(k)
            corner[i, k] = kind, seen, rank, suit, r, s
    return img, quad, face, corner


def patch_rows(it):
    """A rectified card: its face, the face's class, two of its corners with rank and suit."""
    rect, face, crops = next(it)
    return (patches.face_input(rect), np.float32(face), np.stack([c[0] for c in crops]),
            np.array([c[1:] for c in crops], np.float32))


def draw(kind, seed, packed, free, folder, held=0):
    """Draws chunks of a kind into the folder, for ever; held: so many rows of held-out decks, once."""
    import card  # it imports this file's users
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    art = {k: v for k, v in packed.art.items() if (k in card.HELD_OUT) == bool(held)}
    own = {} if held else packed.own
    whole, parts = ([] if held else [p[:3] for p in packed.photos if not p[3]]), ([] if held else free)
    rooms = packed.rooms[::5] if held else packed.rooms
    if kind == "scenes":
        src = scenes.Scenes(seed, art, own, whole, rooms)
        if held:
            src.src.deck = lambda: list(art.values())[src.rng.integers(len(art))]
        row = lambda: scene_rows(src)
    elif kind == "patches":
        src = patches.Source(seed, art, whole, own=own, rooms=rooms, parts=parts, photographed=0.8)
        if held:
            src.deck = lambda: list(art.values())[src.rng.integers(len(art))]
        it = src.samples()
        row = lambda: patch_rows(it)
    else:
        src = paper.Samples(seed, art, [p[0] for p in packed.photos], own=own)
        row = lambda: [np.asarray(v) for v in src.sample()]
    n = 0
    while True:
        chunk = [np.stack(c) for c in zip(*(row() for _ in range(held or CHUNK)))]
        path = os.path.join(folder, f"{kind}{'-held' if held else ''}-{seed}-{n}.rows")
        with open(path + ".new", "wb") as f:
            for c in chunk:
                np.save(f, c)
        os.replace(path + ".new", path)
        if held:
            return
        while len(os.listdir(folder)) > WAITING:
            time.sleep(0.05)
        n += 1


def shared(makers, kinds, held):
    """What so many processes draw of the kinds: (kind, 0), and once of each kind (kind, held)."""
    few, more = (max(1, makers // n) if k in kinds else 0 for k, n in (("paper", 8), ("patches", 4)))
    return [(k, held) for k in kinds] + [("paper", 0)] * few + [("patches", 0)] * more + [("scenes", 0)] * max(1, makers - few - more)


class Ring:
    """So many of the newest rows, on the device."""

    def __init__(self, size, device):
        self.size, self.device, self.rows, self.at, self.count, self.drawn = size, device, None, 0, 0, 0

    def full(self):
        return self.count == self.size

    def take(self, chunk):
        new = [torch.from_numpy(c) for c in chunk]
        if self.rows is None:
            self.rows = [torch.zeros((self.size, *c.shape[1:]), dtype=c.dtype, device=self.device) for c in new]
        n = min(len(new[0]), self.size)
        if self.at + n > self.size:
            self.at = 0
        for mine, c in zip(self.rows, new):
            mine[self.at:self.at + n] = c[:n].to(self.device)
        self.at = (self.at + n) % self.size
        self.count, self.drawn = min(self.size, max(self.count, self.at if self.at else self.size)), self.drawn + n


class Stock:
    """Rings of what the processes draw: kind -> Ring; KIND-held: of held-out decks."""

    def __init__(self, folder, makers, packed, free, sizes, device, seed):
        self.folder, self.rings = folder, {k: Ring(n, device) for k, n in sizes.items()}
        fork = multiprocessing.get_context("fork")
        self.all = []
        for i, (kind, held) in enumerate(makers):
            p = fork.Process(target=draw, args=(kind, 20_000 + i if held else seed * 1000 + i, packed, free, folder, held), daemon=True)
            p.start()
            self.all.append(p)

    def take_up(self):
        """Puts what was drawn meanwhile into the rings; reports whether there was something. Much at a time: each
        copy to the device waits for what it does."""
        new = {}
        for path in glob.glob(os.path.join(self.folder, "*.rows")):
            with open(path, "rb") as f:
                chunk = []
                while f.peek(1):
                    chunk.append(np.load(f))
            os.remove(path)
            new.setdefault("-".join(os.path.basename(path).split("-")[:-2]), []).append(chunk)
        for kind, chunks in new.items():
            self.rings[kind].take([np.concatenate(c) for c in zip(*chunks)])
        return bool(new)

    def stop(self):
        for p in self.all:
            p.terminate()
