#!/usr/bin/env python3
"""Writes a dataset of activation shards as CPython and numpy pickle it: gzip, pickle.dumps, metadata.json.

    write_spec.py OUT [OPTIONS]     needs numpy; the same arguments give the same numbers and texts

Two dialects. spec is what the Activation Shard Format specification describes: keys "layer_15", five fields a sample,
a metadata.json with checksums. real is what the writer behind it leaves: keys 15, four fields, another metadata.json.
"""

import argparse
import copy
import gzip
import hashlib
import json
import pathlib
import pickle
import struct
import zlib

import numpy as np

import bf16

TEXTS = [
    "",
    "The cat sat on the mat.",
    "Der Fluß fließt über 9 Brücken",
    "\U0001f984 two code units, one code point \U0001f680",
    'quotes " and \\ and \'\n\ttab, NUL \0 end',
    "\u05e9\u05dc\u05d5\u05dd \u4f60\u597d \u2028 line separator",
    "x" * 200,
    "\U0001f40d" * 200,
    "lone \ud83e surrogate",
]

RICH = {
    "tags": ["a", "", None, True, False],
    "span": (0, 7),
    "nested": {"deep": {"er": [{"x": -1}, [], {}, ()]}, "7": 7, 7: "seven"},
    "big": 2**70,
    "negative": -(2**63),
    "floats": [0.1, -0.0, 1e308, float("inf"), float("-inf"), float("nan")],
    "bytes": bytes(range(256)),
}


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--dialect", choices=["spec", "real"], default="spec")
    parser.add_argument("--form", choices=["one", "hosts", "halves", "machines"], default="one",
                        help="one directory; two hosts that share out the samples; two hosts with a half of the"
                        " last axis each; two machines that both count their samples from 0")
    parser.add_argument("--protocol", type=int, default=4)
    parser.add_argument("--dtype", default="float32", help="numpy's name, >f4 for one; or bfloat16")
    parser.add_argument("--cut", action="store_true", help="the numbers are those that bfloat16 holds")
    parser.add_argument("--container", choices=["gzip", "bgzf", "plain"], default="gzip")
    parser.add_argument("--level", type=int, default=9)
    parser.add_argument("--layers", default="15,16")
    parser.add_argument("--samples", type=int, default=12)
    parser.add_argument("--tokens", default="6", help="a number, or a range as 2-9: another count each sample")
    parser.add_argument("--dim", type=int, default=16)
    parser.add_argument("--per-shard", type=int, default=5, help="samples of a shard")
    parser.add_argument("--split-layers", action="store_true", help="shards end between two layers of a sample")
    parser.add_argument("--rich", action="store_true", help="metadata with values of all types")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def numbers(o, layer, sample):
    low, _, high = o.tokens.partition("-")
    low, high = int(low), int(high or low)
    tokens = low + sample * 7 % (high - low + 1)
    values = np.random.default_rng([o.seed, layer, sample]).standard_normal((tokens, o.dim), dtype="f4")
    if o.cut or o.dtype == "bfloat16":
        values = bf16.as_float32(bf16.upper_halves(values))
    return values


def stored(o, values):
    """What is pickled as the activation."""
    if o.dtype == "bfloat16":
        return bf16.Pickled(bf16.upper_halves(values))
    return values.astype(o.dtype)


def item(o, sample, values, place, machine):
    text = TEXTS[place % len(TEXTS)]
    found = {
        "sample_idx": sample,
        "activation": stored(o, values),
        "shape": values.shape,
        "text_preview": text[:200],
    }
    if o.dialect == "spec":
        metadata = {"token_count": len(values), "dataset_idx": 12345 + place, "machine_id": machine}
        found["metadata"] = {**metadata, **copy.deepcopy(RICH)} if o.rich else metadata
    return found


def shards(o, machine):
    """The contents of each shard of one directory: layer number -> samples."""
    layers = [int(layer) for layer in o.layers.split(",")]
    share = o.form in ("hosts", "machines")
    limit = o.per_shard * len(layers) + o.split_layers
    held, count = {}, 0
    for place in range(machine if share else 0, o.samples, 2 if share else 1):
        for layer in layers:
            values = numbers(o, layer, place)
            if o.form == "halves":
                half = o.dim // 2
                values = values[:, machine * half : (machine + 1) * half]
            sample = place // 2 if o.form == "machines" else place
            held.setdefault(layer, []).append(item(o, sample, values, place, machine))
            count += 1
            if count == limit:
                yield held
                held, count = {}, 0
    if held:
        yield held


