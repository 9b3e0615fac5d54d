package org.saevhadoop.format.samediff.container;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a shard, {@code <base>.shard<index>-of-<count>.sdnb} (SameDiffSerializer of
 * deeplearning4j master 0db14318). The loader takes the number of shards from any name of this form
 * (detectShardCount), but opens only names whose numbers are written without leading zeros
 * (loadSharded).
 *
 * @param base the base name of the container
 * @param index the index of the shard; shard 0 contains the graph
 * @param count the number of shards
 */
public record ShardName(String base, int index, int count) {
  /** Suffix of SDNB files. */
  public static final String SUFFIX = ".sdnb";

  private static final Pattern NAME =
      Pattern.compile("(.+)\\.shard(\\d{1,6})-of-(\\d{1,6})\\.sdnb", Pattern.DOTALL);

  /** Returns the parts of a file name, if it has the form of a shard name. */
  public static Optional<ShardName> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new ShardName(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }

  /** Returns whether a file is a shard that the loader opens. */
  static boolean isShard(String name) {
    return parse(name).filter(shard -> shard.toString().equals(name)).isPresent();
  }

  /**
   * Returns the base name under which the loader looks for shards when it is given the name of a
   * single file.
   */
  public static String baseOf(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** Returns the file name. */
  @Override
  public String toString() {
    return "%s.shard%d-of-%d%s".formatted(base, index, count, SUFFIX);
  }
}
