"""Figures as JSON, and as the tables of a Markdown page."""

import dataclasses
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import subprocess
import zlib

from bounds import BOUNDS


def line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit(home):
    """Returns the commit of what is measured: pages and texts do not matter."""
    git, code = ("git", "-C", str(home)), ("--", ".", ":!docs", ":!*.md", ":!bench/bounds.py")
    changed = line(*git, "status", "--porcelain", "--untracked-files=no", *code)
    return line(*git, "log", "-1", "--format=%h", *code) + (" with changes" if changed else "")


def python():
    try:
        numpy = f"numpy {importlib.metadata.version('numpy')}"
    except importlib.metadata.PackageNotFoundError:
        numpy = "no numpy"
    return f"{platform.python_version()}, {numpy}, zlib {zlib.ZLIB_RUNTIME_VERSION}"


def machine(bench):
    """Returns what the figures depend on, by its name in the table."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    java = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[1]
    return {
        "commit": commit(bench.home) + (" (smoke test)" if bench.smoke else ""),
        "date": datetime.date.today().isoformat(),
        "processor": f"{os.cpu_count()} of {cpu.group(1) if cpu else platform.machine()}",
        "memory": f"{memory:.0f} GiB",
        "Linux": os.uname().release,
        "disk": line("df", "--output=fstype", bench.disk).split()[-1],
        "Java": java,
        "Python": python(),
    }


def load(path, now):
    """Returns the figures in a file if they are of this machine, commit and day, otherwise none."""
    try:
        results = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        results = {}
    return results if results.get("machine") == now else {"machine": now, "tables": {}}


def save(results, path):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def add(results, name, rows, seconds):
    results["tables"][name] = {"seconds": round(seconds), "rows": [dataclasses.asdict(row) for row in rows]}


def number(value):
    return f"{value:,.{2 if abs(value) < 10 else 1 if abs(value) < 100 else 0}f}"


def bound(name, row):
    """Returns what bounds a row: the text of the longest beginning of its name."""
    texts = BOUNDS.get(name, {})
    return texts.get(max(filter(row.startswith, texts), key=len, default=None), "")


def table(results, name):
    """Returns a table as Markdown; a figure is bold if this program takes less than the peer."""
    lines = ["| | goal | figure | ours | peer | bound by |", "|---|---|---|---|---|---|"]
    for row in results["tables"][name]["rows"]:
        unit, peer = row["unit"], row["peer"]
        figure = number(row["figure"]) + ("" if peer else f" {unit}".rstrip())
        goal = "" if row["goal"] is None else f"{row['goal']:g}" + ("" if peer else f" {unit}")
        if peer and row["figure"] < 0.995:
            figure = f"**{figure}**"
        ours = f"{number(row['ours'])} {unit}" if peer else ""
        theirs = f"{number(row['theirs'])} {unit}, {peer}" if peer else ""
        lines.append(f"| {row['name']} | {goal} | {figure} | {ours} | {theirs} | {bound(name, row['name'])} |")
    return "\n".join(lines) + "\n"


def write(figures, path):
    """Replaces the tables of a page, each between <!-- table NAME --> and <!-- end -->."""
    results = json.loads(pathlib.Path(figures).read_text(encoding="utf-8"))
    page = pathlib.Path(path)

    def replaced(found):
        name = found.group(1)
        if name == "machine":
            text = "| | |\n|---|---|\n" + "".join(f"| {key} | {value} |\n" for key, value in results["machine"].items())
        elif name in results["tables"]:
            text = table(results, name)
        else:
            raise SystemExit(f"bin/bench: {figures} has no table {name} (measure it with --table {name})")
        return f"<!-- table {name} -->\n{text}<!-- end -->"

    page.write_text(re.sub(r"<!-- table (\w+) -->\n.*?<!-- end -->", replaced, page.read_text(encoding="utf-8"),
                           flags=re.DOTALL), encoding="utf-8")
