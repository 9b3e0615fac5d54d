"""The peer of conversions of arrays: one array to a safetensors file, as a user would write it.

    numpy_arrays.py SRC OUT     of a .npy file, or of a .pt file with one float32 tensor "acts", which torch loads where
                                it is installed, and numpy otherwise
"""

import json
import pathlib
import struct
import sys

import numpy as np

SHAPE = (-1, 4, 64, 1024)  # of arrays.py

try:
    from safetensors.numpy import save_file
except ImportError:
    save_file = None


def load(path):
    if path.suffix == ".npy":
        return np.load(path, mmap_mode="r")
    try:
        import torch
    except ImportError:
        import zipfile
        with zipfile.ZipFile(path) as file:
            return np.frombuffer(file.read("acts/data/0"), "<f4").reshape(SHAPE)
    return torch.load(path)["acts"].numpy()


source, out = map(pathlib.Path, sys.argv[1:])
acts = load(source)
out.mkdir()
if save_file:
    save_file({"acts": acts}, out / "acts.safetensors")
else:
    header = json.dumps({"acts": {"dtype": "F32", "shape": acts.shape, "data_offsets": [0, acts.nbytes]}}).encode()
    header += b" " * (-len(header) % 8)
    with open(out / "acts.safetensors", "wb") as f:
        f.write(struct.pack("<Q", len(header)) + header)
        acts.tofile(f)
