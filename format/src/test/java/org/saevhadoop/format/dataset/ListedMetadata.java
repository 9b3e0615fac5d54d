package org.saevhadoop.format.dataset;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/** Sample metadata in memory. */
public record ListedMetadata(List<ExampleMetadata> all) implements SampleMetadata {
  /** Creates the metadata of some examples, in their order. */
  public static ListedMetadata of(ExampleMetadata... all) {
    return new ListedMetadata(List.of(all));
  }

  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    Iterator<ExampleMetadata> parts =
        all.stream()
            .map(each -> each.part(first, first + count))
            .filter(Objects::nonNull)
            .iterator();
    return () -> parts.hasNext() ? parts.next() : null;
  }
}
