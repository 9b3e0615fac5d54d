#!/usr/bin/env python3
"""What a user would write to convert activation shards with CPython alone; bin/bench times it.

    plain_pickle.py to-saev SRC OUT f32|bf16            shard_*.pkl.gz -> acts*.bin of SAEV 1.0.0, with its documents
    plain_pickle.py to-pickle SRC OUT LEVEL N f32|bf16  the first N examples of such a dataset -> shards of 64 examples,
                                                        gzip of that level, as float32 or as bfloat16

Each prints the seconds that it took, without Python's start and numpy's.
"""

import gzip
import json
import pathlib
import pickle
import sys
import time

import numpy as np

import bf16


def to_saev(source, out, dtype):
    out.mkdir(parents=True)
    counts = []
    for k, path in enumerate(sorted(source.glob("shard_*.pkl.gz"))):
        with gzip.open(path, "rb") as f:
            data = bf16.Unpickler(f).load() if dtype == "bf16" else pickle.load(f)
        with open(out / f"acts{k:06d}.bin", "wb") as f:
            for items in zip(*data.values()):
                for item in items:
                    a = item["activation"]
                    (bf16.as_float32(a.numbers) if dtype == "bf16" else a).tofile(f)
        layers = [int(str(key).removeprefix("layer_")) for key in data]
        counts.append(len(data[next(iter(data))]))
    write_documents(out, layers, item["shape"], counts)


def write_documents(out, layers, shape, counts):
    metadata = {"vit_family": "clip", "vit_ckpt": "bench", "layers": layers, "n_patches_per_img": shape[0],
                "cls_token": False, "d_vit": shape[1], "n_imgs": sum(counts),
                "max_patches_per_shard": counts[0] * len(layers) * shape[0], "data": {"__class__": "Bench"},
                "dtype": "float32", "protocol": "1.0.0"}
    (out / "metadata.json").write_text(json.dumps(metadata))
    shards = [{"name": f"acts{k:06d}.bin", "n_imgs": count} for k, count in enumerate(counts)]
    (out / "shards.json").write_text(json.dumps(shards))


def to_pickle(source, out, level, count, dtype):
    out.mkdir(parents=True)
    metadata = json.loads((source / "metadata.json").read_text())
    layers, shape = metadata["layers"], (metadata["n_patches_per_img"], metadata["d_vit"])
    first = 0
    for path in sorted(source.glob("acts*.bin")):
        if first >= int(count):
            break
        acts = np.fromfile(path, "<f4").reshape(-1, len(layers), *shape)[: int(count) - first]
        for start in range(0, len(acts), 64):
            examples = acts[start : start + 64]
            data = {f"layer_{layer}": [sample(first + start + i, a[l], dtype) for i, a in enumerate(examples)]
                    for l, layer in enumerate(layers)}
            with gzip.open(out / f"shard_{(first + start) // 64 + 1:04d}.pkl.gz", "wb", int(level)) as f:
                pickle.dump(data, f, 4)
        first += len(acts)


def sample(index, a, dtype):
    activation = bf16.Pickled(bf16.upper_halves(a)) if dtype == "bf16" else a
    return {"sample_idx": index, "activation": activation, "shape": a.shape, "text_preview": "", "metadata": {}}


def main():
    command, source, out, *rest = sys.argv[1:]
    start = time.perf_counter()
    {"to-saev": to_saev, "to-pickle": to_pickle}[command](pathlib.Path(source), pathlib.Path(out), *rest)
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
