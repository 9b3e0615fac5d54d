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
 * Interprets only the documents that a particular format adds to provenance. Results are empty if
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

  /** Returns the documents that writing keys define, regardless of the format that is written. */
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
   * One of several datasets that are combined.
   *
   * @param hash the hash that identifies the dataset
   */
  record Origin(String hash, long examples, Provenance provenance) {}

  /**
   * Returns the provenance of several datasets as one: the provenance of the first dataset, in
   * which documents are changed so that they describe all datasets.
   *
   * @param combined the shape of the combined dataset
   * @param sources the datasets
   * @param provenance the provenance to change
   * @throws FormatException if a document is malformed
   */
  default Provenance combine(Geometry combined, List<Origin> sources, Provenance provenance)
      throws FormatException {
    return provenance;
  }

  /**
   * Returns the provenance of a dataset that contains rows of another dataset in another order.
   *
   * @param shuffled the shape of the dataset
   * @param clsTokens the number of [CLS] tokens of the shuffled dataset, if it is known
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
   * Returns the provenance of a dataset that contains the normalized values of another dataset.
   *
   * @param normalization the JSON object that records how the values were normalized
   * @param provenance the provenance of the other dataset
   * @throws FormatException if a document is malformed
   */
  default Provenance normalize(String normalization, Provenance provenance) throws FormatException {
    return provenance;
  }
}
