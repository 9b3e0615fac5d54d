#!/usr/bin/env python3
"""Loads a dataset as the tools of the project behind the specification do, and prints each sample as a line of JSON.

    check_real.py FOLDER LAYER...

They read every shard_*.pkl.gz below the folder, take data[19] or else data["19"], four fields a sample, and leave
metadata.json aside, which is checked here for itself. An array of bfloat16 is told as one of uint16, the upper halves of
float32 numbers. Run it with -W error.
"""

import gzip
import io
import json
import pathlib
import pickle
import sys

import bf16
import described


def load(path):
    raw = path.read_bytes()
    if path.suffix == ".gz":
        raw = gzip.decompress(raw)
    if b"bfloat16" not in raw:
        return pickle.loads(raw)
    data = bf16.Unpickler(io.BytesIO(raw)).load()
    for items in data.values():
        for item in items:
            assert item["activation"].bfloat16
            item["activation"] = item["activation"].numbers
    return data


def check_metadata(folder, files):
    """The fields that the real writer leaves, where there is a metadata.json; their values where they count."""
    if not (folder / "metadata.json").exists():
        return
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["total_shards"] == len(metadata["shards"]) == len(files)
    assert metadata["total_activations"] == sum(e["total_samples_in_shard"] for e in metadata["shards"])
    for entry in metadata["shards"]:
        data = load(folder / entry["filename"])
        assert entry["layers"] == list(data) and {type(key) for key in data} == {int}
        assert entry["samples_per_layer"] == {str(key): len(items) for key, items in data.items()}
        assert entry["total_samples_in_shard"] == sum(map(len, data.values()))


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(path for path in root.rglob("shard_*") if ".pkl" in path.suffixes)
    assert files, root
    for folder in sorted({path.parent for path in files}):
        check_metadata(folder, [path for path in files if path.parent == folder])
    for layer in map(int, sys.argv[2:]):
        for path in files:
            data = load(path)
            for item in data[layer] if layer in data else data.get(str(layer), []):
                assert list(item) == ["sample_idx", "activation", "shape", "text_preview"], list(item)
                assert item["shape"] == item["activation"].shape
                print(described.line(str(layer), item))


if __name__ == "__main__":
    main()
