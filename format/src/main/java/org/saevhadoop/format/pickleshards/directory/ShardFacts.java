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
 * Facts about a shard, collected when it was read or written.
 *
 * @param name the name of the file without directory
 * @param bytes the length of the file as stored
 * @param sha256 the SHA-256 of the file as stored, 64 lowercase hexadecimal digits; null if it was
 *     not computed
 * @param compressed whether the content is gzip
 * @param samplesOfLayer the number of samples per layer
 * @param distinctSamples the number of distinct sample ids in all layers
 * @param minSampleId the minimum sample id; undefined without samples
 * @param maxSampleId the maximum sample id; undefined without samples
 * @param arrayBytes the uncompressed size of all arrays in bytes
 * @param maxTokens the maximum number of tokens of an array; 0 without samples
 * @param hiddenSize the number of values per vector; 0 without samples or if arrays differ
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
  /** Copies the map. */
  public ShardFacts {
    samplesOfLayer = Collections.unmodifiableSortedMap(new TreeMap<>(samplesOfLayer));
  }

  /** Returns the number of arrays. */
  public long arrays() {
    return samplesOfLayer.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns the facts as JSON on one line, the form in which a task passes them to the committing
   * job.
   */
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
   * Parses the output of {@link #toJson}.
   *
   * @param path the path for error messages
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
