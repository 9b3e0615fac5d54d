"""Measures saev-hadoop beside what its users would run instead, both in the same run."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import cluster
import local
import pickles
import programs
import report
from datasets import Sizes
from measure import Failed

TABLES = [local.start, local.blocks, local.durable, pickles.pickle, local.digest, local.samediff, programs.read,
          programs.keys, programs.values, programs.planning, cluster.cluster]
LONG = [programs.planning, cluster.cluster]  # which --smoke leaves out


class Bench:
    """Where the tables find the program and their space.

    disk, memory: folders on a disk and in memory, which are deleted at the end
    """

    def __init__(self, arguments):
        self.home = pathlib.Path(__file__).resolve().parent.parent
        self.scripts = self.home / "bench"
        self.resources = self.home / "converters/src/test/resources/python"
        self.ours = self.home / "bin/saev-hadoop"
        self.smoke = arguments.smoke
        self.sizes = Sizes(self.smoke)
        self.disk = pathlib.Path(arguments.disk or self.home / "target/bench").resolve()
        self.memory = self.disk / "memory" if self.smoke else pathlib.Path(f"/dev/shm/saev-hadoop-bench-{os.getpid()}")

    def folders(self):
        return {"ext4": self.disk} if self.smoke else {"tmpfs": self.memory, "ext4": self.disk}

    def settle(self):
        """Waits for what commands do after their end."""
        if not self.smoke:
            time.sleep(20)

    def remove(self, *paths):
        for path in map(pathlib.Path, paths):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)

    def __enter__(self):
        for folder in (self.disk, self.memory):
            self.remove(folder)
            folder.mkdir(parents=True)
        return self

    def __exit__(self, *_):
        self.remove(self.disk, self.memory)


def options():
    names = [table.__name__ for table in TABLES]
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__, epilog=(
        "Needs python3 with numpy, 12 GiB of memory, and 20 GiB on the disk; cluster also curl, and the folder $CLUSTER."))
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"what to measure: {', '.join(names)}")
    parser.add_argument("--all", action="store_true", help="measure everything (less than an hour)")
    parser.add_argument("--smoke", action="store_true",
                        help="run every local table once with tiny datasets, to test the benchmarks (a minute)")
    parser.add_argument("--disk", metavar="FOLDER", help="a folder for datasets, which is emptied (target/bench)")
    parser.add_argument("--json", metavar="FILE", default="target/bench.json",
                        help="the figures; those of other tables in FILE are kept if they are of the same commit")
    parser.add_argument("--markdown", metavar="FILE",
                        help="replace the tables of a page, such as docs/benchmarks.md, by those of the JSON file")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.tables if name not in names]
    if unknown:
        parser.error(f"unknown table {unknown[0]} (expected {', '.join(names)})")
    chosen = [table for table in TABLES if arguments.all or table.__name__ in arguments.tables
              or arguments.smoke and table not in LONG and not arguments.tables]
    if not chosen and not arguments.markdown:
        parser.error("nothing to measure (expected --all, --smoke or the names of tables)")
    return arguments, chosen


def main():
    arguments, chosen = options()
    with Bench(arguments) as bench:
        results = report.load(arguments.json, report.machine(bench))
        for table in chosen:
            print(f"{table.__name__}: {table.__doc__}", file=sys.stderr)
            start = time.monotonic()
            try:
                measured = table(bench)
            except Failed as e:
                sys.exit(f"bin/bench: {table.__name__}: {e}")
            report.add(results, measured, time.monotonic() - start)
            report.save(results, arguments.json)
            print(report.table(measured.name, results["tables"][measured.name]), flush=True)
        if arguments.markdown:
            page = pathlib.Path(arguments.markdown)
            page.write_text(report.page(results, page.read_text(encoding="utf-8")), encoding="utf-8")


main()
