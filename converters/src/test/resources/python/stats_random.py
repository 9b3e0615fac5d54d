"""Makes random datasets and their statistics: stats_random.py FOLDER COUNT.

Sums are exact (math.fsum). Each folder has the files of a dataset and case.json: the conversion of
the files, the keys of the input, and for each layer what the statistics must be.
"""

import json
import math
import os
import pickle
import sys

import numpy as np

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
SAEV = "saev --family f --ckpt c --dtype F32"
RAGGED = ("", "safetensors", "pickle", "npy", "samediff", SAEV)
KINDS = ("npy", "npz", "saev", "labels", "safetensors", "pickle", "samediff", "npys", "ragged")


def random_values(r, shape, dtype):
    """Values [example, layer, token, dim] of mixed magnitude, some of them special."""
    examples, layers, tokens, dim = shape
    span = 3 if dtype == "f2" else 6
    scale = 10.0 ** r.uniform(-span, span, dim)
    values = r.standard_normal(shape) * scale
    if r.randint(2):
        values *= 10.0 ** r.uniform(-2, 2, (examples, 1, tokens, 1))
    kind = r.choice(5, (layers, dim), p=(0.6, 0.15, 0.1, 0.1, 0.05))
    for layer, d in np.argwhere(kind > 0):
        column = values[:, layer, :, d]
        if kind[layer, d] == 1:  # large mean, small deviation
            column[...] = 1e4 * r.choice((-1, 1)) + 1e-2 * r.standard_normal(column.shape)
        elif kind[layer, d] == 2:  # dead
            column[...] = r.choice((0.0, -0.0))
        elif kind[layer, d] == 3:  # sparse
            column[r.random_sample(column.shape) < 0.7] = 0
        else:  # dominant
            column *= 1e4
    with np.errstate(over="ignore", under="ignore"):
        values = values.astype(np.float32 if dtype == "bf16" else dtype)
    if dtype == "bf16":
        bits = values.view("u4").astype("u8")
        values = ((bits + 0x8000) & 0xFFFF0000).astype("u4").view("f4")
    if r.randint(2):
        values[r.random_sample(shape[:3]) < 0.1] = 0
    for special in (np.nan, np.inf, -np.inf):
        if r.randint(3) == 0:
            share = r.choice((0.5 / max(1, examples * tokens * dim), 0.01, 0.2))
            values[r.random_sample(shape) < share] = special
    if r.randint(10) == 0:
        values[:, :, :, r.randint(dim)] = np.nan
    return values


def first(found, examples, tokens):
    """The number of what was found, and the stored coordinates of the first."""
    count = int(np.count_nonzero(found))
    if count == 0:
        return None
    at = [int(i) for i in np.argwhere(found)[0]]
    return [count, int(examples[at[0]]), int(tokens[at[1]]), at[2] if len(at) == 3 else -1]


def mean(values):
    return [len(values), math.fsum(values) / len(values) if len(values) else math.nan]


def dimension(column):
    """count, mean, variance, mean |x|, min, max, zeros of finite values."""
    if len(column) == 0:
        return [0] + [math.nan] * 5 + [0]
    n = len(column)
    center = math.fsum(column) / n
    apart = column - center
    variance = math.fsum(apart * apart) / n - (math.fsum(apart) / n) ** 2
    if column.min() == column.max():
        variance = 0.0
    absolute = math.fsum(np.abs(column)) / n
    zeros = int(np.count_nonzero(column == 0))
    return [n, center, variance, absolute, float(column.min()), float(column.max()), zeros]


def statistics(x, used, labels, examples, tokens):
    """The statistics of values [example, token, dim] of a layer, of which some tokens are used."""
    x = x.astype("f8")
    finite = np.isfinite(x)
    dim = x.shape[2]
    columns = [dimension(x[:, :, d][used & finite[:, :, d]]) for d in range(dim)]
    absolute = [c[3] for c in columns]
    known = [a for a in absolute if not math.isnan(a)]
    median = np.median(known) if known else math.nan
    measured = used & finite.all(axis=2)
    norms = np.full(used.shape, np.nan)
    for at in np.argwhere(measured):
        vector = x[tuple(at)]
        norms[tuple(at)] = math.sqrt(math.fsum(vector * vector))
    found = norms[measured]
    squares = mean(found * found)[1]
    centered = math.fsum(c[2] for c in columns)
    divide = lambda a, b: a / b if b else math.inf
    by_label = {}
    if labels is not None:
        patches = labels.shape[1]
        ofpatches = norms[:, used.shape[1] - patches:]
        for label in np.unique(labels):
            of = ofpatches[labels == label]
            if not np.isnan(of).all():
                by_label[int(label)] = mean(of[~np.isnan(of)])
    return {
        "vectors": int(used.sum()),
        "padding": int((~used).sum()),
        "columns": columns,
        "dead": [d for d, c in enumerate(columns) if c[0] and c[6] == c[0]],
        "dominant": [d for d in range(dim) if absolute[d] > 50 * median],
        "nan": first(np.isnan(x) & used[:, :, None], examples, tokens),
        "infinite": first(np.isinf(x) & used[:, :, None], examples, tokens),
        "zero_vectors": first((x == 0).all(axis=2) & used, examples, tokens),
        "norms": mean(found) + [squares],
        "min": float(found.min()) if len(found) else math.nan,
        "max": float(found.max()) if len(found) else math.nan,
        "quantiles": [float(np.quantile(found, q, method="lower")) if len(found) else math.nan
                      for q in QUANTILES],
        "by_token": [mean(norms[:, t][measured[:, t]]) for t in range(used.shape[1])],
        "by_label": by_label,
        "scale": math.sqrt(divide(dim, squares)) if len(found) else math.nan,
        "scale_centered": math.sqrt(divide(dim, centered)),
    }


