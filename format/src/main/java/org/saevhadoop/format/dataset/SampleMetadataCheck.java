package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/** Checks the sample metadata of a dataset by reading all of it. */
public final class SampleMetadataCheck {
  private SampleMetadataCheck() {}

  /** Returns the first problem in the sample metadata of each data file. */
  public static List<FormatException> problems(TableDataset dataset) throws IOException {
    List<FormatException> problems = new ArrayList<>();
    Optional<SampleMetadata> all = dataset.sampleMetadata();
    for (Shard shard : all.isPresent() ? dataset.shards() : List.<Shard>of()) {
      try (SampleMetadataCursor cursor = all.get().cursor(shard.first(), shard.examples())) {
        boolean more = true;
        while (more) {
          more = cursor.next() != null;
        }
      } catch (FormatException e) {
        problems.add(e);
      }
    }
    return problems;
  }
}
