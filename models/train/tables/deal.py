"""Path-traced calibrated stills of tables with cards and dice, as internal/lab/MEASURING.md describes such a set.

    python deal.py OUT --seed 1 --worlds 12 --pictures 2 [--without-empty]

Needs what render.py needs, and OpenCV for the packs of models/train/decks.py; artwork is taken
from --data where it is there. A world that is finished stays.
"""
import argparse
import json
import math
import os

import bpy  # the others are found once it is loaded
import bmesh

import laid
import render
import world

SIZE = (800, 520)
DICE = 4  # zones of them
HERE = os.path.dirname(os.path.abspath(__file__))


def material(name, rgb, rough, **inputs):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes["Principled BSDF"]
    lin = [(c / 255) ** 2.2 for c in rgb]
    for key, v in {"Base Color": (*lin, 1), "Roughness": rough, **inputs}.items():
        b.inputs[key].default_value = v
    return m


def sheet(card, pack, front, back):
    """A card: a sheet with round corners, bent along its length, one corner perhaps lifted."""
    w, h, r, thick, rows = *pack.size, 3.2, 0.3, 14
    turn = [math.pi / 2 * k / 4 for k in range(5)]
    xs = [-w / 2 + r - r * math.cos(t) for t in turn] + [-w / 2 + w * k / 8 for k in range(1, 8)] + [w / 2 - r + r * math.sin(t) for t in turn]
    top = [h / 2 - r + r * math.sin(t) for t in turn] + [h / 2] * 7 + [h / 2 - r + r * math.cos(t) for t in turn]
    verts, faces, mats = [], [], []
    for z in (0.0, -thick):
        for x, lim in zip(xs, top):
            for j in range(rows + 1):
                y = lim * (2 * j / rows - 1)
                up = card.bend * (2 * y / h) ** 2 + card.lift * max(0.0, x / w + y / h - 0.3) ** 2 * 2
                verts.append((x / 1000, y / 1000, (z + up) / 1000))
    n, cols = rows + 1, len(xs)
    at = lambda s, i, j: s * n * cols + i * n + j
    for s in (0, 1):
        for i in range(cols - 1):
            for j in range(rows):
                f = [at(s, i, j), at(s, i + 1, j), at(s, i + 1, j + 1), at(s, i, j + 1)]
                faces.append(f if s == 0 else f[::-1])
                mats.append(s)
    rim = [(i, 0) for i in range(cols)] + [(cols - 1, j) for j in range(1, n)] + [(i, rows) for i in range(cols - 2, -1, -1)] + [(0, j) for j in range(rows - 1, 0, -1)]
    for a, b in zip(rim, rim[1:] + rim[:1]):
        faces.append([at(1, *a), at(1, *b), at(0, *b), at(0, *a)])
        mats.append(2)
    mesh = bpy.data.meshes.new("card")
    mesh.from_pydata(verts, [], faces)
    layer = mesh.uv_layers.new()
    for p in mesh.polygons:
        for loop in p.loop_indices:
            x, y, _ = verts[mesh.loops[loop].vertex_index]
            layer.data[loop].uv = (0.5 + 1000 * x / w, 0.5 + 1000 * y / h)
    for m in (front, back, PAPER()):
        mesh.materials.append(m)
    for p, m in zip(mesh.polygons, mats):
        p.material_index, p.use_smooth = m, m < 2
    o = bpy.data.objects.new("card", mesh)
    o.location = (card.at[0] / 1000, -card.at[1] / 1000, (card.tall + thick) / 1000)
    o.rotation_euler = (0, 0, -card.turn)
    bpy.context.collection.objects.link(o)
    return o


def PAPER():
    return bpy.data.materials.get("paper") or material("paper", (226, 224, 216), 0.8)


def stuff(throw):
    """The material of a die's body."""
    name = f"die-{throw.made}"
    if throw.made == "glass":
        body = [255 * math.sqrt(c / 255) for c in throw.body]  # light is tinted where it goes in and where it comes out
        return material(name, body, throw.rough, **{"Transmission Weight": 1.0, "IOR": 1.49})
    m = material(name, throw.body, throw.rough, **{"Specular IOR Level": 0.5, "Coat Weight": 0.4 if throw.made == "pearl" else 0.1})
    if throw.made == "pearl":  # clouds of a paler shade
        n, l = m.node_tree.nodes, m.node_tree.links
        noise, mix = n.new("ShaderNodeTexNoise"), n.new("ShaderNodeMixRGB")
        noise.inputs["Scale"].default_value, noise.inputs["Distortion"].default_value = 260, 2.5
        lin = [(c / 255) ** 2.2 for c in throw.body]
        mix.inputs[1].default_value, mix.inputs[2].default_value = (*lin, 1), (*[c + 0.15 * (1 - c) for c in lin], 1)
        where = n.new("ShaderNodeTexCoord")
        l.new(where.outputs["Object"], noise.inputs["Vector"])
        l.new(noise.outputs["Fac"], mix.inputs[0])
        l.new(mix.outputs[0], n["Principled BSDF"].inputs["Base Color"])
    return m


