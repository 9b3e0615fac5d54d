package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.unpacked.MadeShards.Array;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tensor.DType;

/** What is left in the folder of the spools where only a part of the shards is asked for. */
class UnpackedPartTest {
  private static final int TOKENS = 8;
  private static final int DIM = 512;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // shards of samples | layers | examples | limit | tokens | vectors that are kept
        "4 | 6 | 3,1 |          | -1 | all   | 384",
        "4 | 6 |     | 20,5:8,-1 | -1 | all  | 120",
        "4 | 6 | 2   |          | 7  | all   | 56",
        "2 | 3 |     |          | -1 | 2,4:6 | 72",
        "2 | 3 | 1   | 4        | -1 | -1    | 1"
      })
  void onlyTheRangesThatCoverThePartAreKept(
      int shards,
      int samples,
      @Nullable String layers,
      @Nullable String examples,
      long limit,
      String tokens,
      long vectors)
      throws IOException {
    compressedShards(shards, samples);
    UnpackedDataset dataset =
        assertSame(UnpackOptions.STRICT, request(layers, examples, limit, tokens));
    assertThat(dataset.geometry().layers()).containsExactly(1, 2, 3);
    assertThat(kept()).isEqualTo(vectors * DIM * Float.BYTES);
  }

  @Test
  void tokensThatNoArrayHasAreAnErrorThatNamesTheShard() throws IOException {
    compressedShards(1, 1);
    assertFails(
        DatasetError.BAD_SELECTION,
        folder.resolve("source/host_0/shard_1.pkl.gz"),
        () -> part(UnpackOptions.STRICT, request(null, null, -1, "8")));
  }

  @Test
  void ofShardsThatAreNotCompressedNothingIsCopied() throws IOException {
    for (int host = 0; host < 2; host++) {
      shard(
          "host_" + host + "/shard_1.pkl",
          Array.floats(1, host, TOKENS, DIM),
          Array.floats(2, host, TOKENS, DIM));
    }
    assertSame(UnpackOptions.STRICT, request("2", "1", -1, "3:5"));
    assertThat(kept()).isZero();
  }

  @Test
  void halvesAreJoinedBeforeAPartIsTaken() throws IOException {
    for (int host = 0; host < 4; host++) {
      List<Array> arrays = new ArrayList<>();
      for (int id = 0; id < 4; id++) {
        int fill = host + 10 * id;
        arrays.add(Array.of(1, id + host / 2 * 4L, DType.F32, fill, TOKENS, DIM));
        arrays.add(Array.of(2, id + host / 2 * 4L, DType.F32, fill + 5, TOKENS, DIM));
      }
      shard("host_0" + host + "/shard_1.pkl" + (host < 2 ? ".gz" : ""), arrays);
    }
    UnpackOptions halves = new UnpackOptions(RaggedPolicy.ERROR, false, false, true);
    assertSame(halves, request("2", "6,1", -1, "1:4"));
    assertThat(kept()).isEqualTo(2 * 3 * 2 * DIM * Float.BYTES);
  }

  @Test
  void raggedSamplesAreCutOrFilledBeforeAPartIsTaken() throws IOException {
    raggedShards();
    assertSame(MadeShards.ragged("pad:8:2"), request(null, "1:4", -1, "6:"));
    assertThat(kept()).isEqualTo(3 * 2 * 2 * DIM * Float.BYTES);
    assertSame(MadeShards.ragged("truncate:2"), request("1", ":3", -1, "1"));
    assertThat(kept()).isEqualTo(3 * DIM * Float.BYTES);
  }

  @Test
  void ofFlattenedSamplesThoseThatHoldTokensAskedForAreKept() throws IOException {
    raggedShards();
    // samples of 2, 3, 4, 5 and 6 tokens: the examples 0 and 1, 2 to 4, 5 to 8, 9 to 13, 14 to 19
    UnpackedDataset dataset =
        assertSame(MadeShards.ragged("flatten"), request("2", "15,3:6", -1, "all"));
    assertThat(dataset.geometry().examples()).isEqualTo(20);
    assertThat(kept()).isEqualTo((3 + 4 + 6) * DIM * Float.BYTES);
  }

  @Test
  void samplesThatLackALayerHaveNoNumber() throws IOException {
    shard("a/shard_1.pkl.gz", Array.floats(1, 5, 2, 3), Array.floats(1, 6, 2, 3));
    shard("b/shard_1.pkl.gz", Array.floats(2, 6, 2, 3), Array.floats(2, 7, 2, 3));
    shard("c/shard_1.pkl.gz", Array.floats(1, 7, 2, 3));
    UnpackOptions drop = new UnpackOptions(RaggedPolicy.ERROR, false, true, false);
    assertThat(assertSame(drop, request(null, "1", -1, "all")).geometry().examples()).isEqualTo(2);
    assertThat(kept()).isEqualTo(2 * 2 * 3 * Float.BYTES);
  }

  @Test
  void aSampleThatComesTwiceIsComparedThoughItIsNotKept() throws IOException {
    for (String name : List.of("shard_2.pkl", "shard_2.pkl.gz")) {
      shard("shard_1.pkl.gz", Array.of(1, 5, DType.U8, 0, 2, 3), Array.of(1, 6, DType.U8, 0, 2, 3));
      shard(name, Array.of(1, 5, DType.U8, 0, 2, 3));
      UnpackedDataset dataset = assertSame(UnpackOptions.STRICT, request(null, "1", -1, "all"));
      assertThat(dataset.warnings())
          .containsExactly("1 array came twice, with the same numbers: one of each was kept");
      shard(name, Array.of(1, 5, DType.U8, 1, 2, 3));
      assertFails(
          ShardError.AMBIGUOUS_SAMPLES,
          name,
          () -> part(UnpackOptions.STRICT, request(null, "1", -1, "all")));
      Files.delete(folder.resolve("source").resolve(name));
    }
  }

  @Test
  void blocksThatWereNotAskedForCannotBeRead() throws IOException {
    compressedShards(2, 3);
    for (ProjectionRequest request :
        List.of(
            request("1", null, -1, "all"),
            request(null, "2", -1, "all"),
            request(null, null, -1, "2:"),
            request(null, null, -1, ":2"))) {
      UnpackedDataset dataset = part(UnpackOptions.STRICT, request);
      assertFails(ShardError.NOT_STAGED, "source", () -> blocks(dataset));
    }
  }

  @Tag("late")
  @Test
  void randomPartsAreThoseOfTheWholeDataset() throws IOException {
    Random random = new Random(5);
    for (int round = 0; round < 20; round++) {
      int shards = 1 + random.nextInt(4);
      long id = 0;
      for (int i = 0; i < shards; i++) {
        List<Array> arrays = new ArrayList<>();
        for (int left = 1 + random.nextInt(4); left > 0; left--, id++) {
          for (int layer = 1; layer < 4; layer++) {
            arrays.add(Array.of(layer, id, DType.U8, random.nextInt(256), 5, 7));
          }
        }
        shard("host_" + i + "/shard_1.pkl" + (random.nextBoolean() ? ".gz" : ""), arrays);
      }
      long first = random.nextLong(id);
      String tokens = random.nextBoolean() ? "all" : random.nextInt(2) + "," + "3:5";
      assertSame(
          UnpackOptions.STRICT,
          request(
              random.nextBoolean() ? "3,1" : null,
              random.nextBoolean() ? first + ":" : null,
              random.nextBoolean() ? 1 + random.nextInt(6) : -1,
              tokens));
      InventedFiles.delete(folder.resolve("source"));
    }
  }

  private void compressedShards(int shards, int samples) throws IOException {
    for (int i = 0; i < shards; i++) {
      List<Array> arrays = new ArrayList<>();
      for (int layer : new int[] {2, 1, 3}) {
        for (int j = 0; j < samples; j++) {
          long id = 100L * i + j;
          arrays.add(Array.of(layer, id, DType.F32, (int) id * 7 + layer, TOKENS, DIM));
        }
      }
      shard("host_%d/shard_1.pkl.gz".formatted(i), arrays);
    }
  }

  private void raggedShards() throws IOException {
    for (int id = 0; id < 5; id++) {
      shard(
          "host_" + id % 2 + "/shard_" + id + ".pkl.gz",
          Array.floats(1, id, 2 + SIZES[id], DIM),
          Array.floats(2, id, 2 + SIZES[id], DIM));
    }
  }

  /** More tokens than two, so that they ascend in the order of hosts and shards. */
  private static final int[] SIZES = {0, 3, 1, 4, 2};

  private void shard(String path, Array... arrays) throws IOException {
    MadeShards.write(folder.resolve("source").resolve(path), arrays);
  }

  private void shard(String path, List<Array> arrays) throws IOException {
    shard(path, arrays.toArray(Array[]::new));
  }

  private static ProjectionRequest request(
      @Nullable String layers, @Nullable String examples, long limit, String tokens) {
    return new ProjectionRequest(
        layers == null ? null : LayerRequest.parse(layers),
        examples == null ? null : IndexPieces.parse(examples),
        limit,
        TokenRequest.parse(tokens));
  }

  /** Unpacks a part and all, and compares what is asked for of them. */
  private UnpackedDataset assertSame(UnpackOptions options, ProjectionRequest request)
      throws IOException {
    LocalFolder all = InventedFiles.empty(folder.resolve("all"));
    UnpackedDataset whole = MadeShards.unpack(folder.resolve("source"), all, folder, options);
    UnpackedDataset part = part(options, request);
    assertThat(part.activations()).isEqualTo(whole.activations());
    assertThat(part.warnings()).isEqualTo(whole.warnings());
    TableDataset asked = request.resolve(part).of(part);
    TableDataset expected = request.resolve(whole).of(whole);
    assertThat(blocks(asked)).isEqualTo(blocks(expected));
    assertThat(samples(asked)).isEqualTo(samples(expected)).isNotEmpty();
    return part;
  }

  private UnpackedDataset part(UnpackOptions options, ProjectionRequest request)
      throws IOException {
    LocalFolder target = InventedFiles.empty(folder.resolve("target"));
    return MadeShards.unpack(folder.resolve("source"), target, folder, options, request);
  }

  private static List<String> blocks(TableDataset dataset) throws IOException {
    List<String> blocks = new ArrayList<>();
    RecordSelection all =
        RecordSelection.blocks(BlockOrder.byExample(dataset.table()), Long.MAX_VALUE);
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.table().examples())) {
      while (cursor.next()) {
        String bytes = HexFormat.of().formatHex(InventedFiles.copy(cursor.bytes()));
        blocks.add(cursor.example() + " " + cursor.column() + " " + bytes);
      }
    }
    return blocks;
  }

  private static List<String> samples(TableDataset dataset) throws IOException {
    List<String> samples = new ArrayList<>();
    try (SampleMetadataCursor cursor =
        dataset.sampleMetadata().orElseThrow().cursor(0, Long.MAX_VALUE)) {
      for (ExampleMetadata a = cursor.next(); a != null; a = cursor.next()) {
        samples.add(a.toString());
      }
    }
    return samples;
  }

  /** Bytes of the blocks that were kept. */
  private long kept() throws IOException {
    return new LocalFolder(folder.resolve("target"))
        .files().entrySet().stream()
            .filter(file -> file.getKey().matches("blocks-\\d+"))
            .mapToLong(java.util.Map.Entry::getValue)
            .sum();
  }
}
