package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * Reads which arrays the columns of Parquet files are. The elements are in pages, and cannot be
 * read in place.
 *
 * @param mappings the arrays that the user has named; empty for all
 */
record ParquetReader(List<ArrayMapping> mappings) implements ArrayReader {
  private static final String SUFFIX = ".parquet";
  private static final int MAX_ELEMENT_BYTES = 64 << 20;

  /** As in Spark: skips _metadata, .crc files and uncommitted output. */
  @Override
  public boolean isNamed(String file) {
    return file.endsWith(SUFFIX) && !file.startsWith("_") && !file.startsWith(".");
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      TableArrays table = TableArrays.of(in, mappings);
      List<FileArray> arrays = new ArrayList<>();
      List<ArchiveEntry> pages = new ArrayList<>();
      for (TableArrays.Array array : table.arrays()) {
        List<Long> shape = array.shape(table.footer().rows());
        int width = array.dtype().bits() / Byte.SIZE;
        StridedLayout layout = StridedLayout.cOrder(0, width, shape);
        arrays.add(new FileArray(array.name(), array.dtype(), layout));
        pages.add(new ArchiveEntry(array.name(), false, 0, layout.length(), layout.length(), 0));
      }
      return new ArrayFile(arrays, Map.of(), pages, table.warnings());
    }
  }

  @Override
  public Input elements(Folder folder, String path, String name) throws IOException {
    try (Input in = ArrayFiles.open(folder, path)) {
      TableArrays table = TableArrays.of(in, mappings);
      TableArrays.Array array =
          table.arrays().stream()
              .filter(found -> found.name().equals(name))
              .findFirst()
              .orElseThrow(() -> FileError.NOT_FOUND.in(in.path(), "has no column %s", name));
      long bytes = Math.multiplyExact(array.rowBytes(), table.footer().rows());
      ParquetError.LIMIT_EXCEEDED.check(
          bytes <= MAX_ELEMENT_BYTES,
          in.path(),
          "column %s has %d bytes (expected at most %d)",
          name,
          bytes,
          MAX_ELEMENT_BYTES);
      ByteBuffer elements = ByteBuffer.allocate((int) bytes);
      for (int group = 0; group < table.footer().rowGroups().size(); group++) {
        table.read(in, group, array, elements::put);
      }
      return new Decoded(in.path(), elements.flip());
    }
  }

  private record Decoded(String path, ByteBuffer bytes) implements Input {
    @Override
    public long length() {
      return bytes.limit();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      FileError.checkRead(this, position, dst);
      dst.put(bytes.slice((int) position, dst.remaining()));
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
