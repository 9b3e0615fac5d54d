package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.io.FaultyInput;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.reader.block.BlockCursorTest;
import org.saevhadoop.format.reader.block.ChangedDataset;

/** A read that fails or never ends: an error that says where, and no reader that hangs. */
@Timeout(60)
@Tag("late")
class ReaderFailureTest extends FaultyReading {
  @Test
  void aReadThatNeverEndsIsAnErrorThatNamesFileAndByte() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    try (OrderedReader reader = ordered(faulty(until(end, () -> {})), IMPATIENT)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> drain(reader::next))
            .isInstanceOf(IOException.class)
            .hasMessageMatching("shard1: no data came for 0\\.3 s, at byte \\d+");
      }
      end.countDown();
    }
  }

  @Test
  void aReadThatFailsIsAnErrorThatNamesFileAndByte() throws IOException {
    IOException cause = new IOException("the disk is on fire");
    ChangedDataset dataset =
        faulty(
            position -> {
              throw cause;
            });
    for (Reading reader : readers(dataset)) {
      try (reader) {
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> drain(reader))
              .isInstanceOf(IOException.class)
              .hasMessageMatching("shard1: the disk is on fire, at byte \\d+")
              .hasCause(cause);
        }
      }
    }
  }

  @Test
  void aFileThatWasCutShortIsAnErrorThatNamesTheByte() throws IOException {
    Path file = folder.resolve("cut");
    Files.write(file, new byte[200]);
    ChangedDataset dataset =
        ChangedDataset.reading(
            INVENTED, input -> input.path().equals("shard1") ? cut(file) : input);
    for (Reading reader : readers(dataset)) {
      try (reader) {
        assertThat(assertFailsWithAnyText(FileError.TRUNCATED, file, () -> drain(reader)))
            .hasMessageContaining("ends at byte 200,");
      }
    }
  }

  @Test
  void anEpochCanBeginAnewAfterAFailure() throws IOException {
    boolean[] broken = {true};
    ChangedDataset dataset =
        faulty(
            position -> {
              if (broken[0]) {
                throw new IOException("not now");
              }
            });
    try (ShuffledReader reader = shuffled(dataset, OPTIONS)) {
      assertThatThrownBy(() -> drain(reader::next)).hasMessageContaining("not now");
      broken[0] = false;
      reader.startEpoch(0);
      assertThat(drain(reader::next)).isEqualTo(10);
    }
  }

  @Test
  void batchesBeforeTheFailureStillCome() throws IOException {
    ChangedDataset dataset =
        faulty(
            position -> {
              throw new IOException("not here");
            });
    try (OrderedReader reader = ordered(dataset, OPTIONS.withThreads(1))) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.batch().index(15)).isEqualTo(15);
    }
  }

  @Test
  void manyReadsThatEachEndInTimeAreNoFailure() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(16, 2, 4, 1024);
    ChangedDataset dataset =
        ChangedDataset.reading(
            new InventedDataset(geometry, false, 16),
            input -> new FaultyInput(input, position -> sleep(80)));
    // one part of one window, which takes longer than the timeout
    ReaderOptions options = PATIENT.withBatchSize(64);
    try (OrderedReader reader = ordered(dataset, options)) {
      assertThat(drain(reader::next)).isEqualTo(1);
    }
  }

  @Test
  void manyFilesThatAreEachOpenedInTimeAreNoFailure() throws IOException {
    ChangedDataset dataset =
        ChangedDataset.reading(
            new InventedDataset(GEOMETRY, false, 1),
            input -> {
              sleep(80);
              return input;
            });
    try (ShuffledReader reader = shuffled(dataset, PATIENT)) {
      assertThat(reader.next()).isTrue();
    }
  }

  @Test
  void aFailureIsNotBlamedOnAnEarlierOne() throws IOException {
    boolean[] labelsBroken = {true};
    FaultyInput.Fault notHere =
        position -> {
          if (!labelsBroken[0]) {
            throw new IOException("not here");
          }
        };
    ChangedDataset dataset =
        ChangedDataset.reading(INVENTED, input -> new FaultyInput(input, notHere));
    ActivationDataset labelled =
        dataset.withLabels(
            3,
            (first, dst) -> {
              if (labelsBroken[0]) {
                throw new IOException("no labels");
              }
              dst.position(dst.limit());
            });
    try (OrderedReader reader = ordered(labelled, OPTIONS.withThreads(1))) {
      assertThatThrownBy(() -> drain(reader::next))
          .hasMessageContaining("no labels, at the labels");
      labelsBroken[0] = false;
      reader.restart();
      assertThatThrownBy(() -> drain(reader::next))
          .hasMessageMatching("shard0: not here, at byte \\d+");
    }
  }

  @Test
  void aFileWhoseOpeningNeverEndsIsNamed() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    ChangedDataset dataset =
        ChangedDataset.reading(
            INVENTED,
            input -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return input;
            });
    try (ShuffledReader reader = shuffled(dataset, IMPATIENT)) {
      assertThatThrownBy(() -> drain(reader::next))
          .hasMessageMatching(".*/shard\\d: no data came for 0\\.3 s, at byte 0");
      end.countDown();
    }
  }

  @Test
  void labelsThatChangeAfterTheyWereCountedAreAnError() throws IOException {
    byte[] label = {0};
    ActivationDataset labelled =
        ChangedDataset.reading(INVENTED, input -> input)
            .withLabels(
                3,
                (first, dst) -> {
                  while (dst.hasRemaining()) {
                    dst.put(label[0]);
                  }
                });
    VectorView view = VectorView.of(labelled, 1, TokenChoice.IMAGE, 11);
    ReaderOptions options = PATIENT.withBufferSize(2).withIgnoreLabels(Set.of(1));
    try (ShuffledReader reader = new ShuffledReader(labelled, view, options, 48)) {
      label[0] = 1;
      assertThatThrownBy(
              () -> {
                reader.startEpoch(1);
                drain(reader::next);
              })
          .hasMessageContaining("the labels have changed since they were counted");
    }
  }
}
