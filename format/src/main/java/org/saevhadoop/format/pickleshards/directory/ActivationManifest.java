package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.InputBytes;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * Content of a metadata.json. It must not be trusted until {@link ManifestCheck} has compared it
 * with the shards.
 *
 * @param document all fields except {@code shards}, whether known or not
 * @param shards one entry per listed file, in stored order
 */
public record ActivationManifest(
    String path, Form form, ObjectNode document, List<ManifestEntry> shards, Totals totals) {
  public static final String FILE = "metadata.json";

  /** Maximum size in bytes. An entry takes about 400 bytes, so real documents are far smaller. */
  public static final int MAX_BYTES = 32 << 20;

  /** Limits that are checked before parsing; the parser itself counts values. */
  private static final JsonLimits LIMITS = new JsonLimits(MAX_BYTES, MAX_BYTES, 4 << 20, 4 << 20);

  /** Dialect of a manifest. */
  public enum Form {
    /** The dialect of the specification, which has a version. */
    SPEC,
    /** The dialect of programs that write shards in practice; it has no version. */
    REAL
  }

  /**
   * Declared totals; null for each total that is absent.
   *
   * @param samples the number of distinct samples
   * @param activations the number of arrays: samples times layers
   */
  public record Totals(
      @Nullable Long shards,
      @Nullable Long samples,
      @Nullable Long activations,
      @Nullable Long bytes,
      @Nullable List<Integer> layers,
      @Nullable Double seconds) {}

  /** Reads the manifest of a directory. */
  public static ActivationManifest read(Folder folder) throws IOException {
    try (Input in = folder.open(FILE)) {
      PickleError.LIMIT_EXCEEDED.check(
          in.length() <= MAX_BYTES,
          in.path(),
          "has %d bytes (expected at most %d)",
          in.length(),
          MAX_BYTES);
      return parse(in.path(), LIMITS.guard(in.path(), new InputBytes(in)));
    }
  }

  /**
   * Parses a manifest.
   *
   * @throws org.saevhadoop.format.io.FormatException with BAD_METADATA, UNSAFE_PATH,
   *     UNSUPPORTED_VERSION or LIMIT_EXCEEDED if the manifest cannot be used
   */
  public static ActivationManifest parse(String path, InputStream text) throws IOException {
    return new ManifestParser(path).parse(text);
  }

  /** Returns the description of the model and the dataset, if present. */
  public Optional<ObjectNode> extractionConfig() {
    return object("extraction_config");
  }

  /** Returns the description of the hosts, if present. */
  public Optional<ObjectNode> distributedConfig() {
    return object("distributed_config");
  }

  private Optional<ObjectNode> object(String key) {
    JsonNode value = document.get(key);
    return value instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }
}
