package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;

/** How often and where a file is read for its header. */
class SafetensorsReadsTest {
  private final List<MemoryInput.Read> reads = new ArrayList<>();

  private Input counting(byte[] file) {
    return new MemoryInput(MemoryFile.PATH, file, reads);
  }

  private static MemoryInput.Read read(long position, int bytes) {
    return new MemoryInput.Read(MemoryFile.PATH, position, bytes);
  }

  private static byte[] file(int headerBytes) {
    return MemoryFile.of(" ".repeat(headerBytes - 2) + "{}", 0);
  }

  @Test
  void aUsualHeaderNeedsOneRead() throws IOException {
    for (int n : new int[] {2, 1000, (16 << 10) - 8}) {
      reads.clear();
      assertThat(SafetensorsHeader.read(counting(file(n))).headerBytes()).isEqualTo(n);
      assertThat(reads).containsExactly(read(0, n + 8));
    }
  }

  @Test
  void aLongHeaderNeedsTwo() throws IOException {
    int n = 100_000;
    assertThat(SafetensorsHeader.read(counting(file(n))).headerBytes()).isEqualTo(n);
    assertThat(reads).containsExactly(read(0, 16 << 10), read(16 << 10, n + 8 - (16 << 10)));
  }

  @Test
  void aHeaderOfKnownLengthNeedsOneReadAndNoByteMore() throws IOException {
    byte[] json = Arrays.copyOfRange(file(100_000), 8, 100_008);
    json[0] = '{';
    byte[] entry = "\"t\":{\"dtype\":\"U8\",\"shape\":[500],\"data_offsets\":[0,500]}".getBytes();
    System.arraycopy(entry, 0, json, 1, entry.length);
    json[json.length - 2] = ' ';
    Input in = counting(MemoryFile.of(json, 500));
    SafetensorsHeader header = read(in, 100_000);
    assertThat(header.tensors()).extracting(TensorInfo::name).containsExactly("t");
    assertThat(reads).containsExactly(read(0, 100_008));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 99, 101, 150, 100_000_001, Long.MAX_VALUE})
  void aWrongExpectationChangesNothingButTheReads(long expected) throws IOException {
    byte[] file = MemoryFile.of(file(100), 0);
    file = Arrays.copyOfRange(file, 8, file.length);
    SafetensorsHeader header = read(counting(file), expected);
    assertThat(header.headerBytes()).isEqualTo(100);
    assertThat(header.dataStart()).isEqualTo(108);
    assertThat(reads).hasSizeLessThanOrEqualTo(2);
    assertFails(
        SafetensorsError.InvalidHeaderDeserialization,
        MemoryFile.PATH,
        () -> read(counting(new byte[8]), expected));
  }

  private static SafetensorsHeader read(Input in, long expected) throws IOException {
    return SafetensorsHeader.of(HeaderFile.read(in, expected), HeaderStrictness.STRICT);
  }
}
