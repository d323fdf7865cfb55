"""The networks that say what a card is. joint.py trains them.

face.onnx   whole rectified card -> 52 cards, joker, back, none
index.onnx  corner of the rectified card -> rank (13, joker, none), suit (4, none)
"""
import os

import torch.nn as nn

import patches
from learn import Residual, conv

HERE = os.path.dirname(os.path.abspath(__file__))
HELD_OUT = ("bellot", "anglo_poker")  # artwork kept back for validation


class Face(nn.Module):
    """3 x 112 x 80 -> logits of the whole-card classes."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 24), conv(24, 40, 2), conv(40, 40),
            conv(40, 64, 2), conv(64, 64), Residual(64), conv(64, 64, 2), nn.Flatten(),
            nn.Dropout(0.15), nn.Linear(64 * 7 * 5, 128), nn.ReLU(inplace=True),
            nn.Linear(128, len(patches.FACE_CLASSES)))

    def forward(self, x):
        return self.body(x)


class Index(nn.Module):
    """3 x 80 x 56 -> logits of rank and suit, side by side."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 12), conv(12, 24, 2), conv(24, 32), conv(32, 48, 2),
            conv(48, 48), conv(48, 64, 2), Residual(64), conv(64, 64, 2), nn.Flatten(),
            nn.Dropout(0.1), nn.Linear(64 * 5 * 4, 96), nn.ReLU(inplace=True),
            nn.Linear(96, len(patches.IDX_RANKS) + len(patches.IDX_SUITS)))

    def forward(self, x):
        return self.body(x)
