package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.unpacked.MadeShards.Array;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Samples spread over shards at random, against the same joined in maps. */
@Tag("late")
@Tag("sampled")
class UnpackedDatasetPropertyTest {
  private static final DType[] TYPES = {DType.F32, DType.BF16, DType.F16, DType.F64, DType.U8};
  private static final long[] FAR = {0, 1, Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 44, 1L << 60};

  /** A sample's arrays by their layers. */
  private record Sample(String directory, long id, long tokens, Map<Integer, Array> arrays) {}

  @TempDir Path temporary;

  @Property(tries = 150, sample = 20)
  void eachBlockAndEachLineOfSampleMetadataIsAtItsPosition(RandomValues any) throws IOException {
    Path folder = Files.createTempDirectory(temporary, "unpacked");
    Random random = any.random();
    boolean perDirectory = random.nextBoolean();
    boolean drop = random.nextBoolean();
    boolean ragged = random.nextBoolean();
    List<Sample> samples = samples(random, perDirectory, ragged);
    List<Sample> complete = new ArrayList<>(samples);
    Map<String, List<Array>> shards = spread(random, samples, perDirectory);
    if (drop) {
      complete.removeIf(sample -> sample.id % 3 == 1);
      shards.values().forEach(arrays -> arrays.removeIf(a -> a.id() % 3 == 1 && a.layer() == 9));
    }
    if (complete.isEmpty()) {
      return;
    }
    for (Map.Entry<String, List<Array>> shard : shards.entrySet()) {
      int protocol = new int[] {2, 4, 5}[random.nextInt(3)];
      Form dialect = Form.values()[random.nextInt(2)];
      MadeShards.write(
          folder.resolve("source").resolve(shard.getKey()),
          MadeShards.pickle(protocol, dialect, shard.getValue()));
    }
    RaggedPolicy how = ragged ? how(random, complete) : RaggedPolicy.ERROR;
    Folder target = new LocalFolder(Files.createDirectory(folder.resolve("target")));
    Path local = Files.createDirectory(folder.resolve("local"));
    UnpackedDataset dataset =
        MadeShards.unpack(
            folder.resolve("source"),
            parts(folder.resolve("source"), random),
            random.nextBoolean() ? target : new MemoryStorage("/remote"),
            local,
            new UnpackOptions(how, perDirectory, drop, false),
            ProjectionRequest.EVERYTHING);
    List<Sample> ordered = inOrder(shards, complete, perDirectory);
    assertBlocks(dataset, ordered, how, random.nextBoolean());
    assertSampleMetadata(dataset, ordered, how.mode() == RaggedPolicy.Mode.FLATTEN, random);
    assertThat(local).isEmptyDirectory();
  }

  /** Shards of any size may be parts of their own. */
  private static List<List<ShardFile>> parts(Path source, Random random) throws IOException {
    ShardFiles files = ShardFiles.of(new LocalFolder(source));
    return random.nextInt(3) > 0
        ? files.parts(false)
        : files.shards().stream().map(List::of).toList();
  }

