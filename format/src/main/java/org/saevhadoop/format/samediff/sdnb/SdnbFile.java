package org.saevhadoop.format.samediff.sdnb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.UnreadableArray.Reason;
import org.saevhadoop.format.samediff.sdnb.StoredArray.MemoryOrder;

/**
 * Contents of one SDNB file: the header, the graph and the manifest are read and checked against
 * each other; values are not read.
 *
 * @param arrays the arrays whose values are in the file, in the order of the graph
 * @param unreadable the arrays with values that cannot be read, in the order of the graph
 * @param others the variables that have no values in the file
 * @param metadata the metadata entries
 * @param unread the names of the parts of a model that are in the file but not read
 */
public record SdnbFile(
    List<StoredArray> arrays,
    List<UnreadableArray> unreadable,
    List<OtherVariable> others,
    SortedMap<String, String> metadata,
    List<String> unread) {
  /** Number of leading bytes that are the same in every file. */
  public static final int MAGIC_BYTES = 4;

  private static final int MAX_NAME = 100;

  /**
   * Returns whether the next bytes of a buffer are the beginning of an SDNB file; the position of
   * the buffer does not change.
   */
  public static boolean isAt(ByteBuffer buffer) {
    return buffer.remaining() >= MAGIC_BYTES
        && buffer.getInt(buffer.position()) == SdnbHeader.MAGIC;
  }

  /**
   * Returns the size in bytes of a string in modified UTF-8, the encoding of the manifest, which is
   * never shorter than UTF-8.
   */
  public static long textBytes(String text) {
    return ModifiedUtf8.bytes(text);
  }

  /**
   * A variable without values in the file.
   *
   * @param type the type of the values; null if its code is unknown
   * @param shape the dimensions, -1 for unknown ones; null if they are not recorded
   */
  public record OtherVariable(
      String name, VariableKind kind, @Nullable SdnbType type, @Nullable List<Long> shape) {}

  /**
   * An array whose values cannot be read because they have no known layout. It is listed, and does
   * not prevent other arrays from being read.
   *
   * @param typeCode the code of the element type
   * @param shape the dimensions; empty if they are not recorded
   */
  public record UnreadableArray(
      String name,
      VariableKind kind,
      int typeCode,
      List<Long> shape,
      MemoryOrder order,
      Reason reason) {
    /** Reasons why the values of an array cannot be read. */
    public enum Reason {
      /** The values are not numbers. */
      TYPE,
      /** The values are in another file. */
      EXTERNAL,
      /** The values are in several buffers. */
      CHUNKS
    }

    public UnreadableArray {
      shape = List.copyOf(shape);
    }

    /** Returns the type; null if it is not a numeric type. */
    public @Nullable SdnbType type() {
      return SdnbType.of(typeCode).orElse(null);
    }

    /** Returns the name of the type, or its code if the type is unknown. */
    public String typeName() {
      return SdnbType.name(typeCode);
    }

    /** Returns the property of the array that prevents its values from being read. */
    public String obstacle() {
      return switch (reason) {
        case TYPE -> "the type " + typeName();
        case EXTERNAL -> "values in another file";
        case CHUNKS -> "values in chunks";
      };
    }

    /** Returns the error that a request for the values causes. */
    public FormatException error(String path) {
      return SdnbError.UNSUPPORTED.in(
          path,
          "array %s has %s (expected numbers, inline or appended)",
          Quote.show(name, MAX_NAME),
          obstacle());
    }
  }

  /**
   * Reads a file.
   *
   * @throws FormatException if the file is not SDNB, is malformed or exceeds the limits
   */
  public static SdnbFile read(Input file) throws IOException {
    SdnbHeader header = SdnbHeader.read(file);
    Map<String, SdnbManifestEntry> manifest = new HashMap<>();
    long dataBegin = header.manifestOffset();
    for (SdnbManifestEntry entry :
        SdnbManifestParser.parse(file, header.manifestOffset(), header.manifestLength())) {
      checkRange(file, header, entry);
      manifest.put(entry.name(), entry);
      dataBegin = entry.length() == 0 ? dataBegin : Math.min(dataBegin, entry.offset());
    }
    SdnbGraph graph = GraphReader.read(file, SdnbHeader.BYTES, dataBegin);
    return new Resolution(file.path(), dataBegin, manifest).resolve(graph);
  }

  private static void checkRange(Input file, SdnbHeader header, SdnbManifestEntry entry)
      throws FormatException {
    if (entry.offset() < SdnbHeader.BYTES
        || entry.offset() > header.manifestOffset()
        || entry.length() < 0
        || entry.length() > header.manifestOffset() - entry.offset()) {
      throw SdnbError.BAD_MANIFEST.in(
          file.path(),
          "places %s at byte %d with %d bytes (expected bytes from %d to %d)",
          Quote.show(entry.name(), MAX_NAME),
          entry.offset(),
          entry.length(),
          SdnbHeader.BYTES,
          header.manifestOffset());
    }
  }

  /** Locates the values of the variables of a graph in the file. */
  private record Resolution(String path, long dataBegin, Map<String, SdnbManifestEntry> manifest) {
    SdnbFile resolve(SdnbGraph graph) throws FormatException {
      List<StoredArray> arrays = new ArrayList<>();
      List<UnreadableArray> unreadable = new ArrayList<>();
      List<OtherVariable> others = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (SdnbGraph.Variable variable : graph.variables()) {
        if (!names.add(variable.name())) {
          throw SdnbError.BAD_GRAPH.in(path, "has two variables named %s", show(variable));
        }
        if (variable.values() == null && !manifest.containsKey(variable.name())) {
          SdnbType type = SdnbType.of(variable.typeCode()).orElse(null);
          others.add(new OtherVariable(variable.name(), variable.kind(), type, variable.shape()));
          continue;
        }
        Reason reason = reason(variable);
        if (reason == null) {
          arrays.add(array(variable));
        } else {
          unreadable.add(unreadable(variable, reason));
        }
      }
      for (String name : manifest.keySet()) {
        if (!names.contains(name)) {
          throw SdnbError.BAD_MANIFEST.in(
              path, "lists %s, which is not a variable of the graph", Quote.show(name, MAX_NAME));
        }
      }
      checkOverlaps(arrays);
      return new SdnbFile(
          List.copyOf(arrays), List.copyOf(unreadable), others, graph.metadata(), graph.unread());
    }

    /** Returns the reason why the values of a variable cannot be read; null if they can be read. */
    private static @Nullable Reason reason(SdnbGraph.Variable variable) {
      SdnbGraph.Variable.Values values = variable.values();
      if (values != null && values.elsewhere() != null) {
        return values.elsewhere();
      }
      return SdnbType.of(variable.valueTypeCode()).isEmpty() ? Reason.TYPE : null;
    }

    private static UnreadableArray unreadable(SdnbGraph.Variable variable, Reason reason) {
      List<Long> shape = variable.valueShape();
      return new UnreadableArray(
          variable.name(),
          variable.kind(),
          variable.valueTypeCode(),
          shape == null ? List.of() : shape,
          variable.values() != null && variable.values().order() == 1
              ? MemoryOrder.F
              : MemoryOrder.C,
          reason);
    }

    private StoredArray array(SdnbGraph.Variable variable) throws FormatException {
      SdnbGraph.Variable.Values values = variable.values();
      List<Long> shape = variable.valueShape();
      if (shape == null) {
        throw SdnbError.BAD_ARRAY.in(path, "array %s has no shape (expected one)", show(variable));
      }
      MemoryOrder order = order(variable);
      SdnbManifestEntry appended = manifest.get(variable.name());
      if (appended != null) {
        if (values != null) {
          checkStub(variable, values, appended);
        }
        return stored(variable, shape, order, appended.offset(), appended.length());
      }
      if (values != null && values.appendedLength() != 0) {
        throw SdnbError.BAD_ARRAY.in(
            path,
            "array %s has %d appended bytes, but the manifest does not list it",
            show(variable),
            values.appendedLength());
      }
      if (values != null && values.bufferOffset() >= 0) {
        return stored(variable, shape, order, values.bufferOffset(), values.bufferLength());
      }
      // an array without dimensions and values equals the result of Nd4j.empty
      if (!shape.isEmpty() && !shape.contains(0L)) {
        throw SdnbError.BAD_ARRAY.in(path, "array %s has no values", show(variable));
      }
      return stored(variable, shape, order, SdnbHeader.BYTES, 0);
    }

    /**
     * Returns the order of an array; unknown for appended arrays in files of 2025, which do not
     * describe them.
     */
    private MemoryOrder order(SdnbGraph.Variable variable) throws FormatException {
      if (variable.values() == null) {
        return MemoryOrder.UNKNOWN;
      }
      return switch (variable.values().order()) {
        case 0 -> MemoryOrder.C;
        case 1 -> MemoryOrder.F;
        default ->
            throw SdnbError.BAD_ARRAY.in(
                path,
                "array %s has order %d (expected 0 for c or 1 for f)",
                show(variable),
                variable.values().order());
      };
    }

    private void checkStub(
        SdnbGraph.Variable variable, SdnbGraph.Variable.Values values, SdnbManifestEntry appended)
        throws FormatException {
      if (values.bufferOffset() >= 0) {
        throw SdnbError.BAD_ARRAY.in(
            path, "array %s has both inline and appended values", show(variable));
      }
      boolean elsewhere =
          appended.length() > 0 && values.appendedOffset() != appended.offset() - dataBegin;
      if (values.appendedLength() != appended.length() || elsewhere) {
        throw SdnbError.BAD_ARRAY.in(
            path,
            "array %s has %d bytes at appended byte %d (expected %d bytes at %d, as in the"
                + " manifest)",
            show(variable),
            values.appendedLength(),
            values.appendedOffset(),
            appended.length(),
            appended.offset() - dataBegin);
      }
    }

    private StoredArray stored(
        SdnbGraph.Variable variable, List<Long> shape, MemoryOrder order, long offset, long length)
        throws FormatException {
      SdnbType type = SdnbType.of(variable.valueTypeCode()).orElseThrow();
      long expected = bytes(variable, shape, type);
      boolean emptyScalar = shape.isEmpty() && length == 0;
      if (length != expected && !emptyScalar) {
        throw SdnbError.BAD_ARRAY.in(
            path,
            "array %s has %d bytes (expected %d for %s %s)",
            show(variable),
            length,
            expected,
            type,
            shape);
      }
      return new StoredArray(variable.name(), variable.kind(), type, shape, order, offset, length);
    }

    /**
     * Returns the size of an array; it is 0 if any dimension is 0, regardless of the other
     * dimensions.
     */
    private long bytes(SdnbGraph.Variable variable, List<Long> shape, SdnbType type)
        throws FormatException {
      long bytes = type.width();
      boolean fits = true;
      for (long size : shape) {
        SdnbError.BAD_ARRAY.check(
            size >= 0, path, "array %s has the shape %s", show(variable), shape);
        fits &= size == 0 || bytes <= Long.MAX_VALUE / size;
        bytes *= size;
      }
      boolean empty = shape.contains(0L);
      SdnbError.TOO_LARGE.check(
          fits || empty,
          path,
          "array %s has the shape %s (expected less than 2^63 bytes)",
          show(variable),
          shape);
      return empty ? 0 : bytes;
    }

    private void checkOverlaps(List<StoredArray> arrays) throws FormatException {
      List<StoredArray> byOffset =
          arrays.stream()
              .filter(array -> array.length() > 0)
              .sorted(Comparator.comparing(StoredArray::offset))
              .toList();
      for (int i = 1; i < byOffset.size(); i++) {
        StoredArray before = byOffset.get(i - 1);
        StoredArray array = byOffset.get(i);
        if (array.offset() - before.offset() < before.length()) {
          throw SdnbError.BAD_ARRAY.in(
              path,
              "arrays %s and %s overlap, at byte %d",
              Quote.show(before.name(), MAX_NAME),
              Quote.show(array.name(), MAX_NAME),
              array.offset());
        }
      }
    }

    private static String show(SdnbGraph.Variable variable) {
      return Quote.show(variable.name(), MAX_NAME);
    }
  }
}
