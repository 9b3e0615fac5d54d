package org.saevhadoop.format.pickle.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.read.MemoryPayloads;
import org.saevhadoop.format.pickle.write.PickleWriter;

class PyJsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[true,false,-1,0.1,-0.0,1.0E300]",
        "{\"a\":{\"b\":[]},\"\":\"x\"}",
        "{}",
        "{\"$dict\":[[\"$a\",1],[{\"$tuple\":[1,null]},2]]}",
        "{\"$ordereddict\":[[\"a\",1]]}",
        "{\"$defaultdict\":[]}",
        "{\"$int\":\"9223372036854775808\"}",
        "{\"$int\":\"-9223372036854775808\"}",
        "{\"$float\":\"-inf\"}",
        "{\"$float\":\"nan\"}",
        "{\"$float\":\"nan:fff8000000000000\"}",
        "{\"$np\":[\"float32\",0.25]}",
        "{\"$np\":[\"float16\",{\"$bytes\":\"017e\"}]}",
        "{\"$np\":[\"bfloat16\",-2.0]}",
        "{\"$np\":[\"uint64\",{\"$int\":\"18446744073709551615\"}]}",
        "{\"$np\":[\"U3\",\"ab\"]}",
        "{\"$np\":[\"S2\",{\"$bytes\":\"6100\"}]}",
        "{\"$np\":[\"bool\",true]}",
        "{\"$dtype\":\">f4\"}",
        "{\"$dtype\":\"bfloat16\"}",
        "{\"$ndarray\":{\"dtype\":\"int16\",\"shape\":[1,2],\"data\":\"AAECAw==\"}}",
        "{\"$ndarray\":{\"dtype\":\"float32\",\"shape\":[0,9],\"data\":\"\"}}",
        "\"\\ud83d \\\"\\u0000\\n\"",
        "\"\ud83d\ude00é\""
      })
  void theLineOfAValueIsItsOnlyOne(String line) throws Exception {
    assertThat(PyJson.write("v", PyJson.parse("v", line), null, line.length())).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"a\":1,\"$tuple\":[]}",
        "{\"$tuple\":[],\"a\":1}",
        "{\"$what\":1}",
        "{\"$bytes\":\"0\"}",
        "{\"$bytes\":\"zz\"}",
        "{\"$set\":[[]]}",
        "{\"$frozenset\":[{\"$tuple\":[{}]}]}",
        "{\"$dict\":[[[],1]]}",
        "{\"$dict\":[[1]]}",
        "{\"$int\":\"1.5\"}",
        "{\"$int\":\"ff\"}",
        "{\"$int\":\"\"}",
        "{\"$float\":\"NaN\"}",
        "{\"$float\":\"nan:0000000000000000\"}",
        "{\"$float\":\"1e5\"}",
        "{\"$np\":[\"int8\",128]}",
        "{\"$np\":[\"float16\",0.1]}",
        "{\"$np\":[\"float32\",{\"$float\":\"nan:7ff8000000000001\"}]}",
        "{\"$np\":[\"int8\",1.0]}",
        "{\"$np\":[\"U1\",\"ab\"]}",
        "{\"$np\":[\"int8\",{\"$bytes\":\"0000\"}]}",
        "{\"$np\":[\"object\",1]}",
        "{\"$ndarray\":{\"dtype\":\"int16\",\"shape\":[3],\"data\":\"AAECAw==\"}}",
        "{\"$ndarray\":{\"dtype\":\"int8\",\"shape\":[-4],\"data\":\"AAECAw==\"}}",
        "{\"$ndarray\":{\"dtype\":\"int8\",\"shape\":[4.0],\"data\":\"AAECAw==\"}}",
        "{\"$ndarray\":{\"dtype\":\"int8\",\"shape\":[4],\"data\":\"*\"}}",
        "{\"$ndarray\":{\"dtype\":\"int8\",\"shape\":[4294967296,4294967296,0],\"data\":\"\"}}",
        "1e999",
        "01",
        "\"\n\""
      })
  void whatIsNoLineOfAValueIsRefused(String line) {
    assertThat(assertFails(PickleError.BAD_METADATA, "v", () -> PyJson.parse("v", line)))
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[1,]|3",
        "[ x]|2",
        "{\"a\" 1}|5",
        "{1:2}|1",
        "[1 2]|3",
        "{\"a\":1 2}|7",
        "[1] 2|4",
        "nul|0",
        "\"\\x\"|2",
        "\"\\u12|2",
        "\"\\u12g4\"|2",
        "\"abc|4",
        "[1e999]|1",
        "{\"a\":1,\"a\":2}|7",
        "{\"$float\":\"x\"}|10"
      })
  void anErrorReportsWhereAndWhatWasExpected(String line, int at) {
    FormatException error =
        assertFails(PickleError.BAD_METADATA, "v", () -> PyJson.parse("v", line));
    assertThat(error).hasMessageNotContaining("\n");
    assertThat(error.where()).isEqualTo("at character " + at);
    assertThat(error.expected()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1,\r2]", "[1\n]", "{\"a\":\r\n1}"})
  void aLineHasNoLineEnds(String line) {
    assertFails(PickleError.BAD_METADATA, "v", () -> PyJson.parse("v", line));
  }

  @Test
  void integersHaveTenThousandDigitsAtMost() throws Exception {
    String digits = "9".repeat(10_000);
    assertThat(PyJson.parse("v", digits)).isEqualTo(new BigInteger(digits));
    assertFails(PickleError.BAD_METADATA, "v", () -> PyJson.parse("v", digits + "9"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[", "{\"$tuple\":[", "{\"a\":", "{\"$dict\":[[1,", "{\"$np\":[\"int8\","})
  void whatIsTooDeepIsRefused(String open) {
    assertFails(PickleError.BAD_METADATA, "v", () -> PyJson.parse("v", open.repeat(1_000_000)));
  }

  @Test
  void aValueMayHave500LevelsAndNeedsNoLargeStackForThem() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    // The default is 1 MiB. Code that C1 compiled takes up to 656 KiB, interpreted code 368 KiB.
    Thread small = new Thread(null, PyJsonTest::nest, "small", 768 << 10);
    small.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    small.start();
    small.join();
    assertThat(failure.get()).isNull();
  }

  private static void nest() {
    try {
      Object dicts = null;
      Object tuples = null;
      for (int i = 0; i < 500; i++) {
        dicts = AnyValues.dict(List.of(2L), Arrays.asList(dicts), PythonValue.Dict.Kind.DICT);
        tuples = new PythonValue.Tuple(Arrays.asList(tuples));
      }
      for (Object value : List.of(dicts, tuples)) {
        String line = PyJson.write("v", value, null, 1 << 20);
        Object again = PyJson.parse("v", line);
        assertThat(PyJson.write("v", again, null, 1 << 20)).isEqualTo(line);
        new PickleWriter("v", 4, bytes -> bytes.position(bytes.limit())).value(again, null);
        Object deeper = AnyValues.list(Arrays.asList(value));
        // the golden file is for the thread of the test
        assertFailsWithAnyText(
            PickleError.LIMIT_EXCEEDED, "v", () -> PyJson.write("v", deeper, null, 1 << 20));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatContainsItselfOrGrowsWithoutEndIsRefusedAtOnce() {
    PythonValue.PyList cycle = new PythonValue.PyList();
    cycle.add(cycle);
    cycle.add(cycle);
    Object doubled = new PythonValue.Tuple(List.of());
    for (int i = 0; i < 400; i++) {
      doubled = new PythonValue.Tuple(List.of(doubled, doubled));
    }
    for (Object value : List.of(cycle, doubled)) {
      assertFails(PickleError.LIMIT_EXCEEDED, "v", () -> PyJson.write("v", value, null, 1 << 20));
    }
  }

  @Test
  void longTextsAndBytesAreReadFromThePayloads() throws Exception {
    byte[] utf8 = "aé\ud83d\ude00".getBytes(StandardCharsets.UTF_8);
    byte[] escaped = "a\\u20ac\\U0001f600\\\\u0041\u00ff".getBytes(StandardCharsets.ISO_8859_1);
    byte[] latin1 = "\u0001\u00ff".getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[100];
    System.arraycopy(utf8, 0, all, 10, utf8.length);
    System.arraycopy(escaped, 0, all, 30, escaped.length);
    System.arraycopy(latin1, 0, all, 70, latin1.length);
    MemoryPayloads payloads = new MemoryPayloads(all.length);
    payloads.append(ByteBuffer.wrap(all));
    Object value =
        AnyValues.list(
            List.of(
                new PythonValue.Text(new PayloadData(null, 10, utf8.length, PayloadData.Form.UTF8)),
                new PythonValue.Text(
                    new PayloadData(null, 30, escaped.length, PayloadData.Form.RAW_UNICODE_ESCAPE)),
                new PythonValue.Bytes(
                    new PayloadData(null, 70, latin1.length, PayloadData.Form.UTF8)),
                new PythonValue.ByteArray(new PayloadData(null, 70, 2, PayloadData.Form.RAW))));
    assertThat(PyJson.write("v", value, payloads, 1000))
        .isEqualTo(
            "[\"aé\ud83d\ude00\",\"a€\ud83d\ude00\\\\\\\\u0041ÿ\","
                + "{\"$bytes\":\"01ff\"},{\"$bytearray\":\"01c3\"}]");
    Object endless =
        new PythonValue.Text(new PayloadData(null, 0, 1L << 40, PayloadData.Form.UTF8));
    assertFails(
        PickleError.LIMIT_EXCEEDED, "v", () -> PyJson.write("v", endless, payloads, 1 << 20));
    for (String bad : List.of("\u00ed\u00a0", "\u00ff")) {
      byte[] bytes = bad.getBytes(StandardCharsets.ISO_8859_1);
      Object text =
          new PythonValue.Text(new PayloadData(bytes, 0, bytes.length, PayloadData.Form.UTF8));
      assertFails(PickleError.BAD_PICKLE, "v", () -> PyJson.write("v", text, null, 1 << 20));
    }
  }

  /** Python has them as two characters; side by side in a Java String they would be one. */
  @Test
  void halvesOfACharacterSideBySideStayTwo() throws Exception {
    byte[] escaped = "a\\ud83d\\ude00".getBytes(StandardCharsets.ISO_8859_1);
    Object text =
        new PythonValue.Text(
            new PayloadData(escaped, 0, escaped.length, PayloadData.Form.RAW_UNICODE_ESCAPE));
    String line = PyJson.write("v", text, null, 1 << 20);
    assertThat(line).isEqualTo("{\"$str\":\"61eda0bdedb880\"}");
    PythonValue.Text read = (PythonValue.Text) PyJson.parse("v", line);
    assertThat(read.data().inline()).asHexString().isEqualTo("61EDA0BDEDB880");
    assertThat(PyJson.write("v", read, null, 1 << 20)).isEqualTo(line);
    assertFails(PickleError.BAD_METADATA, "v", () -> PyJson.parse("v", "{\"$str\":\"61\"}"));
  }

  /** The corpus writes arrays by their hash only. */
  @Test
  @RequiresCorpus
  void theCorpusNotationIsRead() throws Exception {
    JsonNode root =
        new ObjectMapper()
            .readTree(Corpus.part("pickle/metadata_rich_p4").resolve("expected.json").toFile());
    int read = 0;
    for (JsonNode metadata : root.findValues("metadata")) {
      for (JsonNode value : metadata) {
        if (!value.toString().contains("sha256")) {
          String line = value.toString();
          Object first = PyJson.parse("corpus", line);
          String again = PyJson.write("corpus", first, null, 1 << 20);
          assertThat(AnyValues.comparable(PyJson.parse("again", again)))
              .isEqualTo(AnyValues.comparable(first));
          if (!line.contains("$float")) {
            assertThat(again).isEqualTo(line);
          }
          read++;
        }
      }
    }
    assertThat(read).isGreaterThan(20);
  }
}
