"""Trains corners.onnx, the finder of free card corners, and exports it.

  /usr/bin/python3 models/train/corner.py --out models [--data ../shared/data] [--minutes 60]

3 x H x W (BGR, 0 to 1) -> at every eighth pixel 2 x 2 cells of heat (corner with an
index, corner without) and the corner's frame (scenes.targets). Work is kept in
work/corner.pt every two minutes; --resume goes on from it.
"""
import argparse
import os
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import card
import decks
import manifest
import scenes

HERE = os.path.dirname(os.path.abspath(__file__))
HEADS = 8  # heat of both kinds, apex, short vector, long vector


def conv(i, o, stride=1, hole=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, hole, hole, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Corners(nn.Module):
    def __init__(self, w=48):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 32, 2), conv(32, w, 2), conv(w, w), conv(w, w, hole=2),
            conv(w, w), conv(w, w, hole=3), conv(w, w), nn.Conv2d(w, 4 * HEADS, 1))
        with torch.no_grad():
            self.body[-1].bias[:8] = -4.6

    def forward(self, x):
        return self.body(x)


def cells(out):
    """Stride 8 with 2 x 2 cells -> stride 4, channel by channel."""
    return F.pixel_shuffle(out, 2)


class Replay:
    """Scenes, most of them shown before: drawing costs more than learning, so each
    is kept for a while and comes again in quarter turns and another light."""

    def __init__(self, src, fresh=0.25, size=1200):
        self.src, self.rng, self.fresh, self.size, self.kept = src, src.rng, fresh, size, []

    def scene(self):
        rng = self.rng
        if len(self.kept) < 64 or rng.random() < self.fresh:
            s = self.src.scene()
            if len(self.kept) < self.size:
                self.kept.append(s)
            else:
                self.kept[rng.integers(self.size)] = s
            return s
        img, corners = self.kept[rng.integers(len(self.kept))]
        k = int(rng.integers(4))
        img = cv2.convertScaleAbs(np.ascontiguousarray(np.rot90(img, k)), alpha=rng.uniform(0.75, 1.2), beta=rng.uniform(-5, 12))
        for _ in range(k):
            turn = lambda v, o=0: np.array([v[1], o - v[0]])
            corners = [(kind, seen, turn(a, scenes.SIZE), turn(s), turn(l)) for kind, seen, a, s, l in corners]
        return img, corners


def batch(src, n):
    imgs, maps = [], []
    for _ in range(n):
        img, corners = src.scene()
        imgs.append(img.transpose(2, 0, 1))
        maps.append(scenes.targets(corners))
    x = torch.from_numpy(np.stack(imgs)).float() / 255
    return [x] + [torch.from_numpy(np.stack(m)) for m in zip(*maps)]


def losses(net, b):
    x, heat, weight, frame, near = b
    o = cells(net(x))
    p = torch.sigmoid(o[:, :2]).clamp(1e-4, 1 - 1e-4)
    hit = (heat == 1).float()
    pos = -((1 - p) ** 2 * p.log() * hit * weight).sum()
    neg = -((1 - heat) ** 4 * p ** 2 * (1 - p).log() * (1 - hit) * weight).sum()
    n = hit.sum().clamp(min=1)
    l1 = (F.smooth_l1_loss(o[:, 2:], frame, reduction="none", beta=0.1).sum(1) * near).sum() / near.sum().clamp(min=1)
    return (pos + neg) / n, l1


@torch.no_grad()
def validate(net, batches):
    """Recall and precision of index corners at heat 0.3, and the frame's median error in pixels."""
    net.eval()
    found, truth, said, errs = 0, 0, 0, []
    for x, heat, weight, frame, near in batches:
        o = cells(net(x))
        p = torch.sigmoid(o[:, :2])
        peak = (p == F.max_pool2d(p, 5, 1, 2)) & (p > 0.3)
        for k in range(1):
            close = F.max_pool2d((heat[:, k:k + 1] == 1).float(), 3, 1, 1)[:, 0]
            truth += (heat[:, k] == 1).sum().item()
            found += (F.max_pool2d(peak[:, k:k + 1].float(), 3, 1, 1)[:, 0] * (heat[:, k] == 1)).sum().item()
            said += (peak[:, k] * weight[:, k]).sum().item() 
            m = peak[:, k] & (close > 0) & (near > 0)
            errs.append((o[:, 2:] - frame).abs().permute(0, 2, 3, 1)[m] * 32)
    net.train()
    e = torch.cat(errs)
    return found / max(1, truth), found / max(1, said), e[:, :2].median().item(), e[:, 2:].median().item()


