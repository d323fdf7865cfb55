"""The finder of free card corners, corners.onnx. joint.py trains it.

3 x H x W (BGR, 0 to 1) -> at every eighth pixel 2 x 2 cells of heat (corner with an
index, corner without) and the corner's frame (cutting.targets).
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from learn import conv

HEADS = 8  # heat of both kinds, apex, short vector, long vector


class Corners(nn.Module):
    def __init__(self, w=48):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 32, 2), conv(32, w, 2), conv(w, w), conv(w, w, dilation=2),
            conv(w, w), conv(w, w, dilation=3), conv(w, w), nn.Conv2d(w, 4 * HEADS, 1))
        with torch.no_grad():
            self.body[-1].bias[:8] = -4.6

    def forward(self, x):
        return self.body(x)


def cells(out):
    """Stride 8 with 2 x 2 cells -> stride 4, channel by channel."""
    return F.pixel_shuffle(out, 2)


def losses(out, heat, weight, frame, near):
    o = cells(out)
    p = torch.sigmoid(o[:, :2]).clamp(1e-4, 1 - 1e-4)
    hit = (heat == 1).float()
    pos = -((1 - p) ** 2 * p.log() * hit * weight).sum()
    neg = -((1 - heat) ** 4 * p ** 2 * (1 - p).log() * (1 - hit) * weight).sum()
    n = hit.sum().clamp(min=1)
    l1 = (F.smooth_l1_loss(o[:, 2:], frame, reduction="none", beta=0.1).sum(1) * near).sum() / near.sum().clamp(min=1)
    return [(pos + neg) / n, l1]


@torch.no_grad()
def score(net, batches):
    """Recall and precision of index corners on held-out decks, heavily degraded, at the heats
    0.3 and 0.5, and the frame's median error in pixels (apex, sides)."""
    net.eval()
    tally, errs = {0.3: np.zeros(3), 0.5: np.zeros(3)}, []
    for x, heat, weight, frame, near in batches:
        o = cells(net(x))
        p, true = torch.sigmoid(o[:, :1]), (heat[:, :1] == 1).float()
        peak = p == F.max_pool2d(p, 5, 1, 2)
        close = F.max_pool2d(true, 3, 1, 1)
        for bound, t in tally.items():
            said = (peak & (p > bound)).float()
            t += (F.max_pool2d(said, 3, 1, 1) * true).sum().item(), true.sum().item(), (said * weight[:, :1]).sum().item()
        m = (peak & (p > 0.3) & (close > 0))[:, 0] & (near > 0)
        errs.append((o[:, 2:] - frame).abs().permute(0, 2, 3, 1)[m] * 32)
    out = {}
    for bound, (found, truth, said) in tally.items():
        out[f"held_out_decks_recall_{bound}"] = round(found / max(1, truth), 4)
        out[f"held_out_decks_precision_{bound}"] = round(found / max(1, said), 4)
    e = torch.cat(errs)
    return {**out, "apex_px": round(e[:, :2].median().item(), 2), "sides_px": round(e[:, 2:].median().item(), 2)}
