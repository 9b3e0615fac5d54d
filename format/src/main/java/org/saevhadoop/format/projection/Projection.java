package org.saevhadoop.format.projection;

import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;

/**
 * Subset of a dataset, checked against it.
 *
 * @param columns the indexes of the columns in the selected order, without duplicates
 * @param examples the ranges of the examples in the selected order; ranges do not overlap, and
 *     adjacent ones are merged
 * @param tokens the ranges of the stored tokens, in ascending order; empty if the columns are not
 *     activations
 */
@PublicApi
public record Projection(
    List<Integer> columns, List<IndexRange> examples, List<IndexRange> tokens) {
  public Projection {
    columns = List.copyOf(columns);
    examples = IndexRanges.merged(examples);
    tokens = IndexRanges.merged(tokens);
  }

  /** Returns the projection that selects a whole dataset in storage order. */
  public static Projection everything(TableDataset dataset) {
    long count = dataset.table().examples();
    int columns = dataset.table().columns().size();
    return new Projection(
        IntStream.range(0, columns).boxed().toList(),
        count == 0 ? List.of() : List.of(new IndexRange(0, count)),
        dataset instanceof ActivationDataset activations
            ? List.of(new IndexRange(0, activations.geometry().tokens()))
            : List.of());
  }

  /** Returns whether this selects the whole dataset in storage order. */
  public boolean isEverything(TableDataset dataset) {
    return equals(everything(dataset));
  }

  /** Returns the number of examples that are selected. */
  public long exampleCount() {
    return examples.stream().mapToLong(IndexRange::length).sum();
  }

  /** Returns whether the examples are selected in storage order. */
  public boolean examplesAscend() {
    return IndexRanges.ascend(examples);
  }

  /** Returns the number of selected tokens per example; 0 if the columns are not activations. */
  public int tokenCount() {
    return (int) tokens.stream().mapToLong(IndexRange::length).sum();
  }

  /**
   * Returns this subset of a dataset as a dataset, or the dataset itself if everything is selected.
   *
   * @throws FormatException if the subset is not a valid dataset
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
