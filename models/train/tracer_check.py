"""Physical checks of tracer.py and unrolled.py: what must be so in any world.

  /usr/bin/python3 models/train/tracer_check.py
"""
import torch

import tracer
import unrolled
from chip_worlds import LAMPS, Dice, Scenes


def white(s):
    """A scene in which everything is white, without lamps, under a room of light 1."""
    for name in ("body", "spot", "third", "paper", "ink"):
        s.kinds[name] = torch.ones_like(s.kinds[name])
    for name in ("worn", "grime", "shine"):
        s.kinds[name] = torch.zeros_like(s.kinds[name])
    s.kinds["tint"], s.base, s.albedo = torch.ones_like(s.kinds["tint"]), torch.ones_like(s.base), torch.ones_like(s.albedo)
    s.prints["on"], s.grain, s.joint = torch.zeros_like(s.prints["on"]), 0 * s.grain, 0 * s.joint
    s.rail, s.power, s.room = torch.ones_like(s.rail), 0 * s.power, torch.ones_like(s.room)
    return s


def furnace():
    """White things in a white room are nowhere brighter than the room, and no darker than one bounce leaves them."""
    s = white(Scenes(Dice("cpu", 5), 4, 0.8))
    seen, bare, *_ = unrolled.rendered(s)
    assert 0.9 < bare.mean() <= 1 and seen.max() < 1.15, (bare.mean(), seen.max())
    assert 0.6 < seen.mean() <= 1.01, seen.mean()


def lamp():
    """A lamp lights the felt at the origin by 1, falls off as the inverse square and the cosines, and not behind a stack."""
    s = Scenes(Dice("cpu", 6), 2, 0.8)
    zero = torch.zeros(2, LAMPS)
    s.lamp, s.lamp_u, s.lamp_v = [zero + 1000, zero, zero + 1000], [zero] * 3, [zero] * 3
    s.lamp_n = [zero - 0.5 ** 0.5, zero, zero - 0.5 ** 0.5]
    s.power = torch.zeros_like(s.power)
    s.power[:, 0] = 2e6 * 2 ** 0.5
    s.mean, s.tall = torch.zeros_like(s.mean), torch.zeros_like(s.tall)
    at = [torch.tensor([[0.0, -1000.0]]).expand(2, -1), torch.zeros(2, 2), torch.zeros(2, 2) + 0.01]
    up, none = [torch.zeros(2, 2), torch.zeros(2, 2), torch.ones(2, 2)], torch.full((2, 2), -1)
    light = tracer.lit(s, s.d, at, up, none, None)[0][0]
    far = torch.tensor([1000.0, 0.0, 1000.0]), torch.tensor([2000.0, 0.0, 1000.0])
    cos = lambda v: v[2] / v.norm() * (v * torch.tensor([0.5 ** 0.5, 0, 0.5 ** 0.5])).sum() / v.norm() / (v @ v)
    assert torch.allclose(light[:, 0], torch.ones(2), atol=0.01), light
    assert abs(float(light[0, 1] / light[0, 0]) - float(cos(far[1]) / cos(far[0]))) < 0.01, light
    s.mean[:, 0, 0], s.tall[:, 0] = 30, 66  # between the origin and the lamp
    assert float(tracer.lit(s, s.d, at, up, none, None)[0][0][:, 0].max()) == 0


def foot():
    """A flank of a face that is found where it is has its last row of chip where its count says."""
    s = Scenes(Dice("cpu", 7), 6, 1.5)
    fx, fy = s.project(s.face[:, 0, 0], s.face[:, 0, 1], s.tall[:, 0])
    x, y = unrolled.places(s, fx, fy, s.tall[:, 0] / s.count[:, 0], s.diameter)
    row = unrolled.STEP * (unrolled.ABOVE + s.count[:, 0])
    for i in range(6):
        d = tracer.rays(s, x[i:i + 1].flatten(1).expand(6, -1), y[i:i + 1].flatten(1).expand(6, -1))
        feet = s.face[i, 0]
        k = -s.eye[2][i] / d[2][i]
        at = torch.stack([s.eye[0][i] + k * d[0][i], s.eye[1][i] + k * d[1][i]], 1).view(unrolled.HIGH, unrolled.COLS, 2)
        off = ((at - feet) ** 2).sum(2).sqrt() - s.diameter[i] / 2
        assert off[row[i] - 1].abs().max() < 4 and off[row[i]].abs().max() < 4, off[row[i]]


if __name__ == "__main__":
    torch.manual_seed(1)
    for check in (furnace, lamp, foot):
        with torch.no_grad():
            check()
        print(check.__name__, "holds")
