"""What a loaded sample is, as one line of JSON: equal lines are equal objects of equal types."""

import hashlib
import json

import numpy as np


def typed(value):
    """A value of Python with the types of all its parts, for JSON."""
    kind = type(value)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    if kind in (str, bool) or value is None:
        return {name: value}
    if kind is int:
        return {name: str(value)}
    if kind is float:
        return {name: value.hex()}
    if isinstance(value, (bytes, bytearray)):
        return {name: value.hex()}
    if isinstance(value, dict):
        return {name: [[typed(k), typed(v)] for k, v in value.items()]}
    if isinstance(value, (list, tuple)):
        return {name: [typed(v) for v in value]}
    if isinstance(value, (set, frozenset)):
        return {name: sorted((typed(v) for v in value), key=json.dumps)}
    if isinstance(value, np.generic):
        return {name: value.dtype.str + " " + value.tobytes().hex()}
    if isinstance(value, np.ndarray):
        return {name: array(value)}
    raise TypeError(f"{kind} has no place in a sample")


def array(a):
    flags = [flag for flag in ("C_CONTIGUOUS", "ALIGNED", "WRITEABLE") if a.flags[flag]]
    digest = hashlib.sha256(a.tobytes()).hexdigest()
    return {"dtype": a.dtype.str, "shape": list(a.shape), "flags": flags, "sha256": digest}


def line(layer, item):
    return json.dumps({"layer": layer, "sample": typed(item)})
