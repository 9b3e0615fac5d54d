package org.saevhadoop.format.safetensors.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;

/**
 * Options for the interpretation of files.
 *
 * @param layout the layout of the dataset; null to detect it
 * @param separator the separator between id and column in the key-value layout; null to use the
 *     separator declared by the files, with {@link #SEPARATOR} as the default
 * @param strictness the strictness of header parsing
 * @param mappings the tensors that are activations; empty to detect them by name
 * @param provenanceReader the reader for documents in other formats in the files
 * @param ids known properties of the ids of the examples; null if unknown
 */
public record SafetensorsOptions(
    @Nullable TensorLayout layout,
    @Nullable String separator,
    HeaderStrictness strictness,
    List<ArrayMapping> mappings,
    ProvenanceReader provenanceReader,
    @Nullable KnownIds ids) {
  /**
   * Properties of the ids of a dataset in the key-value layout, which are determined by reading all
   * headers.
   *
   * @param maxBytes the maximum length in bytes of an id in a header, including escapes; at least 1
   * @param areNumbers whether each id is the number of its example
   */
  public record KnownIds(int maxBytes, boolean areNumbers) {
    /** Returns the properties determined by a scan. */
    public static KnownIds of(DuplicateKeyScan scan) {
      return new KnownIds(Math.max(1, scan.longest()), scan.numbers());
    }
  }

  /** Default separator between id and column (safetensors-spark). */
  public static final String SEPARATOR = "__";

  /** Options that leave everything to be detected from the files. */
  public static final SafetensorsOptions NONE =
      new SafetensorsOptions(
          null, null, HeaderStrictness.STRICT, List.of(), ProvenanceReader.NONE, null);

  public SafetensorsOptions {
    mappings = List.copyOf(mappings);
  }
}
