"""The table of arrays that other programs saved, compared with the scripts that a conversion replaces."""

import importlib.util
import math
import pathlib
import struct
import sys
import zipfile

from datasets import CHUNK
from measure import GIB, Command, Row, race
from own_arrays import vllm

EXAMPLE = [4, 64, 1024]  # layers, tokens and values of float32
EXAMPLE_BYTES = 4 * math.prod(EXAMPLE)


def shape(size):
    return [size // EXAMPLE_BYTES, *EXAMPLE]


def write(file, size):
    for start in range(0, size, len(CHUNK)):
        file.write(CHUNK[: size - start])


def npy(path, size):
    """Writes an array as numpy.save does, and returns its bytes."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape(size))}, }}".ljust(117) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        write(f, size)
    return size


def pt(path, size):
    """Writes a dictionary of a tensor "acts" as torch.save does, and returns its bytes."""
    def text(value):
        return b"X" + struct.pack("<I", len(value)) + value.encode()

    def integers(*values):
        return b"(" + b"".join(b"\x8a\x08" + struct.pack("<q", value) for value in values) + b"t"

    size_of = shape(size)
    strides = [math.prod(size_of[axis + 1:]) for axis in range(4)]
    storage = (b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text("0") + text("cpu")
               + integers(size // 4)[1:-1] + b"tQ")
    tensor = (b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + integers(0)[1:-1] + integers(*size_of)
              + integers(*strides) + b"\x89ccollections\nOrderedDict\n)RtR")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("acts/data.pkl", b"\x80\x02}" + text("acts") + tensor + b"s.")
        with file.open("acts/data/0", "w", force_zip64=True) as f:
            write(f, size)
        file.writestr("acts/version", "3\n")
    return size


def arrays(bench):
    """Arrays of other programs to safetensors without forcing files to the disk, compared with a script of numpy or torch."""
    peer = "torch" if importlib.util.find_spec("torch") else "numpy"
    rows = kind(bench, "acts.npy", npy, "numpy: `memmap`, `save_file`", "numpy_arrays.py", "")
    rows += kind(bench, "acts.pt", pt, f"{peer}: `load`, `save_file`", "numpy_arrays.py", "")
    files = 40 if bench.smoke else 10000
    return rows + kind(
        bench, f"{files:,} files of vLLM", lambda path, size: vllm(path, files * size // bench.sizes.small, 1),
        "numpy: `concatenate`, `tofile`", "numpy_vllm.py", "--tensor hidden_states=token,layer,dim --ragged flatten")


def kind(bench, name, make, peer, script, options):
    """The rows of one kind of files: all of them, and the slope from a fourth of them on."""
    folder, out = pathlib.Path(bench.memory), f"{bench.disk}/out"
    suffix = pathlib.Path(name).suffix
    commands, sizes = {}, {}
    for size, part in {"small": 4, "large": 1}.items():
        source = folder / f"{size}{suffix}"
        sizes[size] = make(source, bench.sizes.small // part)
        commands |= {
            f"peer {size}": Command(f"{sys.executable} {bench.scripts}/{script} {source} {out}", out),
            f"ours {size}": Command(
                f"{bench.ours} convert {source} {out} --to safetensors --no-fsync --columns acts {options}", out)}
    times = race(commands, bench.sizes.turns, bench.filler)
    bench.remove(*folder.glob(f"small{suffix}"), *folder.glob(f"large{suffix}"))
    gib = (sizes["large"] - sizes["small"]) / GIB
    slope = {who: (times[f"{who} large"].median() - times[f"{who} small"].median()) / gib for who in ("ours", "peer")}
    cpu = {who: times[f"{who} large"].median("cpu") for who in ("ours", "peer")}
    return [Row(f"`{name}`" if suffix else name, peer, times["ours large"].median(), times["peer large"].median(), 1.0),
            Row(f"{name}, CPU time", peer, cpu["ours"], cpu["peer"], None, "CPU s"),
            Row(f"{name}, slope", peer, slope["ours"], slope["peer"], 0.5, "s/GiB")]
