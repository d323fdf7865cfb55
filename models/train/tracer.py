"""A small path tracer of stacks of chips, batched in torch: worlds without end, of which none is seen twice.

Scenes are those of chip_worlds.py; colours are light (linear sRGB). Light comes from the lamps (Lambert, and a lobe of
Trowbridge and Reitz: Walter et al., Microfacet Models for Refraction, EGSR 2007), and by one diffuse bounce from room,
felt and stacks (Kajiya, The Rendering Equation, SIGGRAPH 1986). Chips are upright cylinders, each off the one below;
their rounded edges are in the normals only. What shades is taken for one upright cylinder a stack. All is done for
whole batches: a loop runs over chips and lamps, never over scenes.
"""
import math

import torch

from chip_worlds import BESIDE, LAMPS, PRINTS, dot, unit

SPP = 2  # samples of a pixel along and across
LIT, BOUNCES = 2, 3  # samples of a lamp, and of the light of the surroundings, by sample of a pixel


def hashed(x, y, z):
    """Noise of places, 0 to 1, from whole numbers (the fraction of a sine)."""
    s = torch.sin(x * 12.9898 + y * 78.233 + z * 37.719) * 43758.5453
    return s - s.floor()


def cloud(x, y, z):
    """Smooth noise of places, 0 to 1 (value noise in two dimensions, in sheets)."""
    x0, y0 = x.floor(), y.floor()
    fx, fy = x - x0, y - y0
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    a, c = hashed(x0, y0, z), hashed(x0 + 1, y0, z)
    e, g = hashed(x0, y0 + 1, z), hashed(x0 + 1, y0 + 1, z)
    return (a * (1 - fx) + c * fx) * (1 - fy) + (e * (1 - fx) + g * fx) * fy


def felt_colour(s, x, y):
    """Of places on the felt, three of b x n."""
    out = [s.base[:, c, None] + 0 * x for c in range(3)]
    p = s.prints
    for i in range(PRINTS):
        of = lambda k, i=i: p[k][:, i, None]
        dx, dy, r, w = x - of("x"), y - of("y"), of("r"), of("wide")
        far = (dx * dx + dy * dy).sqrt()
        box = torch.max(dx.abs() - r, dy.abs() - of("s"))
        what = of("what")
        edge = torch.where(what <= 1, far - r, torch.where(what == 2, box, torch.where(what == 3, (far - 4 * r).abs() - w, (dx * 0.3 + dy).abs() - w)))
        line = (edge.abs() < w / 2) | (of("full") & (edge < 0))
        word = (box < 0) & (hashed((dx / (w * 0.9)).floor(), (dy / (w * 0.9)).floor(), r) < 0.5) & ((dy / (w * 4.5)) % 1 < 0.8)
        ink = torch.where(what == 4, word, line) & of("on")
        out = [torch.where(ink, p["ink"][:, i, c, None], o) for c, o in enumerate(out)]
    for paint in s.laid:
        out = paint(s, x, y, out)
    beyond = x * s.end[0][:, None] + y * s.end[1][:, None] > s.end[2][:, None]
    out = [torch.where(beyond, s.rail[:, c, None], o) for c, o in enumerate(out)]
    rough = 1 + s.grain[:, None] * 2 * (hashed((x * 1.5).floor(), (y * 1.5).floor(), s.grain[:, None]) - 0.5) * 1.7
    return [o * rough for o in out]


def meets(ox, oy, oz, tall, r, there, stack, i, dx, dy, dz, a, best, hit, face, met):
    """primary(), of one chip of each scene more: the eye lies (ox, oy, oz) from its foot."""
    b = ox * dx + oy * dy
    disc = b * b - a * (ox * ox + oy * oy - r * r)
    side = (-b - disc.clamp(min=0).sqrt()) / a
    z = oz + side * dz
    on_side = (disc > 0) & (z > 0) & (z < tall)
    up = (tall - oz) / dz
    x, y = ox + up * dx, oy + up * dy
    on_face = x * x + y * y < r * r
    t = torch.where(on_face, up, torch.where(on_side, side, 1e9))
    t = torch.where(there & (t > 0), t, 1e9)
    met = met | torch.where(t < 1e8, 1 << stack, 0)
    near = t < best
    return torch.where(near, t, best), torch.where(near, i, hit), torch.where(near, on_face, face), met


