package org.saevhadoop.mapreduce.job;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.mapreduce.conf.Key;
import org.saevhadoop.mapreduce.conf.Types;

/** The keys by which a digest hands values to its own tasks. */
public final class DigestKeys {
  /** How many blocks there must be. */
  public static final Key<Long> BLOCKS =
      Key.internal(
          "saev.digest.blocks",
          Types.whole(0, Long.MAX_VALUE),
          "0",
          "How many blocks there must be.");

  /** The layers in ascending order. */
  public static final Key<List<Integer>> LAYERS =
      Key.internal(
          "saev.digest.layers",
          Types.of(
              "L,L",
              "layers",
              text -> Arrays.stream(text.split(",")).map(Integer::valueOf).toList(),
              layers -> layers.stream().map(String::valueOf).collect(Collectors.joining(","))),
          null,
          "The layers in ascending order.");

  private DigestKeys() {}

  /** Returns all of them. */
  public static List<Key<?>> all() {
    return List.of(BLOCKS, LAYERS);
  }
}