def cube(throw):
    """A die with its one upwards: the body with round edges, spots that lie on it as paint does."""
    e, b = throw.edge / 1000, bmesh.new()
    bmesh.ops.create_cube(b, size=e)
    bmesh.ops.bevel(b, geom=b.edges[:] + b.verts[:], offset=throw.round / 1000, segments=3, affect="EDGES", profile=0.5)
    body = bpy.data.meshes.new("die")
    b.to_mesh(body)
    b.free()
    verts, faces = [v.co[:] for v in body.vertices], [list(p.vertices) for p in body.polygons]
    mats = [0] * len(faces)
    red = bpy.data.materials.get("die-red") or material("die-red", laid.RED, 0.4)
    for value, (u, v, out) in {1: ((1, 0, 0), (0, 1, 0), (0, 0, 1)), 6: ((0, 1, 0), (1, 0, 0), (0, 0, -1)), 2: ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
                               5: ((0, 0, 1), (1, 0, 0), (0, 1, 0)), 3: ((0, 1, 0), (0, 0, 1), (1, 0, 0)), 4: ((0, 0, 1), (0, 1, 0), (-1, 0, 0))}.items():
        for s, t in laid.FACES[value]:
            big = throw.made == "sic bo" and value == 1
            r, far = throw.spot * (1.9 if big else 1), throw.far
            start = len(verts)
            for k in range(24):
                a = 2 * math.pi * k / 24
                p, q = s * far + r * math.cos(a), t * far + r * math.sin(a)
                verts.append(tuple((p * u[i] + q * v[i] + (throw.edge / 2 + 0.03) * out[i]) / 1000 for i in range(3)))
            faces.append(list(range(start, start + 24)))
            mats.append(2 if throw.made == "sic bo" and value in (1, 4) else 1)
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata(verts, [], faces)
    for m in (stuff(throw), material("spots", throw.spots, 0.5), red):
        mesh.materials.append(m)
    for p, m in zip(mesh.polygons, mats):
        p.material_index = m
    return mesh


# The turn that brings a value up: about x, then about y.
UP = {1: (0, 0), 6: (math.pi, 0), 2: (-math.pi / 2, 0), 5: (math.pi / 2, 0), 3: (0, -math.pi / 2), 4: (0, math.pi / 2)}


class Table(render.Stage):
    """A world with a pack and dice."""

    def __init__(self, rng, samples, artwork, cache):
        self.rng, self.cam = rng, laid.camera(rng, SIZE)
        self.boxes = zones(self.cam, rng)
        self.room(samples)
        c = self.scene.cycles
        c.max_bounces, c.transmission_bounces, c.diffuse_bounces, c.glossy_bounces, c.sample_clamp_indirect = 8, 8, 2, 3, 4
        self.pack = laid.Pack(rng, artwork, cache)
        self.floor(laid.felt(rng, self.pack))
        self.edge = rng.uniform(14, 19.5)
        self.throws = [laid.Throw(rng, self.edge) for _ in range(DICE)]
        self.cubes = [cube(t) for t in self.throws]
        self.soft, self.noise, self.quality = rng.uniform(0.2, 0.9), rng.uniform(0.5, 3), rng.randint(86, 96)
        self.rate = rng.choice((0, rng.uniform(20, 28)))
        self.papers = {}

    def paper(self, label):
        if label not in self.papers:
            self.papers[label] = render.paint(self.pack.picture(label), "face-" + label, self.pack.rough, 0.45)
        return self.papers[label]

    def sleeve(self):
        """An arm that is not in the picture and whose shadow is."""
        mesh, b = bpy.data.meshes.new("sleeve"), bmesh.new()
        bmesh.ops.create_cone(b, cap_ends=True, segments=16, radius1=0.05, radius2=0.04, depth=0.5)
        b.to_mesh(mesh)
        b.free()
        o = bpy.data.objects.new("sleeve", mesh)
        o.location = (self.rng.uniform(-0.35, 0.35), self.rng.uniform(-0.3, 0.3), self.rng.uniform(0.25, 0.5))
        o.rotation_euler = (math.pi / 2, 0, self.rng.uniform(0, math.pi))
        o.visible_camera = False
        bpy.context.collection.objects.link(o)
        return o

    def lay(self, boxes):
        """Objects, the truth by zone, and where each thing lies exactly."""
        rng, objects, zones, things = self.rng, [], {}, []
        drawn = self.pack.labels[:]
        rng.shuffle(drawn)
        for name, kind, box in boxes:
            if kind == "dice":
                t = int(name[-1]) - 1
                list = self.throws[t].thrown(rng, box) if rng.random() < 0.9 else []
                for x, y, turn, value in list:
                    o = render.put(self.cubes[t], (x, y), self.edge / 2, 0)
                    o.rotation_mode = "QUATERNION"
                    about, q = UP[value], render.mathutils.Quaternion
                    o.rotation_quaternion = q((0, 0, 1), turn) @ q((1, 0, 0), about[0]) @ q((0, 1, 0), about[1])
                    objects.append(o)
                    things.append({"die": value, "made": self.throws[t].made, "at": (x, y), "turn": -turn, "edge": self.edge})
                zones[name] = {"dice": [d[3] for d in list]}
                continue
            cards = laid.hand(rng, box, self.pack, [drawn.pop() for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 5)))]) if rng.random() < 0.8 and len(drawn) > 6 else []
            for c in cards:
                objects.append(sheet(c, self.pack, self.paper(c.label), self.paper("BK")))
                things.append({"card": c.label, "at": c.at, "turn": c.turn, "size": self.pack.size, "zone": name})
            zones[name] = {"cards": [c.label for c in cards]}
        if rng.random() < 0.4:
            objects.append(self.sleeve())
        return objects, zones, things


