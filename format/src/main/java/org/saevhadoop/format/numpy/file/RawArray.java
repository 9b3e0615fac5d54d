package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;

/**
 * An array in a file that contains nothing but its values, in C order, such as {@code f2,60,16}.
 *
 * @param word the type as the user wrote it
 * @param sizes the dimensions; one of them can be -1, for the size that follows from the length of
 *     the file
 */
public record RawArray(String word, NumpyType type, List<Long> sizes) {
  private static final int MAX_DIMENSIONS = 64;

  public RawArray {
    sizes = List.copyOf(sizes);
  }

  /**
   * Parses {@code DTYPE,N,M}: a numpy or torch type, or its name in this project, and the sizes.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static RawArray parse(String text) {
    String[] words = text.split(",", -1);
    NumpyType type =
        type(words[0].strip())
            .orElseThrow(() -> new IllegalArgumentException(words[0] + " is not a numeric type"));
    List<Long> sizes = new ArrayList<>();
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      sizes.add(Long.valueOf(word.strip()));
    }
    boolean isOpen = sizes.remove(-1L);
    if (sizes.size() + (isOpen ? 1 : 0) > MAX_DIMENSIONS
        || sizes.isEmpty() && !isOpen
        || sizes.stream().anyMatch(size -> size < (isOpen ? 1 : 0))
        || bytes(type, sizes) < 0) {
      throw new IllegalArgumentException("no file holds an array of these sizes");
    }
    return new RawArray(
        words[0].strip(),
        type,
        Arrays.stream(words).skip(1).map(word -> Long.valueOf(word.strip())).toList());
  }

  /**
   * Returns the type with the given name: a numpy or torch name, a numpy code, or a name of this
   * project such as {@code BF16}; numpy codes take precedence over names of this project.
   */
  static Optional<NumpyType> type(String word) {
    String name = word.startsWith("torch.") ? word.substring("torch.".length()) : word;
    return Arrays.stream(DType.values())
        .filter(dtype -> dtype.numpyName().equals(name))
        .flatMap(dtype -> type(dtype).stream())
        .findFirst()
        .or(() -> NumpyType.parse(name).filter(type -> !type.isText()))
        .or(
            () ->
                Arrays.stream(DType.values())
                    .filter(dtype -> dtype.name().equalsIgnoreCase(name.replace('-', '_')))
                    .flatMap(dtype -> type(dtype).stream())
                    .findFirst());
  }

  private static Optional<NumpyType> type(DType dtype) {
    return dtype.bits() % Byte.SIZE != 0
        ? Optional.empty()
        : NumpyType.of(dtype)
            .or(() -> Optional.of(new NumpyType('V', dtype.bits() / Byte.SIZE, false, dtype)));
  }

  /** Returns the size of the values in bytes; negative if it is 2^63 or larger. */
  private static long bytes(NumpyType type, List<Long> sizes) {
    long bytes = sizes.contains(0L) ? 0 : type.itemSize();
    for (long size : sizes) {
      if (Math.multiplyHigh(bytes, size) != 0 || bytes * size < 0) {
        return -1;
      }
      bytes *= size;
    }
    return bytes;
  }

  /** Returns the array in a file, whose length must match the values. */
  FileArray in(Input file, ElementTypes types) throws IOException {
    DType dtype = types.of(file.path(), type);
    List<Long> known = sizes.stream().filter(size -> size != -1).toList();
    boolean isOpen = known.size() < sizes.size();
    long bytes = bytes(type, known);
    long length = file.length();
    NpyError.WRONG_LENGTH.check(
        isOpen ? length % bytes == 0 : length == bytes,
        file.path(),
        "has %d bytes (expected %s%d, the size of %s of %s)",
        length,
        isOpen ? "a multiple of " : "",
        bytes,
        known.isEmpty() ? "a value" : "an array " + known,
        dtype);
    List<Long> shape =
        sizes.stream().map(size -> size == -1 ? Long.valueOf(length / bytes) : size).toList();
    return new FileArray(
        ArrayFile.UNNAMED,
        dtype,
        StridedLayout.cOrder(0, type.itemSize(), shape),
        NpyArray.swapUnit(type));
  }

  /** Returns the text that {@link #parse} accepts. */
  @Override
  public String toString() {
    return sizes.stream().map(size -> "," + size).collect(Collectors.joining("", word, ""));
  }
}
