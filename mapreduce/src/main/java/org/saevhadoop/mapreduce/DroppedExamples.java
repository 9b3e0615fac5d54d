package org.saevhadoop.mapreduce;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** The examples that a job leaves out, in its configuration. */
public final class DroppedExamples {
  /** More than a configuration should carry to every task. */
  private static final int MOST = 100_000;

  private DroppedExamples() {}

  /**
   * Sets them.
   *
   * @param numbers ascending
   * @throws IllegalArgumentException where they are too many
   */
  public static void set(Configuration conf, long[] numbers) {
    if (numbers.length > MOST) {
      throw new IllegalArgumentException(
          "%d examples have the keys of others (expected at most %d)"
              .formatted(numbers.length, MOST));
    }
    SaevConf.INPUT_DROP.set(
        conf, Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(",")));
  }

  /** Those that are set, ascending. */
  static long[] of(Configuration conf) {
    String text = SaevConf.INPUT_DROP.get(conf);
    return text.isEmpty()
        ? new long[0]
        : Arrays.stream(text.split(",")).mapToLong(Long::parseLong).sorted().toArray();
  }
}
