package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.io.ByteMeter;

class LocalTasksTest {
  /** More tasks than buffers of 1 MiB fit in the memory of the tests. */
  private static final int EXAMPLES = 3000;

  @TempDir Path folder;

  private Path vectors() throws IOException {
    String header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 2), }".formatted(EXAMPLES);
    ByteArrayOutputStream npy = new ByteArrayOutputStream();
    npy.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
    npy.writeBytes("%-117s\n".formatted(header).getBytes(StandardCharsets.US_ASCII));
    npy.writeBytes(new byte[EXAMPLES * 2 * Float.BYTES]);
    return Files.write(folder.resolve("acts.npy"), npy.toByteArray());
  }

  @Test
  void tasksThatWaitOrHaveEndedHoldNoBuffers() throws Exception {
    String path = vectors().toString();
    Configuration conf = new Configuration();
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", 1);
    assertThat(Digest.of(path, conf).run(RunListener.NONE))
        .isEqualTo(Digest.of(path, null).run(RunListener.NONE));
  }

  /** Returns a job with one task. */
  private static DatasetJob<FinishedJob> job(Path folder, JobRunner runner, Io.Action work)
      throws IOException {
    StoragePath staged = new LocalPath(Files.createDirectories(folder));
    WorkItem item =
        new WorkItem() {
          @Override
          public long bytes() {
            return 1;
          }

          @Override
          public ConversionChanges run(ByteMeter read, TaskOutput output) throws IOException {
            work.run();
            return ConversionChanges.NONE;
          }
        };
    return DatasetJob.step("unpack", staged)
        .items(() -> List.of(item))
        .into(new StagedFiles(staged, runner.storage(staged), false));
  }

  @Test
  void tasksOfSeveralJobsShareTheThreads() throws Exception {
    Configuration conf = new Configuration();
    conf.setInt("mapreduce.local.map.tasks.maximum", 1);
    CountDownLatch bothJobs = new CountDownLatch(2);
    RunListener listener =
        new RunListener() {
          @Override
          public void job(RunningJob job) {
            bothJobs.countDown();
          }
        };
    AtomicInteger running = new AtomicInteger();
    List<Integer> seen = new CopyOnWriteArrayList<>();
    Io.Action work =
        () -> {
          seen.add(running.incrementAndGet());
          try {
            bothJobs.await();
            Thread.sleep(100); // a task of the other job would begin if it had a thread
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          running.decrementAndGet();
        };
    ExecutorService clients = Executors.newFixedThreadPool(2);
    try (JobRunner runner = JobRunner.open(conf, listener, DatasetFormats.registry())) {
      List<Future<FinishedJob>> jobs = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        DatasetJob<FinishedJob> job = job(folder.resolve(name), runner, work);
        jobs.add(clients.submit(() -> runner.reportingTo(listener).run(job)));
      }
      for (Future<FinishedJob> job : jobs) {
        assertThat(job.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
      }
    } finally {
      clients.shutdownNow();
    }
    assertThat(seen).containsExactly(1, 1);
  }

  /** Threads belong to all jobs, so the end of one job must not end the threads. */
  @Test
  void anInterruptedJobStopsItsTasksAndNoOthers() throws Exception {
    Configuration conf = new Configuration();
    conf.setInt("mapreduce.local.map.tasks.maximum", 2);
    CountDownLatch bothTasks = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    Io.Action hangs = () -> await(bothTasks, new CountDownLatch(1));
    Io.Action ends = () -> await(bothTasks, end);
    try (JobRunner runner = JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry())) {
      DatasetJob<FinishedJob> interrupted = job(folder.resolve("a"), runner, hangs);
      DatasetJob<FinishedJob> other = job(folder.resolve("b"), runner, ends);
      FutureTask<FinishedJob> first = new FutureTask<>(() -> runner.run(interrupted));
      FutureTask<FinishedJob> second = new FutureTask<>(() -> runner.run(other));
      Thread thread = new Thread(first);
      thread.start();
      new Thread(second).start();
      bothTasks.await();
      thread.interrupt();
      assertThatThrownBy(() -> first.get(1, TimeUnit.MINUTES))
          .hasCauseExactlyInstanceOf(InterruptedException.class);
      end.countDown();
      assertThat(second.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
    }
  }

  private static void await(CountDownLatch begun, CountDownLatch end) throws IOException {
    begun.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
