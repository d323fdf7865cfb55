"""Path-traced calibrated stills of tables with chips, as internal/lab/MEASURING.md describes such a set.

    python render.py OUT --seed 1 --worlds 8 --pictures 3 [--without-empty]

Needs Blender as a module (bpy), numpy and Pillow, in an environment of their own. Each world
has a folder of its own; what is there already is not rendered again. The palette's colours are
measured in a picture of one shown chip of each kind, as a technician takes them.
"""
import argparse
import json
import math
import os
import subprocess

import bpy
import mathutils
import numpy as np
from PIL import Image, ImageFilter

import world

SIZE = [720, 480]
FELT = 1400.0
ROUND = 64  # pieces of a chip's outline


def linear(img, name):
    """An image of Blender's from one of Pillow's."""
    a = np.asarray(img.transpose(Image.FLIP_TOP_BOTTOM)).astype(np.float32) / 255
    out = bpy.data.images.new(name, a.shape[1], a.shape[0])
    out.pixels.foreach_set(np.concatenate([a, np.ones(a.shape[:2] + (1,), np.float32)], 2).ravel())
    out.pack()
    return out


def paint(img, name, rough, shine):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    n = m.node_tree.nodes
    t = n.new("ShaderNodeTexImage")
    t.image = linear(img, name)
    b = n["Principled BSDF"]
    b.inputs["Roughness"].default_value = rough
    b.inputs["Specular IOR Level"].default_value = shine
    m.node_tree.links.new(t.outputs["Color"], b.inputs["Base Color"])
    return m


def lathe(kind):
    """A chip: a turned profile with rounded edges, faces of one material and the side of another."""
    r, t, edge = kind.diameter / 2000, kind.thick / 1000, 0.0005
    prof = [(0, 0), (r - edge, 0), (r - edge * 0.3, edge * 0.3), (r, edge), (r, t - edge), (r - edge * 0.3, t - edge * 0.3), (r - edge, t), (0, t)]
    verts, faces, uvs, mats = [], [], [], []
    for k in range(ROUND):
        a = 2 * math.pi * k / ROUND
        verts += [(p * math.cos(a), p * math.sin(a), z) for p, z in prof]
    for k in range(ROUND):
        for i in range(len(prof) - 1):
            corner = [(k, i), (k + 1, i), (k + 1, i + 1), (k, i + 1)]
            side = i in (3,)
            uv = []
            for c, j in corner:
                a, (p, z) = 2 * math.pi * c / ROUND, prof[j]
                if side:  # as the face's spots run, whose picture has its rows downwards
                    uv.append((1 - c / ROUND, z / t))
                else:
                    uv.append((0.5 + 0.5 * p / r * math.cos(a), 0.5 + 0.5 * p / r * math.sin(a)))
            faces.append([(c % ROUND) * len(prof) + j for c, j in corner])
            uvs += uv
            mats.append(1 if side else 0)
    mesh = bpy.data.meshes.new(kind.id)
    mesh.from_pydata(verts, [], faces)
    layer = mesh.uv_layers.new()
    for loop, uv in zip(layer.data, uvs):
        loop.uv = uv
    mesh.materials.append(paint(kind.face, kind.id + "-face", kind.rough, 0.35))
    mesh.materials.append(paint(kind.side, kind.id + "-side", min(1, kind.rough + 0.1), 0.3))
    for p, m in zip(mesh.polygons, mats):
        p.material_index, p.use_smooth = m, m == 1
    return mesh


def put(mesh, at, tall, turn, lean=(0, 0)):
    o = bpy.data.objects.new("chip", mesh)
    o.location = (at[0] / 1000, -at[1] / 1000, tall / 1000)
    o.rotation_euler = (lean[0], lean[1], turn)
    bpy.context.collection.objects.link(o)
    return o


def coded(frames, rate):
    """The last of some frames as H.264 of a constant rate factor leaves it."""
    h, w = frames[0].shape[:2]
    raw = b"".join(np.clip(f, 0, 255).astype(np.uint8).tobytes() for f in frames)
    form = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{w}x{h}"]
    quiet = ["ffmpeg", "-loglevel", "error", "-threads", "1"]
    video = subprocess.run([*quiet, *form, "-i", "-", "-c:v", "libx264", "-threads", "1", "-preset", "veryfast", "-bf", "0", "-crf", f"{rate:.1f}",
                            "-pix_fmt", "yuv420p", "-f", "h264", "-"], input=raw, stdout=subprocess.PIPE, check=True).stdout
    out = subprocess.run([*quiet, "-f", "h264", "-i", "-", *form[:4], "-"], input=video, stdout=subprocess.PIPE, check=True).stdout
    return np.frombuffer(out[-h * w * 3:], np.uint8).reshape(h, w, 3).astype(np.float32)


