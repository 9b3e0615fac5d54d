package org.saevhadoop.converters;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.activations.ActivationManifest;
import org.saevhadoop.format.activations.ShardDirectory;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;

/** What the metadata.json of pickled shards says of the run that made them. */
final class PickleConfig {
  private PickleConfig() {}

  /** The {@code extraction_config} of the first directory that has one. */
  static Optional<ObjectNode> of(Path source, Configuration conf) throws IOException {
    for (ShardDirectory directory :
        ActivationPickleInputFormat.shards(source, conf).directories()) {
      Optional<ObjectNode> config =
          directory.manifest().flatMap(ActivationManifest::extractionConfig);
      if (config.isPresent()) {
        return config;
      }
    }
    return Optional.empty();
  }
}
