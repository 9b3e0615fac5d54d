package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/** Which JSON the reference reads as a header, rule by rule. */
class SafetensorsJsonTest {
  private static final String REST = "\"shape\":[1],\"data_offsets\":[0,1]";
  private static final String INFO = "{\"dtype\":\"U8\"," + REST + "}";

  private static SafetensorsHeader read(String json, int dataBytes) throws IOException {
    return MemoryFile.read(MemoryFile.of(json, dataBytes));
  }

  /** A header whose one tensor has a field that no one knows. */
  private static String unknown(String value) {
    return "{\"t\":{\"dtype\":\"U8\",\"x\":" + value + "," + REST + "}}";
  }

  private static void assertRefused(String json) {
    FormatException error =
        assertFails(
            SafetensorsError.InvalidHeaderDeserialization, MemoryFile.PATH, () -> read(json, 1));
    assertThat(error.problem()).startsWith("byte ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "-0.0",
        "0.5",
        "1E5",
        "1e+05",
        "1e-400",
        "0e400",
        "0e99999999999",
        "1e308",
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890.5e-10",
        "1e-99999999999",
        "null",
        "true",
        "false",
        "\"\"",
        "{}",
        "[]",
        "[ ]",
        "{ }",
        "{\"a\":1,\"a\":1}",
        "[[],{\"\":[null]}]",
        "1.7976931348623157e308"
      })
  void anUnknownFieldMayHoldAnyJson(String value) throws IOException {
    assertThat(read(unknown(value), 1).tensors()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e400",
        "-1e400",
        "1e309",
        "1.8e308",
        "1e99999999999",
        "01",
        "-01",
        "00",
        "+1",
        "1.",
        ".5",
        "-",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "Infinity",
        "nul",
        "nulll",
        "True",
        "'a'",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\":1,}",
        "{\"a\"}",
        "{a:1}",
        "{1:1}",
        "{\"a\":}",
        "[",
        "{",
        "]",
        "\"",
        "",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u123g\"",
        "\"\\U0041\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\ud800\"",
        "\"\\ud800x\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\ udc00\"",
        "\"\t\"",
        "\"\n\"",
        "\"\u0000\"",
        "\"\u001f\"",
        "//",
        "/**/1"
      })
  void anUnknownFieldMustBeJsonThatSerdeReads(String value) {
    assertRefused(unknown(value));
  }

  @Test
  void aLongNumberIsOutOfRangeWhereADoubleEnds() throws IOException {
    assertThat(read(unknown("1" + "0".repeat(308)), 1).tensors()).hasSize(1);
    assertThat(read(unknown("0." + "0".repeat(320) + "1e628"), 1).tensors()).hasSize(1);
    assertRefused(unknown("1" + "0".repeat(309)));
    assertRefused(unknown("9".repeat(309)));
  }

