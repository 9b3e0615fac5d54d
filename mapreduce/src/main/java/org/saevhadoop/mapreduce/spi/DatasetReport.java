package org.saevhadoop.mapreduce.spi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Shard;

/** The fields that the reports of all formats share. */
public final class DatasetReport {
  private DatasetReport() {}

  /**
   * Returns a report of activations.
   *
   * @param protocol the protocol; null, like hash and hashMatches, if the format has no such
   *     property
   * @param hash the hash of the dataset
   * @param hashMatches whether the name of the dataset is its hash
   */
  public static ObjectNode activations(
      String format, String protocol, String hash, Boolean hashMatches, Geometry geometry) {
    ObjectNode report = JsonNodeFactory.instance.objectNode();
    report.put("format", format);
    report.put("protocol", protocol);
    report.put("hash", hash);
    report.put("hash_matches", hashMatches);
    report.put("examples", geometry.examples());
    geometry.layers().forEach(report.putArray("layers")::add);
    report.put("tokens_per_example", geometry.tokens());
    report.put("dim", geometry.dim());
    report.put("dtype", geometry.dtype().numpyName());
    return report;
  }

  /** Adds the data files and the warnings for the user. */
  public static void shards(ObjectNode report, Iterable<Shard> shards, List<String> warnings) {
    ArrayNode list = report.putArray("shards");
    for (Shard shard : shards) {
      list.addObject()
          .put("name", shard.name())
          .put("examples", shard.examples())
          .put("bytes", shard.bytes() < 0 ? null : shard.bytes());
    }
    warnings.forEach(report.putArray("warnings")::add);
  }
}
