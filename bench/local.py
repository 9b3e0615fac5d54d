"""Tables about one machine: the start, conversions beside cp, files that are forced to the disk, digests."""

from datasets import BLOCKS, WIDE
from measure import GIB, Command, Row, Table, output, race, slope


def start(bench):
    """The commands that a user types first, beside the start of a JVM."""
    fixture = f"{bench.home}/fixtures/saev/shards/64988989"
    out = f"{bench.disk}/out"
    commands = {
        "java -version": Command("java -version"),
        "import numpy": Command("python3 -c 'import numpy'"),
        "--version": Command(f"{bench.ours} --version"),
        "a mistake": Command(f"{bench.ours} inspct; [ $? = 2 ]"),
        "inspect": Command(f"{bench.ours} inspect {fixture}"),
        "smallest convert": Command(f"{bench.ours} convert {fixture} {out} --to safetensors", out),
    }
    for command in commands.values():  # the first start of a JVM or a new jar makes an archive of classes
        output(f"{'rm -rf ' + command.creates + '; ' if command.creates else ''}{command.shell}")
    bench.settle()
    times = race(commands, 1 if bench.smoke else 11)
    jvm = times["java -version"].median("cpu")
    # the goals in CPU seconds, on a machine where java -version takes 0.036
    goals = {"--version": 0.25, "a mistake": 0.3, "inspect": 0.45, "smallest convert": 1.1}
    rows = [Row(name, "java -version", times[name].median("cpu"), jvm, round(goal / 0.036, 1), "CPU s")
            for name, goal in goals.items()]
    rows.append(Row("python3 -c 'import numpy'", "java -version", times["import numpy"].median("cpu"), jvm,
                    unit="CPU s"))
    return Table("start", rows)


def blocks(bench):
    """SAEV to safetensors without forcing files to the disk, beside cp -r, by block size."""
    rows = []
    for where, folder in bench.folders().items():
        for block in BLOCKS[-1:] if bench.smoke else BLOCKS:
            sources, (small, large) = bench.sizes.pair(folder, block)
            commands = {}
            for size, source in sources.items():
                out = f"{folder}/out"
                commands[f"cp {size}"] = Command(f"cp -r {source} {out}", out)
                for columns in ("acts", "layers"):
                    commands[f"{columns} {size}"] = Command(
                        f"{bench.ours} convert {source} {out} --to safetensors --columns {columns} --no-fsync", out)
            times = race(commands, bench.sizes.turns)
            rows += [Row(f"`{columns}`, blocks of {block}, {where}", "`cp -r`", slope(times, columns, small, large),
                         slope(times, "cp", small, large), goal, "s/GiB")
                     for columns, goal in (("acts", 0.6), ("layers", 0.7))]
            bench.remove(*sources.values())
    return Table("blocks", rows)


def durable(bench):
    """SAEV to safetensors with every file on the disk before it is published, beside cp -r && sync."""
    sources, (small, large) = bench.sizes.pair(bench.disk, WIDE)
    out = f"{bench.disk}/out"
    commands = {}
    for size, source in sources.items():
        convert = f"{bench.ours} convert {source} {out} --to safetensors --columns"
        commands |= {
            f"cp {size}": Command(f"cp -r {source} {out} && sync", out),
            f"acts {size}": Command(f"{convert} acts", out),
            f"one task {size}": Command(f"{convert} acts -D mapreduce.local.map.tasks.maximum=1", out),
            f"layers {size}": Command(f"{convert} layers", out),
        }
    commands["numpy"] = Command(f"python3 {bench.scripts}/numpy_save.py {sources['small']} {out}", out)
    commands["no fsync"] = Command(f"{bench.ours} convert {sources['small']} {out} --to safetensors --no-fsync", out)
    times = race(commands, bench.sizes.turns)
    peer = slope(times, "cp", small, large)
    rows = [Row(label, "`cp -r && sync`", slope(times, name, small, large), peer, 1.0, "s/GiB")
            for name, label in (("acts", "`acts`, two tasks"), ("one task", "`acts`, one task"),
                                ("layers", "`layers`, two tasks"))]
    whole, copied = times["acts small"].median(), times["cp small"].median()
    rows.append(Row("`acts`, 1 GiB, seconds more than the peer", "`cp -r && sync`", whole, copied, 0.8,
                    figure=whole - copied))
    rows.append(Row("`acts`, 1 GiB, `--no-fsync`", "numpy: `memmap`, `tofile`", times["no fsync"].median(),
                    times["numpy"].median(), 0.5))
    bench.remove(*sources.values())
    return Table("durable", rows)


def samediff(bench):
    """SAEV to SameDiff and back, beside cp -r && sync."""
    sources, (small, large) = bench.sizes.pair(bench.disk, WIDE)
    out = f"{bench.disk}/out"
    commands = {}
    for size, source in sources.items():
        output(f"{bench.ours} convert {source} {source}-sdnb --to samediff")
        commands[f"cp {size}"] = Command(f"cp -r {source} {out} && sync", out)
        for container in ("sdnb", "sdz"):
            commands[f"{container} {size}"] = Command(
                f"{bench.ours} convert {source} {out} --to samediff --container {container}", out)
        commands[f"read {size}"] = Command(f"{bench.ours} convert {source}-sdnb {out} --to safetensors", out)
    times = race(commands, bench.sizes.turns)
    peer = slope(times, "cp", small, large)
    rows = [Row(label, "`cp -r && sync`", slope(times, name, small, large), peer, None, "s/GiB")
            for name, label in (("sdnb", "SAEV to SDNB"), ("sdz", "SAEV to SDZ"), ("read", "SDNB to safetensors"))]
    bench.remove(*sources.values(), *(f"{source}-sdnb" for source in sources.values()))
    return Table("samediff", rows)


def digest(bench):
    """Digests, beside the same threads that only hash the files."""
    output(f"javac -d {bench.memory} {bench.scripts}/HashFiles.java")
    rows = []
    for block in BLOCKS[-1:] if bench.smoke else BLOCKS:
        sources, (small, large) = bench.sizes.pair(bench.memory, block)
        commands = {}
        for size, source in sources.items():
            commands[f"hash {size}"] = Command(f"java -cp {bench.memory} HashFiles {source}/acts*.bin")
            commands[f"digest {size}"] = Command(f"{bench.ours} digest {source}")
            commands[f"save {size}"] = Command(f"{bench.ours} digest --save={bench.memory}/sums {source}")
        times = race(commands, bench.sizes.turns)
        peer = slope(times, "hash", small, large)
        rows.append(Row(f"`digest`, blocks of {block}", "`MessageDigest`", slope(times, "digest", small, large), peer,
                        1.25, "s/GiB"))
        rows.append(Row(f"`digest --save`, blocks of {block}", "`MessageDigest`, twice",
                        slope(times, "save", small, large), 2 * peer, None, "s/GiB"))
        bench.remove(*sources.values())
    return Table("digest", rows)
