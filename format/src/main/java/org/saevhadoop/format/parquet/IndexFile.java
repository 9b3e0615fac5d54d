package org.saevhadoop.format.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/** One Parquet file of an index. */
final class IndexFile implements Closeable {
  private static final int LOOKUP_WINDOW =
      64 << 10; // Half of it before the requested bytes, where dictionaries are stored.
  private static final int LOOKUP_WINDOWS = 8; // One per column, and one more.
  private static final int SCAN_WINDOW = 256 << 10;

  private final Input in;
  private final ByteWindows file;
  private final IndexFooter footer;

  /** Opens a file, of which this instance takes ownership, and reads its footer. */
  IndexFile(Input in) throws IOException {
    this.in = in;
    try {
      this.file = new ByteWindows(in, LOOKUP_WINDOW / 2, LOOKUP_WINDOW, LOOKUP_WINDOWS);
      this.footer = sound(() -> IndexFooter.read(file));
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Adds the entries of a key. */
  void find(String key, List<TensorIndexEntry> found) throws IOException {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    for (IndexFooter.RowGroup group : footer.rowGroups()) {
      if (group.chunks().get(IndexColumn.TENSOR_KEY).mayHave(text)) {
        boolean paged = paged(group);
        for (TensorIndexEntry entry :
            sound(() -> paged ? lookUp(group, text) : scan(group, text))) {
          if (entry
              .key()
              .equals(key)) { // A lone surrogate is encoded as the bytes of another text.
            found.add(entry);
          }
        }
      }
    }
  }

  private static boolean paged(IndexFooter.RowGroup group) {
    for (ColumnChunk chunk : group.chunks().values()) {
      if (chunk.offsetIndex().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  void forEach(TensorIndex.Sink sink) throws IOException {
    for (IndexFooter.RowGroup group : footer.rowGroups()) {
      IndexRows rows = sound(() -> rows(group));
      for (long i = 0; i < group.rows(); i++) {
        sink.accept(sound(() -> rows.rest(rows.key())));
      }
    }
  }

  private IndexRows rows(IndexFooter.RowGroup group) throws IOException {
    IndexRows rows = new IndexRows(in.path());
    for (Map.Entry<IndexColumn, ColumnChunk> chunk : group.chunks().entrySet()) {
      ByteWindows forward = new ByteWindows(in, 0, SCAN_WINDOW, 1);
      rows.put(chunk.getKey(), ColumnCursor.of(forward, chunk.getValue()));
    }
    return rows;
  }

  /** Reads all rows. */
  private List<TensorIndexEntry> scan(IndexFooter.RowGroup group, byte[] text) throws IOException {
    List<TensorIndexEntry> found = new ArrayList<>();
    IndexRows rows = rows(group);
    for (long i = 0; i < group.rows(); i++) {
      byte[] key = rows.key();
      if (Arrays.equals(key, text)) {
        found.add(rows.rest(key));
      } else {
        rows.skipRest();
      }
    }
    return found;
  }

  /**
   * Reads the key pages that may contain the key, then the page with its row in each other column.
   */
  private List<TensorIndexEntry> lookUp(IndexFooter.RowGroup group, byte[] text)
      throws IOException {
    List<TensorIndexEntry> found = new ArrayList<>();
    ColumnChunk keys = group.chunks().get(IndexColumn.TENSOR_KEY);
    List<ColumnChunk.Page> pages = keys.pages(file, group.rows());
    Map<IndexColumn, List<ColumnChunk.Page>> places = new EnumMap<>(IndexColumn.class);
    for (int i : keys.candidates(file, text, pages.size())) {
      ColumnCursor cursor = ColumnCursor.of(file, keys, pages.get(i));
      long end = i + 1 < pages.size() ? pages.get(i + 1).firstRow() : group.rows();
      for (long row = pages.get(i).firstRow(); row < end; row++) {
        if (Arrays.equals((byte[]) cursor.next(), text)) {
          found.add(row(group, places, row, text));
        }
      }
    }
    return found;
  }

  private TensorIndexEntry row(
      IndexFooter.RowGroup group,
      Map<IndexColumn, List<ColumnChunk.Page>> places,
      long row,
      byte[] key)
      throws IOException {
    IndexRows rows = new IndexRows(in.path());
    for (Map.Entry<IndexColumn, ColumnChunk> entry : group.chunks().entrySet()) {
      IndexColumn column = entry.getKey();
      if (column != IndexColumn.TENSOR_KEY) {
        ColumnChunk chunk = entry.getValue();
        if (!places.containsKey(column)) {
          places.put(column, chunk.pages(file, group.rows()));
        }
        ColumnChunk.Page page = pageOf(places.get(column), row);
        ColumnCursor cursor = ColumnCursor.of(file, chunk, page);
        cursor.skip(row - page.firstRow());
        rows.put(column, cursor);
      }
    }
    return rows.rest(key);
  }

  private static ColumnChunk.Page pageOf(List<ColumnChunk.Page> pages, long row) {
    ThriftStruct.require(!pages.isEmpty(), "a column has no pages");
    int low = 0;
    for (int high = pages.size() - 1; low < high; ) {
      int middle = (low + high + 1) / 2;
      if (pages.get(middle).firstRow() <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return pages.get(low);
  }

  private interface Step<T> {
    T take() throws IOException;
  }

  private <T> T sound(Step<T> step) throws IOException {
    try {
      return step.take();
    } catch (BufferUnderflowException e) {
      throw ParquetError.BAD_PARQUET
          .in(in.path(), "is a corrupt Parquet file: a structure ends too early")
          .causedBy(e);
    } catch (RuntimeException e) {
      throw ParquetError.BAD_PARQUET
          .in(in.path(), "is a corrupt Parquet file: %s", e.getMessage())
          .causedBy(e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