  @Test
  void nestingEndsAtDepth127EvenInUnknownFields() throws IOException {
    assertThat(read(unknown("[".repeat(125) + "]".repeat(125)), 1).tensors()).hasSize(1);
    assertRefused(unknown("[".repeat(126) + "]".repeat(126)));
    assertRefused(unknown("{\"a\":".repeat(126) + "1" + "}".repeat(126)));
    assertRefused(unknown("[".repeat(1_000_000)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-0",
        "-1",
        "1.0",
        "1e0",
        "1E0",
        "18446744073709551616",
        "\"1\"",
        "null",
        "true",
        "[1]",
        "{}",
        "01",
        "+1",
        "99999999999999999999999"
      })
  void aSizeIsAPlainInteger(String size) {
    assertRefused("{\"t\":{\"dtype\":\"U8\",\"shape\":[" + size + "],\"data_offsets\":[0,1]}}");
    assertRefused("{\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0," + size + "]}}");
    assertRefused("{\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[" + size + ",1]}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[0]",
        "[0,1,2]",
        "[0,1,]",
        "0",
        "null",
        "{}",
        "\"0,1\"",
        "[[0,1]]",
        "{\"0\":0}"
      })
  void offsetsAreTwo(String offsets) {
    assertRefused("{\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":" + offsets + "}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"U8\"",
        "\"\\u0055\\u0038\"",
        "{\"U8\":null}",
        " { \"U8\" : null } ",
        "{\"\\u00558\":null}"
      })
  void aDtypeHasSeveralSpellings(String dtype) throws IOException {
    SafetensorsHeader header = read("{\"t\":{\"dtype\":" + dtype + "," + REST + "}}", 1);
    assertThat(header.tensors()).extracting(TensorInfo::dtype).containsExactly(DType.U8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"u8\"",
        "\"U8 \"",
        "\"F8\"",
        "\"U128\"",
        "\"I4\"",
        "\"\"",
        "4",
        "null",
        "[\"U8\"]",
        "{}",
        "{\"U8\":1}",
        "{\"U8\":{}}",
        "{\"U8\":[]}",
        "{\"U8\":\"\"}",
        "{\"U8\":null,\"U8\":null}",
        "{\"u8\":null}",
        "true"
      })
  void aDtypeIsOneOfTheReferences(String dtype) {
    assertRefused("{\"t\":{\"dtype\":" + dtype + "," + REST + "}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        INFO,
        "[\"U8\",[1],[0,1]]",
        "[ {\"U8\":null} , [1] , [0,1] ]",
        "{\"data_offsets\":[0,1],\"dtype\":\"U8\",\"shape\":[1]}",
        "{\"x\":1,\"x\":1,\"dtyp\\u0065\":\"U8\"," + REST + "}"
      })
  void aTensorIsAnObjectOrAnArrayOfItsFields(String info) throws IOException {
    assertThat(read("{\"t\":" + info + "}", 1).tensors())
        .containsExactly(new TensorInfo("t", DType.U8, List.of(1L), 0, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[\"U8\",[1]]",
        "[\"U8\",[1],[0,1],0]",
        "[\"U8\",[1],[0,1],]",
        "[[1],\"U8\",[0,1]]",
        "null",
        "1",
        "!",
        "\"U8\"",
        "true",
        "{}",
        "{\"dtype\":\"U8\",\"shape\":[1]}",
        "{" + REST + "}",
        "{\"dtype\":\"U8\",\"data_offsets\":[0,1]}",
        "{\"dtype\":\"U8\",\"dtype\":\"U8\"," + REST + "}",
        "{\"dtype\":\"U8\",\"shape\":[1]," + REST + "}",
        "{\"dtype\":\"U8\"," + REST + ",\"data_offsets\":[0,1]}",
        "{\"dtype\":\"U8\"," + REST + ",\"d\\u0074ype\":\"U8\"}"
      })
  void aTensorHasEachFieldOnce(String info) {
    assertRefused("{\"t\":" + info + "}");
  }

  @Test
  void ofTensorsOfOneNameTheLastCounts() throws IOException {
    String other = "{\"dtype\":\"I8\",\"shape\":[9],\"data_offsets\":[7,16]}";
    SafetensorsHeader header = read("{\"t\":" + other + ",\"\\u0074\":" + INFO + "}", 1);
    assertThat(header.tensors()).extracting(TensorInfo::dtype).containsExactly(DType.U8);
    assertRefused("{\"t\":{},\"t\":" + INFO + "}");
  }

  @Test
  void absentMetadataIsNotEmptyMetadata() throws IOException {
    assertThat(read("{}", 0).metadata()).isNull();
    assertThat(read("{\"__metadata__\":null}", 0).metadata()).isNull();
    assertThat(read("{\"__metadata__\":{}}", 0).metadata()).isEmpty();
    assertThat(read("{\"__metadata__\":{\"\":\"\",\"a\":\"1\",\"a\":\"2\"}}", 0).metadata())
        .containsEntry("", "")
        .containsEntry("a", "2")
        .hasSize(2);
    assertThat(read("{\"\\u005f_metadata__\":{\"__metadata__\":\"\"}}", 0).metadata()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "\"\"",
        "1",
        "true",
        "{\"a\":1}",
        "{\"a\":true}",
        "{\"a\":null}",
        "{\"a\":[]}",
        "{\"a\":{}}",
        "null,\"__metadata__\":null",
        "{},\"__metadata__\":{}",
        INFO,
        "{\"a\":\"\",}"
      })
  void metadataIsOneObjectOfStrings(String metadata) {
    assertRefused("{\"__metadata__\":" + metadata + "}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "null",
        "1",
        "\"x\"",
        "{",
        "}",
        "{}{}",
        "{}x",
        "{},",
        "{}\u0000",
        "{}\f",
        "{}\u00a0",
        "\ufeff{}",
        "\f{}",
        "{'t':1}",
        "{t:1}",
        "{//\n}",
        "{,}",
        "{\"t\"}",
        "{\"t\":}"
      })
  void theHeaderIsOneObject(String json) {
    assertRefused(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", " {}", "\t\r\n {\t\r\n } \t\r\n", "{}      "})
  void blanksMayStandAroundAnything(String json) throws IOException {
    assertThat(read(json, 0).tensors()).isEmpty();
    assertThat(read(json, 0).tensor("")).isEmpty();
  }

  @Test
  void escapesAreReadInNames() throws IOException {
    String escaped =
        "\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\u00E9\\ud83d\\ude00\\uD83D\\uDE00é😀\u007f";
    String name = "\"\\/\b\f\n\r\t\0éé😀😀é😀\u007f";
    SafetensorsHeader header = read("{\"" + escaped + "\":" + INFO + "}", 1);
    assertThat(header.tensor(name)).isPresent();
    assertThat(header.tensor("other")).isEmpty();
    assertThat(read("{\"\":" + INFO + "}", 1).tensor("")).isPresent();
  }
}
