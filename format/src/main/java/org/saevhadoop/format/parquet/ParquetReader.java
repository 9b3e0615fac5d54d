package org.saevhadoop.format.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.gather.BufferInput;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * Determines the arrays that the columns of Parquet files represent. The elements of these arrays
 * are stored in pages and cannot be read in place.
 *
 * @param settings the settings, which can name the arrays
 */
record ParquetReader(Settings settings) implements ArrayReader {
  private static final String SUFFIX = ".parquet";
  private static final int MAX_ELEMENT_BYTES = 64 << 20;

  /** Skips _metadata, .crc files and uncommitted output, like Spark. */
  @Override
  public boolean isNamed(String file) {
    return file.endsWith(SUFFIX) && !file.startsWith("_") && !file.startsWith(".");
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      TableFooter footer = TableFooter.read(in);
      Optional<RowLayout> rows = RowLayout.of(footer, ArrayKeys.mappings(settings));
      if (rows.isPresent()) {
        return content(rows.get().table(rows.get().examples(footer)), List.of());
      }
      TableArrays table = TableArrays.of(in, settings);
      if (footer.rows() == 0) {
        return ArrayFile.NO_EXAMPLES;
      }
      List<Column> columns = new ArrayList<>();
      table.arrays().forEach(own -> columns.add(new Column(own.name(), own.dtype(), own.row())));
      ArrayFile content = content(new TableShape(footer.rows(), columns), table.warnings());
      Optional<RaggedRows> ragged = table.raggedRows(in);
      ArrayFile divided =
          ragged.isEmpty()
              ? content
              : parts(content, ragged.get().parts(content.arrays(), table.raggedNames()));
      return divided.withSamples(!table.samples().isEmpty());
    }
  }

  private static ArrayFile parts(ArrayFile content, List<List<FileArray>> parts) {
    return new ArrayFile(parts.get(0), content.values(), content.entries(), content.warnings())
        .withFollowing(parts.stream().skip(1).map(ArrayFile::of).toList());
  }

  private static ArrayFile content(TableShape table, List<String> warnings) {
    List<FileArray> arrays = new ArrayList<>();
    List<ArchiveEntry> pages = new ArrayList<>();
    for (Column column : table.columns()) {
      List<Long> shape = new ArrayList<>(column.shape());
      shape.add(0, table.examples());
      int width = column.dtype().bits() / Byte.SIZE;
      StridedLayout layout = StridedLayout.cOrder(0, width, shape);
      arrays.add(new FileArray(column.name(), column.dtype(), layout));
      pages.add(new ArchiveEntry(column.name(), false, 0, layout.length(), layout.length(), 0));
    }
    return new ArrayFile(arrays, Map.of(), pages, warnings);
  }

  /** Decodes the integers of a column, such as a mask. */
  @Override
  public Input elements(Folder folder, String path, String name) throws IOException {
    try (Input in = ArrayFiles.open(folder, path)) {
      TableFooter footer = TableFooter.read(in);
      Optional<RowLayout> rows = RowLayout.of(footer, ArrayKeys.mappings(settings));
      ByteArrayOutputStream elements = new ByteArrayOutputStream();
      ColumnReader.Sink sink =
          some -> {
            ParquetError.LIMIT_EXCEEDED.check(
                elements.size() + some.remaining() <= MAX_ELEMENT_BYTES,
                in.path(),
                "column %s has too many values (expected at most %d bytes)",
                name,
                MAX_ELEMENT_BYTES);
            byte[] bytes = new byte[some.remaining()];
            some.get(bytes);
            elements.writeBytes(bytes);
          };
      if (rows.isPresent()) {
        readIntegers(in, footer, rows.get(), name, sink);
      } else {
        readColumn(in, name, sink);
      }
      return new BufferInput(in.path(), ByteBuffer.wrap(elements.toByteArray()));
    }
  }

  @Override
  public Optional<SampleMetadata> samples(Folder folder, String path) throws IOException {
    return sampleFields(folder, path).isEmpty()
        ? Optional.empty()
        : Optional.of(
            (first, count) -> {
              throw ParquetError.NOT_STAGED.in(
                  folder.path(path), "is in Parquet, whose pages cannot be read in place");
            });
  }

  @Override
  public List<String> sampleFields(Folder folder, String path) throws IOException {
    try (Input in = ArrayFiles.open(folder, path)) {
      if (RowLayout.of(TableFooter.read(in), ArrayKeys.mappings(settings)).isPresent()) {
        return List.of(); // in this project's rows, sample metadata is a separate column
      }
      TableArrays table = TableArrays.of(in, settings);
      return table.samples().stream().map(i -> table.footer().columns().get(i).name()).toList();
    }
  }

  /** Reads the per-token integers, which belong to the row groups of the first layer. */
  private static void readIntegers(
      Input in, TableFooter footer, RowLayout rows, String name, ColumnReader.Sink sink)
      throws IOException {
    int column = RowLayout.index(footer, name);
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      if (rows.isFirst(RowGroupKeys.read(in, footer, group, rows).layers().get(0))) {
        new ColumnReader(in, footer, group, column, rows.lengths()).read(sink);
      }
    }
  }

  private void readColumn(Input in, String name, ColumnReader.Sink sink) throws IOException {
    TableArrays table = TableArrays.of(in, settings);
    TableArrays.Array array =
        table.arrays().stream()
            .filter(found -> found.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    FileError.NOT_FOUND.in(
                        in.path(),
                        "has no column %s (expected one of %s)",
                        name,
                        table.arrays().stream().map(TableArrays.Array::name).toList()));
    for (int group = 0; group < table.footer().rowGroups().size(); group++) {
      table.read(in, group, array, sink);
    }
  }
}
