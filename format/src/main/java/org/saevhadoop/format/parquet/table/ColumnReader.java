package org.saevhadoop.format.parquet.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ChunkPages;
import org.saevhadoop.format.parquet.file.GuardedRead;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.parquet.file.ThriftStruct;
import org.saevhadoop.format.parquet.table.DataPages.DataPage;
import org.saevhadoop.format.tensor.DType;

/**
 * Reads a column of a row group as one array, page by page. All lists of a level must have the same
 * length and no nulls, so that the values of a page are a part of the array.
 */
public final class ColumnReader {
  /** Maximum number of elements in a row, because a row is a single array. */
  private static final long MAX_ROW_ELEMENTS = Integer.MAX_VALUE;

  /** Receiver of the elements of a column. */
  @FunctionalInterface
  public interface Sink {
    /** Accepts the next elements in a little-endian buffer, which must not be retained. */
    void accept(ByteBuffer elements) throws IOException;
  }

  /** Receiver of the integers of a column. */
  @FunctionalInterface
  public interface IntegerSink {
    /**
     * Accepts the next integer.
     *
     * @param isPresent whether the row has an integer rather than a null
     */
    void accept(boolean isPresent, long number) throws IOException;
  }

  private final String path;
  private final TableColumn column;
  private final ChunkPages chunk;

  private final DataPages pages;
  private final ListLengths lengths;
  private final long rows;
  private final long rowsBefore;

  /**
   * Creates a reader.
   *
   * @param group the index of the row group
   * @param index the index of the column in the footer
   * @param lengths the expected list length at each level; 0 to use the length of the first list
   */
  public ColumnReader(Input in, TableFooter footer, int group, int index, long[] lengths)
      throws IOException {
    this.path = in.path();
    this.column = footer.columns().get(index);
    this.chunk = footer.rowGroups().get(group).chunks().get(index);
    this.rows = footer.rowGroups().get(group).rows();
    this.rowsBefore = footer.rowsBefore(group);
    this.pages = new DataPages(in, column, chunk);
    this.lengths = new ListLengths(path, column.name(), rowsBefore, lengths);
  }

  /** Reads all elements. */
  public void read(Sink sink) throws IOException {
    guarded(
        () -> {
          readAll(sink);
          return sink;
        });
  }

  /** Allows the outermost lists to differ in length and to be empty. */
  public ColumnReader ragged() {
    lengths.setOutermost(length -> {});
    return this;
  }

  /** Reads only the lengths of the outermost lists. */
  public void readLengths(LongConsumer sink) throws IOException {
    lengths.setOutermost(sink);
    guarded(
        () -> {
          pages.walk(
              page -> {
                levels(page, Long.MAX_VALUE);
                return true;
              });
          lengths.end();
          ThriftStruct.require(
              lengths.rows() == rows, "a column and its row group have different numbers of rows");
          return sink;
        });
  }

  private void readAll(Sink sink) throws IOException {
    long[] found = {0};
    pages.walk(
        page -> {
          found[0] += page.count();
          ThriftStruct.require(found[0] <= chunk.values(), "a column has too many values");
          sink.accept(pages.elements(page, levels(page, Long.MAX_VALUE)));
          return true;
        });
    lengths.end();
    ThriftStruct.require(
        found[0] == chunk.values() && lengths.rows() == rows,
        "a column and its row group have different numbers of values");
  }

  /** Returns whether no value is null and no list is empty. */
  public boolean isComplete() throws IOException {
    boolean[] isComplete = {true};
    guarded(
        () -> {
          pages.walk(
              page -> {
                isComplete[0] = present(page) == page.count();
                return isComplete[0];
              });
          return isComplete;
        });
    return isComplete[0];
  }

  /** Reads the list lengths of the first row, from the outermost list inward. */
  public static long[] firstRow(Input in, TableFooter footer, int group, int index)
      throws IOException {
    long[] found = new long[footer.columns().get(index).lists()];
    ColumnReader reader = new ColumnReader(in, footer, group, index, found);
    reader.guarded(
        () -> {
          reader.pages.walk(page -> reader.levels(page, 1) == page.count());
          reader.lengths.end();
          return found;
        });
    reader.checkElements(found);
    return found;
  }

