package org.saevhadoop.format.projection;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;

/**
 * What a user asks for of a dataset.
 *
 * @param layers the layers; null for all, as they are stored
 * @param examples the examples; null for all
 * @param limit how many of these examples at most, the first ones; {@link #NO_LIMIT} for all
 * @param tokens the tokens
 */
public record ProjectionRequest(
    LayerRequest layers, IndexPieces examples, long limit, TokenRequest tokens) {
  /** All examples that were asked for. */
  public static final long NO_LIMIT = -1;

  /** Everything. */
  public static final ProjectionRequest EVERYTHING =
      new ProjectionRequest(null, null, NO_LIMIT, TokenRequest.ALL);

  /** Returns the first examples of what this asks for, which are not more. */
  public ProjectionRequest first(long count) {
    return new ProjectionRequest(layers, examples, count, tokens);
  }

  /** Returns the same with other layers. */
  public ProjectionRequest with(LayerRequest other) {
    return new ProjectionRequest(other, examples, limit, tokens);
  }

  /** Returns the same with other tokens. */
  public ProjectionRequest with(TokenRequest other) {
    return new ProjectionRequest(layers, examples, limit, other);
  }

  /** Returns the same with other examples, and no limit. */
  public ProjectionRequest with(IndexPieces other) {
    return new ProjectionRequest(layers, other, NO_LIMIT, tokens);
  }

  /** Returns whether everything is asked for, whatever the dataset holds. */
  public boolean isEverything() {
    return layers == null && examples == null && limit == NO_LIMIT && tokens.isAll();
  }

  /**
   * Returns what this asks for of a dataset.
   *
   * @throws FormatException if the dataset does not have it
   */
  public Projection resolve(TableDataset dataset) throws FormatException {
    String path = dataset.folder().path();
    List<IndexRange> ranges = resolveExamples(dataset.table().examples(), path);
    if (dataset instanceof ActivationDataset activations) {
      Activations known = activations.activations();
      return new Projection(
          layers == null
              ? Projection.everything(dataset).columns()
              : layers.resolve(known.geometry(), path),
          ranges,
          tokens.resolve(known, path));
    }
    if (layers != null || !tokens.isAll()) {
      dataset.requireActivations();
    }
    return new Projection(Projection.everything(dataset).columns(), ranges, null);
  }

  /** Returns whether it names examples by their numbers. */
  public boolean choosesExamples() {
    return examples != null || limit != NO_LIMIT;
  }

  /**
   * Returns the examples that this asks for.
   *
   * @param count how many the dataset has
   * @throws FormatException if the dataset does not have them
   */
  public List<IndexRange> resolveExamples(long count, String path) throws FormatException {
    List<IndexRange> all = count == 0 ? List.of() : List.of(new IndexRange(0, count));
    List<IndexRange> asked = examples == null ? all : examples.resolve(count, path, "example");
    if (limit == NO_LIMIT) {
      return asked;
    }
    List<IndexRange> first = new ArrayList<>();
    long left = limit;
    for (IndexRange range : asked) {
      if (left > 0) {
        long taken = Math.min(left, range.length());
        first.add(new IndexRange(range.start(), range.start() + taken));
        left -= taken;
      }
    }
    return first;
  }
}
