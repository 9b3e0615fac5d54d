package org.saevhadoop.format.safetensors.dataset;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.header.JsonText;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;

/**
 * A file with tensors named {@code <id><separator><column>}. The column follows the last separator.
 * Examples are in ascending order if all ids are decimal numbers, and otherwise in data order.
 *
 * @param ids the ids of the examples
 * @param columns the columns in the data order of the first example
 * @param begins the offsets of the blocks, {@code [example, column]}
 */
record KeyedFile(List<String> ids, List<Column> columns, long[] begins) implements FileLayout {
  private static final int MAX_NUMBER = 18;

  static KeyedFile of(String path, SafetensorsHeader header, String separator)
      throws FormatException {
    TensorDatasetError.BAD_KEY.check(!header.tensors().isEmpty(), path, "contains no tensors");
    Map<String, Integer> positions = new LinkedHashMap<>();
    List<Column> columns = columns(path, header, separator, positions);
    Map<String, long[]> rows = new LinkedHashMap<>();
    for (TensorInfo tensor : header.tensors()) {
      String name = tensor.name();
      int cut = cut(path, name, separator);
      String id = name.substring(0, cut);
      Integer position = positions.get(name.substring(cut + separator.length()));
      if (position == null || !matches(columns.get(position), tensor)) {
        throw TensorDatasetError.BAD_KEY.in(
            path,
            "tensor %s is %s %s (expected one of the columns %s)",
            JsonText.show(name),
            tensor.dtype(),
            tensor.shape(),
            columns);
      }
      rows.computeIfAbsent(id, key -> empty(columns.size()))[position] = tensor.begin();
    }
    List<String> ids = ordered(rows.keySet());
    LongBuffer begins = LongBuffer.allocate(Math.multiplyExact(ids.size(), columns.size()));
    for (String id : ids) {
      for (int c = 0; c < columns.size(); c++) {
        long begin = Objects.requireNonNull(rows.get(id))[c];
        if (begin < 0) {
          throw TensorDatasetError.BAD_KEY.in(
              path, "has no tensor %s", JsonText.show(id + separator + columns.get(c).name()));
        }
        begins.put(begin);
      }
    }
    return new KeyedFile(ids, columns, begins.array());
  }

  /** Returns whether every id has a tensor for each column. */
  static boolean fits(SafetensorsHeader header, String separator) {
    try {
      of("", header, separator);
      return true;
    } catch (FormatException e) {
      return false;
    }
  }

  /** Returns the number of distinct ids; -1 if a name does not contain the separator. */
  static long countIds(SafetensorsHeader header, String separator) {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < header.tensors().size(); i++) {
      String name = header.name(i);
      int cut = name.lastIndexOf(separator);
      if (cut < 0) {
        return -1;
      }
      ids.add(name.substring(0, cut));
    }
    return ids.size();
  }

  @Override
  public long examples() {
    return ids.size();
  }

  @Override
  public BlockOffsets placement(List<Column> order, long dataStart) {
    Map<Column, Integer> all = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      all.put(columns.get(i), i);
    }
    int[] positions = order.stream().mapToInt(all::get).toArray();
    int width = columns.size();
    return (index, column) -> dataStart + begins[(int) index * width + positions[column]];
  }

  private static List<Column> columns(
      String path, SafetensorsHeader header, String separator, Map<String, Integer> positions)
      throws FormatException {
    List<Column> columns = new ArrayList<>();
    String first = null;
    for (int i = 0; i < header.tensors().size(); i++) {
      String key = header.name(i);
      int cut = cut(path, key, separator);
      String id = key.substring(0, cut);
      first = first == null ? id : first;
      if (id.equals(first)) {
        TensorInfo tensor = header.tensors().get(i);
        String name = key.substring(cut + separator.length());
        positions.put(name, columns.size());
        columns.add(BatchFile.column(path, name, tensor, tensor.shape()));
      }
    }
    return columns;
  }

  private static int cut(String path, String name, String separator) throws FormatException {
    int cut = name.lastIndexOf(separator);
    if (cut < 0 || separator.isEmpty()) {
      throw TensorDatasetError.BAD_KEY.in(
          path,
          "tensor %s is not a key (expected <id>%s<column>)",
          JsonText.show(name),
          separator.isEmpty() ? "<separator>" : separator);
    }
    return cut;
  }

  private static boolean matches(Column column, TensorInfo tensor) {
    return column.dtype() == tensor.dtype() && column.shape().equals(tensor.shape());
  }

  private static long[] empty(int columns) {
    long[] begins = new long[columns];
    Arrays.fill(begins, -1);
    return begins;
  }

  private static List<String> ordered(Set<String> ids) {
    List<String> ordered = new ArrayList<>(ids);
    if (ids.stream().allMatch(KeyedFile::isNumber)) {
      ordered.sort(Comparator.comparingInt(String::length).thenComparing(Function.identity()));
    }
    return ordered;
  }

  /** Returns whether an id is a non-negative decimal number in Java notation. */
  static boolean isNumber(String id) {
    boolean isNumber = !id.isEmpty() && id.length() <= MAX_NUMBER;
    for (int i = 0; isNumber && i < id.length(); i++) {
      isNumber = id.charAt(i) >= '0' && id.charAt(i) <= '9';
    }
    return isNumber && (id.length() == 1 || id.charAt(0) != '0');
  }
}
