package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Reducer;
import org.saevhadoop.jobs.task.TaskMapper;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/** Reduces the hashes of a bucket to duplicates, and passes on the findings of map tasks. */
final class FindDuplicates
    extends Reducer<LongWritable, BytesWritable, LongWritable, BytesWritable> {
  @Override
  protected void reduce(LongWritable key, Iterable<BytesWritable> records, Context context)
      throws IOException, InterruptedException {
    if (key.get() < 0) {
      for (BytesWritable found : records) {
        context.write(key, found);
      }
      return;
    }
    HashTable hashes = new HashTable();
    for (BytesWritable record : records) {
      hashes.add(ByteBuffer.wrap(record.getBytes(), 0, record.getLength()));
    }
    long buckets = ConfSettings.get(context.getConfiguration(), VerifyKeys.BUCKETS);
    FoundParts.write((int) (key.get() / buckets), hashes.duplicates(), TaskMapper.output(context));
  }
}
