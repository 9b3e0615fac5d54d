package org.saevhadoop.format.parquet.index;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ThriftStruct;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/**
 * Lookup of a key in a row group with page indexes: reads the key pages that can contain the key,
 * and then, for each other column, the page that contains the row of the key.
 */
final class RowGroupLookup {
  private final ByteWindows file;
  private final IndexFooter.RowGroup group;
  private final MemoryAccount memory;
  private final Map<IndexColumn, PagedColumn> columns = new EnumMap<>(IndexColumn.class);

  RowGroupLookup(ByteWindows file, IndexFooter.RowGroup group, MemoryAccount memory) {
    this.file = file;
    this.group = group;
    this.memory = memory;
  }

  /** Returns whether the row group has the page indexes that a lookup needs. */
  static boolean isPossible(IndexFooter.RowGroup group) {
    for (ColumnChunk chunk : group.chunks().values()) {
      if (chunk.offsetIndex().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Adds entries for a key until {@code found} has {@code max} entries. */
  void find(byte[] text, int max, List<TensorIndexEntry> found) throws IOException {
    PagedColumn keys = column(IndexColumn.TENSOR_KEY);
    List<ColumnChunk.Page> pages = keys.pages;
    Optional<ColumnChunk.PageBounds> bounds =
        group.chunk(IndexColumn.TENSOR_KEY).bounds(file, pages.size());
    for (int i = 0; i < pages.size(); i++) {
      if (bounds.isEmpty() || bounds.get().mayHave(i, text)) {
        long end = i + 1 < pages.size() ? pages.get(i + 1).firstRow() : group.rows();
        find(text, pages.get(i).firstRow(), end, max, found);
      }
      if (found.size() >= max) {
        return;
      }
    }
  }

  private void find(byte[] text, long first, long end, int max, List<TensorIndexEntry> found)
      throws IOException {
    if (first == end) {
      return;
    }
    ColumnCursor keys = column(IndexColumn.TENSOR_KEY).at(first);
    for (long row = first; row < end && found.size() < max; row++) {
      if (Arrays.equals((byte[]) keys.next(), text)) {
        found.add(entry(row, text));
      }
    }
  }

  private TensorIndexEntry entry(long row, byte[] key) throws IOException {
    IndexRows rows = new IndexRows(file.path());
    for (IndexColumn column : group.chunks().keySet()) {
      if (column != IndexColumn.TENSOR_KEY) {
        rows.put(column, column(column).at(row));
      }
    }
    return rows.rest(key);
  }

  private PagedColumn column(IndexColumn column) throws IOException {
    PagedColumn known = columns.get(column);
    if (known == null) {
      known = new PagedColumn(file, group.chunk(column), group.rows(), memory);
      columns.put(column, known);
    }
    return known;
  }

  /**
   * Access to single rows of a column chunk through its offset index. If rows are requested in
   * ascending order, each page is read in one pass.
   */
  private static final class PagedColumn {
    private final List<ColumnChunk.Page> pages;
    private final ColumnCursor cursor;
    private int current = -1;

    PagedColumn(ByteWindows file, ColumnChunk chunk, long rows, MemoryAccount memory)
        throws IOException {
      this.pages = chunk.locations(file, rows);
      memory.take((long) pages.size() * MemoryAccount.PAGE);
      this.cursor = new ColumnCursor(file, chunk, memory, page -> {});
    }

    /** Returns the cursor, positioned at a row of the row group. */
    ColumnCursor at(long row) throws IOException {
      ThriftStruct.require(!pages.isEmpty(), "a column has no pages");
      int page = AscendingSearch.lastAtMost(pages.size(), i -> pages.get(i).firstRow(), row);
      if (page != current || cursor.row() > row) {
        cursor.moveTo(pages.get(page));
        current = page;
      }
      cursor.skip(row - cursor.row());
      return cursor;
    }
  }
}
