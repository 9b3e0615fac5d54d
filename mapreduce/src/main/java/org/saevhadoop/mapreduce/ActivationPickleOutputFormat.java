package org.saevhadoop.mapreduce;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;
import org.saevhadoop.mapreduce.pickle.ExtractionText;
import org.saevhadoop.mapreduce.pickle.PickleFormat;
import org.saevhadoop.mapreduce.pickle.PickleKeys;

/**
 * Writes pickled activation shards, which Python loads. {@code saev.output.geometry} or {@code
 * saev.output.metadata} says the shape; blocks come layer after layer, as {@code saev.output.spool}
 * says, or as whole examples. Job commit writes metadata.json.
 */
public final class ActivationPickleOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public ActivationPickleOutputFormat() {
    super(new PickleFormat(), DatasetFormats.registry());
  }

  /**
   * Sets what is known of the extraction of the activations, as the manifest of their source has
   * it.
   *
   * @param extraction null if it is not known, as the others
   */
  public static void setExtraction(
      Configuration conf, ObjectNode extraction, ObjectNode distributed, Double seconds) {
    ConfSettings.set(conf, PickleKeys.CONFIG, ExtractionText.of(extraction, distributed, seconds));
  }

  /** Sets where examples without sample metadata come from. */
  public static void setOrigin(Configuration conf, String source, String format) {
    ConfSettings.set(conf, PickleKeys.SOURCE, source);
    ConfSettings.set(conf, PickleKeys.SOURCE_FORMAT, format);
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    if (ConfSettings.get(conf, PickleKeys.CREATED) == null) {
      ConfSettings.set(conf, PickleKeys.CREATED, Instant.now());
    }
    super.checkOutputSpecs(job);
  }
}
