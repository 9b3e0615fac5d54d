package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.saev.SaevTarget;

/**
 * Writes SAEV shards. {@code saev.output.metadata} is the text of the metadata.json; it says how
 * many examples there are and how many make a shard. Job commit writes labels.bin where there are
 * labels, shards.json, then metadata.json.
 */
public final class SaevOutputFormat extends ActivationOutputFormat {
  /**
   * Sets the metadata.json that belongs to the activations. Its bytes travel as Base64, as a job's
   * configuration file would change line ends.
   */
  public static void setMetadata(Configuration conf, byte[] text) {
    SaevConf.OUTPUT_SAEV_METADATA.set(conf, Base64.getEncoder().encodeToString(text));
  }

  /** The metadata.json that was set, as text or as Base64. */
  static Optional<byte[]> metadata(Configuration conf) {
    String value = conf.getRaw(SaevConf.OUTPUT_SAEV_METADATA.key());
    if (value == null || value.isBlank()) {
      return Optional.empty();
    }
    return Optional.of(
        value.strip().startsWith("{")
            ? value.getBytes(StandardCharsets.UTF_8)
            : Base64.getDecoder().decode(value.strip()));
  }

  @Override
  public DatasetTarget target(Configuration conf) throws IOException {
    String key = SaevConf.OUTPUT_SAEV_METADATA.key();
    byte[] metadata =
        metadata(conf)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        key + " is not set (expected the text of metadata.json)"));
    SaevMetadata parsed = SaevMetadata.parse(key, metadata);
    LabelSource labels = labels(conf, parsed.geometry());
    if (labels != null) {
      FormatException.check(
          labels.patches() == parsed.patches(),
          labels.dataset().folder().path(),
          "has labels of %d patches an example (expected %d, as the metadata says)",
          labels.patches(),
          parsed.patches());
    }
    return new SaevTarget(
        parsed, SaevConf.OUTPUT_TAIL.getEnum(conf, SaevTarget.Tail.class), labels);
  }
}
