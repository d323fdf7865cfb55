"""Physical checks of tracer.py, unrolled.py, geometry.py and worlds.py: what must be so in any world.

  /usr/bin/python3 models/train/tracer_check.py
"""
import numpy as np
import torch

import geometry
import sides
import tracer
import unrolled
import worlds
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


def camera():
    """A camera read from its row projects as its scene does; a displaced face comes back; columns run from left to right."""
    s = Scenes(Dice("cpu", 8), 5, 1.2)
    corner = torch.arange(10.0).view(5, 2)
    c = geometry.Camera(geometry.Camera.row(s, corner))
    face = torch.cat([s.face[:, 0], s.tall[:, :1]], 1)
    x, y = s.project(*face.T)
    assert torch.allclose(c.project(face), torch.stack([x, y], 1) - corner, atol=1e-2)
    assert torch.allclose(c.shifted(c.shifted(face, torch.tensor([[2.0, -1, 0.5]]).expand(5, 3)), c.between(c.shifted(face, torch.tensor([[2.0, -1, 0.5]]).expand(5, 3)), face)),
                          face, atol=1e-3)
    near = c.shifted(face, torch.tensor([[0.0, 1.0, 0.0]]).expand(5, 3))
    assert ((near[:, :2] - c.eye[:, :2]).norm(dim=1) < (face[:, :2] - c.eye[:, :2]).norm(dim=1)).all()
    at = geometry.places(c, face, s.thick, s.diameter)
    assert (at[:, :, -8, 0] > at[:, :, 8, 0]).all()
    # the middle of the side half a chip under the rim is seen where the stack is
    p = at[:, geometry.STEP * geometry.ABOVE + 4, geometry.COLS // 2] + corner
    hit, on_top = (v[:, 0] for v in tracer.primary(s, tracer.rays(s, p[:, :1], p[:, 1:]))[1:3])
    own = (s.chip["stack"].gather(1, hit.clamp(min=0)[:, None])[:, 0] == 0) & (hit >= 0) & ~on_top
    assert own.float().mean() >= 0.6, own


def frames():
    """Trying each chip only where it may be seen finds what trying it everywhere finds."""
    for seed in range(4):
        s = worlds.World(Dice("cpu", seed), 0.9)
        left, top, w, h = worlds.frame(s)
        tracer.SPP = 1
        y, x = torch.meshgrid(torch.arange(h) + top, torch.arange(w) + left, indexing="ij")
        d = tracer.rays(s, x.reshape(1, -1).float(), y.reshape(1, -1).float())
        for a, b in zip(tracer.primary(s, d), worlds.primary(s, d, left, top, w, h)):
            assert (a != b).float().mean() < 1e-4, (seed, (a != b).float().mean())


def rows():
    """The sides that are learned from show what their labels say: the rows of a stack differ from those below its foot."""
    rng, right, total = np.random.default_rng(1), 0, 0
    for seed in range(12):
        s = {k: torch.from_numpy(v) for k, v in worlds.scene(Dice("cpu", seed), 1.5, 1.6).items()}
        h, w = s["size"].tolist()
        s["picture"], s["met"] = s["picture"].view(h, w, 3), s["met"].view(h, w)
        b = sides.sides_of(s, torch.tensor([0]), torch.zeros(1, 3), rng)
        met = geometry.sampled((s["met"] & 1).float()[None], geometry.places(geometry.Camera(s["camera"][None]), b["face"], b["thick"], b["diameter"])[0])[0][0].mean(1)
        n = geometry.STEP * (geometry.ABOVE + int(b["count"][0]))
        right += int(met[n - 4] > 0.7) + int(met[n + 6] < 0.6)
        total += 2
    assert right >= 0.85 * total, (right, total)


if __name__ == "__main__":
    torch.manual_seed(1)
    for check in (furnace, lamp, foot, camera, frames, rows):
        with torch.no_grad():
            check()
        print(check.__name__, "holds")
