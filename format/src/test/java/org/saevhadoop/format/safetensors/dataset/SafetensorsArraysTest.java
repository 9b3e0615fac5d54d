package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.tensor.DType;

class SafetensorsArraysTest {
  private static byte[] file(String header, int dataBytes) {
    return ByteBuffer.allocate(Long.BYTES + header.length() + dataBytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(header.length())
        .put(header.getBytes(StandardCharsets.US_ASCII))
        .array();
  }

  @Test
  void tensorsAreArraysInPlaceAndPackedOnesAreLeftOut() throws IOException {
    String header =
        "{\"ids\":{\"dtype\":\"I64\",\"shape\":[2],\"data_offsets\":[0,16]},"
            + "\"acts\":{\"dtype\":\"BF16\",\"shape\":[2,3],\"data_offsets\":[16,28]},"
            + "\"packed\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[28,29]}}";
    MemoryStorage folder = new MemoryStorage("/data");
    folder.put("a.safetensors", file(header, 29));
    SafetensorsArrays reader = new SafetensorsArrays(HeaderStrictness.STRICT);
    assertThat(reader.isNamed("a.safetensors")).isTrue();
    assertThat(reader.isNamed("a.safetensors.lock")).isFalse();
    ArrayFile read = reader.read(folder, "a.safetensors");
    long data = Long.BYTES + header.length();
    assertThat(read.arrays())
        .containsExactlyInAnyOrder(
            new FileArray("ids", DType.I64, StridedLayout.cOrder(data, 8, List.of(2L))),
            new FileArray("acts", DType.BF16, StridedLayout.cOrder(data + 16, 2, List.of(2L, 3L))));
    assertThat(read.warnings()).containsExactly("tensors of F4 are not read");
  }
}
