package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrow.file.ColumnRuns.Run;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;

/**
 * The columns of a file as arrays. A part of the file is a record batch, or a run of its rows whose
 * lists have equal lengths.
 */
final class ArrowContent {
  private static final int MAX_SHOWN = 100;
  private static final int MAX_LISTED = 8;

  private final ArrowBodies bodies;
  private final Input file;
  private final ArrowReader.Names names;
  private final Set<String> samples;
  private final List<Rows> batches = new ArrayList<>();
  private final Set<String> unread = new LinkedHashSet<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private @Nullable Boolean isPacked;
  private long rows;
  private int parts;

  /**
   * The number of rows in a batch, the number of rows before it, and the runs of each column that
   * is read.
   */
  private record Rows(long before, long rows, Map<ArrowColumn, List<Run>> runs) {}

  ArrowContent(ArrowBodies bodies, ArrowReader.Names names) throws IOException {
    this.bodies = bodies;
    this.file = bodies.values();
    this.names = names;
    this.samples = SampleFields.of(bodies.file(), names);
  }

  /** Reads the schema and all record batches, except for the values. */
  ArrayFile read() throws IOException {
    ArrowMessages messages = new ArrowMessages(bodies.file());
    List<ArrowField> fields = ArrowSchema.fields(file.path(), messages.schema().header());
    Dictionaries dictionaries = dictionaries(fields, messages);
    ArrowMessages.Message message;
    while ((message = batch(messages, dictionaries, true)) != null) {
      add(fields, message);
    }
    if (!messages.isEnded()) {
      warnings.add("has no end-of-stream marker: its writer may not have finished");
    }
    if (batches.isEmpty()) {
      return ArrayFile.NO_EXAMPLES;
    }
    if (!unread.isEmpty()) {
      warnings.add(
          "columns that are not read: "
              + String.join(", ", unread.stream().limit(MAX_LISTED).toList())
              + (unread.size() > MAX_LISTED ? ", ..." : ""));
    }
    List<List<FileArray>> all = new ArrayList<>();
    Map<String, List<Long>> known = knownSizes();
    for (Rows batch : batches) {
      addParts(batch, known, all);
    }
    return ArrayFile.ofParts(all, List.copyOf(warnings)).withSamples(!samples.isEmpty());
  }

  /** Returns the next record batch; null if there is none. */
  private ArrowMessages.@Nullable Message batch(
      ArrowMessages messages, Dictionaries dictionaries, boolean isLocated) throws IOException {
    ArrowMessages.Message message;
    while ((message = messages.next()) != null && message.kind() != ArrowMessages.RECORD_BATCH) {
      ArrowError.BAD_FRAME.check(
          message.kind() == ArrowMessages.DICTIONARY_BATCH,
          file.path(),
          "has a message of kind %d (expected a record batch)",
          message.kind());
      if (isLocated) {
        dictionaries.accept(message);
      }
    }
    if (message != null) {
      boolean own = BatchColumns.isPacked(message);
      ArrowError.UNSUPPORTED.check(
          isPacked == null || isPacked == own,
          file.path(),
          "has both compressed and uncompressed record batches (expected all or none to be"
              + " compressed)");
      isPacked = own;
    }
    return message;
  }

  private Dictionaries dictionaries(List<ArrowField> fields, ArrowMessages messages) {
    return new Dictionaries(bodies, names, fields, samples, messages.isFile());
  }

  /** Locates the buffers of record batches without reading them. */
  void locate(int first, int end) throws IOException {
    ArrowMessages messages = new ArrowMessages(bodies.file());
    List<ArrowField> fields = ArrowSchema.fields(file.path(), messages.schema().header());
    Dictionaries dictionaries = dictionaries(fields, messages);
    ArrowMessages.Message message;
    for (int i = 0; i < end && (message = batch(messages, dictionaries, i >= first)) != null; i++) {
      if (i >= first) {
        BatchColumns.of(bodies, fields, names, samples, message, new ArrayList<>());
      }
    }
  }

  private void add(List<ArrowField> fields, ArrowMessages.Message message) throws IOException {
    List<BatchColumns.Unread> others = new ArrayList<>();
    BatchColumns.Batch batch = BatchColumns.of(bodies, fields, names, samples, message, others);
    for (BatchColumns.Unread other : others) {
      unread.add(other.toString());
      ArrowError.UNSUPPORTED.check(
          !names.isNamed(other.name()),
          file.path(),
          "column %s does not hold numbers in lists that can be read in place (expected a column"
              + " rewritten in Python, for example with"
              + " table.column(name).cast(pyarrow.list_(pyarrow.float32())))",
          other);
    }
    Set<String> seen = new HashSet<>();
    Map<ArrowColumn, List<Run>> runs = new LinkedHashMap<>();
    for (ArrowColumn column : batch.columns()) {
      ArrowError.BAD_METADATA.check(
          seen.add(column.name()),
          file.path(),
          "has two columns named %s (expected different names)",
          Quote.show(column.name(), MAX_SHOWN));
      List<Run> own = batch.rows() == 0 ? List.of() : runs(column, batch.rows());
      if (own != null) {
        runs.put(column, own);
      }
    }
    if (batch.rows() > 0) {
      batches.add(new Rows(rows, batch.rows(), runs));
    }
    rows = batch.end(file.path(), rows);
  }

