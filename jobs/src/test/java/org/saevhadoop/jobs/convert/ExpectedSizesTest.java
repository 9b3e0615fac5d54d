package org.saevhadoop.jobs.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickleshards.write.PickleWritePlan;
import org.saevhadoop.format.pickleshards.write.ShardForm;
import org.saevhadoop.format.saev.directory.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan;
import org.saevhadoop.format.safetensors.dataset.WrittenBatches;
import org.saevhadoop.format.tensor.DType;

class ExpectedSizesTest {
  /** 3 KiB. */
  private static final Geometry GEOMETRY = new Geometry(3, List.of(0), 4, 64);

  @Test
  void paddingIsReportedWithTheOptionAgainstIt() throws FormatException {
    assertThat(lines(GEOMETRY, shards(2_400_000), true))
        .containsExactly(
            "source 3.0 KiB, target 585.9 MiB on paper, 3.0 KiB on disk",
            "the last file is padded (--tail exact ends it with its examples)");
  }

  @Test
  void whereFilesHaveNoHolesPaddingTakesSpace() throws FormatException {
    assertThat(lines(GEOMETRY, shards(2_400_000), false))
        .startsWith("source 3.0 KiB, target 585.9 MiB");
  }

  /** Of five examples in shards of two, the sixth is padding; of three, it is the fourth. */
  @Test
  void aFifthMoreIsNotReported() throws FormatException {
    assertThat(lines(GEOMETRY, shards(8), true)).hasSize(2);
    Geometry five = GEOMETRY.withExamples(5);
    SaevMetadata metadata = metadata(five).withTokensPerShard(8);
    assertThat(lines(five, new SaevWritePlan(metadata, SaevWritePlan.Tail.FULL, null), true))
        .isEmpty();
  }

  @Test
  void otherTypesAreReported() {
    assertThat(lines(GEOMETRY.as(DType.F16), batches(GEOMETRY), true))
        .containsExactly("source 1.5 KiB of float16, target 3.0 KiB of float32");
    assertThat(lines(GEOMETRY, batches(GEOMETRY.as(DType.BF16)), true))
        .containsExactly("source 3.0 KiB of float32, target 1.5 KiB of bfloat16");
    assertThat(lines(GEOMETRY, batches(GEOMETRY), true)).isEmpty();
  }

  @Test
  void theSizeOfCompressedFilesIsNotGuessed() {
    WritePlan pickle = new PickleWritePlan(GEOMETRY, 1_000_000, ShardForm.DEFAULT, "out");
    assertThat(lines(GEOMETRY, pickle, true))
        .containsExactly("source 3.0 KiB, target 3.0 KiB before compression");
  }

  @Test
  void aDatasetWithoutExamplesIsNotReported() {
    Geometry none = GEOMETRY.withExamples(0);
    assertThat(lines(none.as(DType.F16), batches(none), true)).isEmpty();
  }

  private static List<String> lines(Geometry source, WritePlan plan, boolean sparse) {
    List<String> lines =
        new ExpectedSizes(source.table(), plan, sparse, Optional.of("--tail exact")).lines();
    assertThat(lines).allMatch(line -> line.length() <= 80 - "convert: ".length());
    return lines;
  }

  private static WritePlan shards(long budget) throws FormatException {
    return new SaevWritePlan(
        metadata(GEOMETRY).withTokensPerShard(budget), SaevWritePlan.Tail.FULL, null);
  }

  private static SaevMetadata metadata(Geometry geometry) throws FormatException {
    byte[] data = {'{', '}'};
    return SaevMetadata.create(ProtocolGeneration.DEFAULT, geometry, false, "clip", "x", data);
  }

  private static WritePlan batches(Geometry geometry) {
    return WrittenBatches.plan(geometry, BatchWritePlan.Columns.LAYERS, 100, Provenance.NONE);
  }
}
