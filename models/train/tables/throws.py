"""Path-traced pictures of dice to learn from: small scenes of many dice, with where each upper face is.

    python throws.py OUT --seed 1 --scenes 500

OUT/SEED-NNNN.jpg, and a line of OUT/truth.jsonl for each: a box is a square about the middle of an upper
face, of the edge that a face in its place has seen from above; what the picture's edge cuts is to be
ignored. Glass, marbled and painted dice with sharp or round edges, under hard and soft lamps, on printed
felt, photographs and cloth, among chips and printed dice, by cameras of 25 to 88° over the table. Needs
what deal.py needs. A scene that is finished stays.
"""
import argparse
import colorsys
import json
import math
import os
import sys

import bpy
import numpy as np
from PIL import Image

import deal
import laid
import render
import world

sys.path.insert(0, os.path.join(deal.HERE, ".."))
import dice_scenes

SIZE = (448, 336)
GROUND = 0.5  # metres of a side


class Thrown(laid.Throw):
    """Dice of one kind, half of them of colours that no casino has."""

    def __init__(self, rng):
        super().__init__(rng, rng.uniform(12, 22))
        if rng.random() < 0.5:
            self.made = rng.choice(("glass", "pearl", "plain", "plain"))
            hue = lambda value: tuple(int(255 * c) for c in colorsys.hsv_to_rgb(rng.random(), rng.uniform(0, 1), value))
            self.body = hue(rng.choice((rng.uniform(0.03, 0.3), rng.uniform(0.5, 1), rng.uniform(0.85, 1))))
            dark = sum(self.body) < 330
            self.spots = laid.IVORY if dark and rng.random() < 0.7 else laid.INK if not dark and rng.random() < 0.7 else hue(1 if dark else 0.25)
            self.round = rng.uniform(0.02, 0.16) * self.edge
        self.far, self.spot = rng.uniform(0.22, 0.29) * self.edge, rng.uniform(0.07, 0.115) * self.edge


