package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/** The plan of a job of a verb that is not part of the program. */
@Execution(ExecutionMode.SAME_THREAD) // tasks are created by Hadoop and report to a static field
class JobPlanTest {
  private static final AtomicInteger TASKS = new AtomicInteger();

  @TempDir Path scratch;

  /** Counts the tasks that begin. */
  static final class Counted
      extends Mapper<ActivationKey, ActivationWritable, NullWritable, NullWritable> {
    @Override
    protected void setup(Context context) {
      TASKS.incrementAndGet();
    }

    @Override
    protected void map(ActivationKey key, ActivationWritable value, Context context) {
      // only tasks are counted
    }
  }

  private static DatasetJob.Parts reading(OpenedSource source) {
    return DatasetJob.step("count", source.request().source())
        .reading(
            source.input(
                source.spec(), new RecordRequest(RecordSelection.Unit.BLOCK, false, List.of(), 1)))
        .bytes(123);
  }

  private static DatasetJob<Integer> job(OpenedSource source, int reducers) {
    return reading(source)
        .map(() -> Counted.class)
        .tasks(
            (Job tasks) -> {
              tasks.setMapOutputKeyClass(NullWritable.class);
              tasks.setMapOutputValueClass(NullWritable.class);
              tasks.setNumReduceTasks(reducers);
            })
        .collect(
            records -> {
              int[] count = {0};
              records.forEach((key, value) -> count[0]++);
              return count[0];
            });
  }

  @ParameterizedTest
  @CsvSource({"1000000, 0", "3840, 0", "1, 0", "3840, 2"})
  void aPlanHasTheTasksOfTheRunAndLeavesNothing(long splitBytes, int reducers) throws Exception {
    Configuration conf = new Configuration();
    conf.set("hadoop.tmp.dir", scratch.toString());
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", splitBytes);
    try (JobRunner runner = JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry())) {
      String path = TestDatasets.saev().toString();
      SourceRequest request = SourceRequest.of(path, SettingSource.CONFIGURATION, runner);
      try (OpenedSource source = OpenedSource.open(request, runner)) {
        JobPlan plan = runner.plan(job(source, reducers));
        try (Stream<Path> files = Files.list(scratch)) {
          assertThat(files).isEmpty();
        }
        TASKS.set(0);
        assertThat(runner.run(job(source, reducers))).isZero();
        assertThat(plan.maps()).isEqualTo(TASKS.get());
        assertThat(plan.reduces()).isEqualTo(reducers);
        assertThat(plan.bytes()).isEqualTo(123);
        assertThat(plan.temporary()).isEqualTo(new LocalPath(scratch));
        int perTask = (int) Math.max(1, Math.min(7, splitBytes / (3 * 10 * 16 * 4)));
        assertThat(plan.maps()).isEqualTo((7 + perTask - 1) / perTask);
      }
    }
  }

  /** A task that reads nothing. */
  static final class Idle implements Task {
    @Override
    public void run(TaskInput input, TaskOutput output) {
      // only tasks are counted
    }
  }

  @ParameterizedTest
  @CsvSource({
    "fs.local.block.size, 1920, 1",
    "mapreduce.input.fileinputformat.split.maxsize, 1920, 7",
    "mapreduce.input.fileinputformat.split.minsize, 3840, 1"
  })
  void theUserMayReplaceTheMinimumSizeOfASplit(String key, long bytes, int tasks) throws Exception {
    Configuration conf = new Configuration();
    conf.setLong(key, bytes);
    try (JobRunner runner = JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry())) {
      String path = TestDatasets.saev().toString();
      SourceRequest request = SourceRequest.of(path, SettingSource.CONFIGURATION, runner);
      try (OpenedSource source = OpenedSource.open(request, runner)) {
        for (DatasetJob.Parts parts :
            List.of(reading(source).task(Idle.class), reading(source).map(() -> Counted.class))) {
          DatasetJob<Integer> job = parts.splitBytes(1 << 20).collect(records -> 0);
          assertThat(runner.plan(job).maps()).isEqualTo(tasks);
        }
      }
    }
  }
}
