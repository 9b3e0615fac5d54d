package org.saevhadoop.format.parquet.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetError;

/**
 * Compares the data on which lookups rely with the rows of a row group: the bounds of the keys and
 * the locations of the pages. This data is redundant: a pass over the rows does not reveal an error
 * in it, but a lookup would not find the keys.
 */
final class PageCheck {
  private final ByteWindows file;
  private final IndexFooter.RowGroup group;
  private final MemoryAccount memory;
  private final Map<IndexColumn, List<ColumnChunk.Page>> walked = new EnumMap<>(IndexColumn.class);
  private final ColumnChunk keys;
  private final Optional<ColumnChunk.PageBounds> bounds;
  private boolean isWithinBounds = true;

  /**
   * Prepares the check of a row group.
   *
   * @param memory the account that is charged for the locations of the pages
   */
  PageCheck(ByteWindows file, IndexFooter.RowGroup group, MemoryAccount memory) throws IOException {
    this.file = file;
    this.group = group;
    this.keys = group.chunk(IndexColumn.TENSOR_KEY);
    this.bounds =
        RowGroupLookup.isPossible(group)
            ? keys.bounds(file, keys.locations(file, group.rows()).size())
            : Optional.empty();
    this.memory = memory;
  }

  /** Records a page that was read. */
  void page(IndexColumn column, ColumnChunk.Page page) {
    memory.take(MemoryAccount.PAGE);
    walked(column).add(page);
  }

  private List<ColumnChunk.Page> walked(IndexColumn column) {
    return walked.computeIfAbsent(column, key -> new ArrayList<>());
  }

  /** Compares a key with the bounds of its row group and of the page that was recorded last. */
  void key(byte[] key) {
    int page = walked(IndexColumn.TENSOR_KEY).size() - 1;
    isWithinBounds &= keys.mayHave(key);
    isWithinBounds &=
        bounds.isEmpty() || page < bounds.get().empty().size() && bounds.get().mayHave(page, key);
  }

  /**
   * Ends the check after the last row.
   *
   * @throws FormatException if the bounds or the locations differ from the rows
   */
  void end() throws IOException {
    ParquetError.BAD_PAGE_INDEX.check(
        isWithinBounds,
        file.path(),
        "has keys outside the bounds that are stored for them: a lookup does not find them");
    if (!RowGroupLookup.isPossible(group)) {
      return;
    }
    for (Map.Entry<IndexColumn, ColumnChunk> column : group.chunks().entrySet()) {
      ParquetError.BAD_PAGE_INDEX.check(
          column.getValue().locations(file, group.rows()).equals(walked(column.getKey())),
          file.path(),
          "has pages of column %s that are not where its offset index locates them",
          column.getKey().column());
    }
  }
}
