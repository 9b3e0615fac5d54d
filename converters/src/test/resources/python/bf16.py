"""numpy arrays of ml_dtypes.bfloat16, pickled and loaded where ml_dtypes is not installed.

Between the two they are arrays of uint16 that hold the upper halves of float32 numbers. What is pickled has the
instructions of a real array of ml_dtypes 0.5.3.
"""

import pickle
import sys
import types

import numpy as np

RECONSTRUCT = np.zeros(0, "<f4").__reduce__()[0]

if "ml_dtypes" not in sys.modules:
    module = types.ModuleType("ml_dtypes")
    module.bfloat16 = type("bfloat16", (), {"__module__": "ml_dtypes"})
    sys.modules["ml_dtypes"] = module
BFLOAT16 = sys.modules["ml_dtypes"].bfloat16


class DType:
    """Pickles as np.dtype(ml_dtypes.bfloat16) does, and takes the state of one."""

    def __reduce_ex__(self, protocol):
        return np.dtype, (BFLOAT16, False, True), (3, "<", None, None, None, 2, 2, 64)

    def __setstate__(self, state):
        assert state[:2] == (3, "<") and state[5:7] == (2, 2), state


DTYPE = DType()


class Pickled:
    """Pickles as an array of bfloat16 does; made of the upper halves of float32 numbers, uint16."""

    def __init__(self, halves):
        self.halves = np.ascontiguousarray(halves, "<u2")

    def __reduce_ex__(self, protocol):
        state = (1, self.halves.shape, DTYPE, False, self.halves.tobytes())
        return RECONSTRUCT, (np.ndarray, (0,), b"b"), state


class Loaded:
    """Takes the state of any array; its numbers are those of uint16 where it has bfloat16."""

    def __setstate__(self, state):
        _, shape, dtype, fortran, data = state
        self.bfloat16 = isinstance(dtype, DType)
        flat = np.frombuffer(bytearray(data), "<u2" if self.bfloat16 else dtype)
        self.numbers = flat.reshape(shape, order="F" if fortran else "C")


class Unpickler(pickle.Unpickler):
    """Loads arrays as Loaded; for files that we wrote, as it executes what any other unpickler does."""

    def find_class(self, module, name):
        if name == "_reconstruct":
            return lambda kind, shape, typecode: Loaded()
        if (module, name) == ("numpy", "dtype"):
            return lambda kind, *flags: DType() if kind is BFLOAT16 else np.dtype(kind, *flags)
        return super().find_class(module, name)


def upper_halves(numbers):
    """The upper halves of float32 numbers, cut off, as uint16."""
    return (np.ascontiguousarray(numbers, "<f4").view("<u4") >> 16).astype("<u2")


def as_float32(halves):
    """What bfloat16 numbers are as float32, exactly."""
    return (halves.astype("<u4") << 16).view("<f4")
