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
   * Reads the tensors of a file whose names match a pattern; the result maps names to values.
   *
   * @throws FormatException if the file is malformed, or a tensor is empty or not one-dimensional
   *     float64
   */
  Map<String, double[]> read(Input file, Pattern names) throws IOException;
}
