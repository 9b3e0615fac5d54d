package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.ArrayOptions;
import org.saevhadoop.format.arrays.MadeArrays;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
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

  @Test
  void filesOfEqualHeadersAndLengthsShareTheirContent() throws IOException {
    String header = request(2);
    MemoryStorage folder = new MemoryStorage("/data");
    folder.put("a.safetensors", file(header, 28));
    folder.put("b.safetensors", file(header, 28));
    folder.put("other.safetensors", file(request(3), 42));
    folder.put("longer.safetensors", file(header, 29));
    SafetensorsArrays reader = new SafetensorsArrays(HeaderStrictness.STRICT);
    ArrayFile read = reader.read(folder, "a.safetensors");
    assertThat(reader.read(folder, "b.safetensors")).isSameAs(read);
    assertThat(reader.read(folder, "other.safetensors")).isNotEqualTo(read);
    assertThatThrownBy(() -> reader.read(folder, "longer.safetensors"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("longer.safetensors");
  }

  @Test
  void filesOfEqualHeadersHaveTheirOwnValues() throws IOException {
    MemoryStorage folder = new MemoryStorage("/data");
    for (int i = 0; i < 3; i++) {
      byte[] bytes = file(request(2), 28);
      ByteBuffer data = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int begin = bytes.length - 28;
      data.putLong(begin, 10 * i).putLong(begin + 8, 10 * i + 1);
      data.putShort(begin + 16, (short) i);
      folder.put("hs_%d.safetensors".formatted(i), bytes);
    }
    ArrayDataset dataset =
        ArrayDataset.open(
            Location.of(folder),
            new SafetensorsArrays(HeaderStrictness.STRICT),
            new ArrayOptions(
                List.of(ArrayMapping.parse("acts=token,layer,dim")),
                null,
                List.of(),
                RaggedPolicy.parse("flatten"),
                1));
    assertThat(dataset.tokenArrays().names()).containsExactly("token_ids");
    assertThat(MadeArrays.integers(dataset, 0))
        .containsExactly(
            List.of(0L), List.of(1L), List.of(10L), List.of(11L), List.of(20L), List.of(21L));
    ByteBuffer value = ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 3; i++) {
      try (Input in = dataset.folder().open(dataset.shards().get(i).name())) {
        in.readFully(dataset.placement(i, in).offset(0, 0), value.clear());
      }
      assertThat(value.getShort(0)).isEqualTo((short) i);
    }
  }

  /** Returns the header of the hidden states of a request, of one layer of the width 3. */
  private static String request(int tokens) {
    return ("{\"token_ids\":{\"dtype\":\"I64\",\"shape\":[%d],\"data_offsets\":[0,%d]},"
            + "\"acts\":{\"dtype\":\"BF16\",\"shape\":[%d,1,3],\"data_offsets\":[%d,%d]}}")
        .formatted(tokens, 8 * tokens, tokens, 8 * tokens, 14 * tokens);
  }
}
