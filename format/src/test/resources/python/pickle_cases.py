"""Writes pickles and what CPython loads from them: pickle_cases.py COUNT SEED.

Half are invented values as the real picklers write them, half are invented programs of opcodes that
name nothing but what numpy's and Python's own classes are built with.
"""

import collections
import hashlib
import io
import pickle
import random
import struct
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
MOST_DEPTH = 20


def told(value, depth=0):
    if depth > MOST_DEPTH:
        return "..."
    inner = lambda item: told(item, depth + 1)
    if value is None:
        return "N"
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, np.generic):
        return "n" + value.dtype.name.rstrip("0123456789") + value.astype(value.dtype.newbyteorder("<")).tobytes().hex()
    if isinstance(value, int):
        return "i%d" % value
    if isinstance(value, float):
        return "f" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "s" + value.encode("utf-16-be", "surrogatepass").hex()
    if isinstance(value, bytes):
        return "b" + value.hex()
    if isinstance(value, bytearray):
        return "a" + value.hex()
    if isinstance(value, tuple):
        return "(" + ",".join(map(inner, value)) + ")"
    if isinstance(value, list):
        return "[" + ",".join(map(inner, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return type(value).__name__[0] + "{" + ",".join(sorted(map(inner, value))) + "}"
    if isinstance(value, dict):
        items = ",".join(inner(k) + ":" + inner(v) for k, v in value.items())
        return {dict: "d", collections.OrderedDict: "o", collections.defaultdict: "D"}[type(value)] + "{" + items + "}"
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<")).tobytes()
        return "A%s%s%s" % (value.dtype.name.rstrip("0123456789"), list(value.shape), hashlib.sha256(data).hexdigest())
    if isinstance(value, np.dtype):
        return "t" + (value.str if value.itemsize > 1 else "|" + value.str[1:])
    raise TypeError(type(value))


class Values:
    def __init__(self, random):
        self.random = random

    def text(self):
        r = self.random
        alphabet = r.choice(["ab", "a\\\n\0\r\x1a\u00e9\xff", "\U0001f600a\ud800", "u\\U0041\u20ac"])
        return "".join(r.choice(alphabet) for _ in range(r.choice([0, 1, 5, 5, 300, 1500])))

    def array(self):
        r = self.random
        kind = r.choice(["?", "i1", "<i2", ">i4", "i8", "u1", "u2", ">u8", "f2", "<f4", ">f4", "f8", "c8", ">c16"])
        shape = tuple(r.choice([0, 1, 2, 3, 5, 17]) for _ in range(r.randrange(4)))
        size = int(np.prod(shape))
        data = np.frombuffer(r.randbytes(size * np.dtype(kind).itemsize), dtype=kind)
        array = (data & True if kind == "?" else data).reshape(shape)
        array = array.copy(order=r.choice("CF"))
        return array.transpose(r.sample(range(len(shape)), len(shape))) if r.random() < 0.3 else array

    def scalar(self):
        r = self.random
        return r.choice([np.float32(r.random()), np.int64(r.randrange(9)), np.uint8(3), np.float16(2), np.bool_(1), np.complex64(1j), np.float64(0.5)])

    def key(self, depth=0):
        r = self.random
        choice = r.randrange(9)
        if choice == 0 and depth < 3:
            return tuple(self.key(depth + 1) for _ in range(r.randrange(3)))
        if choice == 1 and depth < 3:
            return frozenset(self.key(depth + 1) for _ in range(r.randrange(3)))
        return r.choice([None, True, False, 0, 1, 2, 1.0, 2.5, -0.0, 1 << 70, float(1 << 70), "a", "b", b"a", "", np.int8(1), np.float32(2), np.str_("a")])

    def value(self, depth=0):
        r = self.random
        some = range(r.choice([0, 1, 2, 3, 12]) if depth < 4 else 0)
        choice = r.randrange(16)
        if choice == 0:
            return [self.value(depth + 1) for _ in some]
        if choice == 1:
            return tuple(self.value(depth + 1) for _ in some)
        if choice in (2, 3):
            kind = r.choice([dict, dict, collections.OrderedDict, lambda d: collections.defaultdict(list, d)])
            return kind({self.key(): self.value(depth + 1) for _ in some})
        if choice == 4:
            return r.choice([set, frozenset])(self.key() for _ in some)
        if choice in (5, 6):
            return self.array()
        if choice == 7:
            return self.scalar()
        if choice == 8:
            return r.choice([bytes, bytearray])(r.randbytes(r.choice([0, 1, 255, 256, 257, 3000])))
        if choice == 9:
            return self.text()
        if choice == 10:
            return r.choice([-1, 1]) * r.getrandbits(r.choice([1, 7, 8, 16, 31, 32, 33, 63, 64, 65, 200, 3000]))
        if choice == 11:
            return struct.unpack(">d", r.randbytes(8))[0] if r.random() < 0.5 else r.choice([0.1, float("inf"), -0.0, 1e-310])
        if choice == 12:
            shared = self.value(depth + 1)
            return [shared, shared]
        return r.choice([None, True, False, np.dtype(">f4"), np.dtype("c16"), 7])


GLOBALS = ["numpy.core.multiarray _reconstruct", "numpy ndarray", "numpy dtype", "numpy.core.multiarray scalar",
           "numpy.core.numeric _frombuffer", "_codecs encode", "collections OrderedDict", "collections defaultdict",
           "builtins list", "builtins dict", "__builtin__ set", "builtins frozenset", "builtins bytes", "__builtin__ bytearray"]
ATOMS = [b"N", b"\x88", b"\x89", b"K\x01", b"K\x02", b"J\xff\xff\xff\xff", b"M\x01\x01", b"I1\n", b"I01\n", b"I00\n", b"L5L\n",
         b"\x8a\x01\xff", b"\x8a\x00", b"F1.0\n", b"F-2.5e1\n", b"G?\xf0\0\0\0\0\0\0", b"G\x7f\xf8\0\0\0\0\0\1", b"S'ab'\n", b"U\x01a", b"T\x01\0\0\0b",
         b"Va\\u0041\n", b"X\x01\0\0\0a", b"\x8c\x01b", b"\x8d\x01\0\0\0\0\0\0\0c", b"C\x01a", b"B\x01\0\0\0a", b"\x8e\x02\0\0\0\0\0\0\0ab",
         b"\x96\x01\0\0\0\0\0\0\0a", b"]", b"}", b")", b"\x8f", b"](K\x01K\x02e", b"K\x01K\x02\x86", b"](K\x01K\x02\x86K\x02K\x03\x86e",
         b"\x8c\x02f4", b"\x8c\x03>i2", b"\x8c\x06latin1", b"C\x08abcdefgh", b"K\x02\x85", b"\x8c\x01C", b"\x8c\x01F", b"\x8c\x01K"]
DTYPE = b"cnumpy\ndtype\n\x8c\x02%s\x89\x88\x87R(K\x03\x8c\x01%sNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
ARRAY = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R"
OTHERS = [b"(", b"(", b"0", b"1", b"2", b"e", b"a", b"t", b"\x85", b"\x86", b"\x87", b"d", b"l", b"s", b"u", b"\x90", b"\x91", b"R", b"R",
          b"b", b"o", b"\x81", b"\x94", b"\x94", b"q\x01", b"p2\n", b"r\x07\0\0\0", b"h\x00", b"h\x01", b"g2\n", b"j\x01\0\0\0", b"\x95\x01\0\0\0\0\0\0\0",
          b"\x80\x02", b"\x80\x04"]
WHOLE = [ARRAY + b"(K\x01K\x02K\x02\x86" + DTYPE % (b"i2", b"<") + b"\x89C\x08abcdefghtb",
         ARRAY + b"(K\x01K\x02K\x02\x86" + DTYPE % (b"i2", b">") + b"\x88C\x08abcdefghtb",
         b"cnumpy.core.multiarray\nscalar\n" + DTYPE % (b"f8", b">") + b"C\x08abcdefgh\x86R",
         b"cnumpy.core.numeric\n_frombuffer\n(C\x08abcdefgh" + DTYPE % (b"u2", b"<") + b"K\x02K\x02\x86\x8c\x01FtR",
         b"cnumpy.core.numeric\n_frombuffer\n(C\x08abcdefgh" + DTYPE % (b"u1", b"|") + b"J\xff\xff\xff\xffK\x04\x86\x8c\x01CtR",
         b"c_codecs\nencode\n\x8c\x02\xc3\xa9\x8c\x06latin1\x86R", b"ccollections\nOrderedDict\n)R", b"ccollections\ndefaultdict\ncbuiltins\nlist\n\x85R",
         b"cbuiltins\nset\n](K\x01\x88G?\xf0\0\0\0\0\0\0K\x02e\x85R", b"(\x88K\x01K\x02\x91", b"}(\x88K\x01K\x01K\x02G?\xf0\0\0\0\0\0\0K\x03u"]


def program(r):
    parts = [b"\x80" + bytes([r.randrange(6)])] if r.random() < 0.5 else []
    for _ in range(r.randrange(1, 25)):
        kind = r.random()
        if kind < 0.35:
            parts.append(r.choice(ATOMS))
        elif kind < 0.5:
            parts.append(r.choice(WHOLE))
        elif kind < 0.55:
            parts.append(b"c" + r.choice(GLOBALS).replace(" ", "\n").encode() + b"\n")
        elif kind < 0.6:
            parts.append(DTYPE % (r.choice([b"f4", b"i8", b"u1"]), r.choice([b"<", b">", b"|"])))
        elif kind < 0.63:
            parts.append(ARRAY)
        else:
            parts.append(r.choice(OTHERS))
    parts.append(b"\x94." if r.random() < 0.3 else b".")
    return b"".join(parts)


def written(r, value):
    protocol = r.randrange(6)
    if r.random() < 0.2 and protocol < 5:  # its memo is wrong about buffers
        return pickle._dumps(value, protocol)
    out = io.BytesIO()
    pickler = pickle.Pickler(out, protocol)
    pickler.fast = r.random() < 0.1
    pickler.dump(value)
    return out.getvalue()


def main(count, seed):
    r = random.Random(seed)
    values = Values(r)
    for i in range(count):
        case = program(r) if i % 2 else written(r, values.value())
        try:
            verdict = told(pickle.loads(case))
        except Exception as e:
            verdict = "!%s" % type(e).__name__
        text = verdict.encode()
        sys.stdout.buffer.write(struct.pack("<qq", len(case), len(text)) + case + text)


main(int(sys.argv[1]), int(sys.argv[2]))
