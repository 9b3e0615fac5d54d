"""Folders of arrays as other programs leave them, of random bits, to measure with."""

import json
import pathlib
import struct

import numpy as np

VLLM_LAYERS, VLLM_DIM, VLLM_TOKENS = 3, 256, 46  # the tokens of a file are VLLM_TOKENS in the mean


def vllm(folder, files, seed):
    """Writes FILES files as ExampleHiddenStatesConnector of vLLM does, 69 KiB in the mean, and returns their bytes.

    Each has the hidden states of a request, BF16 [token, layer, dim], and its token ids. The names are those of
    speculators, `hs_<i>.safetensors`. As in files of the safetensors library, the tensor of the wider type comes first.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    random = np.random.default_rng(seed)
    vector = VLLM_LAYERS * VLLM_DIM
    # bits of BF16 that are numbers: the exponents of 2^-127 to 2
    states = random.integers(0, 1 << 14, 2 * VLLM_TOKENS * vector, dtype="<u2") | random.integers(
        0, 2, 2 * VLLM_TOKENS * vector, dtype="<u2") << np.uint16(15)
    written = 0
    for i in range(files):
        tokens = int(random.integers(VLLM_TOKENS // 3, 2 * VLLM_TOKENS - VLLM_TOKENS // 3 + 1))
        ids = random.integers(0, 150_000, tokens, dtype="<i8")
        start = int(random.integers(0, len(states) - tokens * vector + 1))
        values = states[start:start + tokens * vector]
        header = json.dumps({
            "token_ids": {"dtype": "I64", "shape": [tokens], "data_offsets": [0, ids.nbytes]},
            "hidden_states": {"dtype": "BF16", "shape": [tokens, VLLM_LAYERS, VLLM_DIM],
                              "data_offsets": [ids.nbytes, ids.nbytes + values.nbytes]},
        }, separators=(",", ":")).encode()
        header += b" " * (-len(header) % 8)
        with open(folder / f"hs_{i}.safetensors", "wb") as f:
            written += f.write(struct.pack("<Q", len(header)) + header + ids.tobytes() + values.tobytes())
    return written
