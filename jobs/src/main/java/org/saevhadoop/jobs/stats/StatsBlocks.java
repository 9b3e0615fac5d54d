package org.saevhadoop.jobs.stats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;

/** Adds up the vectors of each layer in each group of examples. */
final class StatsBlocks implements Task {
  @Override
  public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
    ActivationDataset dataset = input.dataset().requireActivations();
    try (TokenMarks marks = TokenMarks.of(dataset)) {
      Run run = new Run(dataset, marks, input, output);
      while (input.next()) {
        run.add(input);
      }
      run.write();
    }
  }

  private static final class Run {
    private final Geometry geometry;
    private final TokenMarks marks;
    private final TaskOutput output;
    private final @Nullable ExampleSample sample;
    private final Map<Integer, Integer> layers;
    private final StatsLayout layout;
    private final GroupParts parts;
    private final long groupExamples;
    private final boolean byLayer;
    private final VectorPairs pairs;
    private final VectorReader reader;

    /** The sums of the layers in the current group; null for layers that have not been read. */
    private final @Nullable LayerSums[] sums;

    private long group = -1;
    private int layer = -1;

    Run(ActivationDataset dataset, TokenMarks marks, TaskInput input, TaskOutput output) {
      this.geometry = dataset.geometry();
      this.layers = TableShape.positions(geometry.layers());
      this.marks = marks;
      this.output = output;
      this.sample = input.spec().record().sample();
      this.layout = StatsLayout.of(dataset, sample);
      this.parts = new GroupParts(layout);
      this.groupExamples = layout.groupExamples();
      this.byLayer = layout.byLayer();
      this.pairs =
          VectorPairs.draw(
              layout.pairs(), layout.sampled() * geometry.tokens(), input.get(StatsKeys.SEED));
      this.reader = new VectorReader(geometry.dim());
      this.sums = new LayerSums[geometry.layers().size()];
    }

    /** Adds the blocks of a record, which follow one another in the order of the job. */
    void add(TaskInput record) throws IOException, InterruptedException {
      long example = record.example();
      int index = Objects.requireNonNull(layers.get(record.column()));
      begin(example, index);
      ByteBuffer bytes = record.values();
      int vectors =
          (int) ((long) bytes.remaining() * Byte.SIZE / record.dtype().bits() / geometry.dim());
      reader.begin(record.dtype(), bytes);
      for (int first = 0; first < vectors; first += geometry.tokens()) {
        add(example, index, first);
        if (byLayer || ++index == sums.length) {
          index = byLayer ? index : 0;
          example++;
        }
      }
    }

    /** Starts a new group or layer if the block does not belong to the current one. */
    private void begin(long example, int index) throws IOException, InterruptedException {
      if (example / groupExamples != group) {
        write();
        group = example / groupExamples;
        long first = group * groupExamples;
        marks.read(first, (int) Math.min(groupExamples, geometry.examples() - first));
      } else if (byLayer && index != layer) {
        write();
      }
      layer = index;
    }

    private void add(long example, int index, int firstVector)
        throws IOException, InterruptedException {
      LayerSums into = sums[index];
      if (into == null) {
        into = new LayerSums(layout);
        sums[index] = into;
      }
      long first = (sample == null ? example : sample.rank(example)) * geometry.tokens();
      for (int token = 0; token < geometry.tokens(); token++) {
        boolean hasDirection = false;
        if (marks.isPadding(example, token)) {
          into.padding++;
        } else {
          reader.read(firstVector + token, into.next());
          hasDirection =
              into.add(example * geometry.tokens() + token, token, marks.label(example, token));
        }
        int slot = pairs.slot(first + token);
        if (slot >= 0 && hasDirection) {
          output.write(
              parts.pairsKey(group),
              GroupParts.vector(index, slot, reader.dtype(), reader.bytes(firstVector + token)));
        }
      }
    }

    /** Writes the sums of the layers that have been read. */
    void write() throws IOException, InterruptedException {
      int stop = byLayer ? layer + 1 : sums.length; // by layer, only this one has been read
      for (int i = byLayer ? Math.max(0, layer) : 0; i < stop; i++) {
        LayerSums done = sums[i];
        if (done != null) {
          output.write(parts.key(group, i), done);
          sums[i] = null;
        }
      }
    }
  }
}
