"""What tracer.py renders: a printed felt (z = 0), a stack at the origin and stacks about it, under square lamps and the
light of a room, before a pinhole camera. Lengths are millimetres, x to the right, y away from the camera, z upwards;
colours are linear sRGB. A scene is drawn at random; many are made at once.
"""
import math

import torch

MOST, KINDS, BESIDE, LAMPS, PRINTS = 20, 8, 5, 3, 12
BODIES = ((226, 222, 210), (176, 28, 36), (34, 66, 150), (22, 104, 62), (28, 27, 30), (92, 44, 122), (222, 110, 30), (228, 190, 50),
          (222, 120, 150), (128, 130, 134), (104, 160, 206), (104, 66, 42), (124, 186, 140), (104, 22, 44))
FELTS = ((18, 92, 58), (14, 74, 50), (20, 62, 110), (110, 22, 34), (34, 34, 40), (70, 40, 92), (10, 92, 98), (150, 120, 80))
INKS = ((232, 226, 206), (214, 176, 60), (190, 40, 40), (240, 240, 240), (30, 30, 30))


def linear(c):
    """sRGB, 0 to 1, as light (IEC 61966-2-1)."""
    return torch.where(c <= 0.04045, c / 12.92, ((c.clamp(min=0.04045) + 0.055) / 1.055) ** 2.4)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(v):
    r = (dot(v, v) + 1e-12).rsqrt()
    return [c * r for c in v]


class Dice:
    """Random numbers on a device."""

    def __init__(self, device, seed):
        self.device, self.g = device, torch.Generator(device=device).manual_seed(seed)

    def u(self, low, high, *shape):
        return torch.rand(*shape, generator=self.g, device=self.device) * (high - low) + low

    def n(self, of, *shape):
        return torch.randn(*shape, generator=self.g, device=self.device) * of

    def chance(self, p, *shape):
        return torch.rand(*shape, generator=self.g, device=self.device) < p

    def int(self, low, high, *shape):
        return torch.randint(low, high, shape, generator=self.g, device=self.device)

    def pick(self, values, *shape):
        v = torch.tensor(values, device=self.device, dtype=torch.float32)
        return v[self.int(0, len(values), *shape)]


def varied(d, c, by):
    """sRGB colours, each made a little lighter or darker, more or less saturated, its hue turned a little."""
    grey = c.mean(-1, keepdim=True)
    c = grey + (c - grey) * d.u(1 - by, 1 + by, *c.shape[:-1], 1)
    return (c * d.u(1 - by, 1 + by / 2, *c.shape[:-1], 1) + d.n(0.012, *c.shape)).clamp(0.01, 0.99)


