"""What a script would do: the vectors of SAEV shards of one layer in a random order, from memory maps to one.

    numpy_shuffle.py SRC OUT     OUT/rows.npy of [n, dim]
"""

import json
import pathlib
import sys

import numpy as np

source, out = map(pathlib.Path, sys.argv[1:])
dim = json.loads((source / "metadata.json").read_text())["d_vit"]
shards = [np.memmap(path, "<f4", "r").reshape(-1, dim) for path in sorted(source.glob("acts*.bin"))]
starts = np.cumsum([0] + [len(shard) for shard in shards])
permutation = np.random.default_rng(7).permutation(starts[-1])
out.mkdir()
rows = np.lib.format.open_memmap(out / "rows.npy", "w+", "<f4", (int(starts[-1]), dim))
for start in range(0, len(rows), 65536):
    chosen = permutation[start : start + 65536]
    part = np.searchsorted(starts, chosen, "right") - 1
    for k, shard in enumerate(shards):
        rows[start : start + 65536][part == k] = shard[chosen[part == k] - starts[k]]
rows.flush()
