package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.attributes.AttributeSource;
import org.saevhadoop.format.dataset.BlockSink;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.ShardPlan;
import org.saevhadoop.format.dataset.ShardSpool;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;

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
  private final Table table;
  private final long examplesPerShard;
  private final AttributeSource attributes;
  private final Spool spool;
  private final Path localFolder = Path.of(System.getProperty("java.io.tmpdir"));
  private final Set<Long> finished = new HashSet<>();
  private BlockSink sink;
  private long sinkIndex = -1;

  /**
   * A writer into a folder.
   *
   * @param attributes of the examples, for files beside the data files; null without
   */
  ActivationRecordWriter(
      Folder folder, DatasetTarget target, AttributeSource attributes, Spool spool) {
    this.folder = folder;
    this.target = target;
    this.table = target.table();
    this.examplesPerShard = target.examplesPerShard();
    this.attributes = attributes;
    this.spool = spool;
  }

  @Override
  public void write(ActivationKey key, ActivationWritable value) throws IOException {
    FormatException.check(
        key.example() >= 0 && key.example() < table.examples(),
        folder.path(),
        "example %d does not belong to the dataset (expected 0 to %d)",
        key.example(),
        table.examples() - 1);
    long index = key.example() / examplesPerShard;
    if (index != sinkIndex) {
      finishFile();
      startFile(index, key);
    }
    ByteBuffer bytes = value.bytes();
    if (key.layer() == ActivationKey.ALL) {
      checkNumbers(value, 0);
      writeExample(key.example(), bytes);
      return;
    }
    int layerIndex = table.indexOf(key.layer());
    FormatException.check(
        layerIndex >= 0,
        folder.path(),
        "layer %d does not belong to the dataset (expected of %s)",
        key.layer(),
        table.numbers());
    checkNumbers(value, layerIndex);
    sink.write(key.example(), layerIndex, bytes);
  }

  private void checkNumbers(ActivationWritable value, int column) throws FormatException {
    if (value.dtype() != table.columns().get(column).dtype()) {
      throw FormatException.of(
          folder.path(),
          "a record is %s (expected %s)",
          value.dtype(),
          table.columns().get(column).dtype());
    }
  }

  @Override
  public void close(TaskAttemptContext context) throws IOException {
    try (attributes) {
      finishFile();
    }
  }

  private void writeExample(long example, ByteBuffer bytes) throws IOException {
    FormatException.check(
        bytes.remaining() == table.exampleBytes(),
        folder.path(),
        "example %d has %d bytes (expected %d)",
        example,
        bytes.remaining(),
        table.exampleBytes());
    int start = 0;
    for (int i = 0; i < table.columns().size(); i++) {
      int length = (int) table.blockBytes(i);
      sink.write(example, i, bytes.slice(start, length));
      start += length;
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
        plan.scattered() != null
            || spool == Spool.TRUE
            || spool == Spool.AUTO
                && first.layer() == ActivationKey.ALL
                && target.order().byLayer();
    sink = spooled ? new ShardSpool(plan, target, folder, localFolder) : target.sink(plan, folder);
    sinkIndex = index;
  }

  private void finishFile() throws IOException {
    if (sink != null) {
      BlockSink closing = sink;
      sink = null;
      closing.close();
      if (attributes != null) {
        attributes.write(
            folder,
            target.shardName(sinkIndex),
            sinkIndex * examplesPerShard,
            target.examples(sinkIndex),
            target.readOrder(sinkIndex),
            localFolder);
      }
    }
  }
}
