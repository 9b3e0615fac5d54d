package org.saevhadoop.format.projection;

import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;

/**
 * A part of a dataset that the dataset has.
 *
 * @param columns the places of the columns, in the order selected; none twice
 * @param examples the ranges of the examples, in the order selected; no two overlap, and none
 *     begins where the one before it ends
 * @param tokens the ranges of the stored tokens, ascending; null if the columns are no activations
 */
public record Projection(
    List<Integer> columns, List<IndexRange> examples, List<IndexRange> tokens) {
  public Projection {
    columns = List.copyOf(columns);
    examples = IndexRanges.merged(examples);
    tokens = tokens == null ? null : IndexRanges.merged(tokens);
  }

  /** Returns everything that a dataset has, as it is stored. */
  public static Projection everything(TableDataset dataset) {
    long count = dataset.table().examples();
    int columns = dataset.table().columns().size();
    return new Projection(
        IntStream.range(0, columns).boxed().toList(),
        count == 0 ? List.of() : List.of(new IndexRange(0, count)),
        dataset instanceof ActivationDataset activations
            ? List.of(new IndexRange(0, activations.geometry().tokens()))
            : null);
  }

  /** Returns whether it is everything that a dataset has, as it is stored. */
  public boolean isEverything(TableDataset dataset) {
    return equals(everything(dataset));
  }

  /** Returns how many examples it has. */
  public long exampleCount() {
    return examples.stream().mapToLong(IndexRange::length).sum();
  }

  /** Returns whether its examples come in the order in which they are stored. */
  public boolean examplesAscend() {
    return IndexRanges.ascend(examples);
  }

  /** Returns how many tokens of an example it has; 0 if the columns are no activations. */
  public int tokenCount() {
    return tokens == null ? 0 : (int) tokens.stream().mapToLong(IndexRange::length).sum();
  }

  /**
   * Returns this part of a dataset as a dataset; the dataset itself if it is everything.
   *
   * @throws FormatException if what is left of a dataset cannot be one
   */
  public TableDataset of(TableDataset dataset) throws FormatException {
    if (isEverything(dataset)) {
      return dataset;
    }
    return dataset instanceof ActivationDataset activations
        ? new ProjectedActivations(activations, this)
        : new ProjectedTable(dataset, this);
  }
}
