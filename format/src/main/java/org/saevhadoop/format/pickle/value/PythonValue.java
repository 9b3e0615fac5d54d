package org.saevhadoop.format.pickle.value;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.numpy.header.NumpyType;

/**
 * Python objects without a direct counterpart in Java. {@code None} is represented by null, {@code
 * bool} by Boolean, {@code int} by Long, or by BigInteger beyond 64 bits, {@code float} by Double,
 * {@code str} by String, in which a lone surrogate is a separate character, and {@code numpy.dtype}
 * by {@link NumpyType}. Objects can be shared and can contain themselves.
 */
public sealed interface PythonValue {
  /** {@code bytes}. */
  record Bytes(PayloadData data) implements PythonValue {}

  /** {@code bytearray}. */
  record ByteArray(PayloadData data) implements PythonValue {}

  /**
   * A {@code str} of more than 1024 bytes in the pickle, which is not kept in memory, or a {@code
   * str} that a String cannot represent unambiguously because both halves of a surrogate pair are
   * characters. The data has {@link PayloadData.Form#UTF8}, with three bytes for each surrogate, or
   * is escaped.
   */
  record Text(PayloadData data) implements PythonValue {}

  /** {@code tuple}. */
  record Tuple(List<Object> items) implements PythonValue {}

  /** {@code list}, and any other object that {@code append} can extend. */
  final class PyList implements PythonValue {
    private static final int FIRST_CAPACITY = 4;

    private Object[] items = {};
    private int size;
    private boolean isStored;
    private boolean grewAfterStored;

    /** Appends an item. */
    public void add(@Nullable Object item) {
      grewAfterStored |= isStored;
      if (size == items.length) {
        items = Arrays.copyOf(items, Math.max(FIRST_CAPACITY, size + (size >> 1)));
      }
      items[size++] = item;
    }

    public @Nullable Object get(int index) {
      return items[index];
    }

    public int size() {
      return size;
    }

    /** Returns a view of the current items; later additions do not change it. */
    public List<Object> items() {
      return Collections.unmodifiableList(Arrays.asList(items).subList(0, size));
    }

    /** Returns whether the list was extended after it had been stored in a dictionary. */
    public boolean grewAfterStored() {
      return grewAfterStored;
    }

    /** Records that the list was stored in a dictionary or fetched from the memo. */
    public void stored() {
      isStored = true;
    }

    void set(int index, @Nullable Object item) {
      items[index] = item;
    }
  }

  /**
   * {@code dict} and its subclasses, in the insertion order of the keys; a later value of a key
   * replaces an earlier one.
   */
  final class Dict implements PythonValue {
    /** Python class of a dictionary. */
    public enum Kind {
      DICT,
      ORDERED_DICT,
      /** {@code collections.defaultdict}, with any factory. */
      DEFAULT_DICT
    }

    private final Kind kind;
    private final KeyedItems keys = new KeyedItems();
    private final PyList values = new PyList();
    private @Nullable PyList overwrittenKeys;

    public Dict(Kind kind) {
      this.kind = kind;
    }

    public Kind kind() {
      return kind;
    }

    public int size() {
      return keys.size();
    }

    public @Nullable Object key(int index) {
      return keys.get(index);
    }

    public @Nullable Object value(int index) {
      return values.get(index);
    }

    /** Adds a key that is not present yet. */
    public void append(@Nullable Object key, @Nullable Object value) {
      keys.append(key);
      values.add(value);
    }

    /** Returns the keys whose first value was replaced by another value; null if there are none. */
    public @Nullable PyList overwrittenKeys() {
      return overwrittenKeys;
    }

    /**
     * Sets the value of a key.
     *
     * @param form a Java object that equals the forms of equal keys; see {@code PythonKeys}
     */
    public void put(Object form, @Nullable Object key, @Nullable Object value) {
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

  /** {@code set}, or {@code frozenset} if it is frozen. */
  record PySet(boolean frozen, List<Object> items) implements PythonValue {}

  /** {@code numpy.ndarray}, which can lack its state during unpickling. */
  final class NumpyArray implements PythonValue {
    private record State(NumpyType type, long[] shape, int[] axes, PayloadData data) {}

    private @Nullable State state;
    private @Nullable List<Object> objects;
    private boolean isScalar;
    private @Nullable String unread;

    /** Returns whether the array has its state. */
    public boolean isBuilt() {
      return state != null || objects != null || unread != null;
    }

    /** Returns the elements of an array of objects, in C order; null for other arrays. */
    public @Nullable List<Object> objects() {
      return objects;
    }

    /** Returns whether this is a zero-dimensional array of objects, which holds one object. */
    public boolean isScalar() {
      return isScalar;
    }

    /** Returns a description of elements that are not numbers; null for numbers. */
    public @Nullable String unread() {
      return unread;
    }

    /**
     * Sets the state of an array of objects.
     *
     * @param isWithoutDimensions whether it is a zero-dimensional array, which holds one object
     */
    public void buildObjects(List<Object> items, boolean isWithoutDimensions) {
      clear();
      isScalar = isWithoutDimensions;
      objects = items;
    }

    /** Sets the state of an array that is not read. */
    public void buildUnread(String what) {
      clear();
      unread = what;
    }

    private void clear() {
      state = null;
      objects = null;
      unread = null;
    }

    /** Sets the state; as in Python, a later state replaces an earlier one. */
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
     * Sets the state for any order of the elements.
     *
     * @param newAxes the position of each dimension in the storage order; 0 is the slowest
     */
    public void build(NumpyType newType, long[] newShape, int[] newAxes, PayloadData newData) {
      clear();
      state = new State(newType, newShape, newAxes, newData);
    }

    private State state() {
      return Objects.requireNonNull(state, "an array without state");
    }

    /** Returns the element type. */
    public NumpyType type() {
      return state().type;
    }

    /**
     * Returns the number of elements per dimension, slowest dimension first; empty for a scalar.
     */
    public long[] shape() {
      return state().shape.clone();
    }

    /**
     * Returns whether the elements are in C order: the last index varies fastest and the first
     * index slowest.
     */
    public boolean isRowMajor() {
      int[] axes = state().axes;
      return IntStream.range(0, axes.length).allMatch(axis -> axes[axis] == axis);
    }

    /**
     * Returns the position of each dimension in the storage order; 0 is the slowest. numpy 2.4 also
     * writes orders that are neither C order nor Fortran order.
     */
    public int[] axes() {
      return state().axes.clone();
    }

    /** Returns the data of the elements. */
    public PayloadData data() {
      return state().data;
    }

    /** Returns the size of all elements in bytes. */
    public long bytes() {
      return bytes(state().type, state().shape);
    }

    /** Returns the size of all elements in bytes; -1 for a shape that numpy cannot have. */
    public static long bytes(NumpyType type, long[] shape) {
      long bytes = type.itemSize();
      boolean isEmpty = false;
      for (long size : shape) {
        if (size < 0 || Math.multiplyHigh(bytes, Math.max(size, 1)) != 0) {
          return -1;
        }
        bytes *= Math.max(size, 1);
        isEmpty |= size == 0;
        if (bytes < 0) {
          return -1;
        }
      }
      return isEmpty ? 0 : bytes;
    }
  }

  /** A numpy scalar, with its bytes in little-endian order. */
  record NumpyScalar(NumpyType type, byte[] bytes) implements PythonValue {}
}
