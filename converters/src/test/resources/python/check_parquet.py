"""Compares tables with the arrays of the same dataset: check_parquet.py PROGRAM FOLDER TABLE...

TABLE is the name of a folder of Parquet files, such as saev.example.bits: the name of the folder
of arrays, the unit and the type of the vectors. A program reads the columns.
"""

import glob
import os
import sys

import numpy as np


def read_pyarrow(folder, _):
    from pyarrow import dataset, parquet

    columns = parquet.read_table(folder).to_pydict()
    assert dataset.dataset(folder, format="parquet").to_table().to_pydict() == columns
    return columns


def read_pandas(folder, _):
    import pandas

    frame = pandas.read_parquet(folder)
    return {name: list(frame[name]) for name in frame.columns}


def read_polars(folder, _):
    import polars

    pattern = folder + "/part-*.parquet"
    columns = polars.read_parquet(pattern).to_dict(as_series=False)
    assert polars.scan_parquet(pattern).collect().to_dict(as_series=False) == columns
    return columns


def read_datasets(folder, cache):
    import datasets

    datasets.disable_progress_bars()
    files = sorted(glob.glob(folder + "/part-*.parquet"))
    loaded = datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=cache)
    return loaded.to_dict()


READERS = {
    "pyarrow": read_pyarrow,
    "pandas": read_pandas,
    "polars": read_polars,
    "datasets": read_datasets,
}


def vector(cell, kept):
    """The bits of a vector, as bytes or as numbers; float32 holds bfloat16 exactly."""
    if isinstance(cell, bytes):
        return cell
    values = np.array(list(cell), "<f4" if kept == "V2" else kept)
    if kept == "V2":
        assert not np.any(values.view("<u4") & 0xFFFF)
        values = (values.view("<u4") >> 16).astype("<u2")
    return values.tobytes()


def check_vectors(columns, layers, tokens):
    """Rows of vectors, and columns of integers that belong to a token of any layer."""
    at = list(zip(columns["layer"], columns["example"], columns["token"]))
    shape = next(iter(layers.values())).shape[:2]
    assert sorted(at) == [(layer, *i) for layer in sorted(layers) for i in np.ndindex(shape)]
    for row, cell in zip(at, columns["vector"]):
        expected = layers[row[0]][row[1:]]
        assert vector(cell, expected.dtype.str.strip("|")) == expected.tobytes(), row
    for name, expected in tokens.items():
        found = [-1 if number is None or number != number else number for number in columns[name]]
        assert found == [expected[example, token] for _, example, token in at], name


def check_examples(columns, layers, tokens):
    assert sorted(columns["example"]) == list(range(len(next(iter(layers.values())))))
    for row, example in enumerate(columns["example"]):
        for layer, expected in layers.items():
            kept = expected.dtype.str.strip("|")
            found = b"".join(vector(cell, kept) for cell in columns[f"layer_{layer}"][row])
            assert found == expected[example].tobytes(), (layer, example)
        for name, expected in tokens.items():
            assert list(columns[name][row]) == list(expected[example]), (name, example)


def main(program, folder, *tables):
    for table in tables:
        name, unit, _ = table.split(".")
        arrays = {path: np.load(path) for path in glob.glob(f"{folder}/{name}/*.npy")}
        named = {os.path.basename(path)[:-4]: array for path, array in arrays.items()}
        layers = {int(key[6:]): array for key, array in named.items() if key.startswith("layer_")}
        tokens = {key: array for key, array in named.items() if not key.startswith("layer_")}
        if "labels" in tokens:  # -1 or null for [CLS]
            missing = next(iter(layers.values())).shape[1] - tokens["labels"].shape[1]
            labels = tokens.pop("labels").astype("i4")
            tokens["label"] = np.pad(labels, ((0, 0), (missing, 0)), constant_values=-1)
        columns = READERS[program](f"{folder}/{table}", folder + "/cache")
        try:
            (check_vectors if unit == "vector" else check_examples)(columns, layers, tokens)
        except Exception as error:
            raise AssertionError(table) from error
    print(len(tables))


main(*sys.argv[1:])