def zones(cam, rng):
    """Squares of the felt that the picture shows as a whole: some for dice, the others for cards."""
    boxes, side, gap, step = [], 170, 8, 16
    for y in range(-560, 560, step):
        for x in range(-560, 560, step):
            box = (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
            px = [cam.project(u, v, t) for u in box[::2] for v in box[1::2] for t in (0, 20)]
            shown = all(6 < p[0] < SIZE[0] - 6 and 6 < p[1] < SIZE[1] - 6 for p in px)
            if shown and all(max(abs(x - (b[0] + b[2]) / 2), abs(y - (b[1] + b[3]) / 2)) >= side + gap for b in boxes):
                boxes.append(box)
    dice = sorted(rng.sample(range(len(boxes)), min(DICE, len(boxes) // 2)))
    return [(f"dice {dice.index(i) + 1}", "dice", b) if i in dice else (f"seat:{i + 1}", "cards", b) for i, b in enumerate(boxes)]


def calibration(stage, boxes):
    cam = stage.cam
    nums = lambda v: "[" + ", ".join(repr(float(x)) for x in v) + "]"
    out = ["schema: calibration/1", "table: traced", "camera: traced", f"size: [{SIZE[0]}, {SIZE[1]}]", "lens:"]
    out += [f"  {n}: {float(v)!r}" for n, v in zip(("fx", "fy", "cx", "cy"), (cam.focal, cam.focal) + cam.centre)] + ["  dist: [0, 0, 0, 0, 0]"]
    out += ["plane: " + nums(cam.plane()), "pose:", "  r: " + nums(cam.rodrigues()), "  t: " + nums(cam.shift), "zones:"]
    for name, kind, (x0, y0, x1, y1) in boxes:
        out += [f"  - {{name: '{name}', reads: [{kind}], polygon: [[{x0}, {y0}], [{x1}, {y0}], [{x1}, {y1}], [{x0}, {y1}]]}}"]
    return "\n".join(out + ["palette: []", f"card: [{stage.pack.size[0]}, {stage.pack.size[1]}]", f"die: {stage.edge!r}", ""])


def make(folder, seed, number, a):
    """One world and its pictures; a world that is finished stays."""
    if os.path.exists(os.path.join(folder, "truth.jsonl")):
        return
    os.makedirs(os.path.join(folder, "images"), exist_ok=True)
    stage = Table(world.seeded("laid", seed, number), a.samples, os.path.join(a.data, "deck-artwork"), os.path.join(HERE, "..", "work", "sheets"))
    boxes = stage.boxes
    stage.shoot(os.path.join(folder, "bare.jpg"))
    with open(os.path.join(folder, "calibration.yaml"), "w") as f:
        f.write(calibration(stage, boxes))
    lines, exact = [], []
    for i in range(a.pictures):
        objects, truth, things = stage.lay(boxes)
        name = f"images/{i:02d}.jpg"
        stage.shoot(os.path.join(folder, name))
        for o in objects:
            bpy.data.objects.remove(o)
        made = sorted({t["made"] for t in things if "die" in t})
        lines.append({"image": name, "tags": ["traced", *made], "complete": ["cards", "dice"], "zones": truth})
        exact.append({"image": name, "things": things})
    for n, rows in (("things.jsonl", exact), ("truth.jsonl", lines)):
        with open(os.path.join(folder, n), "w") as f:
            f.writelines(json.dumps(r) + "\n" for r in rows)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--worlds", type=int, default=12)
    ap.add_argument("--first", type=int, default=0)
    ap.add_argument("--pictures", type=int, default=2)
    ap.add_argument("--samples", type=int, default=4)
    ap.add_argument("--data", default="../shared/data", help="folder of the artwork of decks")
    ap.add_argument("--without-empty", action="store_true", help="the truth names no pictures of the empty table; what is rendered stays")
    a = ap.parse_args()
    for w in range(a.first, a.first + a.worlds):
        make(os.path.join(a.out, f"{a.seed}-{w:03d}"), a.seed, w, a)
        render.gather(a.out, not a.without_empty)
        print("world", w, flush=True)


if __name__ == "__main__":
    main()
