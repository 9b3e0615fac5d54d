package org.saevhadoop.format.dataset;

import org.saevhadoop.format.api.PublicApi;

/**
 * Data file of a dataset.
 *
 * @param first the number of its first example
 * @param bytes the length of the file
 */
@PublicApi
public record Shard(String name, long first, long examples, long bytes) {
  /** Returns the number that follows the number of the last example. */
  public long end() {
    return first + examples;
  }

  /** Returns whether the shard contains an example. */
  public boolean holds(long example) {
    return example >= first && example < end();
  }
}
