package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/** What strict reading refuses beside what the reference does. */
class SafetensorsStrictnessTest {
  private static final String FIELDS = "\"shape\":[1],\"data_offsets\":[0,1]";
  private static final String INFO = "{\"dtype\":\"U8\"," + FIELDS + "}";

  static Stream<Arguments> oddities() {
    String dtype = "{\"dtype\":{\"U8\":null}," + FIELDS + "}";
    String array = "[\"U8\",[1],[0,1]]";
    int afterFirst = 8 + 6 + INFO.length();
    return Stream.of(
        Arguments.of("{\"t\":" + INFO + ",\"t\":" + INFO + "}", afterFirst),
        Arguments.of("{\"t\":" + INFO + ",\"\\u0074\":" + INFO + "}", afterFirst),
        Arguments.of(
            "{\"__metadata__\":{\"k\":\"1\",\"l\":\"\",\"\\u006b\":\"1\"},\"t\":" + INFO + "}",
            8 + 32),
        Arguments.of("{\"t\": " + array + "}", 8 + 6),
        Arguments.of("{\"t\":{\"dtype\": {\"U8\":null}," + FIELDS + "}}", 8 + 15),
        // the first of several
        Arguments.of("{\"t\":" + INFO + ",\"t\":" + dtype + ",\"t\":" + array + "}", afterFirst),
        Arguments.of("{\"t\":" + dtype + ",\"t\":" + INFO + "}", 8 + 14));
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void onlyTheReferenceReads(String json, int at) throws IOException {
    byte[] file = MemoryFile.of(json, 1);
    assertThat(MemoryFile.read(file).tensors())
        .containsExactly(new TensorInfo("t", DType.U8, List.of(1L), 0, 1));
    FormatException error =
        assertFails(
            SafetensorsError.InvalidHeaderDeserialization,
            MemoryFile.PATH,
            () -> SafetensorsHeader.read(MemoryFile.input(file)));
    assertThat(error.problem()).startsWith("byte " + at + " of ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[\"U8\",[1],[0,1]],; 1; InvalidHeaderDeserialization",
        "[\"U8\",[1],[1,2]]; 1; InvalidOffset",
        "[\"F4\",[1],[0,1]]; 1; MisalignedSlice",
        "[\"U8\",[2],[0,1]]; 1; TensorInvalidInfo",
        "[\"U8\",[18446744073709551615],[0,1]]; 1; ValidationOverflow",
        "[\"U8\",[1],[0,1]]; 2; MetadataIncompleteBuffer",
      })
  void whatTheReferenceRefusesHasItsKind(String info, int dataBytes, SafetensorsError kind) {
    byte[] file = MemoryFile.of("{\"t\":" + info + "}", dataBytes);
    for (HeaderStrictness strictness : HeaderStrictness.values()) {
      assertFails(
          kind, MemoryFile.PATH, () -> SafetensorsHeader.read(MemoryFile.input(file), strictness));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"__metadata__\":{\"t\":\"\",\"__metadata__\":\"\",\"T\":\"\"},\"t\":" + INFO,
        "\"t\":{\"x\":1,\"x\":[{\"a\":1,\"a\":1}],\"dtype\":\"U8\"," + FIELDS + "}",
        " \"\\u0074\" : {\"d\\u0074ype\":\"U\\u0038\"," + FIELDS + "} ",
        "\"__metadata__\":null,\"t\":" + INFO
      })
  void otherOddSpellingsAreNoMatterOfStrictness(String entries) throws IOException {
    byte[] file = MemoryFile.of(" {" + entries + "}\n", 1);
    assertThat(SafetensorsHeader.read(MemoryFile.input(file)).tensors())
        .isEqualTo(MemoryFile.read(file).tensors())
        .containsExactly(new TensorInfo("t", DType.U8, List.of(1L), 0, 1));
  }

  /** Returns a file with empty tensors. */
  private static byte[] named(String... names) {
    String empty = "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
    return MemoryFile.of("{\"" + String.join(empty + ",\"", names) + empty + "}", 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a a",
        "a b b",
        "b a b",
        "a b \\u0061",
        "\\u0061 a",
        "ab a\\u0062",
        "a a\\u0062 ab",
        "a\\/ a/"
      })
  void ofARepeatedNameOneTensorStaysHoweverTheNameIsSpelled(String names) throws IOException {
    String[] all = names.split(" ");
    assertThat(MemoryFile.read(named(all)).tensors()).hasSize(all.length - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a a! aa b", "aa a! a", "a a\\u0021 aa", "\u007f \u00e9 \uffee", "a A a\u00e9"})
  void distinctNamesAreFoundInAnyOrder(String names) throws IOException {
    String[] all = names.split(" ");
    SafetensorsHeader header = SafetensorsHeader.read(MemoryFile.input(named(all)));
    assertThat(header.tensors()).hasSize(all.length);
    assertThat(header.tensors())
        .allSatisfy(tensor -> assertThat(header.tensor(tensor.name())).contains(tensor));
    assertThat(header.tensor("absent")).isEmpty();
  }
}
