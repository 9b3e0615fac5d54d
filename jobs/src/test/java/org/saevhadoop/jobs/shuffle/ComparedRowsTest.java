package org.saevhadoop.jobs.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.shuffle.SideRow;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;

/** Shuffled datasets, right and wrong ones, whose rows are compared with the source. */
class ComparedRowsTest {
  private static final long SEED = 3;

  /** 7 examples of 2 layers, 10 tokens and 8 dims, with labels. */
  private static final String SOURCE =
      Corpus.checkout().resolve("fixtures/saev/shards/64988989").toString();

  @TempDir Path folder;

  private final List<String> messages = new ArrayList<>();

  /** Shuffles layers of the source to SAEV shards. */
  private Path shuffle(RowUnit unit, String layers) throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    conf.set("saev.input.layers", layers);
    Conversion conversion = Conversion.of(SOURCE, folder.resolve("out").toString(), "saev", conf);
    Shuffle shuffle = new Shuffle(conversion, unit, SEED, 1, List.of(), false);
    return Path.of(shuffle.run(RunListener.NONE).get(0).dataset().path());
  }

  /** Compares a dataset with the rows that the source has in that order. */
  private void check(Path written, RowUnit unit, String layers)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    conf.set("saev.input.layers", layers);
    RunListener listener =
        new RunListener() {
          @Override
          public void message(String line) {
            messages.add(line);
          }
        };
    try (JobRunner runner = JobRunner.open(conf, listener, DatasetFormats.registry());
        OpenedSource source =
            OpenedSource.open(
                SourceRequest.of(SOURCE, SettingSource.CONFIGURATION, runner), runner)) {
      Provenance provenance = source.whole().requireActivations().activations().provenance();
      RowOrder order =
          RowOrder.of(
              unit,
              SEED,
              runner.formats().identity(provenance).orElseThrow().hash(),
              LayerRequest.parse(layers).layers(),
              source.part());
      int labels = ShuffleLosses.labelsOfRow(source.dataset().requireActivations(), unit);
      ShuffleStage rows =
          ShuffleStage.of(
              source,
              List.of(order),
              UnpaddedTokens.all(10),
              new SideRow(false, labels, 0),
              false,
              runner);
      StoragePath published = new LocalPath(written);
      SourceRequest request =
          SourceRequest.written(published, runner.formats().named("saev").orElseThrow());
      rows.compare(rows.planned(published).get(0), request, written.toString());
    }
  }

  private static void changeByte(Path dataset, long position) throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(dataset.resolve("acts000000.bin").toFile(), "rw")) {
      file.seek(position);
      int value = file.read();
      file.seek(position);
      file.write(value ^ 1);
    }
  }

  @ParameterizedTest
  @EnumSource(RowUnit.class)
  void rowsOfTheSourcePass(RowUnit unit) throws Exception {
    String layers = unit == RowUnit.VECTOR ? "23" : "23,13";
    check(shuffle(unit, layers), unit, layers);
    assertThat(messages).contains("shuffle: verified: all rows match the source");
  }

  @Test
  void aRowWithAnotherBitIsNamed() throws Exception {
    Path written = shuffle(RowUnit.VECTOR, "23");
    changeByte(written, 5 * 32 + 31);
    assertThatThrownBy(() -> check(written, RowUnit.VECTOR, "23"))
        .hasMessageContaining(written + ": examples 5 to 5 differ from ");
  }

  @Test
  void theLabelsOfARowArePartOfIt() throws Exception {
    Path written = shuffle(RowUnit.EXAMPLE, "23");
    assertThat(written.resolve("labels.bin")).exists();
    byte[] labels = Files.readAllBytes(written.resolve("labels.bin"));
    labels[0] ^= 1;
    Files.write(written.resolve("labels.bin"), labels);
    assertThatThrownBy(() -> check(written, RowUnit.EXAMPLE, "23"))
        .hasMessageContaining("examples 0 to 0 differ from");
  }
}
