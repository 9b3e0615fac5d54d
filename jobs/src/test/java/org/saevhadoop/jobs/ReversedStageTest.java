package org.saevhadoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Datasets;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.convert.StagedConversion;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;

/** A stage that is one class: conversions run, resume, repair and verify it. */
class ReversedStageTest {
  private static final String FIRST_ROWS = "rows-000000000000-1";
  private static final String LAST_ROWS = "rows-000000000006-1";

  private final Path source = TestDatasets.saev();
  @TempDir Path folder;
  private final Configuration conf = new Configuration();
  private Path target;

  /** The storage of the source and the target; empty for the local disk. */
  private String storage = "";

  @BeforeEach
  void makeATaskOfEachExample() {
    target = folder.resolve("target");
    conf.set("saev.convert.verify", "true");
    conf.set("saev.output.sync", "never");
    conf.set("saev.output.batch.size", "2");
    conf.set("mapreduce.input.fileinputformat.split.maxsize", "1");
  }

  /**
   * Chooses the tasks.
   *
   * @param hadoop whether they are tasks of Hadoop, as for all data that is not local
   */
  private void use(boolean hadoop) {
    if (hadoop) {
      storage = "viewfs://" + folder.getFileName();
      conf.set("fs.AbstractFileSystem.file.impl", "org.apache.hadoop.fs.local.LocalFs");
      conf.set("fs.AbstractFileSystem.viewfs.impl", "org.apache.hadoop.fs.viewfs.ViewFs");
      for (Path mounted : List.of(source.getParent(), folder)) {
        conf.set(
            "fs.viewfs.mounttable.%s.link.%s".formatted(folder.getFileName(), mounted),
            mounted.toUri().toString());
      }
    }
  }

  /** Records the jobs that succeed, and may change files before and after those of the stage. */
  private static class Recorder implements RunListener {
    /** The step of each job, and the number of examples that it has read. */
    private final List<String> jobs = new ArrayList<>();

    private final List<String> warnings = new ArrayList<>();

    void before() throws IOException {}

    void after() throws IOException {}

