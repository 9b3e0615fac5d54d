package org.saevhadoop.jobs.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;

/** Work on several sources, two at a time. */
class SourceTurnsTest {
  private static final RunningJob JOB = new RunningJob("unpack", "unpack b", null, null);

  private final List<String> events = new ArrayList<>();
  private JobRunner runner;

  @BeforeEach
  void open() throws IOException {
    runner = runner("mapreduce.local.map.tasks.maximum", "2");
  }

  @AfterEach
  void close() throws IOException {
    runner.close();
  }

  private JobRunner runner(String key, String value) throws IOException {
    Configuration conf = new Configuration();
    conf.set(key, value);
    RunListener listener =
        new RunListener() {
          @Override
          public void message(String line) {
            events.add(line);
          }

          @Override
          public void warning(String line) {
            events.add("warning: " + line);
          }

          @Override
          public void job(RunningJob job) {
            events.add("job " + job.name());
          }

          @Override
          public void progress(RunningJob job, long done, long total) {
            events.add("progress " + done);
          }

          @Override
          public void result(FinishedJob job) {
            events.add("result " + job.job().name());
          }
        };
    return JobRunner.open(conf, listener, DatasetFormats.registry());
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
  }

  /** Waits until the thread is interrupted. */
  private static void hang() throws InterruptedException {
    await(new CountDownLatch(1));
  }

  @Test
  void twoSourcesAreWorkedOnAtTheSameTimeAndNeverThree() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Map<Integer, String> results =
        SourceTurns.run(
            List.of(0, 2, 3, 7, 8),
            (source, own) -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              both.countDown();
              await(both);
              running.decrementAndGet();
              return "result " + source;
            },
            runner);
    assertThat(results.toString())
        .isEqualTo("{0=result 0, 2=result 2, 3=result 3, 7=result 7, 8=result 8}");
    assertThat(most).hasValue(2);
  }

  @ParameterizedTest
  @CsvSource({"mapreduce.framework.name,yarn,8", "saev.input.local.runner,true,1"})
  void theNumberOfJobsDependsOnWhereTheyRun(String key, String value, int jobs) throws Exception {
    try (JobRunner other = runner(key, value)) {
      assertThat(other.maxJobs()).isEqualTo(jobs);
    }
    assertThat(runner.maxJobs()).isEqualTo(2);
  }

  @Test
  void theFailureIsThatOfTheFirstSourceAndNoFurtherWorkIsBegun() {
    CountDownLatch secondFails = new CountDownLatch(1);
    ConcurrentSkipListSet<Integer> begun = new ConcurrentSkipListSet<>();
    assertThatThrownBy(
            () ->
                SourceTurns.run(
                    List.of(0, 1, 2),
                    (source, own) -> {
                      begun.add(source);
                      if (source == 0) {
                        await(secondFails);
                      }
                      secondFails.countDown();
                      throw new IOException("source " + source);
                    },
                    runner))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("source 0");
    assertThat(begun).containsExactly(0, 1);
  }

  @Test
  void theFirstSourceIsWorkedOnEvenIfTheSecondFailsBeforeItBegins() {
    for (int i = 0; i < 1000; i++) { // its thread is late about once in 50 times
      assertThatThrownBy(
              () ->
                  SourceTurns.run(
                      List.of(0, 1),
                      (source, own) -> {
                        throw new IOException("source " + source);
                      },
                      runner))
          .hasToString("java.io.IOException: source 0");
    }
  }

  @Test
  void aFailureStopsTheWorkOnLaterSources() {
    CountDownLatch secondBegins = new CountDownLatch(1);
    List<Integer> stopped = new ArrayList<>();
    assertThatThrownBy(
            () ->
                SourceTurns.run(
                    List.of(0, 1, 2),
                    (source, own) -> {
                      if (source == 0) {
                        await(secondBegins);
                        throw new IllegalStateException("source 0");
                      }
                      own.warning("of source " + source);
                      own.listener().message("message of source " + source);
                      own.listener().result(new FinishedJob(JOB, false, 0, 1, Map.of()));
                      secondBegins.countDown();
                      try {
                        hang();
                      } catch (InterruptedException e) {
                        stopped.add(source);
                      }
                      return source;
                    },
                    runner))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("source 0");
    assertThat(stopped).containsExactly(1);
    assertThat(events).containsExactly("warning: of source 1", "result unpack b");
  }

  @Test
  void anInterruptStopsTheWorkOnAllSources() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    ConcurrentSkipListSet<Integer> stopped = new ConcurrentSkipListSet<>();
    FutureTask<Object> run =
        new FutureTask<>(
            () ->
                SourceTurns.run(
                    List.of(0, 1, 2),
                    (source, own) -> {
                      both.countDown();
                      try {
                        hang();
                      } finally {
                        stopped.add(source);
                      }
                      return source;
                    },
                    runner));
    Thread thread = new Thread(run);
    thread.start();
    await(both);
    thread.interrupt();
    assertThatThrownBy(() -> run.get(1, TimeUnit.MINUTES))
        .hasCauseExactlyInstanceOf(InterruptedException.class);
    assertThat(stopped).containsExactly(0, 1);
  }

  @Test
  void aFurtherInterruptDoesNotLeaveWorkBehind() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch stopping = new CountDownLatch(1);
    CountDownLatch killed = new CountDownLatch(1);
    List<String> ends = new CopyOnWriteArrayList<>();
    FutureTask<Object> run =
        new FutureTask<>(
            () -> {
              try {
                return SourceTurns.run(
                    List.of(0),
                    (source, own) -> {
                      begun.countDown();
                      try {
                        hang();
                      } finally {
                        stopping.countDown();
                        await(killed); // as long as a job on YARN needs to end
                        ends.add("work");
                      }
                      return source;
                    },
                    runner);
              } finally {
                ends.add("run");
              }
            });
    Thread thread = new Thread(run);
    thread.start();
    await(begun);
    thread.interrupt();
    await(stopping);
    thread.interrupt();
    while (thread.isAlive()
        && (thread.isInterrupted() || thread.getState() == Thread.State.RUNNABLE)) {
      Thread.onSpinWait(); // until the thread has noticed the interrupt, and waits or has ended
    }
    killed.countDown();
    assertThatThrownBy(() -> run.get(1, TimeUnit.MINUTES))
        .hasCauseExactlyInstanceOf(InterruptedException.class);
    assertThat(ends).containsExactly("work", "run");
  }

  @Test
  void eventsAreInTheOrderOfTheSources() throws Exception {
    CountDownLatch firstBegins = new CountDownLatch(1);
    CountDownLatch secondEnds = new CountDownLatch(1);
    SourceTurns.run(
        List.of(0, 1),
        (source, own) -> {
          RunListener listener = own.listener();
          if (source == 0) {
            listener.message("first");
            firstBegins.countDown();
            await(secondEnds);
            listener.progress(JOB, 7, 9);
            listener.warning("first");
          } else {
            await(firstBegins);
            listener.message("second");
            listener.job(JOB); // it can be killed only if its application is known
            listener.progress(JOB, 8, 9);
            listener.warning("second");
            listener.result(new FinishedJob(JOB, true, 0, 1, Map.of()));
            secondEnds.countDown();
          }
          return source;
        },
        runner);
    assertThat(events)
        .containsExactly(
            "first",
            "job unpack b",
            "progress 7",
            "warning: first",
            "second",
            "warning: second",
            "result unpack b");
  }
}
