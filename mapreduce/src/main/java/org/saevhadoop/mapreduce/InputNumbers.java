package org.saevhadoop.mapreduce;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.Conversion;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.Range;
import org.saevhadoop.format.tensor.Rounding;

/**
 * Which numbers a job asks its input for.
 *
 * @param all the type of all columns that have none of their own; null for the default
 * @param stored whether the default is what is stored, instead of float32 for activations
 * @param own the types of single columns
 */
public record InputNumbers(
    DType all, boolean stored, Map<String, DType> own, Rounding rounding, Range range) {
  /** The value that asks for what is stored. */
  public static final String STORED = "stored";

  /** What a configuration asks for. */
  public static InputNumbers of(Configuration conf) {
    DType all = null;
    boolean stored = false;
    Map<String, DType> own = new HashMap<>();
    for (String item : SaevConf.INPUT_DTYPE.getList(conf)) {
      int cut = item.lastIndexOf('=');
      String name = item.substring(cut + 1).strip();
      if (cut < 0 && name.equals(STORED)) {
        stored = true;
      } else if (cut < 0 && !name.isEmpty()) {
        all = dtype(name);
      } else if (cut >= 0) {
        own.put(item.substring(0, cut), dtype(name));
      }
    }
    return new InputNumbers(
        all,
        stored,
        own,
        SaevConf.INPUT_ROUNDING.getEnum(conf, Rounding.class),
        SaevConf.INPUT_RANGE.getEnum(conf, Range.class));
  }

  /**
   * A type by the name that safetensors or numpy gives it.
   *
   * @throws IllegalArgumentException where there is none
   */
  public static DType dtype(String name) {
    for (DType dtype : DType.values()) {
      if (dtype.name().equalsIgnoreCase(name) || dtype.numpyName().equals(name)) {
        return dtype;
      }
    }
    throw new IllegalArgumentException(
        "%s: there is no dtype \"%s\" (expected one of %s)"
            .formatted(SaevConf.INPUT_DTYPE.key(), name, Arrays.toString(DType.values())));
  }

  /** The table as it is read: the same columns, perhaps of other numbers. */
  public Table table(TableDataset dataset) throws FormatException {
    Table table = dataset.table();
    for (String name : own.keySet()) {
      FormatException.check(
          table.columns().stream().anyMatch(column -> column.name().equals(name)),
          dataset.folder().path(),
          "has no column `%s` (%s names it; it has %s)",
          name,
          SaevConf.INPUT_DTYPE.key(),
          table.columns());
    }
    boolean widen = dataset instanceof ActivationDataset && !stored;
    return new Table(
        table.examples(),
        table.columns().stream().map(column -> column.as(to(column, widen))).toList(),
        table.numbers());
  }

  /** The type in which a column is read; {@code widen} where it holds activations. */
  DType of(Column column, boolean widen) {
    return to(column, widen && !stored);
  }

  private DType to(Column column, boolean widen) {
    DType asked = own.getOrDefault(column.name(), all);
    if (asked != null) {
      return asked;
    }
    return widen ? DType.F32 : column.dtype();
  }

  /** Whether the user asked for the numbers of a column, which then may be changed. */
  boolean isAsked(Column column) {
    return all != null || own.containsKey(column.name());
  }

  /**
   * Checks that all columns can be read as asked.
   *
   * @throws FormatException where one would be changed that nobody asked to change
   */
  public void check(TableDataset dataset) throws FormatException {
    Table to = table(dataset);
    for (int i = 0; i < to.columns().size(); i++) {
      conversion(dataset.folder().path(), dataset.table().columns().get(i), to.columns().get(i));
    }
  }

  Conversion conversion(String path, Column from, Column to) throws FormatException {
    FormatException.check(
        isAsked(from) || Conversion.isExact(from.dtype(), to.dtype()),
        path,
        "column `%s` is %s, which %s does not hold exactly (expected --dtype %s or %s to ask for it)",
        from.name(),
        from.dtype(),
        to.dtype(),
        to.dtype(),
        SaevConf.INPUT_DTYPE.key());
    try {
      return Conversion.of(from.dtype(), to.dtype(), rounding, range);
    } catch (IllegalArgumentException e) {
      throw FormatException.of(path, "column `%s`: %s", from.name(), e.getMessage());
    }
  }
}
