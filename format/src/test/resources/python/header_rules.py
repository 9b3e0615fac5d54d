"""The rules of safetensors headers, written a second time and without regard for speed.

Reads cases from standard input, each a length (u64) and a whole safetensors file, and prints one line a case: the kind of error, or `ok`, whether only lenient readers accept it, the
metadata and the tensors.
"""

import json
import re
import struct
import sys

BITS = {"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "C64": 64}
BITS.update({sign + str(bits): bits for sign in "UI" for bits in (8, 16, 32, 64)})
BITS.update({"F16": 16, "BF16": 16, "F32": 32, "F64": 64})
BITS.update({"F8_" + kind: 8 for kind in ("E5M2", "E4M3", "E8M0", "E4M3FNUZ", "E5M2FNUZ")})
U64 = 2**64


class Refused(Exception):
    pass


class Object(list):
    """The pairs of a JSON object, in order and with duplicates."""


class Number(str):
    """The text of a JSON number."""


def malformed():
    raise Refused("InvalidHeaderDeserialization")


def no_constant(_):
    malformed()


def load(text):
    try:
        return json.loads(
            text,
            object_pairs_hook=Object,
            parse_int=Number,
            parse_float=Number,
            parse_constant=no_constant,
        )
    except (ValueError, RecursionError):
        malformed()


def check(value, depth):
    """What serde_json refuses and Python's json does not."""
    if isinstance(value, Number):
        if float(value) in (float("inf"), float("-inf")):
            malformed()
    elif isinstance(value, str):
        if re.search("[\ud800-\udfff]", value):
            malformed()
    elif isinstance(value, list):
        if depth > 127:
            malformed()
        for element in value:
            if isinstance(value, Object):
                check(element[0], depth + 1)
                check(element[1], depth + 1)
            else:
                check(element, depth + 1)


def unsigned(value):
    if not isinstance(value, Number) or not re.fullmatch("[0-9]{1,20}", value):
        malformed()
    if int(value) >= U64:
        malformed()
    return int(value)


def array(value):
    if isinstance(value, Object) or not isinstance(value, list):
        malformed()
    return value


class Header:
    def __init__(self, root):
        self.odd = False
        self.tensors = {}
        self.metadata = None
        if not isinstance(root, Object):
            malformed()
        names = [name for name, _ in root]
        if names.count("__metadata__") > 1:
            malformed()
        self.odd |= len(set(names)) < len(names)
        for name, value in root:
            if name == "__metadata__":
                self.metadata = self.texts(value)
            else:
                self.tensors[name] = self.tensor(value)

    def texts(self, value):
        if value is None:
            return None
        if not isinstance(value, Object):
            malformed()
        for _, text in value:
            if not isinstance(text, str) or isinstance(text, Number):
                malformed()
        self.odd |= len(dict(value)) < len(value)
        return dict(value)

    def tensor(self, value):
        if isinstance(value, Object):
            known = [key for key, _ in value if key in ("dtype", "shape", "data_offsets")]
            if len(known) != 3 or len(set(known)) != 3:
                malformed()
            fields = dict(value)
            dtype, shape, offsets = fields["dtype"], fields["shape"], fields["data_offsets"]
        else:
            self.odd = True
            if len(array(value)) != 3:
                malformed()
            dtype, shape, offsets = value
        if len(array(offsets)) != 2:
            malformed()
        dimensions = [unsigned(dimension) for dimension in array(shape)]
        return self.dtype(dtype), dimensions, unsigned(offsets[0]), unsigned(offsets[1])

    def dtype(self, value):
        if isinstance(value, Object):
            self.odd = True
            if len(value) != 1 or value[0][1] is not None:
                malformed()
            value = value[0][0]
        if not isinstance(value, str) or isinstance(value, Number) or value not in BITS:
            malformed()
        return value


def check_layout(tensors, data_bytes):
    at = 0
    for dtype, shape, begin, end in sorted(tensors, key=lambda tensor: tensor[2:]):
        if begin != at or end < begin:
            raise Refused("InvalidOffset")
        at = end
        size = 1
        for factor in [*shape, BITS[dtype]]:
            size *= factor
            if size >= U64:
                raise Refused("ValidationOverflow")
        if size % 8:
            raise Refused("MisalignedSlice")
        if end - begin != size // 8:
            raise Refused("TensorInvalidInfo")
    if at != data_bytes:
        raise Refused("MetadataIncompleteBuffer")


def read(file):
    if len(file) < 8:
        raise Refused("HeaderTooSmall")
    (n,) = struct.unpack("<Q", file[:8])
    if n > 100_000_000:
        raise Refused("HeaderTooLarge")
    if 8 + n > len(file):
        raise Refused("InvalidHeaderLength")
    try:
        text = file[8 : 8 + n].decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("InvalidHeader") from None
    root = load(text)
    check(root, 1)
    header = Header(root)
    check_layout(header.tensors.values(), len(file) - 8 - n)
    return header


def hexed(text):
    return "x" + text.encode("utf-8").hex()


def verdict(file):
    try:
        header = read(file)
    except Refused as refused:
        return str(refused)
    metadata = "none"
    if header.metadata is not None:
        metadata = ",".join(sorted(hexed(k) + hexed(v) for k, v in header.metadata.items()))
    tensors = [
        "%s %s %s %d %d" % (hexed(name), dtype, shape, begin, end)
        for name, (dtype, shape, begin, end) in header.tensors.items()
    ]
    return "|".join(["ok", "odd" if header.odd else "plain", metadata, *sorted(tensors)])


while length := sys.stdin.buffer.read(8):
    print(verdict(sys.stdin.buffer.read(struct.unpack("<Q", length)[0])))
