package org.saevhadoop.format.pickle.write;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PayloadContent;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PyNumbers;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;

/**
 * Streaming writer of a single pickle. {@code pickle.load} of any CPython 3 yields equal objects,
 * and arrays in C order with numpy 1 and 2: all protocols use {@code
 * numpy.core.multiarray._reconstruct}, which both versions have.
 *
 * <p>Once a list or dict has been started, the values that follow become its items (keys and values
 * alternate) until it is ended. Memory use is constant: the memo contains only globals, dtypes and
 * short keys. Shared objects are written once per occurrence.
 */
public final class PickleWriter {
  /**
   * Maximum size in bytes of a text string or byte string in a value, because it is held in memory.
   */
  private static final long MAX_IN_MEMORY = 64L << 20;

  /**
   * Maximum number of parts of a value, where each object and each 16 bytes of text strings and
   * byte strings count as one part. It bounds the expansion of shared objects.
   */
  private static final long MAX_PARTS = 20_000_000;

  private static final int PART_BYTES = 16;

  private final String path;
  private final PickleOpcodes out;
  private final Deque<Batch> open = new ArrayDeque<>();
  private long parts;

  /**
   * Begins a pickle.
   *
   * @param path the path of the file for error messages
   * @param protocol 2, 4 or 5
   * @param sink receives the pickle, and must consume all remaining bytes of each buffer
   */
  public PickleWriter(String path, int protocol, Io.Consumer<ByteBuffer> sink) throws IOException {
    this.path = path;
    this.out = new PickleOpcodes(protocol, sink);
  }

  /** Begins a dict, OrderedDict or {@code defaultdict(list)}. */
  public void beginDict(PythonValue.Dict.Kind kind) throws IOException {
    beginItem();
    emptyDict(kind);
    open.push(new Batch(Opcode.SETITEMS, 2));
  }

  /** Ends the innermost dict. */
  public void endDict() throws IOException {
    end(Opcode.SETITEMS);
  }

  public void beginList() throws IOException {
    beginItem();
    out.op(Opcode.EMPTY_LIST);
    open.push(new Batch(Opcode.APPENDS, 1));
  }

  /** Ends the innermost list. */
  public void endList() throws IOException {
    end(Opcode.APPENDS);
  }

  private void end(int opcode) throws IOException {
    Batch batch = open.pop();
    if (batch.opcode != opcode) {
      throw new IllegalStateException("another container is open");
    }
    batch.end();
  }

  private void beginItem() throws IOException {
    if (!open.isEmpty()) {
      open.peek().next();
    }
  }

  /**
   * Writes the key of a dict. A short key is written in full once and then referenced through the
   * memo.
   */
  public void key(String key) throws IOException {
    beginItem();
    out.key(key);
  }

  /**
   * Writes a value: a {@link PythonValue}, or null, Boolean, Long, BigInteger, Double or String as
   * defined there.
   *
   * @param payloads the long text strings and byte strings of the value; null if it has none
   * @throws FormatException with LIMIT_EXCEEDED if the value is too large, is nested too deeply or
   *     contains itself
   */
  public void value(@Nullable Object value, @Nullable PayloadStore payloads) throws IOException {
    beginItem();
    parts = 0;
    save(value, payloads, 0);
  }

  /**
   * Returns whether arrays of a dtype can be written, which requires a type in numpy or {@code
   * ml_dtypes.bfloat16}.
   */
  public static boolean holds(DType type) {
    return NumpyType.of(type).isPresent();
  }

  /**
   * Writes an array.
   *
   * @param shape the number of elements per dimension, slowest dimension first
   * @param data the elements, little-endian and in C order; all remaining bytes are consumed
   * @throws IllegalArgumentException if the size of the data does not match the shape
   */
  public void array(DType type, long[] shape, ByteBuffer data) throws IOException {
    NumpyType numpy =
        NumpyType.of(type).orElseThrow(() -> new IllegalArgumentException("numpy has no " + type));
    long bytes = numpy.itemSize();
    for (long size : shape) {
      bytes = Math.multiplyExact(bytes, size);
    }
    if (bytes != data.remaining()) {
      throw new IllegalArgumentException(data.remaining() + " bytes, the shape has " + bytes);
    }
    beginItem();
    array(numpy, shape, data);
  }

