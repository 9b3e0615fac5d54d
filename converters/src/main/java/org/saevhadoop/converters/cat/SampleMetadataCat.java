package org.saevhadoop.converters.cat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.Sidecar;

/**
 * Prints sample metadata as lines of JSON, as in a sidecar, with the example numbers of the source.
 *
 * @param path the path of the dataset, for error messages
 * @param json whether the lines are objects as described in docs/json.md instead of lines of a
 *     sidecar
 */
record SampleMetadataCat(TableDataset dataset, String path, boolean json, OutputStream out) {
  /**
   * Prints the metadata of all examples.
   *
   * @param example the number, in the source, of the only example of the dataset; this example must
   *     have metadata; null if the dataset may have any number of examples
   * @throws FormatException if there is no metadata
   */
  void print(@Nullable Long example) throws IOException {
    SampleMetadata sampleMetadata =
        dataset
            .sampleMetadataWithTokens()
            .orElseThrow(
                () ->
                    DatasetError.NO_SAMPLE_METADATA.in(
                        path,
                        "has no sample metadata (expected files *%s, or per-token integers)",
                        Sidecar.SUFFIX));
    try (SampleMetadataCursor cursor = sampleMetadata.cursor(0, dataset.table().examples())) {
      ExampleMetadata next = cursor.next();
      DatasetError.NO_SAMPLE_METADATA.check(
          next != null || example == null, path, "example %d has no sample metadata", example);
      for (; next != null; next = cursor.next()) {
        ExampleMetadata numbered = next.from(dataset.sourceExample(next.first()));
        String line = Sidecar.line(numbered);
        String shown =
            json ? JsonOutput.START + JsonOutput.ascii(line).substring(1) : Quote.json(line);
        out.write((shown + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
