package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.pickleshards.ExtractionText;
import org.saevhadoop.format.pickleshards.PickleFormat;
import org.saevhadoop.format.pickleshards.PickleKeys;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/**
 * Writes pickled activation shards, which Python can load. {@code saev.output.geometry} or {@code
 * saev.output.metadata} defines the shape. Records are blocks, layer after layer unless {@code
 * saev.output.spool} permits any order, or whole examples. Job commit writes metadata.json.
 */
@PublicApi
public final class ActivationPickleOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public ActivationPickleOutputFormat() {
    super(new PickleFormat());
  }

  /**
   * Sets facts about the extraction, as recorded in the manifest of the source of the activations.
   *
   * @param extraction the {@code extraction_config}, a JSON object; null, like the other arguments,
   *     if unknown
   * @param distributed the {@code distributed_config}
   * @param seconds the {@code extraction_duration_seconds}
   * @throws IllegalArgumentException if a string is not a JSON object
   */
  public static void setExtraction(
      Configuration conf, String extraction, String distributed, Double seconds) {
    ConfSettings.set(conf, PickleKeys.CONFIG, ExtractionText.of(extraction, distributed, seconds));
  }

  /** Sets the source of examples that have no sample metadata. */
  public static void setOrigin(Configuration conf, String source, String format) {
    ConfSettings.set(conf, PickleKeys.SOURCE, source);
    ConfSettings.set(conf, PickleKeys.SOURCE_FORMAT, format);
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    ExtractionConfig extraction =
        ExtractionText.parse(
            ConfSettings.get(conf, PickleKeys.CONFIG), ConfSettings.get(conf, PickleKeys.CREATED));
    if (extraction.created() == null) {
      ConfSettings.set(conf, PickleKeys.CREATED, Instant.now());
    }
    super.checkOutputSpecs(job);
  }
}
