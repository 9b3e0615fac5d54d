#!/usr/bin/env python3
"""Loads a dataset as the Activation Shard Format specification tells to, and prints each sample as a line of JSON.

    check_spec.py FOLDER

The loader functions and the dataset class do what those of the specification do, in other words. Fails where
metadata.json breaks the specification, or is not true of the files. Run it with -W error.
"""

import gzip
import hashlib
import json
import pathlib
import pickle
import re
import sys

import described


def load_metadata(folder):
    with open(pathlib.Path(folder) / "metadata.json") as f:
        return json.load(f)


def load_shard(path, compressed=True):
    with (gzip.open(path, "rb") if compressed else open(path, "rb")) as f:
        return pickle.load(f)


def iter_activations(folder, layer):
    key = f"layer_{layer}"
    for shard in load_metadata(folder)["shards"]:
        if layer in shard["layers"]:
            loaded = load_shard(pathlib.Path(folder) / shard["filename"], compressed=shard["compressed"])
            if key in loaded:
                yield from loaded[key]


class ActivationDataset:
    """Samples of a layer by index, as of a torch.utils.data.Dataset; holds one shard at a time."""

    def __init__(self, folder, layer):
        self.folder = pathlib.Path(folder)
        self.key = f"layer_{layer}"
        self.shards = {shard["shard_id"]: shard for shard in load_metadata(folder)["shards"]}
        self.held = None, None
        self.index = [
            (number, place)
            for number, shard in self.shards.items()
            if layer in shard["layers"]
            for place in range(len(self.load(shard)[self.key]))
        ]

    def load(self, shard):
        return load_shard(self.folder / shard["filename"], compressed=shard["compressed"])

    def __len__(self):
        return len(self.index)

    def __getitem__(self, index):
        number, place = self.index[index]
        if self.held[0] != number:
            self.held = number, self.load(self.shards[number])
        item = self.held[1][self.key][place]
        return {"activation": item["activation"], "sample_idx": item["sample_idx"], "text": item["text_preview"]}


def check_metadata(folder):
    metadata = load_metadata(folder)
    for field in ("version", "created_at", "extraction_config", "shards", "statistics"):
        assert field in metadata, f"{field} is required"
    assert re.fullmatch(r"\d+\.\d+(\.\d+)?", metadata["version"])
    # ISO 8601 in UTC, as the specification shows it
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", metadata["created_at"])
    entries, statistics = metadata["shards"], metadata["statistics"]
    assert [entry["shard_id"] for entry in entries] == list(range(1, len(entries) + 1))
    layers, ids = set(), set()
    for entry in entries:
        found = check_shard(folder, entry)
        layers.update(entry["layers"])
        ids.update(found)
    assert statistics["total_shards"] == len(entries)
    assert statistics["total_samples"] == len(ids), (statistics, len(ids))
    assert statistics["total_size_bytes"] == sum(entry["size_bytes"] for entry in entries)
    assert statistics["layers_extracted"] == sorted(layers)
    present = {path.name for path in folder.glob("shard_*")  if ".pkl" in path.suffixes}
    assert present == {entry["filename"] for entry in entries}, present
    return sorted(layers)


def check_shard(folder, entry):
    """Checks a shard's entry against the file; the ids of its samples."""
    suffix = ".pkl.gz" if entry["compressed"] else ".pkl"
    assert entry["filename"] == f"shard_{entry['shard_id']:04d}{suffix}"
    raw = (folder / entry["filename"]).read_bytes()
    assert entry["size_bytes"] == len(raw)
    assert entry["checksum"] == "sha256:" + hashlib.sha256(raw).hexdigest()
    # to the end, which pickle.load does not reach
    data = gzip.decompress(raw) if entry["compressed"] else raw
    assert data[-1:] == pickle.STOP
    loaded = load_shard(folder / entry["filename"], entry["compressed"])
    assert type(loaded) is dict and list(loaded) == [f"layer_{layer}" for layer in entry["layers"]], list(loaded)
    ids = {item["sample_idx"] for items in loaded.values() for item in items}
    assert entry["num_samples"] == len(ids)
    assert entry["sample_id_range"] == [min(ids), max(ids)]
    return ids


def check_sample(item, twin):
    assert list(item) == ["sample_idx", "activation", "shape", "text_preview", "metadata"], list(item)
    assert item["shape"] == item["activation"].shape
    assert len(item["text_preview"]) <= 200
    for field, other in (("activation", "activation"), ("sample_idx", "sample_idx"), ("text_preview", "text")):
        assert described.typed(item[field]) == described.typed(twin[other])


def main():
    folder = pathlib.Path(sys.argv[1])
    for layer in check_metadata(folder):
        dataset = ActivationDataset(folder, layer)
        items = list(iter_activations(folder, layer))
        assert len(items) == len(dataset)
        for index, item in enumerate(items):
            check_sample(item, dataset[index])
            print(described.line(f"layer_{layer}", item))


if __name__ == "__main__":
    main()
