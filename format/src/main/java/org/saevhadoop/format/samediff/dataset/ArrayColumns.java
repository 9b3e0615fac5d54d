package org.saevhadoop.format.samediff.dataset;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.container.ContainerArray;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.container.SameDiffContainer.Unreadable;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.UnreadableArray;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.samediff.sdnb.StoredArray;
import org.saevhadoop.format.tensor.DType;

/**
 * Assignment of arrays to columns: {@code <column>/shard_<i>} of {@code [n, ...]} contains the
 * {@code n} examples of a column that follow {@code shard_<i-1>}; an array with any other name
 * contains all examples of the column of that name.
 *
 * @param groups the groups of arrays, in the order of their examples
 * @param unread the number of arrays whose columns were not requested
 */
record ArrayColumns(List<Column> columns, List<ArrayGroup> groups, int unread) {
  private static final Pattern SHARD =
      Pattern.compile("(.*)" + WrittenArrays.SHARD + "(0|[1-9]\\d{0,8})", Pattern.DOTALL);

  private static final int MAX_NAME = 100;

  /**
   * Assigns the arrays of a container.
   *
   * @param mappings the columns that are activations; if there are any, arrays of other columns are
   *     left out, except labels
   * @throws FormatException if the arrays do not have examples in common
   */
  static ArrayColumns of(SameDiffContainer container, List<ArrayMapping> mappings)
      throws FormatException {
    Map<String, SortedMap<Integer, ContainerArray>> columns = new LinkedHashMap<>();
    int unread = 0;
    for (ContainerArray array : container.arrays()) {
      Matcher shard = SHARD.matcher(array.name());
      String column = columnOf(array.name());
      if (mappings.isEmpty()
          || isMapped(column, mappings)
          || isLabels(column, array.array().type(), array.array().shape())) {
        int index = shard.matches() ? Integer.parseInt(shard.group(2)) : 0;
        ContainerArray other =
            columns.computeIfAbsent(column, name -> new TreeMap<>()).put(index, array);
        DatasetError.NO_ACTIVATIONS.check(
            other == null,
            container.path(),
            "arrays %s and %s have the same examples of the same column",
            show(array),
            other == null ? null : show(other));
      } else {
        unread++;
      }
    }
    checkReadable(container, mappings, columns.keySet());
    DatasetError.NO_ACTIVATIONS.check(
        !columns.isEmpty(),
        container.path(),
        mappings.isEmpty()
            ? "contains no arrays (expected layer_<l>/shard_<i>)"
            : "contains none of the arrays that --tensor names");
    return new Assignment(container.path(), columns).resolve(unread);
  }

  /**
   * Returns whether the arrays of a column are patch labels; a model may have other arrays with
   * this name.
   */
  private static boolean isLabels(String column, @Nullable SdnbType type, List<Long> shape) {
    return column.equals(Column.LABELS) && type == SdnbType.UBYTE && shape.size() == 2;
  }

  private static boolean isMapped(String column, List<ArrayMapping> mappings) {
    return mappings.stream().anyMatch(mapping -> mapping.name().match(column).isPresent());
  }

  /**
   * Checks that no array that contains examples of the dataset is unreadable; other unreadable
   * arrays are left out.
   *
   * @param columns the columns with readable arrays
   */
  private static void checkReadable(
      SameDiffContainer container, List<ArrayMapping> mappings, Set<String> columns)
      throws FormatException {
    for (Unreadable unreadable : container.unreadable()) {
      String column = columnOf(unreadable.name());
      if (isMapped(column, mappings) || mappings.isEmpty() && columns.isEmpty()) {
        throw unreadable.error();
      }
      UnreadableArray array = unreadable.array();
      boolean detected =
          mappings.isEmpty()
              && (Column.isActivations(column) || isLabels(column, array.type(), array.shape()));
      DatasetError.UNSUPPORTED.check(
          !detected && !columns.contains(column),
          unreadable.path(),
          "array %s contains examples and has %s (expected numbers, inline or appended; --tensor"
              + " names the arrays that are activations)",
          Quote.show(array.name(), MAX_NAME),
          array.obstacle());
    }
  }

