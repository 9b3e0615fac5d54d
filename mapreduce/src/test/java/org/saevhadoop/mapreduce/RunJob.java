package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.mapreduce.OutputJob.FIXTURE;
import static org.saevhadoop.mapreduce.OutputJob.GEOMETRY;
import static org.saevhadoop.mapreduce.OutputJob.SHARDS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.mapreduce.Tasks.Order;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.OutputKeys;

/** Jobs of a run that publishes SAEV shards. */
abstract class RunJob {
  @TempDir Path temporary;
  final SaevOutputFormat format = new SaevOutputFormat();
  final Configuration conf = new Configuration(false);
  Path published;

  @BeforeEach
  void defineDataset() throws IOException {
    published = temporary.resolve("out");
    ConfSettings.set(conf, OutputKeys.SYNC, OutputKeys.Sync.NEVER);
    SaevOutputFormat.setMetadata(conf, Files.readAllBytes(FIXTURE.resolve("metadata.json")));
  }

  void assertPublished() throws IOException {
    SaevDataset dataset = SaevDataset.open(new LocalFolder(published));
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertThat(Tasks.files(published))
        .containsExactly(OutputJob.all(SHARDS, "metadata.json", "shards.json"));
    for (int shard = 0; shard < SHARDS.length; shard++) {
      byte[] bytes = Files.readAllBytes(published.resolve(SHARDS[shard]));
      ByteBuffer first = ByteBuffer.wrap(bytes, 0, (int) GEOMETRY.exampleBytes());
      assertThat(first).isEqualTo(InventedFiles.example(GEOMETRY, shard * 2L));
    }
  }

  void writeAll() throws Exception {
    committer().setupJob(job());
    writeTask(0, 0, 4);
    writeTask(1, 4, 7);
  }

  OutputCommitter committer() throws IOException {
    return format.getOutputCommitter(job());
  }

  TaskAttemptContext job() {
    return Tasks.attempt(conf, 0, 0);
  }

  void commitJob() throws IOException {
    committer().commitJob(job());
  }

  void writeTask(int task, long from, long to) throws Exception {
    Tasks.commit(format, write(task, 0, from, to));
  }

  /** Writes examples in an attempt of a task, which is not committed. */
  TaskAttemptContext write(int task, int attempt, long from, long to) throws Exception {
    TaskAttemptContext context = Tasks.attempt(conf, task, attempt);
    Tasks.write(format, context, GEOMETRY, from, to, Order.EXAMPLES);
    return context;
  }
}
