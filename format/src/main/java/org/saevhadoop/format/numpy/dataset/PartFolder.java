package org.saevhadoop.format.numpy.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;

/**
 * The folder of a dataset, in which each part appears as a file that contains the values of its
 * columns, one column after another.
 */
final class PartFolder extends ForwardingFolder {
  private final Map<String, ArraysDocument.Part> parts;
  private final List<Column> columns;

  /**
   * Wraps the folder of a document. The columns that the document lists are followed by the labels
   * and the per-token integers of the first part.
   */
  static PartFolder of(Folder folder, ArraysDocument document) throws IOException {
    List<Column> columns = new ArrayList<>(document.table().columns());
    List<ArraysDocument.Part> parts = document.parts();
    if (!parts.isEmpty()) {
      ArraysDocument.Part first = parts.get(0);
      if (first.labels() != null && parts.stream().allMatch(part -> part.labels() != null)) {
        columns.add(column(folder, first.labels(), Column.LABELS, DType.U8));
      }
      for (Map.Entry<String, String> array : first.tokens().entrySet()) {
        columns.add(column(folder, array.getValue(), array.getKey(), DType.I64));
      }
    }
    return new PartFolder(folder, parts, columns);
  }

  /**
   * Wraps a folder.
   *
   * @param columns the columns of every part, in the order of its files
   */
  private PartFolder(Folder folder, List<ArraysDocument.Part> parts, List<Column> columns) {
    super(folder);
    this.parts = parts.stream().collect(Collectors.toMap(PartFolder::name, Function.identity()));
    this.columns = columns;
  }

  private static Column column(Folder folder, String file, String name, DType dtype)
      throws IOException {
    List<Long> shape = header(folder, file, NumpyType.of(dtype)).shape();
    return new Column(name, dtype, shape.subList(Math.min(1, shape.size()), shape.size()));
  }

  /** Returns the name of the file that represents a part. */
  static String name(ArraysDocument.Part part) {
    return part.files().get(0) + "#";
  }

  List<Column> columns() {
    return columns;
  }

  /**
   * Reads the header of a file.
   *
   * @throws org.saevhadoop.format.io.FormatException if the elements have a different type
   */
  private static NpyHeader header(Folder folder, String file, Optional<NumpyType> type)
      throws IOException {
    try (Input in = folder.open(file)) {
      NpyHeader header = NpyHeader.read(in);
      String expected = type.map(NumpyType::descr).orElse("");
      NpyError.CONTRADICTION.check(
          header.type().descr().equals(expected) && !header.fortranOrder(),
          in.path(),
          "has the dtype '%s'%s (expected '%s' in C order, as in %s)",
          header.type().descr(),
          header.fortranOrder() ? " in Fortran order" : "",
          expected,
          ArraysDocument.NAME);
      return header;
    }
  }

  /** Returns the path of a file, or of the first file of a part. */
  @Override
  public String path(String name) {
    ArraysDocument.Part part = parts.get(name);
    return folder().path(part == null ? name : part.files().get(0));
  }

  @Override
  public Input open(String name) throws IOException {
    ArraysDocument.Part part = parts.get(name);
    return part == null ? folder().open(name) : open(part);
  }

  private Input open(ArraysDocument.Part part) throws IOException {
    List<StoredElements<String>> arrays = new ArrayList<>();
    List<String> files = part.all();
    NpyError.CONTRADICTION.check(
        files.size() == columns.size(),
        folder().path(ArraysDocument.NAME),
        "lists %d files of %s (expected %d, as in the first part)",
        files.size(),
        part.files().get(0),
        columns.size());
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      String file = files.get(i);
      NpyHeader header = header(folder(), file, NumpyType.of(column.dtype()));
      List<Long> shape = new ArrayList<>(column.shape());
      shape.add(0, part.examples());
      NpyError.CONTRADICTION.check(
          header.shape().equals(shape),
          folder().path(file),
          "has the shape %s (expected %s, as in %s)",
          header.shape(),
          shape,
          ArraysDocument.NAME);
      arrays.add(
          new StoredElements<>(
              file, StridedLayout.contiguous(header.dataOffset(), header.length())));
    }
    return new GatheredInput<>(path(name(part)), folder()::open, arrays);
  }
}
