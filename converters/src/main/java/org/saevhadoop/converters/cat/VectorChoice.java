package org.saevhadoop.converters.cat;

import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.jobs.source.OpenedSource;

/**
 * The vectors of a dataset that are printed.
 *
 * @param part the selected part of the dataset
 */
record VectorChoice(ActivationDataset whole, Projection part) {
  /**
   * Returns the vectors that were requested.
   *
   * @throws FormatException if the dataset does not contain activations
   */
  static VectorChoice of(OpenedSource source) throws FormatException {
    return new VectorChoice(source.whole().requireActivations(), source.part());
  }

  ActivationDataset dataset() throws FormatException {
    return part.of(whole).requireActivations();
  }

  /**
   * Returns the vectors of one token.
   *
   * @param token the number of the token in the whole dataset
   * @throws FormatException if the token is not selected
   */
  VectorChoice token(int token) throws FormatException {
    DatasetError.NO_SUCH_TOKEN.check(
        part.tokens().stream().anyMatch(range -> token >= range.start() && token < range.stop()),
        whole.path(),
        "has no token %d (expected %s)",
        token,
        part.tokens().stream()
            .map(range -> range.start() + " to " + (range.stop() - 1))
            .collect(Collectors.joining(", ")));
    return new VectorChoice(whole, new Projection(part.columns(), part.examples(), one(token)));
  }

  /**
   * Returns the vector at an index in the list of these vectors, sorted by example, layer and
   * token.
   *
   * @throws FormatException if the index is out of range
   */
  VectorChoice index(long index) throws FormatException {
    ActivationDataset dataset = dataset();
    Geometry shape = dataset.geometry();
    long ofExample = (long) shape.layers().size() * shape.tokens();
    long count = shape.examples() * ofExample;
    DatasetError.BAD_SELECTION.check(
        index >= 0 && index < count,
        whole.path(),
        "index %d is out of range (expected 0 to %d)",
        index,
        count - 1);
    long inExample = index % ofExample;
    int column = part.columns().get((int) (inExample / shape.tokens()));
    return new VectorChoice(
        whole,
        new Projection(
            List.of(column),
            one(dataset.sourceExample(index / ofExample)),
            one(dataset.sourceToken((int) (inExample % shape.tokens())))));
  }

  private static List<IndexRange> one(long number) {
    return List.of(new IndexRange(number, number + 1));
  }
}