  private static List<Sample> samples(Random random, boolean perDirectory, boolean ragged) {
    DType type = TYPES[random.nextInt(TYPES.length)];
    int dim = 1 + random.nextInt(4);
    int common = 1 + random.nextInt(5);
    int layers = 1 + random.nextInt(3);
    Map<String, Sample> samples = new LinkedHashMap<>();
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      long id = random.nextBoolean() ? random.nextInt(20) : FAR[random.nextInt(FAR.length)];
      String directory = perDirectory ? "tpu_" + random.nextInt(3) + "/" : "";
      int tokens = ragged ? random.nextInt(6) : common;
      Map<Integer, Array> arrays = new TreeMap<>();
      for (int layer = 9; layer < 9 + layers; layer++) {
        int fill = random.nextInt(256);
        arrays.put(
            layer,
            tokens % 2 == 0 && tokens > 0
                ? Array.of(layer, id, type, fill, tokens / 2, 2, dim)
                : Array.of(layer, id, type, fill, tokens, dim));
      }
      samples.putIfAbsent(directory + id, new Sample(directory, id, tokens, arrays));
    }
    return new ArrayList<>(samples.values());
  }

  /** Each array in one or two shards, in any order. */
  private static Map<String, List<Array>> spread(
      Random random, List<Sample> samples, boolean perDirectory) {
    String[] names = {"shard_0001.pkl.gz", "shard_0002.pkl", "shard_10000.pkl.gz"};
    Map<String, List<Array>> shards = new TreeMap<>();
    for (Sample sample : samples) {
      for (Array array : sample.arrays.values()) {
        for (int copies = random.nextInt(8) == 0 ? 2 : 1; copies > 0; copies--) {
          String directory = perDirectory ? sample.directory : "host_" + random.nextInt(2) + "/";
          shards
              .computeIfAbsent(
                  directory + names[random.nextInt(names.length)], name -> new ArrayList<>())
              .add(array);
        }
      }
    }
    shards.values().forEach(arrays -> Collections.shuffle(arrays, random));
    return shards;
  }

  private static RaggedPolicy how(Random random, List<Sample> samples) {
    long longest = samples.stream().mapToLong(Sample::tokens).max().getAsLong();
    long shortest = samples.stream().mapToLong(Sample::tokens).min().getAsLong();
    if (random.nextBoolean() && longest > 0) {
      return RaggedPolicy.parse("flatten");
    }
    return shortest > 0 && random.nextBoolean()
        ? RaggedPolicy.parse("truncate:" + (1 + random.nextInt((int) shortest)))
        : RaggedPolicy.parse("pad:" + Math.max(1, longest + random.nextInt(3)) + ":2");
  }

  /** As the shards first name them: layer after layer, as they come in the file. */
  private static List<Sample> inOrder(
      Map<String, List<Array>> shards, List<Sample> complete, boolean perDirectory) {
    Map<String, Sample> byKey = new LinkedHashMap<>();
    complete.forEach(s -> byKey.put((perDirectory ? s.directory : "") + s.id, s));
    List<Sample> ordered = new ArrayList<>();
    for (Map.Entry<String, List<Array>> shard : shards.entrySet()) {
      String name = shard.getKey();
      String directory = perDirectory ? name.substring(0, name.lastIndexOf('/') + 1) : "";
      Map<Integer, List<Array>> layers = new LinkedHashMap<>();
      shard
          .getValue()
          .forEach(a -> layers.computeIfAbsent(a.layer(), n -> new ArrayList<>()).add(a));
      layers.values().stream()
          .flatMap(List::stream)
          .map(array -> byKey.remove(directory + array.id()))
          .filter(sample -> sample != null)
          .forEach(ordered::add);
    }
    return ordered;
  }

  private static void assertBlocks(
      UnpackedDataset dataset, List<Sample> samples, RaggedPolicy how, boolean byLayer)
      throws IOException {
    TreeSet<Integer> layers = new TreeSet<>(samples.get(0).arrays.keySet());
    assertThat(dataset.geometry().layers()).containsExactlyElementsOf(layers);
    List<byte[]> examples = new ArrayList<>();
    for (Sample sample : samples) {
      long count = how.mode() == RaggedPolicy.Mode.FLATTEN ? sample.tokens : 1;
      for (int i = 0; i < count; i++) {
        for (Array array : sample.arrays.values()) {
          examples.add(expected(array, how, i));
        }
      }
    }
    assertThat(dataset.geometry().examples() * layers.size()).isEqualTo(examples.size());
    BlockOrder order = BlockOrder.byExample(dataset.table());
    RecordSelection all =
        new RecordSelection(
            new BlockOrder(byLayer, order.columns()), Long.MAX_VALUE, RecordSelection.Unit.BLOCK);
    int blocks = 0;
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.geometry().examples())) {
      while (cursor.next()) {
        byte[] bytes = InventedFiles.copy(cursor.bytes());
        int place = (int) cursor.example() * layers.size() + cursor.column();
        assertThat(bytes).isEqualTo(examples.get(place));
        blocks++;
      }
    }
    assertThat(blocks).isEqualTo(examples.size());
  }

  private static byte[] expected(Array array, RaggedPolicy how, int token) {
    int bytes = array.type().bits() / 8;
    int vector = array.shape().get(array.shape().size() - 1).intValue() * bytes;
    return switch (how.mode()) {
      case ERROR -> array.bytes();
      case FLATTEN -> Arrays.copyOfRange(array.bytes(), token * vector, (token + 1) * vector);
      case TRUNCATE -> Arrays.copyOf(array.bytes(), how.tokens() * vector);
      case PAD -> {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(array.bytes());
        while (all.size() < how.tokens() * vector) {
          all.writeBytes(two(array.type()));
        }
        yield all.toByteArray();
      }
    };
  }

  private static byte[] two(DType type) {
    return switch (type) {
      case F32 -> new byte[] {0, 0, 0, 0x40};
      case BF16, F16 -> new byte[] {0, 0x40};
      case F64 -> new byte[] {0, 0, 0, 0, 0, 0, 0, 0x40};
      default -> new byte[] {2};
    };
  }

  private static void assertSampleMetadata(
      UnpackedDataset dataset, List<Sample> samples, boolean flat, Random random)
      throws IOException {
    long first = random.nextInt((int) dataset.geometry().examples());
    long count = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(5);
    List<String> expected = new ArrayList<>();
    long example = 0;
    long end = first > Long.MAX_VALUE - count ? Long.MAX_VALUE : first + count;
    for (Sample sample : samples) {
      for (int i = 0; i < (flat ? sample.tokens : 1); i++, example++) {
        if (example >= first && example < end) {
          expected.add("%d %d %d".formatted(example, flat ? i : -1, sample.id));
        }
      }
    }
    List<String> found = new ArrayList<>();
    try (SampleMetadataCursor cursor =
        dataset.sampleMetadata().orElseThrow().cursor(first, count)) {
      for (ExampleMetadata a = cursor.next(); a != null; a = cursor.next()) {
        String id = a.sample().replaceFirst(".*?\"sample_idx\":(\\d+).*", "$1");
        for (long i = 0; i < a.count(); i++) {
          found.add("%d %d %s".formatted(a.first() + i, flat ? a.position() + i : -1, id));
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }
}
