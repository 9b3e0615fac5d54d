"""Random tables of vectors, and the arrays and sample metadata that a conversion to npy must write.

A table is columns of pyarrow, which write_tables.py writes with one program or another.
"""

import datetime
import decimal

import numpy as np
import pyarrow as pa

UNSIGNED = {2: "<u2", 4: "<u4", 8: "<u8"}
TEXTS = ("", "a dog", "é漢😀", 'a "quoted"\n\\line\t', "x" * 40)


class RandomTable:
    """Columns, the options that read them, and either the arrays expected or a refusal.

    `lengths` are the tokens of each row if they are examples of their own.
    """

    def __init__(self, random, abilities):
        self.random, self.can = random, abilities
        self.columns, self.arrays, self.samples, self.metadata = {}, {}, {}, {}
        self.options, self.refusal, self.lengths = [], None, None
        self.rows = int(random.choice(abilities["rows"]))
        self.dim = int(random.choice((1, 2, 3, 8, 16, 33)))
        self.dtype = str(random.choice(abilities["dtypes"]))
        self.kind = str(random.choice(abilities["kinds"]))
        KINDS[self.kind](self)
        if self.kind != "layer_column":
            add_fields(self)

    def chance(self, probability):
        return self.random.random() < probability

    def values(self, *shape):
        """Values of any bits, or few distinct ones, which a writer keeps in a dictionary."""
        size = np.dtype(self.dtype).itemsize
        bits = np.frombuffer(self.random.bytes(int(np.prod(shape)) * size), UNSIGNED[size])
        values = bits.view(self.dtype).copy()
        if not self.can["nan"]:
            values[np.isnan(values)] = -0.0
        if values.size and self.chance(0.3):
            values = values[self.random.integers(0, min(5, values.size), values.size)]
        return values.reshape(shape)

    def lists(self, values, form=None):
        """A column of lists nested as deep as the array has dimensions."""
        column = pa.array(np.ascontiguousarray(values).reshape(-1))
        for level in range(values.ndim - 1, 0, -1):
            size, count = values.shape[level], int(np.prod(values.shape[:level]))
            now = form or str(self.random.choice(self.can["lists"]))
            if now == "fixed":
                column = pa.FixedSizeListArray.from_arrays(column, size)
            else:
                column = self.offsets(column, np.arange(count + 1) * size, now)
        return column

    @staticmethod
    def offsets(column, offsets, form="list"):
        kind = pa.LargeListArray if form == "large" else pa.ListArray
        ends = pa.array(offsets, pa.int64() if form == "large" else pa.int32())
        return kind.from_arrays(ends, column)

    def integers(self, *shape):
        dtype = str(self.random.choice(("i1", "u1", "i2", "u2", "i4", "u4", "i8")))
        return self.random.integers(0, 100, shape).astype(dtype)


def one_token(table):
    values = table.values(table.rows, table.dim)
    table.columns["emb"] = table.lists(values)
    table.arrays["layer_0"] = values[:, None]
    if table.chance(0.5):
        table.options += ["--tensor", "emb=dim"]


def labels(table):
    one_token(table)
    table.options = ["--tensor", "emb=dim", "--label-column", "class"]
    classes = table.random.integers(0, 256, (table.rows, 1))
    table.columns["class"] = pa.array(classes[:, 0].astype("i4"))
    table.arrays["labels"] = classes.astype("u1")


def tokens(table):
    count = int(table.random.integers(2, 6))
    values = table.values(table.rows, count, table.dim)
    table.columns["emb"] = table.lists(values)
    table.arrays["layer_0"] = values
    table.options = ["--tensor", "emb=token,dim"]
    ids = table.integers(table.rows, count)
    table.columns["token_ids"] = table.lists(ids)
    table.arrays["token_ids"] = ids.astype("i8")


def three_levels(table):
    a, b = (int(size) for size in table.random.integers(2, 4, 2))
    values = table.values(table.rows, a, b, table.dim)
    table.columns["emb"] = table.lists(values)
    axes = str(table.random.choice(("token,token,dim", "layer,token,dim", "token,layer,dim")))
    table.options = ["--tensor", "emb=" + axes]
    if axes.startswith("token,token"):
        table.arrays["layer_0"] = values.reshape(table.rows, a * b, table.dim)
    else:
        layers = np.moveaxis(values, axes.split(",").index("layer") + 1, 0)
        table.arrays = {f"layer_{number}": layer for number, layer in enumerate(layers)}


def layers(table):
    for layer in (3, 17):
        values = table.values(table.rows, table.dim)
        table.columns[f"layer_{layer}"] = table.lists(values)
        table.arrays[f"layer_{layer}"] = values[:, None]


def layer_column(table):
    """Rows of examples, layers and tokens in any order."""
    examples, count = min(table.rows, 31), int(table.random.integers(1, 5))
    numbers = sorted(int(n) for n in table.random.choice(40, 2, replace=False))
    values = table.values(2, examples, count, table.dim)
    table.arrays = {f"layer_{number}": values[i] for i, number in enumerate(numbers)}
    at = table.random.permutation(np.argwhere(np.ones((2, examples, count))))
    table.rows = len(at)
    table.columns["example"] = pa.array(at[:, 1] * 3 + 5)
    table.columns["layer"] = pa.array(np.array(numbers, "i4")[at[:, 0]])
    table.columns["token"] = pa.array(at[:, 2].astype("i2"))
    table.columns["vector"] = table.lists(values[tuple(at.T)])
    table.options = ["--layer-column", "layer"]


