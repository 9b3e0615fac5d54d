package org.saevhadoop.converters;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.mapreduce.SaevConf;

/**
 * How a conversion brings the blocks into the target's order.
 *
 * @param kind with or without the shuffle
 * @param reason why, for a person
 */
record ConvertPlan(Kind kind, String reason) {
  /** The ways there are. */
  enum Kind {
    /** Each task reads the examples of whole target files, in the order of the files. */
    MAP_ONLY,
    /** Each task reads a piece of the source; reducers write the target files. */
    SHUFFLE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private enum Asked {
    AUTO,
    MAP_ONLY,
    SHUFFLE
  }

  /** Chooses for a source that can be read at any position. */
  static ConvertPlan of(DatasetTarget target, Configuration conf) {
    Asked asked = SaevConf.CONVERT_PLAN.getEnum(conf, Asked.class);
    if (asked != Asked.AUTO) {
      Kind kind = asked == Asked.SHUFFLE ? Kind.SHUFFLE : Kind.MAP_ONLY;
      return new ConvertPlan(kind, SaevConf.CONVERT_PLAN.key() + " asks for it");
    }
    long most = conf.getLong(FileInputFormat.SPLIT_MAXSIZE, Long.MAX_VALUE);
    long fileBytes =
        target.shardCount() == 0 ? 0 : target.examples(0) * target.table().exampleBytes();
    if (most < fileBytes) {
      return new ConvertPlan(
          Kind.SHUFFLE,
          "tasks of at most %s (%s) do not cover a target file of %s"
              .formatted(Sizes.show(most), FileInputFormat.SPLIT_MAXSIZE, Sizes.show(fileBytes)));
    }
    return new ConvertPlan(
        Kind.MAP_ONLY,
        "the source can be read at any position, so each task covers whole target files");
  }
}
