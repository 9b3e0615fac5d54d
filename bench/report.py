"""Figures as JSON, and as the tables of a Markdown page."""

import dataclasses
import datetime
import json
import os
import pathlib
import re
import subprocess

from bounds import BOUNDS


def line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def machine(bench):
    """What the figures depend on."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    java = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
    return {
        "commit": line("git", "-C", str(bench.home), "describe", "--always", "--dirty", "--abbrev=12"),
        "date": datetime.date.today().isoformat(),
        "processor": cpu.group(1) if cpu else "unknown",
        "processors": os.cpu_count(),
        "memory_gib": round(memory),
        "kernel": os.uname().release,
        "disk": line("stat", "-f", "-c", "%T", str(bench.disk)),
        "java": java,
        "python": line("python3", "-c", "import sys, numpy, zlib; print(sys.version.split()[0], 'with numpy',"
                       " numpy.__version__, 'and zlib', zlib.ZLIB_RUNTIME_VERSION)"),
    }


def load(path, now):
    """Returns the figures in a file if they are of this commit and day, else none."""
    try:
        results = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        results = {}
    if results.get("machine") == now:
        return results
    return {"machine": now, "tables": {}}


def save(results, path):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def add(results, table, seconds):
    rows = [dataclasses.asdict(row) for row in table.rows]
    results["tables"][table.name] = {"seconds": round(seconds), "rows": rows}


def number(value):
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def bound(table, row):
    """Returns what bounds a row: the text of the longest beginning of its name."""
    texts = BOUNDS.get(table, {})
    return texts[max((name for name in texts if row.startswith(name)), key=len, default="")] if texts else ""


def table(name, measured):
    lines = ["| | ours | peer | | figure | goal | bound by |", "|---|---|---|---|---|---|---|"]
    for row in measured["rows"]:
        peer = f"{number(row['theirs'])} {row['unit']}" if row["peer"] else ""
        goal = "" if row["goal"] is None else f"{row['goal']:g}"
        missed = row["goal"] is not None and row["figure"] > row["goal"] * 1.005
        figure = f"**{number(row['figure'])}**" if missed else number(row["figure"])
        lines.append(f"| {row['name']} | {number(row['ours'])} {row['unit']} | {row['peer']} | {peer} | {figure} | {goal} "
                     f"| {bound(name, row['name'])} |")
    return "\n".join(lines) + "\n"


def page(results, text):
    """Returns the page with its tables replaced, each between <!-- table NAME --> and <!-- end -->."""
    def replaced(found):
        name = found.group(1)
        if name == "machine":
            return f"<!-- table machine -->\n{described(results['machine'])}<!-- end -->"
        return f"<!-- table {name} -->\n{table(name, results['tables'][name])}<!-- end -->"

    return re.sub(r"<!-- table (\w+) -->\n.*?<!-- end -->", replaced, text, flags=re.DOTALL)


def described(machine):
    return "| | |\n|---|---|\n" + "".join(
        f"| {label} | {machine[key]} |\n" for label, key in (
            ("commit", "commit"), ("day", "date"), ("processor", "processor"), ("processors", "processors"),
            ("memory, GiB", "memory_gib"), ("Linux", "kernel"), ("file system of the disk", "disk"), ("Java", "java"),
            ("Python", "python")))