def bgzf(data, level):
    out = []
    for start in range(0, len(data), 65280):
        block = data[start : start + 65280]
        deflater = zlib.compressobj(level, zlib.DEFLATED, -15)
        body = deflater.compress(block) + deflater.flush()
        out.append(bytes.fromhex("1f8b08040000000000ff060042430200"))
        out.append(struct.pack("<H", len(body) + 25) + body)
        out.append(struct.pack("<II", zlib.crc32(block), len(block)))
    out.append(bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000"))
    return b"".join(out)


def write_file(o, path, data):
    if o.container == "plain":
        path.write_bytes(data)
    elif o.container == "bgzf":
        path.write_bytes(bgzf(data, o.level))
    else:
        # named and without a time, so that the same arguments give the same bytes
        with open(path, "wb") as raw, gzip.GzipFile(path.name[:-3], "wb", o.level, raw, 0) as f:
            f.write(data)


def spec_metadata(o, machine, entries):
    layers = sorted({layer for entry in entries for layer in entry["layers"]})
    samples = sum(entry["num_samples"] for entry in entries)
    return {
        "version": "1.0",
        "created_at": "2025-01-09T12:00:00Z",
        "extraction_config": {
            "model_name": "Qwen/Qwen2.5-7B",
            "model_architecture": "qwen2",
            "model_params": {"hidden_size": o.dim, "num_hidden_layers": 28},
            "dataset_name": "HuggingFaceFW/fineweb-edu",
            "dataset_config": "sample-10BT",
            "dataset_split": "train",
            "layers_extracted": layers,
            "max_seq_length": 512,
            "batch_size": 16,
        },
        "distributed_config": {
            "machine_id": machine,
            "total_machines": 1 if o.form == "one" else 2,
            "multihost": o.form != "one",
            "num_hosts": 1,
            "mesh_type": "1d",
        },
        "shards": entries,
        "statistics": {
            "total_shards": len(entries),
            "total_samples": samples,
            "total_size_bytes": sum(entry["size_bytes"] for entry in entries),
            "layers_extracted": layers,
            "extraction_duration_seconds": 3600.5,
        },
    }


def spec_entry(o, number, path, content):
    ids = sorted({item["sample_idx"] for items in content.values() for item in items})
    return {
        "shard_id": number,
        "filename": path.name,
        "size_bytes": path.stat().st_size,
        "num_samples": len(ids),
        "layers": list(content),
        "sample_id_range": [ids[0], ids[-1]],
        "compressed": o.container != "plain",
        "checksum": "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def real_metadata(entries):
    return {
        "total_shards": len(entries),
        "total_activations": sum(entry["total_samples_in_shard"] for entry in entries),
        "total_unique_samples": max(sum(e["samples_per_layer"].get(str(layer), 0) for e in entries)
                                    for layer in {layer for e in entries for layer in e["layers"]}),
        "shard_size_gb": 1.0,
        "upload_to_gcs": False,
        "gcs_bucket": None,
        "gcs_prefix": "activations",
        "shards": entries,
    }


def real_entry(number, path, content, size):
    return {
        "shard_id": number,
        "filename": path.name,
        "local_path": "/data/" + path.name,
        "gcs_path": None,
        "file_size_mb": path.stat().st_size / 2**20,
        "buffer_size_mb": size / 2**20,
        "layers": list(content),
        "samples_per_layer": {str(layer): len(items) for layer, items in content.items()},
        "total_samples_in_shard": sum(map(len, content.values())),
    }


def write_directory(o, folder, machine):
    folder.mkdir(parents=True)
    entries = []
    for number, content in enumerate(shards(o, machine), 1):
        path = folder / (f"shard_{number:04d}.pkl" + ("" if o.container == "plain" else ".gz"))
        keyed = content if o.dialect == "real" else {f"layer_{k}": items for k, items in content.items()}
        data = pickle.dumps(keyed, o.protocol)
        write_file(o, path, data)
        spec = o.dialect == "spec"
        entries.append(spec_entry(o, number, path, content) if spec else real_entry(number, path, content, len(data)))
    metadata = spec_metadata(o, machine, entries) if o.dialect == "spec" else real_metadata(entries)
    (folder / "metadata.json").write_text(json.dumps(metadata, indent=2))


def main():
    o = options()
    if o.form == "one":
        write_directory(o, o.out, 0)
    else:
        for machine in (0, 1):
            name = f"tpu_{machine}" if o.form == "machines" else f"host_{machine:02d}"
            write_directory(o, o.out / name, machine)


if __name__ == "__main__":
    main()
