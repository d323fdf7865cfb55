"""The network that moves a supposed card's frame to where its corner shows it, fit.onnx. joint.py trains it.

A corner cut out by a frame that is somewhat off (3 x SIDE x SIDE, BGR, 0 to 1) -> how far
the frame is off: in units of its own sides, the apex and both vectors. Corners come from
scenes.py, their errors are those of the corners network (cutting.shaken).
"""
import torch.nn as nn

from learn import conv

SIDE = 64
LEFT, RIGHT = -0.25, 0.65    # what is cut out, in short sides from the apex
UPPER, LOWER = -0.18, 0.46   # and in long ones
GAIN = 5.0                   # outputs are this much larger than the moves
SAID = ["apex_short", "apex_long", "short_short", "short_long", "long_short", "long_long"]


class Fit(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 32), conv(32, 48, 2), conv(48, 48), conv(48, 64, 2), conv(64, 64),
            conv(64, 64, 2), nn.Flatten(), nn.Linear(64 * 4 * 4, 96), nn.ReLU(inplace=True), nn.Linear(96, len(SAID)))

    def forward(self, x):
        return self.body(x)


def loss(out, y):
    return nn.functional.smooth_l1_loss(out, y, beta=0.1)
