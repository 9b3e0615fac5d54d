package org.saevhadoop.jobs.diff;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.jobs.diff.DatasetDifference.ComparedColumn;
import org.saevhadoop.jobs.diff.DatasetDifference.Difference;
import org.saevhadoop.jobs.diff.DatasetDifference.Differing;
import org.saevhadoop.jobs.source.OpenedSource;

/**
 * Two datasets and their common part. Activation columns are paired by layer, and other columns by
 * name.
 */
final class DatasetPair {
  /**
   * A column that both datasets have with the same shape.
   *
   * @param a the column of the first dataset, with the type in which it is compared
   * @param layer the number of the layer; null if the columns are not activations
   */
  private record CommonColumn(int indexA, int indexB, Column a, Column b, @Nullable Integer layer) {
    ComparedColumn compared(ColumnDifference found) {
      return new ComparedColumn(
          layer, layer == null ? a.name() : null, a.dtype(), b.dtype(), Differing.of(found));
    }
  }

  private static final Pattern INTEGER = Pattern.compile("-?\\d+");

  private final OpenedSource a;
  private final OpenedSource b;
  private final boolean areActivations;
  private final List<CommonColumn> columns = new ArrayList<>();
  private final List<String> shapes = new ArrayList<>();
  private final List<String> onlyA = new ArrayList<>();
  private final List<String> onlyB = new ArrayList<>();
  private final boolean labels;
  private final boolean samples;

  DatasetPair(OpenedSource a, OpenedSource b) throws IOException {
    this.a = a;
    this.b = b;
    this.areActivations =
        a.dataset() instanceof ActivationDataset && b.dataset() instanceof ActivationDataset;
    long examplesA = a.dataset().table().examples();
    long examplesB = b.dataset().table().examples();
    if (examplesA != examplesB) {
      shapes.add("examples: %d and %d".formatted(examplesA, examplesB));
    }
    pairColumns();
    this.labels = both("labels", DatasetPair::hasLabels);
    this.samples =
        both(
            DatasetDifference.SAMPLE_METADATA,
            dataset -> dataset.sampleMetadataWithTokens().isPresent());
  }

  private static TableShape table(OpenedSource source) throws FormatException {
    return source.spec().dtypes().orStored().table(source.dataset());
  }

  private void pairColumns() throws FormatException {
    TableShape tableA = table(a);
    TableShape tableB = table(b);
    Map<String, Integer> indexes = new LinkedHashMap<>();
    for (int i = 0; i < tableB.columns().size(); i++) {
      indexes.put(name(tableB, i), i);
    }
    for (int i = 0; i < tableA.columns().size(); i++) {
      String name = name(tableA, i);
      Integer j = indexes.remove(name);
      if (j == null) {
        onlyA.add(name);
        continue;
      }
      Column columnA = tableA.columns().get(i);
      Column columnB = tableB.columns().get(j);
      if (columnA.shape().equals(columnB.shape())) {
        Integer layer = areActivations ? tableA.columnIds().get(i) : null;
        columns.add(new CommonColumn(i, j, columnA, columnB, layer));
      } else {
        shapes.add("%s: %s and %s".formatted(name, columnA.shape(), columnB.shape()));
      }
    }
    onlyB.addAll(indexes.keySet());
  }

  private String name(TableShape table, int column) {
    return areActivations
        ? "layer " + table.columnIds().get(column)
        : "column " + table.columns().get(column).name();
  }

  private static boolean hasLabels(TableDataset dataset) {
    return dataset instanceof ActivationDataset activations && activations.hasLabels();
  }

  /**
   * Returns whether both datasets have a kind of data, and records the kind if only one of them
   * does.
   */
  private boolean both(String what, Io.Function<TableDataset, Boolean> question)
      throws IOException {
    boolean ofA = question.apply(a.dataset());
    boolean ofB = question.apply(b.dataset());
    if (ofA != ofB) {
      (ofA ? onlyA : onlyB).add(what);
    }
    return ofA && ofB;
  }

  /** Returns the number of examples that are compared. */
  long examples() {
    return Math.min(a.dataset().table().examples(), b.dataset().table().examples());
  }

  /** Returns the first dataset, restricted to the examples that are compared. */
  OpenedSource firstOfA() throws IOException {
    return a.first(examples());
  }

  OpenedSource b() {
    return b;
  }

  /** Returns the number of bytes of both datasets that are compared. */
  long bytes() {
    TableShape tableA = a.dataset().table();
    TableShape tableB = b.dataset().table();
    return examples()
        * columns.stream()
            .mapToLong(
                column -> tableA.blockBytes(column.indexA) + tableB.blockBytes(column.indexB))
            .sum();
  }

  boolean isComparable() {
    return !columns.isEmpty() && examples() > 0;
  }

  boolean haveLabels() {
    return labels;
  }

  boolean haveSamples() {
    return samples;
  }

  List<Integer> columnsOfA() {
    return columns.stream().map(CommonColumn::indexA).toList();
  }

  List<Integer> columnsOfB() {
    return columns.stream().map(CommonColumn::indexB).toList();
  }

  /**
   * Checks that the values of all columns can be compared.
   *
   * @throws FormatException if the values of two types cannot be compared
   */
  void check(Tolerance tolerance, boolean nanEqual) throws FormatException {
    String path = b.request().location().path();
    for (CommonColumn column : columns) {
      new ValueComparison(path, column.a.dtype(), column.b.dtype(), tolerance, nanEqual);
    }
  }

  /** Returns the result, given the findings of the tasks by column position. */
  DatasetDifference difference(Map<Integer, ColumnDifference> sums) {
    ColumnDifference none = new ColumnDifference();
    ColumnDifference all = new ColumnDifference();
    List<ComparedColumn> compared = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      ColumnDifference sum = sums.getOrDefault(i, none);
      all.add(sum);
      compared.add(columns.get(i).compared(sum));
    }
    return new DatasetDifference(
        shapes,
        onlyA,
        onlyB,
        columns.isEmpty() ? 0 : examples(),
        sums.getOrDefault(DiffBlocks.LABELS, none).values,
        sums.getOrDefault(DiffBlocks.SAMPLES, none).values,
        Differing.of(all),
        compared,
        all.first().stream().map(pair -> stored(pair, compared.get(pair.column()))).toList());
  }

  private Difference stored(ValuePair pair, ComparedColumn column) {
    TableDataset dataset = a.dataset();
    long token =
        dataset instanceof ActivationDataset activations
            ? activations.sourceToken(Math.toIntExact(pair.vector()))
            : pair.vector();
    return new Difference(
        dataset.sourceExample(pair.example()),
        column.layer(),
        column.column(),
        token,
        pair.dim(),
        number(pair.a()),
        number(pair.b()));
  }

  private static Number number(String text) {
    if (INTEGER.matcher(text).matches()) {
      return new BigInteger(text);
    }
    Float narrow = Float.valueOf(text);
    if (narrow.toString().equals(text)) {
      return narrow;
    }
    return Double.valueOf(text);
  }
}
