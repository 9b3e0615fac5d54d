package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.TokenRange;

/**
 * Sample metadata of examples with a subset of their tokens: it states which tokens of its sample
 * each example retains.
 *
 * @param stored the number of stored tokens per example
 * @param selected the ranges of the selected tokens among the stored ones
 */
record SelectedTokens(SampleMetadata source, String path, int stored, List<IndexRange> selected)
    implements SampleMetadata {
  @Override
  public SampleMetadataCursor cursor(long first, long count) throws IOException {
    SampleMetadataCursor all = source.cursor(first, count);
    return new SampleMetadataCursor() {
      @Override
      public @Nullable ExampleMetadata next() throws IOException {
        ExampleMetadata next = all.next();
        return next != null && next.position() == ExampleMetadata.WHOLE
            ? next.withTokens(selection(next))
            : next;
      }

      @Override
      public void close() throws IOException {
        all.close();
      }
    };
  }

  /** Returns the positions of the selected tokens in the sample. */
  private List<TokenRange> selection(ExampleMetadata example) throws FormatException {
    IndexRanges positions =
        new IndexRanges(
            example.tokens().isEmpty()
                ? List.of(new IndexRange(0, stored))
                : example.tokens().stream()
                    .map(range -> new IndexRange(range.start(), range.stop()))
                    .toList());
    DatasetError.SAMPLE_METADATA_MISMATCH.check(
        positions.length() == stored,
        path,
        "example %d has sample metadata of %d tokens (expected %d)",
        example.first(),
        positions.length(),
        stored);
    return IndexRanges.merged(
            selected.stream()
                .flatMap(range -> positions.slice(range.start(), range.length()).stream())
                .toList())
        .stream()
        .map(range -> new TokenRange((int) range.start(), (int) range.stop()))
        .toList();
  }
}
