"""What dice.py and pips.py share: options, the running mean of the
weights, a checkpoint to go on from, and the loop over batches."""
import argparse
import copy
import inspect
import os
import time

import cv2
import numpy as np
import torch
import torch.nn as nn

import manifest
import warm

HERE = os.path.dirname(os.path.abspath(__file__))


def options(minutes, rate):
    """The options' parser; a script may add its own."""
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=os.path.join(HERE, ".."))
    ap.add_argument("--data", default=os.path.join(HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--minutes", type=float, default=minutes)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--rate", type=float, default=rate)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--warm", help="folder of exported networks to go on from where there is no checkpoint")
    ap.add_argument("--half", action="store_true", help="layers in bfloat16: for processors that know it (AVX-512 BF16)")
    return ap


def start(a):
    """Before the network is made: threads and seed."""
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(a.seed)


def conv(i, o, stride=1, dilation=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Residual(nn.Module):
    """Two convolutions whose result is added to what they were given; at first they add nothing."""

    added = True  # to what warm.py takes up

    def __init__(self, c, dilation=1):
        super().__init__()
        self.enter = conv(c, c)
        self.leave = nn.Sequential(nn.Conv2d(c, c, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(c))
        nn.init.zeros_(self.leave[1].weight)

    def forward(self, x):
        return torch.relu(x + self.leave(self.enter(x)))


def stacked(rows):
    """Samples, each a picture of bytes and its maps, as one batch."""
    x, *maps = [torch.from_numpy(np.stack(c)) for c in zip(*rows)]
    return [x.float() / 255, *maps]


class Training:
    """A network that learns, in NAME.pt beside this file: there it goes on after a stop.
    mean is the running mean of its weights, which is what is exported."""

    def __init__(self, name, net, a, keep, layout=torch.channels_last):
        self.net, self.a, self.keep, self.layout = net.to(memory_format=layout), a, keep, layout
        self.opt = torch.optim.AdamW(net.parameters(), lr=a.rate, weight_decay=1e-2)
        self.samples, self.spent, self.score = 0, 0.0, {}
        self.path = os.path.join(HERE, "work", name + ".pt")
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        self.resumed = os.path.exists(self.path)
        ck = torch.load(self.path) if self.resumed else {}
        if self.resumed:
            net.load_state_dict(ck["net"]), self.opt.load_state_dict(ck["opt"])
            self.samples, self.spent, self.score = ck["samples"], ck["spent"], ck.get("score", {})
        self.restart(ck.get("mean"))

    def restart(self, state=None):
        """Begins the mean anew at the network as it is now, or at state."""
        self.mean, self.taken = copy.deepcopy(self.net).eval(), 0
        if state:
            self.mean.load_state_dict(state)
            self.taken = 1 << 20  # steps taken before: the mean moves as slowly as it did

    def take_up(self, entry, x, narrow=None):
        """Goes on from the network that the manifest of --warm calls so, which may be of
        half the width if narrow() makes such a one. x are pictures of its training."""
        said = manifest.read(self.a.warm)[entry]
        self.samples = said["metrics"]["samples"]
        warm.take_up(self.net, os.path.join(self.a.warm, said["file"]), x, narrow)
        self.restart()

    @torch.no_grad()
    def _average(self):
        self.taken += 1
        keep = min(self.keep, self.taken / (self.taken + 9))
        for mine, its in zip(self.mean.state_dict().values(), self.net.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.mul_(keep).add_(its, alpha=1 - keep)

    def save(self):
        torch.save({"net": self.net.state_dict(), "mean": self.mean.state_dict(), "opt": self.opt.state_dict(),
                    "samples": self.samples, "spent": self.spent, "score": self.score}, self.path + ".new")
        os.replace(self.path + ".new", self.path)

    def run(self, batch, losses, weights, validate, every, rise):
        """Learns until the minutes are spent. batch() gives a picture batch and its maps,
        losses(out, *maps) the losses that are added by weights, validate(net) the score,
        which is printed and kept with the checkpoint every so many steps. The rate rises
        over rise steps and then falls with the time."""
        t0, sums, steps = time.time() - self.spent, np.zeros(len(weights)), 0
        while (done := (time.time() - t0) / (60 * self.a.minutes)) < 1:
            for g in self.opt.param_groups:
                g["lr"] = self.a.rate * min(1, (steps + 1) / rise) * (0.5 * (1 + np.cos(np.pi * done)) + 0.01)
            x, *maps = batch()
            with torch.autocast("cpu", torch.bfloat16, enabled=self.a.half):
                out = self.net(x.contiguous(memory_format=self.layout))
            part = losses(out.float(), *maps)
            self.opt.zero_grad(set_to_none=True)
            sum(w * p for w, p in zip(weights, part)).backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 5)
            self.opt.step()
            self._average()
            self.samples, steps = self.samples + len(x), steps + 1
            self.spent = time.time() - t0
            sums += [float(p) for p in part]
            if steps % every == 0:
                self.score = validate(self.mean)
                print(f"{self.spent:.0f} s, {self.samples} samples, losses {np.round(sums / every, 3)}, held out {self.score}", flush=True)
                sums[:] = 0
                self.save()
        self.score = validate(self.mean)
        self.save()


def export(net, path, shape, given, gives, axes):
    """Writes a network as ONNX; axes are the dimensions of one picture (n, c, h, w) that may be others."""
    net.eval()
    old = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}  # the exporter by tracing
    torch.onnx.export(net, torch.zeros(1, *shape), path, opset_version=11, input_names=[given], output_names=[gives],
                      dynamic_axes={given: axes, gives: axes}, **old)
