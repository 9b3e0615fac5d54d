#!/usr/bin/env python3
"""Makes small folders of activations as the programs that cache them leave them.

    program_folders.py OUT      writes OUT/<folder> and OUT/expected/<folder>.json

Needs Python alone; each call writes the same bytes. A comment names the source of each rule: the
file of the program, and its version or commit. expected/<folder>.json has what is in the folder:
the type that is stored, the numbers of the layers, and for each example in the order of the
dataset the name of its file, the number of its tokens, its values [layer, token, dim] as they are
stored (base64), and the integers of its tokens.
"""

import base64
import json
import pathlib
import sys

import program_files as files
from program_files import BF16, F16, F32, I32, I64, Array, Numbers

DIM = 8

OUT = pathlib.Path(sys.argv[1])


def write(path, content):
    path = OUT / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


class Expected:
    def __init__(self, dtype, layers):
        self.json = {"dtype": dtype[0], "layers": layers, "examples": []}

    def add(self, source, layers, **tokens):
        """Adds an example: [token, dim] of each layer, and integers of its tokens."""
        values = b"".join(bytes(layer) for layer in layers)
        self.json["examples"].append({
            "source_file": source, "length": layers[0].shape[0],
            "values": base64.b64encode(values).decode(),
            "integers": {name: array.items for name, array in tokens.items()}})

    def write(self, name):
        examples = ",\n".join(map(json.dumps, self.json.pop("examples")))
        header = json.dumps(self.json)[:-1]
        write(f"expected/{name}.json", f'{header}, "examples": [\n{examples}]}}\n')


def interleave(layers):
    """[token, layer, dim] of a [token, dim] for each layer."""
    rows = [layer.rows() for layer in layers]
    items = [item for token in zip(*rows) for row in token for item in row.items]
    return Array(layers[0].dtype, (len(rows[0]), len(layers), DIM), items)


def vllm():
    """vllm/distributed/kv_transfer/kv_connector/v1/example_hidden_states_connector.py at 015a95c8.
    `_submit_async_write`: {hidden_states, token_ids}; `extract_from_kv_cache`: [token, layer, dim]
    in the type of the cache; token_ids torch.tensor(list), so int64, [token].
    `build_connector_meta`: <request id>.safetensors; `wait_for_save`: an empty .lock beside it,
    which `cleanup_hidden_states` of the client may remove."""
    numbers = Numbers(1)
    expected = Expected(BF16, [0, 1, 2])
    requests = {"cmpl-1f4a9c0e6b7d4e52a3c8d90b5e6f7a81-0-8b1d2c3e": 5,
                "cmpl-7c9e6679742540de944be07fc1f90ae7-0-a4c5b6d7": 3,
                "cmpl-c2d5e8f1a4b7403d9c6e1f2a3b4c5d6e-0-90817263": 7}
    for i, (request, tokens) in enumerate(requests.items()):
        layers = [numbers.floats(BF16, tokens, DIM) for _ in range(3)]
        ids = numbers.ids(tokens)
        name = f"{request}.safetensors"
        write(f"vllm/{name}", files.safetensors({"hidden_states": interleave(layers),
                                                 "token_ids": ids}))
        if i != 1:
            write(f"vllm/{name}.lock", b"")
        expected.add(name, layers, token_ids=ids)
    expected.write("vllm")


def speculators():
    """scripts/data_generation_offline2.py of speculators at 1db75b4c: `worker` moves the files of
    vLLM to hs_<index of the sample>.safetensors. Prompts of one length, and a sample that failed:
    the indexes 0, 2 and 10."""
    numbers = Numbers(2)
    expected = Expected(BF16, [0, 1, 2, 3])
    for i in (0, 2, 10):
        layers = [numbers.floats(BF16, 6, DIM) for _ in range(4)]
        ids = numbers.ids(6)
        write(f"speculators/hs_{i}.safetensors",
              files.safetensors({"hidden_states": interleave(layers), "token_ids": ids}))
        expected.add(f"hs_{i}.safetensors", layers, token_ids=ids)
    expected.write("speculators")


