package org.saevhadoop.format.parquet.index;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ByteWindows;
import org.saevhadoop.format.parquet.file.GuardedRead;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/** One Parquet file of an index. */
final class IndexFile implements Closeable {
  private static final int LOOKUP_WINDOW =
      64 << 10; // half of it before the requested bytes, where dictionaries are stored
  private static final int LOOKUP_WINDOWS = 8; // one per column, and one more
  private static final int SCAN_WINDOW = 256 << 10;

  private final Input in;
  private final ByteWindows file;
  private final IndexFooter footer;

  /**
   * Takes ownership of a file, and reads its footer.
   *
   * @param tail the number of bytes at the end of the file to cache
   * @param footers the account that is charged for the footer
   */
  IndexFile(Input in, int tail, MemoryAccount footers) throws IOException {
    this.in = in;
    try {
      this.file = new ByteWindows(in, LOOKUP_WINDOW / 2, LOOKUP_WINDOW, LOOKUP_WINDOWS);
      this.footer = sound(() -> IndexFooter.read(file, tail, footers));
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Adds entries for a key until {@code found} has {@code max} entries. */
  void find(String key, int max, List<TensorIndexEntry> found) throws IOException {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    if (!key.equals(new String(text, StandardCharsets.UTF_8))) {
      return; // a lone surrogate has no encoding of its own, so no entry can match
    }
    for (IndexFooter.RowGroup group : footer.rowGroups()) {
      if (found.size() < max && group.chunk(IndexColumn.TENSOR_KEY).mayHave(text)) {
        sound(
            () -> {
              find(group, text, max, found);
              return found;
            });
      }
    }
  }

  private void find(IndexFooter.RowGroup group, byte[] text, int max, List<TensorIndexEntry> found)
      throws IOException {
    if (RowGroupLookup.isPossible(group)) {
      new RowGroupLookup(file, group, pagesMemory()).find(text, max, found);
      return;
    }
    IndexRows rows = rows(group, (column, page) -> {});
    for (long i = 0; i < group.rows() && found.size() < max; i++) {
      byte[] key = rows.key();
      if (Arrays.equals(key, text)) {
        rows.skipTo(i);
        found.add(rows.rest(key));
      }
    }
  }

  /** Clears the lookup cache. */
  void forget() {
    file.forget();
  }

  void forEach(TensorIndex.Sink sink) throws IOException {
    for (IndexFooter.RowGroup group : footer.rowGroups()) {
      IndexRows rows = sound(() -> rows(group, (column, page) -> {}));
      for (long i = 0; i < group.rows(); i++) {
        sink.accept(sound(() -> rows.rest(rows.key())));
      }
    }
  }

  /**
   * Passes all entries to the sink and compares the page indexes with them.
   *
   * @param problems the receiver of one problem for each row group with incorrect page indexes
   */
  void verify(TensorIndex.Sink sink, Consumer<FormatException> problems) throws IOException {
    for (IndexFooter.RowGroup group : footer.rowGroups()) {
      PageCheck check = sound(() -> new PageCheck(file, group, pagesMemory()));
      IndexRows rows = sound(() -> rows(group, check::page));
      for (long i = 0; i < group.rows(); i++) {
        byte[] key = sound(rows::key);
        check.key(key);
        sink.accept(sound(() -> rows.rest(key)));
      }
      ParquetError.BAD_PARQUET.check(
          sound(rows::isAtEnd), in.path(), "has a column with more values than rows");
      try {
        sound(
            () -> {
              check.end();
              return check;
            });
      } catch (FormatException e) {
        problems.accept(e);
      }
    }
  }

  private IndexRows rows(
      IndexFooter.RowGroup group, BiConsumer<IndexColumn, ColumnChunk.Page> pages)
      throws IOException {
    IndexRows rows = new IndexRows(in.path());
    MemoryAccount memory = pagesMemory();
    for (Map.Entry<IndexColumn, ColumnChunk> chunk : group.chunks().entrySet()) {
      ByteWindows forward = new ByteWindows(in, 0, SCAN_WINDOW, 1);
      rows.put(
          chunk.getKey(),
          new ColumnCursor(
              forward, chunk.getValue(), memory, page -> pages.accept(chunk.getKey(), page)));
    }
    return rows;
  }

  private static MemoryAccount pagesMemory() {
    return new MemoryAccount(ParquetLimits.MAX_PAGES_MEMORY, "its pages");
  }

  private <T> T sound(GuardedRead.Step<T> step) throws IOException {
    return GuardedRead.of(in.path(), step);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
