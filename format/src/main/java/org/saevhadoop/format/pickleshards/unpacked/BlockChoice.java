package org.saevhadoop.format.pickleshards.unpacked;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.tensor.DType;

/**
 * Selection of the tokens and blocks to keep when a shard is unpacked: for each block, the smallest
 * contiguous range of tokens that covers the request.
 *
 * @param samples the ids of the samples to keep; null for all
 */
public record BlockChoice(ProjectionRequest request, @Nullable Set<Long> samples) {
  public static final BlockChoice NOTHING = new BlockChoice(ProjectionRequest.EVERYTHING, Set.of());

  /** Returns whether all blocks are kept completely. */
  boolean isEverything() {
    return samples == null && request.layers() == null && request.tokens().isAll();
  }

  /**
   * Returns the tokens of a block to keep; empty if there are none.
   *
   * @param tokens the number of tokens of the example that the block becomes
   */
  Optional<IndexRange> tokens(String path, int layer, long sample, long tokens, RaggedPolicy ragged)
      throws FormatException {
    return tokens > 0 && has(layer, sample)
        ? Optional.of(stretch(request, path, tokens, ragged))
        : Optional.empty();
  }

  /** Returns whether any part of the block of a sample is kept. */
  boolean has(int layer, long sample) {
    return (samples == null || samples.contains(sample))
        && (request.layers() == null || request.layers().layers().contains(layer));
  }

  /** Returns the range of tokens of an example that covers the requested tokens. */
  static IndexRange stretch(
      ProjectionRequest request, String path, long tokens, RaggedPolicy ragged)
      throws FormatException {
    if (request.tokens().isAll() || ragged.isFlattening() || tokens > Integer.MAX_VALUE) {
      return new IndexRange(0, tokens);
    }
    Geometry example = new Geometry(1, List.of(0), (int) tokens, 1, DType.F32);
    List<IndexRange> ranges =
        request
            .tokens()
            .resolve(new Activations(example, OptionalInt.empty(), Provenance.NONE), path);
    return new IndexRange(ranges.get(0).start(), ranges.get(ranges.size() - 1).stop());
  }
}
