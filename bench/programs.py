"""Tables of what the project's own programs measure: readers, keys, conversions of values, planning."""

import json
import re
import statistics
import sys

from datasets import Block, saev
from measure import Command, Row, output, race


def read(bench):
    """Readers of vectors, compared with one thread that reads the same bytes, in memory."""
    rows = []
    for layers in ([11], [2, 5, 8, 11]):
        source = f"{bench.memory}/read"
        saev(source, bench.sizes.small * 3 // 2, Block(256, 1024), layers, bench.sizes.shard)
        options = "--seconds 0.1 --rounds 1" if bench.smoke else "--batch-size 16384 --buffer-size 8 --threads 4"
        rates = json.loads(output(
            f"SAEV_HADOOP_OPTS=-XX:MaxDirectMemorySize=4g {bench.ours} bench --json {options} {source}"))
        seconds = {kind: (1 << 30) / rates[kind]["bytes_per_second"]
                   for kind in ("plain", "ordered", "shuffled", "indexed")}
        rows += [Row(f"{kind}, layers: {len(layers)}", "plain", seconds[kind], seconds["plain"], goal, "s/GiB")
                 for kind, goal in (("ordered", 1.0), ("shuffled", 1.25), ("indexed", None))]
        bench.remove(source)
    return rows


def keys(bench):
    """Tensors of 1 KiB that are fetched by their keys, in memory."""
    examples = 2000 if bench.smoke else 1000000
    source, out, keyed = (f"{bench.memory}/{name}" for name in ("source.safetensors", "out", "keyed"))
    header = json.dumps({"layer_0": {"dtype": "F32", "shape": [examples, 1, 256], "data_offsets": [0, examples << 10]}})
    with open(source, "wb") as f:
        f.write(len(header).to_bytes(8, "little") + header.encode())
    output(f"head -c {examples << 10} /dev/urandom >>{source}")
    convert = f"{bench.ours} convert {source} {{}} --to safetensors --kv"
    times = race({"cp": Command(f"mkdir {out}; cp {source} {out}", out), "ours": Command(convert.format(out), out)},
                 min(bench.sizes.turns, 2), bench.filler)
    output(convert.format(keyed))
    runs = [json.loads(output(f"{bench.ours} bench-keys --json --fetches 500 {keyed} --key {examples * 7 // 9}__layer_0"))
            for _ in range(bench.sizes.turns)]
    bench.remove(source, keyed)
    return [Row(f"conversion to {examples:,} tensors", "`cp`", times["ours"].median(), times["cp"].median()),
            *(Row(label, None, statistics.median(run[name] for run in runs) * 1000, None, goal, "ms")
              for label, name, goal in (("first fetch of a JVM", "first_seconds", 100),
                                        ("median of 500 fetches", "median_seconds", 2),
                                        ("99th percentile", "p99_seconds", 10)))]


def values(bench):
    """Conversions of values in one thread, by JMH, compared with numpy's astype: nanoseconds for each value."""
    options = "-f 0 -wi 0 -i 1 -r 100ms" if bench.smoke else "-f 1 -wi 3 -w 500ms -i 5 -r 500ms"
    result = f"{bench.memory}/jmh.json"
    output(f"cd {bench.home}/jmh/target && java -cp classes:$(cat class-path) org.openjdk.jmh.Main DTypeConversions "
           f"-foe true {options} -rf json -rff {result}")
    with open(result, encoding="utf-8") as f:
        ours = {run["params"]["types"]: run["primaryMetric"]["score"] for run in json.load(f)}
    numpy = json.loads(output(f"{sys.executable} {bench.scripts}/numpy_astype.py"))
    return [Row(types.replace("_", " to "), "numpy", ours[types], numpy[types], unit="ns") for types in ours]


def planning(bench):
    """From opening a dataset to the list of splits, on a MiniDFSCluster, in a heap of 256 MiB."""
    paths = f"{bench.disk}/class-path"
    output(f"cd {bench.home} && mvn -q -B -ntp test-compile dependency:build-classpath "
           f"-pl format,testing,mapreduce,jobs,converters -Dmdep.includeScope=test -Dmdep.outputFile={paths}")
    counts = "30" if bench.smoke else "3000 30000 300000"
    lines = output(f"cd {bench.home}/converters && java -Xmx3g -Dplanning.formats='saev safetensors' -cp "
                   f"target/test-classes:target/classes:$(cat {paths}) "
                   f"org.saevhadoop.converters.planning.PlanningBench {counts}")
    rows = []
    for count, name, seconds, requests in re.findall(r"^ *(\d+) (\w+) +plan ([\d.]+) s.*?: +(.*)$", lines, re.MULTILINE):
        label = f"{int(count):,} shards, {name}"
        rows += [Row(label, None, float(seconds), None, 10 if count == "300000" else None),
                 Row(f"{label}: requests", None, sum(map(int, re.findall(r" (\d+)", requests))), None, unit="")]
    return rows