def ranges(r, size):
    """A random selection of indexes, as text and as numbers in ascending order."""
    a, b = sorted(r.randint(0, size, 2))
    if a == b or r.randint(2):
        return "%d:%d" % (a, b + 1), list(range(a, b + 1))
    return "%d,%d" % (a, b), [a, b]


def main(folder, count):
    for number in range(count):
        r = np.random.RandomState(number)
        here = os.path.join(folder, str(number))
        os.makedirs(here)
        kind = KINDS[number % len(KINDS)]
        large = number % 10 == 0
        if large:
            shape = (r.randint(4000, 8000), r.randint(1, 3), r.randint(2, 5), r.randint(20, 40))
        else:
            shape = (r.randint(1, 13), r.randint(1, 6), r.randint(1, 41), r.randint(1, 71))
        types = {"saev": ("f4", "f2"), "labels": ("f4",), "ragged": ("f4", "f2", "f8"),
                 "npy": ("f4", "f2", "f8"), "npz": ("f4", "f2", "f8")}
        dtype = str(r.choice(types.get(kind, ("f4", "f2", "f8", "bf16"))))
        x = random_values(r, shape, dtype)
        names = [int(l) for l in r.permutation(30)[: shape[1]]]
        if kind in ("npz", "pickle", "ragged"):
            names.sort()
        else:
            names = list(range(shape[1]))
        used = np.ones((shape[0], shape[2]), bool)
        labels = None
        case = {"to": "", "conf": {}, "labels": kind == "labels"}
        if kind == "npz":
            np.savez(here + "/data.npz", **{"layer_%d" % l: x[:, i] for i, l in enumerate(names)})
            case["source"] = "data.npz"
        elif kind in ("pickle", "ragged"):
            lengths = [shape[2]] * shape[0]
            if kind == "ragged":
                lengths = r.randint(1, shape[2] + 1, shape[0])
            for e, length in enumerate(lengths):
                used[e, length:] = False
            os.makedirs(here + "/data")
            with open(here + "/data/shard_0001.pkl", "wb") as out:
                pickle.dump({"layer_%d" % l: [
                    {"sample_idx": e, "activation": x[e, i, : lengths[e]].copy(),
                     "shape": (int(lengths[e]), shape[3])} for e in range(shape[0])]
                    for i, l in enumerate(names)}, out, 4)
            case["source"] = "data"
            if kind == "ragged":
                case["conf"]["saev.input.ragged"] = "pad:%d:7.5" % shape[2]
        else:
            np.save(here + "/data.npy", np.asfortranarray(x) if r.randint(4) == 0 else x)
            case["source"] = "data.npy"
        if kind == "labels":
            patches = shape[2] - (shape[2] > 1 and r.randint(2))
            labels = r.randint(0, 256, (shape[0], patches)) // r.choice((1, 30, 200)) * 3 % 256
            labels.astype("u1").tofile(here + "/labels.bin")
            case["to"] = "saev --family f --ckpt c" + (" --cls" if patches < shape[2] else "")
            case["then"] = str(r.choice(("", "safetensors", "npy")))
        elif kind not in ("npy", "npz"):
            case["to"] = {"saev": SAEV, "safetensors": "safetensors",
                          "pickle": "pickle", "samediff": "samediff", "npys": "npy",
                          "ragged": str(r.choice(RAGGED[: 4 if dtype == "f8" else 6]))}[kind]
            if dtype == "bf16":
                case["to"] += " --dtype BF16"
        conf = case["conf"]
        examples, tokens, layers = (list(range(n)) for n in (shape[0], shape[2], shape[1]))
        if r.randint(2):
            text, examples = ranges(r, shape[0])
            if not large and r.randint(2):
                examples = [int(e) for e in r.permutation(shape[0])[: r.randint(1, shape[0] + 1)]]
                text = ",".join(map(str, examples))
            conf["saev.input.examples"] = text
        if r.randint(2):
            conf["saev.input.tokens"], tokens = ranges(r, shape[2])
        if r.randint(2):
            layers = [int(l) for l in r.permutation(shape[1])[: r.randint(1, shape[1] + 1)]]
            conf["saev.input.layers"] = ",".join(str(names[l]) for l in layers)
        chosen = None
        if labels is not None:
            cls = shape[2] - labels.shape[1]
            patches = [t - cls for t in tokens if t >= cls]
            chosen = labels[examples][:, patches] if patches else None
        x, used = x[examples][:, :, tokens], used[examples][:, tokens]
        case["layers"] = [
            dict(statistics(x[:, l], used, chosen, examples, tokens), layer=names[l])
            for l in layers]
        if r.randint(2):
            conf["mapreduce.input.fileinputformat.split.maxsize"] = "20000"
        with open(here + "/case.json", "w") as out:
            json.dump(case, out)


main(sys.argv[1], int(sys.argv[2]))
print("made")
