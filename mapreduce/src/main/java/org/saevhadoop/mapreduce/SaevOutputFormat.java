package org.saevhadoop.mapreduce;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.saev.SaevFormat;
import org.saevhadoop.format.saev.SaevKeys;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/**
 * Writes SAEV shards. {@code saev.output.metadata} is the text of metadata.json; it defines the
 * number of examples and the number of examples per shard. Job commit writes labels.bin if there
 * are labels, then shards.json, then metadata.json.
 */
@PublicApi
public final class SaevOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public SaevOutputFormat() {
    super(new SaevFormat());
  }

  /**
   * Sets the metadata.json of the activations. The text is stored as Base64, because the XML file
   * of a job's configuration would change line endings.
   *
   * @param text the bytes of metadata.json
   */
  public static void setMetadata(Configuration conf, byte[] text) {
    ConfSettings.set(conf, SaevKeys.METADATA, new String(text, StandardCharsets.UTF_8));
  }
}
