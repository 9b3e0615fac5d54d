package org.saevhadoop.format.safetensors.dataset;

import java.util.List;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;

/**
 * How files are to be understood.
 *
 * @param layout the layout of a dataset; null to tell it by the files
 * @param separator between id and column in the key-value layout; null for what the files say, else
 *     {@link #SEPARATOR}
 * @param strictness of the headers' reading
 * @param mappings which tensors are activations; empty to tell them by their names
 * @param provenanceReader reads the documents of other formats that the files carry
 * @param ids what is known of the ids of the examples that are read; null if nothing is
 */
public record SafetensorsOptions(
    TensorLayout layout,
    String separator,
    HeaderStrictness strictness,
    List<TensorMapping> mappings,
    ProvenanceReader provenanceReader,
    KnownIds ids) {
  /**
   * What was found out about the ids of a dataset in the key-value layout, which takes reading all
   * headers.
   *
   * @param maxBytes the most bytes of an id in a header, escapes included; at least 1
   * @param areNumbers whether the ids are the examples' numbers
   */
  public record KnownIds(int maxBytes, boolean areNumbers) {
    /** Returns what a census found. */
    public static KnownIds of(DuplicateKeyScan census) {
      return new KnownIds(Math.max(1, census.longest()), census.numbers());
    }
  }

  /** What stands between id and column (safetensors-spark). */
  public static final String SEPARATOR = "__";

  /** Everything told by the files. */
  public static final SafetensorsOptions NONE =
      new SafetensorsOptions(null, null, HeaderStrictness.STRICT, List.of());

  public SafetensorsOptions {
    mappings = List.copyOf(mappings);
  }

  /** Options that leave the documents of other formats alone. */
  public SafetensorsOptions(
      TensorLayout layout,
      String separator,
      HeaderStrictness strictness,
      List<TensorMapping> mappings) {
    this(layout, separator, strictness, mappings, ProvenanceReader.NONE, null);
  }
}
