package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.json.JsonNodeWriter;

/**
 * Writer of the metadata.json of new shards, in either dialect. No writer marks an incomplete last
 * shard; such a shard is recognized only by its counts.
 */
public final class ManifestWriter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  /** Bytes that the real writers add per array when they compute the buffer size. */
  private static final long ARRAY_OVERHEAD = 600;

  private ManifestWriter() {}

  /**
   * Returns the document in the dialect of the specification, version 1.0. Required fields whose
   * values are unknown are "unknown" or null.
   *
   * @param shards the shards in order, with SHA-256
   * @param samples the number of samples in the dataset; a sample in several shards counts once
   */
  public static Document spec(List<ShardFacts> shards, long samples, ExtractionConfig extraction) {
    Map<String, Iterable<JsonNode>> fields = new LinkedHashMap<>();
    fields.put("version", NODES.textNode("1.0"));
    fields.put("created_at", NODES.textNode(extraction.created()));
    fields.put("extraction_config", config(shards, extraction));
    if (extraction.distributed() != null) {
      fields.put("distributed_config", extraction.distributed());
    }
    fields.put("shards", entries(shards, ManifestWriter::specEntry));
    ObjectNode statistics = NODES.objectNode();
    statistics.put("total_shards", shards.size()).put("total_samples", samples);
    statistics.put("total_size_bytes", sum(shards.stream().mapToLong(ShardFacts::bytes)));
    statistics.set("layers_extracted", ints(layers(shards)));
    statistics.put("extraction_duration_seconds", extraction.seconds());
    fields.put("statistics", statistics);
    return document(fields);
  }

  /**
   * Returns the document in the dialect of the real writers.
   *
   * @param samples the number of samples in the dataset; a sample in several shards counts once
   * @param directory the final directory of the shards, with which {@code local_path} begins
   * @param prefix the name prefix in an object store, which the real tools require
   * @param shardBytes the target size of a shard in bytes, uncompressed
   */
  public static Document real(
      List<ShardFacts> shards, long samples, String directory, String prefix, long shardBytes) {
    Map<String, Iterable<JsonNode>> fields = new LinkedHashMap<>();
    fields.put("total_shards", NODES.numberNode(shards.size()));
    long arrays = sum(shards.stream().mapToLong(ShardFacts::arrays));
    fields.put("total_activations", NODES.numberNode(arrays));
    fields.put("total_unique_samples", NODES.numberNode(samples));
    fields.put("shard_size_gb", NODES.numberNode(shardBytes / GIB));
    fields.put("upload_to_gcs", NODES.booleanNode(false));
    fields.put("gcs_bucket", NODES.nullNode());
    fields.put("gcs_prefix", NODES.textNode(prefix));
    fields.put("shards", entries(shards, (id, shard) -> realEntry(id, shard, directory)));
    return document(fields);
  }

  private static ObjectNode specEntry(long id, ShardFacts shard) {
    ObjectNode entry = NODES.objectNode();
    entry.put("shard_id", id).put("filename", shard.name()).put("size_bytes", shard.bytes());
    entry.put("num_samples", shard.distinctSamples());
    entry.set("layers", ints(shard.samplesOfLayer().keySet()));
    ArrayNode range = entry.putArray("sample_id_range");
    if (shard.distinctSamples() > 0) {
      range.add(shard.minSampleId()).add(shard.maxSampleId());
    }
    entry.put("compressed", shard.compressed());
    return entry.put("checksum", "sha256:" + shard.sha256());
  }

  private static ObjectNode realEntry(long id, ShardFacts shard, String directory) {
    ObjectNode entry = NODES.objectNode();
    entry.put("shard_id", id).put("filename", shard.name());
    entry.put("local_path", directory + "/" + shard.name()).putNull("gcs_path");
    entry.put("file_size_mb", shard.bytes() / MIB);
    long buffered = Math.addExact(shard.arrayBytes(), ARRAY_OVERHEAD * shard.arrays());
    entry.put("buffer_size_mb", buffered / MIB);
    entry.set("layers", ints(shard.samplesOfLayer().keySet()));
    ObjectNode counts = entry.putObject("samples_per_layer");
    shard.samplesOfLayer().forEach((layer, samples) -> counts.put(layer.toString(), samples));
    return entry.put("total_samples_in_shard", shard.arrays());
  }

  private static ObjectNode config(List<ShardFacts> shards, ExtractionConfig extraction) {
    ObjectNode config = NODES.objectNode();
    if (extraction.config() != null) {
      config.setAll(extraction.config());
    } else {
      config.put("model_name", "unknown").putNull("model_architecture");
      long[] sizes = shards.stream().mapToLong(ShardFacts::hiddenSize).distinct().toArray();
      Long one = sizes.length == 1 && sizes[0] > 0 ? (Long) sizes[0] : null;
      config.putObject("model_params").put("hidden_size", one);
      config.put("dataset_name", "unknown");
      config.put(
          "max_seq_length", shards.stream().mapToLong(ShardFacts::maxTokens).max().orElse(0));
    }
    // a selection of the extracted layers is possible
    config.set("layers_extracted", ints(layers(shards)));
    return config;
  }

  private static SortedSet<Integer> layers(List<ShardFacts> shards) {
    SortedSet<Integer> layers = new TreeSet<>();
    shards.forEach(shard -> layers.addAll(shard.samplesOfLayer().keySet()));
    return layers;
  }

  private static ArrayNode ints(Collection<Integer> numbers) {
    ArrayNode list = NODES.arrayNode();
    numbers.forEach(list::add);
    return list;
  }

  private static long sum(LongStream numbers) {
    return numbers.reduce(0, Math::addExact);
  }

  private static Iterable<JsonNode> entries(
      List<ShardFacts> shards, BiFunction<Long, ShardFacts, ObjectNode> entry) {
    return () ->
        IntStream.range(0, shards.size())
            .<JsonNode>mapToObj(i -> entry.apply(id(shards.get(i), i), shards.get(i)))
            .iterator();
  }

  /**
   * Returns the number in the name of the shard, which all writers record, or, if the name has no
   * number, the position of the shard, counted from 1.
   */
  private static long id(ShardFacts shard, int index) {
    long number = ShardFiles.number(shard.name());
    return number < 0 ? index + 1 : number;
  }

  private static Document document(Map<String, Iterable<JsonNode>> fields) {
    return new Document(ActivationManifest.FILE, out -> JsonNodeWriter.write(out, fields));
  }
}
