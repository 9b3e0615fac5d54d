package org.saevhadoop.converters;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.attributes.AttributeCursor;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.attributes.ExampleAttributes;
import org.saevhadoop.format.attributes.Sidecar;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;

/**
 * Prints attributes as lines of JSON, like those of a sidecar, with the source's numbers.
 *
 * @param path how errors name the dataset
 */
record AttributeCat(TableDataset dataset, String path, OutputStream out) {
  /**
   * Prints those of all examples of the dataset.
   *
   * @param example the source's number of the only example of the dataset, which must have some;
   *     null for a dataset of any examples
   * @throws FormatException if there are none
   */
  void print(Long example) throws IOException {
    Attributes attributes =
        dataset
            .attributes()
            .orElseThrow(
                () ->
                    FormatException.of(
                        path, "has no attributes (expected files *%s)", Sidecar.SUFFIX));
    try (AttributeCursor cursor = attributes.cursor(0, dataset.table().examples())) {
      ExampleAttributes next = cursor.next();
      FormatException.check(
          next != null || example == null, path, "example %d has no attributes", example);
      for (; next != null; next = cursor.next()) {
        ExampleAttributes numbered = next.from(dataset.sourceExample(next.first()));
        out.write((Sidecar.line(numbered) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
