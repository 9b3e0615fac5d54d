package org.saevhadoop.format.dataset;

import java.util.Optional;
import java.util.OptionalInt;
import org.saevhadoop.format.io.FormatException;

/** Reads what a {@link Provenance} records about activations, for formats that only carry it. */
@FunctionalInterface
public interface ProvenanceReader {
  /** A reader that understands no document. */
  ProvenanceReader NONE = provenance -> OptionalInt.empty();

  /**
   * Returns how many [CLS] tokens an example begins with, 0 or 1; empty where no document says so.
   *
   * @throws FormatException where the document that should say so cannot be read
   */
  OptionalInt clsTokens(Provenance provenance) throws FormatException;

  /**
   * Returns how the dataset was named; empty where no document says so.
   *
   * @throws FormatException where the document that should say so cannot be read
   */
  default Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
    return Optional.empty();
  }
}
