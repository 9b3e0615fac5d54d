package org.saevhadoop.format.samediff.dataset;

import java.util.List;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.dataset.ProvenanceReader;

/**
 * Options for reading the arrays of a container as examples.
 *
 * @param mappings the columns that are activations; empty to detect them by name
 * @param provenanceReader the reader of the documents that other formats wrote
 */
public record SameDiffOptions(List<ArrayMapping> mappings, ProvenanceReader provenanceReader) {
  /** Options with which activations are detected by name and no documents are interpreted. */
  public static final SameDiffOptions NONE = new SameDiffOptions(List.of(), ProvenanceReader.NONE);

  public SameDiffOptions {
    mappings = List.copyOf(mappings);
  }
}
