package org.saevhadoop.jobs.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;

/** A program that converts, without a command line. */
@Isolated // counts the shutdown hooks of the JVM
class ConversionCallsTest {
  @TempDir Path folder;
  private final Configuration conf = new Configuration();

  /** Keeps what it is told. */
  private static final class Recorder implements RunListener {
    private final List<String> messages = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<RunningJob> jobs = new ArrayList<>();
    private final List<FinishedJob> ended = new ArrayList<>();
    private long done;
    private long total;

    @Override
    public void message(String line) {
      messages.add(line);
    }

    @Override
    public void warning(String line) {
      warnings.add(line);
    }

    @Override
    public void job(RunningJob job) {
      jobs.add(job);
    }

    @Override
    public void progress(RunningJob job, long bytes, long all) {
      done = bytes;
      total = all;
    }

    @Override
    public void result(FinishedJob job) {
      ended.add(job);
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Conversion conversion(Path source, String name) {
    return Conversion.of(source.toString(), folder.resolve(name).toString(), "safetensors", conf);
  }

  @Test
  void theListenerLearnsOfJobsProgressAndResults() throws Exception {
    Recorder recorder = new Recorder();
    conf.set("saev.inptu.layers", "0");
    Conversion.Result written = conversion(TestDatasets.pickle(), "acts").run(recorder);
    assertThat(written.path()).isEqualTo(folder.resolve("acts").toString());
    assertThat(recorder.warnings).anyMatch(line -> line.contains("saev.input.layers?"));
    assertThat(recorder.jobs).extracting(RunningJob::step).containsExactly("unpack", "convert");
    assertThat(recorder.ended).allMatch(FinishedJob::succeeded).hasSize(2);
    assertThat(recorder.ended.get(1).counters()).containsKey("bytes_written");
    assertThat(recorder.messages).anyMatch(line -> line.startsWith("convert: "));
    assertThat(recorder.done).isPositive().isEqualTo(recorder.total);
    assertThat(files()).containsExactly("acts");
  }

  @Test
  void aProgramGetsThePlanOfAConversion() throws Exception {
    Recorder recorder = new Recorder();
    RunPlan plan = conversion(TestDatasets.saev(), "acts").describe(recorder).get(0);
    assertThat(plan.path()).isEqualTo(folder.resolve("acts").toString());
    assertThat(plan.bytesRead()).isEqualTo(7 * 3 * 10 * 16 * Float.BYTES);
    assertThat(recorder.jobs).isEmpty();
    RunPlan staged = conversion(TestDatasets.pickle(), "acts").describe(recorder).get(0);
    assertThat(staged.plan()).isEqualTo(RunPlan.STAGED);
    assertThat(Digest.of(TestDatasets.saev().toString(), conf).describe(recorder).get(0).tasks())
        .isOne();
    assertThat(files()).isEmpty();
    Conversion.Result written = conversion(TestDatasets.saev(), "acts").run(recorder);
    assertThat(plan.files()).isEqualTo(written.files().shardCount());
    assertThatThrownBy(() -> conversion(TestDatasets.saev(), "acts").describe(RunListener.NONE))
        .hasMessageContaining("already exists");
  }

  @Test
  void anInvalidSettingAndAnUnknownFormatAreReportedBeforeAnythingIsRead() {
    conf.set("saev.convert.verify", "maybe");
    assertThatThrownBy(() -> conversion(folder.resolve("none"), "acts").run(RunListener.NONE))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("saev.convert.verify");
    conf.unset("saev.convert.verify");
    assertThatThrownBy(() -> Conversion.of("a", "b", "npy3", conf).run(RunListener.NONE))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("unknown format \"npy3\" (expected one of [saev, ");
  }

  @Test
  void aFailureIsOneLineAndLeavesNothing() throws Exception {
    Path broken = Files.createDirectory(folder.resolve("broken"));
    try (Stream<Path> files = Files.list(TestDatasets.saev())) {
      for (Path file : files.toList()) {
        Files.copy(file, broken.resolve(file.getFileName()));
      }
    }
    Files.write(broken.resolve("acts000001.bin"), new byte[7]);
    assertThatThrownBy(() -> conversion(broken, "acts").run(RunListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("acts000001.bin: ")
        .hasMessageNotContaining("\n");
    assertThat(files()).containsExactly("broken");
  }

  @Test
  @Timeout(120)
  void conversionsRunSideBySideAndLeaveNoShutdownHook() throws Exception {
    Configuration shuffled = new Configuration(conf);
    shuffled.set("saev.convert.plan", "shuffle");
    conversion(TestDatasets.saev(), "first").run(RunListener.NONE); // Hadoop adds its own hooks
    int hooks = hooks();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Conversion.Result>> running = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Path source = i % 2 == 0 ? TestDatasets.saev() : TestDatasets.pickle();
        Conversion next =
            Conversion.of(
                source.toString(),
                folder.resolve("acts" + i).toString(),
                "safetensors",
                i % 3 == 0 ? shuffled : conf);
        running.add(threads.submit(() -> next.run(RunListener.NONE)));
      }
      for (int i = 0; i < 6; i++) {
        Path source = i % 2 == 0 ? TestDatasets.saev() : TestDatasets.pickle();
        assertThat(Digest.of(running.get(i).get().path(), conf).run(RunListener.NONE))
            .isEqualTo(Digest.of(source.toString(), conf).run(RunListener.NONE));
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(hooks()).isEqualTo(hooks);
  }

  /** Returns the number of hooks of this program. */
  private static int hooks() throws ReflectiveOperationException {
    var field = StoppedJvm.class.getDeclaredField("HOOKS");
    field.setAccessible(true);
    return ((List<?>) field.get(null)).size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"unpack", "convert"})
  @Timeout(60)
  void anInterruptedConversionKillsItsJobAndLeavesNothing(String step) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    RunListener listener =
        new RunListener() {
          @Override
          public void job(RunningJob job) {
            if (job.step().equals(step)) {
              begun.countDown();
              while (!Thread.currentThread().isInterrupted()) { // the job might end before
                Thread.onSpinWait();
              }
            }
          }
        };
    Path source = step.equals("unpack") ? TestDatasets.pickle() : TestDatasets.saev();
    Conversion conversion = conversion(source, "acts");
    FutureTask<Conversion.Result> call = new FutureTask<>(() -> conversion.run(listener));
    Thread thread = new Thread(call);
    thread.start();
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    long interrupted = System.nanoTime();
    thread.interrupt();
    assertThatThrownBy(call::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(System.nanoTime() - interrupted).isLessThan(TimeUnit.MINUTES.toNanos(1));
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 60, 120, 250, 500, 900})
  @Timeout(60)
  void anInterruptionAtAnyMomentLeavesNoDatasetOrAllOfItAndCanBeResumed(int millis)
      throws Exception {
    Conversion conversion = conversion(TestDatasets.pickle(), "acts");
    FutureTask<Conversion.Result> call = new FutureTask<>(() -> conversion.run(RunListener.NONE));
    Thread thread = new Thread(call);
    thread.start();
    Thread.sleep(millis);
    thread.interrupt();
    try {
      call.get();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(InterruptedException.class);
      if (!files().contains("acts")) { // otherwise the commit of the job had published it
        conf.setBoolean("saev.convert.resume", true); // complete files stay, as after SIGINT
        conversion(TestDatasets.pickle(), "acts").run(RunListener.NONE);
        assertThat(files()).containsExactly("acts");
      }
    }
    assertThat(Digest.of(folder + "/acts", conf).run(RunListener.NONE))
        .isEqualTo(Digest.of(TestDatasets.pickle().toString(), conf).run(RunListener.NONE));
  }
}