def primary(s, d):
    """The nearest hits of rays from the eye, each of d b x n: distance, chip (-1: felt), whether its face; and which rays
    meet each of the stacks beside, nearest or not."""
    e = [c[:, None] for c in s.eye]
    best = torch.where(d[2] < -1e-4, -e[2] / d[2].clamp(max=-1e-4), torch.full_like(d[2], 1e9))
    hit = torch.full_like(best, -1, dtype=torch.int64)
    face = torch.zeros_like(best, dtype=torch.bool)
    met = torch.zeros_like(hit)
    a = d[0] * d[0] + d[1] * d[1] + 1e-9
    r = s.diameter[:, None] / 2
    for i in range(s.chip["x"].shape[1]):
        of = lambda k, i=i: s.chip[k][:, i, None]
        best, hit, face, met = meets(e[0] - of("x"), e[1] - of("y"), e[2] - of("z"), of("t"), r, of("there"), of("stack"), torch.full_like(r, i).long(),
                                     d[0], d[1], d[2], a, best, hit, face, met)
    return best, hit, face, met


def blocked(mx, my, tall, r, px, py, pz, dx, dy, dz, far, own):
    """Of rays from p towards d, no farther than far: whether a stack but their own stands in their way; the nearest one's number and
    distance. mx, my, tall (b x stacks), r (b x 1) are the cylinders."""
    a = dx * dx + dy * dy + 1e-6
    best, which = far, torch.full_like(own, -1)
    for j in range(1 + BESIDE):
        ox, oy, high = px - mx[:, j, None], py - my[:, j, None], tall[:, j, None]
        b = ox * dx + oy * dy
        disc = b * b - a * (ox * ox + oy * oy - r * r)
        root = disc.clamp(min=0).sqrt()
        t0, t1 = ((-b - root) / a).clamp(min=0.05), (-b + root) / a
        z0, z1 = pz + t0 * dz, pz + t1 * dz
        hit = (disc > 0) & (t1 > t0) & (torch.minimum(z0, z1) < high) & (torch.maximum(z0, z1) > 0) & (own != j) & (t0 < best)
        best, which = torch.where(hit, t0, best), torch.where(hit, j, which)
    return which, best


def standing(s, p, d, far, own):
    """blocked() by the stacks of scenes."""
    return blocked(s.mean[..., 0], s.mean[..., 1], s.tall, s.diameter[:, None] / 2, *p, *d, far, own)


def lit(s, rng, p, n, own, ledge, view=None, rough=None, samples=None):
    """Light of the lamps on places p with normals n: diffuse, and of those with a view what they mirror, each of three b x n."""
    out, shine = [0 * p[0] for _ in range(3)], [0 * p[0] for _ in range(3)]
    samples = samples or LIT
    cell = torch.arange(p[0].shape[1], device=p[0].device)[None] % SPP ** 2  # each sample of a pixel has a part of the lamp
    for i in range(LAMPS):
        for k in range(samples):
            u, v = (cell + rng.u(0, 1, *p[0].shape)) * (2 / SPP ** 2) - 1, (k + rng.u(0, 1, *p[0].shape)) * (2 / samples) - 1
            at = [m[:, i, None] + a[:, i, None] * u + b[:, i, None] * v for m, a, b in zip(s.lamp, s.lamp_u, s.lamp_v)]
            way = [a - c for a, c in zip(at, p)]
            far = dot(way, way).sqrt()
            way = [w / far for w in way]
            cos = dot(way, n).clamp(min=0)
            off = -dot(way, [c[:, i, None] for c in s.lamp_n])
            free = standing(s, p, way, far, own)[0] < 0
            if ledge is not None:  # the chip above stands out
                over, below = ledge
                free = free & ~((over > 0) & (over * way[2] > below * cos.clamp(min=1e-3)))
            e = cos * off.clamp(min=0) / (far * far) * free / samples
            out = [o + e * s.power[:, i, c, None] for c, o in enumerate(out)]
            if view is not None:
                h = unit([w + x for w, x in zip(way, view)])
                a2 = (rough * rough) ** 2
                nh = dot(n, h).clamp(min=0)
                lobe = a2 / (math.pi * ((nh * nh * (a2 - 1) + 1) ** 2) + 1e-6) / 4
                shine = [o + e * lobe.clamp(max=40) * s.power[:, i, c, None] for c, o in enumerate(shine)]
    return out, shine


