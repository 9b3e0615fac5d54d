"""Writes the files of torch.save, numpy and safetensors with Python's own library alone.

Each function leaves the bytes that the program itself leaves, as far as the comments do not say
otherwise; program_folders.py makes folders of them.
"""

import collections
import io
import json
import pickle
import random
import struct
import sys
import types
import zlib

# name of safetensors, class of torch's storages, descr of numpy, code of struct for the stored bits
BF16 = ("BF16", "BFloat16Storage", "<V2", "H")  # numpy: ml_dtypes 0.6.0, bfloat16 has the kind V
F16 = ("F16", "HalfStorage", "<f2", "H")
F32 = ("F32", "FloatStorage", "<f4", "I")
I64 = ("I64", "LongStorage", "<i8", "q")
I32 = ("I32", "IntStorage", "<i4", "i")


class Array:
    """An array in C order: numbers of floats are the bits that are stored."""

    def __init__(self, dtype, shape, items):
        self.dtype, self.shape, self.items = dtype, tuple(shape), list(items)

    def rows(self):
        """The arrays below the first dimension."""
        n = len(self.items) // self.shape[0]
        return [Array(self.dtype, self.shape[1:], self.items[i * n:(i + 1) * n])
                for i in range(self.shape[0])]

    def floats(self):
        """The numbers that the bits stand for."""
        if self.dtype == F16:
            return [struct.unpack("<e", struct.pack("<H", bits))[0] for bits in self.items]
        shift = 16 if self.dtype == BF16 else 0
        return [struct.unpack("<f", struct.pack("<I", bits << shift))[0] for bits in self.items]

    def __bytes__(self):
        return struct.pack(f"<{len(self.items)}{self.dtype[3]}", *self.items)


