"""Writes models/manifest.json: what each network is, its bytes and its figures."""
import hashlib
import json
import os


def read(folder):
    """What the networks of a folder are: entries by name."""
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as f:
        return json.load(f)


def update(folder, name, file, shape, heads, data, metrics, scale=1.0):
    """Puts or replaces the entry of one network."""
    path = os.path.join(folder, "manifest.json")
    entries = read(folder) if os.path.exists(path) else {}
    with open(os.path.join(folder, file), "rb") as f:
        sha = hashlib.sha256(f.read()).hexdigest()
    entries[name] = {"file": file, "sha256": sha, "input": list(shape),
                     "heads": [{"name": n, "classes": c} for n, c in heads],
                     "scale": round(float(scale), 3), "data": data, "metrics": metrics}
    with open(path, "w", encoding="utf-8") as f:
        json.dump(entries, f, indent=1, sort_keys=True, ensure_ascii=False)
        f.write("\n")
