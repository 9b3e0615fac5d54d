"""Pickled shards, beside CPython: gzip, pickle and numpy in one process."""

import sys

from measure import Command, Row, output, race


def spec(bench, name, samples, options):
    """Writes 8 shards of 2 layers of [128, 1024] standard normal values, and returns their folder."""
    folder = f"{bench.memory}/{name}"
    output(f"{sys.executable} {resources(bench)}/write_spec.py {folder} --tokens 128 --dim 1024 "
           f"--samples {8 * samples} --per-shard {samples} {options}")
    return folder


def resources(bench):
    return f"{bench.home}/converters/src/test/resources/python"


def plain(bench, arguments):
    return f"PYTHONPATH={resources(bench)} {sys.executable} {bench.scripts}/plain_pickle.py {arguments}"


def pickle(bench):
    """Decoding to SAEV and encoding from it, 512 MiB of values as they are pickled."""
    samples = 1 if bench.smoke else 64
    rows = []
    for name, label, count, options in (
        ("f32", "float32, one member", samples, ""),
        ("f32-bgzf", "float32, BGZF", samples, "--container bgzf"),
        ("bf16", "bfloat16", 2 * samples, "--dialect real --dtype bfloat16"),
    ):
        source = spec(bench, name, count, options)
        rows += decode(bench, source, label, name.removesuffix("-bgzf"))
        if name != "f32-bgzf":
            output(plain(bench, f"to-saev {source} {bench.memory}/saev-{name} {name}"))
        bench.remove(source)
    f32, bf16 = (f"{bench.memory}/saev-{name}" for name in ("f32", "bf16"))
    rows += encode(bench, f32, "float32", "", "f32", 8 * samples, max(samples // 2, 1))
    rows += encode(bench, bf16, "bfloat16", "--dtype BF16", "bf16", 16 * samples, max(samples // 2, 1))
    rows += encode(bench, bf16, "float32 that holds bfloat16 values", "", "f32", 16 * samples, min(samples, 4))
    bench.remove(f32, bf16)
    return rows


def decode(bench, source, label, dtype):
    out = f"{bench.memory}/out"
    times = race({
        "CPython": Command(plain(bench, f"to-saev {source} {out} {dtype}"), out),
        "ours": Command(f"{bench.ours} convert {source} {out} --to saev --family clip --ckpt bench", out),
    }, bench.sizes.turns, bench.filler)
    ours, peer = times["ours"], times["CPython"]
    return [
        Row(f"to SAEV, {label}", "CPython", ours.median(), peer.median(), 0.77),
        Row(f"to SAEV, {label}, CPU time", "CPython", ours.median("cpu"), peer.median("cpu"), 1.3, "CPU s"),
    ]


def encode(bench, source, label, options, dtype, examples, few):
    """CPython compresses few of the examples; the peer's seconds, without its start, are those of all at that speed."""
    out = f"{bench.memory}/out"
    counts = {9: few, 1: min(max(few, 16), examples)}
    commands = {level: Command(plain(bench, f"to-pickle {source} {out} {level} {count} {dtype}"), out, own=True)
                for level, count in counts.items()}
    commands["ours"] = Command(f"{bench.ours} convert {source} {out} --to pickle {options}", out)
    times = race(commands, bench.sizes.turns, bench.filler)
    return [Row(f"from SAEV, {label}", f"CPython, `compresslevel={level}`", times["ours"].median(),
                times[level].median() * examples / count) for level, count in counts.items()]