def speculators_pt():
    """speculators of 2025, scripts/data_generation_offline.py at da94e1c2: data_<i>.pt of
    {input_ids, hidden_states: a list of [token, dim] for each layer, loss_mask};
    src/speculators/data_generation/vllm_hidden_states_generator.py at 028a49e4, `_generate_chunk`:
    their order. The loss masks of samples of one length are rows of one tensor of the batch, as
    `datasets` stacks them (datasets/formatting/torch_formatter.py of datasets 5.0,
    `_consolidate`), so their files contain the storage of the batch."""
    numbers = Numbers(3)
    expected = Expected(BF16, [0, 1, 2])
    mask = Array(I64, (2, 5), [0, 0, 1, 1, 1, 0, 1, 1, 0, 1])
    stacked = files.Storage(mask)
    masks = [files.View(stacked, 0, (5,)), files.View(stacked, 5, (5,)),
             Array(I64, (4,), [0, 0, 0, 1])]
    for i, tokens in enumerate((5, 5, 4)):
        layers = [numbers.floats(BF16, tokens, DIM) for _ in range(3)]
        ids = numbers.ids(tokens)
        sample = {"input_ids": ids, "hidden_states": layers, "loss_mask": masks[i]}
        write(f"speculators-pt/data_{i}.pt", files.torch_save(sample, f"data_{i}"))
        expected.add(f"data_{i}.pt", layers, input_ids=ids,
                     loss_mask=masks[i] if i == 2 else mask.rows()[i])
    expected.write("speculators-pt")


def specforge():
    """scripts/prepare_hidden_states.py of SpecForge at f1424fb6: `_get_file_path`:
    rows_<first>-<end>/data_<i>.ckpt, 2,000 a folder (here --file-group-size 2); `DataPoint`: the
    keys in their order; `generate`: [1, token, dim] of the last layer, [1, token, 3 * dim] of three
    layers side by side, input_ids and loss_mask [token]. Without --enable-aux-hidden-states,
    aux_hidden_state is None."""
    numbers = Numbers(4)
    expected, aux_expected = Expected(BF16, [0]), Expected(BF16, [0])
    plain_expected = Expected(BF16, [0])
    for i, tokens in enumerate((6, 4, 5)):
        folder = f"rows_{i // 2 * 2}-{i // 2 * 2 + 2}"
        ids = numbers.ids(tokens)
        loss = Array(I64, (tokens,), [0] * 2 + [1] * (tokens - 2))
        last = numbers.floats(BF16, 1, tokens, DIM)
        aux = numbers.floats(BF16, 1, tokens, 3 * DIM)
        sample = {"input_ids": ids, "loss_mask": loss, "hidden_state": last,
                  "aux_hidden_state": aux}
        path = f"{folder}/data_{i}.ckpt"
        write(f"specforge/{path}", files.torch_save(sample, f"data_{i}"))
        expected.add(path, last.rows(), input_ids=ids, loss_mask=loss)
        aux_expected.add(path, aux.rows(), input_ids=ids, loss_mask=loss)
        sample["aux_hidden_state"] = None
        write(f"specforge-plain/{path}", files.torch_save(sample, f"data_{i}"))
        plain_expected.add(path, last.rows(), input_ids=ids, loss_mask=loss)
    expected.write("specforge-hidden_state")
    aux_expected.write("specforge-aux_hidden_state")
    plain_expected.write("specforge-plain")


def llamascopium():
    """src/lm_saes/activation/writer.py of Language-Model-SAEs at 52c024fd: <hook point>/
    chunk-%08d.safetensors with chunk-%08d.meta.json beside it, or shard-<rank>-chunk-%08d.pt of
    several processes, with the key meta; `process`: activation [example, token, dim] and the other
    keys of src/lm_saes/backend/language_model.py at b71e8942, `to_activations`: tokens, mask and
    attention_mask of int32, 1 for a token. The mask leaves out padding and BOS, the attention mask
    padding alone. src/lm_saes/activation/processors/activation.py at b7a121d1: model_name in
    meta."""
    hooks = ["blocks.3.hook_resid_post", "blocks.11.hook_resid_post"]
    for folder, chunks in (("llamascopium", ["chunk-00000000", "chunk-00000001"]),
                           ("llamascopium-pt", ["shard-0-chunk-00000000", "shard-0-chunk-00000001",
                                                "shard-1-chunk-00000000"])):
        numbers = Numbers(5)
        expected = Expected(F32, [3, 11])
        for chunk in chunks:
            tokens, meta = numbers.ids(3, 6), []
            layers = [numbers.floats(F32, 3, 6, DIM) for _ in hooks]
            for row, length in enumerate((6, 4, 5)):
                # bos_token_id is <|endoftext|>; pad_token_id as in a model that has one
                tokens.items[row * 6] = 50256
                tokens.items[row * 6 + length:row * 6 + 6] = [50257] * (6 - length)
                meta.append({"model_name": "gpt2", "dataset_name": "openwebtext",
                             "context_idx": len(expected.json["examples"]) + row})
            attention = Array(I32, (3, 6), [int(i != 50257) for i in tokens.items])
            mask = Array(I32, (3, 6), [int(i not in (50256, 50257)) for i in tokens.items])
            for hook, layer in zip(hooks, layers):
                data = {"activation": layer, "tokens": tokens, "mask": mask,
                        "attention_mask": attention}
                path = f"{folder}/{hook}/{chunk}"
                if folder == "llamascopium":
                    write(f"{path}.safetensors", files.safetensors(data))
                    write(f"{path}.meta.json", json.dumps(meta))
                else:
                    write(f"{path}.pt", files.torch_save(data | {"meta": meta}, chunk))
            ending = "safetensors" if folder == "llamascopium" else "pt"
            for row in range(3):
                expected.add(f"{hooks[0]}/{chunk}.{ending}",
                             [layer.rows()[row] for layer in layers], tokens=tokens.rows()[row],
                             mask=mask.rows()[row], attention_mask=attention.rows()[row])
        expected.write(folder)


