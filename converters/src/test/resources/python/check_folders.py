#!/usr/bin/env python3
"""Loads the files of program_folders.py with torch and numpy and compares what it finds.

    check_folders.py FOLDERS [--rewrite]      prints the names of the datasets that it compared

Needs torch and numpy, of any version; files of safetensors are loaded if that is installed.
--rewrite also writes what it has loaded, and compares the files: their bytes are those of torch
2.13, numpy 2.4, ml_dtypes 0.6 and safetensors 0.8, but for the serialization ids of torch.
"""

import base64
import io
import json
import pathlib
import re
import struct
import sys
import tempfile
import zipfile

import numpy as np
import torch

try:
    from safetensors.torch import load_file, save
except ImportError:
    load_file = None

ROOT = pathlib.Path(sys.argv[1])


def load(path):
    if path.suffix == ".safetensors":
        return load_file(path)
    if path.suffix == ".npz":
        return {name: torch.from_numpy(array) for name, array in np.load(path).items()}
    if path.suffix == ".npy":
        return bfloats(np.load(path)) if "bf16" in path.name else torch.from_numpy(np.load(path))
    if path.suffix == ".memmap":
        meta = json.loads(path.with_suffix(".meta").read_text())
        # ActivationShard of dictionary_learning/cache.py
        return bfloats(np.memmap(path, np.int16, "r", shape=tuple(meta["shape"])))
    return torch.load(path, map_location="cpu")


def bfloats(array):
    return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)


def raw(tensor):
    return tensor.contiguous().flatten().view(torch.uint8).numpy().tobytes()


def natural(path):
    return [int(part) if part.isdigit() else part for part in re.split("([0-9]+)", str(path))]


def paths(pattern):
    found = sorted(ROOT.glob(pattern), key=natural)
    assert found, pattern
    return found


def hooked(folder, pattern, key):
    """Examples of files of the same names in the folders of two hooks."""
    hooks = sorted((path for path in (ROOT / folder).iterdir() if path.is_dir()), key=natural)
    for path in paths(f"{folder}/{hooks[0].name}/{pattern}"):
        both = [load(hook / path.name) for hook in hooks]
        ids = {name: rows for name, rows in both[0].items() if rows.__class__ == torch.Tensor
               and rows.dim() == 2}
        for row in range(len(both[0][key])):
            yield [data[key][row] for data in both], {name: rows[row] for name, rows in ids.items()}


def requests(folder):
    for path in paths(f"{folder}/*.safetensors"):
        data = load(path)
        yield list(data["hidden_states"].unbind(1)), data


def samples(pattern, key):
    for path in paths(pattern):
        data = load(path)
        yield data[key] if isinstance(data[key], list) else [data[key][0]], data


def activault():
    # the number of the upload follows the uuid
    for hook in paths("activault/*/*/"):
        if hook.is_dir():
            files = sorted(hook.glob("*.saved.pt"), key=lambda path: path.name.split("--")[1])
            yield [load(path) for path in files]


def crosscoder():
    folders = [[row for path in sorted(folder.glob("*.memmap")) for row in load(path).split(1)]
               for folder in paths("crosscoder/layer_*")]
    ids = load(ROOT / "crosscoder/tokens.pt")
    for i, layers in enumerate(zip(*folders)):
        yield layers, {"tokens": ids[i:i + 1]}


def named(data):
    hooks = ["blocks.3.hook_resid_post", "blocks.11.hook_resid_post"]
    for row in range(4):
        yield [data[hook][row] for hook in hooks], {name: data[name][row] for name in data
                                                   if name == "tokens"}


def layered(tensor):
    for example in tensor:
        yield list(example), {}


def compare(name, dataset):
    expected = json.loads((ROOT / "expected" / f"{name}.json").read_text())["examples"]
    dataset = list(dataset)
    assert len(dataset) == len(expected), name
    for (layers, ids), example in zip(dataset, expected):
        assert len(layers[0]) == example["length"], name
        assert b"".join(map(raw, layers)) == base64.b64decode(example["values"]), name
        for key, items in example["integers"].items():
            assert ids[key].tolist() == items, (name, key)
    print(name)


def rewritten(path, temporary):
    data = load(path)
    if path.suffix == ".safetensors":
        return save(data)
    out = io.BytesIO()
    if path.suffix == ".npz":
        write = np.savez_compressed if path.stem == "compressed" else np.savez
        write(out, **{name: tensor.numpy() for name, tensor in data.items()})
    elif path.suffix == ".npy" and data.dtype == torch.bfloat16:
        import ml_dtypes
        np.save(out, data.view(torch.int16).numpy().view(ml_dtypes.bfloat16))
    elif path.suffix == ".npy":
        np.save(out, data.numpy())
    elif path.name.endswith(".saved.pt"):
        torch.save(data, out)
    else:
        torch.save(data, temporary / path.name)
        return (temporary / path.name).read_bytes()
    return out.getvalue()


def without_id(content):
    if content[-22:-18] != b"PK\5\6" or b".data/serialization_id" not in content:
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        record = archive.infolist()[-1]
        content = content.replace(archive.read(record), b"")
    return content.replace(struct.pack("<L", record.CRC), b"")


def rewrite():
    with tempfile.TemporaryDirectory() as temporary:
        for path in paths("**/*"):
            if path.suffix in (".pt", ".ckpt", ".npy", ".npz", ".safetensors"):
                again = rewritten(path, pathlib.Path(temporary))
                assert without_id(again) == without_id(path.read_bytes()), path


uploads = list(zip(*activault()))
compare("activault", ((list(layers), {"input_ids": files[0]["input_ids"][row]})
                      for files in uploads for row, layers in
                      enumerate(zip(*(data["states"] for data in files)))))
compare("crosscoder", crosscoder())
compare("llamascopium-pt", hooked("llamascopium-pt", "*.pt", "activation"))
compare("scripts", named(load(ROOT / "scripts/cache.pt")))
compare("scripts-bf16", layered(load(ROOT / "scripts/bf16.npy")))
compare("scripts-bf16", layered(load(ROOT / "scripts/bf16.pt")))
compare("scripts-tokens", named(load(ROOT / "scripts/compressed.npz")))
compare("scripts-tokens", named(load(ROOT / "scripts/hooks.npz")))
compare("specforge-aux_hidden_state", samples("specforge/*/*.ckpt", "aux_hidden_state"))
compare("specforge-hidden_state", samples("specforge/*/*.ckpt", "hidden_state"))
compare("specforge-plain", samples("specforge-plain/*/*.ckpt", "hidden_state"))
compare("speculators-pt", samples("speculators-pt/*.pt", "hidden_states"))
if load_file:
    compare("llamascopium", hooked("llamascopium", "*.safetensors", "activation"))
    compare("scripts-tokens", named(load(ROOT / "scripts/hooks.safetensors")))
    compare("speculators", requests("speculators"))
    compare("vllm", requests("vllm"))
if sys.argv[2:] == ["--rewrite"]:
    rewrite()
