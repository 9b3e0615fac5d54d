package org.saevhadoop.format.arrays;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;
import org.saevhadoop.format.torch.file.TorchReader;
import org.saevhadoop.format.zip.HandMadeZip;

/** Files of arrays as programs write them, in memory. */
final class StoredArrays {
  /** A kind of files. */
  enum Container {
    /** One array, without a name. */
    NPY,
    NPZ,
    TORCH;

    ArrayReader reader() {
      return this == TORCH ? new TorchReader() : new NumpyReader(null);
    }
  }

  /**
   * An array, whose values are the indexes of the elements in C order.
   *
   * @param type of numpy, such as {@code <f4}; {@code f4} or {@code i8}
   * @param order the dimensions in the file, that which varies fastest last
   */
  record Stored(String name, String type, long[] shape, int[] order) {
    /** Returns an array in C order. */
    static Stored of(String name, String type, long... shape) {
      return new Stored(name, type, shape, IntStream.range(0, shape.length).toArray());
    }

    int count() {
      return (int) LongStream.of(shape).reduce(1, (a, b) -> a * b);
    }

    private boolean isFloat() {
      return type.endsWith("f4");
    }

    private boolean isFortran() {
      return order.length > 1 && order[0] > order[1];
    }

    /** Returns the distances of adjacent elements, counted in elements. */
    private long[] strides() {
      long[] strides = new long[shape.length];
      long stride = 1;
      for (int i = order.length - 1; i >= 0; i--) {
        strides[order[i]] = stride;
        stride *= shape[order[i]];
      }
      return strides;
    }

    private byte[] bytes() {
      int width = isFloat() ? Float.BYTES : Long.BYTES;
      ByteBuffer bytes = ByteBuffer.allocate(count() * width);
      bytes.order(type.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
      long[] strides = strides();
      for (int i = 0; i < count(); i++) {
        long at = 0;
        int rest = i;
        for (int dimension = shape.length - 1; dimension >= 0; dimension--) {
          at += rest % shape[dimension] * strides[dimension];
          rest /= (int) shape[dimension];
        }
        if (isFloat()) {
          bytes.putFloat((int) at * width, i);
        } else {
          bytes.putLong((int) at * width, i);
        }
      }
      return bytes.array();
    }

    private byte[] npy() {
      String sizes =
          LongStream.of(shape).mapToObj(size -> size + ",").collect(Collectors.joining());
      byte[] header =
          "{'descr': '%s', 'fortran_order': %s, 'shape': (%s)}\n"
              .formatted(type, isFortran() ? "True" : "False", sizes)
              .getBytes(StandardCharsets.US_ASCII);
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      file.writeBytes("\u0093NUMPY\1\0".getBytes(StandardCharsets.ISO_8859_1));
      file.write(header.length);
      file.write(header.length >> Byte.SIZE);
      file.writeBytes(header);
      file.writeBytes(bytes());
      return file.toByteArray();
    }
  }

  private final MemoryStorage folder = new MemoryStorage("/data");
  private final Container container;

  StoredArrays(Container container) {
    this.container = container;
  }

  MemoryStorage folder() {
    return folder;
  }

  /** Writes a file. */
  void add(String file, Stored... arrays) {
    switch (container) {
      case NPY -> folder.put(file + ".npy", arrays[0].npy());
      case NPZ -> {
        HandMadeZip zip = new HandMadeZip();
        Arrays.stream(arrays).forEach(array -> zip.stored(array.name + ".npy", array.npy()));
        folder.put(file + ".npz", zip.bytes());
      }
      case TORCH -> folder.put(file + ".pt", torch(arrays));
    }
  }

  private static byte[] torch(Stored... arrays) {
    List<String> items = new ArrayList<>();
    for (int i = 0; i < arrays.length; i++) {
      String type = TorchPickle.torch(arrays[i].isFloat() ? "FloatStorage" : "LongStorage");
      String storage = TorchPickle.storage(type, "" + i, arrays[i].count());
      items.add(TorchPickle.text(arrays[i].name));
      items.add(TorchPickle.tensor(storage, 0, arrays[i].shape, arrays[i].strides()));
    }
    TorchFile file = TorchFile.of(TorchPickle.dict(items.toArray(String[]::new)));
    for (int i = 0; i < arrays.length; i++) {
      file.storage("" + i, arrays[i].bytes());
    }
    return file.bytes();
  }

  ArrayDataset open(ArrayOptions options) throws IOException {
    return ArrayDataset.open(Location.of(folder), container.reader(), options);
  }

  ArrayDataset open(ArrayOptions options, ArraySurvey survey) throws IOException {
    return ArrayDataset.open(Location.of(folder), container.reader(), options, survey);
  }
}
