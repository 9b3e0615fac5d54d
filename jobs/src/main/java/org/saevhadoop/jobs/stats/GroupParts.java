package org.saevhadoop.jobs.stats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.task.TaskRecords;

/**
 * The output of the statistics tasks: for each group of examples, the sums of each layer and the
 * vectors of the random pairs. The sums are added up in the order of the groups, regardless of
 * which task wrote them.
 */
record GroupParts(StatsLayout layout) implements TaskRecords.Collector<Queue<LayerSums>> {
  /** A task and its first group. */
  private record Part(int task, long group) {}

  long key(long group, int layer) {
    return group * (layout.layers() + 1) + layer;
  }

  long pairsKey(long group) {
    return key(group, layout.layers());
  }

  /**
   * Returns the encoded form of a vector of a pair.
   *
   * @param layer the index of its layer
   * @param slot the slot of the vector among the pairs of the layer
   */
  static byte[] vector(int layer, int slot, DType dtype, ByteBuffer values) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * Integer.BYTES + values.remaining());
    bytes.putInt(layer).putInt(slot).putInt(dtype.ordinal()).put(values);
    return bytes.array();
  }

  @Override
  public Queue<LayerSums> collect(TaskRecords tasks) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (int task = 0; task < tasks.tasks(); task++) {
      try (TaskRecords.Cursor cursor = tasks.open(task)) {
        if (cursor.next()) {
          parts.add(new Part(task, cursor.key() / (layout.layers() + 1)));
        }
      }
    }
    parts.sort(Comparator.comparingLong(Part::group));
    List<LayerSums> totals = new ArrayList<>(none());
    LayerSums scratch = new LayerSums(layout);
    for (Part part : parts) {
      try (TaskRecords.Cursor cursor = tasks.open(part.task)) {
        add(cursor, scratch, totals);
      }
    }
    return new ArrayDeque<>(totals);
  }

  /** Returns empty sums, one object for each layer. */
  Queue<LayerSums> none() {
    return Stream.generate(() -> new LayerSums(layout))
        .limit(layout.layers())
        .collect(Collectors.toCollection(ArrayDeque::new));
  }

  private void add(TaskRecords.Cursor records, LayerSums scratch, List<LayerSums> totals)
      throws IOException {
    int dim = layout.geometry().dim();
    VectorReader vectors = new VectorReader(dim);
    while (records.next()) {
      int layer = (int) (records.key() % (layout.layers() + 1));
      ByteBuffer bytes = records.value();
      if (layer < layout.layers()) {
        scratch.read(bytes);
        totals.get(layer).add(scratch);
      } else {
        LayerSums sums = totals.get(bytes.getInt());
        int slot = bytes.getInt();
        vectors.begin(DType.values()[bytes.getInt()], bytes);
        double[] vector = new double[dim];
        vectors.read(0, vector);
        sums.pairs.add(slot, vector);
      }
    }
  }
}
