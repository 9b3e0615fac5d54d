"""Conversion on HDFS and YARN, beside hadoop distcp: a cluster of separate processes on this machine."""

import json
import os
import time
import urllib.request

from datasets import Block, saev
from measure import GIB, Row, Table, Times, output, timed, Command

HISTORY = "http://127.0.0.1:19888/ws/v1/history/mapreduce/jobs"


def cluster(bench):
    """2 DataNodes, 1 NodeManager, replication 1, blocks of 128 MiB; each job has as many map tasks as the first."""
    scripts = os.environ.get("CLUSTER", f"{bench.home}/../shared/cluster")
    base = f"{bench.disk}/cluster"
    os.environ |= {"VERSION": "3.4.3", "JHS": "1", "REPLICATION": "1", "BLOCKSIZE": str(128 << 20), "TASK_OPTS": "",
                   "HEAP": "512m", "LOG": "INFO", "BASE": base, "HADOOP_CLIENT_SKIP_UNJAR": "true"}
    distribution = f"{os.environ.get('DIST', '/tmp/hadoop-dist')}/3.4.3/lib"
    if not os.path.isdir(distribution):
        output(f"{scripts}/assemble.sh 3.4.3")
    run = f"{scripts}/cluster.sh"
    source = f"{bench.disk}/hdfs-source"
    saev(source, 2 * GIB, Block(256, 1024), [13, 21], 256 << 20)
    try:
        output(f"{run} wipe; {run} start 2 1; {run} hadoop fs -put {source} /data")
        bench.remove(source)
        jar = f"{bench.home}/converters/target/saev-hadoop.jar"
        convert = f"{run} hadoop jar {jar} convert /data /out --to safetensors --columns"
        timed(Command(f"{convert} acts"))
        maps = last_job()["mapsTotal"]
        times = race_jobs(run, {"distcp": f"{run} hadoop distcp -m {maps} /data /out", "acts": f"{convert} acts",
                                "layers": f"{convert} layers"}, 3)
    finally:
        output(f"{run} wipe")
    goals = {"acts": (1.0, 0.9), "layers": (1.0, 1.0)}
    return Table("cluster", [
        Row(f"`{name}`, {label}", "`hadoop distcp`", times[name].median(kind), times["distcp"].median(kind), goal, unit)
        for name, both in goals.items()
        for (label, kind, unit), goal in zip((("whole command", "wall", "s"), ("tasks", "cpu", "CPU s")), both)])


def race_jobs(run, commands, turns):
    times = {name: Times() for name in commands}
    for _ in range(turns):
        for name, shell in commands.items():
            output(f"{run} hadoop fs -rm -r -f -skipTrash /out")
            times[name].wall.append(timed(Command(shell))[0])
            times[name].cpu.append(cpu_seconds(last_job()["id"]))
    return times


def get(url):
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def last_job():
    time.sleep(4)  # the history server moves finished jobs every few seconds
    return max(get(HISTORY)["jobs"]["job"], key=lambda job: job["finishTime"])


def cpu_seconds(job):
    groups = get(f"{HISTORY}/{job}/counters")["jobCounters"]["counterGroup"]
    return next(counter["totalCounterValue"] / 1000 for group in groups for counter in group["counter"]
                if counter["name"] == "CPU_MILLISECONDS")