  /** Ends the pickle. The sink is not closed. */
  public void end() throws IOException {
    if (!open.isEmpty()) {
      throw new IllegalStateException(open.size() + " containers are open");
    }
    out.stop();
  }

  private void save(@Nullable Object value, @Nullable PayloadStore payloads, int depth)
      throws IOException {
    PickleError.LIMIT_EXCEEDED.check(
        depth <= PickleLimits.DEFAULT.depth(),
        path,
        "a value is nested more than %d levels deep, or contains itself",
        PickleLimits.DEFAULT.depth());
    spend(1);
    if (value == null) {
      out.op(Opcode.NONE);
    } else if (value instanceof Boolean truth) {
      out.op(truth ? Opcode.NEWTRUE : Opcode.NEWFALSE);
    } else if (value instanceof Long || value instanceof BigInteger) {
      out.integer(PyNumbers.big(value));
    } else if (value instanceof Double number) {
      out.real(number);
    } else if (value instanceof String text) {
      spend(text.length() / PART_BYTES);
      out.text(text);
    } else if (value instanceof PythonValue.Text text) {
      spend(text.data().length() / PART_BYTES);
      out.text(PayloadContent.utf8(path, text.data(), payloads, MAX_IN_MEMORY));
    } else if (value instanceof PythonValue.Bytes bytes) {
      out.bytes(ByteBuffer.wrap(content(bytes.data(), payloads)));
    } else if (value instanceof PythonValue.ByteArray bytes) {
      out.byteArray(ByteBuffer.wrap(content(bytes.data(), payloads)));
    } else if (value instanceof NumpyType type) {
      out.numpyType(type);
    } else if (value instanceof PythonValue.NumpyScalar scalar) {
      scalar(scalar);
    } else if (value instanceof PythonValue.NumpyArray array) {
      byte[] bytes = content(array.data(), payloads);
      array(array.type(), array.shape(), ByteBuffer.wrap(ArrayBytes.rowMajor(array, bytes)));
    } else {
      saveContainer(value, payloads, depth + 1);
    }
  }

  private void saveContainer(Object value, @Nullable PayloadStore payloads, int depth)
      throws IOException {
    if (value instanceof PythonValue.Tuple tuple) {
      out.beginTuple(tuple.items().size());
      for (Object item : tuple.items()) {
        save(item, payloads, depth);
      }
      out.endTuple(tuple.items().size());
    } else if (value instanceof PythonValue.PyList list) {
      saveList(list.items(), payloads, depth);
    } else if (value instanceof PythonValue.PySet set) {
      saveSet(set, payloads, depth);
    } else if (value instanceof PythonValue.Dict dict) {
      saveDict(dict, payloads, depth);
    } else {
      throw new IllegalArgumentException("not a value of Python: " + value.getClass());
    }
  }

  private void saveList(List<Object> list, @Nullable PayloadStore payloads, int depth)
      throws IOException {
    out.op(Opcode.EMPTY_LIST);
    if (list.size() == 1) {
      save(list.get(0), payloads, depth);
      out.op(Opcode.APPEND);
      return;
    }
    Batch batch = new Batch(Opcode.APPENDS, 1);
    for (Object item : list) {
      batch.next();
      save(item, payloads, depth);
    }
    batch.end();
  }

  private void saveDict(PythonValue.Dict dict, @Nullable PayloadStore payloads, int depth)
      throws IOException {
    emptyDict(dict.kind());
    Batch batch = new Batch(Opcode.SETITEMS, 2);
    for (int i = 0; i < dict.size(); i++) {
      if (dict.size() > 1) {
        batch.next();
        batch.next();
      }
      if (dict.key(i) instanceof String key) {
        out.key(key);
      } else {
        save(dict.key(i), payloads, depth);
      }
      save(dict.value(i), payloads, depth);
    }
    if (dict.size() == 1) {
      out.op(Opcode.SETITEM);
    }
    batch.end();
  }

