package org.saevhadoop.format.arrays.columns;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/**
 * Mapping from table columns to activations: {@code layer_<l>} with shape {@code [token, dim]} for
 * each layer, {@code acts} with shape {@code [layer, token, dim]}, or the columns that {@link
 * ArrayMapping}s name. The table may also have patch labels (a U8 column {@code labels} with shape
 * {@code [patch]} and at most as many patches as tokens) and per-token integers (I64 columns with
 * shape {@code [token]} that the metadata names). With {@link #ROWS_KEY}, columns have no token or
 * patch dimension.
 *
 * @param inner the offset of the block of each layer in the block of its column
 * @param labels the index of the column of the labels; -1 if there is none
 * @param tokens the indexes of the columns of per-token integers
 * @param unread the names of all other columns
 */
public record ActivationColumns(
    Geometry geometry,
    int[] columns,
    long[] inner,
    int labels,
    List<Integer> tokens,
    List<String> unread) {
  /** Metadata key of the layers of {@code acts} in stored order, separated by commas. */
  public static final String LAYERS_KEY = "saev.layers";

  /** Metadata key of the columns that are per-token integers, separated by commas. */
  public static final String TOKEN_ARRAYS_KEY = "saev.token_arrays";

  /** Metadata key of files whose columns have no token dimension: each example is one token. */
  public static final String ROWS_KEY = "saev.rows";

  private static final Pattern TOKEN_ARRAY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,199}");
  private static final List<Axis> ACTS_AXES =
      List.of(Axis.EXAMPLE, Axis.LAYER, Axis.TOKEN, Axis.DIM);
  private static final List<Axis> LAYER_AXES = List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM);

  /** A column and the layers in it. */
  private record Source(int column, List<Integer> layers, int tokens, int dim) {}

  /**
   * Finds the activations among the columns of a table.
   *
   * @param metadata the metadata of the file, which may contain {@link #LAYERS_KEY}
   * @param mappings the columns that are activations; empty to detect them by name
   * @throws FormatException if the columns are not activations, or if the column of labels is not
   *     valid
   */
  public static ActivationColumns of(
      String path, TableShape table, Map<String, String> metadata, List<ArrayMapping> mappings)
      throws FormatException {
    try {
      if (!mappings.isEmpty()) {
        return of(path, table, mapped(path, table, mappings), metadata, true);
      }
      TableShape named = metadata.containsKey(ROWS_KEY) ? withTokens(table) : table;
      return of(path, named, named(path, named, metadata), metadata, false);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw DatasetError.NO_ACTIVATIONS
          .in(path, "its tensors cannot be read as activations: %s", e.getMessage())
          .causedBy(e);
    }
  }

  private static TableShape withTokens(TableShape rows) {
    List<Column> columns = new ArrayList<>();
    for (Column column : rows.columns()) {
      List<Long> shape = new ArrayList<>(column.shape());
      shape.add(0, 1L);
      columns.add(new Column(column.name(), column.dtype(), shape));
    }
    return new TableShape(rows.examples(), columns, rows.columnIds());
  }

  /** Returns whether a name is valid for per-token integers, and not reserved. */
  private static boolean isTokenArray(String name) {
    return TOKEN_ARRAY.matcher(name).matches()
        && !name.equals(Column.LABELS)
        && !Column.isActivations(name);
  }

  /** Converts block offsets of columns into block offsets of layers. */
  public BlockOffsets placement(BlockOffsets table) {
    return (index, layer) -> table.offset(index, columns[layer]) + inner[layer];
  }

  /** Returns the distinct indexes of the columns that contain the layers, in ascending order. */
  List<Integer> columnsOf(List<Integer> layerIndexes) {
    return layerIndexes.stream().map(layer -> columns[layer]).distinct().sorted().toList();
  }

  /**
   * Returns the order of the blocks in a shard: by layer, in the order of the columns, if each
   * layer has a separate column and columns are stored one after another; otherwise by example.
   *
   * @param byColumn whether a shard stores the columns one after another, in their order
   */
  public BlockOrder storageOrder(boolean byColumn) {
    BlockOrder byExample = BlockOrder.byExample(geometry.table());
    if (!byColumn || Arrays.stream(columns).distinct().count() < columns.length) {
      return byExample;
    }
    List<Integer> layers = new ArrayList<>(byExample.columns());
    layers.sort((a, b) -> Integer.compare(columns[a], columns[b]));
    return new BlockOrder(true, layers);
  }

  /**
   * Returns the description of the activations. A document that cannot be read leads to a warning
   * and is treated as absent.
   *
   * @param warnings accepts warnings for the user, including those about columns that are not read
   */
  public Activations activations(
      Provenance provenance, ProvenanceReader reader, Consumer<String> warnings) {
    if (!unread.isEmpty()) {
      warnings.accept("tensors that --tensor does not name are not read: " + unread);
    }
    OptionalInt clsTokens = OptionalInt.empty();
    try {
      clsTokens = reader.clsTokens(provenance);
    } catch (FormatException e) {
      warnings.accept("it is not known whether token 0 is [CLS]: " + e.getMessage());
    }
    return new Activations(geometry, clsTokens, provenance);
  }

  private static ActivationColumns of(
      String path,
      TableShape table,
      List<Source> sources,
      Map<String, String> metadata,
      boolean isMapped)
      throws FormatException {
    Source first = sources.get(0);
    DType dtype = table.columns().get(first.column).dtype();
    List<Integer> found = new ArrayList<>();
    for (Source source : sources) {
      Column column = table.columns().get(source.column);
      DatasetError.NO_ACTIVATIONS.check(
          source.tokens == first.tokens && source.dim == first.dim && column.dtype() == dtype,
          path,
          "`%s` has %s %s per example (expected %s [%d, %d], as in the first tensor)",
          column.name(),
          column.dtype(),
          column.shape(),
          dtype,
          first.tokens,
          first.dim);
      found.addAll(source.layers);
    }
    List<Integer> layers = order(found, storedLayers(path, metadata), sources.size() == 1);
    Geometry geometry = new Geometry(table.examples(), layers, first.tokens, first.dim, dtype);
    int[] columns = new int[layers.size()];
    long[] inner = new long[columns.length];
    Map<Integer, Integer> positions = TableShape.positions(layers);
    for (Source source : sources) {
      for (int i = 0; i < source.layers.size(); i++) {
        int layer = Objects.requireNonNull(positions.get(source.layers.get(i)));
        columns[layer] = source.column;
        inner[layer] = i * geometry.blockBytes();
      }
    }
    Set<Integer> read = sources.stream().map(Source::column).collect(Collectors.toSet());
    int labels = labels(path, table, geometry, read, isMapped);
    List<Integer> tokens = tokenArrays(path, table, geometry, metadata);
    List<String> unread =
        IntStream.range(0, table.columns().size())
            .filter(c -> c != labels && !read.contains(c) && !tokens.contains(c))
            .mapToObj(table.columns()::get)
            .filter(column -> !(column.name().equals(Column.LABELS) && column.shape().isEmpty()))
            .map(Column::name)
            .toList();
    return new ActivationColumns(geometry, columns, inner, labels, tokens, unread);
  }

  private static List<Integer> order(List<Integer> found, List<Integer> stored, boolean asFound) {
    List<Integer> ascending = found.stream().sorted().toList();
    if (stored.stream().sorted().toList().equals(ascending)) {
      return stored;
    }
    return asFound ? found : ascending;
  }

  /**
   * Returns the index of the column of patch labels; -1 if there is none.
   *
   * @param isMapped whether the user has mapped the columns, so that labels may describe examples
   */
  private static int labels(
      String path, TableShape table, Geometry geometry, Set<Integer> read, boolean isMapped)
      throws FormatException {
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      if (column.name().equals(Column.LABELS) && !read.contains(i)) {
        boolean areOfPatches =
            column.dtype() == DType.U8
                && column.shape().size() == 1
                && column.elements() >= 1
                && column.elements() <= geometry.tokens();
        if (isMapped && !areOfPatches) {
          return -1;
        }
        DatasetError.BAD_LABELS.check(
            areOfPatches,
            path,
            "`%s` has %s %s per example (expected U8 [patch] of 1 to %d patches)",
            Column.LABELS,
            column.dtype(),
            column.shape(),
            geometry.tokens());
        return i;
      }
    }
    return -1;
  }

  /** Returns the names of the columns of per-token integers from the metadata of a file. */
  private static List<String> tokenNames(Map<String, String> metadata) {
    String names = metadata.get(TOKEN_ARRAYS_KEY);
    return names == null ? List.of() : List.of(names.split(","));
  }

  private static List<Integer> tokenArrays(
      String path, TableShape table, Geometry geometry, Map<String, String> metadata)
      throws FormatException {
    List<String> names = table.columns().stream().map(Column::name).toList();
    List<Integer> found = new ArrayList<>();
    for (String name : tokenNames(metadata)) {
      int index = names.indexOf(name);
      Column column = index < 0 ? null : table.columns().get(index);
      DatasetError.BAD_TOKEN_ARRAY.check(
          column != null
              && isTokenArray(name)
              && column.dtype() == DType.I64
              && column.shape().equals(List.of((long) geometry.tokens())),
          path,
          "`%s` is %s (expected I64 of %d tokens per example, because %s names it)",
          name,
          column == null ? "missing" : column.dtype() + " " + column.shape(),
          geometry.tokens(),
          TOKEN_ARRAYS_KEY);
      found.add(index);
    }
    return List.copyOf(found);
  }

  private static List<Source> named(String path, TableShape table, Map<String, String> metadata)
      throws FormatException {
    List<Source> sources = new ArrayList<>();
    List<String> tokens = tokenNames(metadata);
    boolean acts = table.columns().stream().anyMatch(c -> c.name().equals(Column.ACTS));
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      Matcher layer = Column.LAYER.matcher(column.name());
      if (column.name().equals(Column.LABELS) || tokens.contains(column.name())) {
        continue;
      }
      DatasetError.NO_ACTIVATIONS.check(
          acts ? column.name().equals(Column.ACTS) : layer.matches(),
          path,
          "tensor `%s` is not an activation tensor (expected layer_<l> [n, token, dim] or a single"
              + " acts [n, layer, token, dim]; for other names, use --tensor"
              + " NAME=example,layer:7,token,dim)",
          column.name());
      List<Integer> layers =
          acts ? storedLayers(path, metadata) : List.of(Integer.valueOf(layer.group(1)));
      sources.add(
          source(
              path,
              table.examples(),
              column,
              i,
              ArrayMapping.of(
                  NamePattern.literally(column.name()), acts ? ACTS_AXES : LAYER_AXES, layers)));
    }
    DatasetError.NO_ACTIVATIONS.check(
        !sources.isEmpty(), path, "contains no activation tensors (expected layer_<l> or acts)");
    return sources;
  }

  private static List<Source> mapped(String path, TableShape table, List<ArrayMapping> mappings)
      throws FormatException {
    List<Source> sources = new ArrayList<>();
    for (ArrayMapping mapping : mappings) {
      List<String> names = table.columns().stream().map(Column::name).toList();
      int i =
          IntStream.range(0, names.size())
              .filter(c -> mapping.name().match(names.get(c)).isPresent())
              .findFirst()
              .orElse(-1);
      DatasetError.NO_ACTIVATIONS.check(
          i >= 0, path, "has no tensor `%s` (expected one of %s)", mapping.name(), names);
      sources.add(source(path, table.examples(), table.columns().get(i), i, mapping));
    }
    return sources;
  }

  private static Source source(
      String path, long examples, Column column, int position, ArrayMapping mapping)
      throws FormatException {
    List<Long> shape = new ArrayList<>(column.shape());
    shape.add(0, examples);
    List<Axis> axes = mapping.axes(shape.size());
    DatasetError.NO_ACTIVATIONS.check(
        shape.size() == axes.size(),
        path,
        "`%s` has %s per example (expected %s)",
        column.name(),
        column.shape(),
        axes.subList(1, axes.size()));
    int dim = Math.toIntExact(shape.get(axes.indexOf(Axis.DIM)));
    int tokens = size(shape, axes, Axis.TOKEN);
    int count = size(shape, axes, Axis.LAYER);
    Geometry.checkSizes(path, column.name(), shape, count, tokens, dim);
    List<Integer> layers = mapping.layers();
    if (!axes.contains(Axis.LAYER)) {
      return new Source(
          position, layers.isEmpty() ? List.of(number(path, column.name())) : layers, tokens, dim);
    }
    DatasetError.NO_ACTIVATIONS.check(
        count <= Geometry.MAX_LAYERS,
        path,
        "`%s` has %d layers (expected at most %d)",
        column.name(),
        count,
        Geometry.MAX_LAYERS);
    DatasetError.NO_ACTIVATIONS.check(
        layers.isEmpty() || layers.size() == count,
        path,
        "the layers %s are named (expected %d layers, as in `%s`)",
        layers,
        count,
        column.name());
    return new Source(
        position,
        layers.isEmpty() ? IntStream.range(0, count).boxed().toList() : layers,
        tokens,
        dim);
  }

  private static int size(List<Long> shape, List<Axis> axes, Axis axis) {
    return axes.contains(axis) ? Math.toIntExact(shape.get(axes.indexOf(axis))) : 1;
  }

  /** Returns the number of the layer in the name of a column, or 0. */
  private static int number(String path, String column) throws FormatException {
    List<Integer> numbers = LayerNumber.numbers(column);
    DatasetError.NO_ACTIVATIONS.check(
        numbers.size() < 2,
        path,
        "the layer of `%s` may be any of %s (expected layer:N in --tensor)",
        column,
        numbers);
    return numbers.isEmpty() ? 0 : numbers.get(0);
  }

  private static List<Integer> storedLayers(String path, Map<String, String> metadata)
      throws FormatException {
    String text = metadata.get(LAYERS_KEY);
    if (text == null) {
      return List.of();
    }
    try {
      return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw DatasetError.NO_ACTIVATIONS
          .in(path, "%s is \"%s\" (expected layers separated by commas)", LAYERS_KEY, text)
          .causedBy(e);
    }
  }
}
