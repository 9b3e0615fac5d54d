package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/** Files of arrays in memory, whose values encode their position. */
public final class MadeArrays implements ArrayReader {
  private static final int GAP = 12;

  /**
   * An array of activations.
   *
   * @param first the numbers of its first example, layer, token and value
   * @param size the number of examples, layers, tokens and values
   * @param axes its dimensions in their order; those that are missing have the size 1
   */
  record Made(String name, int[] first, int[] size, List<Axis> axes, boolean bigEndian) {}

  /**
   * An array of integers.
   *
   * @param values the values in the order of the dimensions
   */
  record Integers(String name, DType dtype, List<Long> shape, long[] values, boolean bigEndian) {}

  private final MemoryStorage folder = new MemoryStorage("/data");
  private final Map<String, List<List<FileArray>>> files = new HashMap<>();

  private final List<String> read = Collections.synchronizedList(new ArrayList<>());

  private List<String> warnings = List.of();

  /** Makes all files have a warning. */
  void warn(String warning) {
    warnings = List.of(warning);
  }

  /** Adds a file that contains no arrays. */
  void addOther(String path, byte[] bytes) {
    folder.put(path, bytes);
  }

  Location location() {
    return Location.of(folder);
  }

  /** Returns the names of the files that have been read since the last call, in any order. */
  List<String> read() {
    List<String> names = List.copyOf(read);
    read.clear();
    return names;
  }

