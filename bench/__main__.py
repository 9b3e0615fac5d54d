"""Measures saev-hadoop beside what its users would run instead, both in the same run."""

import argparse
import importlib.util
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import arrays
import cluster
import local
import pickles
import programs
import report
import shuffle
from datasets import Sizes
from measure import Failed, Filler

HOME = pathlib.Path(__file__).resolve().parent.parent
TABLES = {table.__name__: table for table in (
    local.start, local.blocks, local.durable, pickles.pickle, local.digest, local.samediff, programs.read,
    programs.keys, programs.values, programs.planning, arrays.arrays,
    shuffle.shuffle, cluster.cluster)}
LONG = {"planning", "cluster"}  # which --smoke leaves out
NUMPY = {"start", "durable", "pickle", "values", "arrays", "shuffle"}  # which need numpy


class Bench:
    """Where the tables find the program, and their space.

    disk, memory: folders on a disk and in memory, which are deleted at the end
    filler: fills free memory before each turn; None for tiny datasets
    """

    def __init__(self, arguments):
        self.home = HOME
        self.scripts = HOME / "bench"
        self.ours = HOME / "bin/saev-hadoop"
        self.smoke = arguments.smoke
        self.sizes = Sizes(self.smoke)
        parent = pathlib.Path(arguments.disk or HOME / "target").resolve()
        parent.mkdir(parents=True, exist_ok=True)
        self.disk = tempfile.mkdtemp(prefix="bench-", dir=parent)
        self.memory = tempfile.mkdtemp(prefix="saev-hadoop-bench-", dir=self.disk if self.smoke else "/dev/shm")
        self.filler = None if self.smoke else Filler(self.disk)

    def remove(self, *paths):
        for path in map(pathlib.Path, paths):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove(self.memory, self.disk)


def options():
    """Returns the arguments, and the names of the tables to measure."""
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__, epilog=(
        "Needs python3 with numpy, 16 GiB of memory, and 20 GiB on the disk; cluster also the scripts in $CLUSTER. "
        "Stops after 90 minutes."))
    parser.add_argument("--table", action="append", default=[], choices=TABLES, help="measure this table")
    parser.add_argument("--all", action="store_true", help="measure all tables (an hour)")
    parser.add_argument("--smoke", action="store_true",
                        help="use tiny datasets, once, to test the benchmarks: by default all local tables (a minute)")
    parser.add_argument("--disk", metavar="FOLDER", help="where datasets are written (target)")
    parser.add_argument("--json", metavar="FILE", help=(
        "the figures (target/bench.json); those of other tables that FILE has of the same commit and day are kept"))
    parser.add_argument("--markdown", metavar="FILE", help=(
        "replace the tables of a page, such as docs/benchmarks.md, by those of the JSON file"))
    arguments = parser.parse_args()
    arguments.json = arguments.json or HOME / f"target/bench{'-smoke' if arguments.smoke else ''}.json"
    names = [name for name in TABLES if arguments.all or name in arguments.table
             or arguments.smoke and not arguments.table and name not in LONG]
    if not names and not arguments.markdown:
        parser.error("nothing to measure (expected --all, --smoke or --table)")
    return arguments, names


def measure(bench, name):
    """Returns the rows of a table, or None if it cannot be tested here; in CI, it must be."""
    if name in NUMPY and not importlib.util.find_spec("numpy"):
        if bench.smoke and os.environ.get("CI") != "true":
            return None
        raise Failed(f"{sys.executable} has no numpy (set PYTHON)")
    return TABLES[name](bench)


def measure_all(arguments, names):
    """Measures the tables, and returns those that failed."""
    failed = []
    with Bench(arguments) as bench:
        results = report.load(arguments.json, report.machine(bench))
        for name in names:
            print(f"{name}: {TABLES[name].__doc__}", file=sys.stderr, flush=True)
            start = time.monotonic()
            try:
                rows = measure(bench, name)
            except Failed as e:
                print(f"bin/bench: {name}: {e}", file=sys.stderr, flush=True)
                failed.append(name)
                continue
            if rows is None:
                print("    skipped: python3 has no numpy", file=sys.stderr, flush=True)
                continue
            report.add(results, name, rows, time.monotonic() - start)
            report.save(results, arguments.json)
            print(f"\n{name}, {results['tables'][name]['seconds']} s", flush=True)
            if not bench.smoke:
                print(f"\n{report.table(results, name)}", flush=True)
    return failed


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bin/bench: stopped"))
    arguments, names = options()
    failed = measure_all(arguments, names)
    if failed:
        sys.exit(f"bin/bench: failed: {', '.join(failed)}")
    if arguments.markdown:
        report.write(arguments.json, arguments.markdown)


main()
