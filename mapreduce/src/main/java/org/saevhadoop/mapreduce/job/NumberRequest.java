package org.saevhadoop.mapreduce.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;
import org.saevhadoop.mapreduce.conf.SettingException;
import org.saevhadoop.mapreduce.conf.Settings;

/**
 * Which numbers a job asks its input for.
 *
 * @param all the type of all columns that have none of their own; null for the default
 * @param stored whether the default is what is stored, instead of float32 for activations
 * @param own the types of single columns
 */
public record NumberRequest(
    DType all, boolean stored, Map<String, DType> own, RoundingPolicy rounding, RangePolicy range) {
  /** The value that asks for what is stored. */
  public static final String STORED = "stored";

  /** Returns what settings ask for. */
  public static NumberRequest of(Settings settings) {
    DType all = null;
    boolean stored = false;
    Map<String, DType> own = new LinkedHashMap<>();
    List<String> items = settings.get(InputKeys.DTYPE);
    for (String item : items == null ? List.<String>of() : items) {
      int cut = item.lastIndexOf('=');
      String name = item.substring(cut + 1).strip();
      String typedAs = settings.nameOf(InputKeys.DTYPE);
      if (cut < 0 && name.equals(STORED)) {
        stored = true;
      } else if (cut < 0) {
        once(typedAs, "all columns", all, dtype(name));
        all = dtype(name);
      } else {
        String column = item.substring(0, cut);
        once(typedAs, "column " + column, own.put(column, dtype(name)), dtype(name));
      }
    }
    return new NumberRequest(
        all, stored, own, settings.get(InputKeys.ROUNDING), settings.get(InputKeys.RANGE));
  }

  private static void once(String typedAs, String what, DType before, DType now) {
    if (before != null) {
      throw new SettingException(
          "%s names two types for %s, %s and %s (expected one)"
              .formatted(typedAs, what, before, now));
    }
  }

  /** Checks one item of the setting, and returns it. */
  static String checked(String item) {
    int cut = item.lastIndexOf('=');
    String name = item.substring(cut + 1).strip();
    if (cut >= 0 || !name.equals(STORED)) {
      dtype(name);
    }
    return item;
  }

  /** Returns the settings that ask for this. */
  Settings toSettings() {
    List<String> items = new ArrayList<>();
    if (stored) {
      items.add(STORED);
    }
    if (all != null) {
      items.add(all.name());
    }
    own.forEach((column, dtype) -> items.add(column + "=" + dtype.name()));
    Settings settings =
        Settings.NONE.with(InputKeys.ROUNDING, rounding).with(InputKeys.RANGE, range);
    return items.isEmpty() ? settings : settings.with(InputKeys.DTYPE, items);
  }

  /** Returns the same with stored types by default. */
  public NumberRequest orStored() {
    return new NumberRequest(all, true, own, rounding, range);
  }

  /** Returns whether types are asked for, of any column, or those that are stored. */
  public boolean isAsked() {
    return all != null || stored || !own.isEmpty();
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
    throw new IllegalArgumentException("there is no dtype \"" + name + "\"");
  }

  /** The table as it is read: the same columns, perhaps of other numbers. */
  public TableShape table(TableDataset dataset) throws FormatException {
    TableShape table = dataset.table();
    for (String name : own.keySet()) {
      DatasetError.NO_SUCH_COLUMN.check(
          table.columns().stream().anyMatch(column -> column.name().equals(name)),
          dataset.folder().path(),
          "has no column `%s` (%s names it; it has %s)",
          name,
          InputKeys.DTYPE.name(),
          table.columns());
    }
    boolean widen = dataset instanceof ActivationDataset && !stored;
    return new TableShape(
        table.examples(),
        table.columns().stream().map(column -> column.as(to(column, widen))).toList(),
        table.numbers());
  }

  /** The type in which a column is read; {@code widen} where it holds activations. */
  public DType of(Column column, boolean widen) {
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
    TableShape to = table(dataset);
    for (int i = 0; i < to.columns().size(); i++) {
      conversion(dataset.folder().path(), dataset.table().columns().get(i), to.columns().get(i));
    }
  }

  /**
   * Returns the conversion of a column.
   *
   * @throws FormatException if nobody asked for one that changes values
   */
  public DTypeConversion conversion(String path, Column from, Column to) throws FormatException {
    DatasetError.NOT_CONVERTIBLE.check(
        isAsked(from) || DTypeConversion.isExact(from.dtype(), to.dtype()),
        path,
        "column `%s` is %s, which %s does not hold exactly (expected --dtype %s or %s to ask for it)",
        from.name(),
        from.dtype(),
        to.dtype(),
        to.dtype(),
        InputKeys.DTYPE.name());
    try {
      return DTypeConversion.of(from.dtype(), to.dtype(), rounding, range);
    } catch (IllegalArgumentException e) {
      throw DatasetError.NOT_CONVERTIBLE.in(path, "column `%s`: %s", from.name(), e.getMessage());
    }
  }
}
