"""Shuffles of vectors of 4 KiB on a disk, compared with copies, numpy, and readers that shuffle."""

import json
import os
import sys

from datasets import Block, saev
from measure import GIB, Command, Row, output, race

HEAP = "SAEV_HADOOP_OPTS=-Xmx512m"


def shuffle(bench):
    """Vectors of 4 KiB to shuffled safetensors in a heap of 512 MiB, compared with cp -r && sync; all data on a disk."""
    mib = 2 if bench.smoke else 1024
    hadoop = f"{bench.home}/converters/target/lib/*"
    output(f"javac -cp '{hadoop}' -d {bench.disk} {bench.scripts}/SortRows.java")
    rows, seconds = [], {}
    for count, turns in ((1, 3), (4, 2), (8, 1)):
        source, out = f"{bench.disk}/source", f"{bench.disk}/out"
        saev(source, count * mib << 20, Block(1, 1024), [11], count * mib << 17)
        numpy = f"{sys.executable} {bench.scripts}/numpy_shuffle.py {source} {out}"
        commands = {"cp": Command(f"cp -r {source} {out} && sync", out),
                    "ours": Command(f"{HEAP} {bench.ours} shuffle {source} {out} --to safetensors", out)}
        if count > 1:
            commands["numpy"] = Command(f"{numpy} && sync", out)
        if count == 4:
            sort = f"java -Xmx512m -cp '{bench.disk}:{hadoop}' SortRows {source} {out} && sync"
            commands["sort"] = Command(sort, out)
        times = race(commands, 1 if bench.smoke else turns, bench.filler)
        seconds[count] = {name: times[name].median() for name in commands}
        rows.append(Row(f"{count} GiB", "`cp -r && sync`", seconds[count]["ours"], seconds[count]["cp"], 4.0))
        if count > 1:
            rows.append(Row(f"{count} GiB against numpy", "numpy: `out[i:j] = source[permutation[i:j]]`",
                            seconds[count]["ours"], seconds[count]["numpy"]))
        if count == 4:
            rows.append(Row("4 GiB against a sort", "MapReduce with random keys",
                            seconds[count]["ours"], seconds[count]["sort"]))
            rows += reading(bench, source, out)
        bench.remove(source)
    slope = {name: (seconds[8][name] - seconds[1][name]) / 7 for name in ("ours", "cp")}
    return [*rows, Row("slope", "`cp -r && sync`", slope["ours"], slope["cp"], 4.0, "s/GiB")]


def reading(bench, source, out):
    """The result in sequence, compared with the shuffled reader on the source; neither is in memory, if that can be done."""
    output(f"{HEAP} {bench.ours} shuffle {source} {out}")
    [result] = [entry.path for entry in os.scandir(f"{out}/saev/shards")]
    options = "--seconds 0.1 --rounds 1" if bench.smoke else "--rounds 1 --batch-size 4096 --buffer-size 8"
    rates = {}
    for folder, kind in ((source, "shuffled"), (result, "ordered")):
        found = json.loads(output(
            f"SAEV_HADOOP_OPTS=-XX:MaxDirectMemorySize=2g {bench.ours} bench --json {options} {folder}"))
        rates[kind] = GIB / found[kind]["bytes_per_second"]
    bench.remove(out)
    return [Row("reading the result", "shuffled reader on the source", rates["ordered"], rates["shuffled"], None, "s/GiB")]
