package org.saevhadoop.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.reader.BlockCursor;
import org.saevhadoop.format.reader.Selection;

/** Reads the examples of one split. Key and value are the same objects from record to record. */
final class ActivationRecordReader extends RecordReader<ActivationKey, ActivationWritable> {
  private final ActivationInputFormat format;
  private final ActivationKey key = new ActivationKey();
  private final ActivationWritable value = new ActivationWritable();
  private Geometry geometry;
  private boolean wholeExamples;
  private int[] shape;
  private BlockCursor cursor;
  private long bytes;

  ActivationRecordReader(ActivationInputFormat format) {
    this.format = format;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    ActivationDataset dataset = format.open(ActivationInputFormat.onlyPath(context), conf);
    Selection selection = InputSelection.of(conf, dataset);
    ExampleSplit range = (ExampleSplit) split;
    geometry = dataset.geometry();
    wholeExamples = selection.unit() == Selection.Unit.EXAMPLE;
    shape =
        switch (selection.unit()) {
          case EXAMPLE ->
              new int[] {
                selection.order().layerIndexes().size(), selection.tokens(), geometry.dim()
              };
          case BLOCK -> new int[] {selection.tokens(), geometry.dim()};
          case VECTOR -> new int[] {geometry.dim()};
        };
    bytes = range.getLength();
    cursor = new BlockCursor(dataset, selection, range.first(), range.count());
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    if (!cursor.next()) {
      return false;
    }
    int layer = wholeExamples ? ActivationKey.ALL : geometry.layers().get(cursor.layerIndex());
    key.set(cursor.example(), layer, cursor.token());
    value.set(shape, cursor.bytes());
    return true;
  }

  @Override
  public ActivationKey getCurrentKey() {
    return key;
  }

  @Override
  public ActivationWritable getCurrentValue() {
    return value;
  }

  @Override
  public float getProgress() {
    if (bytes == 0) {
      return 1;
    }
    return cursor == null ? 0 : Math.min(1, (float) cursor.bytesRead() / bytes);
  }

  @Override
  public void close() throws IOException {
    if (cursor != null) {
      cursor.close();
    }
  }
}
