"""Times whole commands beside their peers: the commands take turns, and a figure is the median of all turns."""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

GIB = 1 << 30


class Failed(Exception):
    """A command has failed, so there is no figure."""


@dataclass(frozen=True)
class Command:
    """What is timed.

    shell: the command, run by bash
    creates: a folder that the command creates; it is deleted before each turn
    own: the command prints its seconds as the last line, without the start of its interpreter
    """

    shell: str
    creates: str = ""
    own: bool = False


@dataclass
class Times:
    """Wall and processor seconds of a command, one value for each turn."""

    wall: list = field(default_factory=list)
    cpu: list = field(default_factory=list)

    def median(self, kind="wall"):
        return statistics.median(getattr(self, kind))


def output(shell):
    """Runs a command and returns its standard output."""
    done = subprocess.run(["bash", "-c", shell], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{shell}\nexit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr}")
    return done.stdout


def delete(path):
    if path:
        shutil.rmtree(path, ignore_errors=True)


class Filler:
    """Fills free memory with pages of a sparse file, as on a machine that has run for long.

    A virtual machine returns pages that stay free to its host, and their next use takes several times as long: a
    command that writes a second after its start is measured as slower than one that writes at once. A page of a file
    is dropped in favour of a new one at a small cost, the same for all.
    """

    def __init__(self, folder):
        self.file = open(f"{folder}/filler", "w+b", buffering=0)
        self.file.truncate(1 << 43)
        self.buffer = bytearray(1 << 20)

    def fill(self):
        memory = dict(line.split(":") for line in open("/proc/meminfo"))
        for _ in range(int(memory["MemFree"].split()[0]) >> 10):
            self.file.readinto(self.buffer)


def timed(command, filler=None):
    """Runs a command once and returns its wall and processor seconds."""
    delete(command.creates)
    os.sync()
    if filler:
        filler.fill()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    out = output(command.shell)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return float(out.split()[-1]) if command.own else wall, cpu


def race(commands, turns, filler=None):
    """Lets commands take turns, and returns the times of each by its name."""
    times = {name: Times() for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            wall, cpu = timed(command, filler)
            times[name].wall.append(wall)
            times[name].cpu.append(cpu)
            print(f"    {wall:7.2f} s {cpu:7.2f} s of CPU time  {name}", file=sys.stderr, flush=True)
    for command in commands.values():
        delete(command.creates)
    return times


@dataclass
class Row:
    """A figure: our value divided by the peer's in the same run, or our value if it has no peer.

    goal: what the figure must not exceed; None if it is only reported
    """

    name: str
    peer: str
    ours: float
    theirs: float
    goal: float = None
    unit: str = "s"
    figure: float = None

    def __post_init__(self):
        if self.figure is None:
            self.figure = self.ours / self.theirs if self.peer else self.ours
