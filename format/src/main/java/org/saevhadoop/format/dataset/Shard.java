package org.saevhadoop.format.dataset;

/**
 * One data file of a dataset.
 *
 * @param name its file name
 * @param first number of its first example
 * @param examples how many examples it holds
 * @param bytes the file's length
 */
public record Shard(String name, long first, long examples, long bytes) {
  /** Returns the number after that of its last example. */
  public long end() {
    return first + examples;
  }

  /** Whether it holds an example. */
  public boolean holds(long example) {
    return example >= first && example < end();
  }
}
