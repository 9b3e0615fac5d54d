package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.unpacked.MadeShards.Array;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tensor.DType;

/** What makes a dataset of shards, and what does not. */
class UnpackedDatasetTest {
  private static final UnpackOptions PER_DIRECTORY =
      new UnpackOptions(RaggedPolicy.ERROR, true, false, false);
  private static final UnpackOptions DROP =
      new UnpackOptions(RaggedPolicy.ERROR, false, true, false);
  private static final UnpackOptions HALVES =
      new UnpackOptions(RaggedPolicy.ERROR, false, false, true);

  @TempDir Path folder;

  @Test
  void aSampleThatComesTwiceWithTheSameNumbersIsKeptOnceAndThatIsReported() throws IOException {
    shard("a/shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("b/shard_1.pkl.gz", Array.floats(1, 5, 2, 3), Array.floats(1, 6, 2, 3));
    UnpackedDataset dataset = unpack(UnpackOptions.STRICT);
    assertThat(dataset.geometry().examples()).isEqualTo(2);
    assertThat(dataset.warnings())
        .containsExactly("1 array came twice, with the same numbers: one of each was kept");
  }

  @Test
  void aSampleThatComesTwiceWithOtherNumbersIsAnErrorUnlessDirectoriesCountTheirOwn()
      throws IOException {
    shard("tpu_0/shard_1.pkl", Array.of(1, 5, DType.F32, 0, 2, 3));
    shard("tpu_1/shard_1.pkl", Array.of(1, 5, DType.F32, 9, 2, 3));
    assertRefused(UnpackOptions.STRICT, ShardError.AMBIGUOUS_SAMPLES, "tpu_1/shard_1.pkl");
    assertThat(unpack(PER_DIRECTORY).geometry().examples()).isEqualTo(2);
  }

  @Test
  void aSampleTwiceInOneListWithOtherNumbersIsAnErrorWhateverIsCutOff() throws IOException {
    Array one = Array.of(1, 5, DType.U8, 0, 2, 3);
    byte[] other = one.bytes().clone();
    other[5]++;
    shard("shard_1.pkl", one, new Array(1, 5, DType.U8, one.shape(), other));
    assertRefused(UnpackOptions.STRICT, ShardError.AMBIGUOUS_SAMPLES, "shard_1.pkl");
    assertRefused(MadeShards.ragged("truncate:1"), ShardError.AMBIGUOUS_SAMPLES, "shard_1.pkl");
    assertRefused(MadeShards.ragged("flatten"), ShardError.AMBIGUOUS_SAMPLES, "shard_1.pkl");
  }

  @Test
  void aLongArrayThatDiffersInItsLastByteOnlyIsAnotherOne() throws IOException {
    Array one = Array.of(1, 5, DType.U8, 0, (1 << 20) + 7, 1);
    byte[] other = one.bytes().clone();
    other[other.length - 1]++;
    shard("shard_1.pkl.gz", one);
    shard("shard_2.pkl.gz", new Array(1, 5, DType.U8, one.shape(), other));
    assertRefused(UnpackOptions.STRICT, ShardError.AMBIGUOUS_SAMPLES, "shard_2.pkl.gz");
  }

  @Test
  void layersOfDifferentLengthsOfASampleAreAnError() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("shard_2.pkl", Array.floats(2, 5, 3, 3));
    assertRefused(UnpackOptions.STRICT, ShardError.MIXED_SHAPES, "shard_2.pkl");
    assertRefused(MadeShards.ragged("pad:4"), ShardError.MIXED_SHAPES, "shard_2.pkl");
  }

