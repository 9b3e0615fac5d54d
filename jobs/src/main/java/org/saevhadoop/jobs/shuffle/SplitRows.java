package org.saevhadoop.jobs.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.permutation.Permutation;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.shuffle.ExampleChoice;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.jobs.task.TaskInput;

/**
 * The rows of a split's examples, with their numbers in the shuffled datasets. Each chosen example
 * is in exactly one of those datasets. Records are in ascending order, and examples that are not
 * chosen have no rows.
 */
final class SplitRows implements Closeable {
  static final SettingKey<String> PLAN =
      SettingKey.internalName("saev.shuffle.plan", "The plans of the shuffle.");

  static final SettingKey<String> FOLDER =
      SettingKey.internalName("saev.shuffle.folder", "The folder of the rows.");

  @FunctionalInterface
  interface Sink {
    /**
     * Accepts a row.
     *
     * @param dataset the index of the plan for the dataset of the row
     * @param row the number of the row in that dataset
     * @param example the number of the row's example in the source
     * @param token the number of the row's token in the source; 0 if rows are examples
     * @param bytes the values of the row; the method reads all remaining bytes
     * @param side the labels of the row, if the source has any, and its padding marks, if the row
     *     is an example that may have padding
     */
    void add(int dataset, long row, long example, int token, ByteBuffer bytes, ByteBuffer side)
        throws IOException;
  }

  private final List<Chosen> datasets;

  /** The common part of all plans. */
  private final ShufflePlan plan;

  private final IndexRanges examples;
  private final IndexRanges tokens;
  private final @Nullable TokenPadding padding;
  private final @Nullable PatchLabels labels;
  private final ByteBuffer sideOfExample;

  private static final class Chosen {
    private final ShufflePlan plan;
    private final Permutation permutation;
    private final ExampleChoice choice;
    private long nextRow;

    Chosen(ShufflePlan plan, TaskInput input) throws IOException {
      this.plan = plan;
      this.permutation = plan.permutation();
      this.choice = ExampleChoice.of(plan.order());
      this.nextRow = firstRow(input);
    }

    /** Returns the number of rows of the examples before the split. */
    private long firstRow(TaskInput input) throws IOException {
      if (!hasPadding()) {
        return choice.rank(input.first()) * plan.rowsOfExample();
      }
      StoragePath folder = input.path(input.get(FOLDER));
      return UnpaddedTokens.before(input.first(), choice, StagedFolder.of(folder.folder()));
    }

    boolean hasPadding() {
      return plan.order().padding() > 0;
    }
  }

  private SplitRows(List<ShufflePlan> plans, TaskInput input) throws IOException {
    this.plan = plans.get(0);
    this.datasets = new ArrayList<>();
    for (ShufflePlan each : plans) {
      datasets.add(new Chosen(each, input));
    }
    this.examples = new IndexRanges(plan.order().examples());
    this.tokens = new IndexRanges(plan.order().tokens());
    boolean readsPadding =
        datasets.stream().anyMatch(Chosen::hasPadding) || plan.side().marks() > 0;
    this.padding = readsPadding ? TokenPadding.of(input.dataset().requireActivations()) : null;
    this.labels =
        plan.side().labels() > 0 ? input.dataset().requireActivations().openLabels() : null;
    this.sideOfExample =
        ByteBuffer.allocate(plan.side().labels() * plan.rowsOfExample() + plan.side().marks());
  }

  static SplitRows open(TaskInput input) throws IOException {
    return new SplitRows(ShufflePlan.parseAll(PLAN.name(), input.get(PLAN)), input);
  }

  List<ShufflePlan> plans() {
    return datasets.stream().map(chosen -> chosen.plan).toList();
  }

  /** Passes the rows of the current record to a sink. */
  void read(TaskInput input, Sink sink) throws IOException {
    long example = input.example();
    for (int i = 0; i < datasets.size(); i++) {
      if (datasets.get(i).choice.contains(example)) {
        read(input, i, sink);
        return;
      }
    }
  }

  private void read(TaskInput input, int dataset, Sink sink) throws IOException {
    long example = input.example();
    Chosen chosen = datasets.get(dataset);
    BitSet marked = padding == null ? new BitSet() : padding.read(example, 1);
    readSide(example, marked);
    BitSet left = chosen.hasPadding() ? marked : new BitSet();
    ByteBuffer rows = input.values();
    int bytes = rows.remaining() / plan.rowsOfExample();
    int count = plan.side().labels() + plan.side().marks(); // only rows of examples have marks
    for (int i = left.nextClearBit(0); i < plan.rowsOfExample(); i = left.nextClearBit(i + 1)) {
      sink.add(
          dataset,
          chosen.permutation.at(chosen.nextRow++),
          examples.index(example),
          (int) tokens.index(i),
          rows.slice(rows.position() + i * bytes, bytes),
          sideOfExample.slice(i * count, count));
    }
  }

  /** Reads the labels of an example and appends its padding marks. */
  private void readSide(long example, BitSet marked) throws IOException {
    sideOfExample.clear();
    if (labels != null) {
      sideOfExample.limit(sideOfExample.capacity() - plan.side().marks());
      labels.read(example, sideOfExample);
      sideOfExample.limit(sideOfExample.capacity());
    }
    for (int token = 0; token < plan.side().marks(); token++) {
      sideOfExample.put((byte) (marked.get(token) ? PaddingMarks.MASKED : PaddingMarks.TOKEN));
    }
  }

  @Override
  public void close() throws IOException {
    if (labels != null) {
      labels.close();
    }
    if (padding != null) {
      padding.close();
    }
  }
}
