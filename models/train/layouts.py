"""How cards lie on a table, and in hands: poses for scenes.py."""
import numpy as np

FAN = 13    # most cards of a fan


def layout(rng, room):
    """Poses (x, y, turn) of the cards, lowest first, in short sides; room: the picture's side."""
    kind, half = rng.random(), room / 2
    anywhere = lambda k=0.85: rng.uniform(-half * k, half * k, 2)
    n_max = int(np.clip(room * room / 3, 1, 9))
    if kind < 0.08:
        return []
    if kind < 0.3:  # strewn
        return [(*anywhere(), rng.uniform(0, 2 * np.pi)) for _ in range(rng.integers(1, n_max + 1))]
    if kind < 0.55:  # pairs
        out = []
        for _ in range(rng.integers(1, max(2, n_max // 2 + 1))):
            p, t = anywhere(), rng.uniform(0, 2 * np.pi)
            out.append((*p, t))
            for _ in range(rng.integers(1, 3)):
                out.append((*(p + rng.uniform(-0.75, 0.75, 2)), t + rng.uniform(-0.6, 0.6)))
        return out
    if kind < 0.8:  # rows and cascades
        out = []
        for _ in range(rng.integers(1, 4)):
            p, t, n = anywhere(), rng.uniform(0, 2 * np.pi), rng.integers(2, 8)
            along = rng.uniform(0.17, 1.15)
            d = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else 0
            step = along * np.array([np.cos(t + d), np.sin(t + d)])
            for k in range(n):
                out.append((*(p + step * (k - n / 2) + rng.uniform(-0.04, 0.04, 2)), t + rng.uniform(-0.08, 0.08)))
        return out
    return fan(rng, False, anywhere(0.5))


def fan(rng, held, at=(0, 0)):
    """Poses of a fan about a place, as laid down or as people hold it."""
    p, t, n = np.array(at) + rng.normal(0, 0.4, 2), rng.uniform(0, 2 * np.pi), rng.integers(3, FAN + 1)
    r, step = rng.uniform(0.9, 2.6), rng.uniform(0.07, 0.3)
    if held:
        n = rng.integers(5, FAN + 1)
        r = rng.uniform(0.8, 1.7)
        step = rng.uniform(0.11, 0.34) / r
    step *= rng.choice([-1, 1], p=[0.08, 0.92])
    uneven, askew, far, out = (0.2, 0.035, 0.05, []) if held else (0.03, 0.01, 0, [])
    for k in range(n):
        a = t + step * (k - n / 2 + rng.normal(0, uneven)) + rng.normal(0, askew)
        d = r + rng.normal(0, far)
        out.append((*(p + d * np.array([np.sin(a), -np.cos(a)]) - r * 0.8 * np.array([np.sin(t), -np.cos(t)])), a))
    return out


def heaps(rng, room):
    """Poses of cards that lie over one another in twos to fives about some places."""
    out = []
    for _ in range(rng.integers(1, int(np.clip(room * room / 5, 1, 6)) + 1)):
        p, t = rng.uniform(-room * 0.4, room * 0.4, 2), rng.uniform(0, 2 * np.pi)
        for _ in range(rng.choice([1, 2, 3, 4, 5], p=[0.1, 0.45, 0.25, 0.12, 0.08])):
            out.append((*p, t))
            a, d = rng.uniform(0, 2 * np.pi), rng.uniform(0.12, 1.0)
            p = p + d * np.array([np.cos(a), np.sin(a)])
            t += rng.choice([0, np.pi / 2], p=[0.88, 0.12]) + rng.normal(0, rng.choice([0.08, 0.3]))
    return out
