#!/usr/bin/env python3
"""Prints the hash of the metadata.json of a SAEV dataset of protocol 1.0.0, as saev computes it.

    saev_hash.py METADATA.json
"""

import hashlib
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = json.dumps(json.load(file), sort_keys=True, separators=(",", ":"))
print(hashlib.sha256(text.encode()).hexdigest())