  @Test
  void aSampleWithoutALayerIsAnErrorOrLeftOut() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(1, 6, 2, 3));
    shard("shard_2.pkl", Array.floats(2, 6, 2, 3));
    assertRefused(UnpackOptions.STRICT, ShardError.MISSING_LAYER, "shard_1.pkl");
    UnpackedDataset dataset = unpack(DROP);
    assertThat(dataset.geometry().examples()).isEqualTo(1);
    assertThat(dataset.warnings()).containsExactly("1 sample was left out: a layer is missing");
  }

  @Test
  void whereNoSampleHasAllLayersNothingIsLeft() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(2, 6, 2, 3));
    assertRefused(DROP, ShardError.MISSING_LAYER, "shard_1.pkl");
  }

  @Test
  void otherTypesAndWidthsAreErrorsThatNameBothShards() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("shard_2.pkl", Array.of(1, 6, DType.F16, 0, 2, 3));
    assertRefused(UnpackOptions.STRICT, ShardError.MIXED_SHAPES, "shard_2.pkl");
    shard("shard_2.pkl", Array.floats(1, 6, 2, 4));
    assertRefused(UnpackOptions.STRICT, ShardError.MIXED_SHAPES, "shard_2.pkl");
  }

  @Test
  void emptyListsAndShardsAreNoSamples() throws IOException {
    shard("shard_1.pkl");
    assertRefused(UnpackOptions.STRICT, ShardError.NO_SAMPLES, "shard_1.pkl");
    shard("shard_3.pkl");
    assertRefused(UnpackOptions.STRICT, ShardError.NO_SAMPLES, "source");
    shard("shard_2.pkl", Array.floats(1, 5, 2, 3));
    assertThat(unpack(UnpackOptions.STRICT).geometry().examples()).isEqualTo(1);
  }

  @Test
  void singleNumbersNoVectorsAndNoTokensAreErrors() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5));
    assertRefused(UnpackOptions.STRICT, PickleError.BAD_ARRAY, "shard_1.pkl");
    shard("shard_1.pkl", Array.floats(1, 5, 2, 0));
    assertRefused(UnpackOptions.STRICT, ShardError.TOO_LARGE, "shard_1.pkl");
    shard("shard_1.pkl", Array.floats(1, 5, 0, 3));
    assertRefused(UnpackOptions.STRICT, DatasetError.RAGGED, "shard_1.pkl");
    assertThat(unpack(MadeShards.ragged("pad:2")).geometry().tokens()).isEqualTo(2);
  }

  @Test
  void aVectorIsASampleOfOneToken() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 3), Array.floats(1, 6, 1, 3));
    assertThat(unpack(UnpackOptions.STRICT).geometry().tokens()).isEqualTo(1);
  }

  @Test
  void differentDictsOfASampleAreInTheOrderOfTheLayersAsAfterAConversion() throws IOException {
    shard("shard_1.pkl", Array.floats(2, 5, 1, 2, 3), Array.floats(1, 5, 2, 3));
    try (SampleMetadataCursor samples =
        unpack(UnpackOptions.STRICT).sampleMetadata().orElseThrow().cursor(0, 1)) {
      assertThat(samples.next().sample())
          .containsSubsequence("[1,{", "\"shape\":{\"$tuple\":[2,3]}", "[2,{", "[1,2,3]");
    }
  }

  @Test
  void raggedSamplesAreReportedInOneShardAndInSeveral() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(1, 6, 4, 3));
    assertRefused(UnpackOptions.STRICT, DatasetError.RAGGED, "shard_1.pkl");
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("shard_2.pkl", Array.floats(1, 6, 4, 3));
    assertRefused(UnpackOptions.STRICT, DatasetError.RAGGED, "source");
    assertRefused(MadeShards.ragged("truncate:3"), DatasetError.RAGGED, "source");
    assertRefused(MadeShards.ragged("pad:3"), DatasetError.RAGGED, "source");
    assertThat(unpack(MadeShards.ragged("pad:5")).warnings())
        .containsExactly("2 samples were padded to 5 tokens");
    assertThat(unpack(MadeShards.ragged("truncate:2")).warnings())
        .containsExactly("1 sample was cut to 2 tokens");
  }

  @Test
  void whatAManifestPromisesMustBeThere() throws IOException {
    shard("shard_0001.pkl", Array.floats(1, 5, 2, 3));
    manifest("{\"filename\":\"shard_0002.pkl\"}");
    assertRefused(UnpackOptions.STRICT, PickleError.COUNT_MISMATCH, "shard_0002.pkl");
    manifest("{\"filename\":\"shard_0001.pkl\",\"num_samples\":7}");
    assertRefused(UnpackOptions.STRICT, PickleError.COUNT_MISMATCH, "metadata.json");
    manifest("{\"filename\":\"shard_0001.pkl\",\"num_samples\":1,\"compressed\":true}");
    assertThat(unpack(UnpackOptions.STRICT).warnings())
        .singleElement()
        .asString()
        .contains("BAD_METADATA: shard_0001.pkl is not gzip");
  }

  @Test
  void oddEntriesAndShapesAreReported() throws IOException {
    byte[] pickle = MadeShards.pickle(4, Form.SPEC, List.of(Array.floats(1, 5, 2, 3)));
    // {... } is followed by another entry, and the field shape says (9, 3)
    byte[] odd =
        new String(pickle, StandardCharsets.ISO_8859_1)
            .replaceFirst("(shape.{0,4})K\u0002K\u0003", "$1K\tK\u0003")
            .getBytes(StandardCharsets.ISO_8859_1);
    MadeShards.write(folder.resolve("source/shard_1.pkl"), odd);
    assertThat(unpack(UnpackOptions.STRICT).warnings())
        .singleElement()
        .asString()
        .endsWith(
            "SHAPE_MISMATCH: sample 5 of layer 1 has an array of [2, 3], but its shape field is (9, 3)");
  }

  @Test
  void halvesAreJoinedVectorByVector() throws IOException {
    shard("host_00/shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("host_01/shard_1.pkl.gz", Array.floats(1, 5, 2, 3));
    assertRefused(HALVES, ShardError.UNPAIRED_HALF, "host_00/shard_1.pkl");
    Files.delete(folder.resolve("source/host_01/shard_1.pkl.gz"));
    shard("host_01/shard_1.pkl", Array.of(1, 5, DType.F32, 9, 2, 5));
    UnpackedDataset dataset = unpack(HALVES);
    assertThat(dataset.geometry().dim()).isEqualTo(8);
    assertThat(dataset.geometry().examples()).isEqualTo(1);
  }

  @Test
  void halvesThatDoNotFitAreErrors() throws IOException {
    shard("host_00/shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(2, 5, 2, 3));
    shard("host_01/shard_1.pkl", Array.floats(1, 5, 2, 3));
    assertRefused(HALVES, PickleError.SCHEMA, "host_01/shard_1.pkl");
    shard("host_00/shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("host_01/shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(2, 5, 2, 3));
    assertRefused(HALVES, PickleError.SCHEMA, "host_01/shard_1.pkl");
    shard("host_01/shard_1.pkl", Array.floats(1, 5, 3, 3));
    assertRefused(HALVES, PickleError.SHAPE_MISMATCH, "host_01/shard_1.pkl");
    shard("host_01/shard_1.pkl", Array.of(1, 5, DType.F16, 0, 2, 3));
    assertRefused(HALVES, PickleError.SHAPE_MISMATCH, "host_01/shard_1.pkl");
    shard("host_01/shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(1, 5, 2, 3));
    assertRefused(HALVES, PickleError.SCHEMA, "host_01/shard_1.pkl");
  }

  @Test
  void halvesOfVectorsThatAreTooLongToBeHeldAreJoinedToo() throws IOException {
    shard("host_00/shard_1.pkl.gz", Array.of(1, 5, DType.U8, 1, 2, (1 << 20) + 5));
    shard("host_01/shard_1.pkl.gz", Array.of(1, 5, DType.U8, 2, 2, 3));
    UnpackedDataset dataset = unpack(HALVES);
    assertThat(dataset.geometry().dim()).isEqualTo((1 << 20) + 8);
    byte[] joined = Files.readAllBytes(folder.resolve("target/blocks-00000"));
    Array one = Array.of(1, 5, DType.U8, 1, 2, (1 << 20) + 5);
    assertThat(joined).startsWith(Arrays.copyOf(one.bytes(), (1 << 20) + 5));
    assertThat(joined).hasSize(2 * ((1 << 20) + 8)).endsWith(5, 6, 7);
  }

  @Test
  void aPathThatGoesWhileItIsReadIsReportedByName() throws IOException {
    shard("a/shard_1.pkl", Array.floats(1, 5, 20, 3000));
    UnpackedDataset dataset = unpack(UnpackOptions.STRICT);
    Files.delete(folder.resolve("source/a/shard_1.pkl"));
    Files.delete(folder.resolve("source/a"));
    long inSource = dataset.placement(0, dataset.folder().open("blocks-00000")).offset(0, 0);
    assertFails(
        ShardError.CHANGED,
        folder.resolve("source/a"),
        () -> dataset.folder().open("blocks-00000").readFully(inSource, ByteBuffer.allocate(8)));
  }

  /** An open stream of an object store holds a connection. */
  @Test
  void eachShardOfAPartIsClosedBeforeTheNextIsRead() throws IOException {
    List<String> events = new ArrayList<>();
    List<ShardUnpacker.Packed> packed = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      String name = "shard_" + i + ".pkl.gz";
      shard(name, Array.floats(1, i, 2, 3));
      Input file = new LocalFolder(folder.resolve("source")).open(name);
      packed.add(new ShardUnpacker.Packed(name, new Watched(file, i, events), true));
    }
    BlockChoice all = new BlockChoice(ProjectionRequest.EVERYTHING, null);
    Folder target = new LocalFolder(Files.createDirectory(folder.resolve("part")));
    new ShardUnpacker(0, UnpackOptions.STRICT, all, target, folder).run(packed);
    assertThat(events.stream().distinct())
        .containsExactly("read 1", "close 1", "read 2", "close 2", "read 3", "close 3");
  }

  private record Watched(Input file, int shard, List<String> events) implements Input.Filter {
    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      events.add("read " + shard);
      file.readFully(position, dst);
    }

    @Override
    public void close() throws IOException {
      events.add("close " + shard);
      file.close();
    }
  }

  @Test
  void sampleMetadataThatWasUnpackedAndIsGoneIsAnError() throws IOException {
    shard("a/shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("b/shard_1.pkl", Array.floats(1, 6, 2, 3));
    UnpackedDataset dataset = unpack(UnpackOptions.STRICT);
    Path gone = folder.resolve("target/blocks-00001.examples.jsonl.gz");
    Files.delete(gone);
    try (SampleMetadataCursor samples = dataset.sampleMetadata().orElseThrow().cursor(0, 2)) {
      assertThat(samples.next().first()).isZero();
      assertFails(FileError.NOT_FOUND, gone, samples::next);
    }
  }

  private void shard(String path, Array... arrays) throws IOException {
    MadeShards.write(folder.resolve("source").resolve(path), arrays);
  }

  private void manifest(String shard) throws IOException {
    Files.writeString(
        folder.resolve("source/metadata.json"),
        "{\"version\":\"1.0\",\"total_shards\":1,\"shards\":[" + shard + "]}");
  }

  private UnpackedDataset unpack(UnpackOptions options) throws IOException {
    LocalFolder target = InventedFiles.empty(folder.resolve("target"));
    return MadeShards.unpack(folder.resolve("source"), target, folder, options);
  }

  private void assertRefused(UnpackOptions options, ErrorKind kind, String path) {
    assertThat(assertFails(kind, path, () -> unpack(options)))
        .hasMessageStartingWith(folder.toString())
        .message()
        .hasLineCount(1);
  }
}
