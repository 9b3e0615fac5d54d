"""The peer of conversions of values: nanoseconds for each element, by types, as one JSON object."""

import json
import timeit

import numpy as np

COUNT = 1 << 20
f32 = np.random.default_rng(1).standard_normal(COUNT).astype("f4")
f64, f16, bf16 = f32.astype("f8"), f32.astype("f2"), (f32.view("u4") >> 16).astype("u2")


def to_bf16():
    bits = f32.view("u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("u2")


CASES = {
    "F32_F16": lambda: f32.astype("f2"),
    "F32_BF16": to_bf16,
    "F16_F32": lambda: f16.astype("f4"),
    "BF16_F32": lambda: (bf16.astype("u4") << 16).view("f4"),
    "F64_F32": lambda: f64.astype("f4"),
    "F64_F16": lambda: f64.astype("f2"),
    "F32_I8": lambda: f32.astype("i1"),
}
print(json.dumps({types: min(timeit.repeat(case, number=5, repeat=5)) / 5 / COUNT * 1e9
                  for types, case in CASES.items()}))
