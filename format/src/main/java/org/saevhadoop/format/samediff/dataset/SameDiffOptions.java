package org.saevhadoop.format.samediff.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.Location;

/**
 * How the arrays of a container are read as examples.
 *
 * @param mappings the columns that are activations; empty to detect them by name
 * @param provenanceReader the reader of the documents that other formats wrote
 * @param staged the file from which the container was staged; null if it is read in place
 */
public record SameDiffOptions(
    List<ArrayMapping> mappings, ProvenanceReader provenanceReader, @Nullable Location staged) {
  /** Detects activations by name, and interprets no document. */
  public static final SameDiffOptions NONE =
      new SameDiffOptions(List.of(), ProvenanceReader.NONE, null);

  public SameDiffOptions {
    mappings = List.copyOf(mappings);
  }
}
