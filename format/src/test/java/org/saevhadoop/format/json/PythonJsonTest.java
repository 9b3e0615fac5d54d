package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.FloatText;

class PythonJsonTest {
  private static final String GRIN = "\ud83d\ude00";

  private static Object parse(String text) throws FormatException {
    return PythonJson.parse("m.json", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String compact(String text) throws FormatException {
    return PythonJson.dumps(parse(text), JsonStyle.COMPACT);
  }

  private static void rejects(byte[] document, int at) {
    FormatException error =
        assertFails(JsonError.BAD_JSON, "m.json", () -> PythonJson.parse("m.json", document));
    assertThat(error.where()).isEqualTo("at byte " + at);
  }

  private static void rejects(String document, int at) {
    rejects(document.getBytes(StandardCharsets.UTF_8), at);
  }

  @Test
  void aDocumentIsMapsListsStringsNumbersAndConstants() throws FormatException {
    Object value = parse(" {\"a\" :\t[1, 2.50,\r\n true,false , null], \"b\": {}, \"c\": []} ");
    Map<?, ?> document = (Map<?, ?>) value;
    assertThat(document.keySet()).map(Object::toString).containsExactly("a", "b", "c");
    assertThat((List<?>) document.get("a"))
        .map(item -> (Object) item)
        .containsExactly(new JsonNumber("1"), new JsonNumber("2.50"), true, false, null);
  }

  @Test
  void ofADuplicateKeyTheLastValueWinsAtTheFirstPosition() throws FormatException {
    assertThat(compact("{\"a\":1,\"b\":2,\"a\":3}")).isEqualTo("{\"a\":3,\"b\":2}");
  }

  @Test
  void escapesOfASurrogatePairAreOneCharacterAndUnpairedOnesStay() throws FormatException {
    assertThat(parse("\"\\ud83d\\ude00\"")).isEqualTo(GRIN);
    assertThat(parse("\"x\\uDCFFy\"")).isEqualTo("x\udcffy");
    assertThat(compact("\"x\\uDCFFy\"")).isEqualTo("\"x\\udcffy\"");
  }

  @Test
  void allNamedEscapesAreRead() throws FormatException {
    assertThat(parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"")).isEqualTo("\"\\/\b\f\n\r\tA");
  }

  @Test
  void everythingButPrintableAsciiIsEscapedInLowerCase() {
    String text = "a/\"\\\b\f\n\r\t\u0000\u001f ~\u007f\u00e9\u00AB\ufffd" + GRIN;
    assertThat(PythonJson.dumps(text, JsonStyle.COMPACT))
        .isEqualTo(
            "\"a/\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f ~\\u007f\\u00e9\\u00ab\\ufffd"
                + "\\ud83d\\ude00\"");
  }

  @Test
  void keysAreSortedByCodePointAtEveryLevel() throws FormatException {
    Object value =
        parse(
            "{\"\\ud83d\\ude00\":1,\"\ufffd\":{\"b\":1,\"a\":2},\"\\ud83dx\":3,\"B\":[{\"d\":0,"
                + "\"c\":0}],\"a\":4,\"\":5,\"aa\":6,\"10\":7,\"9\":8}");
    assertThat(PythonJson.dumps(value, JsonStyle.COMPACT_SORTED))
        .isEqualTo(
            "{\"\":5,\"10\":7,\"9\":8,\"B\":[{\"c\":0,\"d\":0}],\"a\":4,\"aa\":6,\"\\ud83dx\":3,"
                + "\"\\ufffd\":{\"a\":2,\"b\":1},\"\\ud83d\\ude00\":1}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "-7, -7",
    "1180591620717411303424, 1180591620717411303424",
    "0.0, 0.0",
    "-0.0, -0.0",
    "-0e5, -0.0",
    "1e2, 100.0",
    "3.0, 3.0",
    "0.1000, 0.1",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "1.5E-7, 1.5e-07",
    "1e15, 1000000000000000.0",
    "9999999999999998.0, 9999999999999998.0",
    "1e16, 1e+16",
    "1e22, 1e+22",
    "2e-323, 2e-323",
    "5e-324, 5e-324",
    "4e-324, 5e-324",
    "2e-324, 0.0",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "9007199254740993.0, 9007199254740992.0",
    "2.0E-3, 0.002",
    "1125899906842624.25, 1125899906842624.2",
    "1e400, Infinity",
    "-1e400, -Infinity",
    "Infinity, Infinity",
    "-Infinity, -Infinity",
    "NaN, NaN"
  })
  void numbersAreWrittenAsPythonWouldWriteThemAgain(String text, String written)
      throws FormatException {
    assertThat(parse(text)).isEqualTo(new JsonNumber(text));
    assertThat(compact(text)).isEqualTo(written);
  }

  @Test
  void powersOfTwoWhoseNearestShortTextDoesNotReadBackTakeTheNextOne() {
    assertThat(FloatText.python(0x1p-44)).isEqualTo("5.684341886080802e-14");
    assertThat(FloatText.python(0x1p-1022)).isEqualTo("2.2250738585072014e-308");
  }

  @Test
  void longsAreReadFromIntegersOnly() {
    assertThat(new JsonNumber("-0").longValueExact()).isZero();
    assertThat(new JsonNumber("-9223372036854775808").longValueExact()).isEqualTo(Long.MIN_VALUE);
    assertThat(JsonNumber.of(Long.MAX_VALUE).longValueExact()).isEqualTo(Long.MAX_VALUE);
    for (String text : List.of("9223372036854775808", "-10000000000000000000000", "1.0", "NaN")) {
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(() -> new JsonNumber(text).longValueExact())
          .withMessage("not a 64-bit integer: " + text);
    }
  }

  @Test
  void onlyTextsWithoutPointAndExponentAreIntegers() {
    assertThat(List.of("0", "-12")).allMatch(text -> new JsonNumber(text).isInteger());
    assertThat(List.of("1.0", "1e2", "1E2", "NaN", "-Infinity"))
        .noneMatch(text -> new JsonNumber(text).isInteger());
  }

  @Test
  void aNumberMustBeOneToken() {
    assertThatIllegalArgumentException().isThrownBy(() -> new JsonNumber("1 "));
    assertThatIllegalArgumentException().isThrownBy(() -> new JsonNumber("0x1"));
  }

  static Stream<String> notJson() {
    String words =
        "01 -01 +1 .5 1. 1.e5 1e 1e+ - 0x1 1_0 nan inf -NaN infinity True None nul "
            + "truee 'a' [1,] [,1] [1 [ ] {\"a\":1,} {\"a\"} {a:1} {1:2} {,} { \"a \"\\ "
            + "\"\\x41\" \"\\u12\" \"\\u+123\" \"\\uff\uff11\uff11\" /**/1";
    return Stream.concat(
        Stream.of(words.split(" ")),
        Stream.of(
            "",
            " ",
            "- 1",
            "[1 2]",
            "{\"a\" 1}",
            "1 2",
            "{} x",
            "\"\\u 123\"",
            "\"\t\"",
            "\"\n\"",
            "\"\u0000\"",
            "\u00a01",
            "1\u000b",
            "\f1",
            "\u0661",
            "\ufeff1"));
  }

  @ParameterizedTest
  @MethodSource("notJson")
  void whatPythonRejectsIsRejected(String text) {
    FormatException error = assertFails(JsonError.BAD_JSON, "m.json", () -> parse(text));
    assertThat(error.where()).matches("at byte \\d+");
    assertThat(error.expected()).isNotEmpty();
  }

  @Test
  void aMessageReportsWhatIsWrongAndWhere() {
    rejects("", 0);
    rejects("\ufeff{}", 0);
    rejects("{\"\u00e9" + GRIN + "\": }", 11);
    rejects("[1, 01]", 5);
    rejects("{\"a\":1,}", 7);
    rejects("{} x", 3);
    rejects("\"a\nb\"", 2);
    rejects("\"\\u00g0\"", 5);
  }

  @Test
  void invalidUtf8IsRejected() {
    rejects(new byte[] {'"', 'a', (byte) 0xff, '"'}, 2);
    byte[] encodedSurrogate = {'"', (byte) 0xed, (byte) 0xb3, (byte) 0xbf, '"'};
    rejects(encodedSurrogate, 1);
    byte[] cutShort = {'"', (byte) 0xf0, (byte) 0x9f, (byte) 0x98};
    rejects(cutShort, 1);
  }

  @Test
  void fiveHundredLevelsAreReadAndWrittenAndMoreAreRefused() throws FormatException {
    String deepest = "[".repeat(500) + "]".repeat(500);
    assertThat(compact(deepest)).isEqualTo(deepest);
    rejects("[" + deepest + "]", 500);
    rejects("{\"\":".repeat(1_000_000), 2000);
    Object tooDeep = List.of(parse(deepest));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PythonJson.dumps(tooDeep, JsonStyle.COMPACT));
  }

  @Test
  void whatIsNoJsonValueIsNotWritten() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PythonJson.dumps(1, JsonStyle.COMPACT))
        .withMessage("not a JSON value: class java.lang.Integer");
  }

  @Test
  void longTokensTakeLinearTime() throws FormatException {
    String digits = "1".repeat(1_000_000);
    assertThat(compact(digits)).isEqualTo(digits);
    assertThat(compact("0." + digits)).isEqualTo("0.1111111111111111");
    assertThat(compact(digits + "e-1000000")).isEqualTo("0.1111111111111111");
    String escapes = "\"" + "\\u007f".repeat(500_000) + "\"";
    assertThat(compact(escapes)).isEqualTo(escapes);
  }
}
