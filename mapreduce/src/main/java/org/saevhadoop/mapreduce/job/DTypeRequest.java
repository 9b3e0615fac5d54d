package org.saevhadoop.mapreduce.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.DoubleChange;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;

/**
 * The types in which a job reads values, and how it normalizes them before they are rounded.
 *
 * @param all the type of all columns without a type in {@code own}; null for the default
 * @param stored whether the default is the stored type, instead of float32 for activations
 * @param own the types of individual columns, by name
 * @param rounding the rounding of values that the type cannot hold exactly
 * @param range the handling of values that are outside the range of an integer type
 * @param normalization the normalization of the values; null if they are not normalized
 */
public record DTypeRequest(
    @Nullable DType all,
    boolean stored,
    Map<String, DType> own,
    RoundingPolicy rounding,
    RangePolicy range,
    @Nullable Normalization normalization) {
  /** The value that requests the stored types. */
  public static final String STORED = "stored";

  /** Creates a request for values that are not normalized. */
  public DTypeRequest(
      @Nullable DType all,
      boolean stored,
      Map<String, DType> own,
      RoundingPolicy rounding,
      RangePolicy range) {
    this(all, stored, own, rounding, range, null);
  }

  /**
   * Returns the types that settings request.
   *
   * @throws SettingException if the settings request two types for one column
   */
  public static DTypeRequest of(Settings settings) {
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
    return new DTypeRequest(
        all,
        stored,
        own,
        settings.get(InputKeys.ROUNDING),
        settings.get(InputKeys.RANGE),
        settings.get(ConversionKeys.NORMALIZATION));
  }

  private static void once(String typedAs, String what, @Nullable DType before, DType now) {
    if (before != null) {
      throw new SettingException(
          "%s names two types for %s, %s and %s (expected one)"
              .formatted(typedAs, what, before, now));
    }
  }

  /**
   * Checks one item of the setting.
   *
   * @throws IllegalArgumentException if the item names an unknown type
   */
  static void checkItem(String item) {
    int cut = item.lastIndexOf('=');
    String name = item.substring(cut + 1).strip();
    if (cut >= 0 || !name.equals(STORED)) {
      dtype(name);
    }
  }

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
    if (normalization != null) {
      settings = settings.with(ConversionKeys.NORMALIZATION, normalization);
    }
    return items.isEmpty() ? settings : settings.with(InputKeys.DTYPE, items);
  }

  /** Returns a copy whose default is the stored type. */
  public DTypeRequest orStored() {
    return new DTypeRequest(all, true, own, rounding, range, normalization);
  }

  /** Returns a copy with another normalization; null for none. */
  public DTypeRequest with(@Nullable Normalization other) {
    return new DTypeRequest(all, stored, own, rounding, range, other);
  }

  /** Returns a request for the stored types of all columns. */
  public DTypeRequest unconverted() {
    return new DTypeRequest(null, true, Map.of(), rounding, range, normalization);
  }

  /** Returns a request for one type of all columns. */
  public DTypeRequest as(DType type) {
    return new DTypeRequest(type, false, Map.of(), rounding, range, normalization);
  }

  /**
   * Returns the request that determines the identity of a dataset, regardless of the requested
   * type: the default type if it is exact, otherwise the stored type. Values are not normalized.
   */
  public DTypeRequest identifying(DType stored) {
    boolean exact = DTypeConversion.isExact(stored, DType.F32);
    return new DTypeRequest(null, !exact, Map.of(), rounding, range);
  }

  /** Returns a copy without the types of columns that a table does not have. */
  public DTypeRequest of(TableShape table) {
    Map<String, DType> present = new LinkedHashMap<>(own);
    present
        .keySet()
        .retainAll(table.columns().stream().map(Column::name).collect(Collectors.toSet()));
    return new DTypeRequest(all, stored, present, rounding, range, normalization);
  }

  /** Returns whether a type was requested for any column, or the stored types were requested. */
  public boolean isAsked() {
    return all != null || stored || !own.isEmpty();
  }

  /**
   * Returns a type by one of its names in safetensors, numpy or torch.
   *
   * @throws IllegalArgumentException if there is no such type
   */
  public static DType dtype(String name) {
    return DTypeName.parse(name);
  }

  /**
   * Returns the shape of a dataset as it is read: the same columns, possibly with other types.
   *
   * @throws FormatException if a type is requested for a column that does not exist
   */
  public TableShape table(TableDataset dataset) throws FormatException {
    TableShape table = dataset.table();
    for (String name : own.keySet()) {
      DatasetError.NO_SUCH_COLUMN.check(
          table.columns().stream().anyMatch(column -> column.name().equals(name)),
          dataset.path(),
          "has no column `%s`, which %s names (its columns are %s)",
          name,
          InputKeys.DTYPE.name(),
          table.columns());
    }
    boolean widen = dataset instanceof ActivationDataset && !stored;
    return new TableShape(
        table.examples(),
        table.columns().stream().map(column -> column.as(to(column, widen))).toList(),
        table.columnIds());
  }

  /**
   * Returns the type in which a column is read.
   *
   * @param widen whether the column contains activations
   */
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

  /** Returns whether a type was requested for a column, whose values may then be changed. */
  boolean isAsked(Column column) {
    return all != null || own.containsKey(column.name());
  }

  /**
   * Checks that all columns can be read as requested.
   *
   * @throws FormatException if a column would be converted inexactly although no type was requested
   *     for it
   */
  public void check(TableDataset dataset) throws FormatException {
    List<Column> from = dataset.table().columns();
    List<Column> to = table(dataset).columns();
    for (int i = 0; i < to.size(); i++) {
      conversion(dataset.path(), from.get(i), to.get(i));
    }
  }

  /**
   * Returns the conversion of a column.
   *
   * @throws FormatException if there is no such conversion, or if the conversion is inexact and no
   *     type was requested for the column
   */
  public DTypeConversion conversion(String path, Column from, Column to) throws FormatException {
    return conversion(path, from, null, to);
  }

  /**
   * Returns the conversion of the vectors of a layer, which normalizes them.
   *
   * @param layers all layers of the dataset
   * @throws FormatException under the same conditions as {@link #conversion(String, Column,
   *     Column)}
   */
  public DTypeConversion normalizing(
      String path, Column from, int layer, List<Integer> layers, Column to) throws FormatException {
    return conversion(path, from, Objects.requireNonNull(normalization).change(layer, layers), to);
  }

  private DTypeConversion conversion(
      String path, Column from, @Nullable DoubleChange change, Column to) throws FormatException {
    DatasetError.NOT_CONVERTIBLE.check(
        isAsked(from) || DTypeConversion.isExact(from.dtype(), to.dtype()),
        path,
        "column `%s` is %s, which %s cannot represent exactly (expected --dtype %s or %s to convert"
            + " it anyway)",
        from.name(),
        from.dtype(),
        to.dtype(),
        to.dtype(),
        InputKeys.DTYPE.name());
    try {
      return change == null
          ? DTypeConversion.of(from.dtype(), to.dtype(), rounding, range)
          : DTypeConversion.changing(from.dtype(), change, to.dtype(), rounding, range);
    } catch (IllegalArgumentException e) {
      throw DatasetError.NOT_CONVERTIBLE
          .in(path, "column `%s`: %s", from.name(), e.getMessage())
          .causedBy(e);
    }
  }
}
