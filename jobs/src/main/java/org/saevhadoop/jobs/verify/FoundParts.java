package org.saevhadoop.jobs.verify;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;

/**
 * What the tasks of a verification hand over. Keys are negative: those of hashes, which reducers
 * receive together with these, are not.
 *
 * @param columns the findings of each column
 * @param failures what prevented tasks from reading blocks
 */
record FoundParts(List<ColumnFindings> columns, List<Finding> failures) {
  private static final LongWritable FAILURE = new LongWritable(Long.MIN_VALUE);

  /** Writes what implements half of Writable. */
  @FunctionalInterface
  private interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  static void write(
      int column,
      ColumnFindings found,
      TaskInputOutputContext<?, ?, LongWritable, BytesWritable> task)
      throws IOException, InterruptedException {
    task.write(new LongWritable(-1 - column), bytes(found::write));
  }

  static void write(Finding failure, TaskInputOutputContext<?, ?, LongWritable, BytesWritable> task)
      throws IOException, InterruptedException {
    task.write(FAILURE, bytes(failure::write));
  }

  private static BytesWritable bytes(Writer writer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.write(new DataOutputStream(bytes));
    return new BytesWritable(bytes.toByteArray());
  }

  /** Returns an instance without findings. */
  static FoundParts none(int columns) {
    FoundParts none = new FoundParts(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < columns; i++) {
      none.columns.add(new ColumnFindings());
    }
    return none;
  }

  /** Adds what a task has handed over. */
  void add(LongWritable key, BytesWritable value) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(value.copyBytes()));
    if (key.equals(FAILURE)) {
      Finding failure = Finding.read(in);
      if (failures.stream().noneMatch(failure::repeats)) {
        failures.add(failure);
      }
    } else {
      ColumnFindings more = new ColumnFindings();
      more.readFields(in);
      columns.get((int) (-1 - key.get())).add(more);
    }
  }
}
