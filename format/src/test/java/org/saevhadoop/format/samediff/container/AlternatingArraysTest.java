package org.saevhadoop.format.samediff.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.gather.StridedReader;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;

/** Arrays of many files that are read in turns. */
class AlternatingArraysTest {
  private static final int ARRAYS = 40;
  private static final int BYTES = 5 * 6 * 4;

  @TempDir Path folder;

  private static byte[] values(int array) {
    byte[] values = new byte[BYTES];
    new Random(array).nextBytes(values);
    return values;
  }

  @ParameterizedTest
  @CsvSource({"c, 1", "f, 1", "f, 40", "f, 7", "f, 2000000000"})
  void arraysOfMoreFilesThanAreOpenAreReadInTurns(char order, int alternating) throws IOException {
    ForeignContainer container = new ForeignContainer();
    for (int i = 0; i < ARRAYS; i++) {
      container.array("a" + i, ForeignContainer.FLOAT, Storage.APPENDED, order, values(i), 5, 6);
    }
    container.writeShards(folder, "net", 1);
    SameDiffContainer read = SameDiffContainer.read(Location.of(new LocalFolder(folder)));
    assertThat(read.parts()).hasSize(ARRAYS + 1);
    try (StridedReader<ContainerPart> reader = new StridedReader<>(read::open, alternating)) {
      for (int at = 0; at < BYTES; at += 24) {
        for (int i = 0; i < ARRAYS; i++) {
          ByteBuffer found = ByteBuffer.allocate(24);
          reader.read(read.array("a" + i).orElseThrow().stored(), at, found);
          assertThat(found.array()).isEqualTo(Arrays.copyOfRange(values(i), at, at + 24));
        }
      }
    }
  }

  @Test
  void aReaderCanBeUsedAgainAfterItWasClosed() throws IOException {
    new ForeignContainer()
        .array("a", ForeignContainer.FLOAT, Storage.APPENDED, 'f', values(0), 5, 6)
        .write(folder.resolve("x.sdnb"));
    SameDiffContainer read = SameDiffContainer.read(Location.of(new LocalFolder(folder)));
    StridedReader<ContainerPart> reader = read.reader();
    for (int i = 0; i < 2; i++) {
      ByteBuffer found = ByteBuffer.allocate(BYTES);
      reader.read(read.array("a").orElseThrow().stored(), 0, found);
      assertThat(found.array()).isEqualTo(values(0));
      reader.close();
    }
  }
}