  /** Returns whether an array has the name of a group of examples. */
  static boolean isShard(String array) {
    return SHARD.matcher(array).matches();
  }

  private static String columnOf(String array) {
    Matcher shard = SHARD.matcher(array);
    return shard.matches() ? shard.group(1) : array;
  }

  private static String show(ContainerArray array) {
    return Quote.show(array.name(), MAX_NAME);
  }

  /** Derives shapes from arrays that must agree. */
  private record Assignment(String path, Map<String, SortedMap<Integer, ContainerArray>> arrays) {
    ArrayColumns resolve(int unread) throws FormatException {
      List<Column> columns = new ArrayList<>();
      SortedMap<Integer, ContainerArray> first = arrays.values().iterator().next();
      for (Map.Entry<String, SortedMap<Integer, ContainerArray>> column : arrays.entrySet()) {
        SortedMap<Integer, ContainerArray> shards = column.getValue();
        DatasetError.NO_ACTIVATIONS.check(
            shards.lastKey() == shards.size() - 1 && shards.size() == first.size(),
            path,
            "has %d arrays of column %s, the last of which is shard_%d (expected shard_0 to"
                + " shard_%d)",
            shards.size(),
            Quote.show(column.getKey(), MAX_NAME),
            shards.lastKey(),
            first.size() - 1);
        columns.add(column(column.getKey(), shards));
      }
      List<ArrayGroup> groups = new ArrayList<>();
      long next = 0;
      for (int i = 0; i < first.size(); i++) {
        ArrayGroup group = group(i, next);
        groups.add(group);
        DatasetError.TOO_LARGE.check(
            group.examples() <= Long.MAX_VALUE - next, path, "holds more than 2^63 examples");
        next += group.examples();
      }
      return new ArrayColumns(columns, groups, unread);
    }

    private ArrayGroup group(int shard, long next) throws FormatException {
      List<ContainerArray> group = new ArrayList<>();
      for (SortedMap<Integer, ContainerArray> column : arrays.values()) {
        group.add(column.get(shard));
      }
      ContainerArray first = group.get(0);
      long examples = first.array().shape().get(0);
      for (ContainerArray array : group) {
        DatasetError.NO_ACTIVATIONS.check(
            array.array().shape().get(0) == examples,
            path,
            "array %s has the shape %s (expected %d examples, as in %s; --tensor names the arrays"
                + " that are activations)",
            show(array),
            array.array().shape(),
            examples,
            show(first));
      }
      return ArrayGroup.of(next, examples, group);
    }

    private Column column(String name, SortedMap<Integer, ContainerArray> shards)
        throws FormatException {
      Column column = column(name, shards.values().iterator().next());
      for (ContainerArray array : shards.values()) {
        Column found = column(name, array);
        DatasetError.NO_ACTIVATIONS.check(
            found.equals(column),
            path,
            "array %s has %s %s per example (expected %s %s)",
            show(array),
            found.dtype(),
            found.shape(),
            column.dtype(),
            column.shape());
      }
      return column;
    }

    private Column column(String name, ContainerArray array) throws FormatException {
      StoredArray stored = array.array();
      DatasetError.NO_ACTIVATIONS.check(
          !stored.shape().isEmpty(),
          path,
          "array %s has no dimensions (expected [n, ...]; --tensor names the arrays that are activations)",
          show(array));
      DType dtype = array.dtype(path, show(array));
      try {
        return new Column(name, dtype, stored.shape().subList(1, stored.shape().size()));
      } catch (ArithmeticException e) {
        throw DatasetError.TOO_LARGE
            .in(path, "array %s has the shape %s", show(array), stored.shape())
            .causedBy(e);
      }
    }
  }
}
