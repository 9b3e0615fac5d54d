package org.saevhadoop.format.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Parts of invented datasets, and parts of parts, whose examples are whole samples. */
class SelectedTokensTest {
  private static final int TOKENS = 7;

  @Property(tries = 300)
  void sampleMetadataNamesTheTokensThatAreLeftOfAWholeSample(RandomValues any) throws IOException {
    Random random = any.random();
    boolean nested = any.bool();
    Geometry geometry = new Geometry(3, List.of(1), TOKENS, 1);
    InventedDataset invented = new InventedDataset(geometry, false, 2).with(null, samples());
    Part.Selected selected = Part.select(invented, nested, random);
    Part part = selected.part();
    try (SampleMetadataCursor cursor =
        selected.dataset().sampleMetadata().orElseThrow().cursor(0, 1)) {
      ExampleMetadata found = cursor.next();
      assertThat(found.sample()).isEqualTo("sample" + part.examples().get(0));
      List<Integer> left =
          found.tokens().stream()
              .flatMap(range -> IntStream.range(range.start(), range.stop()).boxed())
              .toList();
      boolean all = part.tokens().size() == TOKENS;
      assertThat(left).isEqualTo(all ? List.of() : part.tokens());
    }
  }

  @Test
  void tokensOfSampleMetadataThatAreNotThoseOfTheDatasetAreAnError() throws IOException {
    InventedDataset invented =
        new InventedDataset(new Geometry(3, List.of(1), TOKENS, 1), false, 2)
            .with(null, samples(new TokenRange(0, 3)));
    Projection part =
        new Projection(List.of(0), List.of(new IndexRange(0, 3)), List.of(new IndexRange(2, 5)));
    try (SampleMetadataCursor cursor =
        part.of(invented).sampleMetadata().orElseThrow().cursor(0, 3)) {
      assertFails(DatasetError.SAMPLE_METADATA_MISMATCH, invented.folder().path(), cursor::next);
    }
  }

  /** Whole samples, one for each example. */
  private static ListedMetadata samples(TokenRange... tokens) {
    return new ListedMetadata(
        LongStream.range(0, 3)
            .mapToObj(i -> new ExampleMetadata(i, "sample" + i).withTokens(List.of(tokens)))
            .toList());
  }
}
