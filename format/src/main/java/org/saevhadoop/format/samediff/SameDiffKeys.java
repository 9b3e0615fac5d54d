package org.saevhadoop.format.samediff;

import java.time.Instant;
import java.util.List;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The keys of SameDiff containers. */
public final class SameDiffKeys {
  /** The kinds of files for a container. */
  public enum Container {
    SDNB,
    SDZ
  }

  /**
   * Maximum size of a shard, which leaves room for the graph and the manifest below 2^31 bytes, the
   * limit of the loaders.
   */
  private static final long MAX_SHARD_BYTES_LIMIT = Integer.MAX_VALUE - (64L << 20);

  public static final SettingKey<Container> CONTAINER =
      SettingKey.of(
              "saev.output.samediff.container",
              SettingTypes.choice(Container.class),
              "sdnb",
              "The files of the container: sdnb (one SDNB file, or shards of one) or sdz (one ZIP file,"
                  + " which a single task writes).")
          .option("--container");

  public static final SettingKey<Long> MAX_SHARD_BYTES =
      SettingKey.of(
              "saev.output.samediff.shard.bytes",
              SettingTypes.whole(1, MAX_SHARD_BYTES_LIMIT),
              "1073741824",
              "The maximum size of the arrays in an SDNB file, in bytes; a larger example, or in SDZ a"
                  + " larger array of one example, has a file of its own. If it is not set, convert uses a"
                  + " sixteenth of the dataset, but at least 64 MiB and at most the default.")
          .option("--max-shard-bytes");

  public static final SettingKey<Boolean> DEFLATE =
      SettingKey.of(
              "saev.output.samediff.deflate",
              SettingTypes.bool(),
              "false",
              "Whether the entries of SDZ are compressed. Arrays in compressed entries cannot be read"
                  + " in place.")
          .flag(
              "--deflate",
              "true",
              "Compress the entries of SDZ, whose arrays then cannot be read in place.");

  public static final SettingKey<Long> LEVEL =
      SettingKey.of(
              "saev.output.samediff.level",
              SettingTypes.whole(1, 9),
              "6",
              "The compression level of the entries of SDZ, if they are compressed.")
          .option("--deflate-level");

  public static final SettingKey<String> NAME =
      SettingKey.of(
              "saev.output.samediff.name",
              SettingTypes.text(
                  "NAME",
                  "letters, digits, - and _: SameDiff cuts a name at its last dot",
                  SameDiffKeys::checkName),
              "activations",
              "The base name of the files.")
          .option("--container-name");

  public static final SettingKey<Instant> CREATED =
      SettingKey.of(
              "saev.output.samediff.created",
              SettingTypes.instant(),
              null,
              "The time of creation that the files record. By default none is recorded, so that equal"
                  + " conversions write equal files.")
          .option("--creation-time");

  static final List<SettingKey<?>> READING = ArrayKeys.READING;

  static final List<SettingKey<?>> WRITING =
      List.of(CONTAINER, MAX_SHARD_BYTES, DEFLATE, LEVEL, NAME, CREATED);

  private SameDiffKeys() {}

  private static void checkName(String text) {
    if (!text.matches("[A-Za-z0-9_-]{1,100}")) {
      throw new IllegalArgumentException();
    }
  }
}
