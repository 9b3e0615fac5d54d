package org.saevhadoop.format.spi;

import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** Reads tensors of one dimension that fit into memory. */
@FunctionalInterface
public interface VectorTensors {
  /**
   * Reads the tensors of a file whose names a pattern matches, by their names.
   *
   * @throws FormatException if the file is malformed, or one of them is not of float64 and of one
   *     dimension, or empty
   */
  Map<String, double[]> read(Input file, Pattern names) throws IOException;
}