def ragged(table):
    """Rows of different numbers of tokens, some of none."""
    table.rows = max(table.rows, 4)
    lengths = table.random.integers(0, 6, table.rows)
    lengths[0] = 3
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    values = table.values(offsets[-1], table.dim)
    table.columns["emb"] = table.offsets(table.lists(values), offsets)
    ids = table.integers(offsets[-1])
    table.columns["token_ids"] = table.offsets(pa.array(ids), offsets)
    table.options = ["--tensor", "emb=token,dim", "--ragged"]
    if table.chance(0.5):
        table.options.append("flatten")
        table.arrays = {"layer_0": values[:, None], "token_ids": ids.astype("i8")[:, None]}
        table.lengths = lengths
        return
    padded = np.zeros((table.rows, 6, table.dim), table.dtype)
    padded_ids = np.full((table.rows, 6), -1, "i8")
    for row, length in enumerate(lengths):
        padded[row, :length] = values[offsets[row] : offsets[row + 1]]
        padded_ids[row, :length] = ids[offsets[row] : offsets[row + 1]]
    table.options.append("pad:6")
    table.arrays = {"layer_0": padded, "token_ids": padded_ids}


def bits(table):
    """Vectors as their bytes, of a type that the metadata names."""
    dtype, stored = (("BF16", "V2"), ("F16", "<f2"), ("F32", "<f4"))[table.random.integers(3)]
    width = table.dim * np.dtype(stored).itemsize
    raw = table.random.bytes(table.rows * width)
    column = [raw[i : i + width] for i in range(0, len(raw), width)]
    table.columns["emb"] = pa.array(column, pa.binary(width))
    table.metadata["saev.vector.type"] = dtype
    table.arrays["layer_0"] = np.frombuffer(raw, stored).reshape(table.rows, 1, table.dim)


def refused(table):
    """Vectors with a null, a vector that is null, empty or too long."""
    table.rows = max(table.rows, 4)
    rows = table.random.standard_normal((table.rows, table.dim)).tolist()
    wrong, bad = int(table.random.integers(table.rows)), int(table.random.integers(4))
    rows[wrong] = (rows[wrong][:-1] + [None], None, [], rows[wrong] + [1.0])[bad]
    table.columns["emb"] = pa.array(rows, pa.list_(pa.from_numpy_dtype(table.dtype)))
    table.options = ["--tensor", "emb=dim"]
    table.refusal = ("null", "null", "emb", "emb")[bad]


KINDS = {
    "one_token": one_token,
    "labels": labels,
    "tokens": tokens,
    "three_levels": three_levels,
    "layers": layers,
    "layer_column": layer_column,
    "ragged": ragged,
    "bits": bits,
    "refused": refused,
}


def texts(random, rows):
    return [TEXTS[i] for i in random.integers(0, len(TEXTS), rows)]


def days(random, rows):
    first = datetime.date(1969, 1, 1)
    return [first + datetime.timedelta(int(days)) for days in random.integers(0, 40000, rows)]


def times(random, rows):
    since = datetime.datetime(1950, 1, 1)
    return [since + datetime.timedelta(microseconds=int(t)) for t in random.integers(0, 4e15, rows)]


def scores(random, rows):
    special = (float("nan"), float("inf"), float("-inf"), -0.0, 5e-324, 1e308)
    drawn = random.integers(0, 30, rows)
    return [special[i] if i < len(special) else float(random.standard_normal()) for i in drawn]


def prices(random, rows):
    return [decimal.Decimal(int(p)).scaleb(-3) for p in random.integers(-(10**9), 10**9, rows)]


def flags(random, rows):
    return [bool(flag) for flag in random.integers(0, 2, rows)]


def numbers(random, rows):
    return [int(n) for n in random.integers(-(2**62), 2**62, rows)]


def codes(random, rows):
    return [int(n) for n in random.integers(-100, 100, rows)]


FIELDS = {
    "text": (texts, pa.string()),
    "kind": (texts, pa.dictionary(pa.int32(), pa.string())),
    "day": (days, pa.date32()),
    "time": (times, pa.timestamp("us")),
    "score": (scores, pa.float64()),
    "price": (prices, pa.decimal128(12, 3)),
    "flag": (flags, pa.bool_()),
    "rank": (numbers, pa.int64()),
    "code": (codes, pa.dictionary(pa.int16(), pa.int64())),
}


def add_fields(table):
    """Adds columns of a value per row; integers without nulls belong to the only token."""
    names = table.random.permutation(table.can["fields"])[: table.random.integers(0, 5)]
    for name in (str(name) for name in names):
        make, kind = FIELDS[name]
        items = make(table.random, table.rows)
        if table.chance(0.5):  # the ends have values: pandas stores no type without any
            items[1:-1] = [None if table.chance(0.3) else item for item in items[1:-1]]
        table.columns[name] = pa.array(items, kind)
        shape = next(iter(table.arrays.values()), np.empty(0)).shape
        whole = all(isinstance(item, int) for item in items)
        if whole and table.lengths is None and shape[1:2] == (1,) and name in table.can["arrays"]:
            table.arrays[name] = np.array(items, "i8")[:, None]
        else:
            table.samples[name] = items
