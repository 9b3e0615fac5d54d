package org.saevhadoop.mapreduce.input;

import org.apache.hadoop.mapreduce.RecordReader;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** A reader that uses the same key and value objects for all records. */
abstract class ReusingRecordReader extends RecordReader<ActivationKey, ActivationWritable> {
  final ActivationKey key = new ActivationKey();
  final ActivationWritable value = new ActivationWritable();

  @Override
  public final ActivationKey getCurrentKey() {
    return key;
  }

  @Override
  public final ActivationWritable getCurrentValue() {
    return value;
  }
}
