package org.saevhadoop.format.saev.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.metadata.PythonJson.Style;

@Tag("late")
@Isolated
class PythonJsonFuzzTest {
  private static final List<Style> STYLES =
      List.of(Style.DEFAULT_SORTED, Style.COMPACT_SORTED, Style.COMPACT, Style.indented(2));

  @FuzzTest
  void whatIsReadIsWrittenTheSameEveryTime(byte[] document) throws FormatException {
    Object value;
    try {
      value = PythonJson.parse("m.json", document);
    } catch (FormatException e) {
      assertThat(e.getMessage()).startsWith("m.json: ").doesNotContain("\n");
      return;
    }
    for (Style style : STYLES) {
      String text = PythonJson.dumps(value, style);
      Object again = PythonJson.parse("m.json", text.getBytes(StandardCharsets.UTF_8));
      assertThat(PythonJson.dumps(again, style)).isEqualTo(text);
    }
  }
}