def bounced(s, rng, p, n, own, samples=None):
    """Light on places by room, felt and stacks."""
    out = [0 * p[0] for _ in range(3)]
    samples = samples or BOUNCES
    cell = torch.arange(p[0].shape[1], device=p[0].device)[None] % SPP ** 2
    for k in range(samples):
        z, turn = 1 - (cell + rng.u(0, 1, *p[0].shape)) * (2 / SPP ** 2), (k + rng.u(0, 1, *p[0].shape)) * (2 * math.pi / samples)
        flat = (1 - z * z).clamp(min=0).sqrt()
        d = unit([n[0] + flat * turn.cos(), n[1] + flat * turn.sin(), n[2] + z])
        down = torch.where(d[2] < -1e-3, -p[2] / d[2].clamp(max=-1e-3), torch.full_like(d[2], 1e9))
        which, far = standing(s, p, d, down.clamp(max=1e8), own)
        hit = which >= 0
        q = [c + far * w * 0.999 for c, w in zip(p, d)]
        on_felt = ~hit & (d[2] < -1e-3)
        # What is met: the felt, or a side.
        stack = which.clamp(min=0)
        mean = [s.mean[..., c].gather(1, stack.view(len(stack), -1)).view_as(p[0]) for c in (0, 1)]
        r = s.diameter[:, None] / 2
        m = [torch.where(hit, (q[0] - mean[0]) / r, 0 * p[0]), torch.where(hit, (q[1] - mean[1]) / r, 0 * p[0]), torch.where(hit, 0 * p[0], 0 * p[0] + 1)]
        q = [torch.where(on_felt | hit, a, b) for a, b in zip(q, p)]
        q[2] = q[2].clamp(min=0.01)
        e, _ = lit(s, rng, q, m, torch.where(hit, which, torch.full_like(which, -1)), None, samples=1)
        for c in range(3):
            colour = torch.where(hit, s.albedo[..., c].gather(1, stack.view(len(stack), -1)).view_as(p[0]), s.base[:, c, None])
            share = torch.where(hit, 0.5 * s.room[:, c, None], 0.7 * s.room[:, c, None])
            seen = torch.where(on_felt | hit, colour * (e[c] + share), s.room[:, c, None] * (0.6 + 0.4 * d[2]).clamp(min=0))
            out[c] = out[c] + seen / samples
    return out


def chip_colour(s, k, u, v, side, seed):
    """Of places on chips: k the kind, u turns round the axis, v the radius in radii, or the height on the side."""
    of = lambda name: s.kinds[name].gather(1, k)
    pick = lambda name, c: s.kinds[name][..., c].gather(1, k)
    n = of("spots")
    f = (u * n) % 1
    i = (u * n).floor()
    wide, style = of("wide"), of("style")
    within = f < wide
    inner = f / wide
    second = torch.where(style == 1, inner > 0.5, torch.where(style == 2, i % 2 > 0, (style == 3) & (inner > 0.3) & (inner < 0.7)))
    second = second & (style > 0)
    band, inset, inlay = of("band"), of("inset"), of("inlay")
    open = torch.where(side, (v > band) & (v < 1 - band), v > inset)
    within = within & open & ~of("plain")
    within = within & ~(of("dashed") & side & ((v > 0.38) & (v < 0.62)))  # a line round its middle
    paper = ~side & (v < inlay)
    ring = paper & ((v > inlay * 0.9) & (v < inlay * 0.96))
    core = paper & (v < inlay * of("core"))
    dx, dy = v * torch.cos(u * 2 * math.pi), v * torch.sin(u * 2 * math.pi)
    q = of("letter")
    word = paper & (v < inlay * 0.7) & (hashed((dx * q).floor(), (dy * q * 0.6).floor(), q) < 0.45) & (dy.abs() < 0.5 * inlay)
    a = cloud(torch.where(side, u * 24, dx * 7), torch.where(side, v * 1.0, dy * 7), seed)
    fine = hashed((torch.where(side, u * 300, dx * 60)).floor(), (torch.where(side, v * 8, dy * 60)).floor(), seed)
    worn = of("worn")
    dirty = torch.where(side & ((v < 0.13) | (v > 0.87)), 1 - of("grime"), torch.ones_like(v))
    out = []
    for c in range(3):
        col = torch.where(within, torch.where(second, pick("third", c), pick("spot", c)), pick("body", c))
        col = torch.where(side, col * pick("tint", c), col)
        col = torch.where(paper, pick("paper", c), col)
        col = torch.where(core, pick("body", c), col)
        out.append(torch.where(ring | word, pick("ink", c), col))
    grey = (out[0] + out[1] + out[2]) / 3
    rub = 0.25 * worn * a
    dark = 1 - worn * 0.22 * a * (0.5 + fine)
    return [((o + rub * (grey - o)) * dark * dirty * (0.97 + 0.06 * fine)).clamp(0, 1) for o in out]


