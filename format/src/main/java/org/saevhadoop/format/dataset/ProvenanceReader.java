package org.saevhadoop.format.dataset;

import java.util.Optional;
import java.util.OptionalInt;
import org.saevhadoop.format.io.FormatException;

/** Interprets a {@link Provenance} for formats that store it without interpreting it. */
@FunctionalInterface
public interface ProvenanceReader {
  /** A reader that does not interpret any documents. */
  ProvenanceReader NONE = provenance -> OptionalInt.empty();

  /**
   * Returns the number of [CLS] tokens at the beginning of an example, 0 or 1, or empty if no
   * document records it.
   *
   * @throws FormatException if the document that records the number cannot be read
   */
  OptionalInt clsTokens(Provenance provenance) throws FormatException;

  /**
   * Returns the identity of the dataset in its original format, or empty if no document records it.
   *
   * @throws FormatException if the document that records the number cannot be read
   */
  default Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
    return Optional.empty();
  }
}
