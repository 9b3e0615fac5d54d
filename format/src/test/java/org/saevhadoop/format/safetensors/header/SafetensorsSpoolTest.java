package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

class SafetensorsSpoolTest {
  @TempDir Path folder;

  private final MemoryFile.Sink sink = new MemoryFile.Sink();

  private static ByteBuffer bytes(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    return bytes.flip();
  }

  @Test
  void tensorsThatGrowInTurnsAreWrittenInTheReferencesOrder() throws IOException {
    try (SafetensorsSpool spool = new SafetensorsSpool(folder)) {
      SafetensorsSpool.Rows ids = spool.begin("ids", DType.U8, List.of());
      SafetensorsSpool.Rows acts = spool.begin("acts", DType.F16, List.of(2L));
      SafetensorsSpool.Rows empty = spool.begin("empty", DType.I64, List.of(3L, 4L));
      ids.append(bytes(1));
      acts.append(bytes(10, 11, 12));
      ids.append(bytes(2, 3));
      acts.append(bytes(13, 14, 15, 16, 17));
      assertThat(List.of(ids.bytes(), acts.bytes(), empty.bytes())).containsExactly(3L, 8L, 0L);
      spool.writeTo(sink, Map.of("k", "v"), 8);
    }
    byte[] file = sink.bytes.toByteArray();
    SafetensorsHeader header = SafetensorsHeader.read(MemoryFile.input(file));
    assertThat(header.metadata()).isEqualTo(Map.of("k", "v"));
    assertThat(header.tensors())
        .extracting(TensorInfo::name, TensorInfo::shape)
        .containsExactly(
            tuple("empty", List.of(0L, 3L, 4L)),
            tuple("acts", List.of(2L, 2L)),
            tuple("ids", List.of(3L)));
    assertThat(Arrays.copyOfRange(file, (int) header.dataStart(), file.length))
        .containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 1, 2, 3);
    assertThat(sink.closed).isFalse();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void muchDataInSmallAndLargePiecesKeepsItsOrder() throws IOException {
    Random random = new Random(1);
    byte[][] data = {new byte[1_000_000], new byte[SpoolExtents.FIRST_BYTES], new byte[70_001]};
    int[] done = new int[data.length];
    try (SafetensorsSpool spool = new SafetensorsSpool(folder)) {
      SafetensorsSpool.Rows[] rows = new SafetensorsSpool.Rows[data.length];
      for (int i = 0; i < data.length; i++) {
        random.nextBytes(data[i]);
        rows[i] = spool.begin("t" + i, DType.U8, List.of());
      }
      while (!Arrays.equals(done, Arrays.stream(data).mapToInt(d -> d.length).toArray())) {
        int i = random.nextInt(data.length);
        int n = Math.min(data[i].length - done[i], random.nextInt(20_000));
        rows[i].append(ByteBuffer.wrap(data[i], done[i], n));
        done[i] += n;
      }
      spool.writeTo(sink, null, 4096);
    }
    byte[] file = sink.bytes.toByteArray();
    SafetensorsHeader header = SafetensorsHeader.read(MemoryFile.input(file));
    assertThat(header.dataStart() % 4096).isZero();
    for (int i = 0; i < data.length; i++) {
      TensorInfo tensor = header.tensor("t" + i).orElseThrow();
      int begin = (int) (header.dataStart() + tensor.begin());
      assertThat(Arrays.copyOfRange(file, begin, begin + data[i].length)).isEqualTo(data[i]);
    }
  }

  @Test
  void rowsOfPackedElementsMayEndWithinAByteButTheTensorMayNot() throws IOException {
    try (SafetensorsSpool spool = new SafetensorsSpool(folder)) {
      SafetensorsSpool.Rows rows = spool.begin("t", DType.F4, List.of(3L));
      rows.append(bytes(1, 2, 3));
      spool.writeTo(sink, null, 8);
    }
    SafetensorsHeader header = MemoryFile.read(sink.bytes.toByteArray());
    assertThat(header.tensors().get(0).shape()).containsExactly(2L, 3L);
  }

  @Test
  void whatCouldNotBeReadBackIsRefusedBeforeAnythingIsWritten() throws IOException {
    try (SafetensorsSpool spool = new SafetensorsSpool(folder)) {
      spool.begin("t", DType.F32, List.of(2L)).append(bytes(1, 2, 3, 4));
      assertThatThrownBy(() -> spool.writeTo(sink, null, 8))
          .isInstanceOf(FormatException.class)
          .hasMessage(
              MemoryFile.PATH
                  + ": tensor `t` ends within a row: 4 bytes (expected whole rows of 64 bits)");
      assertThatThrownBy(() -> spool.writeTo(sink, Map.of("\ud800", ""), 8))
          .isInstanceOf(IOException.class);
      assertThat(sink.position()).isZero();
    }
    try (SafetensorsSpool spool = new SafetensorsSpool(folder)) {
      assertThatThrownBy(() -> spool.writeTo(sink, Map.of("\ud800", ""), 8))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> spool.writeTo(sink, null, 12))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(sink.position()).isZero();
    }
  }

  @Test
  void aTensorThatCouldNotBeWrittenIsNotBegun() throws IOException {
    try (SafetensorsSpool spool = new SafetensorsSpool(folder)) {
      spool.begin("t", DType.U8, List.of());
      assertNotBegun(spool, "t", List.of(1L), "two tensors are called `t`");
      assertNotBegun(spool, "__metadata__", List.of(), "no tensor can be called `__metadata__`");
      assertNotBegun(spool, "\ud800", List.of(), "half of a surrogate pair");
      assertNotBegun(spool, "u", List.of(3L, 0L), "a row of tensor `u` has no bytes");
      assertNotBegun(spool, "u", List.of(1L << 61), "a row of tensor `u` has 2^64 bits or more");
      spool.writeTo(sink, null, 8);
    }
    assertThat(MemoryFile.read(sink.bytes.toByteArray()).tensors()).hasSize(1);
  }

  private static void assertNotBegun(
      SafetensorsSpool spool, String name, List<Long> rowShape, String problem) {
    assertThatThrownBy(() -> spool.begin(name, DType.U8, rowShape))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void theTemporaryFileGoesWithTheSpoolEvenIfNothingWasWritten() throws IOException {
    try (SafetensorsSpool spool = new SafetensorsSpool(folder)) {
      spool.begin("t", DType.U8, List.of()).append(bytes(1));
    }
    assertThat(folder).isEmptyDirectory();
    assertThat(sink.position()).isZero();
  }
}