def activault():
    """pipeline/vault/hook_uploader.py of activault at bd97d2fc: `_filename`:
    <run>/<hook>/<uuid>--<number of the upload>_<job>.saved.pt, `_queue_save_in_mem`: {states
    [example, token, dim], input_ids [example, token], tensor_bytes}, saved to a stream;
    `_get_metadata`, `save_stats`: documents beside them; pipeline/generate.py: a uuid for the files
    of all hooks; pipeline/config.py: cfg.json; configs/llama3.3_70b.yaml: names of hooks and
    float16."""
    numbers = Numbers(6)
    run, hooks = "llama3.3_70b", ["blocks.24.hook_resid_post", "blocks.36.hook_resid_post"]
    expected = Expected(F16, [24, 36])
    for n, uuid in enumerate(("e7b1c2d3-9f80-4a5b-8c6d-1e2f3a4b5c6d",
                              "1c9d8e7f-6a5b-4c3d-9e2f-1a0b9c8d7e6f"), 1):
        ids = numbers.ids(4, 5)
        states = [numbers.floats(F16, 4, 5, DIM) for _ in hooks]
        name = f"{uuid}--{n}_0.saved.pt"
        for hook, layer in zip(hooks, states):
            data = {"states": layer, "input_ids": ids,
                    "tensor_bytes": len(bytes(layer)) + len(bytes(ids))}
            content = files.torch_save(data, "archive")
            write(f"activault/{run}/{hook}/{name}", content)
            write(f"activault/{run}/{hook}/metadata.json", json.dumps({
                "batch_size": 4, "sequence_length": 5, "dtype": "torch.float16", "d_in": DIM,
                "batches_per_file": 2, "shape": [4, 5, DIM], "input_ids_shape": [4, 5],
                "bytes_per_file": len(content)}))
        for row in range(4):
            expected.add(f"{hooks[0]}/{name}", [layer.rows()[row] for layer in states],
                         input_ids=ids.rows()[row])
    for hook in hooks:
        write(f"activault/{run}/{hook}/statistics.json", json.dumps({
            "mean": [0.125] * DIM, "std": [4.5] * DIM, "norm": 12.75, "M2": [162.0] * DIM}))
    write(f"activault/{run}/cfg.json", json.dumps({
        "run_name": run,
        "transformer_config": {"model_name": "meta-llama/Llama-3.3-70B-Instruct",
                               "dtype": "float16", "cache_dir": "/cache"},
        "data_config": {"bucket_name": "main", "data_key": "infinity-instruct:CHAT_TEMPLATE",
                        "n_batches": 4, "seq_length": 5, "batch_size": 2, "seed": 42},
        "upload_config": {"batches_per_upload": 2, "hooks": hooks}, "total_tokens": 40,
        "d_model": DIM, "n_total_files": 2, "batches_processed": 4, "num_runs": 1}))
    expected.write("activault")


