package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.SettingTypes;

/** The internal keys by which a digest job passes values to its own tasks. */
public final class DigestKeys {
  public static final SettingKey<Long> BLOCKS =
      SettingKey.internal(
          "saev.digest.blocks",
          SettingTypes.whole(0, Long.MAX_VALUE),
          "0",
          "How many blocks there must be.");

  public static final SettingKey<List<Integer>> LAYERS =
      SettingKey.internal(
          "saev.digest.layers",
          SettingTypes.integers("L,L", "layers"),
          null,
          "The layers in ascending order.");

  public static final SettingKey<String> SUMMED =
      SettingKey.internalName("saev.digest.summed", "The dataset whose files are summed.");

  private DigestKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(BLOCKS, LAYERS, SUMMED);
  }
}
