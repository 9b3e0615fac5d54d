"""Conversions and shuffles on HDFS and YARN, compared with hadoop distcp: a cluster of separate processes on this machine."""

import json
import os
import statistics
import time
import urllib.request

from datasets import LAYERS, Block, saev
from measure import GIB, Command, Failed, Row, Times, output, timed

VERSION = "3.4.3"
TASKS = 8
HISTORY = "http://127.0.0.1:19888/ws/v1/history/mapreduce/jobs"


def cluster(bench):
    """2 GiB to safetensors on 2 DataNodes and 1 NodeManager, replication 1, in 8 map tasks, as distcp."""
    scripts = os.environ.get("CLUSTER", f"{bench.home}/../shared/cluster")
    if not os.path.isfile(f"{scripts}/cluster.sh"):
        raise Failed(f"no cluster.sh in {scripts} (set CLUSTER)")
    os.environ |= {"VERSION": VERSION, "JHS": "1", "REPLICATION": "1", "BLOCKSIZE": str(128 << 20), "TASK_OPTS": "",
                   "HEAP": "512m", "LOG": "INFO", "BASE": f"{bench.disk}/cluster", "HADOOP_CLIENT_SKIP_UNJAR": "true"}
    if not os.path.isdir(f"{os.environ.get('DIST', '/tmp/hadoop-dist')}/{VERSION}/lib"):
        output(f"{scripts}/assemble.sh {VERSION}")
    run = f"{scripts}/cluster.sh"
    source = f"{bench.disk}/hdfs-source"
    size = (64 << 20) if bench.smoke else 2 * GIB
    block = Block(256, 1024)
    saev(source, size, block, LAYERS[:2], size // TASKS)
    examples = size // TASKS // (2 * block.bytes)
    try:
        output(f"{run} start 2 1 >{bench.disk}/cluster.log 2>&1")
        # the history server creates this folder for itself, unless the scripts are faster
        output(f"CLUSTER_USER=$(id -un) {run} hadoop fs -chmod 755 /tmp/staging/history")
        output(f"{run} hadoop fs -put {source} /data")
        bench.remove(source)
        jar = f"{bench.home}/converters/target/saev-hadoop.jar"
        rows = race_jobs(run, jar, examples, bench.smoke)
        output(f"{run} hadoop fs -rm -r -f -skipTrash /out /data")
        saev(source, size, Block(1, 1024), LAYERS[:1], size // TASKS)
        output(f"{run} hadoop fs -put {source} /data")
        bench.remove(source)
        return rows + race_shuffle(run, jar, bench.smoke)
    finally:
        output(f"{run} wipe")


def race_jobs(run, jar, examples, smoke):
    convert = f"{run} hadoop jar {jar} convert /data /out --to safetensors --batch-size {examples} --columns"
    # -m 8 makes splits of exactly one shard, and further ones for the small files
    commands = {"distcp": f"{run} hadoop distcp -m {TASKS - 1} /data /out",
                "acts": f"{convert} acts", "layers": f"{convert} layers"}
    times = {name: Times() for name in commands}
    for _ in range(1 if smoke else 2):
        for name, command in commands.items():
            wall, job = job_of(run, command)
            if job["mapsTotal"] != TASKS and not smoke:
                raise Failed(f"{command}\n{job['mapsTotal']} map tasks (expected {TASKS})")
            times[name].wall.append(wall)
            times[name].cpu.append(cpu_seconds(job["id"]))
    return [Row(f"`{name}`, {label}", "`hadoop distcp`", times[name].median(kind), times["distcp"].median(kind), goal, unit)
            for name, goals in (("acts", (1.0, 0.9)), ("layers", (1.0, 1.0)))
            for (label, kind, unit), goal in zip((("whole command", "wall", "s"), ("tasks", "cpu", "CPU s")), goals)]


def race_shuffle(run, jar, smoke):
    commands = {"distcp": f"{run} hadoop distcp -m {TASKS - 1} /data /out",
                "ours": f"{run} hadoop jar {jar} shuffle /data /out --to safetensors"}
    times = {name: [] for name in commands}
    for _ in range(1 if smoke else 2):
        for name, command in commands.items():
            output(f"{run} hadoop fs -rm -r -f -skipTrash /out")
            times[name].append(timed(Command(command))[0])
    ours, peer = (statistics.median(times[name]) for name in ("ours", "distcp"))
    return [Row("`shuffle` of vectors of 4 KiB", "`hadoop distcp`", ours, peer, 5.0)]


def job_of(run, command):
    """Runs a command, and returns its seconds and its job, which the history server learns of some seconds later."""
    output(f"{run} hadoop fs -rm -r -f -skipTrash /out")
    known = jobs()
    seconds = timed(Command(command))[0]
    for _ in range(60):
        new = [job for name, job in jobs().items() if name not in known]
        if new:
            return seconds, new[0]
        time.sleep(1)
    raise Failed(f"{command}\nno job in {HISTORY}")


def get(url):
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


def jobs():
    return {job["id"]: job for job in (get(HISTORY)["jobs"] or {}).get("job", [])}


def cpu_seconds(job):
    groups = get(f"{HISTORY}/{job}/counters")["jobCounters"]["counterGroup"]
    return next(counter["totalCounterValue"] / 1000 for group in groups for counter in group["counter"]
                if counter["name"] == "CPU_MILLISECONDS")
