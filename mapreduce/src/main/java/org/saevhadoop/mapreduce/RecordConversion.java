package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.Changes;
import org.saevhadoop.format.tensor.Conversion;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.OutOfRangeException;

/** Gives the records of a dataset the numbers that a job asks for. */
final class RecordConversion {
  private final TableDataset dataset;
  private final String path;
  private final Table from;
  private final Table to;

  /** Null for columns that stay as they are. */
  private final Conversion[] conversions;

  private ByteBuffer converted = ByteBuffer.allocate(0);

  /**
   * @param whole whether a record has all columns
   */
  RecordConversion(TableDataset dataset, InputNumbers numbers, boolean whole)
      throws FormatException {
    this.dataset = dataset;
    this.path = dataset.folder().path();
    this.from = dataset.table();
    this.to = numbers.table(dataset);
    this.conversions = new Conversion[from.columns().size()];
    for (int i = 0; i < conversions.length; i++) {
      if (from.columns().get(i).dtype() != to.columns().get(i).dtype()) {
        conversions[i] = numbers.conversion(path, from.columns().get(i), to.columns().get(i));
      }
      FormatException.check(
          !whole || to(i) == to(0),
          path,
          "a record of a whole example can not be %s and %s (expected one type, or %s=block)",
          to(0),
          to(i),
          SaevConf.INPUT_RECORD.key());
    }
  }

  /** The type of a column's numbers as records have them. */
  DType to(int column) {
    return to.columns().get(column).dtype();
  }

  /** A record's numbers: what was read, or a buffer that the next call takes back. */
  ByteBuffer convert(long example, int column, ByteBuffer read) throws FormatException {
    Conversion conversion = conversions[column];
    if (conversion == null) {
      return read;
    }
    long bytes = (long) read.remaining() * conversion.to().bits() / conversion.from().bits();
    FormatException.check(
        bytes <= Integer.MAX_VALUE - 8,
        path,
        "a record of %d bytes is too large (expected less than 2 GiB: ask for smaller records)",
        bytes);
    if (converted.capacity() < bytes) {
      converted = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    try {
      conversion.convert(read, converted.clear());
    } catch (OutOfRangeException e) {
      throw FormatException.of(
          file(example),
          "%s: %s (expected what %s holds, or --range saturate or wrap)",
          from.describe(example, column),
          e.getMessage(),
          conversion.to());
    }
    return converted.flip();
  }

  private String file(long example) {
    for (Shard shard : dataset.shards()) {
      if (example >= shard.first() && example < shard.first() + shard.examples()) {
        return dataset.folder().path(shard.name());
      }
    }
    return path;
  }

  /** Adds what was changed to the task's counters. */
  void count(TaskAttemptContext context) throws IOException {
    Changes changes = new Changes(0, 0, 0, 0, 0);
    for (Conversion conversion : conversions) {
      boolean exact = conversion == null || Conversion.isExact(conversion.from(), conversion.to());
      changes = exact ? changes : changes.plus(conversion.changes());
    }
    if (changes.values() > 0) {
      context.getCounter(NumberCounter.CONVERTED).increment(changes.values());
      context.getCounter(NumberCounter.ROUNDED).increment(changes.rounded());
      context.getCounter(NumberCounter.OVERFLOWED).increment(changes.overflowed());
      context.getCounter(NumberCounter.OUT_OF_RANGE).increment(changes.outOfRange());
      context.getCounter(NumberCounter.NAN).increment(changes.nan());
    }
  }
}
