package org.saevhadoop.format.samediff;

import static org.saevhadoop.format.samediff.RuleLevel.rule;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nd4j.common.primitives.Pair;
import org.saevhadoop.format.samediff.RealGraph.Stub;
import org.saevhadoop.format.samediff.RealGraph.Variable;

/**
 * The rules of one SDNB file.
 *
 * @param graph its graph
 * @param arrays the arrays that it holds, by name
 * @param appended the names in its manifest
 */
record SdnbRules(RealGraph graph, Map<String, RealArray> arrays, List<String> appended) {
  private static final int HEADER = 32;
  private static final int MAGIC = 0x53444e42;
  private static final int SERIAL_STREAM = 0xaced0005;
  private static final String CLASSES =
      "maxarray=10000000;java.util.LinkedHashMap;java.util.HashMap;java.util.Map$Entry;"
          + "org.nd4j.common.primitives.Pair;java.lang.Long;java.lang.Number;!*";

  /** Bytes of a file, by absolute positions. */
  private record Range(String name, long offset, long length) {}

  /** Checks a file. */
  static SdnbRules check(ByteBuffer file, RuleLevel level) {
    checkHeader(file, level);
    int end = (int) file.getLong(8);
    int manifestLength = (int) file.getLong(16);
    Map<String, Range> manifest =
        manifestLength == 0 ? Map.of() : manifest(file.slice(end, manifestLength), level);
    long first = checkRanges(manifest, end, level);
    // the newest Java loader takes all bytes before the first array for the FlatBuffer
    ByteBuffer flat = file.slice(HEADER, (int) first - HEADER);
    RealGraph graph = RealGraph.read(new FlatBuffer(flat, level), level);
    checkBase(graph, manifest, end);
    return new SdnbRules(
        graph, arrays(file, graph, manifest, level), List.copyOf(manifest.keySet()));
  }

  private static void checkHeader(ByteBuffer file, RuleLevel level) {
    long size = file.limit();
    rule(size >= HEADER, "a file has a header of 32 bytes", size + " bytes");
    rule(file.getInt(0) == MAGIC, "a file begins with SDNB", Integer.toHexString(file.getInt(0)));
    rule(file.getInt(4) == 1, "the version is 1", file.getInt(4));
    rule(file.getLong(24) == HEADER, "the FlatBuffer is at 32", file.getLong(24));
    long offset = file.getLong(8);
    long length = file.getLong(16);
    String manifest = offset + " + " + length + " of " + size;
    rule(offset >= HEADER && offset <= size, "the manifest is in the file", manifest);
    rule(length >= 0 && length <= size - offset, "the manifest ends in the file", manifest);
    level.ours(length == size - offset, "nothing follows the manifest", manifest);
    level.ours(length > 0, "there is a manifest", manifest);
  }

