package org.saevhadoop.format.spi;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.settings.Settings;

/**
 * Interprets the documents that a format adds to provenance, and no others. Results are empty if
 * the format wrote none of the documents.
 */
public interface ProvenanceDocuments extends ProvenanceReader {
  @Override
  default OptionalInt clsTokens(Provenance provenance) throws FormatException {
    return OptionalInt.empty();
  }

  /**
   * Returns the shape.
   *
   * @throws FormatException if a document is malformed
   */
  default Optional<Geometry> geometry(Provenance provenance) throws FormatException {
    return Optional.empty();
  }

  /**
   * Returns the model; fields that are not recorded are null.
   *
   * @throws FormatException if a document is malformed
   */
  default ModelName model(Provenance provenance) throws FormatException {
    return ModelName.UNKNOWN;
  }

  /** Returns the documents that writing keys define, for any format. */
  default Provenance provenance(Settings settings) {
    return Provenance.NONE;
  }

  /**
   * Returns the provenance of a part of a dataset: the provenance of the whole dataset, in which
   * documents are changed so that they describe the part.
   *
   * @param part the projection, which does not select everything
   * @param provenance the provenance to change
   * @throws FormatException if a document is malformed
   */
  default Provenance select(ActivationDataset whole, Projection part, Provenance provenance)
      throws FormatException {
    return provenance;
  }

  /**
   * A dataset that is one of several.
   *
   * @param hash the hash that identifies it
   */
  record Origin(String hash, long examples, Provenance provenance) {}

  /**
   * Returns the provenance of several datasets as one: the first one's, with documents changed so
   * that they describe all.
   *
   * @param combined the shape of the dataset
   * @param sources the datasets
   * @param provenance the provenance to change
   * @throws FormatException if a document is malformed
   */
  default Provenance combine(Geometry combined, List<Origin> sources, Provenance provenance)
      throws FormatException {
    return provenance;
  }

  /**
   * Returns the provenance of a dataset with the rows of another one in another order.
   *
   * @param shuffled the shape of the dataset
   * @param clsTokens the number of its [CLS] tokens, if it is known
   * @param order the JSON object that records the order
   * @param provenance the provenance of the whole dataset from which the rows were taken
   * @throws FormatException if a document is malformed
   */
  default Provenance shuffle(
      Geometry shuffled, OptionalInt clsTokens, String order, Provenance provenance)
      throws FormatException {
    return provenance;
  }

  /**
   * Returns the provenance of a dataset with the values of another one, normalized.
   *
   * @param normalization the JSON object that records how
   * @param provenance the provenance of the other dataset
   * @throws FormatException if a document is malformed
   */
  default Provenance normalize(String normalization, Provenance provenance) throws FormatException {
    return provenance;
  }
}
