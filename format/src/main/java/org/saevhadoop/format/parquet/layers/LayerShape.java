package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetError;

/**
 * The shape of a dataset whose rows are vectors of several layers.
 *
 * @param rowTokens the number of tokens in each row
 * @param patches the number of labels for each example, which belong to its last tokens; 0 for none
 * @param integers the names of the per-token integers
 * @param unread the names of columns that are not read
 * @param warnings warnings about differences between files or layers
 */
public record LayerShape(
    Geometry geometry,
    int rowTokens,
    int patches,
    List<String> integers,
    List<String> unread,
    List<String> warnings) {
  /** A limit above the number of tokens of an example in any model. */
  private static final int MAX_TOKENS = 1 << 24;

  private static final int MAX_LABEL = 0xff;

  /** Names of per-token integers that any format can write. */
  private static final Pattern TOKEN_ARRAY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,199}");

  /** Determines the shape from the columns that number the rows of all files. */
  public static final class Survey {
    private final String path;
    private final Optional<String> label;
    private final TreeMap<Integer, Long> layers = new TreeMap<>();
    private final BitSet tokens = new BitSet();
    private final BitSet labelled = new BitSet();
    private final BitSet unlabelled = new BitSet();
    private final Set<String> integers = new LinkedHashSet<>();
    private final Set<String> unread = new LinkedHashSet<>();
    private @Nullable LayerColumns first;
    private boolean hasLabels = true;
    private boolean hasLabelColumn;

    /** Maps each token array that some files lack to one of these files. */
    private final SortedMap<String, String> lacking = new TreeMap<>();

    /**
     * Creates a survey without files.
     *
     * @param path the path of the dataset
     * @param label the name of the column that must have labels; empty if labels are optional
     */
    public Survey(String path, Optional<String> label) {
      this.path = path;
      this.label = label;
    }

    /** Adds a file to the survey. */
    public void add(Input in, LayerColumns columns) throws IOException {
      if (columns.footer().rows() == 0) {
        return;
      }
      if (first == null) {
        first = columns;
      }
      ParquetError.UNORDERED_ROWS.check(
          columns.row().equals(first.row())
              && columns.dtype() == first.dtype()
              && columns.example().isPresent() == first.example().isPresent()
              && columns.token().isPresent() == first.token().isPresent(),
          in.path(),
          "has %s %s in each row, or different columns of numbers (expected %s %s, as in %s)",
          columns.dtype(),
          columns.row(),
          first.dtype(),
          first.row(),
          first.footer().path());
      ArrayError.BAD_SHAPE.check(
          label.isEmpty() || columns.rowTokens() == 1,
          in.path(),
          "has %d tokens in each row, but labels \"%s\" for rows (expected rows of one token)",
          columns.rowTokens(),
          label.orElse(""));
      addLacking(in.path(), first, columns.integerNames());
      for (String name : columns.integerNames()) {
        (isTokenArray(name) ? integers : unread).add(name);
      }
      unread.addAll(columns.others());
      hasLabelColumn |= columns.label().isPresent();
      hasLabels &= columns.label().isPresent() && columns.rowTokens() == 1;
      for (int group = 0; group < columns.footer().rowGroups().size(); group++) {
        add(in, columns, group);
      }
    }

    private void addLacking(String path, LayerColumns first, List<String> own) {
      for (String name : integers) {
        if (!own.contains(name)) {
          lacking.putIfAbsent(name, path);
        }
      }
      for (String name : own) {
        if (isTokenArray(name) && !first.integerNames().contains(name)) {
          lacking.putIfAbsent(name, first.footer().path());
        }
      }
    }

    private static boolean isTokenArray(String name) {
      return TOKEN_ARRAY.matcher(name).matches()
          && !name.equals(Column.LABELS)
          && !Column.isActivations(name);
    }

    private void add(Input in, LayerColumns columns, int group) throws IOException {
      MemoryAccount memory = RowNumbers.account();
      RowNumbers layer = RowNumbers.read(in, columns, group, columns.layer(), memory);
      layer.check(Integer.MAX_VALUE, in.path(), columns, group);
      for (long number : layer.values()) {
        layers.merge((int) number, 1L, Long::sum);
        checkSize(layers.size() <= Geometry.MAX_LAYERS, "layers", Geometry.MAX_LAYERS);
      }
      long[] token = tokens(in, columns, group, memory);
      for (long number : token) {
        tokens.set((int) number);
      }
      if (hasLabels) {
        RowNumbers labels =
            RowNumbers.read(in, columns, group, columns.label().orElseThrow(), memory);
        for (int i = 0; i < token.length; i++) {
          addLabel(in.path(), labels.values()[i], columns.footer().rowsBefore(group) + i, token[i]);
        }
      }
    }

    private static long[] tokens(Input in, LayerColumns columns, int group, MemoryAccount memory)
        throws IOException {
      if (columns.token().isEmpty()) {
        return RowNumbers.allocate(in, columns, group, memory);
      }
      RowNumbers numbers = RowNumbers.read(in, columns, group, columns.token().getAsInt(), memory);
      numbers.check(MAX_TOKENS - 1, in.path(), columns, group);
      return numbers.values();
    }

    private void addLabel(String file, long number, long row, long token) throws FormatException {
      boolean isLabel = number >= 0 && number <= MAX_LABEL;
      if (number != LayerColumns.ABSENT && !isLabel && label.isPresent()) {
        throw DatasetError.BAD_LABELS.in(
            file, "row %d has %s %d (expected 0 to %d)", row, label.get(), number, MAX_LABEL);
      }
      (number == LayerColumns.ABSENT ? unlabelled : labelled).set((int) token);
      hasLabels &= number == LayerColumns.ABSENT || isLabel;
    }

    private void checkSize(boolean holds, String what, int limit) throws FormatException {
      ParquetError.LIMIT_EXCEEDED.check(
          holds, path, "has more %s than any model (expected at most %d)", what, limit);
    }

    /** Returns whether exactly the last tokens of all examples have labels. */
    private boolean areOfPatches() {
      return hasLabels
          && !labelled.isEmpty()
          && !labelled.intersects(unlabelled)
          && unlabelled.length() <= labelled.nextSetBit(0);
    }

    private Geometry geometry(LayerColumns columns, long examples) throws FormatException {
      try {
        return new Geometry(
            examples,
            List.copyOf(layers.keySet()),
            Math.multiplyExact(tokens.cardinality(), columns.rowTokens()),
            columns.dim(),
            columns.dtype());
      } catch (ArithmeticException | IllegalArgumentException e) {
        throw ParquetError.BAD_PARQUET
            .in(columns.footer().path(), "its vectors do not form a dataset: %s", e.getMessage())
            .causedBy(e);
      }
    }

    /**
     * Returns the shape.
     *
     * @throws FormatException if there are no rows, or if the layers differ in their number of rows
     */
    public LayerShape shape() throws FormatException {
      LayerColumns columns = first;
      if (columns == null) {
        throw ParquetError.UNORDERED_ROWS.in(path, "has no rows (expected vectors of layers)");
      }
      long rows = layers.firstEntry().getValue();
      for (Map.Entry<Integer, Long> layer : layers.entrySet()) {
        ParquetError.UNORDERED_ROWS.check(
            layer.getValue() == rows,
            path,
            "has %d rows of layer %d and %d of layer %d (expected the same number for each layer)",
            layer.getValue(),
            layer.getKey(),
            rows,
            layers.firstKey());
      }
      ParquetError.UNORDERED_ROWS.check(
          rows % tokens.cardinality() == 0,
          path,
          "has %d rows of each layer and %d different tokens (expected examples of all tokens)",
          rows,
          tokens.cardinality());
      int rowTokens = columns.rowTokens();
      Geometry geometry = geometry(columns, rows / tokens.cardinality());
      int patches = areOfPatches() ? labelled.cardinality() : 0;
      DatasetError.BAD_LABELS.check(
          patches > 0 || label.isEmpty(),
          path,
          "has nulls in \"%s\" (expected labels in all rows, or for the last tokens of all"
              + " examples)",
          label.orElse(""));
      List<String> others = new ArrayList<>(unread);
      if (patches == 0 && hasLabelColumn) {
        others.add(LayerColumns.LABEL);
      }
      if (rowTokens > 1) {
        others.addAll(integers); // they have one number for all tokens of a row
        return new LayerShape(geometry, rowTokens, patches, List.of(), others, List.of());
      }
      return new LayerShape(
          geometry, rowTokens, patches, List.copyOf(integers), others, warnings());
    }

    private List<String> warnings() {
      return lacking.entrySet().stream()
          .map(
              own ->
                  "%s has no column %s, which other files have: its rows have -1"
                      .formatted(own.getValue(), own.getKey()))
          .toList();
    }
  }
}
