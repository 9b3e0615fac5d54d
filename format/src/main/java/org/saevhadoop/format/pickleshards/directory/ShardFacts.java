package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * Facts about a shard, collected when it was read or written.
 *
 * @param bytes the length of the file as stored
 * @param sha256 the SHA-256 of the file as stored, in 64 lowercase hexadecimal digits; null if it
 *     was not computed
 * @param distinctSamples the number of distinct sample ids in all layers
 * @param minSampleId the minimum sample id; undefined, like the maximum, without samples
 * @param arrayBytes the uncompressed size of all arrays in bytes
 * @param maxTokens the maximum number of tokens of an array; 0 without samples
 * @param hiddenSize the number of values per vector; 0 without samples or if arrays differ
 */
public record ShardFacts(
    String name,
    long bytes,
    @Nullable String sha256,
    boolean compressed,
    SortedMap<Integer, Long> samplesOfLayer,
    long distinctSamples,
    long minSampleId,
    long maxSampleId,
    long arrayBytes,
    long maxTokens,
    long hiddenSize) {
  private static final ObjectReader READER =
      Jackson.MAPPER
          .readerFor(ShardFacts.class)
          .with(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  public ShardFacts {
    samplesOfLayer = Collections.unmodifiableSortedMap(new TreeMap<>(samplesOfLayer));
  }

  public long arrays() {
    return samplesOfLayer.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the facts as JSON, the form in which a task passes them to the committing job. */
  public byte[] toJson() throws IOException {
    return Jackson.MAPPER.writeValueAsBytes(this);
  }

  /** Parses the output of {@link #toJson}. */
  public static ShardFacts parse(String path, byte[] json) throws IOException {
    try {
      return READER.readValue(json);
    } catch (IOException e) {
      throw PickleError.BAD_METADATA
          .in(
              path,
              "does not contain the statistics of a shard (expected JSON that this program wrote)")
          .causedBy(e);
    }
  }
}
