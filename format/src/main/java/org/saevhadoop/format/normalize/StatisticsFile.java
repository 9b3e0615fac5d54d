package org.saevhadoop.format.normalize;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.spi.VectorTensors;

/**
 * A statistics file.
 *
 * @param sha256 the SHA-256 of its bytes
 */
public record StatisticsFile(String sha256, Figures figures) {
  /** Maximum length of a file: 4,096 layers of 16,384 dimensions. */
  private static final long MAX_BYTES = 1L << 30;

  /**
   * Length in bytes of the number at the beginning of a safetensors file; here the number is below
   * 2^32.
   */
  private static final int PREFIX = Long.BYTES;

  /**
   * Reads a file.
   *
   * @param tensors the reader of files that activault did not write
   * @throws FormatException if the file is not a statistics file
   */
  public static StatisticsFile read(Location location, VectorTensors tensors) throws IOException {
    FileError.NOT_A_FILE.check(
        location.isFile(),
        location.path(),
        "is a folder (expected a file of statistics, which this command writes: stats FOLDER"
            + " --to-safetensors FILE)");
    try (Input file = location.folder().open(location.file())) {
      long length = file.length();
      FileError.TOO_LARGE.check(
          length <= MAX_BYTES,
          location.path(),
          "%d bytes are too many for statistics (expected at most %d)",
          length,
          MAX_BYTES);
      Figures figures =
          isJson(file) ? ActivaultStatistics.read(location) : TensorStatistics.read(file, tensors);
      return new StatisticsFile(Sha256.of(length, file::readFully), figures);
    }
  }

  /**
   * Reads the statistics file of a normalization again.
   *
   * @param tensors the reader of files that activault did not write
   * @throws FormatException if the file has changed
   */
  public static Normalization readAgain(
      Normalization known, Location location, VectorTensors tensors) throws IOException {
    StatisticsFile found = read(location, tensors);
    NormalizeError.CHANGED.check(
        found.sha256.equals(known.sha256()),
        location.path(),
        "has changed since the run began: its SHA-256 is %s (expected %s)",
        found.sha256,
        known.sha256());
    return known.with(found.figures);
  }

  public Normalization by(NormalizeBy by, String path) {
    return new Normalization(by, sha256, path, figures);
  }

  /**
   * Returns whether a file is JSON: JSON text contains no zero bytes, but a 64-bit number below
   * 2^32 does.
   */
  private static boolean isJson(Input file) throws IOException {
    if (file.length() < PREFIX) {
      return true;
    }
    ByteBuffer first = ByteBuffer.allocate(PREFIX);
    file.readFully(0, first);
    return first.getInt(Integer.BYTES) != 0;
  }
}