def palettes(d, b):
    """Kinds of chips by scene: what they look like, as a dictionary of b x KINDS (x 3) tensors."""
    bodies = torch.tensor(BODIES, device=d.device) / 255
    order = torch.rand(b, len(BODIES), generator=d.g, device=d.device).argsort(1)[:, :KINDS]
    any = lambda: d.u(0.04, 0.95, b, KINDS, 3)
    body = torch.where(d.chance(0.12, b, KINDS, 1), any(), varied(d, bodies[order], 0.14))

    def other(than):
        """A colour that differs plainly from a body."""
        c = varied(d, bodies[d.int(0, len(BODIES), b, KINDS)], 0.1)
        for _ in range(4):
            near = (c - than).abs().sum(2, keepdim=True) < 0.51
            c = torch.where(near, varied(d, bodies[d.int(0, len(BODIES), b, KINDS)], 0.1), c)
        return c

    pale = varied(d, bodies[0].expand(b, KINDS, 3), 0.06)
    dark = varied(d, bodies[2].expand(b, KINDS, 3), 0.06)
    light = body.mean(2, keepdim=True) > 0.72
    spot = torch.where(d.chance(0.45, b, KINDS, 1), torch.where(light, dark, pale), other(body))
    third = other(body)
    style = torch.where(d.chance(0.5, b, KINDS), d.int(1, 4, b, KINDS), torch.zeros(b, KINDS, dtype=torch.int64, device=d.device))
    paper = torch.where(d.chance(0.6, b, KINDS, 1), varied(d, torch.tensor((0.95, 0.93, 0.86), device=d.device).expand(b, KINDS, 3), 0.06),
                        torch.where(d.chance(0.5, b, KINDS, 1), spot, any() * 0.4))
    count = d.int(2, KINDS + 1, b, 1)
    ceramic = d.chance(0.25, b, KINDS)
    scene = lambda low, high: d.u(low, high, b, 1)
    return {
        "body": linear(body), "spot": linear(spot), "third": linear(third), "style": style, "paper": linear(paper),
        "ink": linear(torch.where(paper.mean(2, keepdim=True) > 0.5, body * 0.7, 1 - 0.2 * body)),
        "spots": d.pick((2, 3, 4, 4, 6, 6, 8, 8, 12), b, KINDS), "wide": d.u(0.25, 0.58, b, KINDS),
        "plain": d.chance(0.06, b, KINDS), "dashed": d.chance(0.12, b, KINDS),
        "inset": d.u(0.66, 0.86, b, KINDS), "inlay": d.u(0.42, 0.66, b, KINDS), "core": d.u(0.0, 0.7, b, KINDS),
        "letter": d.u(3, 9, b, KINDS), "rough": (scene(0.25, 0.8) + d.n(0.08, b, KINDS)).clamp(0.15, 0.9), "shine": scene(0.015, 0.05).expand(b, KINDS),
        "worn": scene(0, 1.0) * d.u(0.3, 1.2, b, KINDS), "grime": torch.where(d.chance(0.6, b, 1), d.u(0, 0.5, b, KINDS), torch.zeros(b, KINDS, device=d.device)),
        "band": torch.where(ceramic, d.u(0.05, 0.25, b, KINDS), torch.zeros(b, KINDS, device=d.device)),
        "count": count, "there": torch.arange(KINDS, device=d.device)[None] < count,
        "tint": torch.exp(d.n(0.07, b, KINDS, 3))}  # of the side beside the face


def contents(d, b, count, most=MOST):
    """Kinds of b x most chips from the foot up: mostly of one kind."""
    n = d.pick((5, 10, most + 1, most + 1), b)
    n = (1 + (n - 1) * d.u(0, 1, b)).floor().clamp(1, most)
    turn = torch.where(d.chance(0.55, b), torch.zeros(b, device=d.device), d.pick((1, 1, 2, 3, 20), b) / n)
    new = d.u(0, 1, b, most) < turn[:, None]
    fresh = (d.u(0, 1, b, most) * count).floor().long()
    kind = fresh.clone()
    for i in range(1, most):
        kind[:, i] = torch.where(new[:, i], fresh[:, i], kind[:, i - 1])
    return n.long(), kind


