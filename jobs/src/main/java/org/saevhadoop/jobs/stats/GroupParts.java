package org.saevhadoop.jobs.stats;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobOutput;
import org.saevhadoop.jobs.run.TaskResults;

/**
 * What tasks hand over: for each group of examples, the sums of its layers and the vectors of
 * random pairs. They are added up in the order of the groups, whichever task they are from.
 *
 * @param shape the shape of the sums
 * @param layers the number of layers
 * @param pairs the number of random pairs of each layer
 */
record GroupParts(SumsShape shape, int layers, int pairs) implements JobOutput<Queue<LayerTotals>> {
  private static final TaskResults<LongWritable, BytesWritable, Integer> RECORDS =
      new TaskResults<>(LongWritable.class, BytesWritable.class, List::size);

  /** The file of a task, and the group in which it begins. */
  private record Part(Path file, long group) {}

  /** Returns the key of the sums of a layer. */
  static LongWritable key(long group, int layer, int layers) {
    return new LongWritable(group * (layers + 1) + layer);
  }

  /** Returns the key of the vectors of pairs. */
  static LongWritable pairsKey(long group, int layers) {
    return key(group, layers, layers);
  }

  static BytesWritable bytes(LayerSums sums) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sums.write(new DataOutputStream(bytes));
    return new BytesWritable(bytes.toByteArray());
  }

  /**
   * Returns a vector of a pair.
   *
   * @param slot its index among those of all pairs and layers
   */
  static BytesWritable vector(int slot, DType dtype, ByteBuffer values) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Integer.BYTES + values.remaining());
    bytes.putInt(slot).putInt(dtype.ordinal()).put(values);
    return new BytesWritable(bytes.array());
  }

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    RECORDS.prepare(job, temporary);
  }

  @Override
  public Queue<LayerTotals> result(Job job, FinishedJob finished, @Nullable Path temporary)
      throws IOException {
    Configuration conf = job.getConfiguration();
    List<Part> parts = new ArrayList<>();
    for (Path file : TaskResults.parts(Objects.requireNonNull(temporary), conf)) {
      LongWritable key = new LongWritable();
      try (SequenceFile.Reader reader = open(file, conf)) {
        if (reader.next(key)) {
          parts.add(new Part(file, key.get() / (layers + 1)));
        }
      }
    }
    parts.sort(Comparator.comparingLong(Part::group));
    Queue<LayerTotals> totals = none();
    LayerTotals[] byLayer = totals.toArray(LayerTotals[]::new);
    LayerSums scratch = new LayerSums(shape);
    for (Part part : parts) {
      add(part.file, conf, scratch, byLayer);
    }
    return totals;
  }

  /** Returns the totals of no vectors, layer by layer. */
  Queue<LayerTotals> none() {
    Queue<LayerTotals> none = new ArrayDeque<>();
    for (int i = 0; i < layers; i++) {
      none.add(new LayerTotals(new LayerSums(shape), new PairedVectors(pairs)));
    }
    return none;
  }

  private static SequenceFile.Reader open(Path file, Configuration conf) throws IOException {
    return new SequenceFile.Reader(conf, SequenceFile.Reader.file(file));
  }

  private void add(Path file, Configuration conf, LayerSums scratch, LayerTotals[] totals)
      throws IOException {
    LongWritable key = new LongWritable();
    BytesWritable value = new BytesWritable();
    VectorReader vectors = new VectorReader(shape.dim());
    try (SequenceFile.Reader reader = open(file, conf)) {
      while (reader.next(key, value)) {
        int layer = (int) (key.get() % (layers + 1));
        if (layer < layers) {
          scratch.readFields(
              new DataInputStream(
                  new ByteArrayInputStream(value.getBytes(), 0, value.getLength())));
          totals[layer].sums().add(scratch);
        } else {
          ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(), 0, value.getLength());
          int slot = bytes.getInt();
          vectors.begin(DType.values()[bytes.getInt()], bytes);
          double[] vector = new double[shape.dim()];
          vectors.read(0, vector);
          totals[slot / (2 * pairs)].pairs().add(slot % (2 * pairs), vector);
        }
      }
    }
  }
}