  /** Returns the runs of a column; null if it is left out. */
  private @Nullable List<Run> runs(ArrowColumn column, long count) throws IOException {
    boolean isScalar = column.isFloat() && column.levels().isEmpty();
    if (isScalar) {
      unread.add(new BatchColumns.Unread(column.name(), "one float in a row").toString());
      return null;
    }
    try {
      return ColumnRuns.of(file, column, count, rows);
    } catch (FormatException e) {
      boolean isAboutRows = e.kind() == ArrowError.NULL || e.kind() == ArrowError.RAGGED;
      if (!isAboutRows || names.mustRead(column)) {
        throw e;
      }
      leaveOut(column, e.problem());
      return null;
    }
  }

  private void leaveOut(ArrowColumn column, String problem) {
    warnings.add(
        "column %s is left out: %s".formatted(Quote.show(column.name(), MAX_SHOWN), problem));
  }

  /** Returns the sizes of the lists of each column in a row in which all sizes are known. */
  private Map<String, List<Long>> knownSizes() {
    Map<String, List<Long>> known = new HashMap<>();
    for (Rows batch : batches) {
      batch.runs.forEach(
          (column, runs) ->
              runs.stream()
                  .map(Run::sizes)
                  .filter(sizes -> !sizes.contains(ColumnRuns.UNKNOWN))
                  .findFirst()
                  .ifPresent(sizes -> known.putIfAbsent(column.name(), sizes)));
    }
    return known;
  }

  private void addParts(Rows batch, Map<String, List<Long>> known, List<List<FileArray>> all)
      throws FormatException {
    SortedSet<Long> ends = new TreeSet<>();
    batch.runs.forEach(
        (column, runs) -> {
          if (names.isMain(column)) {
            runs.forEach(run -> ends.add(run.end()));
          }
        });
    ends.add(batch.rows);
    parts += ends.size();
    ArrowError.RAGGED.check(
        parts <= 4 * ColumnRuns.MAX_RUNS,
        file.path(),
        "has more than %d record batches and runs of rows of equal length",
        4 * ColumnRuns.MAX_RUNS);
    Map<ArrowColumn, Integer> at = new HashMap<>();
    long first = 0;
    for (long end : ends) {
      List<FileArray> arrays = new ArrayList<>();
      for (Map.Entry<ArrowColumn, List<Run>> entry : batch.runs.entrySet()) {
        ArrowColumn column = entry.getKey();
        List<Run> runs = entry.getValue();
        int index = at.getOrDefault(column, 0);
        while (runs.get(index).end() <= first) {
          index++;
        }
        at.put(column, index);
        Run run = runs.get(index);
        if (run.end() >= end) {
          arrays.add(
              array(
                  batch, column, run, first, end, known.getOrDefault(column.name(), run.sizes())));
        } else {
          ragged(column, run, runs.get(index + 1));
        }
      }
      all.add(arrays);
      first = end;
    }
  }

  /** Leaves out integers whose rows differ in length if the rows of the vectors do not. */
  private void ragged(ArrowColumn column, Run run, Run next) throws FormatException {
    String problem =
        "its rows have lists of %s and of %s elements".formatted(run.sizes(), next.sizes());
    ArrowError.RAGGED.check(
        !names.isOfTokens(column),
        file.path(),
        "column %s has rows with lists of %s and of %s elements, from row %d of its batch on"
            + " (expected the same lengths as the vectors; --no-sample-metadata ignores the"
            + " column)",
        Quote.show(column.name(), MAX_SHOWN),
        run.sizes(),
        next.sizes(),
        next.first());
    leaveOut(column, problem);
  }

  private static FileArray array(
      Rows batch, ArrowColumn column, Run run, long first, long end, List<Long> known) {
    List<Long> shape = new ArrayList<>();
    shape.add(end - first);
    long values = first - run.first();
    for (int i = 0; i < run.sizes().size(); i++) {
      long size = run.sizes().get(i);
      shape.add(size == ColumnRuns.UNKNOWN ? Math.max(0, known.get(i)) : size);
      values *= Math.max(0, size);
    }
    if (!column.shape().isEmpty()) {
      shape.remove(shape.size() - 1);
      shape.addAll(column.shape());
    }
    int width = column.isBits() ? 1 : column.dtype().bits() / Byte.SIZE;
    long begin =
        column.index() != null
            ? batch.before * width
            : column.values().offset() * (column.isBits() ? Byte.SIZE : 1);
    long offset = begin + (run.value() + values) * width;
    return new FileArray(column.name(), column.dtype(), StridedLayout.cOrder(offset, width, shape));
  }
}
