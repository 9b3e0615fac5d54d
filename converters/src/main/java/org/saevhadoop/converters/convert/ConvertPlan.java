package org.saevhadoop.converters.convert;

import java.util.Locale;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.saevhadoop.converters.console.SizeDisplay;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys.Plan;

/**
 * How a conversion brings the blocks into the order of the files that it writes.
 *
 * @param kind with or without the shuffle
 * @param reason why, for a person
 */
record ConvertPlan(Kind kind, String reason) {
  /** The ways there are. */
  enum Kind {
    /** Each task reads the examples of whole files, in the order of the files. */
    MAP_ONLY,
    /** Each task reads a piece of the source; reducers write the files. */
    SHUFFLE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Chooses for a source that can be read at any position.
   *
   * @param maxTaskBytes bytes that a task may read at most
   */
  static ConvertPlan of(WritePlan files, Plan asked, long maxTaskBytes) {
    if (asked != Plan.AUTO) {
      Kind kind = asked == Plan.SHUFFLE ? Kind.SHUFFLE : Kind.MAP_ONLY;
      return new ConvertPlan(kind, ConversionKeys.PLAN + " asks for it");
    }
    long fileBytes = files.shardCount() == 0 ? 0 : files.examples(0) * files.table().exampleBytes();
    if (maxTaskBytes < fileBytes) {
      return new ConvertPlan(
          Kind.SHUFFLE,
          "tasks of at most %s (%s) do not cover a target file of %s"
              .formatted(
                  SizeDisplay.show(maxTaskBytes),
                  FileInputFormat.SPLIT_MAXSIZE,
                  SizeDisplay.show(fileBytes)));
    }
    return new ConvertPlan(
        Kind.MAP_ONLY,
        "the source can be read at any position, so each task covers whole target files");
  }
}
