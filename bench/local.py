"""Tables about one machine: the start, conversions beside cp, files that are forced to the disk, digests."""

import importlib.util
import sys
import time

from datasets import BLOCKS, SMALL, WIDE, Pair, Sizes
from measure import GIB, Command, Row, output, race

BASE = 0.036  # CPU seconds of java -version on the machine of the goals


def start(bench):
    """The commands that a user types first, beside the start of a JVM and of numpy, in CPU seconds."""
    fixture = f"{bench.home}/fixtures/saev/shards/64988989"
    out = f"{bench.disk}/out"
    goals = {"`--version`": 0.25, "a mistake": 0.3, "`inspect`": 0.45, "smallest `convert`": 1.1}
    peers = {"java -version": Command("java -version"), "import numpy": Command(f"{sys.executable} -c 'import numpy'")}
    commands = peers | {
        "`--version`": Command(f"{bench.ours} --version"),
        "a mistake": Command(f"{bench.ours} inspct; [ $? = 2 ]"),
        "`inspect`": Command(f"{bench.ours} inspect {fixture}"),
        "smallest `convert`": Command(f"{bench.ours} convert {fixture} {out} --to safetensors", out),
    }
    if not bench.smoke:
        race(commands, 1)  # the first command after a build has an archive of classes made
        time.sleep(30)
    times = race(commands, 1 if bench.smoke else 11)
    cpu = {name: times[name].median("cpu") for name in commands}
    return [Row(name, f"`{peer}`", cpu[name], cpu[peer],
                round(goal / BASE, 1) if peer == "java -version" else None, "CPU s")
            for name, goal in goals.items() for peer in peers]


def blocks(bench):
    """SAEV to safetensors without forcing files to the disk, beside cp -r, by the size of a block."""
    rows = []
    # with 2 GiB to write, the system begins to write them while the command runs, which is another measurement
    sizes = Sizes(bench.smoke, 7 * GIB // 4, 5)
    for block in [SMALL] if bench.smoke else BLOCKS:
        pair = Pair(sizes, bench.memory, block)
        for where, folder in {"tmpfs": bench.memory, "disk": bench.disk}.items():
            out = f"{folder}/out"
            commands = {}
            for size, source in pair.folders.items():
                convert = f"{bench.ours} convert {source} {out} --to safetensors --no-fsync --columns"
                commands |= {f"cp {size}": Command(f"cp -r {source} {out}", out),
                             f"acts {size}": Command(f"{convert} acts", out),
                             f"layers {size}": Command(f"{convert} layers", out)}
            times = race(commands, sizes.turns, bench.filler)
            rows += [pair.row(times, f"`{columns}`, {block}, {where}", "`cp -r`", columns, "cp", goal)
                     for columns, goal in (("acts", 0.6), ("layers", 0.7))]
        bench.remove(*pair.folders.values())
    return rows


def durable(bench):
    """SAEV to safetensors with every file on the disk before it is published, beside cp -r && sync."""
    pair = Pair(bench.sizes, bench.memory, WIDE)
    out = f"{bench.disk}/out"
    commands = {}
    for size, source in pair.folders.items():
        convert = f"{bench.ours} convert {source} {out} --to safetensors --columns"
        commands |= {
            f"cp {size}": Command(f"cp -r {source} {out} && sync", out),
            f"acts {size}": Command(f"{convert} acts", out),
            f"one task {size}": Command(f"{convert} acts -D mapreduce.local.map.tasks.maximum=1", out),
            f"layers {size}": Command(f"{convert} layers", out),
        }
    source = pair.folders["small"]
    commands["numpy"] = Command(f"{sys.executable} {bench.scripts}/numpy_save.py {source} {out}", out)
    commands["no fsync"] = Command(f"{bench.ours} convert {source} {out} --to safetensors --no-fsync", out)
    times = race(commands, bench.sizes.turns, bench.filler)
    bench.remove(*pair.folders.values())
    save = "save_file" if importlib.util.find_spec("safetensors") else "tofile"
    copied, acts, numpy, ours = (times[name].median() for name in ("cp small", "acts small", "numpy", "no fsync"))
    return [
        *(pair.row(times, label, "`cp -r && sync`", name, "cp", 1.0) for name, label in (
            ("acts", "`acts`, two tasks"), ("one task", "`acts`, one task"), ("layers", "`layers`, two tasks"))),
        Row("1 GiB, seconds beyond the peer's", "`cp -r && sync`", acts, copied, 0.8, figure=acts - copied),
        Row("1 GiB, `--no-fsync`", f"numpy: `memmap`, `{save}`", ours, numpy, 0.5),
    ]


def samediff(bench):
    """SAEV to SameDiff and back, beside cp -r && sync."""
    pair = Pair(bench.sizes, bench.memory, WIDE)
    out = f"{bench.disk}/out"
    commands = {}
    for size, source in pair.folders.items():
        output(f"{bench.ours} convert {source} {source}-sdnb --to samediff --no-fsync")
        to = f"{bench.ours} convert {source} {out} --to samediff --container"
        commands |= {
            f"cp {size}": Command(f"cp -r {source} {out} && sync", out),
            f"sdnb {size}": Command(f"{to} sdnb", out),
            f"sdz {size}": Command(f"{to} sdz", out),
            f"read {size}": Command(f"{bench.ours} convert {source}-sdnb {out} --to safetensors", out),
        }
    times = race(commands, min(bench.sizes.turns, 2), bench.filler)
    bench.remove(*pair.folders.values(), *(f"{source}-sdnb" for source in pair.folders.values()))
    return [pair.row(times, label, "`cp -r && sync`", name, "cp") for name, label in (
        ("sdnb", "SAEV to SDNB"), ("sdz", "SAEV to SDZ"), ("read", "SDNB to safetensors"))]


def digest(bench):
    """Digests, beside a program with two threads that only hashes the files, and statistics beside digests."""
    output(f"javac -d {bench.memory} {bench.scripts}/HashFiles.java")
    rows = []
    for block in [SMALL] if bench.smoke else BLOCKS:
        pair = Pair(bench.sizes, bench.memory, block)
        commands = {}
        for size, source in pair.folders.items():
            commands |= {f"hash {size}": Command(f"java -cp {bench.memory} HashFiles {source}/acts*.bin"),
                         f"digest {size}": Command(f"{bench.ours} digest {source}"),
                         f"save {size}": Command(f"{bench.ours} digest --save={bench.memory}/sums {source}"),
                         f"stats {size}": Command(f"{bench.ours} stats {source}")}
        times = race(commands, bench.sizes.turns)
        rows += [pair.row(times, f"`digest`, {block}", "`MessageDigest`", "digest", "hash", 1.25),
                 pair.row(times, f"`digest --save`, {block}", "`MessageDigest`, twice", "save", "hash", factor=2),
                 pair.row(times, f"`stats`, {block}", "`digest`", "stats", "digest", 1.43)]
        bench.remove(*pair.folders.values())
    return rows
