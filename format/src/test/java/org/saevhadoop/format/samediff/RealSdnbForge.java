package org.saevhadoop.format.samediff;

import static org.saevhadoop.format.samediff.FlatForge.table;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nd4j.common.primitives.Pair;

/**
 * Makes SDNB files whose parts can be changed before they are written. Without changes they obey
 * the rules.
 */
final class RealSdnbForge {
  private static final int HEADER = 32;
  private static final int ALIGNMENT = 64;

  int magic = 0x53444e42;
  int version = 1;
  long flatOffset = HEADER;

  /** What is added to the offset and the length of the manifest in the header. */
  long manifestShift;

  long lengthShift;

  /** Bytes after the last array, and after the manifest. */
  int gap;

  int trailer;
  final List<Map<Integer, Object>> variables = new ArrayList<>();
  final Map<Integer, Object> graph = table(1, variables, 2, List.of());
  boolean hasMetadata = true;
  final Map<String, String> metadata = new LinkedHashMap<>(Map.of("hello", "world"));
  final List<byte[]> appended = new ArrayList<>();

  /** The manifest, with offsets that count from the first appended byte until it is written. */
  final Map<Object, Object> manifest = new LinkedHashMap<>();

  private long appendedBytes;

  /** A file with a matrix of floats, a scalar and an empty array. */
  static RealSdnbForge file() {
    return new RealSdnbForge()
        .append("a", 5, new byte[24], 2, 3)
        .append("b", 3, new byte[] {1, 2}, 1)
        .scalar("s", 9, new byte[] {1, 2, 3, 4})
        .empty("e", 5, 0, 5);
  }

  /** Adds an array that is appended. */
  RealSdnbForge append(String name, int dtype, byte[] values, long... shape) {
    while (appendedBytes % ALIGNMENT != 0) {
      appended.add(new byte[1]);
      appendedBytes++;
    }
    place(name, appendedBytes, values.length);
    variable(
        name,
        dtype,
        shape,
        table(
            0,
            shape,
            2,
            (byte) dtype,
            5,
            (long) values.length,
            8,
            appendedBytes,
            9,
            (long) values.length));
    appended.add(values);
    appendedBytes += values.length;
    return this;
  }

  RealSdnbForge scalar(String name, int dtype, byte[] value) {
    return variable(name, dtype, new long[0], table(0, new long[0], 1, value, 2, (byte) dtype));
  }

  RealSdnbForge empty(String name, int dtype, long... shape) {
    return variable(name, dtype, shape, table(0, shape, 2, (byte) dtype));
  }

  /** Adds a variable without values. */
  RealSdnbForge declare(String name, int dtype) {
    variables.add(table(0, id(), 1, name, 2, (byte) dtype, 5, -1, 6, (byte) 1));
    return this;
  }

  private RealSdnbForge variable(String name, int dtype, long[] shape, Map<Integer, Object> array) {
    variables.add(table(0, id(), 1, name, 2, (byte) dtype, 3, shape, 4, array, 5, -1, 6, (byte) 1));
    return this;
  }

  private Map<Integer, Object> id() {
    return table(0, variables.size() + 1, 1, 0);
  }

  /** Sets the range of a name in the manifest. */
  RealSdnbForge place(String name, long offset, long length) {
    manifest.put(name, new Pair<>(offset, length));
    return this;
  }

  /** The array of a variable. */
  @SuppressWarnings("unchecked")
  Map<Integer, Object> array(int index) {
    return (Map<Integer, Object>) variables.get(index).get(4);
  }

  RealSdnbForge shard(String type) {
    metadata.put("shard.type", type);
    return this;
  }

  byte[] bytes() throws IOException {
    if (hasMetadata) {
      graph.putIfAbsent(9, List.copyOf(metadata.keySet()));
      graph.putIfAbsent(10, List.copyOf(metadata.values()));
    }
    byte[] flat = FlatForge.bytes(graph);
    int first = HEADER + flat.length;
    first += appended.isEmpty() ? 0 : (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
    int end = first + appended.stream().mapToInt(values -> values.length).sum() + gap;
    byte[] map = manifest(first);
    ByteBuffer file = ByteBuffer.allocate(end + map.length + trailer);
    file.putInt(magic).putInt(version).putLong(end + manifestShift);
    file.putLong(map.length + lengthShift).putLong(flatOffset);
    file.put(flat).position(first);
    appended.forEach(file::put);
    file.position(end).put(map);
    return file.array();
  }

  private byte[] manifest(long first) throws IOException {
    Map<Object, Object> absolute = new LinkedHashMap<>(manifest);
    absolute.replaceAll(
        (name, place) ->
            place instanceof Pair<?, ?> pair && pair.getKey() instanceof Long offset
                ? new Pair<>(first + offset, pair.getValue())
                : place);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(absolute);
    }
    return bytes.toByteArray();
  }
}
