package org.saevhadoop.format.samediff.sdnb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.flatbuffer.FlatBytes;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.UnreadableArray.Reason;

/**
 * Reads the FlatGraph of an SDNB file. Fields are identified by their indexes in graph.fbs,
 * variable.fbs and array.fbs (libnd4j/include/graph/scheme of deeplearning4j master 0db14318).
 *
 * <p>Two fields differ in meaning from the older format of {@code SameDiff.save}, which has the
 * same tables: FlatArray.shape contains only the dimensions, and FlatArray.byteOrder is the order
 * of the elements, not of the bytes.
 */
record GraphReader(FlatBytes bytes) {
  private static final int MAX_NAME = 100;

  private static final FlatBytes.Rules RULES =
      new FlatBytes.Rules(
          "graph", SdnbError.BAD_GRAPH, SdnbError.TOO_LARGE, SdnbLimits.MAX_TEXT_BYTES);

  /** Reads the graph between two offsets. */
  static SdnbGraph read(Input file, long begin, long end) throws IOException {
    return new GraphReader(new FlatBytes(file, begin, end, RULES)).read();
  }

  private SdnbGraph read() throws IOException {
    FlatTable root = FlatTable.root(bytes);
    List<SdnbGraph.Variable> variables = new ArrayList<>();
    FlatTable.Vector tables = root.vector(FlatFields.GRAPH_VARIABLES, Integer.BYTES);
    long count = tables.count();
    if (count > SdnbLimits.MAX_ARRAYS) {
      throw SdnbError.TOO_LARGE.in(
          bytes.path(), "has %d variables (expected at most %d)", count, SdnbLimits.MAX_ARRAYS);
    }
    for (long i = 0; i < count; i++) {
      variables.add(variable(tables.table(i)));
    }
    return new SdnbGraph(variables, metadata(root), unread(root));
  }

  private SdnbGraph.Variable variable(FlatTable table) throws IOException {
    String name = table.text(FlatFields.VARIABLE_NAME);
    if (name == null) {
      throw SdnbError.BAD_GRAPH.in(
          bytes.path(), "has a variable without a name, at byte %d", table.position());
    }
    int kind = table.i8(FlatFields.VARIABLE_KIND);
    VariableKind[] kinds = VariableKind.values();
    if (kind < 0 || kind >= kinds.length) {
      throw SdnbError.BAD_GRAPH.in(
          bytes.path(),
          "variable %s has kind %d, at byte %d (expected 0 to %d)",
          Quote.show(name, MAX_NAME),
          kind,
          table.position(),
          kinds.length - 1);
    }
    FlatTable values = table.table(FlatFields.VARIABLE_VALUES);
    return new SdnbGraph.Variable(
        name,
        kinds[kind],
        table.i8(FlatFields.VARIABLE_TYPE),
        shape(name, table, FlatFields.VARIABLE_SHAPE),
        values == null ? null : values(name, values));
  }

  private SdnbGraph.Variable.Values values(String name, FlatTable table) throws IOException {
    boolean external =
        table.i8(FlatFields.ARRAY_IS_EXTERNAL) != 0 || table.has(FlatFields.ARRAY_EXTERNAL_NAME);
    boolean chunked = table.vector(FlatFields.ARRAY_CHUNKS, Integer.BYTES).count() > 0;
    FlatTable.Vector buffer = table.vector(FlatFields.ARRAY_BUFFER, Byte.BYTES);
    return new SdnbGraph.Variable.Values(
        table.i8(FlatFields.ARRAY_TYPE),
        shape(name, table, FlatFields.ARRAY_SHAPE),
        table.i8(FlatFields.ARRAY_ORDER),
        table.has(FlatFields.ARRAY_BUFFER) ? buffer.first() : -1,
        buffer.count(),
        table.i64(FlatFields.ARRAY_APPENDED_OFFSET),
        table.i64(FlatFields.ARRAY_APPENDED_LENGTH),
        external ? Reason.EXTERNAL : chunked ? Reason.CHUNKS : null);
  }

  private @Nullable List<Long> shape(String name, FlatTable table, int field) throws IOException {
    if (!table.has(field)) {
      return null;
    }
    FlatTable.Vector sizes = table.vector(field, Long.BYTES);
    if (sizes.count() > SdnbLimits.MAX_RANK) {
      throw SdnbError.TOO_LARGE.in(
          bytes.path(),
          "variable %s has %d dimensions, at byte %d (expected at most %d)",
          Quote.show(name, MAX_NAME),
          sizes.count(),
          sizes.first(),
          SdnbLimits.MAX_RANK);
    }
    List<Long> shape = new ArrayList<>();
    for (long i = 0; i < sizes.count(); i++) {
      shape.add(sizes.i64(i));
    }
    return List.copyOf(shape);
  }

  private SortedMap<String, String> metadata(FlatTable root) throws IOException {
    FlatTable.Vector keys = root.vector(FlatFields.GRAPH_METADATA_KEYS, Integer.BYTES);
    FlatTable.Vector values = root.vector(FlatFields.GRAPH_METADATA_VALUES, Integer.BYTES);
    long count = keys.count();
    SdnbError.BAD_GRAPH.check(
        count == values.count(),
        bytes.path(),
        "has %d metadata keys and %d values (expected the same number of each)",
        count,
        values.count());
    SdnbError.TOO_LARGE.check(
        count <= SdnbLimits.MAX_METADATA,
        bytes.path(),
        "has %d metadata entries (expected at most %d)",
        count,
        SdnbLimits.MAX_METADATA);
    SortedMap<String, String> metadata = new TreeMap<>();
    for (long i = 0; i < count; i++) {
      String key = keys.text(i);
      if (metadata.put(key, values.text(i)) != null) {
        throw SdnbError.BAD_GRAPH.in(
            bytes.path(), "has two metadata entries named %s", Quote.show(key, MAX_NAME));
      }
    }
    return metadata;
  }

  /** Returns the parts of a model other than its arrays. */
  private static List<String> unread(FlatTable root) throws IOException {
    List<String> unread = new ArrayList<>();
    for (FlatFields.ModelPart part : FlatFields.ModelPart.values()) {
      if (root.has(part.field())
          && (!part.isVector() || root.vector(part.field(), Integer.BYTES).count() > 0)) {
        unread.add(part.title());
      }
    }
    return unread;
  }
}