def shaded(s, rng, d, best, hit, face):
    """Light towards the eye from what rays met, three of b x n."""
    e = [c[:, None] for c in s.eye]
    p = [c + best * w for c, w in zip(e, d)]
    chip = hit >= 0
    i = hit.clamp(min=0)
    of = lambda name: s.chip[name].gather(1, i)
    dx, dy = p[0] - of("x"), p[1] - of("y")
    r, t = s.diameter[:, None] / 2, of("t")
    flat = (dx * dx + dy * dy).sqrt().clamp(min=1e-3)
    v = torch.where(face, flat / r, ((p[2] - of("z")) / t).clamp(0, 1))
    side = chip & ~face
    # Rounded edges: a normal that turns outwards, or up and down.
    bevel = 0.55  # mm
    up = torch.where(side, ((v * t - (t - bevel)) / bevel).clamp(0, 1) - ((bevel - v * t) / bevel).clamp(0, 1), torch.ones_like(v))
    out = torch.where(side, 1.2 - up.abs(), ((flat - (r - bevel)) / bevel).clamp(0, 1) * 0.8)
    out = torch.where(chip, out, torch.zeros_like(out))
    n = unit([out * dx / flat, out * dy / flat, torch.where(chip, up * torch.where(side, 0.9, 1.0), torch.ones_like(up))])
    own = torch.where(chip, of("stack"), torch.full_like(i, -1))
    q = [a + 0.02 * b for a, b in zip(p, n)]
    q[2] = q[2].clamp(min=0.01)
    over = ((of("ax") - of("x")) * dx + (of("ay") - of("y")) * dy) / flat  # by which the chip above stands out here
    below = (1 - v) * t
    over = torch.where(side & ~of("last"), over, torch.zeros_like(over))
    back = unit([-w for w in d])
    k = of("kind")
    rough = torch.where(chip, s.kinds["rough"].gather(1, k), torch.full_like(v, 0.95))
    e_lamp, shine = lit(s, rng, q, n, own, (over, below), back, rough)
    e_room = bounced(s, rng, q, n, own)
    u = (torch.atan2(dy, dx) / (2 * math.pi) + of("turn")) % 1
    seed = (of("turn") * 97).floor() + 1
    paint, cloth = chip_colour(s, k, u, v, side, seed), felt_colour(s, p[0], p[1])
    # A joint is dark: of its half space a part is closed by the chip beyond it.
    joint = torch.where(side, torch.where((v < 0.5) | ~of("last"), 1 - s.joint[:, None] * up.abs() ** 2, torch.ones_like(v)), torch.ones_like(v))
    shade = torch.where(over > 0, (0.4 + 0.6 * below / (over + below + 1e-3)), torch.ones_like(over))
    cos = dot(n, back).clamp(0, 1)
    mirror = s.kinds["shine"].gather(1, k) + (1 - cos) ** 5 * (1 - rough) * 0.4
    mirror = torch.where(chip, mirror, 0 * mirror)
    return [torch.where(chip, paint[c], cloth[c]) * (e_lamp[c] + e_room[c] * shade) * joint + mirror * (shine[c] * math.pi + s.room[:, c, None] * 0.5 * joint) for c in range(3)]


def rays(s, x, y):
    """Directions through pixels b x n."""
    f = s.focal[:, None]
    return unit([a[:, None] + x / f * r[:, None] + y / f * w[:, None] for a, r, w in zip(s.ahead, s.right, s.down)])
