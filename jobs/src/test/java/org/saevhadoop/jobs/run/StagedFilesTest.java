package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/** Files that threads of this process stage: 7 examples, each by a task. */
class StagedFilesTest {
  private static final SettingKey<String> FAILING =
      SettingKey.internalName("saev.test.failing", "The example whose task fails.");

  @TempDir Path folder;
  private JobRunner runner;
  private OpenedSource source;

  @BeforeEach
  void open() throws Exception {
    Configuration conf = new Configuration();
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", 1);
    runner = JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry());
    String path = TestDatasets.saev().toString();
    source = OpenedSource.open(SourceRequest.of(path, SettingSource.CONFIGURATION, runner), runner);
  }

  @AfterEach
  void close() throws IOException {
    source.close();
    runner.close();
  }

  /** Writes a file and its record, and may fail then. */
  static final class Part implements Task {
    @Override
    public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
      StagedFolder part = StagedFolder.ofTask(output.folder(), false);
      String name = String.valueOf(input.first());
      try (Output out = part.create(name + ".data")) {
        out.write(ByteBuffer.allocate(5));
      }
      output.written(5);
      part.commit(name, "part");
      if (name.equals(input.get(FAILING))) {
        throw new IOException("fails");
      }
    }
  }

  private FinishedJob run(String failing) throws IOException, InterruptedException {
    StoragePath staged = new LocalPath(folder);
    return runner.run(
        DatasetJob.step("stage", source.request().source())
            .reading(
                source.input(
                    source.spec(),
                    new RecordRequest(RecordSelection.Unit.EXAMPLE, false, List.of(), 1)))
            .with(Settings.NONE.with(FAILING, failing))
            .task(Part.class)
            .into(new StagedFiles(staged, runner.storage(staged), false)));
  }

  private List<String> complete() throws IOException {
    return List.copyOf(StagedFolder.of(new LocalPath(folder).folder()).complete().keySet());
  }

  @Test
  void theFilesOfAllTasksAreCommittedAndCounted() throws Exception {
    assertThat(run("none").counters()).containsEntry("bytes_written", 35L);
    assertThat(complete()).containsExactly("0", "1", "2", "3", "4", "5", "6");
  }

  @Test
  void whatATaskOfADeadRunWasWritingIsNotCommitted() throws Exception {
    run("none");
    for (int task = 0; task < 7; task++) {
      Path left = Files.createDirectories(folder.resolve("_work/task_00000" + task));
      for (int part = 0; part < 7; part++) {
        Files.writeString(left.resolve(part + ".data"), "x");
      }
    }
    run("none");
    assertThat(complete()).hasSize(7);
  }

  @Test
  void theFilesOfOtherTasksStayIfOneFails() throws Exception {
    assertThatThrownBy(() -> run("3")).isInstanceOf(JobFailedException.class);
    assertThat(complete()).containsExactly("0", "1", "2", "4", "5", "6");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(12).noneMatch(Files::isDirectory);
    }
    run("none");
    assertThat(complete()).hasSize(7);
  }
}
