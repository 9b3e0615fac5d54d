package org.saevhadoop.format.pickle.value;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.format.pickle.read.PythonKeys;
import org.saevhadoop.format.tensor.DType;

/**
 * Python's objects, as far as Java has none for them. {@code None} is null, {@code bool} a Boolean,
 * {@code int} a Long or, beyond 64 bits, a BigInteger, {@code float} a Double and {@code str} a
 * String, a lone surrogate being one. Objects may be shared and contain themselves.
 */
public sealed interface PythonValue {
  /** {@code bytes}. */
  record Bytes(PayloadData data) implements PythonValue {}

  /** {@code bytearray}. */
  record ByteArray(PayloadData data) implements PythonValue {}

  /**
   * A {@code str} of more than 1024 bytes in the pickle, which is not kept in memory, or one that a
   * String can not tell from another one: with both halves of a surrogate pair as two characters.
   * Of {@link PayloadData.Form#UTF8}, a surrogate having three bytes, or escaped.
   */
  record Text(PayloadData data) implements PythonValue {}

  /** {@code tuple}. */
  record Tuple(List<Object> items) implements PythonValue {}

  /** {@code list}; also what {@code append} can still extend. */
  final class PyList implements PythonValue {
    private static final int FIRST_CAPACITY = 4;

    private Object[] items = {};
    private int size;
    private boolean isStored;
    private boolean grewAfterStored;

    /** Appends. */
    public void add(Object item) {
      grewAfterStored |= isStored;
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

    /** Whether it was extended after it had been put into a dictionary. */
    public boolean grewAfterStored() {
      return grewAfterStored;
    }

    void stored() {
      isStored = true;
    }

    void set(int index, Object item) {
      items[index] = item;
    }
  }

  /** {@code dict} and its kin: in the order in which the keys first came; the last value counts. */
  final class Dict implements PythonValue {
    /** Which class of Python it is. */
    public enum Kind {
      DICT,
      ORDERED_DICT,
      /** {@code collections.defaultdict}, of whatever factory. */
      DEFAULT_DICT
    }

    private final Kind kind;
    private final KeyedItems keys = new KeyedItems();
    private final PyList values = new PyList();
    private PyList overwrittenKeys;

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
      keys.append(key);
      values.add(value);
    }

    /** Keys that got another value after their first; null where there are none. */
    public PyList overwrittenKeys() {
      return overwrittenKeys;
    }

    /**
     * Sets the value of a key.
     *
     * @param form what {@link PythonKeys#form} says of the key
     */
    void put(Object form, Object key, Object value) {
      if (value instanceof PyList list) {
        list.stored();
      }
      int index = keys.add(form, key);
      if (index == values.size()) {
        values.add(value);
        return;
      }
      values.set(index, value);
      if (overwrittenKeys == null) {
        overwrittenKeys = new PyList();
      }
      overwrittenKeys.add(key);
    }
  }

  /** {@code set}, or {@code frozenset} where it is frozen. */
  record PySet(boolean frozen, List<Object> items) implements PythonValue {}

  /**
   * {@code numpy.dtype}.
   *
   * @param kind numpy's letter: b i u f c, U S, or V for {@code ml_dtypes.bfloat16}
   * @param itemSize bytes of an element
   * @param bigEndian whether its bytes are the other way round
   * @param dtype the type in this project; null for texts (U, S) and for complex128
   */
  record NumpyType(char kind, int itemSize, boolean bigEndian, DType dtype)
      implements PythonValue {}

  /** {@code numpy.ndarray}: while the pickle is read also one whose state has not come yet. */
  final class NumpyArray implements PythonValue {
    private NumpyType type;
    private long[] shape;
    private int[] axes;
    private PayloadData data;

    /** Whether it has its state. */
    public boolean isBuilt() {
      return type != null;
    }

    /** Gives it its state; the later one counts, as in Python. */
    public void build(NumpyType newType, long[] newShape, boolean newFortran, PayloadData newData) {
      int last = newShape.length - 1;
      build(
          newType,
          newShape,
          IntStream.range(0, newShape.length)
              .map(axis -> newFortran ? last - axis : axis)
              .toArray(),
          newData);
    }

    /**
     * The same for any order of the elements.
     *
     * @param newAxes for each dimension its place among them by how slowly their index moves; 0 is
     *     the slowest
     */
    void build(NumpyType newType, long[] newShape, int[] newAxes, PayloadData newData) {
      type = newType;
      shape = newShape;
      axes = newAxes;
      data = newData;
    }

    public NumpyType type() {
      return type;
    }

    /** Elements per dimension, the slowest first; empty for a single number. */
    public long[] shape() {
      return shape.clone();
    }

    /** Whether the last index moves fastest and the first one slowest, as in C. */
    public boolean isRowMajor() {
      return IntStream.range(0, axes.length).allMatch(axis -> axes[axis] == axis);
    }

    /**
     * For each dimension its place among them by how slowly their index moves, 0 being the slowest:
     * numpy 2.4 also writes orders that are neither C's nor Fortran's.
     */
    public int[] axes() {
      return axes.clone();
    }

    /** Its elements, of {@link #type}. */
    public PayloadData data() {
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
  record NumpyScalar(NumpyType type, byte[] bytes) implements PythonValue {}
}
