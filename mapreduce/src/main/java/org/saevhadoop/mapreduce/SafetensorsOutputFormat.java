package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.safetensors.SafetensorsTarget;
import org.saevhadoop.format.safetensors.SafetensorsTarget.Columns;

/**
 * Writes a dataset of safetensors files. {@code saev.output.geometry} or {@code
 * saev.output.metadata} says its shape. Job commit writes dataset_manifest.json.
 */
public final class SafetensorsOutputFormat extends ActivationOutputFormat {
  /** Sets the shape of what is to be written. */
  public static void setGeometry(Configuration conf, Geometry geometry) {
    String layers =
        geometry.layers().stream().map(String::valueOf).collect(Collectors.joining(","));
    SaevConf.OUTPUT_GEOMETRY.set(
        conf, geometry.examples() + ";" + layers + ";" + geometry.tokens() + ";" + geometry.dim());
  }

  @Override
  public DatasetTarget target(Configuration conf) throws IOException {
    byte[] metadata = SaevOutputFormat.metadata(conf).orElse(null);
    Geometry geometry = geometry(conf, metadata);
    long batch = SaevConf.OUTPUT_BATCH_SIZE.getLong(conf, 0);
    return new SafetensorsTarget(
        geometry,
        SaevConf.OUTPUT_COLUMNS.getEnum(conf, Columns.class),
        batch == 0 ? SafetensorsTarget.defaultExamplesPerShard(geometry) : batch,
        metadata == null ? null : new String(metadata, StandardCharsets.UTF_8),
        SaevConf.OUTPUT_SAEV_DIRECTORY.get(conf).isEmpty()
            ? null
            : SaevConf.OUTPUT_SAEV_DIRECTORY.get(conf),
        labels(conf, geometry));
  }

  private static Geometry geometry(Configuration conf, byte[] metadata) throws IOException {
    String text = SaevConf.OUTPUT_GEOMETRY.get(conf);
    if (text.isEmpty()) {
      if (metadata == null) {
        throw new IllegalArgumentException(
            "neither %s nor %s is set (one must say the shape of the dataset)"
                .formatted(SaevConf.OUTPUT_GEOMETRY.key(), SaevConf.OUTPUT_SAEV_METADATA.key()));
      }
      return SaevMetadata.parse(SaevConf.OUTPUT_SAEV_METADATA.key(), metadata).geometry();
    }
    try {
      String[] parts = text.split(";");
      List<Integer> layers = Arrays.stream(parts[1].split(",")).map(Integer::valueOf).toList();
      return new Geometry(
          Long.parseLong(parts[0]), layers, Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "%s is \"%s\" (expected examples;layer,layer,...;tokens;dim)"
              .formatted(SaevConf.OUTPUT_GEOMETRY.key(), text),
          e);
    }
  }
}
