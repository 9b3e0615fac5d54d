package org.saevhadoop.format.pickleshards.unpacked;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.tensor.DType;

/**
 * Which tokens of which blocks are kept when a shard is unpacked: the smallest contiguous stretch
 * of a block that covers what is asked for of it.
 *
 * @param request the layers and tokens that are asked for; null to keep no block
 * @param samples the ids of the samples that are kept; null for all
 */
public record BlockChoice(ProjectionRequest request, Set<Long> samples) {
  /** All blocks, whole. */
  public static final BlockChoice EVERYTHING = new BlockChoice(ProjectionRequest.EVERYTHING, null);

  /** No block. */
  public static final BlockChoice NOTHING = new BlockChoice(null, Set.of());

  /** Returns whether all blocks are kept, whole. */
  boolean isEverything() {
    return request != null
        && samples == null
        && request.layers() == null
        && request.tokens().isAll();
  }

  /**
   * Returns the tokens that are kept of a block; empty if there are none.
   *
   * @param path the shard, for errors
   * @param tokens of the block, as an example has it
   */
  Optional<IndexRange> tokens(String path, int layer, long sample, long tokens, RaggedPolicy ragged)
      throws FormatException {
    return tokens > 0 && has(layer, sample)
        ? Optional.of(stretch(request, path, tokens, ragged))
        : Optional.empty();
  }

  /** Returns whether the block of a sample is kept, or a part of it. */
  boolean has(int layer, long sample) {
    return request != null
        && (samples == null || samples.contains(sample))
        && (request.layers() == null || request.layers().layers().contains(layer));
  }

  /** Returns the stretch of the tokens of an example that covers those asked for. */
  static IndexRange stretch(
      ProjectionRequest request, String path, long tokens, RaggedPolicy ragged)
      throws FormatException {
    if (request.tokens().isAll()
        || ragged.mode() == RaggedPolicy.Mode.FLATTEN
        || tokens > Integer.MAX_VALUE) {
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
