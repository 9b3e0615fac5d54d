package org.saevhadoop.format.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/** {@link RoundingPolicy#TRUNCATE} with {@link RangePolicy#WRAP} is safetensors-spark's. */
class SafetensorsSparkConversionTest {
  /** The same numbers, written as each type; of some the corpus holds only the digest. */
  @Test
  @RequiresCorpus
  void itsOutputsOfOneColumnAreOurs() throws Exception {
    Path root = Corpus.part("safetensors-spark");
    Map<DType, String> digests = new EnumMap<>(DType.class);
    ByteBuffer source = null;
    for (String line : Files.readAllLines(root.resolve("verdicts.jsonl"))) {
      JsonNode verdict = new ObjectMapper().readTree(line);
      String name = verdict.path("file").asText();
      if (name.startsWith("./dtype_")) {
        JsonNode tensor = verdict.path("tensors").get(0);
        DType type = DType.valueOf(tensor.path("dtype").asText());
        digests.put(type, tensor.path("sha256").asText());
        source = type == DType.F64 ? data(root.resolve(name)) : source;
      }
    }
    assertThat(digests).hasSize(12);
    for (Map.Entry<DType, String> expected : digests.entrySet()) {
      ByteBuffer found = Elements.converted(spark(DType.F64, expected.getKey()), source);
      assertThat(MessageDigest.getInstance("SHA-256").digest(found.array()))
          .as(expected.getKey().name())
          .asHexString()
          .isEqualToIgnoringCase(expected.getValue());
    }
  }

  /** The tensors' bytes, behind the header. */
  private static ByteBuffer data(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.position((int) (8 + bytes.getLong(0)));
  }

  @ParameterizedTest
  @CsvSource({
    "256, U8, 0",
    "300.7, U8, 44",
    "-1.9, U8, 255",
    "70000.5, U8, 112",
    "1e30, U8, 255",
    "1e30, I8, -1",
    "-1e30, I16, 0",
    "1e12, U32, 3567587328",
    "1e10, I32, 2147483647",
    "-1e10, I32, -2147483648",
    "1e19, I64, 9223372036854775807",
    "1e19, U64, 9223372036854775807",
    "-1, U64, 18446744073709551615",
    "NaN, U8, 0",
    "Infinity, U16, 65535",
    "-Infinity, U16, 0",
    "NaN, I64, 0",
    "1e30, U32, 4294967295"
  })
  void itSaturatesBeforeItWraps(double value, DType to, String expected) {
    long[] bits = Elements.converted(spark(DType.F64, to), Double.doubleToRawLongBits(value));
    assertThat(Elements.integer(to, bits[0])).hasToString(expected);
  }

  @Test
  void itsIntegersOf64BitsPassThroughDoubles() {
    DTypeConversion conversion = spark(DType.I64, DType.U64);
    assertThat(Elements.converted(conversion, 9007199254740993L, Long.MAX_VALUE, -2))
        .containsExactly(9007199254740992L, Long.MAX_VALUE, -2);
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(3, 2, 0, 2, 0));
  }

  @Test
  void itsUnsignedIntegersSaturateLikeAllOthers() {
    assertThat(Elements.converted(spark(DType.U32, DType.U8), 4294967294L, 258))
        .containsExactly(255, 2);
    assertThat(Elements.converted(spark(DType.U32, DType.I32), 4294967294L, 258))
        .containsExactly(Integer.MAX_VALUE, 258);
  }

  @Test
  void itsHalvesHaveNoSubnormalNumbersAndOneNan() {
    List<Float> values = List.of(6.1e-5f, -6.1e-5f, 0x1p-14f, 65535f, 65536f, -1e-45f, 1.9999f);
    long[] bits =
        Stream.concat(
                values.stream().map(f -> (long) Float.floatToRawIntBits(f)),
                Stream.of(0x7f800001L, 0xffffffffL, 0xff800000L))
            .mapToLong(Long::longValue)
            .toArray();
    DTypeConversion conversion = spark(DType.F32, DType.F16);
    assertThat(Elements.converted(conversion, bits))
        .containsExactly(0, 0x8000, 0x0400, 0x7bff, 0x7c00, 0x8000, 0x3fff, 0x7e00, 0xfe00, 0xfc00);
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(10, 5, 1, 0, 2));
  }

  @Test
  void aNanMayBecomeAnInfinityInBf16() {
    DTypeConversion conversion = spark(DType.F32, DType.BF16);
    assertThat(Elements.converted(conversion, 0x7f800001, 0x7fc00000, 0x3f80ffff))
        .containsExactly(0x7f80, 0x7fc0, 0x3f80);
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(3, 1, 0, 0, 1));
  }

  private static DTypeConversion spark(DType from, DType to) {
    return DTypeConversion.of(from, to, RoundingPolicy.TRUNCATE, RangePolicy.WRAP);
  }
}
