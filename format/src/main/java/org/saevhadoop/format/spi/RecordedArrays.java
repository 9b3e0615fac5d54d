package org.saevhadoop.format.spi;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.Settings;

/** Lists arrays as they were recorded, whether or not they form a dataset. */
public interface RecordedArrays {
  /**
   * One array.
   *
   * @param file the path of the file, relative to the dataset
   * @param layer the number of the layer in the model
   * @param dtype the numpy name of the type of the values
   * @param storedDtype the name of the type in the file
   * @param digest the SHA-256 of the values in C order; null if digests were not requested
   */
  record Recorded(
      String file,
      int layer,
      long sample,
      long[] shape,
      String dtype,
      String storedDtype,
      @Nullable String digest) {}

  /**
   * Passes all arrays to a visitor, in the order in which they are recorded.
   *
   * @param digests whether digests are requested
   * @param warnings accepts warnings for the user
   * @return the problems that do not prevent reading the arrays
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
