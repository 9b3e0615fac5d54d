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

/** Prints attributes as lines of JSON, those of a sidecar with the dataset's numbers. */
record AttributeCat(TableDataset dataset, OutputStream out) {
  /**
   * Those of one example, or of all where {@code example} is null.
   *
   * @throws FormatException where there are none
   */
  void print(Long example) throws IOException {
    String path = dataset.folder().path();
    long examples = dataset.table().examples();
    FormatException.check(
        example == null || example >= 0 && example < examples,
        path,
        "there is no example %d (expected 0 to %d)",
        example,
        examples - 1);
    Attributes attributes =
        dataset
            .attributes()
            .orElseThrow(
                () ->
                    FormatException.of(
                        path, "has no attributes (expected files *%s)", Sidecar.SUFFIX));
    try (AttributeCursor cursor =
        attributes.cursor(example == null ? 0 : example, example == null ? examples : 1)) {
      ExampleAttributes next = cursor.next();
      FormatException.check(
          next != null || example == null, path, "example %d has no attributes", example);
      for (; next != null; next = cursor.next()) {
        out.write((Sidecar.line(next) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
