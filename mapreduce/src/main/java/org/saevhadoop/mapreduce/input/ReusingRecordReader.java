package org.saevhadoop.mapreduce.input;

import org.apache.hadoop.mapreduce.RecordReader;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** A reader whose key and value are the same objects from record to record. */
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
