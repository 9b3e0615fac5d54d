package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickleshards.unpacked.MadeShards.Array;
import org.saevhadoop.format.pickleshards.write.PickleWritePlan;
import org.saevhadoop.format.pickleshards.write.SampleOrigin;
import org.saevhadoop.format.pickleshards.write.ShardForm;
import org.saevhadoop.format.pickleshards.write.WrittenShards;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataSource;
import org.saevhadoop.format.samples.Sidecars;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Padded samples of which only some tokens are selected, written as pickled shards again. */
@Tag("late")
@Tag("sampled")
class SelectedTokensPropertyTest {
  private static final int DIM = 3;
  private static final int VECTOR = DIM * Float.BYTES;

  @TempDir Path temporary;

  @Property(tries = 100, sample = 15)
  void eachSampleComesBackWithThoseOfItsTokensThatWereSelected(RandomValues any)
      throws IOException {
    int padded = any.intBetween(1, 9);
    boolean nested = any.bool();
    boolean sidecar = any.bool();
    Random random = any.random();
    Path folder = Files.createTempDirectory(temporary, "selected");
    List<Array> arrays = arrays(padded, random);
    MadeShards.write(folder.resolve("source/shard_0001.pkl.gz"), arrays.toArray(Array[]::new));
    List<Integer> selected = some(padded, random);
    ProjectionRequest request = request(selected);
    UnpackOptions pad = MadeShards.ragged("pad:" + padded + ":7");
    LocalFolder target = new LocalFolder(Files.createDirectory(folder.resolve("target")));
    UnpackedDataset staged =
        MadeShards.unpack(folder.resolve("source"), target, folder, pad, request);
    ActivationDataset part = request.resolve(staged).of(staged).requireActivations();
    if (nested) {
      List<Integer> inner = some(selected.size(), random);
      part = request(inner).resolve(part).of(part).requireActivations();
      selected = inner.stream().map(selected::get).toList();
    }
    List<String> expected = new ArrayList<>();
    for (Array array : arrays) {
      expected.add(describe(array, selected));
    }
    assertThat(written(part, sidecar, folder)).isEqualTo(expected);
  }

  /** Returns the arrays of two layers, of any length up to that to which they are padded. */
  private static List<Array> arrays(int padded, Random random) {
    int[] lengths = random.ints(1 + random.nextInt(5), 0, padded + 1).toArray();
    List<Array> arrays = new ArrayList<>();
    for (int layer : new int[] {1, 2}) {
      for (int id = 0; id < lengths.length; id++) {
        arrays.add(Array.floats(layer, id, lengths[id], DIM));
      }
    }
    return arrays;
  }

  private static List<Integer> some(int tokens, Random random) {
    List<Integer> some =
        IntStream.range(0, tokens).filter(token -> random.nextBoolean()).boxed().toList();
    return some.isEmpty() ? List.of(random.nextInt(tokens)) : some;
  }

  private static ProjectionRequest request(List<Integer> tokens) {
    String text = tokens.stream().map(String::valueOf).collect(Collectors.joining(","));
    return ProjectionRequest.EVERYTHING.with(TokenRequest.parse(text));
  }

  private static String describe(Array array, List<Integer> selected) {
    List<byte[]> rows =
        selected.stream()
            .filter(token -> token < array.tokens())
            .map(token -> Arrays.copyOfRange(array.bytes(), token * VECTOR, (token + 1) * VECTOR))
            .toList();
    ByteBuffer values = ByteBuffer.allocate(rows.size() * VECTOR);
    rows.forEach(values::put);
    return describe(array.layer(), array.id(), rows.size(), values.array());
  }

  private static String describe(int layer, long id, long tokens, byte[] values) {
    return "%d %d [%d, %d] %s".formatted(layer, id, tokens, DIM, Arrays.toString(values));
  }

  /** Writes a shard and returns what is in it. */
  private static List<String> written(ActivationDataset part, boolean sidecar, Path folder)
      throws IOException {
    SampleMetadata samples = part.sampleMetadata().orElseThrow();
    long examples = part.geometry().examples();
    LocalFolder out = new LocalFolder(Files.createDirectory(folder.resolve("out")));
    if (sidecar) {
      try (SampleMetadataSource source = new SampleMetadataSource(samples)) {
        source.write(out, "x.bin", 0, examples, () -> null, folder);
      }
      samples = Sidecars.of(out, List.of(new DataFile("x.bin", 0, examples))).orElseThrow();
    }
    DatasetWrite write =
        new PickleWritePlan(part.geometry(), 1 << 20, ShardForm.DEFAULT, "/out")
            .write(samples, SampleOrigin.UNKNOWN, WrittenShards.UNKNOWN);
    RecordSelection all = RecordSelection.blocks(BlockOrder.byColumn(part.table()), Long.MAX_VALUE);
    try (BlockSink sink = write.sinks().open(0, false, out, folder);
        BlockCursor cursor = new BlockCursor(part, all, 0, examples)) {
      while (cursor.next()) {
        sink.write(cursor.example(), cursor.column(), cursor.bytes());
      }
    }
    return WrittenShards.read(out, write.plan().shardName(0), folder).stream()
        .peek(array -> assertThat(array.shape()).hasSize(2))
        .map(array -> describe(array.layer(), array.id(), array.shape()[0], array.data()))
        .toList();
  }
}
