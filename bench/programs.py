"""Tables of what the project's own programs measure: readers, keys, conversions of values, planning."""

import json
import re

from datasets import WIDE, Block, saev
from measure import GIB, Command, Row, Table, output, race

SEVERAL = "SAEV_HADOOP_OPTS=-XX:MaxDirectMemorySize=4g"


def read(bench):
    """Readers of vectors, beside one thread that reads the same bytes."""
    block = Block(256, 1024)
    size = bench.sizes.small * 3 // 2
    rows = []
    for layers in ([11], [2, 5, 8, 11]):
        source = f"{bench.memory}/read-{len(layers)}"
        saev(source, size, block, layers, bench.sizes.shard)
        options = "--seconds 0.1 --rounds 1" if bench.smoke else "--batch-size 16384 --buffer-size 8 --threads 4"
        rates = json.loads(output(f"{SEVERAL} {bench.ours} bench --json {options} {source}"))
        mib = {kind: rates[kind]["bytes_per_second"] / (1 << 20) for kind in ("plain", "ordered", "shuffled", "indexed")}
        rows += [Row(f"{kind}, {len(layers)} layers" if len(layers) > 1 else f"{kind}, 1 layer", "plain read",
                     1024 / mib[kind], 1024 / mib["plain"], goal, "s/GiB")
                 for kind, goal in (("ordered", 1.0), ("shuffled", 1.25), ("indexed", None))]
        bench.remove(source)
    return Table("read", rows)


def keys(bench):
    """Tensors that are fetched by their keys."""
    examples = 2000 if bench.smoke else 1000000
    source = f"{bench.memory}/source.safetensors"
    header = json.dumps({"layer_0": {"dtype": "F32", "shape": [examples, 1, 256], "data_offsets": [0, examples << 10]}})
    with open(source, "wb") as f:
        f.write(len(header).to_bytes(8, "little") + header.encode())
    output(f"head -c {examples << 10} /dev/urandom >>{source}")
    out, keyed = f"{bench.memory}/out", f"{bench.memory}/keyed"
    times = race({"cp": Command(f"cp {source} {out}"),
                  "ours": Command(f"{bench.ours} convert {source} {out} --to safetensors --kv", out)}, 1)
    output(f"{bench.ours} convert {source} {keyed} --to safetensors --kv")
    runs = [json.loads(output(f"{bench.ours} bench-keys --json --fetches 500 {keyed} --key {examples * 7 // 9}__layer_0"))
            for _ in range(bench.sizes.turns)]
    bench.remove(source, keyed, out)
    median = {name: sorted(run[name] for run in runs)[len(runs) // 2] * 1000 for name in runs[0] if "seconds" in name}
    return Table("keys", [
        Row(f"conversion to {examples:,} tensors", "`cp`", times["ours"].median(), times["cp"].median()),
        *(Row(label, "", median[name], 0, goal, "ms", figure=median[name]) for label, name, goal in (
            ("first fetch of a JVM", "first_seconds", 100), ("median of 500 fetches", "median_seconds", 2),
            ("99th percentile", "p99_seconds", 10)))])


def values(bench):
    """Conversions of values in one thread, by JMH, beside numpy's astype."""
    jmh = "-f 0 -wi 0 -i 1 -r 100ms" if bench.smoke else "-f 1 -wi 5 -w 500ms -i 5 -r 500ms"
    result = f"{bench.memory}/jmh.json"
    output(f"java -jar {bench.home}/jmh/target/benchmarks.jar DTypeConversions {jmh} -rf json -rff {result}")
    with open(result, encoding="utf-8") as f:
        ours = {run["params"]["types"]: run["primaryMetric"]["score"] for run in json.load(f)}
    numpy = json.loads(output(f"python3 {bench.scripts}/numpy_astype.py"))
    bench.remove(result)
    return Table("values", [
        Row(f"{types.replace('_', ' to ')}", "numpy", ours[types], numpy[types], None, "ns")
        for types in ours])


def planning(bench):
    """From opening a dataset to the list of splits, on a MiniDFSCluster, in a heap of 256 MiB."""
    paths = f"{bench.disk}/class-path"
    output(f"cd {bench.home} && mvn -q -B -ntp test-compile dependency:build-classpath "
           f"-pl format,testing,mapreduce,jobs,converters -Dmdep.includeScope=test -Dmdep.outputFile={paths}")
    counts = "30" if bench.smoke else "3000 30000 300000"
    lines = output(f"cd {bench.home}/converters && java -Xmx3g -Dplanning.formats='saev safetensors' -cp "
                   f"target/test-classes:target/classes:$(cat {paths}) "
                   f"org.saevhadoop.converters.planning.PlanningBench {counts}")
    bench.remove(paths)
    rows = []
    for count, name, seconds, requests in re.findall(r"^ *(\d+) (\w+) +plan ([\d.]+) s.*?: +(.*)$", lines, re.MULTILINE):
        label = f"{int(count):,} shards, {name}"
        rows.append(Row(label, "", float(seconds), 0, 10 if count == "300000" else None, "s", figure=float(seconds)))
        sent = sum(map(int, re.findall(r"\d+", requests)))
        rows.append(Row(f"{label}, requests", "", sent, 0, None, "", figure=sent))
    return Table("planning", rows)
