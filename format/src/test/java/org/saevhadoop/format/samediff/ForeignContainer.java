package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.samediff.sdnb.SdnbForge;
import org.saevhadoop.format.samediff.sdnb.SdnbForge.Variable;

/**
 * Containers as SameDiff itself writes them: arrays in C or F order, inline or appended, with the
 * descriptions of today or without them, as in 2025.
 */
public final class ForeignContainer {
  /** Codes of data types. */
  public static final int HALF = 3;

  public static final int FLOAT = 5;
  public static final int DOUBLE = 6;
  public static final int LONG = 10;
  public static final int UBYTE = 11;
  public static final int UTF8 = 50;

  /** Where the values of an array are. */
  public enum Storage {
    INLINE,
    APPENDED,
    /** Appended, and described by the manifest alone. */
    WITHOUT_STUB,
    /** In another file. */
    EXTERNAL,
    /** In several buffers. */
    CHUNKS,
    /** Nowhere: there are none. */
    NONE;

    /** Those from which values can be read. */
    public static final List<Storage> READABLE = List.of(INLINE, APPENDED, WITHOUT_STUB);
  }

  private static final int PLACEHOLDER = 3;

  private record Array(
      String name, int dtype, Storage storage, char order, byte[] stored, long[] shape) {}

  private final List<Array> arrays = new ArrayList<>();
  private final List<String> placeholders = new ArrayList<>();

  /**
   * Adds an array.
   *
   * @param order c or f
   * @param values the elements in C order
   */
  public ForeignContainer array(
      String name, int dtype, Storage storage, char order, byte[] values, long... shape) {
    byte[] stored = order == 'f' ? transposed(values, shape) : values;
    arrays.add(new Array(name, dtype, storage, order, stored, shape));
    return this;
  }

  /** Adds an input of the model, which has no values. */
  public ForeignContainer placeholder(String name) {
    placeholders.add(name);
    return this;
  }

  /** Writes one SDNB file. */
  public Path write(Path file) throws IOException {
    return Files.write(file, bytes(arrays, true, true));
  }

  /** Returns the bytes of one SDNB file. */
  public byte[] bytes() {
    return bytes(arrays, true, true);
  }

  /**
   * Writes shards as the real writer distributes arrays: the largest first, each to the last shard
   * if it fits there. The first shard is the graph.
   *
   * @param maxBytes the maximum size of the arrays of a shard, unless one array is larger
   */
  public void writeShards(Path folder, String base, long maxBytes) throws IOException {
    List<List<Array>> shards = new ArrayList<>();
    long bytes = 0;
    for (Array array :
        arrays.stream().sorted(Comparator.comparing((Array a) -> -a.stored.length)).toList()) {
      if (shards.isEmpty() || bytes > maxBytes - array.stored.length) {
        shards.add(new ArrayList<>());
        bytes = 0;
      }
      shards.get(shards.size() - 1).add(array);
      bytes += array.stored.length;
    }
    int count = shards.size() + 1;
    String name = base + ".shard%d-of-%d.sdnb";
    Files.write(folder.resolve(name.formatted(0, count)), bytes(arrays, true, false));
    for (int i = 1; i < count; i++) {
      Files.write(folder.resolve(name.formatted(i, count)), bytes(shards.get(i - 1), false, true));
    }
  }

  private byte[] bytes(List<Array> listed, boolean graph, boolean values) {
    SdnbForge forge = new SdnbForge();
    for (Array array : listed) {
      Variable variable = forge.add(array.name).type(array.dtype).shape(array.shape);
      if (values && array.storage != Storage.WITHOUT_STUB) {
        variable.stub(array.shape).order(array.order == 'f' ? 1 : 0);
      }
      if (values) {
        switch (array.storage) {
          case INLINE -> variable.inline(array.stored);
          case APPENDED, WITHOUT_STUB -> variable.appended(array.stored);
          case EXTERNAL -> variable.external();
          case CHUNKS -> variable.chunks();
          case NONE -> {}
        }
      }
    }
    for (String name : graph ? placeholders : List.<String>of()) {
      forge.add(name).kind(PLACEHOLDER).shape(-1, 4);
    }
    return forge.bytes();
  }

  /** Returns elements in F order: the first index varies fastest. */
  public static byte[] transposed(byte[] values, long... shape) {
    int count = (int) LongStream.of(shape).reduce(1, (a, b) -> a * b);
    byte[] stored = new byte[values.length];
    for (int i = 0; i < count; i++) {
      int width = values.length / count;
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
}
