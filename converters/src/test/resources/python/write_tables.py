"""Writes random tables with a Python program: write_tables.py PROGRAM FOLDER SEED COUNT.

Prints a line for each table, its words separated by tabs: its path, a part of the message if it
must be refused, or nothing, and the options that read it. PATH.expected is what check_tables.py
compares with the conversion.
"""

import io
import os
import pickle
import sys

import numpy as np
import pyarrow as pa
from pyarrow import feather, ipc, parquet

from random_tables import RandomTable

KINDS = ("one_token", "labels", "tokens", "three_levels", "layers", "ragged", "refused")
CODECS = ("snappy", "gzip", "zstd", "lz4") * 2 + ("brotli",)
LISTS = ("list", "large", "fixed")


def pick(random, *choices):
    return choices[random.integers(len(choices))]


def files_of(random, table, folder, extension):
    """The path of a table, and the path and the columns of each of its files."""
    whole = pa.table(table.columns).replace_schema_metadata(table.metadata)
    if whole.num_rows == 1 or table.refusal or random.random() < 0.6:
        return folder + extension, [(folder + extension, whole)]
    os.mkdir(folder)
    cut = int(random.integers(2, whole.num_rows - 1))
    parts = (whole.slice(0, cut), whole.slice(cut))
    return folder, [(f"{folder}/part-{i}{extension}", part) for i, part in enumerate(parts)]


def refuse_brotli(codec, table):
    if codec == "brotli":
        table.refusal = "BROTLI"


def float_leaves(part, options):
    """The paths of the columns of floats in the schema of Parquet."""
    empty = io.BytesIO()
    parquet.write_table(part.slice(0, 0), empty, **options)
    schema = parquet.ParquetFile(empty).schema
    leaves = [schema.column(i) for i in range(len(schema))]
    return [leaf.path for leaf in leaves if leaf.physical_type in ("FLOAT", "DOUBLE")]


def write_pyarrow(random, table, folder):
    options = {
        "compression": pick(random, "none", *CODECS),
        "data_page_version": pick(random, "1.0", "2.0"),
        "row_group_size": pick(random, 1, 3, 64, 10**6),
        "data_page_size": pick(random, 64, 1000, None),
        # without it, there is no other metadata either
        "store_schema": table.kind == "bits" or pick(random, True, False),
        "write_page_checksum": pick(random, True, False),
        "write_page_index": pick(random, True, False),
        "use_compliant_nested_type": pick(random, True, False),
        "use_dictionary": pick(random, True, False),
    }
    refuse_brotli(options["compression"], table)
    path, files = files_of(random, table, folder, ".parquet")
    for file, part in files:
        if not options["use_dictionary"] and random.random() < 0.5:
            options["use_byte_stream_split"] = float_leaves(part, options)
        parquet.write_table(part, file, **options)
    return path


def write_million(_, table, folder):
    parquet.write_table(pa.table(table.columns), folder + ".parquet", row_group_size=table.rows)
    return folder + ".parquet"


def write_pandas(random, table, folder):
    import pandas

    codec = pick(random, None, *CODECS)
    refuse_brotli(codec, table)
    path, files = files_of(random, table, folder, ".parquet")
    for file, part in files:
        frame = pandas.DataFrame({name: series(part[name]) for name in part.column_names})
        options = {
            "row_group_size": pick(random, 5, 10**6),
            "use_dictionary": pick(random, True, False),
            "data_page_version": pick(random, "1.0", "2.0"),
        }
        if random.random() < 0.3:
            frame.index = frame.index * 2 + 1
        frame.to_parquet(file, compression=codec, **options)
    return path


def series(column):
    """A column as users of pandas have it: vectors as arrays of numpy, categories."""
    import pandas

    kind = column.type
    if pa.types.is_list(kind):
        return pandas.Series([arrays(row) for row in column], dtype=object)
    if pa.types.is_dictionary(kind):
        return pandas.Series(column.to_pylist(), dtype="category")
    types = {pa.int64(): "Int64", pa.bool_(): "boolean", pa.string(): "string"}
    if kind in types and column.null_count:
        return pandas.Series(column.to_pylist(), dtype=types[kind])
    return column.to_pandas()


def arrays(row):
    if not row.is_valid:
        return None
    if pa.types.is_list(row.type.value_type):
        return [arrays(item) for item in row.values]
    return row.as_py() if row.values.null_count else row.values.to_numpy(zero_copy_only=False)


