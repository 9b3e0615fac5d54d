package org.saevhadoop.format.pickleshards.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;

/**
 * Two shards with the halves of the same vectors, from {@code host_2k} and {@code host_2k+1}.
 *
 * @param first the shard with the first halves
 * @param second the shard with the second halves
 */
public record FeatureSplitShards(ShardFile first, ShardFile second) {
  private static final Pattern HOST = Pattern.compile("(.*host_)(\\d{1,9})");

  /**
   * Finds all pairs of shards.
   *
   * @throws FormatException if a shard has no counterpart
   */
  public static List<FeatureSplitShards> of(ShardFiles files) throws FormatException {
    Map<String, ShardFile> byPath = new HashMap<>();
    files.shards().forEach(shard -> byPath.put(shard.relativePath(), shard));
    List<FeatureSplitShards> pairs = new ArrayList<>();
    for (ShardFile shard : files.shards()) {
      Matcher matcher = HOST.matcher(shard.directory());
      ShardError.UNPAIRED_HALF.check(
          matcher.matches(),
          shard.path(),
          "is not a half: its directory is not named for a host (expected host_<n>)");
      int host = Integer.parseInt(matcher.group(2));
      String digits = "%0" + matcher.group(2).length() + "d";
      int other = host % 2 == 0 ? host + 1 : host - 1;
      String path = matcher.group(1) + digits.formatted(other) + "/" + shard.name();
      ShardFile counterpart = byPath.get(path);
      ShardError.UNPAIRED_HALF.check(
          counterpart != null, shard.path(), "is a half without the other (expected %s)", path);
      if (host % 2 == 0) {
        pairs.add(new FeatureSplitShards(shard, counterpart));
      }
    }
    return pairs;
  }
}
