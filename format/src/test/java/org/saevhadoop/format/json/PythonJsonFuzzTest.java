package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class PythonJsonFuzzTest {
  private static final List<JsonStyle> STYLES =
      List.of(
          JsonStyle.DEFAULT_SORTED,
          JsonStyle.COMPACT_SORTED,
          JsonStyle.COMPACT,
          JsonStyle.indented(2));

  @FuzzTest
  void whatIsReadIsWrittenTheSameEveryTime(byte[] document) throws FormatException {
    Object value;
    try {
      value = PythonJson.parse("m.json", document);
    } catch (FormatException e) {
      assertThat(e.getMessage()).startsWith("m.json: ").doesNotContain("\n");
      return;
    }
    for (JsonStyle style : STYLES) {
      String text = PythonJson.dumps(value, style);
      Object again = PythonJson.parse("m.json", text.getBytes(StandardCharsets.UTF_8));
      assertThat(PythonJson.dumps(again, style)).isEqualTo(text);
    }
  }
}