def crosscoder():
    """dictionary_learning/cache.py of crosscoder_learning at b2363ed5: `save_shard`:
    shard_<i>.memmap [n, dim], bfloat16 as int16, and shard_<i>.meta {shape, dtype}; `collect`: a
    folder <submodule>_<io> for each submodule with config.json, mean.pt and std.pt; tokens.pt [n]
    and sequence_ranges.pt, where sequences begin, above them. `save_state`: count.pt and M2.pt.
    `dtype_to_str` is in a file that was not found: bfloat16 is its name without "torch.".
    scripts/collect_activations.py of sparsity-artifacts-crosscoders at 109a7161: layer_<l>."""
    numbers = Numbers(7)
    folders, sizes = ["layer_13_out", "layer_20_out"], [9, 6]
    expected = Expected(BF16, [13, 20])
    ids = numbers.ids(sum(sizes))
    shards = [[numbers.floats(BF16, size, DIM) for size in sizes] for _ in folders]
    for folder, arrays in zip(folders, shards):
        for i, array in enumerate(arrays):
            write(f"crosscoder/{folder}/shard_{i}.memmap", bytes(array))
            write(f"crosscoder/{folder}/shard_{i}.meta",
                  json.dumps({"shape": list(array.shape), "dtype": "bfloat16"}))
        write(f"crosscoder/{folder}/config.json", json.dumps({
            "batch_size": 2, "context_len": 6, "shard_size": 8, "d_model": DIM,
            "shuffle_shards": False, "io": "out", "total_size": sum(sizes), "shard_count": 2,
            "store_tokens": True, "store_sequence_ranges": True}))
        for name in ("mean", "std", "M2"):
            write(f"crosscoder/{folder}/{name}.pt",
                  files.torch_save(numbers.floats(BF16, DIM), name))
        write(f"crosscoder/{folder}/count.pt", files.torch_save(Array(I64, (), [15]), "count"))
    write("crosscoder/tokens.pt", files.torch_save(ids, "tokens"))
    ranges = Array(I64, (4,), [0, 4, 9, 15])
    write("crosscoder/sequence_ranges.pt", files.torch_save(ranges, "sequence_ranges"))
    vectors = zip(*([row for array in arrays for row in array.rows()] for arrays in shards))
    for i, layers in enumerate(vectors):
        shard = 0 if i < sizes[0] else 1
        expected.add(f"{folders[0]}/shard_{shard}.memmap",
                     [Array(BF16, (1, DIM), layer.items) for layer in layers],
                     tokens=ids.rows()[i])
    expected.write("crosscoder")


def scripts():
    """Arrays that scripts save. transformer_lens/ActivationCache.py of TransformerLens at da3b4e53:
    `cache_dict` is a dictionary of names of hooks, hook_resid_post is [batch, pos, d_model] and
    attn.hook_pattern [batch, head, query, key]."""
    numbers = Numbers(8)
    hooks = ["blocks.3.hook_resid_post", "blocks.11.hook_resid_post"]
    layers = [numbers.floats(F32, 4, 5, DIM) for _ in hooks]
    # NaN with a payload, infinities, -0.0 and a denormal
    layers[0].items[:5] = [0x7fc12345, 0x7f800000, 0xff800000, 0x80000000, 1]
    named, ids = dict(zip(hooks, layers)), numbers.ids(4, 5)
    expected, plain = Expected(F32, [3, 11]), Expected(F32, [3, 11])
    for row in range(4):
        both = [layer.rows()[row] for layer in layers]
        expected.add("", both, tokens=ids.rows()[row])
        plain.add("", both)
    expected.write("scripts-tokens")
    plain.write("scripts")
    write("scripts/hooks.safetensors", files.safetensors(named | {"tokens": ids}))
    write("scripts/cache.pt", files.torch_save(
        {"hook_embed": numbers.floats(F32, 4, 5, DIM), **named,
         "blocks.3.attn.hook_pattern": numbers.floats(F32, 4, 2, 5, 5)}, "cache"))
    write("scripts/hooks.npz", files.npz(named | {"tokens": ids}))
    write("scripts/compressed.npz", files.npz(named | {"tokens": ids}, compressed=True))
    for hook, layer in named.items():
        write(f"scripts/layers/layer_{hook.split('.')[1]}.npy", files.npy(layer))
    bf16 = [numbers.floats(BF16, 4, 5, DIM) for _ in hooks]
    expected = Expected(BF16, [0, 1])
    rows = list(zip(*(layer.rows() for layer in bf16)))
    for row in rows:
        expected.add("", row)
    expected.write("scripts-bf16")
    acts = files.cat([files.cat(row) for row in rows])
    write("scripts/bf16.npy", files.npy(Array(BF16, (4, 2, 5, DIM), acts.items)))
    write("scripts/bf16.pt", files.torch_save(Array(BF16, (4, 2, 5, DIM), acts.items), "bf16"))


if __name__ == "__main__":
    for make in (vllm, speculators, speculators_pt, specforge, llamascopium, activault, crosscoder,
                 scripts):
        make()