    @Override
    public void job(RunningJob job) {
      if (job.step().equals(ReversedStage.STEP)) {
        try {
          before();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    @Override
    public void result(FinishedJob job) {
      if (job.succeeded()) {
        jobs.add("%s %d".formatted(job.job().step(), job.counters().get("examples")));
      }
      if (job.job().step().equals(ReversedStage.STEP)) {
        try {
          after();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    @Override
    public void warning(String line) {
      warnings.add(line);
    }
  }

  private Conversion conversion() {
    return Conversion.of(storage + source, storage + target, "safetensors", conf);
  }

  private <R> R with(RunListener listener, StageCall<R> call)
      throws IOException, InterruptedException {
    return JobRunner.call(
        conf,
        listener,
        runner -> {
          List<SourceRequest> sources = conversion().sources(runner);
          try (OpenedSource opened = OpenedSource.open(sources.get(0), runner)) {
            return call.with(new ReversedStage(opened, runner), sources);
          }
        });
  }

  @FunctionalInterface
  private interface StageCall<R> {
    R with(ReversedStage stage, List<SourceRequest> sources)
        throws IOException, InterruptedException;
  }

  private Prepared<List<Conversion.Result>> prepared(
      ReversedStage stage, List<SourceRequest> sources) throws IOException {
    return StagedConversion.of(List.of(conversion().prepare(sources, stage.runner())), stage);
  }

  private void run(Recorder recorder) throws IOException, InterruptedException {
    with(recorder, (stage, sources) -> prepared(stage, sources).run());
  }

  private static List<ByteBuffer> examples(Path dataset) throws IOException {
    ActivationDataset opened = Datasets.open(dataset).requireActivations();
    RecordSelection all = RecordSelection.all(opened.geometry(), RecordSelection.Unit.EXAMPLE);
    List<ByteBuffer> examples = new ArrayList<>();
    try (BlockCursor cursor = new BlockCursor(opened, all, 0, opened.geometry().examples())) {
      while (cursor.next()) {
        ByteBuffer bytes = cursor.bytes();
        examples.add(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
      }
    }
    return examples;
  }

  /** Checks that the source was reversed, and that nothing else is left. */
  private void checkTarget() throws IOException {
    List<ByteBuffer> expected = examples(source);
    Collections.reverse(expected);
    assertThat(examples(target)).isEqualTo(expected).hasSize(7);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(target);
    }
  }

  private Path staged(String name) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.endsWith(ShufflePlan.FILE))
          .findFirst()
          .orElseThrow()
          .resolveSibling(name);
    }
  }

  /** Stages all examples but the last, whose file cannot be moved to its place. */
  private void interrupt() throws IOException {
    Recorder recorder =
        new Recorder() {
          @Override
          void before() throws IOException {
            Files.createDirectories(staged(LAST_ROWS).resolve("obstacle"));
          }
        };
    assertThatThrownBy(() -> run(recorder)).hasMessageContaining(LAST_ROWS);
    assertThat(recorder.jobs).isEmpty();
    LocalTree.delete(staged(LAST_ROWS));
    conf.set("saev.convert.resume", "true");
  }

  /** Changes a bit of the values of the first example of the source. */
  private void damage() throws IOException {
    byte[] bytes = Files.readAllBytes(staged(FIRST_ROWS));
    bytes[bytes.length / 2] ^= 1;
    Files.write(staged(FIRST_ROWS), bytes);
    Files.deleteIfExists(staged("." + FIRST_ROWS + ".crc")); // by which Hadoop finds it, too
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theExamplesAreWrittenInReverseOrderAndVerified(boolean hadoop) throws Exception {
    use(hadoop);
    Recorder recorder = new Recorder();
    run(recorder);
    checkTarget();
    assertThat(recorder.jobs)
        .containsExactly("reverse 7", "convert 7", "verify 7", "verify 7", "verify 7");
    assertThat(recorder.warnings).isEmpty();
  }

  @Test
  void anotherOrderDoesNotPassVerification() throws Exception {
    conversion().run(RunListener.NONE);
    StoragePath written = new LocalPath(target);
    assertThatThrownBy(
            () ->
                with(
                    RunListener.NONE,
                    (stage, sources) -> {
                      stage.compare(
                          stage.planned(written).get(0),
                          SourceRequest.written(
                              written, stage.runner().formats().named("safetensors").orElseThrow()),
                          written.shown());
                      return stage;
                    }))
        .hasMessageContaining(target + ": examples 0 to 0 differ from " + source);
  }

  @Test
  void thePlanIsThatOfBothJobs() throws Exception {
    RunPlan plan =
        with(RunListener.NONE, (stage, sources) -> prepared(stage, sources).describe()).get(0);
    assertThat(plan.tasks()).isEqualTo(7 + 4);
    assertThat(plan.files()).isEqualTo(4);
    assertThat(plan.path()).isEqualTo(target.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunThatIsResumedStagesWhatIsMissing(boolean hadoop) throws Exception {
    use(hadoop);
    interrupt();
    Recorder recorder = new Recorder();
    run(recorder);
    checkTarget();
    assertThat(recorder.jobs).startsWith("reverse 1", "convert 7");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void damageBetweenRunsIsRepaired(boolean hadoop) throws Exception {
    use(hadoop);
    interrupt();
    damage();
    Recorder recorder = new Recorder();
    run(recorder);
    checkTarget();
    assertThat(recorder.jobs).startsWith("reverse 1", "reverse 1", "convert 7");
    assertThat(recorder.warnings)
        .anyMatch(line -> line.endsWith(FIRST_ROWS + " is damaged; it is made again"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void damageBeforeTheConversionIsRepaired(boolean hadoop) throws Exception {
    use(hadoop);
    Recorder recorder =
        new Recorder() {
          private boolean isDone;

          @Override
          void after() throws IOException {
            if (!isDone) {
              isDone = true;
              damage();
            }
          }
        };
    run(recorder);
    checkTarget();
    assertThat(recorder.jobs).startsWith("reverse 7", "reverse 1", "convert 7");
  }
}
