"""Cards and corners cut out of scenes by frames that are off, turned scenes, other light: whole batches, on the
device that trains. The frame is off as one supposed from a corner is: right at the corner, wrong in size and turn
farther away."""
import math

import torch
import torch.nn.functional as F

import fit
import patches
import scenes


def sampled(pics, which, xy):
    """Pixels at xy (B, h, w, 2) of the pictures (N, H, W, 3 bytes) that which names: B, 3, h, w, 0 to 1."""
    n, h, w, _ = pics.shape
    flat, base = pics.reshape(n * h * w, 3), (which * (h * w))[:, None, None]
    xy = xy.nan_to_num(0, 0, 0)
    x, y = xy[..., 0].clamp(0, w - 1), xy[..., 1].clamp(0, h - 1)
    x0, y0 = x.floor().long().clamp(max=w - 2), y.floor().long().clamp(max=h - 2)
    fx, fy = (x - x0)[..., None], (y - y0)[..., None]
    at = lambda i, j: flat[base + (y0 + j) * w + x0 + i].float()
    out = (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy
    return out.permute(0, 3, 1, 2) / 255


def inverse(m):
    """Of 2 x 2 matrices; of singular ones something finite."""
    (a, b), (c, d) = m.unbind(1)[0].unbind(1), m.unbind(1)[1].unbind(1)
    det = a * d - b * c
    det = torch.where(det.abs() < 1e-6, torch.full_like(det, 1e-6), det)
    return torch.stack([torch.stack([d, -b], 1), torch.stack([-c, a], 1)], 1) / det[:, None, None]


def projected(quad, u):
    """Points u (h, w, 2; in sides) of quadrilaterals (B, 4, 2) in perspective."""
    p0, p1, p2, p3 = quad.unbind(1)
    d1, d2, d3 = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    cross = lambda a, b: a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    den = cross(d1, d2)
    den = torch.where(den.abs() < 1e-6, torch.full_like(den, 1e-6), den)
    g, h = cross(d3, d2) / den, cross(d1, d3) / den
    a, b = p1 - p0 + g[:, None] * p1, p3 - p0 + h[:, None] * p3
    x, y = u[None, ..., :1], u[None, ..., 1:]
    row = lambda v: v[:, None, None]
    return (row(a) * x + row(b) * y + row(p0)) / (row(g)[..., None] * x + row(h)[..., None] * y + 1).clamp(min=0.2)


def supposed(quad, k):
    """The cards' frames as a reader supposes them that sees corner k."""
    dev, n = quad.device, len(quad)
    rand = lambda *s: torch.rand(n, *s, device=dev)
    normal = lambda *s: torch.randn(n, *s, device=dev)
    s, l = (quad[:, 1] - quad[:, 0] + quad[:, 2] - quad[:, 3]) / 2, (quad[:, 3] - quad[:, 0] + quad[:, 2] - quad[:, 1]) / 2
    unit = torch.tensor([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=torch.float32, device=dev)
    apex = quad[torch.arange(n, device=dev), k]
    flat = (unit[None] - unit[k][:, None]) @ torch.stack([s, l], 1)
    q = torch.where(rand()[:, None, None] < 0.7, flat, quad - apex[:, None])
    short = s.norm(dim=1).clamp(min=1)
    rough = torch.tensor([0.5, 1.0, 1.6], device=dev)[torch.randint(3, (n,), device=dev)]
    size = (normal() * 0.09 * rough)[:, None] + normal(2) * torch.tensor([0.07, 0.04], device=dev) * rough[:, None]
    t = (normal() * 0.06 * rough)[:, None] + normal(2) * 0.03 * rough[:, None]
    along = torch.stack([s, torch.stack([-s[:, 1], s[:, 0]], 1)], 1) / short[:, None, None]
    c, d = t.cos(), t.sin()
    turned = torch.stack([torch.stack([c[:, 0], d[:, 0]], 1), torch.stack([-d[:, 1], c[:, 1]], 1)], 1) * size.exp()[:, :, None]
    q = q @ along.transpose(1, 2) @ turned @ along  # along is a rotation: its inverse is its transpose
    e = (rand(4, 2) - 0.5) * 0.04 * short[:, None, None]
    return apex[:, None] + q + normal(1, 2) * (0.025 * rough * short)[:, None, None] + e


def grid(x0, y0, w, h, device):
    """Pixels of the rectified patch, in sides of the card."""
    y, x = torch.meshgrid(torch.arange(y0, y0 + h, device=device), torch.arange(x0, x0 + w, device=device), indexing="ij")
    return torch.stack([x / patches.RECT_W, y / patches.RECT_H], -1).float()


def indices(pics, which, quad, k):
    """Corner k of the cards cut out by their frames, as patches.corner_crop gives it."""
    quad = torch.where((k >= 2)[:, None, None], quad.roll(2, 1), quad)
    left = grid(0, 0, patches.IDX_W, patches.IDX_H, pics.device)
    right = grid(patches.RECT_W - patches.IDX_W, 0, patches.IDX_W, patches.IDX_H, pics.device)
    xy = torch.where((k % 2 == 0)[:, None, None, None], projected(quad, left), projected(quad, right))
    return sampled(pics, which, xy)


def faces(pics, which, quad):
    """The cards' faces, either way up, as patches.face_input gives them."""
    flip = torch.rand(len(quad), device=quad.device) < 0.5
    quad = torch.where(flip[:, None, None], quad.roll(2, 1), quad)
    return F.avg_pool2d(sampled(pics, which, projected(quad, grid(0, 0, patches.RECT_W, patches.RECT_H, pics.device))), 2)


def sides(quad, k):
    """Apex, short and long side of corner k of each card."""
    i = torch.arange(len(quad), device=quad.device)
    apex = quad[i, k]
    a, b = quad[i, (k + 1) % 4] - apex, quad[i, (k + 3) % 4] - apex
    even = (k % 2 == 0)[:, None]
    return apex, torch.where(even, a, b), torch.where(even, b, a)


def shaken(apex, s, l):
    """The frames as the corners network may tell them."""
    n, dev = len(apex), apex.device
    normal = lambda *z: torch.randn(n, *z, device=dev)
    k = 0.15 + 1.15 * torch.rand(n, device=dev)

    def turn(v, t):
        c, d = t.cos(), t.sin()
        return torch.stack([v[:, 0] * c - v[:, 1] * d, v[:, 0] * d + v[:, 1] * c], 1)
    t, size = normal() * 0.09 * k, normal() * 0.16 * k
    far = torch.where(torch.rand(n, device=dev) < 0.25, 0.12, 0.055)
    off = (normal(2) * (far * k)[:, None]).clamp(-0.22, 0.22)
    apex = apex + off[:, :1] * s + off[:, 1:] * l / scenes.LONG
    s = turn(s, t + normal() * 0.06 * k) * (size + normal() * 0.09 * k).exp()[:, None]
    l = turn(l, t + normal() * 0.04 * k) * (size * 0.7 + normal() * 0.06 * k).exp()[:, None]
    return apex, s, l


def moves(frame, true):
    """What takes the frames to the true ones, in their own sides (the long one over LONG)."""
    apex, s, l = frame
    base = inverse(torch.stack([s, l / scenes.LONG], 1))
    by = lambda v: (v[:, None] @ base)[:, 0]
    a, u, v = by(true[0] - apex), by(true[1]), by(true[2] / scenes.LONG)
    return fit.GAIN * torch.stack([a[:, 0], a[:, 1], u[:, 0] - 1, u[:, 1], v[:, 0], v[:, 1] - 1], 1).clamp(-9, 9)


def fields(pics, which, frame):
    """The corners with their surroundings; mirrored where the short side lies to the left."""
    apex, s, l = frame
    y, x = torch.meshgrid(*[torch.arange(fit.SIDE, device=pics.device) / fit.SIDE] * 2, indexing="ij")
    x, y = fit.LEFT + (fit.RIGHT - fit.LEFT) * x, fit.UPPER + (fit.LOWER - fit.UPPER) * y
    row = lambda v: v[:, None, None]
    return sampled(pics, which, row(apex) + x[None, ..., None] * row(s) + y[None, ..., None] * row(l))


def turned(pics, which, quad):
    """Whole scenes turned, larger, smaller and askew, half of them by quarter turns alone; the cards' corners there."""
    n, dev, half = len(which), pics.device, scenes.SIZE / 2
    quarter = torch.rand(n, device=dev) < 0.5
    t = torch.where(quarter, torch.randint(4, (n,), device=dev) * (math.pi / 2), torch.rand(n, device=dev) * 2 * math.pi)
    size = torch.where(quarter[:, None], torch.ones(n, 2, device=dev), (torch.randn(n, 1, device=dev) * 0.2 + torch.randn(n, 2, device=dev) * 0.05).exp())
    c, d = t.cos(), t.sin()
    a = torch.stack([torch.stack([c, -d], 1), torch.stack([d, c], 1)], 1) * size[:, None]  # scene to picture
    y, x = torch.meshgrid(*[torch.arange(scenes.SIZE, device=dev) + 0.5 - half] * 2, indexing="ij")
    back = inverse(a)
    xy = (torch.stack([x, y], -1).reshape(1, -1, 2) @ back.transpose(1, 2)).reshape(n, scenes.SIZE, scenes.SIZE, 2) + half - 0.5
    to = ((quad.reshape(n, -1, 2) + 0.5 - half) @ a.transpose(1, 2)).reshape(quad.shape) + half - 0.5
    return sampled(pics, which, xy), to


def soft(x):
    """Blurred by about a pixel."""
    return F.avg_pool2d(F.avg_pool2d(x, 3, 1, 1, count_include_pad=False), 3, 1, 1, count_include_pad=False)


def relit(x, blurred=0.25):
    """Pictures in another light, through another lens: gain, cast, noise, and of a share a blur."""
    n, dev = len(x), x.device
    u = lambda lo, hi, *s: lo + (hi - lo) * torch.rand(n, *s, device=dev)
    if blurred:
        one = soft(x)
        two = soft(soft(one))
        t = u(0, 2, 1, 1, 1) * (torch.rand(n, 1, 1, 1, device=dev) < blurred)
        x = torch.where(t < 1, x + (one - x) * t, one + (two - one) * (t - 1))
    x = x * u(0.75, 1.25, 1, 1, 1) * u(0.94, 1.06, 3, 1, 1) + u(-0.04, 0.05, 1, 1, 1)
    return (x + torch.randn_like(x) * u(0, 0.02, 1, 1, 1)).clamp(0, 1)


def nudged(x):
    """Patches moved, turned and scaled a little."""
    n, dev = len(x), x.device
    r = lambda k: torch.randn(n, device=dev) * k
    t = r(0.03)
    m = torch.stack([torch.stack([t.cos() * (1 + r(0.04)), -t.sin(), r(0.03)], 1), torch.stack([t.sin(), t.cos() * (1 + r(0.04)), r(0.025)], 1)], 1)
    return F.grid_sample(x, F.affine_grid(m, list(x.shape), align_corners=False), padding_mode="border", align_corners=False)


def targets(quad, corner, seen_least, ignored):
    """Maps of scenes for the loss: heat (2), weight (2), and frame (6) with its weight.

    Cells of scenes.STRIDE pixels. Frame: apex from the cell's middle, short and long vector, in units of 32
    pixels. corner: kind and visible share; seen_least: by kind the least share of a corner to learn, ignored: of
    one that is not asked about."""
    b, n, dev = len(quad), scenes.SIZE // scenes.STRIDE, quad.device
    q = quad.reshape(-1, 4, 2)
    k = torch.arange(4, device=dev).repeat(len(q), 1)
    apex, s, l = (v.reshape(b, -1, 2) for v in sides(q.repeat_interleave(4, 0), k.reshape(-1)))
    kind, seen = corner[..., 0].reshape(b, -1), corner[..., 1].reshape(b, -1)
    m = (apex + scenes.MARK[0] * s + scenes.MARK[1] * l) / scenes.STRIDE
    at = m.floor()
    inside = ((at >= 0) & (at < n)).all(-1) & (kind >= 0)
    size = torch.maximum(s.norm(dim=-1), l.norm(dim=-1) / scenes.LONG)
    least, low = (torch.where(kind == scenes.PLAIN, v[1], v[0]) for v in (seen_least, ignored))
    good = inside & (seen >= least) & (size >= 26)
    open_ = inside & ~good & (seen >= low)
    keep = int((good | open_).sum(1).max().clamp(min=1))
    pick = torch.where(good, seen + 2, torch.where(open_, seen, torch.full_like(seen, -9))).topk(keep, 1).indices
    take = lambda v: v.gather(1, pick if v.dim() == 2 else pick[..., None].expand(-1, -1, v.shape[-1]))
    apex, s, l, m, at, kind, seen, good, open_ = (take(v) for v in (apex, s, l, m, at, kind, seen, good, open_))
    yy, xx = torch.meshgrid(*[torch.arange(n, device=dev, dtype=torch.float32)] * 2, indexing="ij")
    dx, dy = xx - at[..., :1, None], yy - at[..., 1:, None]
    window = (dx.abs() <= 2) & (dy.abs() <= 2)  # b, keep, n, n
    g = torch.exp(-((xx + 0.5 - m[..., :1, None]) ** 2 + (yy + 0.5 - m[..., 1:, None]) ** 2) / (2 * 0.9 ** 2)) * window
    g = torch.where((dx == 0) & (dy == 0), torch.ones_like(g), g)
    heat, weight = [], []
    for which in (scenes.INDEX, scenes.PLAIN):
        heat.append((g * (good & (kind == which))[..., None, None]).amax(1))
    masked = (window & open_[..., None, None]).any(1) & ~(window & good[..., None, None]).any(1)
    weight = (~masked).float()[:, None].expand(-1, 2, -1, -1)
    near3 = (dx.abs() <= 1) & (dy.abs() <= 1) & good[..., None, None]
    near = near3.any(1)
    owner = (near3 * (seen + 1)[..., None, None]).argmax(1)  # b, n, n
    cell = (torch.stack([xx, yy], 0) + 0.5) * scenes.STRIDE
    of = lambda v: v.transpose(1, 2).gather(2, owner.reshape(b, 1, -1).expand(-1, 2, -1)).reshape(b, 2, n, n)
    frame = torch.cat([of(apex) - cell, of(s), of(l)], 1) / 32 * near[:, None]
    return torch.stack(heat, 1), weight, frame, near.float()
