package org.saevhadoop.jobs.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.mapreduce.io.ByteMeter;

class ItemTaskTest {
  private static final ConversionChanges CHANGES = new ConversionChanges(5, 4, 3, 2, 1);

  private final List<String> calls = new ArrayList<>();

  /** Ten bytes, which are read twice. */
  private record ReadTwice(boolean fails) implements WorkItem {
    @Override
    public long bytes() {
      return 10;
    }

    @Override
    public ConversionChanges run(ByteMeter read, TaskOutput output)
        throws IOException, InterruptedException {
      read.add(20);
      output.write(1, new byte[3]);
      if (fails) {
        throw new IOException("torn");
      }
      return CHANGES;
    }
  }

  private final class Attempt implements TaskAttempt {
    private long bytes;

    @Override
    public void run(TaskInput input) {
      throw new AssertionError();
    }

    @Override
    public ConversionChanges run(WorkItem item, ByteMeter read)
        throws IOException, InterruptedException {
      return item.run(read, (key, record, length) -> bytes += length);
    }

    @Override
    public void commit() {
      calls.add("commit");
    }

    @Override
    public void abort() {
      calls.add("abort");
    }

    @Override
    public long bytes() {
      return bytes;
    }
  }

  @Test
  void aTaskCountsAllBytesAndShowsNoMoreThanThoseOfItsItem() throws Exception {
    ItemTask task = new ItemTask(new ReadTwice(false), Attempt::new);
    assertThat(task.bytesRead()).isZero();
    task.call();
    assertThat(task.counts()).isEqualTo(new LocalTask.Counts(20, 0, 0, 3, CHANGES));
    assertThat(task.bytes()).isEqualTo(10);
    assertThat(task.bytesRead()).isEqualTo(10);
    assertThat(calls).containsExactly("commit");
  }

  @Test
  void aTaskThatFailsIsAborted() {
    ItemTask task = new ItemTask(new ReadTwice(true), Attempt::new);
    assertThatThrownBy(task::call).hasMessage("torn");
    assertThat(calls).containsExactly("abort");
  }
}
