package org.saevhadoop.mapreduce;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;
import org.saevhadoop.mapreduce.saev.SaevFormat;
import org.saevhadoop.mapreduce.saev.SaevKeys;

/**
 * Writes SAEV shards. {@code saev.output.metadata} is the text of the metadata.json; it says how
 * many examples there are and how many make a shard. Job commit writes labels.bin where there are
 * labels, shards.json, then metadata.json.
 */
public final class SaevOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public SaevOutputFormat() {
    super(new SaevFormat(), DatasetFormats.registry());
  }

  /**
   * Sets the metadata.json that belongs to the activations. Its bytes travel as Base64, as a job's
   * configuration file would change line ends.
   */
  public static void setMetadata(Configuration conf, byte[] text) {
    ConfSettings.set(conf, SaevKeys.METADATA, new String(text, StandardCharsets.UTF_8));
  }
}
