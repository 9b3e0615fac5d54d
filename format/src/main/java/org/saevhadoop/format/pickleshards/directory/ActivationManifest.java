package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * What a metadata.json says. Nothing of it is believed before {@link ManifestCheck} has held it
 * against the shards.
 *
 * @param path of the file, for messages
 * @param form which of the two
 * @param document all fields but {@code shards}, known or not
 * @param shards one entry for each file that is listed, in the list's order
 * @param totals of the dataset
 */
public record ActivationManifest(
    String path, Form form, ObjectNode document, List<ManifestEntry> shards, Totals totals) {
  /** The file's name. */
  public static final String FILE = "metadata.json";

  /** Bytes; an entry has about 400, so that this is far more than any real one has. */
  public static final int MOST_BYTES = 32 << 20;

  /** Whose manifest it is. */
  public enum Form {
    /** That of the specification: it has a version. */
    SPEC,
    /** That of the programs that really write shards: it has none. */
    REAL
  }

  /**
   * The totals that are told; null for each that is not.
   *
   * @param samples of them all, each counted once
   * @param activations arrays: samples times layers
   * @param bytes of the files
   * @param layers in the list's order
   * @param seconds that the extraction took
   */
  public record Totals(
      Long shards,
      Long samples,
      Long activations,
      Long bytes,
      List<Integer> layers,
      Double seconds) {}

  /** Reads the one of a directory. */
  public static ActivationManifest read(Folder folder) throws IOException {
    try (Input in = folder.open(FILE)) {
      PickleError.LIMIT_EXCEEDED.check(
          in.length() <= MOST_BYTES,
          in.path(),
          "has %d bytes (expected at most %d)",
          in.length(),
          MOST_BYTES);
      return parse(in.path(), new Bytes(in));
    }
  }

  /**
   * Reads one.
   *
   * @param path for messages
   * @throws org.saevhadoop.format.io.FormatException BAD_METADATA, UNSAFE_PATH, UNSUPPORTED_VERSION
   *     or LIMIT_EXCEEDED
   */
  public static ActivationManifest parse(String path, InputStream text) throws IOException {
    return new ManifestParser(path).parse(text);
  }

  /** The model and the dataset, where the manifest has them. */
  public Optional<ObjectNode> extractionConfig() {
    return object("extraction_config");
  }

  /** The machines, where the manifest has them. */
  public Optional<ObjectNode> distributedConfig() {
    return object("distributed_config");
  }

  private Optional<ObjectNode> object(String key) {
    JsonNode value = document.get(key);
    return value instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }

  /** A file from its beginning to its end. */
  private static final class Bytes extends InputStream {
    private final Input in;
    private long position;

    Bytes(Input in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int n = (int) Math.min(length, in.length() - position);
      if (n == 0 && length > 0) {
        return -1;
      }
      in.readFully(position, ByteBuffer.wrap(bytes, offset, n));
      position += n;
      return n;
    }
  }
}
