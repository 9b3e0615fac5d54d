package org.saevhadoop.format.dataset;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * A dataset in memory whose every float tells its own coordinates, in either storage order. It may
 * have labels, and knows how many of those that were opened are not closed yet.
 */
public final class InventedDataset implements ActivationDataset, Folder {
  private static final int HEADER = 12;

  private final Geometry geometry;
  private final boolean byLayer;
  private final Shards shards;
  private OptionalInt clsTokens = OptionalInt.empty();
  private ExampleIds ids;
  private SampleMetadata sampleMetadata;
  private int patches;
  private int labelsOpen;
  private int mostLabelsAtOnce;
  private final List<MemoryInput.Read> reads = new ArrayList<>();

  public InventedDataset(Geometry geometry, boolean byLayer, long perShard) {
    this.geometry = geometry;
    this.byLayer = byLayer;
    List<Shard> files = new ArrayList<>();
    for (long first = 0; first < geometry.examples(); first += perShard) {
      long examples = Math.min(perShard, geometry.examples() - first);
      long bytes = HEADER + examples * geometry.exampleBytes();
      files.add(new Shard("shard" + files.size(), first, examples, bytes));
    }
    this.shards = new Shards(files);
  }

  /** The vector at a coordinate, as it must come out of every reader. */
  public ByteBuffer vector(long example, int layerIndex, int token) {
    ByteBuffer vector = ByteBuffer.allocate(geometry.vectorBytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int d = 0; d < geometry.dim(); d++) {
      vector.putFloat(example * 1000 + layerIndex * 100 + token * 10 + d / 8f);
    }
    return vector.flip();
  }

  /** Labels each example's patches. */
  public InventedDataset withLabels(int patchesOfAnExample) {
    patches = patchesOfAnExample;
    return this;
  }

  /** Says whether token 0 is [CLS]. */
  public InventedDataset withClsTokens(int tokens) {
    clsTokens = OptionalInt.of(tokens);
    return this;
  }

  /** Gives the examples names and metadata. */
  public InventedDataset with(ExampleIds exampleIds, SampleMetadata sampleMetadata) {
    ids = exampleIds;
    this.sampleMetadata = sampleMetadata;
    return this;
  }

  @Override
  public Optional<ExampleIds> ids() {
    return Optional.ofNullable(ids);
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() {
    return Optional.ofNullable(sampleMetadata);
  }

  /** The labels of consecutive examples, as they must come out of every reader. */
  public byte[] labels(long first, long count) {
    byte[] labels = new byte[(int) count * patches];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) ((first + i / patches) * 89 + i % patches * 7 + 200);
    }
    return labels;
  }

  /** How many opened labels are not closed yet. */
  public int labelsOpen() {
    return labelsOpen;
  }

  /** The most bytes of labels that were asked for at once. */
  public int mostLabelsAtOnce() {
    return mostLabelsAtOnce;
  }

  /** The reads of all files so far. */
  public List<MemoryInput.Read> reads() {
    return reads;
  }

  @Override
  public boolean hasLabels() {
    return patches > 0;
  }

  @Override
  public PatchLabels openLabels() {
    labelsOpen++;
    return new PatchLabels() {
      @Override
      public int patches() {
        return patches;
      }

      @Override
      public void read(long first, ByteBuffer dst) {
        mostLabelsAtOnce = Math.max(mostLabelsAtOnce, dst.remaining());
        dst.put(labels(first, dst.remaining() / patches));
      }

      @Override
      public void close() {
        labelsOpen--;
      }
    };
  }

  @Override
  public Folder folder() {
    return this;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return new BlockOrder(byLayer, BlockOrder.byExample(table()).columns());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    long stride = byLayer ? geometry.blockBytes() : geometry.exampleBytes();
    long[] base = new long[geometry.layers().size()];
    for (int i = 0; i < base.length; i++) {
      base[i] = HEADER + i * geometry.blockBytes() * (byLayer ? shards.get(shard).examples() : 1);
    }
    return BlockOffsets.strided(base, stride);
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    long bytes = geometry.exampleBytes();
    return List.of(new ByteRange(HEADER + indexInShard * bytes, examples * bytes));
  }

  @Override
  public Activations activations() {
    return new Activations(geometry, clsTokens, Provenance.NONE);
  }

  @Override
  public String path() {
    return "invented";
  }

  @Override
  public SortedMap<String, Long> files() {
    SortedMap<String, Long> files = new TreeMap<>();
    shards.forEach(shard -> files.put(shard.name(), shard.bytes()));
    return files;
  }

  @Override
  public Output create(String name) {
    throw new IllegalStateException("is only read");
  }

  @Override
  public Input open(String name) throws FormatException {
    int index = Integer.parseInt(name.substring("shard".length()));
    return new MemoryInput(name, content(index).array(), reads);
  }

  private ByteBuffer content(int index) {
    Shard shard = shards.get(index);
    BlockOffsets placement = placement(index, null);
    ByteBuffer bytes = ByteBuffer.allocate((int) shard.bytes());
    for (long e = 0; e < shard.examples(); e++) {
      for (int l = 0; l < geometry.layers().size(); l++) {
        for (int t = 0; t < geometry.tokens(); t++) {
          ByteBuffer vector = vector(shard.first() + e, l, t);
          bytes.put(
              (int) placement.offset(e, l) + t * geometry.vectorBytes(),
              vector,
              0,
              vector.remaining());
        }
      }
    }
    return bytes;
  }
}
