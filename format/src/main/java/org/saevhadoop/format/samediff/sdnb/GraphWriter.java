package org.saevhadoop.format.samediff.sdnb;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a FlatGraph that all known loaders can open. It has an empty vector of nodes, which the
 * C++ loader requires, and a description of each array, without which the array's order is unknown.
 */
final class GraphWriter {
  /** Value of FlatVariable.device in files of the real writer. */
  private static final int NO_DEVICE = -1;

  private static final int INITIAL_BYTES = 1024;

  private final FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);

  private GraphWriter() {}

  /**
   * Returns the FlatBuffer.
   *
   * @param arrays the arrays, in the order of their variables
   * @param offsets the offset of each array from the first appended byte; null if the file lists
   *     the variables without their values
   */
  static byte[] write(
      List<ArraySpec> arrays, long @Nullable [] offsets, Map<String, String> metadata) {
    return new GraphWriter().graph(arrays, offsets, metadata);
  }

  private byte[] graph(
      List<ArraySpec> arrays, long @Nullable [] offsets, Map<String, String> metadata) {
    int[] tables = new int[arrays.size()];
    for (int i = 0; i < tables.length; i++) {
      int values = offsets == null ? 0 : values(arrays.get(i), offsets[i]);
      tables[i] = variable(i, arrays.get(i), values);
    }
    int variables = vector(tables);
    int nodes = vector(new int[0]);
    int keys = texts(metadata.keySet());
    int values = texts(metadata.values());
    builder.startTable(FlatFields.GRAPH_FIELDS);
    builder.addOffset(FlatFields.GRAPH_METADATA_VALUES, values, 0);
    builder.addOffset(FlatFields.GRAPH_METADATA_KEYS, keys, 0);
    builder.addOffset(FlatFields.GRAPH_NODES, nodes, 0);
    builder.addOffset(FlatFields.GRAPH_VARIABLES, variables, 0);
    builder.finish(builder.endTable());
    return builder.sizedByteArray();
  }

  private int variable(int index, ArraySpec array, int values) {
    int name = text(array.name());
    int shape = shape(array);
    builder.startTable(FlatFields.PAIR_FIELDS);
    builder.addInt(FlatFields.PAIR_SECOND, 0, 0);
    builder.addInt(FlatFields.PAIR_FIRST, index + 1, 0);
    int id = builder.endTable();
    builder.startTable(FlatFields.VARIABLE_FIELDS);
    builder.addInt(FlatFields.VARIABLE_DEVICE, NO_DEVICE, 0);
    builder.addOffset(FlatFields.VARIABLE_VALUES, values, 0);
    builder.addOffset(FlatFields.VARIABLE_SHAPE, shape, 0);
    builder.addOffset(FlatFields.VARIABLE_NAME, name, 0);
    builder.addOffset(FlatFields.VARIABLE_ID, id, 0);
    builder.addByte(FlatFields.VARIABLE_KIND, (byte) VariableKind.CONSTANT.ordinal(), 0);
    builder.addByte(FlatFields.VARIABLE_TYPE, (byte) array.type().code(), 0);
    return builder.endTable();
  }

  private int values(ArraySpec array, long offset) {
    int shape = shape(array);
    builder.startTable(FlatFields.ARRAY_FIELDS);
    builder.addLong(FlatFields.ARRAY_APPENDED_LENGTH, array.bytes(), 0);
    builder.addLong(FlatFields.ARRAY_APPENDED_OFFSET, offset, 0);
    builder.addLong(FlatFields.ARRAY_TOTAL, array.bytes(), 0);
    builder.addOffset(FlatFields.ARRAY_SHAPE, shape, 0);
    builder.addByte(FlatFields.ARRAY_TYPE, (byte) array.type().code(), 0);
    return builder.endTable();
  }

  private int shape(ArraySpec array) {
    List<Long> shape = array.shape();
    builder.startVector(Long.BYTES, shape.size(), Long.BYTES);
    for (int i = shape.size() - 1; i >= 0; i--) {
      builder.addLong(shape.get(i));
    }
    return builder.endVector();
  }

  private int vector(int[] offsets) {
    builder.startVector(Integer.BYTES, offsets.length, Integer.BYTES);
    for (int i = offsets.length - 1; i >= 0; i--) {
      builder.addOffset(offsets[i]);
    }
    return builder.endVector();
  }

  private int texts(Collection<String> texts) {
    return vector(texts.stream().mapToInt(this::text).toArray());
  }

  private int text(String text) {
    return builder.createString(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }
}
