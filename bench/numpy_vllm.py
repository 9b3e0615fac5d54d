"""The peer of conversions of files of vLLM: all of them in one safetensors file, as a user would write it.

    numpy_vllm.py SRC OUT     the tensor "acts" of BF16 [token, layer, 1, dim], the files in the order of their numbers
"""

import json
import pathlib
import re
import struct
import sys

import numpy as np

source, out = map(pathlib.Path, sys.argv[1:])
parts = []
for path in sorted(source.glob("*.safetensors"), key=lambda path: int(re.sub("[^0-9]", "", path.stem))):
    # numpy has no bfloat16, so that safetensors.numpy.load_file refuses these files
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    tensor = json.loads(data[8:8 + length])["hidden_states"]
    begin, end = (8 + length + offset for offset in tensor["data_offsets"])
    parts.append(np.frombuffer(data[begin:end], "<u2").reshape(tensor["shape"]))
acts = np.concatenate(parts)[:, :, None, :]
header = json.dumps({"acts": {"dtype": "BF16", "shape": acts.shape, "data_offsets": [0, acts.nbytes]}}).encode()
header += b" " * (-len(header) % 8)
out.mkdir()
with open(out / "acts.safetensors", "wb") as f:
    f.write(struct.pack("<Q", len(header)) + header)
    acts.tofile(f)
