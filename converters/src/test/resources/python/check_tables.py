"""Compares conversions with what write_tables.py expects: check_tables.py (OUT EXPECTED)..."""

import datetime
import decimal
import glob
import gzip
import json
import math
import pickle
import sys

import numpy as np


def check_arrays(out, arrays):
    found = {path[len(out) + 1 : -4]: np.load(path) for path in glob.glob(out + "/*.npy")}
    assert sorted(found) == sorted(arrays), (sorted(found), sorted(arrays))
    for name, expected in arrays.items():
        assert found[name].dtype == expected.dtype, (name, found[name].dtype, expected.dtype)
        assert found[name].shape == expected.shape, (name, found[name].shape, expected.shape)
        same = found[name].tobytes() == np.ascontiguousarray(expected).tobytes()
        assert same, (name, found[name], expected)


def written(value):
    """The JSON of a value of a column."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="microseconds")
    return value.isoformat() if isinstance(value, datetime.date) else value


def same(found, expected):
    expected = written(expected)
    if isinstance(expected, float):
        return isinstance(found, decimal.Decimal) and repr(float(found)) == repr(expected)
    return (type(found), str(found)) == (type(expected), str(expected))


def check_samples(out, samples, lengths):
    """Each example has the fields of its row, and the position of its token if rows are lists."""
    found = []
    for path in sorted(glob.glob(out + "/*.examples.jsonl.gz"))[:1]:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            for line in lines:
                about = json.loads(line, parse_float=decimal.Decimal)
                assert about["example"] == len(found), (about, len(found))
                position = about.get("position")
                for i in range(about.get("count", 1)):
                    found.append((about["sample"], None if position is None else position + i))
    rows = len(next(iter(samples.values()), ()))
    of_rows = [{name: values[row] for name, values in samples.items()} for row in range(rows)]
    expected = [(row, None) for row in of_rows]
    if lengths is not None:
        expected = [(row, i) for row, n in zip(of_rows, lengths) for i in range(n)]
    assert len(found) == len(expected), (len(found), len(expected))
    for (one, position), (other, at) in zip(found, expected):
        assert (sorted(one), position) == (sorted(other), at), (one, position, other, at)
        for name, value in other.items():
            assert same(one[name], value), (name, one[name], value)


def main(words):
    for out, path in zip(words[::2], words[1::2]):
        with open(path, "rb") as file:
            arrays, samples, lengths = pickle.load(file)
        try:
            check_arrays(out, arrays)
            check_samples(out, samples, lengths)
        except Exception as error:
            raise AssertionError(path) from error
    print(len(words) // 2)


main(sys.argv[1:])
