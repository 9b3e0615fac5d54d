package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.mapreduce.conf.SharingJobConf;
import org.saevhadoop.mapreduce.io.DatasetCounter;

@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD) // tasks are created by Hadoop and report to static fields
class MapOnlyJobTest {
  private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger RUNNING = new AtomicInteger();
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static CountDownLatch together = new CountDownLatch(0);

  private Job job;

  @BeforeEach
  void create() throws IOException {
    EVENTS.clear();
    OPENED.set(0);
    job = Job.getInstance();
    job.setInputFormatClass(Lengths.class);
    job.setMapperClass(Work.class);
    job.setOutputFormatClass(Committed.class);
    job.setNumReduceTasks(0);
    job.getConfiguration().setInt(LocalRunner.MAP_TASKS, 1);
  }

  private MapOnlyJob run(String lengths) throws Exception {
    job.getConfiguration().set("lengths", lengths);
    MapOnlyJob maps = new MapOnlyJob(job, List.of());
    maps.plan();
    maps.start();
    assertThat(maps.await(Long.MAX_VALUE)).isTrue();
    return maps;
  }

  /** Has a split of one record for each length. */
  static final class Lengths extends InputFormat<Long, Long> {
    @Override
    public List<InputSplit> getSplits(JobContext context) throws IOException {
      open(context);
      List<InputSplit> splits = new ArrayList<>();
      for (int length : context.getConfiguration().getInts("lengths")) {
        splits.add(new Length(length));
      }
      return splits;
    }

    @Override
    public RecordReader<Long, Long> createRecordReader(InputSplit split, TaskAttemptContext task) {
      return new OneRecord();
    }
  }

  private static void open(JobContext job) throws IOException {
    SharingJobConf.source(job.getConfiguration(), Integer.class, OPENED::incrementAndGet);
  }

  private static final class Length extends InputSplit {
    private final long length;

    Length(long length) {
      this.length = length;
    }

    @Override
    public long getLength() {
      return length;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }
  }

  private static final class OneRecord extends RecordReader<Long, Long> {
    private long length;
    private int read;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
      open(task);
      length = ((Length) split).getLength();
    }

    @Override
    public boolean nextKeyValue() {
      return read++ == 0;
    }

    @Override
    public Long getCurrentKey() {
      return length;
    }

    @Override
    public Long getCurrentValue() {
      return length;
    }

    @Override
    public float getProgress() {
      return 0.5f;
    }

    @Override
    public void close() {
      EVENTS.add("close " + length);
    }
  }

  /** Fails for odd numbers, and waits for ever for 1000. */
  static final class Work extends Mapper<Long, Long, NullWritable, NullWritable> {
    @Override
    protected void map(Long key, Long length, Context task)
        throws IOException, InterruptedException {
      RUNNING.incrementAndGet();
      together.countDown();
      together.await();
      EVENTS.add("map " + length);
      task.getCounter(DatasetCounter.BYTES_READ).increment(length);
      if (length == 1000) {
        try {
          new CountDownLatch(1).await();
        } finally {
          Thread.sleep(200); // a task need not end at once
        }
      }
      if (length % 2 == 1) {
        throw new IOException("odd " + length);
      }
    }
  }

  /** Records what is committed. */
  static final class Committed extends NullOutputFormat<NullWritable, NullWritable> {
    @Override
    public OutputCommitter getOutputCommitter(TaskAttemptContext context) {
      return new OutputCommitter() {
        @Override
        public void setupJob(JobContext job) {
          EVENTS.add("setup");
        }

        @Override
        public void setupTask(TaskAttemptContext task) {
          // nothing to create
        }

        @Override
        public boolean needsTaskCommit(TaskAttemptContext task) {
          return true;
        }

        @Override
        public void commitTask(TaskAttemptContext task) {
          EVENTS.add("commit " + task.getTaskAttemptID().getTaskID().getId());
        }

        @Override
        public void abortTask(TaskAttemptContext task) {
          // nothing to delete
        }

        @Override
        public void commitJob(JobContext job) {
          EVENTS.add("commit");
        }

        @Override
        public void abortJob(JobContext job, JobStatus.State state) {
          EVENTS.add("abort");
        }
      };
    }
  }

  @Test
  void tasksRunFromTheLargestSplitOnAndAreCommittedBeforeTheJob() throws Exception {
    MapOnlyJob maps = run("2,6,4");
    assertThat(maps.failure()).isNull();
    assertThat(EVENTS)
        .containsExactly(
            "setup",
            "map 6",
            "close 6",
            "commit 0",
            "map 4",
            "close 4",
            "commit 1",
            "map 2",
            "close 2",
            "commit 2",
            "commit");
    assertThat(maps.progress()).isEqualTo(1);
    assertThat(maps.counters().findCounter(DatasetCounter.BYTES_READ).getValue()).isEqualTo(12);
  }

  @Test
  void aJobWithoutSplitsIsCommitted() throws Exception {
    assertThat(run("").failure()).isNull();
    assertThat(EVENTS).containsExactly("setup", "commit");
  }

  @Test
  void thePlanAndTheTasksOpenTheirSourceOnce() throws Exception {
    run("2,4,6");
    assertThat(OPENED).hasValue(1);
    run("2");
    assertThat(OPENED).hasValue(2);
  }

  @Test
  void theFirstFailureIsReportedAfterAllTasksHaveRun() throws Exception {
    assertThat(run("8,7,5,2").failure()).hasRootCauseMessage("odd 7");
    assertThat(EVENTS).contains("close 7", "close 5", "commit 0", "commit 3").endsWith("abort");
    assertThat(EVENTS).doesNotContain("commit 1", "commit 2", "commit");
  }

  @Test
  void asManyTasksRunAtOnceAsTheKeyPermits() throws Exception {
    together = new CountDownLatch(3);
    job.getConfiguration().setInt(LocalRunner.MAP_TASKS, 3);
    assertThat(run("2,2,2,2").failure()).isNull();
    job.getConfiguration().setInt(LocalRunner.MAP_TASKS, 0);
    assertThatThrownBy(() -> run("2"))
        .isInstanceOf(SettingException.class)
        .hasMessage("mapreduce.local.map.tasks.maximum is 0 (expected 1 or more)");
  }

  @Test
  void aKilledJobIsAbortedWhenItsTasksHaveEnded() throws Exception {
    job.getConfiguration().set("lengths", "1000,2");
    MapOnlyJob maps = new MapOnlyJob(job, List.of());
    maps.plan();
    RUNNING.set(0);
    maps.start();
    while (RUNNING.get() == 0) {
      assertThat(maps.await(1)).isFalse();
    }
    maps.kill();
    assertThat(maps.await(Long.MAX_VALUE)).isTrue();
    assertThat(maps.failure()).isInstanceOf(InterruptedException.class);
    assertThat(EVENTS).containsExactly("setup", "map 1000", "close 1000", "abort");
  }
}
