package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.BlockSink;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ShardPlan;
import org.saevhadoop.format.dataset.ShardSpool;
import org.saevhadoop.format.dataset.ShardWriter;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;

/** Leads each record to the file that it belongs to, one file after another. */
final class ActivationRecordWriter extends RecordWriter<ActivationKey, ActivationWritable> {
  /** Whether blocks may wait on the local disk for their file's order. */
  enum Spool {
    AUTO,
    TRUE,
    FALSE
  }

  private final Folder folder;
  private final DatasetTarget target;
  private final Geometry geometry;
  private final long examplesPerShard;
  private final Spool spool;
  private final Set<Long> finished = new HashSet<>();
  private BlockSink sink;
  private long sinkIndex = -1;

  ActivationRecordWriter(Folder folder, DatasetTarget target, Spool spool) {
    this.folder = folder;
    this.target = target;
    this.geometry = target.geometry();
    this.examplesPerShard = target.examplesPerShard();
    this.spool = spool;
  }

  @Override
  public void write(ActivationKey key, ActivationWritable value) throws IOException {
    FormatException.check(
        key.example() >= 0 && key.example() < geometry.examples(),
        folder.path(),
        "example %d does not belong to the dataset (expected 0 to %d)",
        key.example(),
        geometry.examples() - 1);
    long index = key.example() / examplesPerShard;
    if (index != sinkIndex) {
      finishFile();
      startFile(index, key);
    }
    ByteBuffer bytes = value.bytes();
    if (key.layer() == ActivationKey.ALL) {
      writeExample(key.example(), bytes);
      return;
    }
    int layerIndex = geometry.layerIndex(key.layer());
    FormatException.check(
        layerIndex >= 0,
        folder.path(),
        "layer %d does not belong to the dataset (expected of %s)",
        key.layer(),
        geometry.layers());
    sink.write(key.example(), layerIndex, bytes);
  }

  @Override
  public void close(TaskAttemptContext context) throws IOException {
    finishFile();
  }

  private void writeExample(long example, ByteBuffer bytes) throws IOException {
    FormatException.check(
        bytes.remaining() == geometry.exampleBytes(),
        folder.path(),
        "example %d has %d bytes (expected %d)",
        example,
        bytes.remaining(),
        geometry.exampleBytes());
    int blockBytes = (int) geometry.blockBytes();
    for (int i = 0; i < geometry.layers().size(); i++) {
      sink.write(example, i, bytes.slice(i * blockBytes, blockBytes));
    }
  }

  private void startFile(long index, ActivationKey first) throws IOException {
    ShardPlan plan = target.shard(index);
    FormatException.check(
        finished.add(index),
        folder.path(plan.name()),
        "%s arrived after other files were begun (expected one file after another)",
        first);
    boolean spooled =
        spool == Spool.TRUE
            || spool == Spool.AUTO
                && first.layer() == ActivationKey.ALL
                && target.order().byLayer();
    Output out = folder.create(plan.name());
    sink =
        spooled
            ? new ShardSpool(out, plan, target, Path.of(System.getProperty("java.io.tmpdir")))
            : new ShardWriter(out, plan, target);
    sinkIndex = index;
  }

  private void finishFile() throws IOException {
    if (sink != null) {
      BlockSink closing = sink;
      sink = null;
      closing.close();
    }
  }
}
