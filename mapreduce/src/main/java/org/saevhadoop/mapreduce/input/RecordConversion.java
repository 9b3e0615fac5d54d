package org.saevhadoop.mapreduce.input;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.OutOfRangeException;
import org.saevhadoop.mapreduce.job.DTypeRequest;

/** Converts the values of records to the types that a job requests, and normalizes them. */
final class RecordConversion {
  private final TableDataset dataset;
  private final String path;
  private final TableShape from;
  private final TableShape to;

  /** The columns of a record, if the record is a whole example. */
  private final List<Integer> ofExample;

  /** The conversion of each column; null if its values are not converted. */
  private final DTypeConversion[] conversions;

  /** The conversions by their types, or by column if values are normalized. */
  private final Map<List<?>, DTypeConversion> shared = new HashMap<>();

  private final boolean isNormalizing;

  private ByteBuffer converted = ByteBuffer.allocate(0);

  /**
   * Creates a conversion.
   *
   * @param ofExample the columns of a record, if the record is a whole example; otherwise none
   * @throws FormatException if a column cannot be converted as requested, or if the columns of a
   *     whole example would have different types
   */
  RecordConversion(TableDataset dataset, DTypeRequest numbers, List<Integer> ofExample)
      throws FormatException {
    this.dataset = dataset;
    this.path = dataset.path();
    this.from = dataset.table();
    this.to = numbers.table(dataset);
    this.ofExample = ofExample;
    this.isNormalizing = numbers.normalization() != null;
    this.conversions = new DTypeConversion[from.columns().size()];
    for (int i = 0; i < conversions.length; i++) {
      if (isNormalizing) {
        conversions[i] =
            numbers.normalizing(
                path,
                from.columns().get(i),
                from.columnIds().get(i),
                from.columnIds(),
                to.columns().get(i));
        shared.put(List.of(i), conversions[i]);
      } else if (from.columns().get(i).dtype() != to.columns().get(i).dtype()) {
        DTypeConversion own = numbers.conversion(path, from.columns().get(i), to.columns().get(i));
        conversions[i] = shared.computeIfAbsent(List.of(own.from(), own.to()), types -> own);
      }
      DatasetError.NOT_CONVERTIBLE.check(
          ofExample.isEmpty() || to(i) == to(0),
          path,
          "a record of a whole example cannot be both %s and %s (expected one type, or %s=block)",
          to(0),
          to(i),
          "saev.input.record");
    }
  }

  /** Returns whether no values are converted. */
  boolean isIdentity() {
    return Arrays.stream(conversions).allMatch(Objects::isNull);
  }

  /** Returns the type of a column's values in records. */
  DType to(int column) {
    return to.columns().get(column).dtype();
  }

  /**
   * Returns the converted values of a record: the buffer that was passed, or one that is valid
   * until the next call.
   *
   * @throws FormatException if a value is outside the range of the type, or the record is too large
   */
  ByteBuffer convert(long example, int column, ByteBuffer read) throws FormatException {
    DTypeConversion conversion = conversions[column];
    if (conversion == null) {
      return read;
    }
    long bytes = (long) read.remaining() * conversion.to().bits() / conversion.from().bits();
    DatasetError.TOO_LARGE.check(
        bytes <= Integer.MAX_VALUE - 8,
        path,
        "a record of %d bytes is too large (expected less than 2 GiB: choose smaller records)",
        bytes);
    if (converted.capacity() < bytes) {
      converted = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    converted.clear();
    if (ofExample.isEmpty() || !isNormalizing) {
      convert(conversion, example, column, read);
    }
    for (int i = 0; isNormalizing && i < ofExample.size(); i++) {
      int own = ofExample.get(i);
      int length = Math.toIntExact(from.blockBytes(own));
      convert(conversions[own], example, own, read.slice(read.position(), length));
      read.position(read.position() + length);
    }
    return converted.flip();
  }

  private void convert(DTypeConversion conversion, long example, int column, ByteBuffer read)
      throws FormatException {
    try {
      conversion.convert(read, converted);
    } catch (OutOfRangeException e) {
      throw DatasetError.NOT_CONVERTIBLE
          .in(
              file(example),
              "%s: %s (expected a value that %s can hold, or --range saturate or wrap)",
              from.describe(dataset.sourceExample(example), column),
              e.getMessage(),
              conversion.to())
          .causedBy(e);
    }
  }

  private String file(long example) {
    int index = dataset.shards().indexOf(example);
    return index < 0 ? path : dataset.folder().path(dataset.shards().get(index).name());
  }

  ConversionChanges changes() {
    ConversionChanges changes = ConversionChanges.NONE;
    for (DTypeConversion conversion : shared.values()) {
      changes = changes.plus(worthCounting(conversion));
    }
    return changes;
  }

  /** Returns the changes of a conversion that is inexact or has made signalling NaNs quiet. */
  private static ConversionChanges worthCounting(DTypeConversion conversion) {
    ConversionChanges changes = conversion.changes();
    boolean exact = DTypeConversion.isExact(conversion.from(), conversion.to());
    return exact && changes.changed() == 0 ? ConversionChanges.NONE : changes;
  }
}
