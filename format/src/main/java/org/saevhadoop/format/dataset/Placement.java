package org.saevhadoop.format.dataset;

/**
 * Where the blocks of one shard lie: block (example, layer) begins at byte {@code base[layerIndex]
 * + index * stride}, {@code index} being the example's place in the shard. Every format that can be
 * read at a position has this form.
 *
 * @param base byte offset of each layer's first block, by layer index
 * @param stride bytes from one example's block to the next example's
 */
public record Placement(long[] base, long stride) {
  /** The byte at which a block begins. */
  public long offset(long indexInShard, int layerIndex) {
    return base[layerIndex] + indexInShard * stride;
  }
}
