package org.saevhadoop.mapreduce.job;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.SettingTypes;

/** The internal keys by which a digest job passes values to its own tasks. */
public final class DigestKeys {
  /** The expected number of blocks. */
  public static final SettingKey<Long> BLOCKS =
      SettingKey.internal(
          "saev.digest.blocks",
          SettingTypes.whole(0, Long.MAX_VALUE),
          "0",
          "How many blocks there must be.");

  /** The layers in ascending order. */
  public static final SettingKey<List<Integer>> LAYERS =
      SettingKey.internal(
          "saev.digest.layers",
          SettingTypes.of(
              "L,L",
              "layers",
              text -> Arrays.stream(text.split(",")).map(Integer::valueOf).toList(),
              layers -> layers.stream().map(String::valueOf).collect(Collectors.joining(","))),
          null,
          "The layers in ascending order.");

  /** The dataset whose files are summed. */
  public static final SettingKey<String> SUMMED =
      SettingKey.internal(
          "saev.digest.summed",
          SettingTypes.name("PATH", "a path"),
          null,
          "The dataset whose files are summed.");

  private DigestKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(BLOCKS, LAYERS, SUMMED);
  }
}