def write_polars(random, table, folder):
    import polars

    codec = pick(random, "uncompressed", *CODECS)
    refuse_brotli(codec, table)
    path, files = files_of(random, table, folder, ".parquet")
    for file, part in files:
        options = {
            "row_group_size": pick(random, 1, 10, 1000),
            "statistics": pick(random, True, False),
            "data_page_size": pick(random, None, 100, 10000),
        }
        frame = polars.from_arrow(part)
        if random.random() < 0.3:
            frame.lazy().sink_parquet(file, compression=codec, **options)
        else:
            frame.write_parquet(file, compression=codec, **options)
    return path


def write_ipc(random, table, folder):
    """Streams, files and Feather files, with record batches of several sizes."""
    path, files = files_of(random, table, folder, ".arrow")
    rows = pick(random, 1, 7, 1000)
    for file, part in files:
        codec = pick(random, None, "lz4", "zstd")
        how = pick(random, "stream", "file", "feather")
        if how == "feather":
            feather.write_feather(part, file, compression=codec or "uncompressed", chunksize=rows)
            continue
        options = ipc.IpcWriteOptions(compression=codec, emit_dictionary_deltas=True)
        open_writer = ipc.new_stream if how == "stream" else ipc.new_file
        with open_writer(file, part.schema, options=options) as writer:
            writer.write_table(part, max_chunksize=rows)
    return path


def write_polars_ipc(random, table, folder):
    import polars

    path, files = files_of(random, table, folder, ".arrow")
    for file, part in files:
        frame = polars.from_arrow(part)
        write = pick(random, frame.write_ipc, frame.write_ipc_stream)
        write(file, compression=pick(random, "uncompressed", "lz4", "zstd"))
    return path


def write_datasets(random, table, folder):
    """Folders of save_to_disk; vectors of 2 or 3 dimensions as Array2D and Array3D as well."""
    import datasets

    datasets.disable_progress_bars()
    whole = pa.table(table.columns)
    features = datasets.Features.from_arrow_schema(whole.schema)
    data = {name: whole[name].to_pylist() for name in whole.column_names}
    if table.kind in ("tokens", "three_levels") and random.random() < 0.6:
        shape = np.shape(data["emb"])[1:]
        array = datasets.Array2D if len(shape) == 2 else datasets.Array3D
        features["emb"] = array(shape, np.dtype(table.dtype).name)
    if "class" in data:
        features["class"] = datasets.ClassLabel(num_classes=256)
    saved = datasets.Dataset.from_dict(data, features=features)
    saved.save_to_disk(folder, num_shards=pick(random, 1, 2))
    return folder


ABILITIES = {
    "rows": (1, 4, 5, 10, 31, 100, 257),
    "kinds": KINDS,
    "lists": ("list", "fixed"),
    "dtypes": ("<f4", "<f8", "<f2"),
    "nan": True,
    "fields": ("text", "kind", "day", "time", "score", "price", "flag", "rank", "code"),
    "arrays": ("rank", "code", "flag"),
}
PROGRAMS = {
    "pyarrow": (write_pyarrow, {"kinds": (*KINDS, "layer_column", "bits"), "lists": LISTS}),
    "million": (write_million, {"rows": (10**6,), "kinds": ("one_token",), "fields": ()}),
    "pandas": (
        write_pandas,
        {
            "lists": ("list",),
            "nan": False,
            "fields": ("text", "kind", "day", "time", "flag", "rank"),
        },
    ),
    "polars": (write_polars, {"kinds": (*KINDS, "layer_column")}),
    "ipc": (write_ipc, {"lists": LISTS, "arrays": ("rank", "flag")}),
    "polars_ipc": (write_polars_ipc, {}),
    "datasets": (
        write_datasets,
        {
            "rows": (4, 10, 31, 100),
            "nan": False,
            "fields": ("text", "flag", "rank"),
        },
    ),
}


def main(program, folder, seed, count):
    write, abilities = PROGRAMS[program]
    for number in range(int(count)):
        random = np.random.default_rng((int(seed), number))
        table = RandomTable(random, ABILITIES | abilities)
        path = write(random, table, f"{folder}/{program}-{number}-{table.kind}")
        with open(path + ".expected", "wb") as expected:
            pickle.dump((table.arrays, table.samples, table.lengths), expected)
        print("\t".join((path, table.refusal or "", *table.options)))


main(*sys.argv[1:])