  private static Map<String, Range> manifest(ByteBuffer bytes, RuleLevel level) {
    rule(
        bytes.limit() >= 4 && bytes.getInt(0) == SERIAL_STREAM,
        "the manifest begins with AC ED 00 05",
        bytes.limit() + " bytes");
    byte[] copy = new byte[bytes.limit()];
    bytes.get(0, copy);
    ByteArrayInputStream source = new ByteArrayInputStream(copy);
    Map<String, Range> ranges = new LinkedHashMap<>();
    try (ObjectInputStream in = new ObjectInputStream(source)) {
      in.setObjectInputFilter(ObjectInputFilter.Config.createFilter(CLASSES));
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) in.readObject()).entrySet()) {
        Pair<?, ?> pair = (Pair<?, ?>) entry.getValue();
        String name = (String) entry.getKey();
        Range range = new Range(name, (Long) pair.getKey(), (Long) pair.getValue());
        rule(range.length > 0, "appended arrays are not empty", range);
        ranges.put(name, range);
      }
      if (level == RuleLevel.OURS) {
        rule(in.read() < 0 && source.available() == 0, "nothing follows the map", copy.length);
      }
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw new AssertionError("rule broken: the manifest is a map of names to pairs", e);
    }
    return ranges;
  }

  /** Checks the places of arrays; returns the first of them, or the end of all. */
  private static long checkRanges(Map<String, Range> manifest, long end, RuleLevel level) {
    List<Range> ranges = new ArrayList<>(manifest.values());
    ranges.sort(Comparator.comparingLong(Range::offset));
    long previousEnd = HEADER;
    for (Range range : ranges) {
      rule(
          range.offset >= HEADER && range.offset <= end,
          "arrays are between header and manifest",
          range);
      rule(range.length <= end - range.offset, "arrays end before the manifest", range);
      level.ours(range.offset >= previousEnd, "arrays do not overlap", range);
      previousEnd = range.offset + range.length;
    }
    return ranges.isEmpty() ? end : ranges.get(0).offset;
  }

  /**
   * C++ does not read the manifest: it takes the last byte of the last array for the last byte
   * before the manifest, and finds all arrays by their stubs.
   */
  private static void checkBase(RealGraph graph, Map<String, Range> manifest, long end) {
    long dataBytes = 0;
    for (Variable variable : graph.variables()) {
      Stub stub = variable.array();
      if (stub != null && stub.length() != 0) {
        rule(stub.offset() >= 0 && stub.length() > 0, "stubs are not negative", variable);
        rule(
            stub.offset() <= end && stub.length() <= end - stub.offset(),
            "stubs lie in the file",
            variable);
        dataBytes = Math.max(dataBytes, stub.offset() + stub.length());
        rule(manifest.containsKey(variable.name()), "stubs are in the manifest", variable);
      }
    }
    for (Variable variable : graph.variables()) {
      Range range = manifest.get(variable.name());
      if (range != null) {
        Stub stub = variable.array();
        rule(stub != null && stub.length() > 0, "appended arrays have a stub", range);
        rule(stub.length() == range.length, "stub and manifest have one length", variable);
        rule(
            end - dataBytes + stub.offset() == range.offset,
            "the last array ends where the manifest begins, and stubs count from the first",
            range + " " + stub);
      }
    }
    List<String> names = graph.variables().stream().map(Variable::name).toList();
    for (String name : manifest.keySet()) {
      rule(names.contains(name), "names in the manifest are those of variables", name);
    }
  }

  private static Map<String, RealArray> arrays(
      ByteBuffer file, RealGraph graph, Map<String, Range> manifest, RuleLevel level) {
    Map<String, RealArray> arrays = new LinkedHashMap<>();
    for (Variable variable : graph.variables()) {
      if (variable.array() != null) {
        Range range = manifest.get(variable.name());
        ByteBuffer appended =
            range == null ? null : file.slice((int) range.offset, (int) range.length);
        arrays.put(variable.name(), array(variable, appended, level));
      }
    }
    return arrays;
  }

  private static RealArray array(Variable variable, ByteBuffer appended, RuleLevel level) {
    Stub stub = variable.array();
    RealDtype dtype = RealDtype.of(stub.dtype(), variable.name());
    rule(stub.dtype() == variable.dtype(), "variable and array have one type", variable);
    rule(
        variable.shape() == null || variable.shape().equals(stub.shape()),
        "variable and array have one shape",
        variable);
    level.ours(variable.shape() != null, "a variable has a shape", variable);
    level.ours(!stub.isFortran(), "arrays are in C order, which C++ assumes", variable);
    long length = length(stub.shape(), dtype, variable);
    rule(stub.total() == 0 || stub.total() == length, "a size is that of the array", variable);
    ByteBuffer values = appended;
    if (appended == null) {
      values = inline(variable, dtype, length, level);
    } else {
      rule(!stub.shape().isEmpty(), "scalars are not appended", variable);
      level.ours(stub.total() == length, "stubs have the size of their array", variable);
      rule(stub.buffer() == null, "appended arrays are not also in the FlatBuffer", variable);
    }
    rule(values.limit() == length, "arrays have the size of their shape", variable);
    byte[] bytes = new byte[(int) length];
    values.get(0, bytes);
    if (stub.isFortran()) {
      bytes = inRowMajorOrder(bytes, stub.shape(), dtype.width);
    }
    return new RealArray(variable.name(), dtype.name(), stub.shape(), bytes);
  }

  private static ByteBuffer inline(
      Variable variable, RealDtype dtype, long length, RuleLevel level) {
    Stub stub = variable.array();
    if (stub.shape().isEmpty()) {
      rule(stub.buffer() != null, "a scalar has a value", variable);
      level.ours(dtype.isKeptInScalars, "scalars have a type that loaders keep", variable);
    } else {
      level.ours(length == 0, "all arrays but scalars are appended", variable);
      level.ours(stub.buffer() == null, "empty arrays have no buffer", variable);
    }
    return stub.buffer() == null ? ByteBuffer.allocate(0) : stub.buffer();
  }

  private static long length(List<Long> shape, RealDtype dtype, Variable variable) {
    rule(shape.size() <= 32, "an array has at most 32 dimensions", variable);
    BigInteger length = BigInteger.valueOf(dtype.width);
    for (long dimension : shape) {
      rule(dimension >= 0, "dimensions are not negative", variable);
      length = length.multiply(BigInteger.valueOf(dimension));
    }
    rule(length.bitLength() < Integer.SIZE, "an array is smaller than 2 GiB", variable);
    return length.longValue();
  }

  /** Copies the values of an array whose first index varies fastest. */
  private static byte[] inRowMajorOrder(byte[] stored, List<Long> shape, int width) {
    byte[] ordered = new byte[stored.length];
    long[] index = new long[shape.size()];
    for (int to = 0; to < stored.length; to += width) {
      long from = 0;
      for (int i = shape.size() - 1; i >= 0; i--) {
        from = from * shape.get(i) + index[i];
      }
      System.arraycopy(stored, (int) (from * width), ordered, to, width);
      for (int i = shape.size() - 1; i >= 0 && ++index[i] == shape.get(i); i--) {
        index[i] = 0;
      }
    }
    return ordered;
  }
}
