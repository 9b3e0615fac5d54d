package org.saevhadoop.jobs.convert;

import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys.Plan;

/**
 * The way in which a conversion brings blocks into the order of the files that it writes.
 *
 * @param shuffle whether each task reads a part of the source, and reducers write the files;
 *     otherwise, each task reads the examples of whole files, in the order of the files
 * @param reason the reason for the choice, for the user
 */
record ConvertPlan(boolean shuffle, String reason) {
  /**
   * Chooses the plan for a source that can be read at any offset.
   *
   * @param maxTaskBytes the maximum number of bytes that a task may read
   */
  static ConvertPlan of(WritePlan files, Plan asked, long maxTaskBytes) {
    if (asked != Plan.AUTO) {
      return new ConvertPlan(asked == Plan.SHUFFLE, ConversionKeys.PLAN + " requests it");
    }
    long fileBytes = files.shardCount() == 0 ? 0 : files.examples(0) * files.table().exampleBytes();
    if (maxTaskBytes < fileBytes) {
      return new ConvertPlan(
          true,
          "tasks of at most %s (%s) do not cover a target file of %s"
              .formatted(
                  ByteSizes.show(maxTaskBytes),
                  FileInputFormat.SPLIT_MAXSIZE,
                  ByteSizes.show(fileBytes)));
    }
    return new ConvertPlan(
        false, "the source can be read at any position, so each task covers whole target files");
  }
}