class Scene(render.Stage):
    def __init__(self, rng, grounds, pack, samples):
        self.rng = rng
        world.TILT = (25, 88)
        self.cam = world.Camera(rng, SIZE)
        zoom = rng.uniform(150, 330) / self.cam.wide  # nearer than a camera over a layout
        self.cam.eye, self.cam.shift = self.cam.eye * zoom, self.cam.shift * zoom
        self.room(samples)
        c = self.scene.cycles
        c.max_bounces, c.transmission_bounces, c.diffuse_bounces, c.glossy_bounces, c.sample_clamp_indirect = 8, 8, 2, 3, 4
        if rng.random() < 0.4:  # hard light
            for o in self.scene.objects:
                if o.type == "LIGHT":
                    o.data.size *= rng.uniform(0.05, 0.3)
            self.scene.world.node_tree.nodes["Background"].inputs[1].default_value *= rng.uniform(0.1, 0.7)
        self.ground(grounds, pack)
        self.soft, self.noise, self.quality = rng.uniform(0.2, 0.9), rng.uniform(0.5, 4), rng.randint(70, 96)
        self.rate = 0

    def ground(self, grounds, pack):
        rng = self.rng
        what = rng.random()
        if what < 0.5:
            img = laid.felt(rng, pack)
            k, side = rng.uniform(0.25, 0.4), img.width
            x, y = (int(rng.uniform(0.15, 0.85 - k) * side) for _ in "xy")
            img = img.crop((x, y, x + int(k * side), y + int(k * side))).resize((1024, 1024), Image.BICUBIC)
        elif what < 0.75 and grounds:
            a = rng.choice(grounds).pixels()
            img = Image.fromarray(np.ascontiguousarray(a[..., ::-1])).resize((1024, 1024))
        else:
            g = np.random.default_rng(rng.getrandbits(32))
            src = dice_scenes.Source(0, {}, [])
            src.rng = g
            img = Image.fromarray(np.ascontiguousarray(src.ground()[..., ::-1])).resize((1024, 1024), Image.BICUBIC)
        mesh, h = bpy.data.meshes.new("ground"), GROUND / 2
        mesh.from_pydata([(-h, -h, 0), (h, -h, 0), (h, h, 0), (-h, h, 0)], [], [(0, 1, 2, 3)])
        for loop, uv in zip(mesh.uv_layers.new().data, ((0, 0), (1, 0), (1, 1), (0, 1))):
            loop.uv = uv
        mesh.materials.append(render.paint(img, "ground", rng.uniform(0.3, 1), rng.choice((0.1, 0.1, 0.5))))
        bpy.context.collection.objects.link(bpy.data.objects.new("ground", mesh))

    def pixel(self, p, tall):
        """Where a point is in the picture, and pixels a millimetre there."""
        c = self.cam.rot @ np.array([p[0], p[1], -tall]) + self.cam.shift
        return self.cam.project(*p, tall), self.cam.focal / c[2]

    def free(self, taken, radius):
        rng = self.rng
        for _ in range(60):
            if taken and rng.random() < 0.45:  # against another
                o, t = rng.choice(taken), rng.uniform(0, 2 * math.pi)
                far = (o[2] + radius) * rng.choice((1, rng.uniform(1, 1.5)))
                p = o[0] + far * math.cos(t), o[1] + far * math.sin(t)
            else:
                p = rng.uniform(-170, 170), rng.uniform(-170, 170)
            (x, y), _ = self.pixel(p, 0)
            if -10 < x < SIZE[0] + 10 and -10 < y < SIZE[1] + 10 and all(math.hypot(p[0] - o[0], p[1] - o[1]) > 0.99 * (o[2] + radius) for o in taken):
                return p
        return None

    def lay(self):
        rng, taken, out = self.rng, [], []
        kinds = [world.Kind(rng, rng.choice(sorted(world.BODIES)), 40, 3.3) for _ in range(rng.choice((0, 0, 1, 2)))]
        for mesh in [render.lathe(k) for k in kinds]:
            for _ in range(rng.randint(1, 3)):
                if p := self.free(taken, 20):
                    taken.append((*p, 20))
                    for i in range(rng.choice((1, 1, 2, 5))):
                        render.put(mesh, p, 3.3 * i, rng.uniform(0, 6.3))
        for _ in range(rng.choice((1, 3, 4, 5))):
            throw = Thrown(rng)
            mesh, e = deal.cube(throw), throw.edge
            for _ in range(rng.randint(3, 9)):
                # bodies keep apart by half a diagonal, or lie flat against each other
                p, turn, value = self.free(taken, e * rng.uniform(0.6, 0.71)), rng.uniform(0, 2 * math.pi), rng.randint(1, 6)
                if p is None:
                    continue
                taken.append((*p, 0.71 * e))
                o = render.put(mesh, p, e / 2, 0)
                o.rotation_mode = "QUATERNION"
                about, q = deal.UP[value], render.mathutils.Quaternion
                o.rotation_quaternion = q((0, 0, 1), turn) @ q((1, 0, 0), about[0]) @ q((0, 1, 0), about[1])
                (x, y), scale = self.pixel(p, e)
                out.append([round(x, 2), round(y, 2), round(e * scale, 2), value])
        return out


def truth(dice):
    """Dice as the truth of a set has them."""
    out = {"dice": [], "ignore": []}
    for x, y, edge, value in dice:
        box = [round(v, 2) for v in (x - edge / 2, y - edge / 2, edge, edge)]
        if 0.6 * edge < min(x, y, SIZE[0] - x, SIZE[1] - y):
            out["dice"].append({"label": str(value), "box": box})
        else:
            out["ignore"].append(box)
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--scenes", type=int, default=500)
    ap.add_argument("--samples", type=int, default=5)
    ap.add_argument("--data", default="../shared/data")
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    path = os.path.join(a.out, "truth.jsonl")
    done = sum(l["image"].startswith(f"{a.seed}-") for l in dice_scenes.lines(path))
    grounds = dice_scenes.backgrounds(a.data)
    cache, pack = os.path.join(deal.HERE, "..", "work", "sheets"), None
    for n in range(done, a.scenes):
        rng = world.seeded("thrown", a.seed, n)
        if pack is None or n % 40 == 0:
            pack = laid.Pack(rng, os.path.join(a.data, "deck-artwork"), cache)
        scene = Scene(rng, grounds, pack, a.samples)
        dice, name = scene.lay(), f"{a.seed}-{n:04d}.jpg"
        scene.shoot(os.path.join(a.out, name))
        steep = math.degrees(math.asin(-scene.cam.eye[2] / np.linalg.norm(scene.cam.eye)))
        with open(path, "a") as f:
            f.write(json.dumps({"image": name, "tags": ["traced", "overhead" if steep > 80 else "oblique"], **truth(dice), "complete": ["dice"]}) + "\n")


if __name__ == "__main__":
    main()
