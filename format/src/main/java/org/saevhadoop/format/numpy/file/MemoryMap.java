package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;

/**
 * Description of an array in a file without a header ({@code numpy.memmap}).
 *
 * @param path the path of the document, for messages
 * @param json its content
 */
record MemoryMap(String path, Map<?, ?> json) {
  /** Suffix of file names. */
  static final String SUFFIX = ".memmap";

  private static final String META = ".meta";

  private static final JsonLimits LIMITS = new JsonLimits(1 << 16, 1000, 1 << 10, 100);

  private static final int MAX_SHOWN = 40;
  private static final int MAX_DIMENSIONS = 64;

  /** Reads the document of a file and compares the length of the file with it. */
  static FileArray read(Folder folder, String file, ElementTypes types) throws IOException {
    MemoryMap map = describing(folder, file);
    NumpyType type = map.type();
    List<Long> shape = map.shape();
    DType dtype = types.of(map.path, type);
    try (Input in = folder.open(file)) {
      StridedLayout layout = StridedLayout.cOrder(0, type.itemSize(), shape);
      NpyError.WRONG_LENGTH.check(
          in.length() == layout.length(),
          in.path(),
          "has %d bytes (expected %d, the size of an array %s of %s)",
          in.length(),
          layout.length(),
          shape,
          dtype);
      return new FileArray(ArrayFile.UNNAMED, dtype, layout, NpyArray.swapUnit(type));
    } catch (ArithmeticException e) {
      throw NpyError.BAD_DESCRIPTION
          .in(map.path, "has the shape %s, which no file can hold", shape)
          .causedBy(e);
    }
  }

  private static MemoryMap describing(Folder folder, String file) throws IOException {
    String base = file.substring(0, file.length() - SUFFIX.length());
    for (String name : List.of(file + META, base + META)) {
      Optional<MemoryMap> found = document(folder, name);
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw NpyError.NO_DESCRIPTION.in(
        folder.path(file),
        "has no document that states its shape (expected %s%s, or --raw DTYPE,N,M)",
        base,
        META);
  }

  /** Reads a document; empty if there is none. */
  static Optional<MemoryMap> document(Folder folder, String name) throws IOException {
    String path = folder.path(name);
    try {
      if (PythonJson.parse(path, LIMITS.read(folder, name)) instanceof Map<?, ?> map) {
        return Optional.of(new MemoryMap(path, map));
      }
    } catch (FormatException e) {
      if (e.kind() == FileError.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
    throw NpyError.BAD_DESCRIPTION.in(path, "is not a JSON object (expected shape and dtype)");
  }

  /** Returns the dimensions that the document states. */
  List<Long> shape() throws FormatException {
    List<Long> sizes = new ArrayList<>();
    boolean isShape = json.get("shape") instanceof List<?>;
    for (Object item : json.get("shape") instanceof List<?> items ? items : List.of()) {
      Optional<Long> size = size(item);
      isShape &= size.isPresent();
      sizes.add(size.orElse(0L));
    }
    NpyError.BAD_DESCRIPTION.check(
        isShape && sizes.size() <= MAX_DIMENSIONS,
        path,
        "field shape is not a list of sizes (expected up to %d sizes from 0 to 2^63 - 1)",
        MAX_DIMENSIONS);
    return sizes;
  }

  private static Optional<Long> size(@Nullable Object item) {
    try {
      return item instanceof JsonNumber number
          ? Optional.of(number.longValueExact()).filter(size -> size >= 0)
          : Optional.empty();
    } catch (ArithmeticException e) {
      return Optional.empty(); // a fraction, or too large
    }
  }

  /** Returns the name of the type; empty if the name is absent or not a string. */
  Optional<String> word() {
    return json.get("dtype") instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /**
   * Returns the type that the document names; float32 if the document names none, as in old
   * documents.
   */
  NumpyType type() throws FormatException {
    String text = json.containsKey("dtype") ? word().orElse("") : "float32";
    return RawArray.type(text)
        .orElseThrow(
            () ->
                NpyError.UNSUPPORTED.in(
                    path,
                    "field dtype is %s (expected a name such as float32 or torch.bfloat16)",
                    text.isEmpty() ? "not a type" : '"' + Quote.show(text, MAX_SHOWN) + '"'));
  }
}
