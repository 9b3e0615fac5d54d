package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;

/** What {@code orjson.dumps} gives, as its documentation and its own tests have it. */
class OrjsonTest {
  @ParameterizedTest
  @CsvSource({
    "0.0, 0.0",
    "-0.0, -0.0",
    "1.0, 1.0",
    "-1.5, -1.5",
    "0.1, 0.1",
    "0.0001, 0.0001",
    "0.00001, 0.00001",
    "0.000012345, 0.000012345",
    "0.0000099, 9.9e-6",
    "0.000001, 1e-6",
    "1.5e-7, 1.5e-7",
    "1.2345e-10, 1.2345e-10",
    "31.4e-1, 3.14",
    "1e15, 1000000000000000.0",
    "999999999999999.9, 999999999999999.9",
    "9007199254740993.0, 9007199254740992.0",
    "9999999999999998.0, 9999999999999998.0",
    "1e16, 1e16",
    "12345678901234567.0, 1.2345678901234568e16",
    "1e22, 1e22",
    "-1e100, -1e100",
    "1.337e40, 1.337e40",
    "5e-324, 5e-324",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    "1.7976931348623157e308, 1.7976931348623157e308"
  })
  void floatsHaveTheirOwnText(String read, String written) throws FormatException {
    assertThat(dumps(read)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e400", "-1e400"})
  void whatIsNotFiniteIsNull(String read) throws FormatException {
    assertThat(dumps("[" + read + "]")).isEqualTo("[null]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-9223372036854775808", "18446744073709551615"})
  void integersAreWrittenAsTheyAre(String number) throws FormatException {
    assertThat(dumps(number)).isEqualTo(number);
  }

  @Test
  void onlyControlCharactersQuotesAndBackslashesAreEscaped() throws FormatException {
    assertThat(dumps("\"\\u0000\\u0007\\b\\t\\n\\u000B\\f\\r\\u001F \\\"\\\\\\/\\u007F\""))
        .isEqualTo("\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u007f\"");
    assertThat(dumps("\"\\u00e9\\u2028\\uFFFD\\ud83d\\ude00\""))
        .isEqualTo("\"\u00e9\u2028\ufffd\ud83d\ude00\"");
  }

  @Test
  void attributesKeepTheirOrderAndKeysInsideAreSortedAsTheirBytes() throws FormatException {
    assertThat(
            dumps(
                "{\"b\":{\"\\ud83d\\ude00\":1,\"\\ufffd\":2,\"aa\":3,\"a\":4,\"B\":5,\"\":6},"
                    + "\"a\":[{\"d\":{\"f\":1,\"e\":2},\"c\":3}]}"))
        .isEqualTo(
            "{\"b\":{\"\":6,\"B\":5,\"a\":4,\"aa\":3,\"\ufffd\":2,\"\ud83d\ude00\":1},"
                + "\"a\":[{\"c\":3,\"d\":{\"e\":2,\"f\":1}}]}");
  }

  private static String dumps(String text) throws FormatException {
    return PythonJson.dumps(parse(text), JsonStyle.ORJSON_DATACLASS);
  }

  private static Object parse(String text) throws FormatException {
    return PythonJson.parse("m.json", text.getBytes(StandardCharsets.UTF_8));
  }
}
