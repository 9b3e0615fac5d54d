package org.saevhadoop.jobs.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;

/** A source one of whose files is missing for a while: what was staged stays. */
class MissingSourceTest {
  private static final String LOST = "host_2/shard_0002.pkl.gz";

  private static final String OTHER_FILES =
      ": has files other than those that were counted (expected no change until they are unpacked)";

  @TempDir Path folder;
  private final Configuration conf = new Configuration();
  private Path source;
  private Path target;

  /** The storage of the source and the target; empty for the local disk. */
  private String storage = "";

  @BeforeEach
  void copySource() throws IOException {
    conf.set("mapreduce.local.map.tasks.maximum", "1");
    conf.set("saev.output.sync", "never");
    source = Files.createDirectory(folder.resolve("source"));
    target = folder.resolve("target");
    TestDatasets.copyPickle(source);
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
      conf.set(
          "fs.viewfs.mounttable.%s.link.%s".formatted(folder.getFileName(), folder),
          folder.toUri().toString());
    }
  }

  /** Moves a shard away at some time, and back. */
  private class Loss implements RunListener {
    private final List<String> messages = new ArrayList<>();

    void lose() {
      move(source.resolve(LOST), folder.resolve("lost"));
    }

    void restore() {
      move(folder.resolve("lost"), source.resolve(LOST));
    }

    private void move(Path from, Path to) {
      try {
        Files.move(from, to);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Flips a bit of the blocks of the last shard. */
    void damage() {
      try (Stream<Path> files = Files.walk(folder)) {
        Path blocks = files.filter(file -> file.endsWith("blocks-00002")).findFirst().orElseThrow();
        byte[] bytes = Files.readAllBytes(blocks);
        bytes[bytes.length / 2] ^= 1;
        Files.write(blocks, bytes);
        Files.deleteIfExists(blocks.resolveSibling(".blocks-00002.crc")); // Hadoop finds it, too
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void message(String line) {
      messages.add(line);
    }
  }

  private void run(RunListener listener) throws IOException, InterruptedException {
    Conversion.of(storage + source, storage + target, "safetensors", conf).run(listener);
  }

  /** Checks that a run with {@code --resume} unpacks one shard only. */
  private void resume(Loss loss) throws IOException, InterruptedException {
    conf.set("saev.convert.resume", "true");
    run(loss);
    assertThat(loss.messages).anyMatch(line -> line.startsWith("unpack: 1 of 3 shards, "));
    assertThat(Digest.of(target.toString(), new Configuration()).run(RunListener.NONE))
        .isEqualTo(
            Digest.of(TestDatasets.pickle().toString(), new Configuration()).run(RunListener.NONE));
  }

  @Test
  void aShardThatIsMissingWhenItIsOpenedLeavesTheOthersStaged() throws Exception {
    Loss loss =
        new Loss() {
          @Override
          public void job(RunningJob job) {
            lose();
          }

          @Override
          public void result(FinishedJob job) {
            restore();
          }
        };
    assertThatThrownBy(() -> run(loss)).hasMessage(source.resolve(LOST) + ": no such file");
    resume(new Loss());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aShardThatIsMissingWhenOthersAreRepairedLeavesThemStaged(boolean hadoop) throws Exception {
    use(hadoop);
    Loss loss =
        new Loss() {
          @Override
          public void result(FinishedJob job) {
            if (job.job().step().equals("unpack")) {
              damage();
            }
          }

          @Override
          public void warning(String line) {
            if (line.endsWith(" is damaged; it is made again")) {
              lose();
            }
          }
        };
    assertThatThrownBy(() -> run(loss))
        .hasMessage(
            storage
                + source.resolve(LOST)
                + ": no longer exists (expected all files of the source)");
    loss.restore();
    resume(new Loss());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aShardThatIsMissingWhenAllAreStagedLeavesThemStaged(boolean hadoop) throws Exception {
    use(hadoop);
    Loss loss =
        new Loss() {
          @Override
          public void result(FinishedJob job) {
            lose();
          }
        };
    assertThatThrownBy(() -> run(loss)).hasMessage(storage + source + OTHER_FILES);
    loss.restore();
    conf.set("saev.convert.resume", "true");
    Loss resumed = new Loss();
    run(resumed);
    assertThat(resumed.messages).anyMatch(line -> line.startsWith("unpack: 0 of 3 shards, "));
  }

  /** The last shard would have the number of the one that is missing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shardsAreNotNumberedAnew(boolean hadoop) throws Exception {
    use(hadoop);
    Loss loss =
        new Loss() {
          @Override
          public void message(String line) {
            if (line.startsWith("unpack: 3 shards")) {
              lose();
            }
          }
        };
    assertThatThrownBy(() -> run(loss)).hasMessage(storage + source + OTHER_FILES);
  }
}
