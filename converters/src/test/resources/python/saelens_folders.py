#!/usr/bin/env python3
"""Makes the folders of SAELens 6 with the library that it uses.

    saelens_folders.py OUT      writes OUT/saelens, OUT/saelens-crash and OUT/saelens-hub

Needs datasets and torch; fixtures/arrays has what datasets 5.0.1 and pyarrow 25.0.1 leave.
sae_lens/cache_activations_runner.py of SAELens at 05252946: `__init__`: one column of Array2D and
token_ids; `run`: a dataset of one file for each buffer in .tmp_shards, which `_consolidate_shards`
moves, and which a crash leaves; on the Hub, Parquet and cache_activations_runner_cfg.json.
"""

import json
import pathlib
import shutil
import sys

import torch
from datasets import Array2D, Dataset, Features, Sequence, Value

OUT = pathlib.Path(sys.argv[1])
CONTEXT, DIM, SEQUENCES = 5, 8, 3
HOOK = "blocks.3.hook_resid_post"

features = Features({HOOK: Array2D(shape=(CONTEXT, DIM), dtype="float32"),
                     "token_ids": Sequence(Value(dtype="int32"), length=CONTEXT)})
torch.manual_seed(9)
shards = []
for i in range(2):
    acts = torch.randn(SEQUENCES, CONTEXT, DIM)
    ids = torch.randint(50000, (SEQUENCES, CONTEXT), dtype=torch.int32)
    shard = Dataset.from_dict({HOOK: acts, "token_ids": ids}, features=features)
    shard.save_to_disk(OUT / "saelens-crash" / ".tmp_shards" / f"shard_{i:05d}", num_shards=1)
    shards.append(shard)

source, output, files = OUT / "saelens-crash" / ".tmp_shards", OUT / "saelens", []
output.mkdir()
shutil.copy2(source / "shard_00000" / "dataset_info.json", output)
for i, folder in enumerate(sorted(source.iterdir())):
    name = f"data-{i:05d}-of-{len(shards):05d}.arrow"
    shutil.copy2(folder / "data-00000-of-00001.arrow", output / name)
    files.append({"filename": name})
(output / "state.json").write_text(json.dumps(
    {"_data_files": files, "_fingerprint": "0123456789abcdef", "_format_columns": None,
     "_format_kwargs": {}, "_format_type": None, "_output_all_columns": False, "_split": None},
    indent=2))

dataset = Dataset.load_from_disk(output)
hub = OUT / "saelens-hub"
(hub / "data").mkdir(parents=True)
dataset.to_parquet(hub / "data" / "train-00000-of-00001.parquet")
(hub / "cache_activations_runner_cfg.json").write_text(json.dumps(
    {"dataset_path": "Skylion007/openwebtext", "model_name": "gpt2", "model_batch_size": 3,
     "hook_name": HOOK, "d_in": DIM, "training_tokens": 30, "context_size": CONTEXT,
     "dtype": "float32", "shuffle": False}, indent=2))
