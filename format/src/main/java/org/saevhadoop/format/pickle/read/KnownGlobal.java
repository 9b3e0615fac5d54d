package org.saevhadoop.format.pickle.read;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Allow-list of globals: the classes and functions that build arrays, dtypes and scalars of numpy
 * and the containers of Python. Names are compared as a whole, because a dotted name could reach
 * any attribute.
 */
enum KnownGlobal {
  RECONSTRUCT,
  SCALAR,
  FROMBUFFER,
  NDARRAY,
  DTYPE,
  BFLOAT16,
  ENCODE,
  ORDERED_DICT,
  DEFAULT_DICT,
  LIST,
  DICT,
  SET,
  FROZENSET,
  BYTES,
  BYTEARRAY;

  private static final int FIRST_PROTOCOL_OF_PYTHON_3 = 3;
  private static final String PYTHON_2_BUILTINS = "__builtin__";

  private record Name(String module, String name) {}

  private static final Map<Name, KnownGlobal> ALLOWED = new HashMap<>();

  static {
    for (String core : new String[] {"numpy.core.", "numpy._core."}) {
      ALLOWED.put(new Name(core + "multiarray", "_reconstruct"), RECONSTRUCT);
      ALLOWED.put(new Name(core + "multiarray", "scalar"), SCALAR);
      ALLOWED.put(new Name(core + "numeric", "_frombuffer"), FROMBUFFER);
    }
    ALLOWED.put(new Name("numpy", "ndarray"), NDARRAY);
    ALLOWED.put(new Name("numpy", "dtype"), DTYPE);
    ALLOWED.put(new Name("ml_dtypes", "bfloat16"), BFLOAT16);
    ALLOWED.put(new Name("_codecs", "encode"), ENCODE);
    ALLOWED.put(new Name("collections", "OrderedDict"), ORDERED_DICT);
    ALLOWED.put(new Name("collections", "defaultdict"), DEFAULT_DICT);
    for (String builtins : new String[] {"builtins", PYTHON_2_BUILTINS}) {
      ALLOWED.put(new Name(builtins, "list"), LIST);
      ALLOWED.put(new Name(builtins, "dict"), DICT);
      ALLOWED.put(new Name(builtins, "set"), SET);
      ALLOWED.put(new Name(builtins, "frozenset"), FROZENSET);
      ALLOWED.put(new Name(builtins, "bytes"), BYTES);
      ALLOWED.put(new Name(builtins, "bytearray"), BYTEARRAY);
    }
  }

  /** Returns the meaning of a name; null if it is not allowed. */
  static @Nullable KnownGlobal find(int protocol, String module, String name) {
    boolean isOfAnotherPython =
        protocol >= FIRST_PROTOCOL_OF_PYTHON_3 && module.equals(PYTHON_2_BUILTINS);
    return isOfAnotherPython ? null : ALLOWED.get(new Name(module, name));
  }

  /**
   * Returns whether this is a container class, which is called with its content or without
   * arguments.
   */
  boolean isContainer() {
    return compareTo(ORDERED_DICT) >= 0;
  }
}
