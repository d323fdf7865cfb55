"""Patterns of backs to learn from: ornaments that repeat by mirrors and turns, as printers make them.

backs.py has others, to measure with.
"""
import cv2
import numpy as np

import decks

INKS = ((45, 35, 175), (150, 60, 30), (45, 45, 45), (50, 110, 35), (100, 45, 120), (25, 100, 170), (120, 100, 30), (35, 25, 95), (60, 60, 220))


def back(rng):
    """A back of one or two inks on white: a border, frames, a repeating or a turning ornament, an emblem."""
    W, H = decks.CARD_W, decks.CARD_H
    white = np.full(3, rng.uniform(222, 254)) - [rng.uniform(0, 18), rng.uniform(0, 6), 0]
    ink = np.clip(np.array(INKS[rng.integers(len(INKS))]) + rng.integers(-25, 26, 3), 0, 255)
    second = np.clip(np.array(INKS[rng.integers(len(INKS))]) + rng.integers(-25, 26, 3), 0, 255) if rng.random() < 0.3 else ink
    img = np.empty((H, W, 3), np.uint8)
    img[:] = white
    b = 0 if rng.random() < 0.2 else int(rng.uniform(0.025, 0.09) * W)
    h, w = H - 2 * b, W - 2 * b
    field = img[b:H - b, b:W - b]
    kind = rng.random()
    inked = repeated(rng, h, w) if kind < 0.5 else turned(rng, h, w) if kind < 0.75 else striped(rng, h, w) if kind < 0.87 else None
    if inked is None:
        field[:] = ink
    else:
        if rng.random() < 0.4:
            inked = ~inked
        field[inked] = ink
        if second is not ink:
            field[inked & repeated(rng, h, w)] = second
    for _ in range(rng.integers(0, 4)):
        d = b + int(rng.uniform(0, 0.16) * W)
        colour = tuple(int(v) for v in (ink if rng.random() < 0.5 else white))
        cv2.rectangle(img, (d, d), (W - 1 - d, H - 1 - d), colour, int(rng.integers(1, 6)))
    if inked is None or rng.random() < 0.35:
        medallion(rng, img, ink, white)
    return img


def motif(rng, n, m):
    """A few strokes and shapes, white on black, n x m."""
    img = np.zeros((n, m), np.uint8)
    for _ in range(rng.integers(1, 5)):
        p, r = rng.random((rng.integers(3, 6), 2)) * [m, n], rng.uniform(0.1, 0.5) * min(n, m)
        c, thick = tuple(int(v) for v in p[0]), int(rng.integers(1, max(2, min(n, m) // 6) + 1))
        on, k = 255 * int(rng.random() < 0.7), rng.integers(4)
        if k == 0:
            cv2.circle(img, c, int(r) + 1, on, thick if rng.random() < 0.6 else -1, cv2.LINE_AA)
        elif k == 1:
            cv2.fillPoly(img, [p.astype(np.int32)], on, cv2.LINE_AA)
        elif k == 2:
            cv2.polylines(img, [p.astype(np.int32)], bool(rng.random() < 0.3), on, thick, cv2.LINE_AA)
        else:
            cv2.ellipse(img, c, (int(r) + 1, int(r * rng.uniform(0.3, 1)) + 1), rng.uniform(0, 180), 0, rng.uniform(90, 360), on, thick, cv2.LINE_AA)
    return img


def repeated(rng, h, w):
    """A motif and its mirror images, side by side, straight or aslant."""
    n, m = int(rng.uniform(5, 40)), int(rng.uniform(5, 40))
    t = motif(rng, n, m)
    t = np.hstack([t, t[:, ::-1]]) if rng.random() < 0.7 else t
    t = np.vstack([t, t[::-1]]) if rng.random() < 0.7 else t
    if rng.random() < 0.3:  # every other column half a tile lower
        t = np.hstack([t, np.roll(t, len(t) // 2, 0)])
    big = int(1.5 * max(h, w))
    out = np.tile(t, (big // t.shape[0] + 1, big // t.shape[1] + 1))
    if rng.random() < 0.4:
        M = cv2.getRotationMatrix2D((big / 2, big / 2), rng.choice([45, rng.uniform(0, 90)]), 1)
        out = cv2.warpAffine(out, M, (big, big))
    y, x = (np.array(out.shape) - [h, w]) // 2
    return out[y:y + h, x:x + w] > 127


def turned(rng, h, w):
    """Petals and rings about the middle, and mostly about the corners too."""
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    v = np.zeros((h, w), np.float32)
    for cx, cy in ((0.5, 0.5), (0, 0), (1, 1), (0, 1), (1, 0))[:rng.choice([1, 5])]:
        r, a = np.hypot(xx - cx * w, yy - cy * h), np.arctan2(yy - cy * h, xx - cx * w)
        near = np.exp(-r / w * 2)
        v += near * np.sin(r * rng.uniform(0.08, 0.7) + rng.uniform(0, 2) * np.sin(a * 2 * rng.integers(2, 12))) * np.cos(a * 2 * rng.integers(0, 10))
    v = v + v[::-1, ::-1]
    return v > rng.uniform(-0.1, 0.1)


def striped(rng, h, w):
    """Checks, bars, zigzags and basket weave."""
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    p, q, s = rng.uniform(4, 40), rng.uniform(4, 40), rng.uniform(0, 1.5)
    a, b = (xx + s * p * np.abs((yy / q) % 2 - 1)) / p, yy / q
    k = rng.integers(3)
    if k == 0:
        return (np.floor(a) + np.floor(b)) % 2 == 0
    if k == 1:
        return a % 1 < rng.uniform(0.2, 0.8)
    return np.where((np.floor(a) + np.floor(b)) % 2 == 0, (a * rng.integers(2, 5)) % 1 < 0.5, (b * rng.integers(2, 5)) % 1 < 0.5)


def medallion(rng, img, ink, white):
    """Something in the middle, the same from both ends."""
    h, w = img.shape[:2]
    m = motif(rng, h // 4, w // 2)
    m = np.vstack([m, m[::-1, ::-1]])
    k = rng.uniform(0.4, 1.2)
    m = cv2.resize(m, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)[:h, :w]
    y, x = (h - len(m)) // 2, (w - m.shape[1]) // 2
    part = img[y:y + len(m), x:x + m.shape[1]]
    if rng.random() < 0.6:
        part[:] = white
    part[m > 127] = ink if rng.random() < 0.8 else white
