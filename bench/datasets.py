"""Datasets to measure with: SAEV shards of random bits, which are written once and kept until the run ends."""

import json
import os
import pathlib

import measure

LAYERS = [2, 5, 8, 11]


class Block:
    """The shape of a block, [tokens, dim] float32."""

    def __init__(self, tokens, dim):
        self.tokens, self.dim = tokens, dim
        self.bytes = 4 * tokens * dim

    def __str__(self):
        return f"{self.bytes // 1024} KiB"


BLOCKS = [Block(64, 1024), Block(16, 1024), Block(1, 768)]
WIDE = BLOCKS[0]


def random_bytes(path, size):
    with open(path, "wb") as f:
        while size > 0:
            size -= f.write(os.urandom(min(size, 16 << 20)))


def saev(folder, size, block, layers=LAYERS, shard=128 << 20):
    """Writes a dataset of about SIZE bytes in shards of about SHARD bytes, and returns its bytes."""
    folder = pathlib.Path(folder)
    example = block.bytes * len(layers)
    per_shard = min(shard, size) // example
    shards = size // (per_shard * example)
    if not (folder / "metadata.json").exists():
        folder.mkdir(parents=True)
        for k in range(shards):
            random_bytes(folder / f"acts{k:06d}.bin", per_shard * example)
        documents(folder, block, layers, shards, per_shard)
    return shards * per_shard * example


def documents(folder, block, layers, shards, per_shard):
    metadata = {"vit_family": "clip", "vit_ckpt": "bench", "layers": layers, "n_patches_per_img": block.tokens,
                "cls_token": False, "d_vit": block.dim, "n_imgs": shards * per_shard,
                "max_patches_per_shard": per_shard * len(layers) * block.tokens, "data": {"__class__": "Bench"},
                "dtype": "float32", "protocol": "1.0.0"}
    entries = [{"name": f"acts{k:06d}.bin", "n_imgs": per_shard} for k in range(shards)]
    (folder / "shards.json").write_text(json.dumps(entries))
    (folder / "metadata.json").write_text(json.dumps(metadata))


class Sizes:
    """The two sizes of datasets whose difference is measured."""

    def __init__(self, smoke):
        unit = 8 << 20 if smoke else measure.GIB
        self.small, self.large = unit, 3 * unit
        self.shard = unit // 8
        self.turns = 1 if smoke else 3

    def pair(self, folder, block):
        """Returns the folders of both, by their names, and their bytes."""
        folders = {name: f"{folder}/{block.bytes}-{name}" for name in ("small", "large")}
        return folders, [saev(path, getattr(self, name), block, shard=self.shard) for name, path in folders.items()]
