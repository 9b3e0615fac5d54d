package org.saevhadoop.mapreduce.spi;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.mapreduce.conf.Settings;

/** Arrays that can be listed as they were recorded, whether or not they make a dataset. */
public interface RecordedArrays {
  /**
   * An array.
   *
   * @param file its file's path below the dataset
   * @param layer the layer
   * @param sample the id of the sample
   * @param dtype the type of its values, by numpy's name
   * @param sha256 of its bytes in C order; null if digests are not asked for
   */
  record Recorded(String file, int layer, long sample, long[] shape, String dtype, String sha256) {}

  /**
   * Hands all arrays to a visitor, in the order in which they are recorded.
   *
   * @param digests whether their digests are asked for
   * @param warnings takes what the user should know
   * @return what is wrong, though the arrays can be read
   * @throws FormatException if a file cannot be read
   */
  List<FormatException> forEach(
      Location location,
      Settings settings,
      boolean digests,
      Consumer<Recorded> visitor,
      Consumer<String> warnings)
      throws IOException;
}