  /**
   * Reads the lengths of the nested lists in the first non-empty list, from the outermost list
   * inward.
   *
   * @return the lengths, starting with 1; zeros if all lists are empty
   */
  public static long[] firstList(Input in, TableFooter footer, int group, int index)
      throws IOException {
    long[] found = new long[footer.columns().get(index).lists()];
    ColumnReader reader = new ColumnReader(in, footer, group, index, found);
    reader.lengths.setOutermost(length -> found[0] = Math.max(found[0], Math.min(1, length)));
    reader.guarded(
        () -> {
          reader.pages.walk(
              page -> {
                reader.levels(page, Long.MAX_VALUE);
                return found[0] == 0 || !reader.lengths.isKnown();
              });
          if (found[0] == 0 || !reader.lengths.isKnown()) {
            reader.lengths.end();
          }
          return found;
        });
    reader.checkElements(found);
    return found;
  }

  private void checkElements(long[] lists) throws IOException {
    guarded(
        () -> {
          long elements = column.elements();
          for (long length : lists) {
            ParquetLimits.check(length, MAX_ROW_ELEMENTS / elements, "elements in a list");
            elements *= Math.max(1, length);
          }
          return lists;
        });
  }

  /**
   * Reads integers of four or eight bytes, one per row.
   *
   * @param absent the number to use for a null
   */
  public void readIntegers(long absent, LongConsumer sink) throws IOException {
    readIntegers((isPresent, number) -> sink.accept(isPresent ? number : absent));
  }

  /** Reads integers of four or eight bytes, one per row. */
  public void readIntegers(IntegerSink sink) throws IOException {
    readRows(
        (page, isPresent, first) -> {
          ThriftStruct.require(
              column.isInteger(),
              "column %s has no integers, but %s"
                  .formatted(Names.shown(column.name()), column.dtype()));
          ByteBuffer present = pages.decoded(page, isPresent.cardinality());
          for (int i = 0; i < page.count(); i++) {
            sink.accept(isPresent.get(i), isPresent.get(i) ? integer(present) : 0);
          }
        });
  }

  /** Reads integers of four or eight bytes in lists, which must have no nulls. */
  public void readListedIntegers(LongConsumer sink) throws IOException {
    guarded(
        () -> {
          ThriftStruct.require(
              column.isListOfIntegers(),
              "column %s has no lists of integers".formatted(Names.shown(column.name())));
          readAll(
              elements -> {
                while (elements.hasRemaining()) {
                  sink.accept(integer(elements));
                }
              });
          return sink;
        });
  }

  private long integer(ByteBuffer values) throws FormatException {
    if (column.width() == Integer.BYTES) {
      int value = values.getInt();
      return column.dtype() == DType.U32 ? Integer.toUnsignedLong(value) : value;
    }
    long value = values.getLong();
    if (value < 0 && column.dtype() == DType.U64) {
      throw ParquetError.UNSUPPORTED_PARQUET.in(
          path,
          "column \"%s\" has the integer %s (expected at most %d)",
          Names.shown(column.name()),
          Long.toUnsignedString(value),
          Long.MAX_VALUE);
    }
    return value;
  }

  /**
   * For each row, reads a value that is not a string: a buffer positioned at the little-endian
   * value, or at one byte for a boolean; null for a null.
   */
  public void readScalars(Consumer<@Nullable ByteBuffer> sink) throws IOException {
    ThriftStruct.require(!column.isArray() && !column.isText(), "a column has no numbers");
    if (column.isBytes()) {
      readBytes(
          bytes ->
              sink.accept(bytes == null ? null : ByteBuffer.wrap(bytes.getBytes(pages.charset()))));
      return;
    }
    int bytes = Math.max(1, column.width());
    readRows(
        (page, isPresent, first) -> {
          ByteBuffer present = pages.decoded(page, isPresent.cardinality());
          for (int i = 0; i < page.count(); i++) {
            sink.accept(isPresent.get(i) ? present : null);
            present.position(present.position() + (isPresent.get(i) ? bytes : 0));
          }
        });
  }

