package org.saevhadoop.format.pickle;

import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.tensor.DType;

/**
 * Python's objects, as far as Java has none for them. {@code None} is null, {@code bool} a Boolean,
 * {@code int} a Long or, beyond 64 bits, a BigInteger, {@code float} a Double and {@code str} a
 * String, a lone surrogate being one. Objects may be shared and contain themselves.
 */
public sealed interface Py {
  /** {@code bytes}. */
  record Bytes(Data data) implements Py {}

  /** {@code bytearray}. */
  record ByteArray(Data data) implements Py {}

  /** A {@code str} that is too long to be kept in memory: of {@link Data.Form#UTF8} or escaped. */
  record Text(Data data) implements Py {}

  /** {@code tuple}. */
  record Tuple(List<Object> items) implements Py {}

  /** {@code list}; also what {@code append} can still extend. */
  final class PyList implements Py {
    private static final int FIRST_CAPACITY = 4;

    private Object[] items = {};
    private int size;

    /** Appends. */
    public void add(Object item) {
      if (size == items.length) {
        items = Arrays.copyOf(items, Math.max(FIRST_CAPACITY, size + (size >> 1)));
      }
      items[size++] = item;
    }

    public Object get(int index) {
      return items[index];
    }

    public int size() {
      return size;
    }
  }

  /** {@code dict} and its kin: in the order in which the keys first came; the last value counts. */
  final class Dict implements Py {
    /** Which class of Python it is. */
    public enum Kind {
      DICT,
      ORDERED_DICT,
      /** {@code collections.defaultdict}, of whatever factory. */
      DEFAULT_DICT
    }

    private final Kind kind;
    private final PyList keys = new PyList();
    private final PyList values = new PyList();

    public Dict(Kind kind) {
      this.kind = kind;
    }

    public Kind kind() {
      return kind;
    }

    public int size() {
      return keys.size();
    }

    public Object key(int index) {
      return keys.get(index);
    }

    public Object value(int index) {
      return values.get(index);
    }

    /** Adds a key that is not in it yet. */
    public void append(Object key, Object value) {
      keys.add(key);
      values.add(value);
    }
  }

  /** {@code set}, or {@code frozenset} where it is frozen. */
  record PySet(boolean frozen, List<Object> items) implements Py {}

  /**
   * {@code numpy.dtype}.
   *
   * @param kind numpy's letter: b i u f c, U S, or V for {@code ml_dtypes.bfloat16}
   * @param itemSize bytes of an element
   * @param bigEndian whether its bytes are the other way round
   * @param dtype the type in this project; null for texts (U, S)
   */
  record NumpyType(char kind, int itemSize, boolean bigEndian, DType dtype) implements Py {}

  /** {@code numpy.ndarray}: while the pickle is read also one whose state has not come yet. */
  final class NumpyArray implements Py {
    private NumpyType type;
    private long[] shape;
    private boolean fortran;
    private Data data;

    /** Whether it has its state. */
    public boolean isBuilt() {
      return type != null;
    }

    /** Gives it its state; the later one counts, as in Python. */
    public void build(NumpyType newType, long[] newShape, boolean newFortran, Data newData) {
      type = newType;
      shape = newShape;
      fortran = newFortran;
      data = newData;
    }

    public NumpyType type() {
      return type;
    }

    /** Elements per dimension, the slowest first; empty for a single number. */
    public long[] shape() {
      return shape.clone();
    }

    /** Whether the first index moves fastest. */
    public boolean isFortran() {
      return fortran;
    }

    /** Its elements, of {@link #type}. */
    public Data data() {
      return data;
    }

    /** Bytes of all elements. */
    public long bytes() {
      long bytes = type.itemSize();
      for (long size : shape) {
        bytes *= size;
      }
      return bytes;
    }
  }

  /** A numpy scalar; its bytes are little-endian. */
  record NumpyScalar(NumpyType type, byte[] bytes) implements Py {}
}
