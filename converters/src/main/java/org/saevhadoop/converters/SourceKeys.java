package org.saevhadoop.converters;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.KeyCensus;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.SafetensorsTable;
import org.saevhadoop.mapreduce.DroppedExamples;
import org.saevhadoop.mapreduce.SaevConf;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;

/** What a conversion does about the keys of its source, where it has some. */
final class SourceKeys {
  private SourceKeys() {}

  /**
   * Looks at the keys of the whole dataset, as no task sees them all.
   *
   * @param keep whether the ids are written
   */
  static void settle(
      Path source, SafetensorsWriteOptions.Duplicates duplicates, boolean keep, Configuration conf)
      throws IOException {
    SafetensorsTable table = SafetensorsInputFormat.table(source, conf);
    if (table.layout() == Layout.BATCH) {
      return;
    }
    KeyCensus census = KeyCensus.of(table);
    if (census.losers().length > 0) {
      KeyCensus.Twice twice = census.example();
      FormatException.check(
          duplicates == SafetensorsWriteOptions.Duplicates.LAST_WIN,
          table.folder().path(),
          "the id \"%s\" is in %s and in %s, and so are %d in all (expected each once; --duplicates"
              + " last-win keeps the last)",
          twice.id(),
          twice.first(),
          twice.second(),
          census.losers().length);
      DroppedExamples.set(conf, census.losers());
      System.err.printf(
          "warning: %d examples are left out, as their ids come again later%n",
          census.losers().length);
    }
    if (keep) {
      SaevConf.OUTPUT_IDS.set(conf, source.getFileSystem(conf).makeQualified(source).toString());
      SaevConf.OUTPUT_IDS_LONGEST.set(conf, Integer.toString(Math.max(1, census.longest())));
    } else if (!census.numbers()) {
      System.err.println(
          "warning: the ids of the examples are not kept (--kv keeps them): they become numbers");
    }
  }
}
