"""Tables about pickled shards, beside CPython: gzip, pickle and numpy in one process."""

from measure import Command, Row, Table, output, race

MIB = 1 << 20


def spec(bench, name, samples, options):
    """Writes 8 shards of 2 layers of [128, 1024] standard normal values, and returns their folder."""
    folder = f"{bench.memory}/{name}"
    output(f"PYTHONDONTWRITEBYTECODE=1 python3 {bench.resources}/write_spec.py {folder} --tokens 128 --dim 1024 "
           f"--samples {8 * samples} --per-shard {samples} {options}")
    return folder


def plain(bench, arguments):
    return f"PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={bench.resources} python3 {bench.scripts}/plain_pickle.py {arguments}"


def pickle(bench):
    """Decoding to SAEV and encoding from it."""
    samples = 1 if bench.smoke else 64
    turns = bench.sizes.turns
    forms = {
        "f32": ("float32, one member", samples, ""),
        "f32-bgzf": ("float32, BGZF", samples, "--container bgzf"),
        "bf16": ("bfloat16", 2 * samples, "--dialect real --dtype bfloat16"),
    }
    rows = []
    for name, (label, count, options) in forms.items():
        source = spec(bench, name, count, options)
        rows += decode(bench, source, label, name.removesuffix("-bgzf"), turns)
        if name != "f32-bgzf":
            output(plain(bench, f"to-saev {source} {bench.memory}/saev-{name} {name}"))
        bench.remove(source)
    for label, name, options, dtype, few in (
        ("float32", "f32", "", "f32", 2 * samples),
        ("bfloat16", "bf16", "--dtype BF16", "bf16", 2 * samples),
        ("float32 that holds bfloat16 values", "bf16", "", "f32", min(4, samples)),
    ):
        rows += encode(bench, f"{bench.memory}/saev-{name}", label, options, dtype, few, 8 * forms[name][1], turns)
    bench.remove(f"{bench.memory}/saev-f32", f"{bench.memory}/saev-bf16")
    return Table("pickle", rows)


def decode(bench, source, label, dtype, turns):
    out = f"{bench.memory}/out"
    times = race({
        "CPython": Command(plain(bench, f"to-saev {source} {out} {dtype}"), out),
        "gzip": Command(f"gzip -dc {source}/*.gz >/dev/null"),
        "ours": Command(f"{bench.ours} convert {source} {out} --to saev --family clip --ckpt bench", out),
    }, turns)
    ours, peer = times["ours"], times["CPython"]
    return [
        Row(f"to SAEV, {label}", "CPython", ours.median(), peer.median(), 0.77),
        Row(f"to SAEV, {label}, CPU time", "CPython", ours.median("cpu"), peer.median("cpu"), 1.3, "CPU s"),
        Row(f"to SAEV, {label}", "`gzip -dc`", ours.median(), times["gzip"].median()),
    ]


def encode(bench, source, label, options, dtype, few, examples, turns):
    """CPython compresses FEW of the examples; its seconds, without its start, are those of all at that speed."""
    out = f"{bench.memory}/out"
    commands = {f"level {level}": Command(plain(bench, f"to-pickle {source} {out} {level} {count} {dtype}"), out, True)
                for level, count in ((9, few), (1, min(examples, max(few, 16))))}
    commands["ours"] = Command(f"{bench.ours} convert {source} {out} --to pickle {options}", out)
    times = race(commands, turns)
    ours = times["ours"].median()
    return [Row(f"from SAEV, {label}", f"CPython, `compresslevel={level}`", ours,
                times[f"level {level}"].median() * examples / count)
            for level, count in ((9, few), (1, min(examples, max(few, 16))))]