  private void emptyDict(PythonValue.Dict.Kind kind) throws IOException {
    switch (kind) {
      case DICT -> out.op(Opcode.EMPTY_DICT);
      case ORDERED_DICT -> {
        out.global("collections", "OrderedDict");
        out.reduce(0);
      }
      case DEFAULT_DICT -> {
        out.global("collections", "defaultdict");
        out.global("builtins", "list");
        out.reduce(1);
      }
    }
  }

  private void saveSet(PythonValue.PySet set, @Nullable PayloadStore payloads, int depth)
      throws IOException {
    List<Object> items = set.items();
    if (out.protocol() < PickleOpcodes.FRAMED) {
      out.global("builtins", set.frozen() ? "frozenset" : "set");
      saveList(items, payloads, depth);
      out.reduce(1);
    } else if (set.frozen()) {
      out.op(Opcode.MARK);
      for (Object item : items) {
        save(item, payloads, depth);
      }
      out.op(Opcode.FROZENSET);
    } else {
      out.op(Opcode.EMPTY_SET);
      Batch batch = new Batch(Opcode.ADDITEMS, 1);
      for (Object item : items) {
        batch.next();
        save(item, payloads, depth);
      }
      batch.end();
    }
  }

  private byte[] content(PayloadData data, @Nullable PayloadStore payloads) throws IOException {
    spend(data.length() / PART_BYTES);
    return PayloadContent.bytes(path, data, payloads, MAX_IN_MEMORY);
  }

  private void spend(long more) throws FormatException {
    parts += more;
    if (parts > MAX_PARTS) {
      throw PickleError.LIMIT_EXCEEDED.in(path, "a value has more than %d parts", MAX_PARTS);
    }
  }

  private void scalar(PythonValue.NumpyScalar scalar) throws IOException {
    NumpyType type = scalar.type();
    out.global("numpy.core.multiarray", "scalar");
    out.numpyType(type.bigEndian(false));
    out.bytes(ByteBuffer.wrap(scalar.bytes()));
    out.reduce(2);
  }

  /**
   * Writes the result of {@code ndarray.__reduce__}: an empty array and the state to build the
   * array.
   */
  private void array(NumpyType type, long[] shape, ByteBuffer data) throws IOException {
    out.global("numpy.core.multiarray", "_reconstruct");
    out.global("numpy", "ndarray");
    out.integer(0);
    out.op(Opcode.TUPLE1);
    out.bytes(ByteBuffer.wrap(new byte[] {'b'}));
    out.reduce(3);
    out.op(Opcode.MARK);
    out.integer(1);
    out.beginTuple(shape.length);
    for (long size : shape) {
      out.integer(size);
    }
    out.endTuple(shape.length);
    out.numpyType(type);
    out.op(Opcode.NEWFALSE);
    out.bytes(data);
    out.op(Opcode.TUPLE);
    out.op(Opcode.BUILD);
  }

  /**
   * Items of a container, in batches of the size that CPython uses ({@code _BATCHSIZE} in
   * Lib/pickle.py).
   */
  private final class Batch {
    private static final int MAX_BATCH = 1000;

    private final int opcode;
    private final int objectsPerItem;
    private int objects;

    Batch(int opcode, int objectsPerItem) {
      this.opcode = opcode;
      this.objectsPerItem = objectsPerItem;
    }

    /** Prepares the batch for the next object. */
    void next() throws IOException {
      if (objects == MAX_BATCH * objectsPerItem) {
        end();
      }
      if (objects++ == 0) {
        out.op(Opcode.MARK);
      }
    }

    void end() throws IOException {
      if (objects % objectsPerItem != 0) {
        throw new IllegalStateException("the last key has no value");
      }
      if (objects > 0) {
        out.op(opcode);
      }
      objects = 0;
    }
  }
}
