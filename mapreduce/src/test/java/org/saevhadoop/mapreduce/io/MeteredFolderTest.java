package org.saevhadoop.mapreduce.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.Counters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.mapreduce.input.ConversionCounter;

/** Bytes of files that are written, counted. */
class MeteredFolderTest {
  private static final int MIB = 1 << 20;

  @TempDir Path folder;
  private final List<Long> reports = new ArrayList<>();

  private Output create() throws IOException {
    return new MeteredFolder(new LocalFolder(folder), new ByteMeter(reports::add)).create("file");
  }

  @Test
  void aLongWriteIsReportedWhileItLasts() throws IOException {
    ByteBuffer record = ByteBuffer.allocate(3 * MIB + 5);
    try (Output out = create()) {
      out.write(record);
      assertThat(record.remaining()).isZero();
      assertThat(reports).containsExactly((long) MIB, (long) MIB, (long) MIB);
    }
    assertThat(reports).last().isEqualTo(5L);
    assertThat(folder.resolve("file")).hasSize(3 * MIB + 5);
  }

  @Test
  void smallWritesAreReportedTogether() throws IOException {
    try (Output out = create()) {
      for (int i = 0; i < 100; i++) {
        out.write(ByteBuffer.wrap(new byte[] {(byte) i}));
      }
      assertThat(reports).isEmpty();
    }
    assertThat(reports).containsExactly(100L);
    assertThat(Files.readAllBytes(folder.resolve("file"))).startsWith(0, 1, 2).endsWith(98, 99);
  }

  @Test
  void paddingCounts() throws IOException {
    try (Output out = create()) {
      out.extendTo(4096);
      assertThat(out.position()).isEqualTo(4096);
    }
    assertThat(reports).containsExactly(4096L);
  }

  @Test
  void hadoopDisplaysTheNamesOfAllCounters() {
    Counters counters = new Counters();
    for (DatasetCounter counter : DatasetCounter.values()) {
      assertThat(counters.findCounter(counter).getDisplayName())
          .isNotEqualTo(counter.name())
          .isNotEmpty();
    }
    for (ConversionCounter counter : ConversionCounter.values()) {
      assertThat(counters.findCounter(counter).getDisplayName()).isNotEqualTo(counter.name());
    }
    assertThat(counters.getGroup(DatasetCounter.class.getName()).getDisplayName())
        .isEqualTo("saev-hadoop");
  }
}