  /** Adds a file of 2 examples of 3 tokens, with integers of the same shape. */
  void addTokens(String file, Integers... integers) {
    Made acts =
        new Made(
            "acts",
            new int[4],
            new int[] {2, 1, 3, 2},
            List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM),
            false);
    add(file, List.of(acts), List.of(integers));
  }

  /** Returns integers of 2 examples of 3 tokens. */
  static Integers integers(String name, long... values) {
    return new Integers(name, DType.I64, List.of(2L, 3L), values, false);
  }

  /** Opens the files that {@link #addTokens} has added. */
  ArrayDataset open(String ragged, String... masks) throws IOException {
    return ArrayDataset.open(
        location(),
        this,
        new ArrayOptions(
            List.of(ArrayMapping.parse("acts=example,token,dim")),
            null,
            List.of(),
            RaggedPolicy.parse(ragged),
            1,
            Arrays.stream(masks).map(MaskChoice::parse).toList(),
            false,
            Optional.empty()));
  }

  /** Returns the value at an example, a layer, a token and a dimension. */
  static float value(long example, long layer, long token, long dim) {
    return ((example * 64 + layer) * 64 + token) * 16 + dim;
  }

  /** Adds a file of activations. */
  void add(String path, Made... arrays) {
    add(path, List.of(arrays), List.of());
  }

  /** Adds a file of activations with integers beside them. */
  void add(String path, List<Made> arrays, List<Integers> integers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(path, out, List.of(stored(out, arrays, integers)));
  }

  /** Adds a file of several parts, each with activations and integers of its own. */
  void addParts(String path, List<List<Made>> arrays, List<List<Integers>> integers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<List<FileArray>> parts = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      parts.add(stored(out, arrays.get(i), integers.isEmpty() ? List.of() : integers.get(i)));
    }
    put(path, out, parts);
  }

  private static List<FileArray> stored(
      ByteArrayOutputStream out, List<Made> arrays, List<Integers> integers) {
    List<FileArray> stored = new ArrayList<>();
    for (Made array : arrays) {
      out.writeBytes(new byte[GAP]);
      List<Long> shape = array.axes.stream().map(a -> (long) array.size[a.ordinal()]).toList();
      stored.add(
          new FileArray(
              array.name,
              DType.F32,
              StridedLayout.cOrder(out.size(), Float.BYTES, shape),
              array.bigEndian ? Float.BYTES : 1));
      out.writeBytes(bytes(array));
    }
    for (Integers array : integers) {
      out.writeBytes(new byte[GAP]);
      int width = array.dtype.bits() / Byte.SIZE;
      stored.add(
          new FileArray(
              array.name,
              array.dtype,
              StridedLayout.cOrder(out.size(), width, array.shape),
              array.bigEndian ? width : 1));
      for (long value : array.values) {
        for (int i = 0; i < width; i++) {
          out.write((int) (value >> Byte.SIZE * (array.bigEndian ? width - 1 - i : i)));
        }
      }
    }
    return stored;
  }

  /** Adds a file of arrays without values, of which only the shapes count. */
  void addShapes(String path, FileArray... arrays) {
    put(path, new ByteArrayOutputStream(), List.of(List.of(arrays)));
  }

  static FileArray shape(String name, DType dtype, Long... shape) {
    return new FileArray(
        name, dtype, StridedLayout.cOrder(0, dtype.bits() / Byte.SIZE, List.of(shape)));
  }

  private static byte[] bytes(Made array) {
    int count =
        array.axes.stream().mapToInt(axis -> array.size[axis.ordinal()]).reduce(1, (a, b) -> a * b);
    ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES);
    bytes.order(array.bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      long[] at = IntStream.of(array.first).asLongStream().toArray();
      int rest = i;
      for (int a = array.axes.size() - 1; a >= 0; a--) {
        int axis = array.axes.get(a).ordinal();
        at[axis] += rest % array.size[axis];
        rest /= array.size[axis];
      }
      bytes.putFloat(value(at[0], at[1], at[2], at[3]));
    }
    return bytes.array();
  }

  private void put(String path, ByteArrayOutputStream bytes, List<List<FileArray>> parts) {
    MemoryStorage parent = folder;
    String[] names = path.split("/");
    for (int i = 0; i < names.length - 1; i++) {
      parent = parent.makeFolder(names[i]);
    }
    parent.put(names[names.length - 1], bytes.toByteArray());
    files.put(folder.path() + "/" + path, parts);
  }

  @Override
  public boolean isNamed(String file) {
    return file.endsWith(".made");
  }

  @Override
  public ArrayFile read(Folder parent, String file) {
    read.add(file);
    return ArrayFile.ofParts(files.get(parent.path(file)), warnings);
  }

  /** Returns the integers of each example. */
  public static List<List<Long>> integers(ActivationDataset dataset, int array) throws IOException {
    TokenArrays arrays = dataset.tokenArrays();
    List<List<Long>> examples = new ArrayList<>();
    try (TokenReader reader = arrays.open()) {
      for (long example = 0; example < dataset.geometry().examples(); example++) {
        LongBuffer values = LongBuffer.allocate(arrays.tokens());
        reader.read(array, example, values);
        assertThat(values.hasRemaining()).isFalse();
        examples.add(LongStream.of(values.array()).boxed().toList());
      }
      LongBuffer all = LongBuffer.allocate((int) dataset.geometry().examples() * arrays.tokens());
      reader.read(array, 0, all);
      assertThat(LongStream.of(all.array()).boxed().toList())
          .isEqualTo(examples.stream().flatMap(List::stream).toList());
    }
    return examples;
  }

  /** Returns the values of all blocks in the order of examples and layers. */
  public static List<List<Float>> blocks(ActivationDataset dataset) throws IOException {
    Geometry geometry = dataset.geometry();
    List<List<Float>> blocks = new ArrayList<>();
    RecordSelection selection =
        RecordSelection.blocks(
            new BlockOrder(false, IntStream.range(0, geometry.layers().size()).boxed().toList()),
            Math.max(1, geometry.examples()));
    try (BlockCursor cursor = new BlockCursor(dataset, selection, 0, geometry.examples())) {
      while (cursor.next()) {
        ByteBuffer bytes = cursor.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        List<Float> block = new ArrayList<>();
        while (bytes.hasRemaining()) {
          block.add(bytes.getFloat());
        }
        blocks.add(block);
      }
    }
    return blocks;
  }
}
