"""Writes a network of the size of a YOLO-nano detector, with random weights, to
compare times with (go test ./recognize/card -bench Nano): what its answers would
cost, not what they would be.

  /usr/bin/python3 models/train/nano.py /tmp/nano.onnx

About 3.2 million weights and 4.4 thousand million multiplications at 640 × 640,
as published for YOLOv8n (docs.ultralytics.com: 3.2 M, 8.7 GFLOP).
"""
import sys

import torch
import torch.nn as nn


def conv(i, o, k=3, s=1):
    return nn.Sequential(nn.Conv2d(i, o, k, s, k // 2, bias=False), nn.BatchNorm2d(o), nn.SiLU(inplace=True))


class Block(nn.Module):
    """Two paths, one of n bottlenecks; all joined again (C2f)."""

    def __init__(self, i, o, n):
        super().__init__()
        self.h = o // 2
        self.enter, self.leave = conv(i, o, 1), conv((2 + n) * self.h, o, 1)
        self.inner = nn.ModuleList(nn.Sequential(conv(self.h, self.h), conv(self.h, self.h)) for _ in range(n))

    def forward(self, x):
        parts = list(self.enter(x).split(self.h, 1))
        for m in self.inner:
            parts.append(parts[-1] + m(parts[-1]))
        return self.leave(torch.cat(parts, 1))


class Nano(nn.Module):
    def __init__(self, classes=80):
        super().__init__()
        self.p2 = nn.Sequential(conv(3, 16, 3, 2), conv(16, 32, 3, 2), Block(32, 32, 1))
        self.p3 = nn.Sequential(conv(32, 64, 3, 2), Block(64, 64, 2))
        self.p4 = nn.Sequential(conv(64, 128, 3, 2), Block(128, 128, 2))
        self.p5 = nn.Sequential(conv(128, 256, 3, 2), Block(256, 256, 1), conv(256, 256, 1))
        self.up4, self.up3 = Block(384, 128, 1), Block(192, 64, 1)
        self.down4, self.low4 = conv(64, 64, 3, 2), Block(192, 128, 1)
        self.down5, self.low5 = conv(128, 128, 3, 2), Block(384, 256, 1)
        self.heads = nn.ModuleList(nn.ModuleList([nn.Sequential(conv(c, 64), conv(64, 64), nn.Conv2d(64, 64, 1)),
                                                  nn.Sequential(conv(c, 80), conv(80, 80), nn.Conv2d(80, classes, 1))]) for c in (64, 128, 256))
        self.twice = nn.Upsample(scale_factor=2)

    def forward(self, x):
        a = self.p3(self.p2(x))
        b = self.p4(a)
        c = self.p5(b)
        b = self.up4(torch.cat([self.twice(c), b], 1))
        a = self.up3(torch.cat([self.twice(b), a], 1))
        b = self.low4(torch.cat([self.down4(a), b], 1))
        c = self.low5(torch.cat([self.down5(b), c], 1))
        return torch.cat([torch.cat([h[0](f), h[1](f)], 1).flatten(2) for h, f in zip(self.heads, (a, b, c))], 2)


if __name__ == "__main__":
    net = Nano().eval()
    for m in net.modules():
        if isinstance(m, nn.BatchNorm2d):
            nn.init.normal_(m.bias)  # equal ones would be exported once, and OpenCV 4.6 cannot read that
    print(sum(p.numel() for p in net.parameters()), "weights")
    torch.onnx.export(net, torch.zeros(1, 3, 640, 640), sys.argv[1], opset_version=11)
