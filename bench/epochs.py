"""What other orders of a shuffled set cost in randomness: pairs of vectors that share a batch.

    saev-hadoop shuffle SRC OUT --to npy --provenance    with files of the size that is of interest
    epochs.py OUT [BATCH]

Epochs are read in a fresh order of all vectors, with the files and the vectors of each in another order, or with
the files in another order only. Of the pairs of vectors in a batch, those of one example should be as many as in a
fresh order, and those that shared a batch in the epoch before, too.
"""

import pathlib
import sys

import numpy as np

EPOCHS = 5

folder = pathlib.Path(sys.argv[1])
batch = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
random = np.random.default_rng(0)
files = [np.load(file).ravel() for file in sorted(folder.glob("example*.npy"))]
examples = np.concatenate(files)
starts = np.cumsum([0] + [len(file) for file in files])
stored = [np.arange(start, stop) for start, stop in zip(starts, starts[1:])]


def batches(parts):
    return [part[i : i + batch] for part in parts for i in range(0, len(part), batch)]


def pairs(groups):
    """The number of pairs of equal elements, and of all pairs."""
    equal = sum(int((c * (c - 1) // 2).sum()) for c in (np.unique(g, return_counts=True)[1] for g in groups))
    return equal, sum(len(group) * (len(group) - 1) // 2 for group in groups)


ORDERS = {
    "fresh": lambda: [random.permutation(len(examples))],
    "files and their vectors": lambda: [random.permutation(stored[i]) for i in random.permutation(len(stored))],
    "files": lambda: [stored[i] for i in random.permutation(len(stored))],
}
print(f"{len(examples)} vectors of {len(np.unique(examples))} examples in {len(files)} files, batches of {batch}")
print(f"{'order':<25}{'of one example':>16}{'together before':>17}")
for name, order in ORDERS.items():
    before, totals = None, np.zeros(4)
    for _ in range(EPOCHS):
        now = batches(order())
        totals[:2] += pairs([examples[rows] for rows in now])
        if before is not None:
            totals[2:] += pairs([before[rows] for rows in now])
        before = np.empty(len(examples), int)
        for number, rows in enumerate(now):
            before[rows] = number
    print(f"{name:<25}{totals[0] / totals[1]:>15.4%}{totals[2] / totals[3]:>16.3%}")
