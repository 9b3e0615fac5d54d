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
    """A measured command has failed, so there is no figure."""


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
    """Wall and processor seconds of a command, one value a turn."""

    wall: list = field(default_factory=list)
    cpu: list = field(default_factory=list)

    def median(self, kind="wall"):
        return statistics.median(getattr(self, kind))


def timed(command):
    """Runs a command once, and returns its wall and processor seconds."""
    if command.creates:
        shutil.rmtree(command.creates, ignore_errors=True)
    os.sync()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    out = output(command.shell)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return float(out.split()[-1]) if command.own else wall, cpu


def output(shell):
    """Runs a command and returns its standard output."""
    done = subprocess.run(["bash", "-c", shell], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{shell}\nexit code {done.returncode}\n{done.stderr}")
    return done.stdout


def race(commands, turns):
    """Lets commands take turns, and returns the times of each by its name."""
    times = {name: Times() for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            wall, cpu = timed(command)
            times[name].wall.append(wall)
            times[name].cpu.append(cpu)
            print(f"    {wall:7.2f} s {cpu:7.2f} s of CPU time  {name}", file=sys.stderr, flush=True)
    for command in commands.values():
        if command.creates:
            shutil.rmtree(command.creates, ignore_errors=True)
    return times


def slope(times, name, small, large, kind="wall"):
    """Returns the seconds for each further GiB, which leaves out the start.

    small, large: the sizes in bytes of the turns called NAME small and NAME large
    """
    return (times[f"{name} large"].median(kind) - times[f"{name} small"].median(kind)) / ((large - small) / GIB)


@dataclass
class Row:
    """A figure: our time divided by that of the peer in the same run, unless unit names another quantity.

    goal: the figure must not exceed it; None if it is only reported
    bound: what bounds the figure
    """

    name: str
    peer: str
    ours: float
    theirs: float
    goal: float = None
    unit: str = "s"
    bound: str = ""
    figure: float = None

    def __post_init__(self):
        if self.figure is None:
            self.figure = self.ours / self.theirs


@dataclass
class Table:
    """The rows of a group."""

    name: str
    rows: list
