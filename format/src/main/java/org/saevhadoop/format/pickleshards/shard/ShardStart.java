package org.saevhadoop.format.pickleshards.shard;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.gzip.GzipSource;
import org.saevhadoop.format.gzip.PlainOrGzip;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickle.read.PickleReader;
import org.saevhadoop.format.pickle.value.NoPayloads;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * Distinguishes shards from pickles of other arrays by the containers that enclose the first array.
 */
public final class ShardStart {
  private ShardStart() {}

  /**
   * Returns whether the first array in a pickle, or the first object of another class, is outside
   * the samples of the layers. Returns false if the pickle has no array or cannot be read. For gzip
   * files, which no other format reads, the result is also false for objects of other classes and
   * for pickles with layers.
   *
   * @param file the pickle, which is closed afterwards
   */
  public static boolean isOfOther(Input file) throws IOException {
    try (ByteSource source = PlainOrGzip.open(file, 1)) {
      List<Object> around = PickleReader.around(source, new NoPayloads(), PickleLimits.DEFAULT);
      boolean isArray =
          !around.isEmpty() && around.get(around.size() - 1) instanceof PythonValue.NumpyArray;
      boolean hasLayer = around.stream().anyMatch(o -> LayerKey.number(o).isPresent());
      boolean mayBeOther = source instanceof GzipSource ? isArray && !hasLayer : !around.isEmpty();
      return mayBeOther && !isInSample(around);
    } catch (FormatException e) {
      return false; // reading the shard reports it
    }
  }

  /**
   * Returns the first array of a shard; empty if it has none.
   *
   * @param file the shard, which is closed afterwards
   * @throws FormatException if the file is damaged before the end of that array
   */
  public static Optional<PythonValue.NumpyArray> firstArray(Input file) throws IOException {
    try (ByteSource source = PlainOrGzip.open(file, 1)) {
      return PickleReader.firstArray(source, new NoPayloads(), PickleLimits.DEFAULT);
    }
  }

  /**
   * Returns the key of the layer that contains the first array, which is an integer or a string;
   * empty if there is none.
   *
   * @param file the shard, which is closed afterwards
   * @throws FormatException if the file is damaged before the end of that array
   */
  public static Optional<Object> firstLayerKey(Input file) throws IOException {
    try (ByteSource source = PlainOrGzip.open(file, 1)) {
      return PickleReader.around(source, new NoPayloads(), PickleLimits.DEFAULT).stream()
          .filter(key -> LayerKey.number(key).isPresent())
          .findFirst();
    }
  }

  /**
   * Returns whether the containers include a sample: the layers are a dict that contains lists of
   * dicts.
   */
  private static boolean isInSample(List<Object> around) {
    if (!(around.get(0) instanceof PythonValue.Dict)) {
      return false;
    }
    for (int i = 1; i + 2 < around.size(); i++) {
      boolean isSample =
          around.get(i + 1) instanceof PythonValue.PyList
              && around.get(i + 2) instanceof PythonValue.Dict;
      if (isSample && LayerKey.number(around.get(i)).isPresent()) {
        return true;
      }
    }
    return around.contains(ShardSamples.ID);
  }
}