class Scenes:
    """b scenes at about so many pixels a millimetre, stacks of up to `most` chips, seen from `elevation` degrees."""

    def __init__(self, d, b, scale, most=MOST, elevation=(20, 71)):
        self.d, self.b, self.most, self.elevation = d, b, most, elevation
        self.kinds = palettes(d, b)
        self.camera(scale)
        self.lamps()
        self.stand()
        self.felt()

    def camera(self, scale):
        """Eye, axes of the picture, focal length in pixels."""
        d, b = self.d, self.b
        high, turn = torch.deg2rad(d.u(*self.elevation, b)), d.u(-1, 1, b) * 0.5
        far = torch.exp(d.u(math.log(450), math.log(2300), b))
        aim = [d.u(-260, 260, b) * far / 1200, d.u(-200, 200, b) * far / 1200, torch.zeros(b, device=d.device)]
        self.eye = [aim[0] - far * high.cos() * turn.sin(), aim[1] - far * high.cos() * turn.cos(), far * high.sin()]
        ahead = unit([a - e for a, e in zip(aim, self.eye)])
        zero = torch.zeros_like(far)
        right = unit([ahead[1], -ahead[0], zero])
        roll = d.n(0.03, b)
        down = [ahead[1] * right[2] - ahead[2] * right[1], ahead[2] * right[0] - ahead[0] * right[2], ahead[0] * right[1] - ahead[1] * right[0]]
        self.right = [r * roll.cos() + w * roll.sin() for r, w in zip(right, down)]
        self.down = [w * roll.cos() - r * roll.sin() for r, w in zip(right, down)]
        self.ahead = ahead
        self.focal = scale * (dot(self.eye, self.eye)).sqrt() * torch.exp(d.n(0.05, b))

    def project(self, x, y, z):
        """Pixels of points b x ..., from the picture's principal point."""
        wide = lambda v: v.view(-1, *[1] * (x.dim() - 1))
        p = [c - wide(e) for c, e in zip((x, y, z), self.eye)]
        along = lambda axis: sum(c * wide(a) for c, a in zip(p, axis))
        k = wide(self.focal) / along(self.ahead)
        return along(self.right) * k, along(self.down) * k

    def lamps(self):
        """Middles, two half edges and light of lamps; the light of the room."""
        d, b = self.d, self.b
        n = d.pick((1, 2, 2, 3), b)
        high = d.u(900, 2300, b, LAMPS)
        at = [d.u(-1000, 1000, b, LAMPS), d.u(-1000, 1000, b, LAMPS), high]
        half = torch.where(d.chance(0.2, b, LAMPS), d.u(10, 100, b, LAMPS), d.u(100, 550, b, LAMPS))
        toward = unit([-c for c in at])
        u = unit([toward[1], -toward[0] + 1e-3, torch.zeros_like(high)])
        v = [toward[1] * u[2] - toward[2] * u[1], toward[2] * u[0] - toward[0] * u[2], toward[0] * u[1] - toward[1] * u[0]]
        self.lamp, self.lamp_u, self.lamp_v, self.lamp_n = at, [c * half for c in u], [c * half for c in v], toward
        warm = d.u(0, 1, b, LAMPS)
        colour = torch.stack([torch.ones_like(warm), 0.97 - 0.17 * warm, 0.95 - 0.4 * warm], 2)
        on = (torch.arange(LAMPS, device=d.device)[None] < n[:, None]).float()
        far = dot(at, at)
        power = on * d.u(0.5, 1.5, b, LAMPS) * far / (high / far.sqrt())
        power = power / ((power * high / far / far.sqrt()).sum(1, keepdim=True))
        self.power = power[..., None] * colour  # on the felt at the origin they make 1 together
        self.room = d.u(0.05, 0.5, b, 1) * torch.stack([d.u(0.8, 1, b), d.u(0.85, 1, b), d.u(0.85, 1.05, b)], 1)
        self.gain = torch.exp(d.u(math.log(0.8), math.log(4), b)) / (1 + self.room.mean(1))

    def stand(self):
        """Chips of the stack at the origin and of those about it."""
        d, b, most = self.d, self.b, self.most
        each = [contents(d, b, self.kinds["count"], most) for _ in range(1 + BESIDE)]
        self.count = torch.stack([n for n, _ in each], 1)  # b x stacks
        self.count[:, 1:] *= (torch.arange(BESIDE, device=d.device)[None] < d.pick((0, 1, 2, 3, 4, 5, 5), b)[:, None])
        kind = torch.stack([k for _, k in each], 1)
        self.diameter, self.thick = d.u(37, 45, b), d.u(2.9, 3.7, b)
        at = torch.zeros(b, 1 + BESIDE, 2, device=d.device)
        near = d.chance(0.6, b, BESIDE)
        gap = torch.where(near, d.u(0.6, 6, b, BESIDE), d.u(5, 90, b, BESIDE))
        angle = d.u(0, 2 * math.pi, b, BESIDE)
        front = d.chance(0.35, b, BESIDE)  # before it
        angle = torch.where(front, -math.pi / 2 + d.n(0.5, b, BESIDE), angle)
        for i in range(BESIDE):
            reach = self.diameter + gap[:, i]
            at[:, 1 + i] = torch.stack([angle[:, i].cos() * reach, angle[:, i].sin() * reach], 1)
            clash = ((at[:, 1 + i, None] - at[:, 1:1 + i]) ** 2).sum(2).sqrt() < self.diameter[:, None] + 0.6
            self.count[:, 1 + i] *= ~(clash & (self.count[:, 1:1 + i] > 0)).any(1)
        lean = d.n(1, b, 1 + BESIDE, 2) * d.pick((0, 0, 0.12, 0.25), b, 1 + BESIDE)[..., None]
        drift, place = torch.zeros(b, 1 + BESIDE, 2, device=d.device), []
        sloppy = d.pick((0.5, 1, 1, 1.6), b, 1)
        for i in range(most):
            drift = 0.8 * drift + d.n(1, b, 1 + BESIDE, 2) * (d.pick((0.15, 0.4, 0.7), b, 1 + BESIDE) * sloppy)[..., None] * (i > 0)
            place.append(at + drift + i * lean)
        place = torch.stack(place, 2)  # b x stacks x most x 2
        step = self.thick[:, None, None] * d.u(1, 1.008, b, 1 + BESIDE, most)
        low = step.cumsum(2) - step
        slot = torch.arange(most, device=d.device)
        there = slot < self.count[..., None]
        self.middle, self.tall = at, (step * there).sum(2)
        top = place.gather(2, (self.count - 1).clamp(min=0)[..., None, None].expand(-1, -1, 1, 2))[:, :, 0]
        self.mean, self.face = (at + top) / 2, top
        above = torch.cat([place[:, :, 1:], place[:, :, -1:]], 2)
        above = torch.where((slot + 1 < self.count[..., None])[..., None], above, place)
        flat = lambda v: v.flatten(1, 2)
        order = (~flat(there)).to(torch.uint8).sort(dim=1, stable=True)[1][:, :int(there.sum((1, 2)).max())]
        of = lambda v: flat(v).gather(1, order)
        stack = torch.arange(1 + BESIDE, device=d.device)[None, :, None].expand(b, -1, most)
        self.chip = {"x": of(place[..., 0]), "y": of(place[..., 1]), "z": of(low), "t": of(step), "kind": of(kind), "there": of(there), "stack": of(stack),
                     "turn": d.u(0, 1, *order.shape), "ax": of(above[..., 0]), "ay": of(above[..., 1]),
                     "last": of(slot[None, None] + 1 >= self.count[..., None])}
        self.chips = kind[:, 0]
        part = torch.zeros(b, 1 + BESIDE, 3, device=d.device)
        for i in range(most):  # of the sides, for the bounce
            part += there[:, :, i, None] * self.kinds["body"].gather(1, kind[:, :, i, None].expand(-1, -1, 3))
        self.albedo = part / there.sum(2).clamp(min=1)[..., None]

    def felt(self):
        """Colours of the felt and what is printed on it."""
        d, b = self.d, self.b
        table = torch.tensor(FELTS, device=d.device) / 255
        base = varied(d, table[d.int(0, len(FELTS), b)], 0.18)
        self.base = linear(torch.where(d.chance(0.15, b, 1), d.u(0.05, 0.6, b, 3), base))
        inks = torch.tensor(INKS, device=d.device) / 255
        self.prints = {"ink": linear(varied(d, inks[d.int(0, len(INKS), b, PRINTS)], 0.08)), "what": d.int(0, 5, b, PRINTS),
                       "x": d.u(-130, 130, b, PRINTS), "y": d.u(-130, 130, b, PRINTS), "r": d.u(15, 90, b, PRINTS), "s": d.u(8, 80, b, PRINTS),
                       "wide": d.u(1.5, 7, b, PRINTS), "full": d.chance(0.3, b, PRINTS),
                       "on": torch.arange(PRINTS, device=d.device)[None] < d.pick((0, 1, 2, 3, 5, 8, 12), b)[:, None]}
        self.laid = []  # what else lies on the felt: functions of scenes, places and the colours there
        self.grain = d.u(0.02, 0.08, b)
        turn = d.u(0, 2 * math.pi, b)  # where the felt ends
        self.end = [turn.cos(), turn.sin(), torch.where(d.chance(0.15, b), d.u(60, 300, b), torch.full_like(turn, 1e6))]
        self.rail = linear(torch.where(d.chance(0.5, b, 1), d.u(0.1, 0.6, b, 1).expand(b, 3), varied(d, torch.tensor((0.3, 0.18, 0.1), device=d.device).expand(b, 3), 0.5)))
        self.joint = d.u(0.1, 0.8, b)  # how dark the joints between chips are
