package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrow.file.BatchColumns.SampleColumn;
import org.saevhadoop.format.arrow.file.Dictionaries.Dictionary;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/** The integers in all rows of a column whose record batches contain dictionary indexes. */
final class EncodedIntegers implements Input.Filter {
  /** The rows of a record batch. */
  private record Rows(long first, SampleColumn indexes, Dictionary dictionary) {}

  private final Input file;
  private final int width;
  private final List<Rows> batches = new ArrayList<>();
  private long rows;
  private @Nullable Rows batch;
  private @Nullable SampleValues values;

  private EncodedIntegers(Input file, int width) {
    this.file = file;
    this.width = width;
  }

  /** Locates the dictionary indexes and the dictionaries of a column. */
  static Input open(ArrowBodies bodies, ArrowReader.Names names, ArrowField column)
      throws IOException {
    int width = Objects.requireNonNull(column.dtype()).bits() / Byte.SIZE;
    EncodedIntegers found = new EncodedIntegers(bodies.values(), width);
    ArrowMessages messages = new ArrowMessages(bodies.file());
    List<ArrowField> fields = ArrowSchema.fields(bodies.file().path(), messages.schema().header());
    Set<String> samples = SampleFields.of(bodies.file(), names);
    Dictionaries all = new Dictionaries(bodies, names, fields, samples, messages.isFile());
    ArrowMessages.Message message;
    while ((message = messages.next()) != null) {
      all.accept(message);
      if (message.kind() == ArrowMessages.RECORD_BATCH) {
        found.add(
            BatchColumns.of(bodies, fields, names, samples, message, new ArrayList<>()),
            column.name(),
            Objects.requireNonNull(all.of(column.name())));
      }
    }
    return found;
  }

  private void add(BatchColumns.Batch batch, String name, Dictionary dictionary)
      throws IOException {
    for (ArrowColumn column : batch.columns()) {
      if (column.index() != null && column.name().equals(name) && batch.rows() > 0) {
        SampleColumn indexes =
            new SampleColumn(name, column.index(), column.leaf(), List.of(column.values()));
        batches.add(new Rows(rows, indexes, dictionary));
      }
    }
    rows = batch.end(path(), rows);
  }

  @Override
  public Input file() {
    return file;
  }

  @Override
  public long length() {
    return Math.multiplyExact(rows, (long) width);
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = position; dst.hasRemaining(); at += number.position() - at % width) {
      int begin = (int) (at % width);
      number.clear().putLong(0, integer(at / width));
      number.limit(Math.min(width, begin + dst.remaining())).position(begin);
      dst.put(number);
    }
  }

  private long integer(long row) throws IOException {
    Rows own =
        batches.get(AscendingSearch.lastAtMost(batches.size(), i -> batches.get(i).first, row));
    if (values == null || batch != own) {
      if (batch != null && batch.dictionary != own.dictionary) {
        batch.dictionary.release();
      }
      batch = own;
      values = new SampleValues(file, own.indexes, own.dictionary, own.first);
    }
    return values.integer(row - own.first);
  }
}
