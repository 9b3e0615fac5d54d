"""Datasets to measure with: SAEV shards of random bits, the same 16 MiB again and again."""

import json
import os
import pathlib

from measure import GIB, Row

LAYERS = [2, 5, 8, 11]


class Block:
    """The shape of a block, [tokens, dim] float32."""

    def __init__(self, tokens, dim):
        self.tokens, self.dim = tokens, dim
        self.bytes = 4 * tokens * dim

    def __str__(self):
        return f"{self.bytes // 1024} KiB"


BLOCKS = [Block(64, 1024), Block(16, 1024), Block(1, 768)]
WIDE, SMALL = BLOCKS[0], BLOCKS[-1]


CHUNK = os.urandom(16 << 20)


def random_bytes(path, size):
    with open(path, "wb") as f:
        for start in range(0, size, len(CHUNK)):
            f.write(CHUNK[: size - start])


def saev(folder, size, block, layers, shard):
    """Writes a dataset of about SIZE bytes in shards of about SHARD bytes, and returns its bytes."""
    folder = pathlib.Path(folder)
    example = block.bytes * len(layers)
    per_shard = max(shard // example, 1)
    shards = size // (per_shard * example)
    folder.mkdir(parents=True)
    for k in range(shards):
        random_bytes(folder / f"acts{k:06d}.bin", per_shard * example)
    metadata = {"vit_family": "clip", "vit_ckpt": "bench", "layers": layers, "n_patches_per_img": block.tokens,
                "cls_token": False, "d_vit": block.dim, "n_imgs": shards * per_shard,
                "max_patches_per_shard": per_shard * len(layers) * block.tokens, "data": {"__class__": "Bench"},
                "dtype": "float32", "protocol": "1.0.0"}
    entries = [{"name": f"acts{k:06d}.bin", "n_imgs": per_shard} for k in range(shards)]
    (folder / "shards.json").write_text(json.dumps(entries))
    (folder / "metadata.json").write_text(json.dumps(metadata))
    return shards * per_shard * example


class Sizes:
    """How much is measured, and how often."""

    def __init__(self, smoke, large=3 * GIB, turns=3):
        self.small = 8 << 20 if smoke else GIB
        self.large = 3 * self.small if smoke else large
        self.shard = self.small // 8
        self.turns = 1 if smoke else turns


class Pair:
    """Two datasets that differ in size only: the difference in time leaves out the start."""

    def __init__(self, sizes, folder, block):
        self.folders = {name: f"{folder}/{block.bytes}-{name}" for name in ("small", "large")}
        small, large = (saev(path, getattr(sizes, name), block, LAYERS, sizes.shard)
                        for name, path in self.folders.items())
        self.gib = (large - small) / GIB

    def row(self, times, label, peer, name, other, goal=None, factor=1):
        """Returns the row of seconds for each further GiB, of the turns NAME small and NAME large."""
        slope = {key: (times[f"{key} large"].median() - times[f"{key} small"].median()) / self.gib
                 for key in (name, other)}
        return Row(label, peer, slope[name], factor * slope[other], goal, "s/GiB")