class Stage:
    """One world: camera, lamps and felt in Blender, and its kinds."""

    def __init__(self, rng, samples, crowded=False, rate=0):
        self.rng, self.crowded = rng, crowded
        self.cam, self.kinds = world.Camera(rng, SIZE, 860 if crowded else 680), (world.used if crowded else world.palette)(rng)
        self.room(samples)
        self.floor(world.felt(rng))
        self.meshes = [lathe(k) for k in self.kinds]
        self.soft, self.noise, self.quality = rng.uniform(0.2, 0.9), rng.uniform(0.5, 3), rng.randint(86, 96)
        self.rate = rng.choice((0, rng.uniform(21, 32))) if crowded and not rate else rate  # of H.264; 0: single pictures

    def room(self, samples):
        """An empty scene with its camera and lamps."""
        bpy.ops.wm.read_factory_settings(use_empty=True)
        rng, s = self.rng, bpy.context.scene
        s.render.engine, s.cycles.device = "CYCLES", "CPU"
        s.cycles.samples, s.cycles.use_denoising, s.cycles.max_bounces = samples, True, 3
        s.cycles.denoising_prefilter, s.cycles.denoising_quality = "FAST", "BALANCED"
        s.render.threads_mode, s.render.threads = "FIXED", int(os.environ.get("THREADS", "2"))
        s.render.resolution_x, s.render.resolution_y = self.cam.size
        s.render.use_persistent_data = True
        s.render.image_settings.file_format = "PNG"
        s.view_settings.view_transform = rng.choice(("Standard", "Standard", "AgX", "Filmic"))
        s.view_settings.exposure = rng.uniform(-0.2, 0.35) + (0.7 if s.view_settings.view_transform != "Standard" else 0)
        self.scene = s
        self.camera()
        self.lamps()

    def floor(self, print):
        """The felt, with a picture of what is printed on it."""
        mesh = bpy.data.meshes.new("felt")
        h = FELT / 2000
        mesh.from_pydata([(-h, -h, 0), (h, -h, 0), (h, h, 0), (-h, h, 0)], [], [(0, 1, 2, 3)])
        for loop, uv in zip(mesh.uv_layers.new().data, ((0, 0), (1, 0), (1, 1), (0, 1))):
            loop.uv = uv
        mesh.materials.append(paint(print, "felt", 0.95, 0.1))
        bpy.context.collection.objects.link(bpy.data.objects.new("felt", mesh))

    def camera(self):
        c = bpy.data.cameras.new("camera")
        c.sensor_fit, c.sensor_width, c.lens = "HORIZONTAL", 36, 36 * self.cam.focal / self.cam.size[0]
        o = bpy.data.objects.new("camera", c)
        eye = self.cam.eye / 1000
        o.location = (eye[0], -eye[1], -eye[2])
        o.rotation_euler = mathutils.Vector((-eye[0], eye[1], eye[2])).to_track_quat("-Z", "Y").to_euler()
        bpy.context.collection.objects.link(o)
        self.scene.camera = o

    def lamps(self):
        rng = self.rng
        w = bpy.data.worlds.new("room")
        w.use_nodes = True
        w.node_tree.nodes["Background"].inputs[0].default_value = (0.9, 0.95, 1, 1)
        w.node_tree.nodes["Background"].inputs[1].default_value = rng.uniform(0.1, 0.5)
        self.scene.world = w
        n = rng.choice((1, 2, 2, 3))
        for _ in range(n):
            l = bpy.data.lights.new("lamp", "AREA")
            high = rng.uniform(1.0, 2.2)
            l.shape, l.size = rng.choice(("DISK", "SQUARE")), rng.uniform(0.2, 1.0)
            l.energy = rng.uniform(16, 26) * high * high / n
            warm = rng.uniform(0, 1)
            l.color = (1, 0.97 - 0.17 * warm, 0.95 - 0.4 * warm)
            o = bpy.data.objects.new("lamp", l)
            o.location = (rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9), high)
            o.rotation_euler = (-mathutils.Vector(o.location)).to_track_quat("-Z", "Y").to_euler()
            bpy.context.collection.objects.link(o)

    def shoot(self, path):
        """Renders what stands there and makes a camera's picture of it."""
        self.scene.render.filepath = path + ".png"
        bpy.ops.render.render(write_still=True)
        img = Image.open(path + ".png").convert("RGB").filter(ImageFilter.GaussianBlur(self.soft))
        a = np.asarray(img).astype(np.float32)
        noise = np.random.default_rng(self.rng.getrandbits(32))
        if self.rate:
            a = coded([a + noise.normal(0, self.noise, a.shape) for _ in range(8)], self.rate)
        else:
            a += noise.normal(0, self.noise, a.shape)
        Image.fromarray(np.clip(a, 0, 255).astype(np.uint8)).save(path + ".part", "JPEG", quality=self.quality, subsampling=0)
        os.remove(path + ".png")
        os.replace(path + ".part", path)
        return a

    def measured(self, folder):
        """The palette's colours in a picture of one chip of each kind."""
        rng, cam, shown = self.rng, self.cam, []
        n = len(self.kinds)
        for k, mesh in enumerate(self.meshes):
            at = ((k - (n - 1) / 2) * 62, rng.uniform(-15, 15))
            shown.append((at, put(mesh, at, 0, 0)))
        a = self.shoot(os.path.join(folder, "shown.jpg"))
        out = []
        for kind, (at, o) in zip(self.kinds, shown):
            own = {"body": [], "spot": []}
            for r in np.linspace(kind.inlay + 0.04, 0.95, 12):
                for t in np.linspace(0, 2 * math.pi, 120, endpoint=False):
                    x, y = r * math.cos(t), r * math.sin(t)
                    texel = self.plain(kind, r, t)
                    if texel is None:
                        continue
                    u, v = cam.project(at[0] + x * kind.diameter / 2, at[1] + y * kind.diameter / 2, kind.thick)
                    own[texel].append(a[int(round(v)), int(round(u))])
            bpy.data.objects.remove(o)
            code = lambda c: "#" + "".join(f"{int(max(0, min(255, x))):02x}" for x in np.median(c, 0))
            out.append({"id": kind.id, "face": code(own["body"]), "edge": code(own["spot"] or own["body"])})
        return out

    def plain(self, kind, r, t):
        """Whether a place of the face is plainly body or first spot; None: neither."""
        turn = (t / (2 * math.pi)) % 1
        for a, b, c in kind.marks:
            if r > kind.inset - 0.05 and a - 0.01 < turn < b + 0.01:
                inner = a + 0.3 * (b - a) < turn < b - 0.3 * (b - a)
                return "spot" if r > kind.inset + 0.05 and inner and c == kind.spot else None
        return "body"

    def fill(self, list):
        """Stands chips on the felt; the objects, and what the truth says of each stack."""
        rng, out = self.rng, []
        for s in list:
            tall, drift, lean = 0.0, [0.0, 0.0], s.get("lean", (0, 0))
            for i, k in enumerate(s["kinds"]):
                jit = rng.choice((0.15, 0.4, 0.7)) if i else 0
                drift = [0.8 * d + rng.gauss(0, jit) for d in drift]
                at = [s["at"][j] + drift[j] + i * lean[j] for j in (0, 1)]
                out.append(put(self.meshes[k], at, tall, rng.uniform(0, 6.28)))
                tall += self.kinds[k].thick * rng.uniform(1.0, 1.008)
        return out