def export(net, folder, score, data):
    net.eval()
    path = os.path.join(folder, "corners.onnx")
    torch.onnx.export(net, torch.zeros(1, 3, 96, 160), path, opset_version=11, input_names=["picture"], output_names=["cells"],
                      dynamic_axes={"picture": {2: "h", 3: "w"}, "cells": {2: "h8", 3: "w8"}})
    net.train()
    manifest.update(folder, "corners", "corners.onnx", (3, 96, 160), [("cells", [f"{h}{c}" for h in ("index", "plain", "ax", "ay", "sx", "sy", "lx", "ly") for c in range(4)])],
                    data, {"held_out_decks_recall": round(score[0], 4), "held_out_decks_precision": round(score[1], 4)})


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=os.path.join(HERE, ".."))
    ap.add_argument("--data", default=os.path.join(HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--photos", default="")
    ap.add_argument("--minutes", type=float, default=40)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--resume", action="store_true")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)
    work = os.path.join(HERE, "work")
    os.makedirs(work, exist_ok=True)
    art = decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(work, "sheets"))
    own = decks.load_own(os.path.join(work, "own"))
    held = {k: v for k, v in art.items() if k in card.HELD_OUT}
    photos, rooms = [p[:3] for p in card.load_photos(a.photos) if not p[3]], scenes.load_rooms(a.data)
    src = scenes.Scenes(a.seed, {k: v for k, v in art.items() if k not in held}, own, photos, rooms)
    val_src = scenes.Scenes(10_000, held, pool=4)
    val_src.src.deck = lambda: list(held.values())[val_src.rng.integers(len(held))] if held else val_src.src.pool[0]
    val = [batch(val_src, 16) for _ in range(6)]
    src = Replay(src)
    print(len(photos), "photographed cards,", len(rooms), "rooms", flush=True)
    net = Corners()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    keep, spent, n = os.path.join(work, "corner.pt"), 0.0, 0
    if a.resume and os.path.exists(keep):
        ck = torch.load(keep)
        net.load_state_dict(ck["net"]), opt.load_state_dict(ck["opt"])
        spent, n = ck["spent"], ck["n"]
    data = ["renders of decks drawn by models/train/decks.py", "renders of the simulator's decks " + ", ".join(sorted(own)),
            "renders of the vector decks (GPL, not shipped)", "photographs rf100 poker-cards (CC BY 4.0, Team Roboflow / Augmented Startups), cards and rooms",
            "photographs of EdjeElectronics' pinochle cards (Apache-2.0)", "rooms of nell-byler-dice (BSD-3-Clause) and matteop65-dice (MIT)"]
    t0, last, sums = time.time() - spent, time.time(), np.zeros(3)
    while (done := (time.time() - t0) / (60 * a.minutes)) < 1:
        for g in opt.param_groups:
            g["lr"] = 2e-3 * (min(1, (n + 1) / 3000) * 0.5 * (1 + np.cos(np.pi * done)) + 0.002)
        heat, frame = losses(net, batch(src, a.batch))
        opt.zero_grad(set_to_none=True)
        (heat + frame).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        n += a.batch
        sums += heat.item(), frame.item(), 1
        if time.time() - last > 120:
            last, score = time.time(), validate(net, val)
            torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "spent": time.time() - t0, "n": n}, keep)
            print(f"{time.time() - t0:.0f} s, {n} scenes, losses {sums[:2] / sums[2]}, held-out recall {score[0]:.3f} precision {score[1]:.3f} apex {score[2]:.1f} px sides {score[3]:.1f} px", flush=True)
            sums[:] = 0
    score = validate(net, val)
    torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "spent": time.time() - t0, "n": n}, keep)
    export(net, a.out, score, data)
    print(n, "scenes", score)


if __name__ == "__main__":
    main()
