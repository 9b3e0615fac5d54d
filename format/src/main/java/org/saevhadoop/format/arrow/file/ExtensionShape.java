package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.PythonJson;

/**
 * The shapes of arrays in extension types. The extension types of Hugging Face's {@code datasets}
 * store an array as lists of lists (src/datasets/features/features.py of datasets 4.0, {@code
 * _ArrayXDExtensionType}); {@code arrow.fixed_shape_tensor} stores it as one list
 * (CanonicalExtensions.rst, Arrow 18).
 */
final class ExtensionShape {
  private static final Pattern DATASETS =
      Pattern.compile("datasets\\.features\\.features\\.Array[2-5]DExtensionType");

  private static final String TENSOR = "arrow.fixed_shape_tensor";
  private static final int MAX_TEXT = 1 << 12;
  private static final int MAX_SHOWN = 100;

  private ExtensionShape() {}

  /**
   * Returns the dimensions that a field stores in one list; an empty list if each dimension is a
   * level of lists; null if the type of the field is unknown.
   */
  static @Nullable List<Long> of(String path, ArrowField field) throws IOException {
    String type = field.extension();
    if (type.isEmpty() || DATASETS.matcher(type).matches()) {
      return List.of();
    }
    return type.equals(TENSOR) && field.type() == ArrowType.FIXED_SIZE_LIST
        ? tensor(path, field)
        : null;
  }

  private static @Nullable List<Long> tensor(String path, ArrowField field) throws IOException {
    String text = field.extensionText();
    Object json =
        text.length() > MAX_TEXT
            ? null
            : PythonJson.parse(path, text.getBytes(StandardCharsets.UTF_8));
    if (!(json instanceof Map<?, ?> map)
        || !(map.get("shape") instanceof List<?> sizes)
        || !isIdentity(map.get("permutation"), sizes.size())) {
      return null;
    }
    List<Long> shape = new ArrayList<>();
    long product = 1;
    for (Object size : sizes) {
      long number =
          size instanceof JsonNumber n && n.text().matches("[1-9][0-9]{0,8}")
              ? Long.parseLong(n.text())
              : 0;
      shape.add(number);
      product = product > Integer.MAX_VALUE ? product : product * number;
    }
    return product == field.size() ? shape : null;
  }

  /**
   * Returns whether dimensions are stored in order; pyarrow may write a permutation that keeps the
   * order.
   */
  private static boolean isIdentity(@Nullable Object permutation, int dims) {
    List<String> inOrder = IntStream.range(0, dims).mapToObj(String::valueOf).toList();
    return permutation == null
        || permutation instanceof List<?> order
            && order.stream()
                .map(each -> each instanceof JsonNumber number ? number.text() : "")
                .toList()
                .equals(inOrder);
  }

  /** Returns the type of a column that is not read, for messages. */
  static String describe(ArrowField field, ArrowField innermost) {
    ArrowField named = field.extension().isEmpty() ? innermost : field;
    if (named.isEncoded()) {
      return "of a dictionary";
    }
    return named.extension().isEmpty()
        ? named.type().toString()
        : Quote.show(named.extension(), MAX_SHOWN);
  }
}
