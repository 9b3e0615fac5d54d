package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.AscendingSearch;

/**
 * Access to single rows of a column chunk through its offset index. Ascending rows of a page are
 * read in one pass over it.
 */
final class PagedColumn {
  private final List<ColumnChunk.Page> pages;
  private final ColumnCursor cursor;
  private int current = -1;

  PagedColumn(ByteWindows file, ColumnChunk chunk, long rows, MemoryAccount memory)
      throws IOException {
    this.pages = chunk.pages(file, rows);
    memory.take((long) pages.size() * MemoryAccount.PAGE);
    this.cursor = ColumnCursor.ofPages(file, chunk, memory);
  }

  List<ColumnChunk.Page> pages() {
    return pages;
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