  /** For each row, reads a value of any length as a string; null for a null. */
  public void readTexts(Consumer<@Nullable String> sink) throws IOException {
    guarded(
        () -> {
          ThriftStruct.require(column.isText(), "a column has no texts");
          readBytes(sink);
          return sink;
        });
  }

  /** Reads values of any length as strings; null for a null. */
  private void readBytes(Consumer<@Nullable String> sink) throws IOException {
    readRows(
        (page, isPresent, first) -> {
          DataPages.Texts texts = pages.texts(page, isPresent.cardinality());
          for (int i = 0; i < page.count(); i++) {
            sink.accept(isPresent.get(i) ? text(texts, first + i) : null);
          }
        });
  }

  private String text(DataPages.Texts texts, long row) throws IOException {
    try {
      return texts.next();
    } catch (CharacterCodingException e) {
      throw ParquetError.BAD_PARQUET
          .in(
              path,
              "column \"%s\" has a text that is not UTF-8, in row %d (expected UTF-8, as the type of the"
                  + " column requires)",
              Names.shown(column.name()),
              row)
          .causedBy(e);
    }
  }

  /** Receiver of the rows of a page, which can include nulls, and of the index of the first row. */
  @FunctionalInterface
  private interface Rows {
    void read(DataPage page, BitSet isPresent, long first) throws IOException;
  }

  private void readRows(Rows sink) throws IOException {
    guarded(
        () -> {
          ThriftStruct.require(column.lists() == 0, "a column has lists");
          long[] found = {0};
          pages.walk(
              page -> {
                found[0] += page.count();
                ThriftStruct.require(found[0] <= rows, "a column has too many values");
                pages.take(page.count());
                BitSet isPresent = new BitSet(page.count());
                for (int i = 0; i < page.count(); i++) {
                  isPresent.set(
                      i,
                      column.definition() == 0 || page.definitions().next() == column.definition());
                }
                sink.read(page, isPresent, rowsBefore + found[0] - page.count());
                return true;
              });
          ThriftStruct.require(found[0] == rows, "a column has too few values");
          return sink;
        });
  }

  private <T> void guarded(GuardedRead.Step<T> step) throws IOException {
    GuardedRead.of(path, step);
  }

  /**
   * Reads the levels of a page up to a maximum number of rows, and returns the number of values in
   * these rows.
   */
  private int levels(DataPage page, long maxRows) throws IOException {
    if (lengths.isRagged() && column.definition() > 0) {
      return raggedLevels(page);
    }
    int present = present(page);
    int count = present < page.count() ? present + 1 : present;
    int read = lengths.read(page.repetitions(), count, maxRows);
    if (read > present) {
      throw lengths.absent();
    }
    return read;
  }

  /** Reads the levels of a page in which outermost lists can be empty but nothing is null. */
  private int raggedLevels(DataPage page) throws IOException {
    int values = 0;
    for (int left = page.count(), equal; left > 0; left -= equal) {
      int level = page.definitions().next();
      equal = 1 + page.definitions().skipEqual(left - 1);
      if (level == column.definition()) {
        lengths.read(page.repetitions(), equal, Long.MAX_VALUE);
        values += equal;
      } else if (level == column.empty()) {
        lengths.readEmpty(page.repetitions(), equal);
      } else {
        lengths.read(page.repetitions(), 1, Long.MAX_VALUE);
        throw lengths.absent();
      }
    }
    return values;
  }

  /** Returns the number of values before the first null or empty list. */
  private int present(DataPage page) {
    if (column.definition() == 0) {
      return page.count();
    }
    for (int i = 0; i < page.count(); i++) {
      if (page.definitions().next() != column.definition()) {
        return i;
      }
      i += page.definitions().skipEqual(page.count() - i - 1);
    }
    return page.count();
  }
}
