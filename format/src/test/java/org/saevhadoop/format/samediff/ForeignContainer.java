package org.saevhadoop.format.samediff;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.nd4j.common.primitives.Pair;

/**
 * Containers as SameDiff itself writes them, without this project's code: arrays in C or F order,
 * inline or appended, with the descriptions of today or without them, as in 2025.
 */
public final class ForeignContainer {
  /** Codes of data types. */
  public static final int HALF = 3;

  public static final int FLOAT = 5;
  public static final int DOUBLE = 6;
  public static final int LONG = 10;
  public static final int UBYTE = 11;

  /** Where the values of an array are. */
  public enum Storage {
    INLINE,
    APPENDED,
    /** Appended, and described by the manifest alone. */
    WITHOUT_STUB
  }

  private static final int HEADER = 32;
  private static final int CONSTANT = 1;
  private static final int PLACEHOLDER = 3;

  private record Variable(
      String name, int dtype, Storage storage, char order, byte[] stored, long[] shape) {
    boolean isAppended() {
      return storage != Storage.INLINE;
    }
  }

  private final List<Variable> variables = new ArrayList<>();
  private final List<String> placeholders = new ArrayList<>();
  private final Map<String, String> metadata = new TreeMap<>();
  private boolean operation;

  /**
   * Adds an array.
   *
   * @param order c or f
   * @param values the elements in C order
   */
  public ForeignContainer array(
      String name, int dtype, Storage storage, char order, byte[] values, long... shape) {
    byte[] stored = order == 'f' ? transposed(values, shape) : values;
    variables.add(new Variable(name, dtype, storage, order, stored, shape));
    return this;
  }

  /** Adds an input of the model, which has no values. */
  public ForeignContainer placeholder(String name) {
    placeholders.add(name);
    return this;
  }

  /** Adds an operation, without which a graph is no model. */
  public ForeignContainer operation() {
    operation = true;
    return this;
  }

  /** Adds a metadata entry. */
  public ForeignContainer metadata(String key, String value) {
    metadata.put(key, value);
    return this;
  }

