package org.saevhadoop.format.dataset.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ShardWriterTest {
  @TempDir Path folder;

  record Target(Geometry geometry, BlockOrder order, long examplesPerShard) implements WritePlan {
    @Override
    public TableShape table() {
      return geometry.table();
    }

    @Override
    public ShardPlan shard(long index) {
      long examples = examples(index);
      byte[] header = {7, 7, 7};
      return new ShardPlan(
          "shard" + index,
          index * examplesPerShard,
          examples,
          header,
          5 + header.length + examples * geometry.exampleBytes());
    }
  }

  private final Geometry geometry = new Geometry(5, List.of(11, 13), 1, 1);
  private final Target byLayer = new Target(geometry, new BlockOrder(true, List.of(1, 0)), 3);
  private final Target byExample = new Target(geometry, BlockOrder.byExample(geometry.table()), 3);

  @Test
  void theFileHasItsHeaderItsBlocksAndItsTail() throws IOException {
    Path file = folder.resolve("file");
    try (BlockSink sink = new ShardWriter(LocalFile.create(file), byLayer.shard(1), byLayer)) {
      sink.write(3, 1, block(31));
      sink.write(4, 1, block(41));
      sink.write(3, 0, block(30));
      sink.write(4, 0, block(40));
    }
    assertThat(Files.readAllBytes(file))
        .containsExactly(
            7, 7, 7, 31, 31, 31, 31, 41, 41, 41, 41, 30, 30, 30, 30, 40, 40, 40, 40, 0, 0, 0, 0, 0);
  }

  @Test
  void aBlockOutOfOrderIsRefusedWithTheOneThatWasExpected() throws IOException {
    try (BlockSink sink = writer("a", byLayer)) {
      sink.write(0, 1, block(1));
      assertFails(DatasetError.BLOCK_OUT_OF_ORDER, "a", () -> sink.write(0, 0, block(1)));
      finish(sink, byLayer, 1);
    }
  }

  @Test
  void anIncompleteFileCanNotBeClosed() throws IOException {
    BlockSink sink = writer("b", byExample);
    sink.write(0, 0, block(1));
    assertFails(DatasetError.INCOMPLETE, "b", sink::close);
  }

  @Test
  void aBlockOfTheWrongSizeAndOneTooManyAreRefused() throws IOException {
    try (BlockSink sink = writer("c", byExample)) {
      assertFails(DatasetError.BLOCK_SIZE, "c", () -> sink.write(0, 0, ByteBuffer.allocate(8)));
      finish(sink, byExample, 0);
      assertFails(DatasetError.BLOCK_OUT_OF_ORDER, "c", () -> sink.write(3, 0, block(1)));
    }
  }

  @Test
  void aSpoolRefusesBlocksThatArriveTwiceOrBelongElsewhereOrAreMissing() throws IOException {
    BlockSink sink = spool(folder.resolve("d"), byExample);
    sink.write(2, 1, block(1));
    assertFails(DatasetError.BLOCK_REPEATED, "shard0", () -> sink.write(2, 1, block(1)));
    assertFails(DatasetError.BLOCK_OUT_OF_ORDER, "shard0", () -> sink.write(3, 1, block(1)));
    assertFails(DatasetError.BLOCK_SIZE, "shard0", () -> sink.write(0, 1, ByteBuffer.allocate(3)));
    assertFails(DatasetError.INCOMPLETE, "shard0", sink::close);
  }

  @Test
  void aSpooledFileIsTheSameInWhateverOrderItsBlocksArrive() throws IOException {
    Path inOrder = folder.resolve("in-order");
    try (BlockSink sink = new ShardWriter(LocalFile.create(inOrder), byLayer.shard(0), byLayer)) {
      finish(sink, byLayer, 0);
    }
    List<Integer> ordinals = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
    Collections.shuffle(ordinals, new Random(3));
    Path spooled = Files.createDirectories(folder.resolve("spooled"));
    try (BlockSink sink = spool(spooled, byLayer)) {
      for (int ordinal : ordinals) {
        writeOrdinal(sink, byLayer, ordinal);
      }
    }
    assertThat(spooled.resolve("shard0")).hasSameBinaryContentAs(inOrder);
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("in-order", "spooled");
  }

  @Test
  void aRunOfBlocksIsCheckedAndWrittenAtOnce() throws IOException {
    Path file = folder.resolve("run");
    try (BlockSink sink = new ShardWriter(LocalFile.create(file), byLayer.shard(0), byLayer)) {
      assertFails(DatasetError.BLOCK_OUT_OF_ORDER, "run", () -> sink.writeRun(1, 1, blocks(1, 2)));
      assertThat(sink.writeRun(0, 1, blocks(0, 1))).isTrue();
      assertFails(
          DatasetError.BLOCK_SIZE,
          "run",
          () -> sink.writeRun(2, 1, ByteBuffer.allocate(5 * Integer.BYTES)));
      assertFails(
          DatasetError.BLOCK_SIZE, "run", () -> sink.writeRun(2, 1, ByteBuffer.allocate(6)));
      assertThat(sink.writeRun(2, 1, blocks(2, 3, 4, 5))).isTrue();
    }
    Path single = folder.resolve("single");
    try (BlockSink sink = new ShardWriter(LocalFile.create(single), byLayer.shard(0), byLayer)) {
      finish(sink, byLayer, 0);
    }
    assertThat(file).hasSameBinaryContentAs(single);
  }

  @Test
  void aLocalFileTakesRunsInAnyOrderWithoutASpool() throws IOException {
    Path missing = folder.resolve("no-folder-for-spools");
    Path written = Files.createDirectories(folder.resolve("direct"));
    try (BlockSink sink =
        new ShardSpool(byLayer.shard(0), byLayer, new LocalFolder(written), missing, null)) {
      assertThat(sink.writeRun(1, 0, blocks(4, 5))).isTrue();
      assertFails(DatasetError.BLOCK_REPEATED, "shard0", () -> sink.writeRun(0, 0, blocks(3, 4)));
      assertThat(sink.writeRun(2, 0, blocks(6, 7))).isFalse();
      sink.write(0, 0, block(3));
      assertThat(sink.writeRun(0, 1, blocks(0, 1, 2))).isTrue();
    }
    Path inOrder = folder.resolve("in-order");
    try (BlockSink sink = new ShardWriter(LocalFile.create(inOrder), byLayer.shard(0), byLayer)) {
      finish(sink, byLayer, 0);
    }
    assertThat(written.resolve("shard0")).hasSameBinaryContentAs(inOrder);
  }

  private static ByteBuffer blocks(int... values) {
    ByteBuffer blocks = ByteBuffer.allocate(values.length * Integer.BYTES);
    for (int value : values) {
      blocks.put(block(value));
    }
    return blocks.flip();
  }

  @Property
  void aBlocksPositionAndItsCoordinatesAreInverse(RandomValues any) {
    boolean layerMajor = any.bool();
    int examples = any.intBetween(1, 1000);
    int seed = any.intBetween(0, 999_999);
    BlockOrder order = new BlockOrder(layerMajor, List.of(2, 0, 1));
    long ordinal = seed % (3L * examples);
    long index = order.indexInGroup(ordinal, examples);
    int layerIndex = order.column(ordinal, examples);
    assertThat(index).isBetween(0L, examples - 1L);
    assertThat(order.ordinal(index, layerIndex, examples)).isEqualTo(ordinal);
  }

  private BlockSink writer(String name, Target target) throws IOException {
    return new ShardWriter(LocalFile.create(folder.resolve(name)), target.shard(0), target);
  }

  private BlockSink spool(Path file, Target target) throws IOException {
    return new ShardSpool(target.shard(0), target, new AppendOnly(file), folder, null);
  }

  /** A folder of a storage without random access. */
  private record AppendOnly(Path directory) implements Folder {
    @Override
    public String path() {
      return directory.toString();
    }

    @Override
    public SortedMap<String, Long> files() throws IOException {
      return new LocalFolder(directory).files();
    }

    @Override
    public Input open(String name) throws IOException {
      return new LocalFolder(directory).open(name);
    }

    @Override
    public Output create(String name) throws IOException {
      return new LocalFolder(directory).create(name);
    }
  }

  private static void finish(BlockSink sink, Target target, int from) throws IOException {
    for (int ordinal = from; ordinal < 6; ordinal++) {
      writeOrdinal(sink, target, ordinal);
    }
  }

  private static void writeOrdinal(BlockSink sink, Target target, int ordinal) throws IOException {
    BlockOrder order = target.order();
    sink.write(order.indexInGroup(ordinal, 3), order.column(ordinal, 3), block(ordinal));
  }

  private static ByteBuffer block(int value) {
    byte b = (byte) value;
    return ByteBuffer.wrap(new byte[] {b, b, b, b});
  }
}