class Numbers:
    """Numbers that depend on a seed alone."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def floats(self, dtype, *shape):
        """Numbers between -8 and 8."""
        items = []
        for _ in range(count(shape)):
            value = (self.random.getrandbits(24) - (1 << 23)) / (1 << 20)
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            half = struct.unpack("<H", struct.pack("<e", value))[0]
            items.append({"BF16": bits >> 16, "F16": half, "F32": bits}[dtype[0]])
        return Array(dtype, shape, items)

    def ids(self, *shape):
        """Ids of tokens of GPT-2, none of them a special one."""
        return Array(I64, shape, (self.random.getrandbits(15) for _ in range(count(shape))))


def count(shape):
    product = 1
    for size in shape:
        product *= size
    return product


def cat(arrays):
    """Joins arrays along their first dimension."""
    rows = sum(array.shape[0] for array in arrays)
    return Array(arrays[0].dtype, (rows, *arrays[0].shape[1:]),
                 (item for array in arrays for item in array.items))


# safetensors


def safetensors(tensors):
    """save_file without metadata, safetensors/src/tensor.rs of safetensors 0.8.0: `prepare` orders
    by descending alignment of the types, which is that of their declaration, then by name; the
    header is filled up with blanks to a multiple of 8."""
    order = [I64, F32, I32, BF16, F16]
    header, body = {}, b""
    for name in sorted(tensors, key=lambda name: (order.index(tensors[name].dtype), name)):
        tensor = tensors[name]
        end = len(body) + len(bytes(tensor))
        header[name] = {"dtype": tensor.dtype[0], "shape": tensor.shape,
                        "data_offsets": [len(body), end]}
        body += bytes(tensor)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


# numpy


def npy(array):
    """numpy/lib/_format_impl.py of numpy 2.4, `_write_array_header`: a dictionary in the order of
    its keys, blanks, room for 21 digits of the first size, and the data at a multiple of 64."""
    shape = repr(array.shape)
    text = f"{{'descr': {array.dtype[2]!r}, 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * max(0, 21 - len(repr(array.shape[0])))
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + bytes(array)


def npz(arrays, compressed=False):
    """numpy/lib/_npyio_impl.py of numpy 2.4, `_savez`: entries NAME.npy, opened with
    force_zip64; Lib/zipfile.py of CPython 3.11.4: their headers."""
    out, directory = b"", b""
    for key, array in arrays.items():
        name, content = f"{key}.npy".encode(), npy(array)
        packer = zlib.compressobj(-1, zlib.DEFLATED, -15)
        packed = packer.compress(content) + packer.flush() if compressed else content
        method, crc = 8 if compressed else 0, zlib.crc32(content)
        start = struct.pack("<4HL", 0, method, 0, 0x21, crc)
        extra = struct.pack("<2H2Q", 1, 16, len(content), len(packed))
        directory += (b"PK\x01\x02" + struct.pack("<4B", 45, 3, 45, 0) + start
                      + struct.pack("<2L5H2L", len(packed), len(content), len(name), 0, 0, 0, 0,
                                    0o600 << 16, len(out)) + name)
        out += (b"PK\x03\x04" + struct.pack("<H", 45) + start
                + struct.pack("<2L2H", 0xffffffff, 0xffffffff, len(name), len(extra)) + name + extra
                + packed)
    return out + directory + b"PK\x05\x06" + struct.pack("<4H2LH", 0, 0, len(arrays), len(arrays),
                                                         len(directory), len(out), 0)


# torch


class Storage:
    """What torch/serialization.py of torch 2.13, `persistent_id` in `_save`, writes as a tuple."""

    def __init__(self, array):
        self.array = array


class View:
    """A tensor whose elements begin at an offset of a storage that others share."""

    def __init__(self, storage, offset, shape):
        self.storage, self.offset, self.shape = storage, offset, shape

    def __reduce_ex__(self, protocol):
        # torch/_tensor.py of torch 2.13, `_reduce_ex_internal`: storage, offset, size, stride,
        # requires_grad, backward hooks
        strides = [count(self.shape[i + 1:]) for i in range(len(self.shape))]
        return (fake("torch._utils", "_rebuild_tensor_v2"),
                # a tuple of its own for each tensor, as torch makes one of torch.Size
                (self.storage, self.offset, tuple(list(self.shape)), tuple(strides), False,
                 collections.OrderedDict()))


def tensor(array):
    return View(Storage(array), 0, array.shape)


def fake(module, name):
    """Returns an object that is pickled as a global of a module, which need not be installed."""
    for part in ("torch", module):
        sys.modules.setdefault(part, types.ModuleType(part))
    if not hasattr(sys.modules[module], name):
        made = type(name, (), {"__module__": module, "__qualname__": name})
        setattr(sys.modules[module], name, made)
    return getattr(sys.modules[module], name)


class TorchPickler(pickle.Pickler):
    def __init__(self, out, storages):
        super().__init__(out, protocol=2)  # torch/serialization.py: DEFAULT_PROTOCOL = 2
        self.storages = storages

    def persistent_id(self, obj):
        if not isinstance(obj, Storage):
            return None
        if obj not in self.storages:
            self.storages.append(obj)
        return ("storage", fake("torch", obj.array.dtype[1]), str(self.storages.index(obj)), "cpu",
                len(obj.array.items))


def torch_save(obj, name):
    """torch/serialization.py of torch 2.13, `_save`: the records and their order.

    Arrays of dictionaries and lists become tensors. `name` is that of the file without its last
    ending, or "archive" if torch.save wrote to a stream.
    """
    storages, out = [], io.BytesIO()
    TorchPickler(out, storages).dump(tensors_of(obj))
    records = {"data.pkl": out.getvalue(), ".format_version": b"1", ".storage_alignment": b"64",
               "byteorder": b"little"}
    for key, storage in enumerate(storages):
        records[f"data/{key}"] = bytes(storage.array)
    records["version"] = b"3\n"
    # two numbers of 20 digits: a hash of the names, which here is a checksum of them, and one of
    # the checksums (caffe2/serialize/inline_container.cc, `writeSerializationId`)
    names = zlib.crc32("".join(records).encode())
    crcs = zlib.crc32(b"".join(records.values()))
    records[".data/serialization_id"] = b"%020d%020d" % (names, crcs)
    return torch_zip({f"{name}/{record}": content for record, content in records.items()})


def tensors_of(obj):
    if isinstance(obj, Array):
        return tensor(obj)
    if isinstance(obj, dict):
        return {key: tensors_of(value) for key, value in obj.items()}
    return [tensors_of(item) for item in obj] if isinstance(obj, list) else obj


def torch_zip(records):
    """caffe2/serialize/inline_container.cc of torch 2.13, `getPadding`: an extra field FB moves the
    data of each record to a multiple of 64; miniz writes a data descriptor behind it, no dates and
    no versions, and the end of the directory twice, as zip64."""
    out, directory = b"", b""
    for record, content in records.items():
        name = record.encode()
        padding = -(len(out) + 30 + len(name) + 4) % 64
        extra = b"FB" + struct.pack("<H", padding) + b"Z" * padding
        sums = struct.pack("<3L", zlib.crc32(content), len(content), len(content))
        directory += (b"PK\x01\x02" + struct.pack("<6H", 0, 0, 0x0808, 0, 0, 0) + sums
                      + struct.pack("<5H2L", len(name), 0, 0, 0, 0, 0, len(out)) + name)
        out += b"PK\x03\x04" + struct.pack("<5H3L2H", 0, 0x0808, 0, 0, 0, 0, 0, 0, len(name),
                                           len(extra))
        out += name + extra + content + b"PK\x07\x08" + sums
    n, begin, end = len(records), len(out), len(out) + len(directory)
    return (out + directory
            + b"PK\x06\x06" + struct.pack("<Q2H2L4Q", 44, 0x031e, 45, 0, 0, n, n, len(directory),
                                          begin)
            + b"PK\x06\x07" + struct.pack("<LQL", 0, end, 1)
            + b"PK\x05\x06" + struct.pack("<4H2LH", 0, 0, n, n, len(directory), begin, 0))