  /** Writes one SDNB file. */
  public Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }

  /** Returns the bytes of one SDNB file. */
  public byte[] bytes() throws IOException {
    return bytes(variables, true, true, metadata);
  }

  /**
   * Writes shards as the real writer distributes arrays: the largest first, each to the last shard
   * if it fits there. The first shard is the graph.
   *
   * @param maxBytes the maximum size of the arrays of a shard, unless one array is larger
   */
  public void writeShards(Path folder, String base, long maxBytes) throws IOException {
    List<List<Variable>> shards = new ArrayList<>();
    long bytes = Long.MAX_VALUE;
    for (Variable variable :
        variables.stream()
            .sorted(Comparator.comparing((Variable v) -> -v.stored.length))
            .toList()) {
      if (bytes > maxBytes - variable.stored.length) {
        shards.add(new ArrayList<>());
        bytes = 0;
      }
      shards.get(shards.size() - 1).add(variable);
      bytes += variable.stored.length;
    }
    int count = shards.size() + 1;
    Map<String, String> graph = new TreeMap<>(metadata);
    graph.put("shard.type", "graph");
    Files.write(
        folder.resolve("%s.shard0-of-%d.sdnb".formatted(base, count)),
        bytes(variables, true, false, graph));
    for (int i = 1; i < count; i++) {
      Files.write(
          folder.resolve("%s.shard%d-of-%d.sdnb".formatted(base, i, count)),
          bytes(shards.get(i - 1), false, true, Map.of("shard.type", "weights")));
    }
  }

  /**
   * Returns an SDNB file.
   *
   * @param graph whether placeholders and the operation are in it
   * @param values whether the values are in it
   */
  private byte[] bytes(
      List<Variable> listed, boolean graph, boolean values, Map<String, String> entries)
      throws IOException {
    Map<String, Long> offsets = new LinkedHashMap<>();
    ByteArrayOutputStream appended = new ByteArrayOutputStream();
    for (Variable variable : listed) {
      if (values && variable.isAppended()) {
        offsets.put(variable.name, (long) appended.size());
        appended.writeBytes(variable.stored);
      }
    }
    byte[] flat = new Graph().bytes(listed, graph ? this : null, values ? offsets : null, entries);
    Map<String, Pair<Long, Long>> manifest = new LinkedHashMap<>();
    for (Variable variable : listed) {
      if (offsets.containsKey(variable.name)) {
        long offset = HEADER + flat.length + offsets.get(variable.name);
        manifest.put(variable.name, new Pair<>(offset, (long) variable.stored.length));
      }
    }
    ByteArrayOutputStream map = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(map)) {
      out.writeObject(manifest);
    }
    int end = HEADER + flat.length + appended.size();
    return ByteBuffer.allocate(end + map.size())
        .putInt(0x53444e42)
        .putInt(1)
        .putLong(end)
        .putLong(map.size())
        .putLong(HEADER)
        .put(flat)
        .put(appended.toByteArray())
        .put(map.toByteArray())
        .array();
  }

  /** Returns elements in F order: the first index varies fastest. */
  public static byte[] transposed(byte[] values, long... shape) {
    int count = 1;
    for (long size : shape) {
      count *= (int) size;
    }
    if (count == 0) {
      return new byte[0];
    }
    int width = values.length / count;
    byte[] stored = new byte[values.length];
    for (int i = 0; i < count; i++) {
      int rest = i;
      int at = 0;
      int stride = count;
      for (int axis = shape.length - 1; axis >= 0; axis--) {
        stride /= (int) shape[axis];
        at += rest % (int) shape[axis] * stride;
        rest /= (int) shape[axis];
      }
      System.arraycopy(values, i * width, stored, at * width, width);
    }
    return stored;
  }

  /** The FlatBuffer, by the indexes of fields in graph.fbs, variable.fbs and array.fbs. */
  private static final class Graph {
    private final FlatBufferBuilder builder = new FlatBufferBuilder();

    byte[] bytes(
        List<Variable> listed,
        ForeignContainer whole,
        Map<String, Long> offsets,
        Map<String, String> metadata) {
      List<Integer> tables = new ArrayList<>();
      for (Variable variable : listed) {
        int values = offsets == null ? 0 : values(variable, offsets.get(variable.name));
        tables.add(variable(variable.name, variable.dtype, variable.shape, values, CONSTANT));
      }
      int placeholders = 0;
      List<Integer> operations = new ArrayList<>();
      if (whole != null) {
        for (String name : whole.placeholders) {
          tables.add(variable(name, FLOAT, new long[] {-1, 4}, 0, PLACEHOLDER));
        }
        List<String> names = whole.placeholders;
        placeholders = vector(names.size(), i -> builder.createString(names.get(i)));
        if (whole.operation) {
          builder.startTable(1);
          operations.add(builder.endTable());
        }
      }
      int variables = vector(tables.size(), tables::get);
      int nodes = vector(operations.size(), operations::get);
      List<String> keys = List.copyOf(metadata.keySet());
      int keyVector = vector(keys.size(), i -> builder.createString(keys.get(i)));
      int valueVector = vector(keys.size(), i -> builder.createString(metadata.get(keys.get(i))));
      builder.startTable(12);
      builder.addOffset(1, variables, 0);
      builder.addOffset(2, nodes, 0);
      builder.addOffset(5, placeholders, 0);
      builder.addOffset(9, keyVector, 0);
      builder.addOffset(10, valueVector, 0);
      builder.finish(builder.endTable());
      return builder.sizedByteArray();
    }

    private int variable(String text, int dtype, long[] sizes, int values, int kind) {
      int name = builder.createString(text);
      int shape = shape(sizes);
      builder.startTable(10);
      builder.addOffset(1, name, 0);
      builder.addByte(2, (byte) dtype, 0);
      builder.addOffset(3, shape, 0);
      builder.addOffset(4, values, 0);
      builder.addByte(6, (byte) kind, 0);
      return builder.endTable();
    }

    private int values(Variable variable, Long offset) {
      if (variable.storage == Storage.WITHOUT_STUB) {
        return 0;
      }
      int shape = shape(variable.shape);
      int buffer = offset == null ? builder.createByteVector(variable.stored) : 0;
      builder.startTable(10);
      builder.addOffset(0, shape, 0);
      builder.addOffset(1, buffer, 0);
      builder.addByte(2, (byte) variable.dtype, 0);
      builder.addByte(3, (byte) (variable.order == 'f' ? 1 : 0), 0);
      if (offset != null) {
        builder.addLong(5, variable.stored.length, 0);
        builder.addLong(8, offset, 0);
        builder.addLong(9, variable.stored.length, 0);
      }
      return builder.endTable();
    }

    private int shape(long[] shape) {
      builder.startVector(Long.BYTES, shape.length, Long.BYTES);
      for (int i = shape.length - 1; i >= 0; i--) {
        builder.addLong(shape[i]);
      }
      return builder.endVector();
    }

    private int vector(int count, IntUnaryOperator elements) {
      int[] offsets = new int[count];
      for (int i = 0; i < count; i++) {
        offsets[i] = elements.applyAsInt(i);
      }
      return builder.createVectorOfTables(offsets);
    }
  }
}