def zones(cam):
    """Rectangles of the felt that the picture shows as a whole, with what stands in them."""
    out, side, gap, edge = [], 150, 20, SIZE[0] / 120
    for i in range(-3, 4):
        for j in range(-3, 4):
            x, y = i * (side + gap), j * (side + gap)
            box = (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
            px = [cam.project(u, v, t) for u in box[::2] for v in box[1::2] for t in (0, 80)]
            if all(edge < p[0] < SIZE[0] - edge and edge < p[1] < SIZE[1] - edge for p in px):
                out.append(box)
    return out


def calibration(stage, boxes, colours):
    cam, kind = stage.cam, stage.kinds[0]
    nums = lambda v: "[" + ", ".join(repr(float(x)) for x in v) + "]"
    out = ["schema: calibration/1", "table: traced", "camera: traced", f"size: [{SIZE[0]}, {SIZE[1]}]", "lens:"]
    out += [f"  {n}: {float(v)!r}" for n, v in zip(("fx", "fy", "cx", "cy"), (cam.focal, cam.focal) + cam.centre)] + ["  dist: [0, 0, 0, 0, 0]"]
    out += ["plane: " + nums(cam.plane()), "pose:", "  r: " + nums(cam.rodrigues()), "  t: " + nums(cam.shift), "zones:"]
    for i, (x0, y0, x1, y1) in enumerate(boxes):
        out += [f"  - {{name: 'seat:{i + 1} main', reads: [chips], seat: {i + 1}, spot: main, polygon: [[{x0}, {y0}], [{x1}, {y0}], [{x1}, {y1}], [{x0}, {y1}]]}}"]
    out.append("palette:")
    for i, c in enumerate(colours):
        out.append(f"  - {{id: {c['id']}, face: '{c['face']}', edge: '{c['edge']}', diameter: {kind.diameter!r}, thickness: {kind.thick!r}, value: {100 * 3 ** i}}}")
    return "\n".join(out + ["card: [63, 88]", ""])


def make(folder, seed, number, pictures, samples, crowded, rate):
    """One world and its pictures; a world that is finished stays."""
    if os.path.exists(os.path.join(folder, "truth.jsonl")):
        return
    os.makedirs(os.path.join(folder, "images"), exist_ok=True)
    stage = Stage(world.seeded(seed, number), samples, crowded, rate)
    boxes = zones(stage.cam)
    colours = stage.measured(folder)
    stage.shoot(os.path.join(folder, "bare.jpg"))
    with open(os.path.join(folder, "calibration.yaml"), "w") as f:
        f.write(calibration(stage, boxes, colours))
    lines, exact = [], []
    for i in range(pictures):
        list = (world.crowd if crowded else world.stacks)(stage.rng, boxes, stage.kinds)
        objects = stage.fill(list)
        name = f"images/{i:02d}.jpg"
        stage.shoot(os.path.join(folder, name))
        for o in objects:
            bpy.data.objects.remove(o)
        ids = lambda s: [stage.kinds[k].id for k in s["kinds"]]
        lines.append({"image": name, "tags": ["traced"], "complete": ["chips"], "zones": {
            f"seat:{z + 1} main": {"stacks": [{"chips": ids(s)} for s in list if s["zone"] == z]} for z in range(len(boxes))}})
        exact.append({"image": name, "stacks": [{"at": s["at"], "chips": ids(s)} for s in list]})
    for n, rows in (("stacks.jsonl", exact), ("truth.jsonl", lines)):
        with open(os.path.join(folder, n), "w") as f:
            f.writelines(json.dumps(r) + "\n" for r in rows)


def gather(out, empty):
    """One truth of all worlds of a set, so that they are measured together."""
    with open(os.path.join(out, "truth.jsonl"), "w") as f:
        for w in sorted(os.listdir(out)):
            path = os.path.join(out, w, "truth.jsonl")
            if not os.path.exists(path):
                continue
            with open(path) as lines:
                for r in map(json.loads, lines):
                    r.update(image=f"{w}/{r['image']}", calibration=f"{w}/calibration.yaml")
                    if empty:
                        r["empty"] = f"{w}/bare.jpg"
                    f.write(json.dumps(r) + "\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--worlds", type=int, default=8)
    ap.add_argument("--first", type=int, default=0)
    ap.add_argument("--pictures", type=int, default=3)
    ap.add_argument("--without-empty", action="store_true", help="the truth names no pictures of the empty table; what is rendered stays")
    ap.add_argument("--crowded", action="store_true", help="tables to learn from: many stacks, worn and leaning, half of the worlds in H.264")
    ap.add_argument("--rate", type=float, default=0, help="constant rate factor of H.264 that pictures go through; 0: none")
    ap.add_argument("--samples", type=int, default=12)
    ap.add_argument("--tilt", type=float, nargs=2, default=world.TILT, metavar=("FROM", "TO"), help="degrees of the camera over the felt")
    ap.add_argument("--size", type=int, nargs=2, default=SIZE, metavar=("WIDE", "HIGH"), help="pixels of a picture: the same worlds with more or fewer pixels per chip")
    ap.add_argument("--dark", action="store_true", help="only dark chips on dark felts")
    a = ap.parse_args()
    world.TILT, SIZE[:] = tuple(a.tilt), a.size
    if a.dark:
        world.darken()
    for w in range(a.first, a.first + a.worlds):
        make(os.path.join(a.out, f"{a.seed}-{w:03d}"), a.seed, w, a.pictures, a.samples, a.crowded, a.rate)
        gather(a.out, not a.without_empty)
        print("world", w, flush=True)


if __name__ == "__main__":
    main()
