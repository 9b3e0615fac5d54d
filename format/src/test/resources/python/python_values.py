"""Loads pickles of standard input, each behind its length (u64), and prints what they are.

values   a line of typed JSON for each (what PyJson has, written a second time)
lines    the same for lines of typed JSON instead of pickles
cpython  whether CPython would have written the same opcodes
opcodes  the opcodes without their places in the memo
shards   of {layer: [sample]} a line for each sample
"""

import base64
import collections
import hashlib
import io
import json
import pickle
import pickletools
import re
import struct
import sys
import types

import numpy as np

# what a real ml_dtypes makes of the bits is not the question here
sys.modules["ml_dtypes"] = types.SimpleNamespace(bfloat16=np.uint16)


def type_name(dtype):
    big = ">" if dtype.byteorder == ">" else ""
    if dtype.kind in "US":
        return big + dtype.kind + str(dtype.itemsize // (4 if dtype.kind == "U" else 1))
    return dtype.str if big else dtype.name


def named_type(name):
    return np.dtype(name)


def scalar(value):
    raw = value.tobytes()
    plain = value.item()
    dtype = np.dtype(type(value)) if value.dtype.kind not in "US" else value.dtype
    name = type_name(value.dtype)
    if isinstance(plain, (bool, int, str)):
        return {"$np": [name, plain]}
    exact = isinstance(plain, float) and np.array(plain, dtype).tobytes() == raw
    odd = exact and dtype.itemsize < 8 and "nan:" in str(number(plain))
    if exact and not odd:
        return {"$np": [name, number(plain)]}
    return {"$np": [name, {"$bytes": raw.hex()}]}


def number(value):
    if value != value:
        bits = struct.pack(">d", value).hex()
        return {"$float": "nan" if bits == "7ff8000000000000" else "nan:" + bits}
    if value in (float("inf"), float("-inf")):
        return {"$float": str(value)}
    return value


def dump(v):
    if isinstance(v, np.generic):
        return scalar(v)
    if isinstance(v, np.dtype):
        return {"$dtype": type_name(v)}
    if isinstance(v, np.ndarray):
        assert type(v) is np.ndarray and v.flags.c_contiguous
        data = base64.b64encode(v.tobytes()).decode()
        return {"$ndarray": {"dtype": type_name(v.dtype), "shape": list(v.shape), "data": data}}
    if v is None or type(v) in (bool, str):
        return v
    if type(v) is int:
        return v if -(2**63) < v < 2**63 else {"$int": hex(v)}
    if type(v) is float:
        return number(v)
    if type(v) is bytes:
        return {"$bytes": v.hex()}
    if type(v) is bytearray:
        return {"$bytearray": v.hex()}
    if type(v) is list:
        return [dump(x) for x in v]
    if type(v) in (tuple, set, frozenset):
        return {"$" + type(v).__name__: [dump(x) for x in v]}
    if type(v) is collections.defaultdict:
        assert v.default_factory is list
    name = {dict: "$dict", collections.OrderedDict: "$ordereddict",
            collections.defaultdict: "$defaultdict"}[type(v)]
    return {name: [[dump(k), dump(x)] for k, x in v.items()]}


def load(v):
    if isinstance(v, list):
        return [load(x) for x in v]
    if not isinstance(v, dict):
        return v
    if not v or not next(iter(v)).startswith("$"):
        return {k: load(x) for k, x in v.items()}
    ((kind, x),) = v.items()
    if kind in ("$tuple", "$set", "$frozenset"):
        return {"$tuple": tuple, "$set": set, "$frozenset": frozenset}[kind](load(x))
    if kind in ("$dict", "$ordereddict", "$defaultdict"):
        pairs = [(load(k), load(y)) for k, y in x]
        if kind == "$defaultdict":
            return collections.defaultdict(list, pairs)
        return {"$dict": dict, "$ordereddict": collections.OrderedDict}[kind](pairs)
    if kind in ("$bytes", "$bytearray"):
        return {"$bytes": bytes, "$bytearray": bytearray}[kind].fromhex(x)
    if kind == "$int":
        return int(x, 0)
    if kind == "$float":
        if x.startswith("nan:"):
            return struct.unpack(">d", bytes.fromhex(x[4:]))[0]
        return float(x)
    if kind == "$dtype":
        return named_type(x)
    if kind == "$np":
        dtype, value = named_type(x[0]), load(x[1])
        if isinstance(value, bytes):
            return np.frombuffer(value, dtype)[0] if dtype.itemsize else dtype.type()
        return np.array(value, dtype)[()]
    data = base64.b64decode(x["data"])
    array = np.frombuffer(data, named_type(x["dtype"])) if data else np.empty(0, x["dtype"])
    return array.reshape(x["shape"])


def pickles():
    data = sys.stdin.buffer.read()
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        yield data[at + 8 : at + 8 + length]
        at += 8 + length


def loaded(data):
    """By the reader in C, and by the one in Python, which checks frames."""
    value = pickle.loads(data)
    file = io.BytesIO(data)
    strict = pickle._Unpickler(file).load()
    assert file.read() == b"", "bytes behind STOP"
    return value, strict


def values():
    for data in pickles():
        value, strict = loaded(data)
        line = json.dumps(dump(value))
        assert line == json.dumps(dump(strict))
        print(line)


def lines():
    for line in sys.stdin:
        print(json.dumps(dump(load(json.loads(line)))))


def cpython():
    for data in pickles():
        again = pickle.dumps(pickle.loads(data), data[1])
        print(pickletools.optimize(again) == pickletools.optimize(data))


def opcodes():
    for data in pickles():
        for op, argument, _ in pickletools.genops(data):
            if op.name not in ("MEMOIZE", "BINPUT", "FRAME"):
                print(op.name if argument is None else "%s %r" % (op.name, argument))


def shards():
    for data in pickles():
        value, _ = loaded(data)
        assert type(value) is dict
        for key, samples in value.items():
            assert type(samples) is list
            print(repr(key), len(samples))
            for sample in samples:
                print(describe(sample))


def describe(sample):
    array = sample.pop("activation")
    flags = array.flags
    assert type(array) is np.ndarray and type(sample) is dict
    assert flags.c_contiguous and flags.aligned and flags.writeable
    # owndata is false where numpy keeps the bytes of the pickle, as it does with its own
    assert str(flags) == str(pickle.loads(pickle.dumps(array, 4)).flags)
    digest = hashlib.sha256(array.tobytes()).hexdigest()
    return "%s %s %s %r" % (type_name(array.dtype), array.shape, digest, sample)


sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
sys.setrecursionlimit(20000)
globals()[sys.argv[1]]()
