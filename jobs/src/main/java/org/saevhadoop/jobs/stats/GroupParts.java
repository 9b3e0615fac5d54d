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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 */
record GroupParts(StatsLayout layout) implements JobOutput<Queue<LayerSums>> {
  private static final TaskResults<LongWritable, BytesWritable, Integer> RECORDS =
      new TaskResults<>(LongWritable.class, BytesWritable.class, List::size);

  /** The file of a task, and the group in which it begins. */
  private record Part(Path file, long group) {}

  /** Returns the key of the sums of a layer. */
  LongWritable key(long group, int layer) {
    return new LongWritable(group * (layout.layers() + 1) + layer);
  }

  /** Returns the key of the vectors of pairs. */
  LongWritable pairsKey(long group) {
    return key(group, layout.layers());
  }

  static BytesWritable bytes(LayerSums sums) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sums.write(new DataOutputStream(bytes));
    return new BytesWritable(bytes.toByteArray());
  }

  /**
   * Returns a vector of a pair.
   *
   * @param layer the index of its layer
   * @param slot its slot in the pairs of the layer
   */
  static BytesWritable vector(int layer, int slot, DType dtype, ByteBuffer values) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * Integer.BYTES + values.remaining());
    bytes.putInt(layer).putInt(slot).putInt(dtype.ordinal()).put(values);
    return new BytesWritable(bytes.array());
  }

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    RECORDS.prepare(job, temporary);
  }

  @Override
  public Queue<LayerSums> result(Job job, FinishedJob finished, @Nullable Path temporary)
      throws IOException {
    Configuration conf = job.getConfiguration();
    List<Part> parts = new ArrayList<>();
    for (Path file : TaskResults.parts(Objects.requireNonNull(temporary), conf)) {
      LongWritable key = new LongWritable();
      try (SequenceFile.Reader reader = open(file, conf)) {
        if (reader.next(key)) {
          parts.add(new Part(file, key.get() / (layout.layers() + 1)));
        }
      }
    }
    parts.sort(Comparator.comparingLong(Part::group));
    List<LayerSums> totals = new ArrayList<>(none());
    LayerSums scratch = new LayerSums(layout);
    for (Part part : parts) {
      add(part.file, conf, scratch, totals);
    }
    return new ArrayDeque<>(totals);
  }

  /** Returns the sums of no vectors, layer by layer. */
  Queue<LayerSums> none() {
    return Stream.generate(() -> new LayerSums(layout))
        .limit(layout.layers())
        .collect(Collectors.toCollection(ArrayDeque::new));
  }

  private static SequenceFile.Reader open(Path file, Configuration conf) throws IOException {
    return new SequenceFile.Reader(conf, SequenceFile.Reader.file(file));
  }

  private void add(Path file, Configuration conf, LayerSums scratch, List<LayerSums> totals)
      throws IOException {
    LongWritable key = new LongWritable();
    BytesWritable value = new BytesWritable();
    int dim = layout.geometry().dim();
    VectorReader vectors = new VectorReader(dim);
    try (SequenceFile.Reader reader = open(file, conf)) {
      while (reader.next(key, value)) {
        int layer = (int) (key.get() % (layout.layers() + 1));
        if (layer < layout.layers()) {
          scratch.readFields(
              new DataInputStream(
                  new ByteArrayInputStream(value.getBytes(), 0, value.getLength())));
          totals.get(layer).add(scratch);
        } else {
          ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(), 0, value.getLength());
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
}
