package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.FloatText;
import org.saevhadoop.testing.Python;

/** What python3 itself says. */
@Tag("python")
@Tag("sampled")
class PythonJsonAgainstPythonTest {
  private static final int DOCUMENTS = TestExtent.of(1_500, 5_000);
  private static final String REJECTED = "rejected";

  private static final String DUMP_EVERYTHING =
      """
      import json

      def answer(line):
          try:
              value = json.loads(line.decode("utf-8"))
          except ValueError:
              return "rejected"
          return "\\t".join([
              json.dumps(value, sort_keys=True),
              json.dumps(value, sort_keys=True, separators=(",", ":")),
              json.dumps(value, separators=(",", ":")),
              json.dumps(value, indent=4).replace("\\n", "\\x7f")])
      """;

  /** The layout of ryu's pretty printer, which orjson has, around the digits of Python's repr. */
  private static final String FLOATS_OF_ORJSON =
      """
      import math

      def orjson(value):
          if not math.isfinite(value):
              return "null"
          sign = "-" if math.copysign(1, value) < 0 else ""
          if value == 0:
              return sign + "0.0"
          mantissa, _, exponent = repr(abs(value)).partition("e")
          whole, _, fraction = mantissa.partition(".")
          digits = (whole + fraction).lstrip("0")
          k = int(exponent or 0) - len(fraction)
          while digits.endswith("0"):
              digits, k = digits[:-1], k + 1
          kk = len(digits) + k
          if 0 <= k and kk <= 16:
              text = digits + "0" * k + ".0"
          elif 0 < kk <= 16:
              text = digits[:kk] + "." + digits[kk:]
          elif -5 < kk <= 0:
              text = "0." + "0" * -kk + digits
          else:
              text = digits[0] + ("." + digits[1:] if digits[1:] else "") + "e" + str(kk - 1)
          return sign + text

      def answer(line):
          return orjson(float(line))
      """;

  @Test
  void readsAndWritesWhatPythonReadsAndWrites() throws Exception {
    JsonTexts texts = new JsonTexts(17);
    List<byte[]> lines = new ArrayList<>();
    texts.powers().forEach(text -> lines.add(text.getBytes(StandardCharsets.UTF_8)));
    for (int i = 0; i < DOCUMENTS; i++) {
      lines.add(texts.number().getBytes(StandardCharsets.UTF_8));
      lines.add(texts.document().getBytes(StandardCharsets.UTF_8));
      lines.add(texts.damaged());
    }
    List<String> theirs = Python.MACHINE.answers(DUMP_EVERYTHING, lines);
    List<String> ours = lines.stream().map(PythonJsonAgainstPythonTest::everything).toList();
    JsonTexts.assertSame(lines, ours, theirs);
    int rejected = (int) theirs.stream().filter(REJECTED::equals).count();
    assertThat(lines.size() - rejected).isGreaterThan(3 * DOCUMENTS);
    assertThat(rejected).isGreaterThan(2 * DOCUMENTS / 5);
  }

  @Test
  void floatsAreLaidOutAsOrjsonDoes() throws Exception {
    JsonTexts texts = new JsonTexts(23);
    List<byte[]> lines = new ArrayList<>();
    texts.powers().forEach(text -> lines.add(text.getBytes(StandardCharsets.UTF_8)));
    for (int i = 0; i < TestExtent.of(20_000, 100_000); i++) {
      lines.add(texts.anyDouble().getBytes(StandardCharsets.UTF_8));
    }
    List<String> theirs = Python.MACHINE.answers(FLOATS_OF_ORJSON, lines);
    List<String> ours = lines.stream().map(line -> FloatText.orjson(number(line))).toList();
    JsonTexts.assertSame(lines, ours, theirs);
  }

  private static double number(byte[] line) {
    return Double.parseDouble(new String(line, StandardCharsets.UTF_8));
  }

  private static String everything(byte[] line) {
    try {
      Object value = PythonJson.parse("line", line);
      return String.join(
          "\t",
          PythonJson.dumps(value, JsonStyle.DEFAULT_SORTED),
          PythonJson.dumps(value, JsonStyle.COMPACT_SORTED),
          PythonJson.dumps(value, JsonStyle.COMPACT),
          PythonJson.dumps(value, JsonStyle.indented(4)).replace('\n', '\u007f'));
    } catch (FormatException e) {
      return REJECTED;
    }
  }
}
