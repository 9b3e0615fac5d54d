package org.saevhadoop.format.projection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;

/**
 * Subset of a dataset as requested by a user.
 *
 * @param layers the layers; null for all, in storage order
 * @param limit the maximum number of requested examples, counted from the first; {@link #NO_LIMIT}
 *     for all
 */
@PublicApi
public record ProjectionRequest(
    @Nullable LayerRequest layers,
    @Nullable IndexPieces examples,
    long limit,
    TokenRequest tokens) {
  /** No limit on the number of requested examples. */
  public static final long NO_LIMIT = -1;

  /** A request for the whole dataset. */
  public static final ProjectionRequest EVERYTHING =
      new ProjectionRequest(null, null, NO_LIMIT, TokenRequest.ALL);

  /**
   * Returns this request limited to its first {@code count} examples, unless its limit is lower.
   */
  public ProjectionRequest first(long count) {
    return new ProjectionRequest(layers, examples, count, tokens);
  }

  /** Returns this request with other layers. */
  public ProjectionRequest with(LayerRequest other) {
    return new ProjectionRequest(other, examples, limit, tokens);
  }

  /** Returns this request with other tokens. */
  public ProjectionRequest with(TokenRequest other) {
    return new ProjectionRequest(layers, examples, limit, other);
  }

  /** Returns whether the request selects everything in any dataset. */
  public boolean isEverything() {
    return layers == null && examples == null && limit == NO_LIMIT && tokens.isAll();
  }

  /**
   * Resolves the request against a dataset.
   *
   * @throws FormatException if the dataset does not contain the requested part
   */
  public Projection resolve(TableDataset dataset) throws FormatException {
    String path = dataset.path();
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
    return new Projection(Projection.everything(dataset).columns(), ranges, List.of());
  }

  /** Returns whether the request selects examples by number. */
  public boolean choosesExamples() {
    return examples != null || limit != NO_LIMIT;
  }

  /**
   * Returns the ranges of the requested examples.
   *
   * @param count the number of examples in the dataset
   * @throws FormatException if the dataset does not contain them
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
