"""The peer of conversions: SAEV shards to safetensors files with numpy, as a user would write it.

    numpy_save.py SRC OUT     one file a shard, with the tensor "acts" of [example, layer, token, dim]; without
                              safetensors, the same bytes with tofile, which copies less
"""

import json
import pathlib
import struct
import sys

import numpy as np

try:
    from safetensors.numpy import save_file
except ImportError:
    save_file = None

source, out = map(pathlib.Path, sys.argv[1:])
metadata = json.loads((source / "metadata.json").read_text())
shape = [-1, len(metadata["layers"]), metadata["n_patches_per_img"], metadata["d_vit"]]
out.mkdir()
for path in sorted(source.glob("acts*.bin")):
    acts = np.memmap(path, "<f4", "r").reshape(shape)
    target = out / path.with_suffix(".safetensors").name
    if save_file:
        save_file({"acts": acts}, target)
        continue
    header = json.dumps({"acts": {"dtype": "F32", "shape": acts.shape, "data_offsets": [0, acts.nbytes]}}).encode()
    header += b" " * (-len(header) % 8)
    with open(target, "wb") as f:
        f.write(struct.pack("<Q", len(header)) + header)
        np.ascontiguousarray(acts).tofile(f)
