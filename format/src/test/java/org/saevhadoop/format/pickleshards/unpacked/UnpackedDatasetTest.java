package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickleshards.unpacked.MadeShards.Array;
import org.saevhadoop.format.pickleshards.write.ShardPickler;
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
  void aSampleThatComesTwiceWithTheSameNumbersIsKeptOnceAndThatIsSaid() throws IOException {
    shard("a/shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("b/shard_1.pkl.gz", Array.floats(1, 5, 2, 3), Array.floats(1, 6, 2, 3));
    UnpackedDataset dataset = unpack(UnpackOptions.STRICT);
    assertThat(dataset.geometry().examples()).isEqualTo(2);
    assertThat(dataset.warnings())
        .containsExactly("1 arrays came twice, with the same numbers: one of each was kept");
  }

  @Test
  void aSampleThatComesTwiceWithOtherNumbersIsAnErrorUnlessDirectoriesCountTheirOwn()
      throws IOException {
    shard("tpu_0/shard_1.pkl", Array.of(1, 5, DType.F32, 0, 2, 3));
    shard("tpu_1/shard_1.pkl", Array.of(1, 5, DType.F32, 9, 2, 3));
    assertRefused(
        UnpackOptions.STRICT,
        "tpu_1/shard_1.pkl: sample 5 of layer 1 has other numbers than in tpu_0/shard_1.pkl",
        "--sample-ids directory");
    assertThat(unpack(PER_DIRECTORY).geometry().examples()).isEqualTo(2);
  }

  @Test
  void aSampleTwiceInOneListWithOtherNumbersIsAnErrorWhateverIsCutOff() throws IOException {
    Array one = Array.of(1, 5, DType.U8, 0, 2, 3);
    byte[] other = one.bytes().clone();
    other[5]++;
    shard("shard_1.pkl", one, new Array(1, 5, DType.U8, one.shape(), other));
    String problem = "shard_1.pkl: sample 5 of layer 1 has other numbers than in shard_1.pkl";
    assertRefused(UnpackOptions.STRICT, problem);
    assertRefused(ragged("truncate:1"), problem);
    assertRefused(ragged("flatten"), problem);
  }

  @Test
  void aLongArrayThatDiffersInItsLastByteOnlyIsAnotherOne() throws IOException {
    Array one = Array.of(1, 5, DType.U8, 0, (1 << 20) + 7, 1);
    byte[] other = one.bytes().clone();
    other[other.length - 1]++;
    shard("shard_1.pkl.gz", one);
    shard("shard_2.pkl.gz", new Array(1, 5, DType.U8, one.shape(), other));
    assertRefused(UnpackOptions.STRICT, "has other numbers");
  }

  @Test
  void layersOfDifferentLengthsOfASampleAreAnError() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("shard_2.pkl", Array.floats(2, 5, 3, 3));
    assertRefused(
        UnpackOptions.STRICT,
        "shard_2.pkl: sample 5 has 3 tokens in layer 2 (expected 2, as in another layer)");
    assertRefused(ragged("pad:4"), "sample 5 has 3 tokens in layer 2");
  }

  @Test
  void aSampleWithoutALayerIsAnErrorOrLeftOut() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(1, 6, 2, 3));
    shard("shard_2.pkl", Array.floats(2, 6, 2, 3));
    assertRefused(
        UnpackOptions.STRICT,
        "shard_1.pkl: sample 5 has no layer 2 in any shard (expected all of [1, 2], or"
            + " --incomplete drop)");
    UnpackedDataset dataset = unpack(DROP);
    assertThat(dataset.geometry().examples()).isEqualTo(1);
    assertThat(dataset.warnings()).containsExactly("1 samples lack a layer and were left out");
  }

  @Test
  void whereNoSampleHasAllLayersNothingIsLeft() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(2, 6, 2, 3));
    assertRefused(DROP, "shard_1.pkl: has no sample with all layers");
  }

  @Test
  void otherTypesAndWidthsAreErrorsThatNameBothShards() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("shard_2.pkl", Array.of(1, 6, DType.F16, 0, 2, 3));
    assertRefused(
        UnpackOptions.STRICT,
        "shard_2.pkl: sample 6 of layer 1 is float16 of width 3 (expected float32 of width 3, as"
            + " in shard_1.pkl)");
    shard("shard_2.pkl", Array.floats(1, 6, 2, 4));
    assertRefused(
        UnpackOptions.STRICT, "is float32 of width 4", "shard_1.pkl: convert each part by itself");
  }

  @Test
  void emptyListsAndShardsAreNoSamples() throws IOException {
    shard("shard_1.pkl");
    assertRefused(UnpackOptions.STRICT, "shard_1.pkl: contains no samples");
    shard("shard_3.pkl");
    assertRefused(UnpackOptions.STRICT, "source: contains no samples, which alone tell the shape");
    shard("shard_2.pkl", Array.floats(1, 5, 2, 3));
    assertThat(unpack(UnpackOptions.STRICT).geometry().examples()).isEqualTo(1);
  }

  @Test
  void singleNumbersNoVectorsAndNoTokensAreErrors() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5));
    assertRefused(UnpackOptions.STRICT, "BAD_ARRAY: sample 5 of layer 1 is a single number");
    shard("shard_1.pkl", Array.floats(1, 5, 2, 0));
    assertRefused(UnpackOptions.STRICT, "shard_1.pkl: has vectors of 0 numbers");
    shard("shard_1.pkl", Array.floats(1, 5, 0, 3));
    assertRefused(
        UnpackOptions.STRICT, "shard_1.pkl: has 1 samples of no tokens (expected --ragged");
    assertThat(unpack(ragged("pad:2")).geometry().tokens()).isEqualTo(2);
  }

  @Test
  void aVectorIsASampleOfOneToken() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 3), Array.floats(1, 6, 1, 3));
    assertThat(unpack(UnpackOptions.STRICT).geometry().tokens()).isEqualTo(1);
  }

  @Test
  void raggedSamplesAreToldInOneShardAndInSeveral() throws IOException {
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(1, 6, 4, 3));
    assertRefused(
        UnpackOptions.STRICT,
        "shard_1.pkl: samples have different lengths: from 2 to 4 tokens, as 2 (1 times), 4 (1"
            + " times) (expected one length, or --ragged flatten, truncate:N or pad:N)");
    shard("shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("shard_2.pkl", Array.floats(1, 6, 4, 3));
    assertRefused(UnpackOptions.STRICT, "source: samples have different lengths");
    assertRefused(
        ragged("truncate:3"), "has samples of 2 tokens (expected at least 3, or --ragged");
    assertRefused(ragged("pad:3"), "has samples of 4 tokens (expected at most 3, or --ragged");
    assertThat(unpack(ragged("pad:5")).warnings())
        .containsExactly("2 samples were filled up to 5 tokens");
    assertThat(unpack(ragged("truncate:2")).warnings())
        .containsExactly("1 samples were cut to 2 tokens");
  }

  @Test
  void whatAManifestPromisesMustBeThere() throws IOException {
    shard("shard_0001.pkl", Array.floats(1, 5, 2, 3));
    manifest("{\"filename\":\"shard_0002.pkl\"}");
    assertRefused(
        UnpackOptions.STRICT,
        "metadata.json: COUNT_MISMATCH: shard_0002.pkl is listed but not among the shards");
    manifest("{\"filename\":\"shard_0001.pkl\",\"num_samples\":7}");
    assertRefused(
        UnpackOptions.STRICT,
        "metadata.json: COUNT_MISMATCH: shard_0001.pkl has 1 samples (expected 7");
    manifest("{\"filename\":\"shard_0001.pkl\",\"num_samples\":1,\"compressed\":true}");
    assertThat(unpack(UnpackOptions.STRICT).warnings())
        .singleElement()
        .asString()
        .contains("BAD_METADATA: shard_0001.pkl is not gzip");
  }

  @Test
  void oddEntriesAndShapesAreTold() throws IOException {
    byte[] pickle =
        MadeShards.pickle(
            4, ShardPickler.Dialect.SPECIFICATION, java.util.List.of(Array.floats(1, 5, 2, 3)));
    // {... } is followed by another entry, and the field shape says (9, 3)
    byte[] odd =
        new String(pickle, java.nio.charset.StandardCharsets.ISO_8859_1)
            .replaceFirst("(shape.{0,4})K\u0002K\u0003", "$1K\tK\u0003")
            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    MadeShards.write(folder.resolve("source/shard_1.pkl"), odd);
    assertThat(unpack(UnpackOptions.STRICT).warnings())
        .singleElement()
        .asString()
        .endsWith(
            "SHAPE_MISMATCH: sample 5 of layer 1 has an array of [2, 3], but says shape (9, 3)");
  }

  @Test
  void halvesAreJoinedVectorByVector() throws IOException {
    shard("host_00/shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("host_01/shard_1.pkl.gz", Array.floats(1, 5, 2, 3));
    assertRefused(HALVES, "host_00/shard_1.pkl: is a half without the other");
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
    assertRefused(
        HALVES, "host_01/shard_1.pkl: SCHEMA: lacks sample 5 of layer 2, the other half of which");
    shard("host_00/shard_1.pkl", Array.floats(1, 5, 2, 3));
    shard("host_01/shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(2, 5, 2, 3));
    assertRefused(HALVES, "host_01/shard_1.pkl: SCHEMA: has 1 arrays of which");
    shard("host_01/shard_1.pkl", Array.floats(1, 5, 3, 3));
    assertRefused(HALVES, "SHAPE_MISMATCH: sample 5 of layer 1 is float32 [3, 3], its other half");
    shard("host_01/shard_1.pkl", Array.of(1, 5, DType.F16, 0, 2, 3));
    assertRefused(HALVES, "SHAPE_MISMATCH");
    shard("host_01/shard_1.pkl", Array.floats(1, 5, 2, 3), Array.floats(1, 5, 2, 3));
    assertRefused(HALVES, "sample 5 comes twice in layer 1, which halves may not");
  }

  @Test
  void halvesOfVectorsThatAreTooLongToBeHeldAreJoinedToo() throws IOException {
    shard("host_00/shard_1.pkl.gz", Array.of(1, 5, DType.U8, 1, 2, (1 << 20) + 5));
    shard("host_01/shard_1.pkl.gz", Array.of(1, 5, DType.U8, 2, 2, 3));
    UnpackedDataset dataset = unpack(HALVES);
    assertThat(dataset.geometry().dim()).isEqualTo((1 << 20) + 8);
    byte[] joined = Files.readAllBytes(folder.resolve("target/blocks-00000"));
    Array one = Array.of(1, 5, DType.U8, 1, 2, (1 << 20) + 5);
    assertThat(joined).startsWith(java.util.Arrays.copyOf(one.bytes(), (1 << 20) + 5));
    assertThat(joined).hasSize(2 * ((1 << 20) + 8)).endsWith(5, 6, 7);
  }

  @Test
  void aPathThatGoesWhileItIsReadIsToldByName() throws IOException {
    shard("a/shard_1.pkl", Array.floats(1, 5, 20, 3000));
    UnpackedDataset dataset = unpack(UnpackOptions.STRICT);
    Files.delete(folder.resolve("source/a/shard_1.pkl"));
    Files.delete(folder.resolve("source/a"));
    long inSource = dataset.placement(0, dataset.folder().open("blocks-00000")).offset(0, 0);
    assertThatThrownBy(
            () ->
                dataset
                    .folder()
                    .open("blocks-00000")
                    .readFully(inSource, java.nio.ByteBuffer.allocate(8)))
        .hasMessage(folder.resolve("source/a") + ": is there no more");
  }

  private void shard(String path, Array... arrays) throws IOException {
    MadeShards.write(folder.resolve("source").resolve(path), arrays);
  }

  private void manifest(String shard) throws IOException {
    Files.writeString(
        folder.resolve("source/metadata.json"),
        "{\"version\":\"1.0\",\"total_shards\":1,\"shards\":[" + shard + "]}");
  }

  private static UnpackOptions ragged(String how) {
    return new UnpackOptions(RaggedPolicy.parse(how), false, false, false);
  }

  private UnpackedDataset unpack(UnpackOptions options) throws IOException {
    Path target = Files.createDirectories(folder.resolve("target"));
    try (var old = Files.list(target)) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    return MadeShards.unpack(folder.resolve("source"), new LocalFolder(target), folder, options);
  }

  private void assertRefused(UnpackOptions options, String... parts) {
    ThrowingCallable unpack = () -> unpack(options);
    assertThatThrownBy(unpack)
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(folder.toString())
        .message()
        .contains(parts)
        .hasLineCount(1);
  }
}
