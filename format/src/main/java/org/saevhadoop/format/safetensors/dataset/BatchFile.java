package org.saevhadoop.format.safetensors.dataset;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.header.JsonText;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.header.TensorSize;

/**
 * A file whose tensors share the leading dimension, which counts the examples.
 *
 * @param examples the leading dimension
 * @param columns the tensors without the leading dimension, in data order
 * @param begins the offset of each tensor, by column
 */
record BatchFile(long examples, List<Column> columns, List<Long> begins) implements FileLayout {
  /**
   * Maximum number of columns: a file with a million tensors is either in the key-value layout or
   * malicious.
   */
  private static final int MAX_COLUMNS = 100_000;

  static BatchFile of(String path, SafetensorsHeader header) throws FormatException {
    int count = header.tensors().size();
    TensorDatasetError.BAD_COLUMN.check(
        count > 0, path, "contains no tensors (expected columns [n, ...])");
    TensorDatasetError.BAD_COLUMN.check(
        count <= MAX_COLUMNS,
        path,
        "holds %d tensors (expected at most %d columns [n, ...])",
        count,
        MAX_COLUMNS);
    TensorInfo first = header.tensors().get(0);
    List<Column> columns = new ArrayList<>();
    List<Long> begins = new ArrayList<>();
    for (TensorInfo tensor : header.tensors()) {
      List<Long> shape = tensor.shape();
      if (shape.isEmpty() || !shape.get(0).equals(first.shape().get(0)) || shape.get(0) < 0) {
        throw TensorDatasetError.BAD_COLUMN.in(
            path,
            "tensor %s is %s (expected the examples as the first dimension, %s)",
            JsonText.show(tensor.name()),
            TensorSize.show(tensor.dtype(), shape),
            columns.isEmpty()
                ? "[n, ...]"
                : "as in %s %s"
                    .formatted(
                        JsonText.show(first.name()),
                        TensorSize.show(first.dtype(), first.shape())));
      }
      columns.add(column(path, tensor.name(), tensor, shape.subList(1, shape.size())));
      begins.add(tensor.begin());
    }
    return new BatchFile(first.shape().get(0), columns, begins);
  }

  static Column column(String path, String name, TensorInfo tensor, List<Long> shape)
      throws FormatException {
    try {
      return new Column(name, tensor.dtype(), shape);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw TensorDatasetError.BAD_COLUMN
          .in(
              path,
              "tensor %s, %s, cannot be divided into examples: %s",
              JsonText.show(tensor.name()),
              TensorSize.show(tensor.dtype(), tensor.shape()),
              e.getMessage())
          .causedBy(e);
    }
  }

  /**
   * Returns whether the tensors share a leading dimension, which must equal {@code examples} unless
   * that is unknown.
   */
  static boolean fits(SafetensorsHeader header, long examples) {
    List<TensorInfo> tensors = header.tensors();
    if (tensors.isEmpty() || tensors.get(0).shape().isEmpty()) {
      return false;
    }
    long n = examples < 0 ? tensors.get(0).shape().get(0) : examples;
    return tensors.stream().allMatch(t -> !t.shape().isEmpty() && t.shape().get(0) == n);
  }

  @Override
  public BlockOffsets placement(List<Column> order, long dataStart) {
    Map<String, Long> positions = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      positions.put(columns.get(i).name(), begins.get(i));
    }
    long[] base =
        order.stream()
            .mapToLong(c -> dataStart + Objects.requireNonNull(positions.get(c.name())))
            .toArray();
    long[] stride = order.stream().mapToLong(Column::bytes).toArray();
    return BlockOffsets.strided(base, stride);
  }
}
