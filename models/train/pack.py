"""Packs all that the card networks learn from into one file, for machines that have neither fonts nor rsvg-convert.

  /usr/bin/python3 models/train/pack.py OUT.zip [--data ../shared/data] [--photos FOLDER] [--fonts FOLDER]

In it: the vector decks rendered (GPL, not to be shipped), the project's own decks, patches of photographs that
may train (harvest), pieces of rooms without cards, and what decks are lettered with as pictures.
"""
import argparse
import glob
import io
import os
import zipfile

import cv2
import numpy as np

import decks
import scenes
import spanish

HERE = os.path.dirname(os.path.abspath(__file__))
GREYS = 17  # of 256 to a grey of a letter
WIDE = 200  # of a photographed patch, its margin included
TEXTS = ["10" if r == "T" else r for r in decks.RANKS] + ["JOKER", "Joker", *"JOKERoker"]


def letters(most):
    """font -> text -> mask, of fonts that letter cards and those that have suits."""
    out, rng = {}, np.random.default_rng(1)
    for f in rng.permutation(decks.fonts()):
        if len(out) >= most:
            break
        try:
            decks._lettering(str(f))
            out[os.path.basename(f)] = {t: decks._glyph(t, str(f), decks.LETTER) for t in {*TEXTS, *spanish.NUMBER.values()}}
        except (ValueError, OSError):
            continue
    for f in decks.suit_fonts():
        try:
            out.setdefault("suits " + os.path.basename(f), {}).update({t: decks._glyph(t, f, decks.LETTER) for t in decks.SUIT_SIGNS})
        except (ValueError, OSError):
            continue
    return out


def encoded(img, quality):
    return cv2.imencode(".webp", img, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("pack")
    ap.add_argument("--data", default=os.path.join(HERE, "..", "..", "..", "shared", "data"))
    ap.add_argument("--photos", default="")
    ap.add_argument("--fonts", default="", help="folder of more fonts than the system's")
    ap.add_argument("--letters", type=int, default=200)
    ap.add_argument("--patches", type=int, default=2000)
    a = ap.parse_args()
    decks.FONTS += [a.fonts] if a.fonts else []
    work, rng = os.path.join(HERE, "work"), np.random.default_rng(1)
    with zipfile.ZipFile(a.pack, "w") as z:
        for kind, all_ in (("art", decks.load_artwork(os.path.join(a.data, "deck-artwork"), os.path.join(work, "sheets"))),
                           ("own", decks.load_own(os.path.join(work, "own")))):
            for name, deck in all_.items():
                for label, img in deck.items():
                    if isinstance(img, np.ndarray):
                        z.writestr(f"{kind}/{name}/{label}.webp", encoded(img, 90))
        paths = sorted(glob.glob(os.path.join(a.photos, "*", "*.png"))) if a.photos else []
        for p in (paths[i] for i in sorted(rng.permutation(len(paths))[:a.patches])):
            img = cv2.imread(p)
            k = min(1, WIDE / img.shape[1])
            z.writestr(f"photos/{os.path.basename(p)[:-4]}.webp", encoded(cv2.resize(img, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), 84))
        for i, img in enumerate(scenes.load_rooms(a.data)):
            z.writestr(f"rooms/{i:03d}.webp", encoded(img, 80))
        flat = {f"{font}|{text}": mask for font, all_ in letters(a.letters).items() for text, mask in all_.items()}
        data = io.BytesIO()
        np.savez_compressed(data, names=list(flat), shapes=[m.shape for m in flat.values()],
                            masks=np.concatenate([m.ravel() // GREYS for m in flat.values()]))
        z.writestr("letters.npz", data.getvalue())


class Pack:
    """What pack.py packed: art, own (name -> deck), photos (picture, label, four, part), rooms. Lettering
    is done with its glyphs from now on."""

    def __init__(self, path):
        self.art, self.own, self.photos, self.rooms = {}, {}, [], []
        with zipfile.ZipFile(path) as z:
            for n in sorted(z.namelist()):
                if n == "letters.npz":
                    self._letters(np.load(io.BytesIO(z.read(n))))
                    continue
                img = cv2.imdecode(np.frombuffer(z.read(n), np.uint8), 1)
                kind, *at, name = n[:-5].split("/")
                if kind in ("art", "own"):
                    getattr(self, kind).setdefault(at[0], {})[name] = img
                elif kind == "rooms":
                    self.rooms.append(img)
                else:
                    self.photos.append((img, *said(name)))
        for name, deck in self.own.items():
            decks.own_ways(name, deck)

    def _letters(self, all_):
        decks.GLYPHS.clear()
        sizes = all_["shapes"].prod(1)
        for key, shape, mask in zip(all_["names"], all_["shapes"], np.split(all_["masks"], sizes.cumsum()[:-1])):
            font, text = str(key).split("|")
            decks.GLYPHS.setdefault(font, {})[text] = mask.reshape(shape) * np.uint8(GREYS)


def said(name):
    """(label, four, part) of a patch NAME_LABEL[_four][_part]."""
    whole = name.removesuffix("_part")
    return whole.removesuffix("_four").split("_")[-1].replace("X", "?"), whole.endswith("_four"), whole != name


if __name__ == "__main__":
    main()
