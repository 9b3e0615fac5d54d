package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was found in a shard when it was read, or put there when it was written.
 *
 * @param name of the file, without directory
 * @param bytes of the file as stored
 * @param sha256 of the file as stored, 64 small hexadecimal digits; null where it was not computed
 * @param compressed whether it is gzip, by its bytes
 * @param samplesOfLayer length of each layer's list
 * @param distinctSamples different sample ids in all layers
 * @param minSampleId meaningless without samples, as the next
 * @param maxSampleId the greatest
 * @param arrayBytes of all arrays, uncompressed
 * @param maxTokens the most of an array; 0 without samples
 * @param hiddenSize floats of a vector; 0 where arrays differ in it or there are none
 */
public record ShardFacts(
    String name,
    long bytes,
    String sha256,
    boolean compressed,
    SortedMap<Integer, Long> samplesOfLayer,
    long distinctSamples,
    long minSampleId,
    long maxSampleId,
    long arrayBytes,
    long maxTokens,
    long hiddenSize) {
  /** Makes the map its own. */
  public ShardFacts {
    samplesOfLayer = Collections.unmodifiableSortedMap(new TreeMap<>(samplesOfLayer));
  }

  /** How many arrays it has. */
  public long arrays() {
    return samplesOfLayer.values().stream().mapToLong(Long::longValue).sum();
  }

  /** As JSON on one line: the way of a task's facts to the job that commits. */
  public byte[] toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name).put("bytes", bytes).put("sha256", sha256).put("compressed", compressed);
    ObjectNode layers = json.putObject("samples_of_layer");
    samplesOfLayer.forEach((layer, samples) -> layers.put(layer.toString(), samples));
    json.put("distinct_samples", distinctSamples);
    json.put("min_sample_id", minSampleId).put("max_sample_id", maxSampleId);
    json.put("array_bytes", arrayBytes).put("max_tokens", maxTokens).put("hidden_size", hiddenSize);
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @param path for messages
   */
  public static ShardFacts parse(String path, byte[] json) throws IOException {
    ObjectNode values = ManifestParser.object(path, new ByteArrayInputStream(json));
    ManifestFields fields = new ManifestFields(path, "", values);
    fields.require("name", "bytes", "compressed", "samples_of_layer", "distinct_samples");
    fields.require("min_sample_id", "max_sample_id", "array_bytes", "max_tokens", "hidden_size");
    return new ShardFacts(
        fields.text("name"),
        fields.count("bytes"),
        fields.text("sha256"),
        fields.flag("compressed"),
        fields.countsOfLayers("samples_of_layer"),
        fields.count("distinct_samples"),
        fields.id("min_sample_id"),
        fields.id("max_sample_id"),
        fields.count("array_bytes"),
        fields.count("max_tokens"),
        fields.count("hidden_size"));
  }
}
