"""The paper network: whether what looks like a card is of paper or printed on the felt. joint.py trains it.

paper.onnx   a rectified card with an eighth of its sides round it -> paper, print

Prints are drawn (prints.py) on felts, and in the place of cards on photographs that may train, so that a
photograph's light and grain say nothing. Cards are drawn and photographed ones, lying free, over and under
others, in boxes of the layout and on print.
"""
import cv2
import numpy as np
import torch
import torch.nn as nn

import decks
import patches
import prints
from learn import conv

MARGIN = patches.MARGIN
RENEWED = 0.02  # of all scenes so many begin with a new deck
AROUND = 0.125  # of the sides, round the card
CLASSES = ["paper", "print"]
PAPER, PRINT = 0, 1


class Paper(nn.Module):
    """3 x 112 x 80 -> logits of paper and print."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 12, 2), conv(12, 24, 2), conv(24, 32, 2), conv(32, 32), conv(32, 48, 2), nn.Flatten(),
            nn.Dropout(0.2), nn.Linear(48 * 7 * 5, 32), nn.ReLU(inplace=True), nn.Linear(32, len(CLASSES)))

    def forward(self, x):
        return self.body(x)


class Samples:
    """Draws samples, (patch, class)."""

    def __init__(self, seed, artwork, photos, own=None):
        self.src = patches.Source(seed, artwork, own=own, pool=8)
        self.rng, self.photos = self.src.rng, photos

    def sample(self):
        rng = self.rng
        kind, photo = int(rng.random() < 0.5), self.photos and rng.random() < 0.45
        if photo:
            img, quad = self._photographed(kind)
        else:
            img, quad = self._drawn(kind)
        grown = quad.mean(0) + (quad - quad.mean(0)) * (1 + 2 * AROUND)
        rect = patches.degrade(patches.cut(img, np.float32(grown)), rng, keep=0.5 if photo else 0.15)
        x = patches.face_input(rect)
        return np.ascontiguousarray(x[::-1, ::-1] if rng.random() < 0.5 else x), kind

    def _photographed(self, kind):
        """A patch of a photograph; a print takes the place of its card."""
        rng = self.rng
        img = self.photos[rng.integers(len(self.photos))].copy()
        quad = patches.inner(img)
        if kind == PRINT:
            face = cv2.warpPerspective(img, cv2.getPerspectiveTransform(quad, np.float32([[0, 0], [prints.W, 0], [prints.W, prints.H], [0, prints.H]])), (prints.W, prints.H))
            over = quad.mean(0) + (quad - quad.mean(0)) * rng.uniform(1.0, 1.06)
            prints.lay(img, np.zeros(img.shape[:2], np.float32), *prints.printed(rng, face), over)
            quad = self._off(over)
        return img, np.float32(quad + rng.uniform(-0.02, 0.02, (4, 2)) * img.shape[1])

    def _off(self, quad):
        """A print's outline as a finder takes it: at its border or within a frame."""
        return quad.mean(0) + (quad - quad.mean(0)) * self.rng.choice([1, self.rng.uniform(0.86, 1)])

    def _drawn(self, kind):
        rng, src = self.rng, self.src
        if rng.random() < RENEWED:
            src.renew()
        deck = src.deck()
        scene, grain = prints.weave(rng, patches.background(rng, decks.CARD_H + 2 * MARGIN, decks.CARD_W + 2 * MARGIN))
        quad = np.float32([[0, 0], [prints.W, 0], [prints.W, prints.H], [0, prints.H]]) + MARGIN
        turned = lambda far: _moved(quad, rng.uniform(-far, far, 2) * prints.W, rng.uniform(-0.4, 0.4))
        if rng.random() < 0.4:  # print beside it or under it
            prints.lay(scene, grain, *prints.printed(rng, deck[prints.choose(rng, deck)]), turned(1.2))
        if kind == PRINT:
            prints.lay(scene, grain, *prints.printed(rng, deck[prints.choose(rng, deck)]), quad)
            if rng.random() < 0.2:
                prints.lay(scene, grain, *prints.printed(rng, deck[prints.choose(rng, deck)]), turned(1.0) + np.array([rng.choice([-0.4, 0.4]) * prints.W, 0]))
            return scene, patches.jitter(rng, 0.06) if rng.random() < 0.5 else np.float32(self._off(quad))
        if rng.random() < 0.3:  # a box of the layout about it
            for _ in range(rng.integers(1, 3)):
                d = rng.uniform(-0.06, 0.22, 2) * prints.W
                p, q = quad[0] - d, quad[2] + d[::-1]
                cv2.rectangle(scene, tuple(int(v) for v in p), tuple(int(v) for v in q), tuple(int(v) for v in prints.ink(rng)), int(rng.integers(2, 12)))
        if rng.random() < 0.3:
            src._neighbour(scene, deck, over=False)
        face = deck[prints.choose(rng, deck)]  # as many aces as of the prints: they are no sign of print
        if rng.random() < 0.35:
            face = prints.engraved(rng, face)
        back = decks.draw_back(rng) if rng.random() < 0.7 else deck["BK"]
        patches.paste(scene, back if rng.random() < 0.15 else face, MARGIN, MARGIN, rng)
        if rng.random() < 0.35:
            src._neighbour(scene, deck, over=True)
        return scene, patches.jitter(rng, 0.06)


def _moved(quad, by, turn):
    c, s = np.cos(turn), np.sin(turn)
    mid = quad.mean(0)
    return (quad - mid) @ np.array([[c, s], [-s, c]]) + mid + by


@torch.no_grad()
def score(net, held):
    """Of prints and of cards the share that is told, and of cards that are taken for print with 0.9."""
    net.eval()
    p = torch.cat([net(x).softmax(1)[:, PRINT] for x, _ in held])
    y = torch.cat([y for _, y in held])
    return {"print": round(float((p[y == PRINT] > 0.9).float().mean()), 4), "paper": round(float((p[y == PAPER] < 0.9).float().mean()), 4)}
