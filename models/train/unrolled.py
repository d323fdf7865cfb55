"""Flanks of stacks that tracer.py renders, unrolled as the reader does (recognize/chip/flank.go), with what is known of them.

A flank is as in flanks.py, without its last two panels; faces lie a little beside their place, are now and then
taken for another kind, or are none; stacks nearer to the camera were mostly counted before and hide what is theirs.

  /usr/bin/python3 models/train/unrolled.py OUT --flanks 20000 [--seed 1] [--scenes 16]

writes OUT.bin and OUT.jsonl as models/train/flanks does: some forty a second and core, hundreds on a GPU.
"""
import argparse
import json
import math

import torch
import torch.nn.functional as F

import lens as camera
import tracer
from chip_worlds import BESIDE, KINDS, LAMPS, MOST, Dice, Scenes, dot
from tracer import SPP

HIGH, COLS, STEP, ABOVE = 108, 16, 4, 4
NONE = -9.0
SPREAD, OUTLIER = 17.0, -4.5  # recognize/chip/parameters.go
FACE, EDGE = (0.5, 0.98), (0.45, 0.98)  # light on a side, of the palette's
FADED = (0.0, 0.1)


def rendered(s):
    """The picture about each stack at the origin and the one of its bare felt, light, b x 3 x h x w; which of the stacks beside show
    or would; the pixel of each picture's corner; and how much of the uppermost face shows."""
    r, t, x, y = s.d, s.thick, [], []
    with torch.no_grad():
        for z in (-3.5, 0, 20.5, 24.5):
            for dx in (-0.6, 0.6):
                for dy in (-0.6, 0.6):
                    h = s.tall[:, 0] + t * 4.5 if z > 24 else (t * z if z < 20 else s.tall[:, 0])
                    px, py = s.project(dx * s.diameter, dy * s.diameter, h)
                    x, y = x + [px], y + [py]
        x, y = torch.stack(x), torch.stack(y)
        # Down to where the foot of the highest stack would be seen.
        fx, fy = s.project(s.face[:, 0, 0], s.face[:, 0, 1], s.tall[:, 0])
        gx, gy = foot_pixel(s, fx, fy, (MOST + 3) * t, s.diameter / 2)
        x, y = torch.cat([x, gx[None]]), torch.cat([y, gy[None]])
        left, top = x.min(0)[0].floor() - 2, y.min(0)[0].floor() - 2
        w, h = int((x.max(0)[0] - left).max()) + 3, int((y.max(0)[0] - top).max()) + 3
        w, h = -(-w // 16) * 16, -(-h // 16) * 16
        left, top = left - r.int(0, 8, s.b), top - r.int(0, 8, s.b)
        n = SPP * SPP
        ix = (torch.arange(w, device=r.device).view(1, 1, w, 1) + left.view(-1, 1, 1, 1)).expand(-1, h, -1, n)
        iy = (torch.arange(h, device=r.device).view(1, h, 1, 1) + top.view(-1, 1, 1, 1)).expand(-1, -1, w, n)
        sub = torch.arange(n, device=r.device)
        px = (ix + ((sub % SPP) + r.u(0, 1, s.b, h, w, n)) / SPP - 0.5).reshape(s.b, -1)
        py = (iy + ((sub // SPP) + r.u(0, 1, s.b, h, w, n)) / SPP - 0.5).reshape(s.b, -1)
        d = tracer.rays(s, px, py)
        best, hit, face, met = tracer.primary(s, d)
        mean = lambda c: torch.stack([v.view(s.b, h, w, n).mean(3) for v in c], 1)
        seen = mean(tracer.shaded(s, r, d, best, hit, face))
        e = [c[:, None] for c in s.eye]
        down = -e[2] / d[2].clamp(max=-1e-3)
        p = [c + down * v for c, v in zip(e, d)]
        cloth = tracer.felt_colour(s, p[0], p[1])
        light = bare_light(s, p)
        bare = mean([c * l for c, l in zip(cloth, light)])
        met = met.view(s.b, h, w, n)[..., 0]
        # How much of the uppermost face shows: one that is hidden is not found.
        k = (s.tall[:, :1] - e[2]) / d[2]
        within = (e[0] + k * d[0] - s.face[:, 0, :1]) ** 2 + (e[1] + k * d[1] - s.face[:, 0, 1:]) ** 2 < s.diameter[:, None] ** 2 / 4
        i = hit.clamp(min=0)
        own = (hit >= 0) & face & (s.chip["stack"].gather(1, i) == 0) & s.chip["last"].gather(1, i)
        open = (own & within).sum(1) / within.sum(1).clamp(min=1)
    return seen, bare, met, torch.stack([left, top], 1), open


def bare_light(s, p):
    """Light of lamps and room on the bare felt: nothing stands in its way."""
    out = [s.room[:, c, None] * 0.97 + 0 * p[0] for c in range(3)]
    for i in range(LAMPS):
        way = [m[:, i, None] - c for m, c in zip(s.lamp, p)]
        far = dot(way, way)
        off = -dot(way, [c[:, i, None] for c in s.lamp_n])
        e = way[2].clamp(min=0) * off.clamp(min=0) / (far * far)
        out = [o + e * s.power[:, i, c, None] for c, o in enumerate(out)]
    return out


def foot_of(s, px, py, depth):
    """Where a face at that height over the felt would stand whose middle is seen at a pixel."""
    d = tracer.rays(s, px[:, None], py[:, None])
    k = (depth - s.eye[2][:, None]) / d[2] if depth.dim() > 1 else ((depth - s.eye[2]) / d[2][:, 0])[:, None]
    return s.eye[0][:, None] + k * d[0], s.eye[1][:, None] + k * d[1]


def foot_pixel(s, px, py, depth, ahead):
    """The pixel of the nearest point of a foot."""
    x, y = foot_of(s, px, py, depth)
    x, y = x[:, 0], y[:, 0]
    gx, gy = s.eye[0] - x, s.eye[1] - y
    far = (gx * gx + gy * gy).sqrt()
    return s.project(x + gx / far * ahead, y + gy / far * ahead, 0 * x)


def places(s, px, py, thick, diameter):
    """Pixels of a flank's places, b x HIGH x COLS."""
    depth = ((torch.arange(HIGH, device=px.device) + 0.5) / STEP - ABOVE)[None] * thick[:, None]
    x, y = foot_of(s, px, py, depth)
    toward = torch.atan2(s.eye[1][:, None] - y, s.eye[0][:, None] - x)
    a = toward[..., None] - ((torch.arange(COLS, device=px.device) + 0.5) / COLS - 0.5) * 0.8 * math.pi
    r = diameter.view(-1, 1, 1) / 2
    x, y = x[..., None] + r * a.cos(), y[..., None] + r * a.sin()
    return s.project(x, y, torch.zeros_like(x))


def fit(c, m, low, high):
    """How likely colours (b x h x w x 3, 0 to 255) are some of m (b x k x 3) in a range of light (recognize/chip/tone.go)."""
    c = (c / 8).floor() * 8 + 4
    m = m[:, None, None]
    c = c[..., None, :]
    k = ((c * m).sum(-1) / (m * m).sum(-1).clamp(min=1)).clamp(low, high)
    off = ((c - k[..., None] * m) ** 2).sum(-1)
    return (-off / (2 * SPREAD * SPREAD)).clamp(min=OUTLIER)


def likeness(seen, palette, there):
    """How well what is seen fits each kind: log likelihoods."""
    all = None
    for share in FADED:
        for part, (low, high) in ((palette[..., :3], FACE), (palette[..., 3:], EDGE)):
            grey = (part * torch.tensor((0.299, 0.587, 0.114), device=part.device)).sum(-1, keepdim=True)
            f = fit(seen, (part + share * (grey - part)) * 255, low, high)
            all = f if all is None else torch.maximum(all, f)
    return torch.where(there[:, None, None], all, torch.full_like(all, OUTLIER))


def near_face(s, px, py):
    """Whether a pixel is that of a face of any stack, or nearly."""
    x, y = foot_of(s, px, py, s.tall)
    off = ((x - s.face[..., 0]) ** 2 + (y - s.face[..., 1]) ** 2).sqrt()
    return ((off < 0.62 * s.diameter[:, None]) & (s.count > 0)).any(1)


def calibrated(s, lens):
    """The palette as a technician takes it: upper faces in good light, sRGB, 0 to 1, b x KINDS x 6."""
    d, out = s.d, []
    near = torch.exp(d.n(0.06, s.b, 1, 1)) * torch.exp(d.n(0.04, s.b, KINDS, 1))
    e = (1 + s.room.view(s.b, 1, 3)) * near
    for name in ("body", "spot"):
        colour = torch.where(s.kinds["plain"][..., None], s.kinds["body"], s.kinds[name])
        worn = 1 - s.kinds["worn"][..., None] * 0.06
        mean = (colour * e * worn + 0.5 * s.kinds["shine"][..., None]) * s.gain.view(-1, 1, 1)
        out.append(lens.tone(mean.transpose(1, 2)).transpose(1, 2))
    colours = (torch.cat(out, 2) * torch.exp(d.n(0.02, s.b, 1, 6)) + d.n(0.006, s.b, KINDS, 6)).clamp(0, 1)
    return torch.where(s.kinds["there"][..., None], (colours * 255).round() / 255, torch.full_like(colours, NONE))


def flanks(d, b, scale, looks=2):
    """Up to looks x b flanks, bytes (n x HIGH x 3 x COLS x 3, blue first), counts, chips from the top, palettes, kinds of the faces;
    and the pictures."""
    s = Scenes(d, b, scale)
    seen, bare, met, corner, open = rendered(s)
    lens = camera.Lens(d, b)
    gain = s.gain.view(-1, 1, 1, 1)
    pictures, empty = lens.developed(seen * gain), lens.developed(bare * gain * torch.exp(d.n(0.015, b, 1, 1, 1)))
    palette = calibrated(s, lens)
    _, fy = s.project(s.face[..., 0], s.face[..., 1], s.tall)  # b x stacks
    before = (fy[:, 1:] > fy[:, :1]) & (s.count[:, 1:] > 0) & d.chance(0.85, b, BESIDE)
    bits = (before.long() << torch.arange(1, 1 + BESIDE, device=d.device)).sum(1)
    taken = ((met & bits.view(-1, 1, 1)) > 0).float()[:, None]
    maps = torch.cat([pictures, empty, taken], 1)
    h, w = maps.shape[2:]
    common = empty.flatten(2).median(2)[0].view(b, 1, 1, 3)
    out = []
    for _ in range(looks):
        none, wide = d.chance(0.12, b), d.chance(0.15, b)
        spread = torch.where(wide, d.u(1.5, 3, b), d.u(0.4, 1.3, b))
        dx, dy, dz = (d.n(1, b) * spread for _ in range(3))
        far = d.u(0.65, 2.2, b) * s.diameter
        turn = torch.where(d.chance(0.5, b), d.u(0, 2 * math.pi, b), -math.pi / 2 + d.n(0.4, b))  # mostly in its side
        x, y = s.face[:, 0, 0] + far * turn.cos(), s.face[:, 0, 1] + far * turn.sin()
        none = none & ~near_face(s, *s.project(x, y, s.tall[:, 0]))
        dx, dy = torch.where(none, far * turn.cos(), dx), torch.where(none, far * turn.sin(), dy)
        px, py = s.project(s.face[:, 0, 0] + dx, s.face[:, 0, 1] + dy, s.tall[:, 0] + 0.2 * dz)
        thick, diameter = s.thick * torch.exp(d.n(0.007, b)), s.diameter * torch.exp(d.n(0.005, b))
        gx, gy = places(s, px, py, thick, diameter)
        gx, gy = gx - corner[:, :1, None], gy - corner[:, 1:, None]
        inside = (gx > -0.5) & (gx < w - 0.5) & (gy > -0.5) & (gy < h - 0.5)
        grid = torch.stack([(gx + 0.5) / w * 2 - 1, (gy + 0.5) / h * 2 - 1], 3)
        at = F.grid_sample(maps, grid, mode="bilinear", padding_mode="border", align_corners=False).permute(0, 2, 3, 1)
        top = s.chips.gather(1, (s.count[:, :1] - 1).clamp(min=0))[:, 0]
        other = (d.u(0, 1, b) * s.kinds["count"][:, 0]).floor().long()
        kind = torch.where(d.chance(0.035, b) | none, other, top)
        shown = d.chance(0.55, b).view(-1, 1, 1)
        colour, felt = at[..., :3], torch.where(shown[..., None], at[..., 3:6], common.expand_as(at[..., 3:6]))
        fits = likeness(colour, palette.clamp(min=0), s.kinds["there"])
        kind = torch.where(none, fits[:, :STEP * ABOVE].mean((1, 2)).argmax(1), kind)
        own = fits.gather(3, kind.view(-1, 1, 1, 1).expand(-1, HIGH, COLS, 1))[..., 0]
        own, any = (255 * (1 - v / OUTLIER) for v in (own, fits.max(3)[0]))
        third = torch.where(at[..., 6] > 0.5, 0.0, torch.where(shown, 255.0, 128.0))
        parts = torch.stack([colour.flip(3), felt.flip(3), torch.stack([own, any, third], 3)], 2)  # n, row, panel, column, channel
        parts = torch.where(inside[:, :, None, :, None], parts, torch.zeros_like(parts))
        slot = torch.arange(MOST, device=d.device)[None]
        down = (s.count[:, :1] - 1 - slot)
        chips = torch.where((down >= 0) & ~none[:, None], s.chips.gather(1, down.clamp(min=0)), torch.full_like(down, -1))
        count = torch.where(none, torch.zeros_like(s.count[:, 0]), s.count[:, 0])
        found = none | (open > 0.25 + 0.5 * d.u(0, 1, b))
        out.append((parts.round().clamp(0, 255).to(torch.uint8)[found], count[found], chips[found], palette[found], kind[found]))
    return [torch.cat(v) for v in zip(*out)], pictures


def written(out, rows, name):
    """Appends flanks to OUT.bin and OUT.jsonl."""
    pix, lines = out
    code = lambda c: "#" + "".join(f"{round(255 * v):02x}" for v in c)
    for x, count, chips, palette, kind in zip(*(v.cpu().numpy() for v in rows)):
        n = int((palette[:, 0] >= 0).sum())
        face = (palette[kind].clip(0, 1) * 255).round().astype("uint8")
        panels = [x[:, p] for p in range(3)] + [face[None, None, part].repeat(HIGH, 0).repeat(COLS, 1) for part in (slice(2, None, -1), slice(5, 2, -1))]
        for row in zip(*panels):
            for part in row:
                pix.write(part.tobytes())
        lines.write(json.dumps({"set": name, "count": int(count), "chips": [int(c) for c in chips if c >= 0], "kind": int(kind), "known": False,
                                "settled": False, "off": 0, "colors": [[code(p[:3]), code(p[3:])] for p in palette[:n]]}) + "\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--flanks", type=int, default=20000)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--scenes", type=int, default=16, help="at once")
    a = ap.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    d, done = Dice(device, a.seed), 0
    with open(a.out + ".bin", "wb") as pix, open(a.out + ".jsonl", "w", encoding="utf-8") as lines, torch.no_grad():
        while done < a.flanks:
            scale = math.exp(float(d.u(math.log(0.55), math.log(1.9), 1)))
            rows, _ = flanks(d, a.scenes, scale, 3)
            written((pix, lines), rows, f"made-{a.seed}")
            done += len(rows[0])


if __name__ == "__main__":
    main()
