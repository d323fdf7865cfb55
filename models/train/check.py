"""Checks a folder of exported networks against its manifest.json.

  /usr/bin/python3 models/train/check.py models

Each must have the bytes that were registered, be read by OpenCV, take the input
and give as many values as its heads have classes. Networks whose layers OpenCV does not
know, which the program runs with ONNX Runtime, must be whole by their own description.
"""
import hashlib
import os
import sys

import cv2
import manifest
import numpy as np
import onnx


def main(folder):
    entries = manifest.read(folder)
    for name, e in sorted(entries.items()):
        path = os.path.join(folder, e["file"])
        with open(path, "rb") as f:
            data = f.read()
        if hashlib.sha256(data).hexdigest() != e["sha256"]:
            sys.exit(f"{path}: other bytes than manifest.json registers")
        if "input" not in e:
            continue  # the readers' fitted values
        try:
            net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except cv2.error:
            onnx.checker.check_model(onnx.load_model_from_string(data), full_check=True)
            print(f"{name}: whole; OpenCV does not know its layers")
            continue
        net.setInput(np.zeros((2, *e["input"]), np.float32))
        out, want = net.forward(), sum(len(h["classes"]) for h in e["heads"])
        if out.shape[:2] != (2, want) or not np.isfinite(out).all():
            sys.exit(f"{path}: gives {out.shape}, want two of {want} finite values")
        print(f"{name}: {len(data)} bytes, {e['input']} -> {list(out.shape[1:])}")


if __name__ == "__main__":
    main(sys.argv[1])
